/** Pieces of Blokus as lists of cells: turning, flipping, naming, and why a placement is not allowed. */

/** @typedef {[number, number]} Cell  column from the left, row from the top */
/** @typedef {import("../types.js").BlokusBoard} BlokusBoard */
/** @typedef {import("../types.js").Piece} Piece */

/** @param {Cell[]} cells @returns {Cell[]} with the box around them at 0, 0, in reading order */
export function normal(cells) {
  const left = Math.min(...cells.map(([x]) => x));
  const top = Math.min(...cells.map(([, y]) => y));
  return cells.map(([x, y]) => /** @type {Cell} */ ([x - left, y - top])).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
}

/** A quarter turn to the right. @param {Cell[]} cells */
export const rotated = (cells) => normal(cells.map(([x, y]) => [-y, x]));

/** Left and right exchanged. @param {Cell[]} cells */
export const flipped = (cells) => normal(cells.map(([x, y]) => [-x, y]));

/** @param {Cell[]} cells */
export const extent = (cells) => ({
  width: 1 + Math.max(...cells.map(([x]) => x)),
  height: 1 + Math.max(...cells.map(([, y]) => y)),
});

/** @param {number} size @param {Cell} cell */
export const cellName = (size, [x, y]) => String.fromCharCode(97 + x) + (size - y);

/** @param {number} size @param {string} name @returns {Cell} */
export const readCell = (size, name) => [name.toLowerCase().charCodeAt(0) - 97, size - Number(name.slice(1))];

/** The same for the same cells in whatever order. @param {Cell[]} cells */
export const cellsKey = (cells) => cells.map(([x, y]) => y * 32 + x).sort((a, b) => a - b).join();

/** @param {Cell[]} cells @param {number} dx @param {number} dy */
export const moved = (cells, dx, dy) => cells.map(([x, y]) => /** @type {Cell} */ ([x + dx, y + dy]));

/** @param {number} size @param {string} move @returns {Cell[]} */
export const moveCells = (size, move) => move.split(",").map((name) => readCell(size, name));

/** Finds pieces by their form. @param {Piece[]} pieces */
export function pieceFinder(pieces) {
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const piece of pieces) {
    for (const cells of piece.orientations) names.set(cellsKey(normal(cells)), piece.name);
  }
  return (/** @type {Cell[]} */ cells) => names.get(cellsKey(normal(cells))) ?? null;
}

/** The lines around a set of cells, as the path of a drawing. @param {Cell[]} cells @param {number} unit */
export function outline(cells, unit) {
  const taken = new Set(cells.map(([x, y]) => `${x},${y}`));
  let path = "";
  for (const [x, y] of cells) {
    const [l, t, r, b] = [x * unit, y * unit, (x + 1) * unit, (y + 1) * unit];
    if (!taken.has(`${x},${y - 1}`)) path += `M${l} ${t}H${r}`;
    if (!taken.has(`${x},${y + 1}`)) path += `M${l} ${b}H${r}`;
    if (!taken.has(`${x - 1},${y}`)) path += `M${l} ${t}V${b}`;
    if (!taken.has(`${x + 1},${y}`)) path += `M${r} ${t}V${b}`;
  }
  return path;
}

/**
 * Why a seat may not place these cells, in a few words; the server has the last word.
 * @param {BlokusBoard} board
 * @param {number} seat
 * @param {Cell[]} cells
 */
export function objection(board, seat, cells) {
  const { size } = board;
  const at = (/** @type {number} */ x, /** @type {number} */ y) => (
    x < 0 || y < 0 || x >= size || y >= size ? "" : board.cells[y * size + x]);
  const own = String(seat);
  for (const [x, y] of cells) {
    if (at(x, y) === "") return "it does not fit on the board";
    if (at(x, y) !== ".") return `${cellName(size, [x, y])} is taken`;
  }
  for (const [x, y] of cells) {
    if ([at(x + 1, y), at(x - 1, y), at(x, y + 1), at(x, y - 1)].includes(own)) {
      return "it would lie side by side with your own colour";
    }
  }
  const corners = new Set(board.corners[seat]);
  if (!cells.some((cell) => corners.has(cellName(size, cell)))) {
    return board.points[seat] || board.cells.includes(own) ? "it touches no corner of your colour" : "the first piece has to cover the marked cell";
  }
  return "it is not allowed there";
}
