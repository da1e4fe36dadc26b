/** The pieces a colour still has, to be taken up. */
import { fill, h, s } from "../dom.js";
import { extent } from "./blokus-shape.js";

/** @typedef {import("./blokus-shape.js").Cell} Cell */
/** @typedef {import("../types.js").Piece} Piece */

const UNIT = 12;

/**
 * A drawing of a piece.
 * @param {Cell[]} cells
 * @param {string} colour  its class
 * @param {number} [unit]
 */
export function pieceDrawing(cells, colour, unit = UNIT) {
  const { width, height } = extent(cells);
  return s("svg", {
    class: `piece ${colour}`, viewBox: `-0.5 -0.5 ${width * unit + 1} ${height * unit + 1}`,
    width: width * unit + 1, height: height * unit + 1, "aria-hidden": "true",
  }, cells.map(([x, y]) => s("rect", { x: x * unit + 0.5, y: y * unit + 0.5, width: unit - 1, height: unit - 1, rx: 2 })));
}

/**
 * @typedef {Object} Tray
 * @property {HTMLElement} element
 * @property {(names: string[], placeable: Set<string>, colour: string, held: string | null, orient: (name: string) => Cell[]) => void} show
 * @property {() => void} focus
 */

/**
 * @param {Piece[]} pieces
 * @param {(name: string, event: PointerEvent | null) => void} take  with the pointer that took it, or by key
 * @returns {Tray}
 */
export function pieceTray(pieces, take) {
  const element = h("div", { class: "tray", role: "toolbar", "aria-label": "Pieces to place", "aria-orientation": "horizontal" });
  let current = "";

  /** @returns {HTMLButtonElement[]} */
  const buttons = () => [...element.querySelectorAll("button")];

  element.addEventListener("keydown", (event) => {
    const all = buttons();
    const index = all.indexOf(/** @type {any} */ (document.activeElement));
    if (index < 0) return;
    const to = event.key === "ArrowRight" || event.key === "ArrowDown" ? index + 1
      : event.key === "ArrowLeft" || event.key === "ArrowUp" ? index - 1
        : event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : null;
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    const next = all[(to + all.length) % all.length];
    current = next.dataset.piece ?? "";
    for (const button of all) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  });

  return {
    element,
    show(names, placeable, colour, held, orient) {
      const shown = pieces.filter((piece) => names.includes(piece.name));
      if (!shown.some((piece) => piece.name === current)) current = shown[0]?.name ?? "";
      const focused = element.contains(document.activeElement);
      fill(element, shown.map((piece) => {
        const can = placeable.has(piece.name);
        const squares = piece.size ?? piece.orientations[0].length;
        const button = h("button", {
          type: "button", class: `tray-piece${can ? "" : " stuck"}`, "data-piece": piece.name,
          tabindex: piece.name === current ? 0 : -1, "aria-pressed": String(piece.name === held),
          "aria-label": `Piece ${piece.name}, ${squares} ${squares === 1 ? "square" : "squares"}${can ? "" : ", fits nowhere"}`,
          title: can ? piece.name : `${piece.name} fits nowhere now`,
        }, pieceDrawing(orient(piece.name), colour));
        button.addEventListener("pointerdown", (event) => {
          if (event.button !== 0) return;
          current = piece.name;
          take(piece.name, event);
        });
        button.addEventListener("click", (event) => {
          // A click without a pointer before it is a key's.
          if (event.detail === 0) take(piece.name, null);
        });
        return button;
      }));
      if (focused) buttons().find((button) => button.dataset.piece === current)?.focus();
    },
    focus() {
      (buttons().find((button) => button.tabIndex === 0) ?? buttons()[0])?.focus();
    },
  };
}
