/** How a position of each game is changed by hand. Every change makes the text of a position. */
import { cellName as blokusCell, moveCells } from "../boards/blokus-shape.js";
import { pointIndex } from "../boards/gomoku.js";
import { fill, h } from "../dom.js";
import { gameName, seatClass } from "../games.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").KalahBoard} KalahBoard */
/** @typedef {import("../types.js").GomokuBoard} GomokuBoard */
/** @typedef {import("../types.js").TilesBoard} TilesBoard */
/** @typedef {import("../types.js").BlokusBoard} BlokusBoard */

/**
 * @typedef {Object} Editor
 * @property {HTMLElement} element
 * @property {boolean} plays  whether the board is played on to change it
 * @property {(board: Board) => void} attach
 * @property {(view: View) => void} look
 * @property {(move: string) => string} played  the position after a move on the board
 * @property {() => string} cleared
 */

/**
 * A choice of one, as buttons.
 * @param {string} label
 * @param {[string, string][]} choices  value and text
 * @param {string} value
 * @param {(value: string) => void} onChange
 */
function choice(label, choices, value, onChange) {
  return h("div", { class: "choice-row", role: "group", "aria-label": label }, h("span", {}, label), choices.map(([each, text]) => (
    h("button", { type: "button", class: "choice", "aria-pressed": String(each === value), "data-value": each, onclick: () => onChange(each) }, text))));
}

/**
 * @param {string} game
 * @param {View} view
 * @param {(position: string) => void} propose
 * @returns {Editor}
 */
export function editorFor(game, view, propose) {
  switch (gameName(game)) {
    case "kalah": return kalahEditor(view, propose);
    case "gomoku": return gomokuEditor(view, propose);
    case "2048": return tilesEditor(view, propose);
    default: return blokusEditor(game, view, propose);
  }
}

/** @param {View} first @param {(position: string) => void} propose @returns {Editor} */
function kalahEditor(first, propose) {
  let view = first;
  const element = h("div", {});
  const board = () => /** @type {KalahBoard} */ (view.board);
  const side = () => (/>\s*n/i.test(view.position) ? "n" : "s");
  /** @param {number[][]} rows @param {number[]} stores @param {string} mover */
  const write = (rows, stores, mover) => `<${[board().pits, ...stores, ...rows[0], ...rows[1]].join(",")}> ${mover}`;
  /** @param {number} seat @param {number | "store"} pit @param {number} value */
  const set = (seat, pit, value) => {
    const rows = board().rows.map((row) => [...row]);
    const stores = [...board().stores];
    if (pit === "store") stores[seat] = Math.max(0, value);
    else rows[seat][pit] = Math.max(0, value);
    propose(write(rows, stores, side()));
  };
  return {
    element,
    plays: false,
    attach(target) {
      /** @type {any} */ (target).onPit = (/** @type {number} */ seat, /** @type {number} */ pit, /** @type {number} */ by) => set(seat, pit, board().rows[seat][pit] + by);
    },
    look(next) {
      view = next;
      if (element.contains(document.activeElement) && document.activeElement?.tagName === "INPUT") return;
      const { rows, stores, pits } = board();
      /** @param {number} seat @param {number | "store"} pit @param {string} label @param {number} value */
      const number = (seat, pit, label, value) => h("label", { class: "number-field" }, label, h("input", {
        type: "number", min: 0, max: 255, value, onchange: (/** @type {Event} */ event) => set(seat, pit, Number(/** @type {HTMLInputElement} */ (event.target).value)),
      }));
      fill(element, h("p", { class: "muted" }, "Click a pit to add a stone, right-click or Shift to take one, or type numbers."),
        choice("To move", [["s", "South"], ["n", "North"]], side(), (value) => propose(write(rows, stores, value))),
        [1, 0].map((seat) => h("div", { class: "number-row" },
          rows[seat].map((value, pit) => number(seat, pit, String.fromCharCode(65 + seat * pits + pit), value)),
          number(seat, "store", seat ? "North's store" : "South's store", stores[seat]))));
    },
    played: () => view.position,
    cleared: () => write(board().rows.map((row) => row.map((_, i) => (i === 0 ? 1 : 0))), [0, 0], "s"),
  };
}

