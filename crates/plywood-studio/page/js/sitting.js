/**
 * A game on the screen: its moves, where in them we are, and what is on the board. A table is kept
 * by the server; a free position is kept nowhere but here and in the address.
 */
import { api, ApiError } from "./api.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").SeatSpec} SeatSpec */

/**
 * What has changed: moves that were played on top of what was shown, if that is all.
 * @typedef {{played: string[] | null}} Change
 */

export class Sitting extends EventTarget {
  constructor() {
    super();
    this.game = "";
    this.start = "";
    /** @type {string[]} */
    this.moves = [];
    /** @type {(number | null)[]} */
    this.movers = [];
    this.at = 0;
    /** @type {SeatSpec[]} */
    this.seats = [];
    this.spawner = "random";
    /** @type {Table | null} */
    this.table = null;
    /** @type {View} */
    this.view = /** @type {any} */ (null);
  }

  /** @param {Change} change */
  changed(change) {
    this.dispatchEvent(new CustomEvent("change", { detail: change }));
  }

  /** The seat spec of the player to move, if it is a player's turn. */
  get seatToMove() {
    const { turn } = this.view;
    return turn.kind === "player" ? this.seats[turn.seat] ?? null : null;
  }

  /** Whether a person may move now. */
  get personToMove() {
    const { turn } = this.view;
    if (turn.kind === "over") return false;
    if (turn.kind === "chance") return !this.table || this.spawner === "person";
    return this.seats[turn.seat]?.kind !== "engine";
  }

  get atEnd() {
    return this.at === this.moves.length;
  }

  /** @param {string} _move @returns {Promise<void>} */
  async play(_move) {}

  /** @param {number} _at @returns {Promise<void>} */
  async goto(_at) {}

  /** @param {number | null | undefined} mover */
  isPerson(mover) {
    return mover !== null && mover !== undefined && this.seats[mover]?.kind !== "engine";
  }

  /** Back to where a person last had to choose. */
  async undo() {
    let to = this.at - 1;
    const chosen = (/** @type {number} */ ply) => this.isPerson(this.movers[ply])
      || (this.movers[ply] === null && (!this.table || this.spawner === "person"));
    while (to > 0 && !chosen(to)) to -= 1;
    if (to < 0) return;
    // Nobody but engines before: one step.
    await this.goto(chosen(to) ? to : this.at - 1);
  }

  async redo() {
    if (this.atEnd) return;
    let to = this.at + 1;
    while (to < this.moves.length && !this.isPerson(this.movers[to])) to += 1;
    await this.goto(to);
  }
}

/** A game that the server keeps. */
export class TableSitting extends Sitting {
  /** @param {Table} table */
  constructor(table) {
    super();
    this.busy = false;
    this.take(table);
  }

  /** @param {string} id */
  static async open(id) {
    return new TableSitting(await api.table(id));
  }

  /** @param {Table} table */
  take(table) {
    this.table = table;
    this.game = table.game;
    this.start = table.start;
    this.moves = table.moves;
    this.movers = table.movers ?? table.moves.map(() => null);
    this.at = table.at;
    this.seats = table.seats;
    this.spawner = table.spawner ?? "random";
    this.view = table.view;
  }

  /**
   * Shows what the server says, and tells whether it only added moves.
   * @param {Table} table
   */
  update(table) {
    const before = this.view ? this.moves.slice(0, this.at) : [];
    const now = table.moves.slice(0, table.at);
    const added = now.length > before.length && before.every((move, i) => move === now[i]);
    this.take(table);
    this.changed({ played: added ? now.slice(before.length) : null });
  }

  /** @param {string} move */
  async play(move) {
    if (this.busy || !this.table) return;
    this.busy = true;
    try {
      this.update(await api.move(this.table.id, move, this.table.version));
    } catch (error) {
      // Somebody else has moved at this table: show how it stands.
      if (error instanceof ApiError && error.status === 409) this.update(await api.table(this.table.id));
      throw error;
    } finally {
      this.busy = false;
    }
  }

  /** @param {number} at */
  async goto(at) {
    if (!this.table || at === this.at) return;
    this.update(await api.goto(this.table.id, at));
  }

  /** @param {SeatSpec[]} seats */
  async seat(seats) {
    if (this.table) this.update(await api.change(this.table.id, { seats }));
  }
}

/** A position out of an address, with moves to try out. */
export class FreeSitting extends Sitting {
  /**
   * @param {string} game
   * @param {string | undefined} position
   * @param {string[]} moves
   */
  static async open(game, position, moves) {
    const sitting = new FreeSitting();
    const start = await api.position({ game, position });
    sitting.game = start.game;
    sitting.start = start.position;
    sitting.seats = start.players.map(() => ({ kind: "person" }));
    sitting.view = start;
    // One by one, to know who made each.
    for (const move of moves) await sitting.step(move);
    return sitting;
  }

  /** @param {string} move */
  async step(move) {
    const { turn } = this.view;
    const moves = [...this.moves.slice(0, this.at), move];
    const view = await api.position({ game: this.game, position: this.start, moves });
    const movers = [...this.movers.slice(0, this.at), turn.kind === "player" ? turn.seat : null];
    Object.assign(this, { moves, movers, at: moves.length, view });
  }

  /** @param {string} move */
  async play(move) {
    await this.step(move);
    this.changed({ played: [move] });
  }

  /** @param {number} at */
  async goto(at) {
    const forward = at === this.at + 1;
    const view = await api.position({ game: this.game, position: this.start, moves: this.moves.slice(0, at) });
    Object.assign(this, { at, view });
    this.changed({ played: forward ? [this.moves[at - 1]] : null });
  }
}
