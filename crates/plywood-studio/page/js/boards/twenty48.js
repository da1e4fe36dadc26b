/** The board of 2048: slide with keys or the finger, or be chance and place the tiles. */
import { h, pause } from "../dom.js";
import { duration } from "../preferences.js";
import { heat } from "./heat.js";
import { walkable } from "./grid.js";
import { cellIndex, cellName, isDirection, slides } from "./slides.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").TilesBoard} TilesBoard */
/** @typedef {import("./slides.js").Direction} Direction */

const KEYS = /** @type {Record<string, Direction>} */ ({
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right",
  w: "up", s: "down", a: "left", d: "right",
});
const ARROWS = /** @type {Record<Direction, string>} */ ({ up: "↑", down: "↓", left: "←", right: "→" });

/**
 * @param {import("../types.js").BoardHost} host
 * @returns {import("../types.js").Board & {onCell: ((index: number, by: number) => void) | null}}
 */
export function tilesBoard(host) {
  /** @type {HTMLElement[]} */
  const cells = [];
  const rows = [0, 1, 2, 3].map((row) => h("div", { class: "tile-row", role: "row" },
    [0, 1, 2, 3].map((column) => {
      const cell = h("div", { class: "tile-cell", role: "gridcell" });
      cells[4 * row + column] = cell;
      return cell;
    })));
  const layer = h("div", { class: "tile-layer", "aria-hidden": "true" });
  const ghost = h("div", { class: "tile-marks", "aria-hidden": "true" });
  const field = h("div", { class: "board tiles", role: "grid", "aria-label": "2048 board" }, rows, layer, ghost);
  const hint = h("p", { class: "board-hint" });
  const two = h("button", { type: "button", class: "choice", "aria-pressed": "true", onclick: () => choose(1) }, "2");
  const four = h("button", { type: "button", class: "choice", "aria-pressed": "false", onclick: () => choose(2) }, "4");
  const chooser = h("div", { class: "chooser", role: "group", "aria-label": "The tile to place", hidden: true },
    h("span", {}, "Place a"), two, four);
  const pad = h("div", { class: "pad", role: "group", "aria-label": "Slide" },
    /** @type {Direction[]} */ (["left", "up", "down", "right"]).map((direction) => h("button", {
      type: "button", class: "icon arrow", "aria-label": `Slide ${direction}`, onclick: () => slide(direction),
    }, ARROWS[direction])));
  const element = h("div", { class: "board-frame square tiles-frame" }, field, h("div", { class: "tile-foot" }, chooser, pad, hint));

  /** @type {View | null} */
  let view = null;
  let interactive = false;
  let turn = 0;
  let tile = 1;
  /** The tile elements by cell. @type {(HTMLElement | null)[]} */
  let tiles = Array(16).fill(null);
  /** @type {number[]} */
  let shown = Array(16).fill(0);

  /** @param {number} exponent */
  function choose(exponent) {
    tile = exponent;
    two.setAttribute("aria-pressed", String(exponent === 1));
    four.setAttribute("aria-pressed", String(exponent === 2));
  }

  const spawning = () => interactive && view?.turn.kind === "chance";

  /** @param {Direction} direction */
  function slide(direction) {
    if (!interactive || view?.turn.kind !== "player") return;
    if (view.moves.includes(direction)) host.play(direction);
    else host.say(`Nothing moves ${direction}`);
  }

  /** @param {number} index @param {number} [exponent] @param {number} [by] */
  function pick(index, exponent = tile, by = 1) {
    if (api.onCell) api.onCell(index, by);
    else if (spawning()) {
      if (shown[index]) host.say(`${cellName(index)} is taken`);
      else host.play(`${cellName(index)}=${2 ** exponent}`);
    }
  }

  const grid = walkable(field, cells, 4, {
    onKey(event, index) {
      if (event.altKey || event.ctrlKey || event.metaKey) return false;
      if (event.key === "Enter" || event.key === " ") {
        pick(index);
        return true;
      }
      if (api.onCell) {
        if (event.key !== "+" && event.key !== "-") return false;
        pick(index, tile, event.key === "+" ? 1 : -1);
        return true;
      }
      if (spawning() && (event.key === "2" || event.key === "4")) {
        pick(index, event.key === "4" ? 2 : 1);
        return true;
      }
      return false;
    },
  });
  cells.forEach((cell, index) => {
    cell.addEventListener("click", (event) => {
      grid.select(index);
      pick(index, tile, event.shiftKey ? -1 : 1);
    });
    cell.addEventListener("contextmenu", (event) => {
      if (!api.onCell) return;
      event.preventDefault();
      pick(index, tile, -1);
    });
  });

  /** Arrows slide wherever the focus is, unless it is in something that uses them. @param {KeyboardEvent} event */
  function onKey(event) {
    const direction = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!direction || !interactive || view?.turn.kind !== "player" || api.onCell) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.target;
    if (target instanceof Element && target.closest("input, select, textarea, dialog, iframe, [role=tablist]")) return;
    event.preventDefault();
    event.stopPropagation();
    slide(direction);
  }
  // Before the grid hears it: there the arrows would walk from cell to cell.
  document.addEventListener("keydown", onKey, true);

  /** @type {{x: number, y: number} | null} */
  let down = null;
  field.addEventListener("pointerdown", (event) => {
    down = { x: event.clientX, y: event.clientY };
    // The way to the end is ours even if it leaves the board.
    if (!spawning() && !api.onCell) field.setPointerCapture(event.pointerId);
  });
  field.addEventListener("pointerup", (event) => {
    if (!down) return;
    const x = event.clientX - down.x;
    const y = event.clientY - down.y;
    down = null;
    if (Math.max(Math.abs(x), Math.abs(y)) < 24) return;
    slide(Math.abs(x) > Math.abs(y) ? (x > 0 ? "right" : "left") : (y > 0 ? "down" : "up"));
  });
  field.addEventListener("pointercancel", () => { down = null; });

  /** @param {HTMLElement} element @param {number} index */
  function put(element, index) {
    element.style.transform = `translate(${100 * (index % 4)}%, ${100 * Math.floor(index / 4)}%)`;
  }

  /** @param {number} exponent @param {number} index @param {string} [how] */
  function newTile(exponent, index, how = "") {
    const made = h("div", { class: `tile ${how}` },
      h("span", { class: `face e${Math.min(exponent, 12)} d${String(2 ** exponent).length}` }, 2 ** exponent));
    put(made, index);
    layer.append(made);
    return made;
  }

  /** @param {number[]} now @param {Set<number>} [fresh] */
  function lay(now, fresh = new Set()) {
    layer.replaceChildren();
    tiles = now.map((exponent, index) => (exponent ? newTile(exponent, index, fresh.has(index) ? "fresh" : "") : null));
    shown = [...now];
  }

  /** @param {Direction} direction @param {number} mine */
  async function animate(direction, mine) {
    const ms = duration(110);
    if (!ms) return;
    const ways = slides(shown, direction);
    /** @type {number[]} */
    const after = Array(16).fill(0);
    for (const way of ways) {
      const moving = tiles[way.from];
      after[way.to] = way.merges ? shown[way.from] + 1 : shown[way.from];
      if (!moving) continue;
      moving.style.transitionDuration = `${ms}ms`;
      put(moving, way.to);
    }
    await pause(ms);
    if (mine !== turn) return;
    lay(after);
    for (const way of ways) if (way.merges) tiles[way.to]?.classList.add("merged");
  }

  /** @type {import("../types.js").Board & {onCell: ((index: number, by: number) => void) | null}} */
  const api = {
    element,
    onCell: null,
    async show(next, options) {
      turn += 1;
      const mine = turn;
      view = next;
      interactive = false;
      field.classList.remove("playable");
      ghost.replaceChildren();
      const now = /** @type {TilesBoard} */ (next.board).cells;
      const fresh = new Set();
      for (const move of options.played ?? []) {
        if (isDirection(move)) await animate(move, mine);
        else fresh.add(cellIndex(move));
        if (mine !== turn) return;
      }
      if (fresh.size || shown.join() !== now.join()) lay(now, duration(1) ? fresh : undefined);
      interactive = options.interactive;
      now.forEach((exponent, index) => {
        cells[index].setAttribute("aria-label", `${cellName(index)}, ${exponent ? 2 ** exponent : "empty"}`);
        cells[index].classList.toggle("open", spawning() === true && !exponent);
      });
      chooser.hidden = !spawning();
      pad.hidden = next.turn.kind !== "player" || !interactive;
      for (const button of pad.children) {
        const name = (button.getAttribute("aria-label") ?? "").replace("Slide ", "");
        /** @type {HTMLButtonElement} */ (button).disabled = !next.moves.includes(name);
      }
      hint.textContent = spawning() ? "Click an empty cell, or walk with the arrows and press 2 or 4."
        : interactive ? "Arrow keys, or swipe." : "";
      field.classList.toggle("playable", interactive);
    },
    mark(given) {
      ghost.replaceChildren();
      if (!given || !view) return;
      const ranked = given.line?.length
        ? [{ move: given.line[0], text: "", best: true, share: 1 }]
        : heat(given.moves, view.turn.kind === "chance" ? 6 : 4);
      for (const { move, text, best } of ranked) {
        if (isDirection(move)) {
          ghost.append(h("div", { class: `tile-arrow ${move}${best ? " best" : ""}` }, `${ARROWS[move]} ${text}`.trim()));
        } else if (move.includes("=")) {
          const mark = h("div", { class: `tile spawn-mark${best ? " best" : ""}` }, h("span", {}, move.split("=")[1]));
          put(mark, cellIndex(move));
          ghost.append(mark);
        }
      }
    },
    focus: () => grid.focus(),
    destroy() {
      turn += 1;
      document.removeEventListener("keydown", onKey, true);
    },
  };
  return api;
}