/** @param {View} first @param {(position: string) => void} propose @returns {Editor} */
function gomokuEditor(first, propose) {
  let view = first;
  let brush = "x";
  const element = h("div", {});
  const board = () => /** @type {GomokuBoard} */ (view.board);
  const side = () => view.position.split(/\s+/)[1] ?? "b";
  /** @param {string} cells @param {string} mover */
  const write = (cells, mover) => {
    const { size } = board();
    const rows = Array.from({ length: size }, (_, y) => cells.slice(y * size, (y + 1) * size).replace(/\.+/g, (run) => String(run.length)));
    return `${rows.join("/")} ${mover}`;
  };
  const draw = () => fill(element, h("p", { class: "muted" }, "Click to put stones; click one of the same colour to take it away."),
    choice("Put", [["x", "Black"], ["o", "White"], [".", "Nothing"]], brush, (value) => {
      brush = value;
      draw();
    }),
    choice("To move", [["b", "Black"], ["w", "White"]], side(), (value) => propose(write(board().cells, value))));
  return {
    element,
    plays: false,
    attach(target) {
      /** @type {any} */ (target).onPoint = (/** @type {string} */ name) => {
        const index = pointIndex(board().size, name);
        const { cells } = board();
        const put = cells[index] === brush ? "." : brush;
        propose(write(cells.slice(0, index) + put + cells.slice(index + 1), side()));
      };
    },
    look(next) {
      view = next;
      draw();
    },
    played: () => view.position,
    cleared: () => write(".".repeat(board().size ** 2), "b"),
  };
}

/** @param {View} first @param {(position: string) => void} propose @returns {Editor} */
function tilesEditor(first, propose) {
  let view = first;
  const element = h("div", {});
  const board = () => /** @type {TilesBoard} */ (view.board);
  const chance = () => view.turn.kind === "chance";
  /** @param {number[]} cells @param {number} score @param {boolean} toCome */
  const write = (cells, score, toCome) => {
    const rows = [0, 1, 2, 3].map((y) => cells.slice(4 * y, 4 * y + 4).map((e) => (e ? String(2 ** e) : ".")).join(","));
    return `${rows.join("/")}${score ? ` score=${score}` : ""}${toCome && cells.some((e) => !e) ? " chance" : ""}`;
  };
  return {
    element,
    plays: false,
    attach(target) {
      /** @type {any} */ (target).onCell = (/** @type {number} */ index, /** @type {number} */ by) => {
        const cells = [...board().cells];
        cells[index] = (cells[index] + by + 16) % 16;
        // A score that the tiles no longer allow would be refused.
        propose(write(cells, 0, chance() && cells.some(Boolean) && board().cells.some(Boolean)));
      };
    },
    look(next) {
      view = next;
      fill(element, h("p", { class: "muted" }, "Click a cell for the next larger tile, right-click or Shift for the smaller. The score starts at 0 again."),
        choice("To act", [["player", "Player"], ["chance", "Chance"]], chance() ? "chance" : "player", (value) => propose(write(board().cells, board().score, value === "chance"))));
    },
    played: () => view.position,
    cleared: () => write([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], 0, false),
  };
}

/** @param {string} game @param {View} first @param {(position: string) => void} propose @returns {Editor} */
function blokusEditor(game, first, propose) {
  let view = first;
  const element = h("div", {});
  const signs = first.players.map((name) => name[0]);
  /** The placements of every colour. @returns {string[][]} */
  const placements = () => {
    const fields = new Map(view.position.split(/\s+/).map((word) => /** @type {[string, string]} */ (word.split("=", 2))));
    return signs.map((sign) => {
      const value = fields.get(sign) ?? "-";
      return value === "-" ? [] : value.split("/");
    });
  };
  /** @param {string[][]} all @param {number} turn */
  const write = (all, turn) => `turn=${signs[turn]} ${signs.map((sign, i) => `${sign}=${all[i].join("/") || "-"}`).join(" ")}`;
  const turn = () => (view.turn.kind === "player" ? view.turn.seat : 0);
  return {
    element,
    plays: true,
    attach(target) {
      /** @type {any} */ (target).onCell = (/** @type {string} */ name) => {
        const all = placements();
        const owner = all.findIndex((list) => list.some((move) => move.split(",").includes(name)));
        if (owner < 0) return false;
        all[owner] = all[owner].filter((move) => !move.split(",").includes(name));
        propose(write(all, owner));
        return true;
      };
    },
    look(next) {
      view = next;
      fill(element, h("p", { class: "muted" }, "Choose a colour and place its pieces; click a piece on the board to take it away."),
        h("div", { class: "choice-row", role: "group", "aria-label": "To place" }, h("span", {}, "To place"), next.players.map((name, seat) => (
          h("button", { type: "button", class: "choice", "aria-pressed": String(seat === turn()), onclick: () => propose(write(placements(), seat)) },
            h("span", { class: `${seatClass(game, seat)} small`, "aria-hidden": "true" }), name)))));
    },
    played(move) {
      const all = placements();
      const { size } = /** @type {BlokusBoard} */ (view.board);
      all[turn()].push(moveCells(size, move).map((cell) => blokusCell(size, cell)).join(","));
      return write(all, turn());
    },
    cleared: () => "start",
  };
}
