/** Runs of the lab. */
import { api } from "../api.js";
import { h } from "../dom.js";

/** @param {import("../types.js").GameInfo[]} _games @param {{run?: string}} _place */
export async function labScreen(_games, _place) {
  const runs = await api.runs();
  return { element: h("section", { class: "page lab" }, h("h1", {}, "Lab"), h("pre", {}, JSON.stringify(runs))), title: "Lab" };
}
