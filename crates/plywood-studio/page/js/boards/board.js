/** The board of whichever game a position is of. */
import { api } from "../api.js";
import { say, toast } from "../dom.js";
import { blokusBoard } from "./blokus.js";
import { gomokuBoard } from "./gomoku.js";
import { kalahBoard } from "./kalah.js";
import { tilesBoard } from "./twenty48.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Piece} Piece */

/** @type {Promise<Piece[]> | null} */
let pieces = null;

/** The pieces of Blokus, asked for once. */
export function blokusPieces() {
  pieces ??= api.pieces().catch((error) => {
    pieces = null;
    throw error;
  });
  return pieces;
}

/**
 * @param {View} view
 * @param {{play: (move: string) => void}} host
 * @returns {Promise<Board>}
 */
export async function boardFor(view, { play }) {
  const host = { play, say, refuse: toast };
  const { board } = view;
  switch (board.kind) {
    case "gomoku": return gomokuBoard({ ...host, pieces: [] }, board.size);
    case "kalah": return kalahBoard({ ...host, pieces: [] }, board.pits);
    case "blokus": return blokusBoard({ ...host, pieces: await blokusPieces() }, board.size, view.game);
    default: return tilesBoard({ ...host, pieces: [] });
  }
}

/** Whether a board for one position can show the other. @param {View} a @param {View} b */
export function sameBoard(a, b) {
  if (a.board.kind !== b.board.kind) return false;
  if (a.board.kind === "kalah" && b.board.kind === "kalah") return a.board.pits === b.board.pits;
  if ("size" in a.board && "size" in b.board) return a.board.size === b.board.size && a.game === b.game;
  return true;
}
