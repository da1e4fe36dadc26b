/** Makes sense of something pasted: a link, a position of some game, or a record. */
import { api } from "../api.js";
import { readPlace } from "../share.js";

/** @typedef {import("../share.js").Place} Place */

/** Which game a position looks like, and its options. @param {string} text */
export function guessGame(text) {
  if (/^<\s*\d/.test(text)) {
    const pits = /^<\s*(\d+)/.exec(text)?.[1];
    return pits && pits !== "6" ? `kalah:pits=${pits}` : "kalah";
  }
  if (/(^|\s)turn=/.test(text)) return /(^|\s)[YRG]=/.test(text) ? "blokus" : "blokus-duo";
  if (/^[\d.]+(,[\d.]+){3}\//.test(text)) return "2048";
  const rows = text.split(/\s+/)[0].split("/");
  if (rows.length >= 5 && rows.every((row) => /^[\dxo]+$/i.test(row))) return rows.length === 15 ? "gomoku" : `gomoku:size=${rows.length}`;
  if (/^([A-T]\d{1,2}\s*)+$/i.test(text)) return "gomoku";
  return null;
}

/**
 * @param {string} raw
 * @returns {Promise<Place>}
 */
export async function pasted(raw) {
  const text = raw.trim();
  if (!text) throw new Error("there is nothing to open: paste a position, a record or a link");
  const hash = text.indexOf("#");
  if (/^https?:\/\//.test(text) && hash >= 0) return readPlace(text.slice(hash));
  const game = guessGame(text);
  if (game) {
    const view = await api.position({ game, position: text });
    return { screen: "linked", game: view.game, position: view.position, moves: [] };
  }
  const table = await api.import(text);
  return { screen: "table", id: table.id };
}
