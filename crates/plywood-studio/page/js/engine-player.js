/** Lets the engines of a table move when it is their turn. */
import { api } from "./api.js";
import { complain } from "./dom.js";

/** @typedef {import("./sitting.js").TableSitting} TableSitting */
/** @typedef {import("./types.js").Progress} Progress */

export class EnginePlayer extends EventTarget {
  /**
   * @param {TableSitting} sitting
   * @param {() => Promise<void>} settled  ends when the board stands still: stones are sown to the end
   */
  constructor(sitting, settled) {
    super();
    this.sitting = sitting;
    this.settled = settled;
    /** @type {AbortController | null} */
    this.running = null;
    this.paused = false;
    this.ended = false;
    sitting.addEventListener("change", () => this.wake());
  }

  get thinking() {
    return this.running !== null;
  }

  /** Whether the server could move now: an engine, or chance where it is not a person's. */
  get due() {
    const { view } = this.sitting;
    if (view.turn.kind === "chance") return this.sitting.spawner !== "person";
    return view.turn.kind === "player" && this.sitting.seats[view.turn.seat]?.kind === "engine";
  }

  wake() {
    if (this.running || this.paused || this.ended || !this.due || !this.sitting.atEnd) return;
    void this.think();
  }

  /** Moves for the seat to move, also where the game was taken back to. */
  async think() {
    if (this.running || !this.sitting.table) return;
    const abort = new AbortController();
    this.running = abort;
    this.dispatchEvent(new Event("state"));
    /** @type {import("./types.js").Table | undefined} */
    let moved;
    try {
      // It thinks while the stones of the last move are still being sown.
      await api.engine(this.sitting.table.id, {}, (name, data) => {
        if (name === "progress") this.dispatchEvent(new CustomEvent("progress", { detail: data }));
        if (name === "moved") moved = data.table ?? data;
      }, abort.signal);
    } catch (error) {
      // Asking again and again would not help; stopping it was somebody's wish.
      if (!abort.signal.aborted) this.paused = true;
      complain(error);
    }
    await this.settled();
    if (this.running === abort) this.running = null;
    // Unless the game has been taken back in the meantime.
    if (moved && !this.ended && moved.version > this.sitting.table.version) this.sitting.update(moved);
    this.dispatchEvent(new Event("state"));
  }

  /** Stops the thought that is going on. */
  interrupt() {
    this.running?.abort();
    this.running = null;
    this.dispatchEvent(new Event("state"));
  }

  /** @param {boolean} paused */
  pause(paused) {
    this.paused = paused;
    if (paused) this.interrupt();
    else if (this.due && !this.running) void this.think();
    this.dispatchEvent(new Event("state"));
  }

  end() {
    this.ended = true;
    this.interrupt();
  }
}
