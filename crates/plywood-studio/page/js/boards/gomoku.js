/** The board of Gomoku: stones on crossings, coordinates, the last move, forbidden points and why. */
import { h, s } from "../dom.js";
import { lineSeats } from "../games.js";
import { walkable } from "./grid.js";
import { heat } from "./heat.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Marks} Marks */
/** @typedef {import("../types.js").GomokuBoard} GomokuBoard */

const CELL = 40;
const MARGIN = 34;

/** @param {number} size @param {number} index  row by row from the top */
export function pointName(size, index) {
  return String.fromCharCode(65 + (index % size)) + (size - Math.floor(index / size));
}

/** @param {number} size @param {string} name */
export function pointIndex(size, name) {
  const column = name.toUpperCase().charCodeAt(0) - 65;
  return (size - Number(name.slice(1))) * size + column;
}

/** The points that are marked to find one's way. @param {number} size */
function stars(size) {
  if (size < 9) return [];
  const edge = size < 13 ? 2 : 3;
  const lines = size % 2 ? [edge, (size - 1) / 2, size - 1 - edge] : [edge, size - 1 - edge];
  return lines.flatMap((y) => lines.map((x) => [x, y]));
}

/**
 * @param {import("../types.js").BoardHost} host
 * @param {number} size
 * @returns {import("../types.js").Board & {onPoint: ((name: string) => void) | null}}
 */
