/** Small pictures of the games for the first screen. */
import { s } from "../dom.js";

/** @param {string} name */
export function gameArt(name) {
  const draw = { kalah, gomoku, blokus, "blokus-duo": duo, 2048: tiles }[name];
  return s("svg", { class: "art", viewBox: "0 0 160 100", "aria-hidden": "true" }, draw ? draw() : []);
}

function kalah() {
  const pits = [];
  for (let i = 0; i < 5; i += 1) {
    for (const y of [32, 68]) {
      const x = 36 + i * 22;
      pits.push(s("ellipse", { class: "art-hole", cx: x, cy: y, rx: 9.5, ry: 13 }));
      const n = (i * 3 + (y > 50 ? 2 : 1)) % 5;
      for (let k = 0; k < n; k += 1) {
        const angle = k * 2.4 + i;
        pits.push(s("circle", { class: `art-stone-${k % 3}`, cx: x + 4 * Math.cos(angle), cy: y + 6 * Math.sin(angle), r: 3 }));
      }
    }
  }
  return [s("rect", { class: "art-wood", x: 6, y: 10, width: 148, height: 80, rx: 22 }),
    s("rect", { class: "art-hole", x: 12, y: 26, width: 12, height: 48, rx: 6 }),
    s("rect", { class: "art-hole", x: 136, y: 26, width: 12, height: 48, rx: 6 }), ...pits];
}

function gomoku() {
  let lines = "";
  for (let i = 0; i < 8; i += 1) lines += `M${24 + 16 * i} 4V96`;
  for (let i = 0; i < 6; i += 1) lines += `M12 ${10 + 16 * i}H148`;
  /** @type {[number, number, number][]} */
  const stones = [[2, 3, 0], [3, 2, 0], [4, 1, 0], [5, 0, 0], [1, 4, 0], [3, 3, 1], [4, 2, 1], [4, 3, 1], [2, 2, 1]];
  return [s("rect", { class: "art-wood", x: 6, y: 2, width: 148, height: 96, rx: 8 }), s("path", { class: "art-lines", d: lines }),
    ...stones.map(([x, y, c]) => s("circle", { class: c ? "art-white" : "art-black", cx: 24 + 16 * x + 8 * 2, cy: 10 + 16 * y, r: 7 }))];
}

/** @param {[string, [number, number][]][]} groups @param {number} unit @param {number} left */
function squares(groups, unit, left) {
  return groups.flatMap(([colour, cells]) => cells.map(([x, y]) => s("rect", {
    class: `${colour} square`, x: left + x * unit + 0.5, y: 4 + y * unit + 0.5, width: unit - 1, height: unit - 1, rx: 1.5,
  })));
}

function blokus() {
  return [s("rect", { class: "art-field", x: 30, y: 3, width: 101, height: 94, rx: 4 }), ...squares([
    ["c-four-0", [[0, 0], [1, 0], [1, 1], [2, 1], [3, 2], [3, 3], [4, 3]]],
    ["c-four-1", [[9, 0], [8, 0], [8, 1], [7, 2], [6, 2], [6, 1], [5, 4]]],
    ["c-four-2", [[9, 8], [9, 7], [8, 7], [7, 6], [7, 5], [6, 5], [5, 6]]],
    ["c-four-3", [[0, 8], [1, 8], [1, 7], [2, 6], [3, 6], [3, 5], [4, 7], [4, 8]]],
  ], 9.9, 31)];
}

function duo() {
  return [s("rect", { class: "art-field between", x: 30, y: 3, width: 101, height: 94, rx: 4 }), ...squares([
    ["c-two-0", [[2, 2], [3, 2], [3, 3], [4, 3], [2, 4], [2, 5], [1, 5], [5, 4], [5, 5]]],
    ["c-two-1", [[7, 6], [6, 6], [6, 7], [7, 4], [8, 4], [8, 5], [5, 8], [4, 8], [4, 7]]],
  ], 9.9, 31)];
}

function tiles() {
  const faces = [1, 2, 3, 5, 0, 1, 4, 7, 0, 0, 2, 11];
  return [s("rect", { class: "art-tiles", x: 24, y: 2, width: 112, height: 96, rx: 8 }), ...faces.flatMap((e, i) => {
    const x = 30 + 26 * (i % 4);
    const y = 8 + 30 * Math.floor(i / 4);
    return [s("rect", { class: e ? `e${e}` : "e0", x, y, width: 23, height: 26, rx: 3 }),
      e ? s("text", { class: `art-number e${e}`, x: x + 11.5, y: y + 13.5 }, 2 ** e) : null];
  }).filter((part) => part !== null)];
}
