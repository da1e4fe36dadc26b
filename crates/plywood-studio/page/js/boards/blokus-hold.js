/**
 * A piece in the hand: which way up, over which cells, and where it may be put. Knows nothing of
 * pointers or drawings.
 */
import { cellsKey, extent, flipped, moveCells, moved, normal, objection, pieceFinder, rotated } from "./blokus-shape.js";

/** @typedef {import("./blokus-shape.js").Cell} Cell */
/** @typedef {import("../types.js").Piece} Piece */
/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").BlokusBoard} BlokusBoard */
/** @typedef {{move: string, cells: Cell[]}} Placement */

export class Hand {
  /** @param {Piece[]} pieces @param {number} size */
  constructor(pieces, size) {
    this.size = size;
    this.find = pieceFinder(pieces);
    /** How each piece lies, also while it is not held. @type {Map<string, Cell[]>} */
    this.lying = new Map(pieces.map((piece) => [piece.name, normal(piece.orientations[0])]));
    /** @type {string | null} */
    this.piece = null;
    this.x = 0;
    this.y = 0;
    /** All legal placements by their cells. @type {Map<string, string>} */
    this.legal = new Map();
    /** And by piece, in the order of the server. @type {Map<string, Placement[]>} */
    this.byPiece = new Map();
    /** @type {View | null} */
    this.view = null;
  }

  /** @param {View} view */
  look(view) {
    this.view = view;
    this.legal.clear();
    this.byPiece.clear();
    for (const move of view.moves) {
      const cells = moveCells(this.size, move);
      this.legal.set(cellsKey(cells), move);
      const name = this.find(cells);
      if (!name) continue;
      const list = this.byPiece.get(name);
      if (list) list.push({ move, cells });
      else this.byPiece.set(name, [{ move, cells }]);
    }
    if (this.piece && !this.left().includes(this.piece)) this.piece = null;
  }

  /** The names of the pieces of the player to move. */
  left() {
    const { view } = this;
    if (!view || view.turn.kind !== "player") return [];
    return /** @type {BlokusBoard} */ (view.board).left[view.turn.seat] ?? [];
  }

  /** @param {string} name */
  orientation(name) {
    return this.lying.get(name) ?? [];
  }

  get shape() {
    return this.piece ? this.orientation(this.piece) : [];
  }

  get cells() {
    return moved(this.shape, this.x, this.y);
  }

  /** The move it would be, if it is one. */
  get move() {
    return this.piece ? this.legal.get(cellsKey(this.cells)) ?? null : null;
  }

  /** Why it cannot be put down here. */
  get objection() {
    const { view } = this;
    if (!this.piece || this.move || !view || view.turn.kind !== "player") return null;
    return objection(/** @type {BlokusBoard} */ (view.board), view.turn.seat, this.cells);
  }

  /** @param {(cells: Cell[]) => Cell[]} change */
  turn(change) {
    if (!this.piece) return;
    const before = extent(this.shape);
    this.lying.set(this.piece, change(this.shape));
    const after = extent(this.shape);
    // About its middle, as far as there is one.
    this.to(this.x + Math.trunc((before.width - after.width) / 2), this.y + Math.trunc((before.height - after.height) / 2));
  }

  rotate(back = false) {
    this.turn(back ? (cells) => rotated(rotated(rotated(cells))) : rotated);
  }

  flip() {
    this.turn(flipped);
  }

  /** Moves it, and keeps it on the board. @param {number} x @param {number} y */
  to(x, y) {
    const { width, height } = extent(this.shape);
    this.x = Math.max(0, Math.min(this.size - width, x));
    this.y = Math.max(0, Math.min(this.size - height, y));
  }

  /**
   * Moves its middle to a point, in cells; a legal place close by attracts it.
   * @param {number} px
   * @param {number} py
   */
  toPoint(px, py) {
    const { width, height } = extent(this.shape);
    const wantX = px - width / 2;
    const wantY = py - height / 2;
    this.to(Math.round(wantX), Math.round(wantY));
    if (this.move) return;
    let nearest = 1.2;
    let best = { x: this.x, y: this.y };
    for (let y = Math.floor(wantY) - 1; y <= wantY + 2; y += 1) {
      for (let x = Math.floor(wantX) - 1; x <= wantX + 2; x += 1) {
        const distance = Math.hypot(x - wantX, y - wantY);
        if (distance < nearest && this.legal.has(cellsKey(moved(this.shape, x, y)))) {
          nearest = distance;
          best = { x, y };
        }
      }
    }
    this.x = best.x;
    this.y = best.y;
  }

  /** Lays it as in this placement. @param {Placement} placement */
  lay(placement) {
    if (!this.piece) return;
    this.lying.set(this.piece, normal(placement.cells));
    this.x = Math.min(...placement.cells.map(([x]) => x));
    this.y = Math.min(...placement.cells.map(([, y]) => y));
  }

  /** To the next legal placement of the piece, turning it where that is needed. @param {number} by */
  next(by) {
    const all = this.piece ? this.byPiece.get(this.piece) ?? [] : [];
    if (!all.length) return false;
    const here = this.move ? all.findIndex(({ move }) => move === this.move) : -1;
    this.lay(all[(here < 0 && by < 0 ? all.length - 1 : here + by + all.length) % all.length]);
    return true;
  }

  /** Takes a piece up, to where it fits as it lies if it does anywhere. @param {string} name */
  take(name) {
    this.piece = name;
    const all = this.byPiece.get(name) ?? [];
    const lying = cellsKey(this.orientation(name));
    const fits = all.find(({ cells }) => cellsKey(normal(cells)) === lying) ?? all[0];
    if (fits) this.lay(fits);
    else this.to(Math.floor(this.size / 2) - 1, Math.floor(this.size / 2) - 1);
  }
}
