/** What the page knows of the games beyond what the server tells. */

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Turn} Turn */
/** @typedef {import("./types.js").SeatSpec} SeatSpec */

/** The name of a game without its options. @param {string} spec */
export const gameName = (spec) => spec.split(":")[0];

/** @param {string} spec @returns {Record<string, string>} */
export function gameOptions(spec) {
  const [, options = ""] = spec.split(":");
  return Object.fromEntries(options.split(",").filter(Boolean).map((pair) => {
    const [key, value = ""] = pair.split("=");
    return [key, value];
  }));
}

/** @param {string} name @param {Record<string, string>} options */
export function gameSpec(name, options) {
  const list = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  return list.length ? `${name}:${list.join(",")}` : name;
}

const TITLES = /** @type {Record<string, string>} */ ({
  kalah: "Kalah", gomoku: "Gomoku", blokus: "Blokus", "blokus-duo": "Blokus Duo", 2048: "2048",
});

/** @param {string} spec */
export function gameTitle(spec) {
  const name = gameName(spec);
  const options = Object.entries(gameOptions(spec)).map(([key, value]) => (
    /^\d+$/.test(value) ? `${value} ${key}` : value));
  return [TITLES[name] ?? name, ...options].join(", ");
}

/** Which set of colours a game has. @param {string} spec */
export function seatKind(spec) {
  return { blokus: "four", 2048: "tiles", kalah: "rows" }[gameName(spec)] ?? "two";
}

/**
 * The colour of a seat, as the name of a class: Blokus has four, the others two.
 * @param {string} spec
 * @param {number | null | undefined} seat
 */
export function seatClass(spec, seat) {
  if (seat === null || seat === undefined) return "seat chance";
  return `seat ${seatKind(spec)}-${seat}`;
}

/**
 * The next seat to move in a line, as far as the page can tell: Kalah's extra turns show in the
 * letters, in Blokus seats that are out are skipped.
 * @param {View} view
 * @param {string[]} line
 * @returns {(number | null)[]}
 */
export function lineSeats(view, line) {
  if (view.turn.kind === "over") return line.map(() => null);
  const board = view.board;
  if (board.kind === "2048") return line.map((move) => (move.includes("=") ? null : 0));
  if (board.kind === "kalah") {
    return line.map((move) => (move.toUpperCase().charCodeAt(0) - 65 < board.pits ? 0 : 1));
  }
  let seat = view.turn.kind === "player" ? view.turn.seat : 0;
  return line.map(() => {
    const now = seat;
    do seat = (seat + 1) % view.players.length;
    while (board.kind === "blokus" && board.out[seat] && seat !== now);
    return now;
  });
}

/**
 * How much of the bar each player gets.
 * @param {View} view
 * @param {number[]} values  for every player
 * @param {string | null | undefined} words  what is proven
 * @returns {number[]}
 */
export function shares(view, values, words) {
  const count = view.players.length;
  if (count === 1 || values.length < count) return [1];
  if (count === 2) {
    const name = gameName(view.game);
    if (words && /\b(wins?|loses?|lost|won)\b/.test(words)) return values[0] >= values[1] ? [1, 0] : [0, 1];
    const scale = name === "kalah" ? 6 : name === "gomoku" ? 600 : 12;
    const first = 1 / (1 + Math.exp(-(values[0] - values[1]) / 2 / scale));
    return [first, 1 - first];
  }
  const least = Math.min(0, ...values);
  const whole = values.reduce((sum, value) => sum + value - least, 0);
  if (whole <= 0) return values.map(() => 1 / count);
  return values.map((value) => (value - least) / whole);
}

/** @param {View} view @param {number} seat */
export const playerName = (view, seat) => view.players[seat] ?? `Player ${seat + 1}`;

/** @param {SeatSpec} seat */
export function seatText(seat) {
  if (seat.kind === "person") return "You";
  if (seat.level) return `Engine, level ${seat.level}`;
  return `Engine, ${seat.engine ?? seat.search ?? "own settings"}`;
}

/** A move as it is read aloud. @param {string} spec @param {string} move */
export function spokenMove(spec, move) {
  const name = gameName(spec);
  if (name === "2048") {
    const [cell, tile] = move.split("=");
    return tile ? `a ${tile} at ${cell}` : `slides ${move}`;
  }
  if (name === "kalah") return `sows ${move}`;
  if (name.startsWith("blokus")) {
    const cells = move.split(",");
    return `places ${cells.length} ${cells.length === 1 ? "square" : "squares"} at ${cells[0]}`;
  }
  return `plays ${move}`;
}

/** A move short enough for a list. @param {string} spec @param {string} move */
export function shortMove(spec, move) {
  if (!gameName(spec).startsWith("blokus")) {
    return ({ up: "↑ up", down: "↓ down", left: "← left", right: "→ right" })[move] ?? move;
  }
  const cells = move.split(",");
  return cells.length > 1 ? `${cells[0]} +${cells.length - 1}` : cells[0];
}

/**
 * The board of Kalah as it is counted: at the end what is left in the pits goes to somebody, though
 * the position leaves it there. Scores are by how much each player is ahead.
 * @param {View} view
 * @returns {import("./types.js").KalahBoard}
 */
export function sweptBoard(view) {
  const board = /** @type {import("./types.js").KalahBoard} */ (view.board);
  if (view.turn.kind !== "over" || !view.scores) return board;
  const all = [...board.stores, ...board.rows.flat()].reduce((sum, n) => sum + n, 0);
  const south = (all + view.scores[0]) / 2;
  return { ...board, rows: board.rows.map((row) => row.map(() => 0)), stores: [south, all - south] };
}
