/** Which moves to mark on a board, and how strongly. */
import { signed } from "../format.js";

/** @typedef {import("../types.js").RankedMove} RankedMove */

/**
 * The best moves, each with its worth from 0 to 1 among them.
 * @param {RankedMove[]} moves  best first
 * @param {number} most
 */
export function heat(moves, most) {
  const shown = moves.slice(0, most);
  if (!shown.length) return [];
  const values = shown.map(({ value }) => value);
  const best = Math.max(...values);
  const worst = Math.min(...values);
  const room = best - worst;
  return shown.map((move, i) => ({
    move: move.move,
    share: room > 0 ? (move.value - worst) / room : 1,
    text: short(move),
    best: i === 0,
  }));
}

/** At most five characters, to stand on a board. @param {RankedMove} move */
function short(move) {
  const win = /\b(wins?|loses?) in (\d+)/.exec(move.words ?? "");
  if (win) return (win[1].startsWith("w") ? "+#" : "−#") + win[2];
  const { value } = move;
  const size = Math.abs(value);
  if (size < 1000) return signed(size >= 10 ? Math.round(value) : Math.round(value * 10) / 10);
  if (size < 999_500) return `${signed(Math.round(value / 1000))}k`;
  return `${signed(Math.round(value / 1e6))}M`;
}
