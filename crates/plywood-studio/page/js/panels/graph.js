/** A graph of the values over the moves, a line for each player. */
import { fill, h, s } from "../dom.js";
import { signed } from "../format.js";
import { playerName, seatKind, shares } from "../games.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("./review.js").Ply} Ply */

const WIDTH = 360;
const HEIGHT = 170;
const LEFT = 8;
const BOTTOM = 18;

/** Each player's line has its own way of being drawn, too. */
const DASHES = ["", "6 3", "2 3", "9 3 2 3"];

/**
 * What is drawn for each player. Two share the bar: that tells as much of a small lead as of a won
 * game. More are shown by how far each is ahead of the average, one by the value itself.
 * @param {View} view
 * @param {Ply} ply
 */
function heights(view, ply) {
  if (view.players.length === 2) return shares(view, ply.values, null);
  if (view.players.length === 1) return ply.values;
  const average = ply.values.reduce((sum, value) => sum + value, 0) / ply.values.length;
  return ply.values.map((value) => value - average);
}

/** @param {(at: number) => void} goto */
export function reviewGraph(goto) {
  const svg = s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "No values yet" });
  const slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Move", class: "graph-slider" });
  slider.addEventListener("input", () => goto(Number(slider.value)));
  const legend = h("div", { class: "bar-legend" });
  const element = h("div", { class: "graph-frame", hidden: true }, svg, slider, legend);
  let length = 1;
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    goto(Math.max(0, Math.min(length, Math.round(((x - LEFT) / (WIDTH - 2 * LEFT)) * length))));
  });
  return {
    element,
    /** @param {View} view @param {Ply[]} plies @param {number} moves @param {number} at @param {Set<number>} marked */
    show(view, plies, moves, at, marked) {
      element.hidden = !plies.length;
      if (!plies.length) return;
      length = Math.max(1, moves);
      slider.max = String(moves);
      slider.value = String(at);
      const x = (/** @type {number} */ ply) => LEFT + (ply / length) * (WIDTH - 2 * LEFT);
      const curves = plies.map((ply) => heights(view, ply));
      const known = curves.flat().filter(Number.isFinite);
      const two = view.players.length === 2;
      const [low, high] = two ? [0, 1] : [Math.min(...known), Math.max(...known)];
      const y = (/** @type {number} */ value) => 8 + (1 - (value - low) / (high - low || 1)) * (HEIGHT - BOTTOM - 12);
      const kind = seatKind(view.game);
      const parts = [];
      const level = two ? 0.5 : 0;
      if (level >= low && level <= high) parts.push(s("line", { class: "level", x1: LEFT, x2: WIDTH - LEFT, y1: y(level), y2: y(level) }));
      for (let seat = 0; seat < view.players.length; seat += 1) {
        const d = plies.map((ply, i) => `${i ? "L" : "M"}${x(ply.at).toFixed(1)} ${y(curves[i][seat] ?? 0).toFixed(1)}`).join("");
        parts.push(s("path", { class: `curve halo`, d }), s("path", { class: `curve k-${kind}-${seat}`, d, "stroke-dasharray": DASHES[seat] }));
      }
      for (const ply of plies) {
        if (!marked.has(ply.at)) continue;
        parts.push(s("path", { class: "mark", d: `M${x(ply.at)} ${HEIGHT - BOTTOM}l-4 8h8z` }, s("title", {}, `Swing at move ${ply.at + 1}`)));
      }
      parts.push(s("line", { class: "here", x1: x(at), x2: x(at), y1: 4, y2: HEIGHT - BOTTOM }));
      fill(svg, parts);
      const now = plies.find((ply) => ply.at === at);
      const texts = view.players.map((_, seat) => `${playerName(view, seat)} ${now ? signed(now.values[seat] ?? 0) : "–"}`);
      svg.setAttribute("aria-label", `Values over ${moves} moves. After move ${at}: ${texts.join(", ")}`);
      fill(legend, texts.map((text, seat) => h("span", { class: "bar-value" },
        s("svg", { class: "key", viewBox: "0 0 22 8", "aria-hidden": "true" }, s("path", { class: `curve k-${kind}-${seat}`, d: "M1 4H21", "stroke-dasharray": DASHES[seat] })), text)));
    },
  };
}
