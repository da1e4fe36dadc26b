/** Who stands how well: a bar with a part for each player. */
import { fill, h } from "../dom.js";
import { signed } from "../format.js";
import { playerName, seatClass, shares } from "../games.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Progress} Progress */

export function evaluationBar() {
  const bar = h("div", { class: "bar", role: "img", "aria-label": "No evaluation yet" });
  const legend = h("div", { class: "bar-legend" });
  const element = h("div", { class: "evaluation vague" }, bar, legend);
  return {
    element,
    hide() {
      element.classList.add("vague");
    },
    /** @param {View} view @param {Progress} progress */
    show(view, progress) {
      const { values, words } = progress;
      element.classList.toggle("vague", !values.length);
      // What is proven is said of the player to move.
      const proven = words && view.turn.kind === "player" ? `${playerName(view, view.turn.seat)} ${words}` : words;
      const parts = shares(view, values, words);
      const texts = view.players.map((_, seat) => `${playerName(view, seat)} ${signed(values[seat] ?? 0)}`);
      bar.setAttribute("aria-label", `Evaluation: ${texts.join(", ")}${proven ? `; ${proven}` : ""}`);
      if (bar.children.length !== parts.length) {
        fill(bar, parts.map((_, seat) => h("span", { class: `part ${seatClass(view.game, seat)}` })));
      }
      parts.forEach((share, seat) => {
        /** @type {HTMLElement} */ (bar.children[seat]).style.flexGrow = share.toFixed(4);
      });
      bar.hidden = parts.length === 1;
      fill(legend, texts.map((text, seat) => h("span", { class: "bar-value" }, h("span", { class: `${seatClass(view.game, seat)} small`, "aria-hidden": "true" }), text)),
        proven && h("strong", { class: "proven" }, proven), !words && progress.certainty === "exact" && h("strong", { class: "proven" }, "exact"));
    },
  };
}
