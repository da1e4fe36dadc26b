/** The board in its place: shows a position, marks on it, and lines that are walked along. */
import { api } from "../api.js";
import { boardFor, sameBoard } from "../boards/board.js";
import { complain, fill, h, iconButton } from "../dom.js";
import { moveText } from "./move-name.js";
import { ICONS } from "../icons.js";
import { preferences } from "../preferences.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").ShowOptions} ShowOptions */
/** @typedef {import("../types.js").RankedMove} RankedMove */

export class Stage {
  /** @param {(move: string) => void} play */
  constructor(play) {
    this.play = play;
    this.place = h("div", { class: "board-place" });
    this.walkBar = h("div", { class: "walk-bar", role: "group", "aria-label": "Line that is walked along", hidden: true });
    this.element = h("div", { class: "stage-board" }, this.place, this.walkBar);
    /** @type {Board | null} */
    this.board = null;
    /** The position of the game. @type {View | null} */
    this.view = null;
    this.interactive = false;
    /** @type {{line: string[], at: number} | null} */
    this.walking = null;
    /** @type {{position: string, moves: RankedMove[]} | null} */
    this.ranked = null;
    /** @type {Promise<unknown>} */
    this.settled = Promise.resolve();
    /** The line that is looked at. @type {string[] | null} */
    this.previewed = null;
    this.asked = 0;
  }

  /** @param {View} view @param {ShowOptions} options */
  async show(view, options) {
    this.asked += 1;
    const mine = this.asked;
    if (!this.board || !this.view || !sameBoard(this.view, view)) {
      const board = await boardFor(view, { play: (move) => this.choose(move) });
      if (mine !== this.asked) return;
      this.board?.destroy();
      this.board = board;
      fill(this.place, board.element);
    }
    if (this.view?.position !== view.position) this.previewed = null;
    this.view = view;
    this.interactive = options.interactive;
    const wasWalking = this.walking !== null;
    this.endWalk();
    const shown = this.board.show(view, wasWalking ? { ...options, played: undefined } : options);
    this.settled = shown;
    await shown;
    if (mine === this.asked) this.refreshMarks();
  }

  /** @param {string} move */
  choose(move) {
    if (!this.walking) this.play(move);
  }

  /** Moves to mark, as long as this is the position. @param {string} position @param {RankedMove[]} moves */
  rank(position, moves) {
    this.ranked = { position, moves };
    this.refreshMarks();
  }

  clearRank() {
    this.ranked = null;
    this.refreshMarks();
  }

  refreshMarks() {
    if (this.walking || !this.board) return;
    if (this.previewed) {
      this.board.mark({ moves: [], line: this.previewed });
      return;
    }
    const fits = this.ranked && this.ranked.position === this.view?.position && preferences().marks;
    this.board.mark(fits && this.ranked ? { moves: this.ranked.moves, line: null } : null);
  }

  /** A line to look at for a moment; nothing ends it. @param {string[] | null} line */
  preview(line) {
    this.previewed = line?.length ? line : null;
    this.refreshMarks();
  }

  /** Goes along a line, move by move. @param {string[]} line @param {number} [at] */
  walk(line, at = 1) {
    if (!line.length || !this.view) return;
    const before = this.walking;
    this.walking = { line, at: Math.max(0, Math.min(line.length, at)) };
    this.drawWalk();
    void this.showWalk(before?.line === line && at === before.at + 1);
  }

  /** @param {boolean} forward */
  async showWalk(forward) {
    const { view, walking, board } = this;
    if (!view || !walking || !board) return;
    this.asked += 1;
    const mine = this.asked;
    try {
      const moves = walking.line.slice(0, walking.at);
      const there = await api.position({ game: view.game, position: view.position, moves });
      if (mine !== this.asked) return;
      board.mark(null);
      await board.show(there, { interactive: false, played: forward || walking.at === 1 ? moves.slice(-1) : undefined });
    } catch (error) {
      complain(error);
    }
  }

  drawWalk() {
    const { walking, view } = this;
    this.walkBar.hidden = !walking;
    if (!walking || !view) return;
    const { line, at } = walking;
    const step = (/** @type {number} */ to) => () => this.walk(line, to);
    fill(this.walkBar,
      iconButton("One move back along the line", ICONS.back, step(at - 1), { disabled: at <= 0 }),
      iconButton("One move on along the line", ICONS.forward, step(at + 1), { disabled: at >= line.length }),
      h("ol", { class: "walk-line" }, line.map((move, i) => h("li", {},
        h("button", { type: "button", class: "link", "aria-current": i + 1 === at ? "step" : null, onclick: step(i + 1) }, moveText(view.game, move))))),
      this.interactive && h("button", { type: "button", onclick: () => {
        this.leaveWalk();
        this.play(line[0]);
      } }, "Play it"),
      h("button", { type: "button", class: "primary", onclick: () => this.leaveWalk() }, "Back to the game"));
  }

  endWalk() {
    this.walking = null;
    this.walkBar.hidden = true;
  }

  leaveWalk() {
    if (!this.walking || !this.view) return;
    this.endWalk();
    void this.show(this.view, { interactive: this.interactive });
  }

  destroy() {
    this.asked += 1;
    this.board?.destroy();
  }
}