export function gomokuBoard(host, size) {
  const whole = (size - 1) * CELL + 2 * MARGIN;
  const at = (/** @type {number} */ index) => ({
    x: MARGIN + (index % size) * CELL,
    y: MARGIN + Math.floor(index / size) * CELL,
  });
  const far = MARGIN + (size - 1) * CELL;

  const lines = s("g", { class: "lines" });
  const names = s("g", { class: "coordinates" });
  for (let i = 0; i < size; i += 1) {
    const p = MARGIN + i * CELL;
    lines.append(
      s("line", { x1: MARGIN, x2: far, y1: p, y2: p }),
      s("line", { x1: p, x2: p, y1: MARGIN, y2: far }),
    );
    names.append(
      s("text", { x: p, y: whole - 8 }, String.fromCharCode(65 + i)),
      s("text", { x: 11, y: MARGIN + (size - 1 - i) * CELL }, i + 1),
    );
  }
  for (const [x, y] of stars(size)) {
    lines.append(s("circle", { cx: MARGIN + x * CELL, cy: MARGIN + y * CELL, r: 4 }));
  }

  const stones = s("g", { class: "stones" });
  const forbidden = s("g", { class: "forbidden" });
  const marks = s("g", { class: "marks" });
  const ghost = s("circle", { class: "ghost", r: 17, visibility: "hidden" });
  const decorations = s("g", { "aria-hidden": "true" },
    s("rect", { class: "wood", x: 0, y: 0, width: whole, height: whole, rx: 10 }),
    lines, names, stones, forbidden, marks, ghost);

  /** @type {SVGElement[]} */
  const cells = [];
  const rows = s("g");
  for (let y = 0; y < size; y += 1) {
    const row = s("g", { role: "row", "aria-rowindex": y + 1 });
    for (let x = 0; x < size; x += 1) {
      const cell = s("rect", {
        class: "hit", role: "gridcell", "aria-colindex": x + 1,
        x: MARGIN + (x - 0.5) * CELL, y: MARGIN + (y - 0.5) * CELL, width: CELL, height: CELL, rx: 8,
      });
      cells.push(cell);
      row.append(cell);
    }
    rows.append(row);
  }
  const svg = s("svg", {
    class: "board gomoku", viewBox: `0 0 ${whole} ${whole}`, role: "grid",
    "aria-label": `Gomoku board, ${size} by ${size}`, "aria-rowcount": size, "aria-colcount": size,
  }, decorations, rows);
  const element = h("div", { class: "board-frame square" }, svg);

  /** @type {View | null} */
  let view = null;
  let interactive = false;
  /** @type {Map<string, string>} */
  let why = new Map();

  const board = () => /** @type {GomokuBoard} */ (view?.board);
  const free = (/** @type {number} */ index) => view !== null && board().cells[index] === ".";

  /** @param {number} index */
  function choose(index) {
    const name = pointName(size, index);
    if (api.onPoint) {
      api.onPoint(name);
      return;
    }
    if (!interactive || !view) return;
    if (!free(index)) host.say(`${name} is taken`);
    else if (why.has(name)) host.refuse(`${name} is forbidden: ${why.get(name)}`);
    else host.play(name);
  }

  const grid = walkable(svg, cells, size, {
    start: Math.floor((size * size) / 2),
    onKey: (event, index) => {
      if (event.key !== "Enter" && event.key !== " ") return false;
      choose(index);
      return true;
    },
  });
  svg.addEventListener("click", (event) => {
    const index = cells.indexOf(/** @type {any} */ (event.target));
    if (index < 0) return;
    grid.select(index);
    choose(index);
  });
  svg.addEventListener("pointermove", (event) => {
    const index = event.pointerType === "touch" ? -1 : cells.indexOf(/** @type {any} */ (event.target));
    const name = index >= 0 ? pointName(size, index) : "";
    const show = index >= 0 && interactive && free(index) && !why.has(name);
    ghost.setAttribute("visibility", show ? "visible" : "hidden");
    if (!show || view?.turn.kind !== "player") return;
    const { x, y } = at(index);
    ghost.setAttribute("cx", String(x));
    ghost.setAttribute("cy", String(y));
    ghost.setAttribute("class", `ghost ${view.turn.seat ? "white" : "black"}`);
  });
  svg.addEventListener("pointerleave", () => ghost.setAttribute("visibility", "hidden"));

  /** @param {string} name @param {number} seat @param {string} [text] */
  function stone(name, seat, text) {
    const { x, y } = at(pointIndex(size, name));
    const group = s("g", { class: `stone ${seat ? "white" : "black"}` }, s("circle", { cx: x, cy: y, r: 17.5 }));
    if (text) group.append(s("text", { x, y }, text));
    return group;
  }

  /** @type {import("../types.js").Board & {onPoint: ((name: string) => void) | null}} */
  const api = {
    element,
    onPoint: null,
    async show(next, options) {
      const before = view ? board().cells : "";
      view = next;
      interactive = options.interactive;
      ghost.setAttribute("visibility", "hidden");
      const now = board();
      why = new Map(now.forbidden.map((point) => [point.at.toUpperCase(), point.why]));
      stones.replaceChildren();
      forbidden.replaceChildren();
      marks.replaceChildren();
      const five = new Set((now.five ?? []).map((name) => pointIndex(size, name)));
      const last = next.last ? pointIndex(size, next.last) : -1;
      for (let index = 0; index < size * size; index += 1) {
        const name = pointName(size, index);
        const content = now.cells[index];
        const blocked = why.get(name);
        cells[index].setAttribute("aria-label", `${name}, ${content === "x" ? "black" : content === "o" ? "white"
          : blocked ? `forbidden: ${blocked}` : "empty"}${index === last ? ", last move" : ""}`);
        const { x, y } = at(index);
        if (content !== ".") {
          const group = stone(name, content === "o" ? 1 : 0);
          if (options.played && before[index] === ".") group.classList.add("drop");
          if (index === last) group.append(s("circle", { class: "last", cx: x, cy: y, r: 6 }));
          if (five.has(index)) group.append(s("circle", { class: "five", cx: x, cy: y, r: 17.5 }));
          stones.append(group);
        } else if (blocked) {
          cells[index].replaceChildren(s("title", {}, `${name} is forbidden: ${blocked}`));
          forbidden.append(s("path", { d: `M${x - 8} ${y - 8}l16 16M${x + 8} ${y - 8}l-16 16` }));
          continue;
        }
        cells[index].replaceChildren();
      }
      svg.classList.toggle("playable", interactive);
    },
    mark(given) {
      marks.replaceChildren();
      if (!given || !view) return;
      if (given.line) {
        const seats = lineSeats(view, given.line);
        given.line.slice(0, 12).forEach((move, i) => {
          const index = pointIndex(size, move);
          if (!free(index)) return;
          const shown = stone(move, seats[i] ?? 0, String(i + 1));
          shown.classList.add("planned");
          marks.append(shown);
        });
        return;
      }
      for (const { move, share, text, best } of heat(given.moves, 8)) {
        const index = pointIndex(size, move);
        if (!(index >= 0) || !free(index)) continue;
        const { x, y } = at(index);
        marks.append(s("g", { class: `heat${best ? " best" : ""}` },
          s("circle", { cx: x, cy: y, r: 16, "fill-opacity": (0.25 + 0.65 * share).toFixed(2) }),
          s("text", { x, y }, text)));
      }
    },
    focus: () => grid.focus(),
    destroy() {},
  };
  return api;
}
