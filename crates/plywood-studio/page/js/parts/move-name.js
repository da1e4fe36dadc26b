/** A move as it is shown in lists: its text, and in Blokus the piece as it lies. */
import { cellsKey, moveCells, normal } from "../boards/blokus-shape.js";
import { pieceDrawing } from "../boards/blokus-tray.js";
import { blokusPieces } from "../boards/board.js";
import { gameName, seatClass, shortMove } from "../games.js";

/** The names of the pieces by their form, once they are known. @type {Map<string, string>} */
const names = new Map();

/** Learns the names of the pieces, for a game that has any. @param {string} game */
export async function learnNames(game) {
  if (!gameName(game).startsWith("blokus") || names.size) return;
  for (const piece of await blokusPieces()) {
    for (const cells of piece.orientations) names.set(cellsKey(normal(cells)), piece.name);
  }
}

/** @param {string} game */
const size = (game) => (gameName(game) === "blokus" ? 20 : 14);

/** @param {string} game @param {string} move */
export function moveText(game, move) {
  if (!gameName(game).startsWith("blokus") || !/^[a-t]\d/.test(move)) return shortMove(game, move);
  const name = names.get(cellsKey(normal(moveCells(size(game), move))));
  return name ? `${name} ${move.split(",")[0]}` : shortMove(game, move);
}

/** @param {string} game @param {string[]} line */
export const lineText = (game, line) => line.map((move) => moveText(game, move)).join("  ");

/**
 * Text and, where there is one, a small drawing.
 * @param {string} game
 * @param {string} move
 * @param {number | null | undefined} seat
 * @returns {(Node | string)[]}
 */
export function moveName(game, move, seat) {
  if (!gameName(game).startsWith("blokus") || !/^[a-t]\d/.test(move)) return [shortMove(game, move)];
  const colour = seatClass(game, seat).replace("seat ", "c-");
  return [pieceDrawing(normal(moveCells(size(game), move)), `${colour} mini`, 5), moveText(game, move)];
}
