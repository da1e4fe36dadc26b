/** The board of Blokus: pieces are dragged or carried over it, turned and flipped on the way. */
import { fill, h, iconButton, s } from "../dom.js";
import { lineSeats, gameName } from "../games.js";
import { ICONS } from "../icons.js";
import { Hand } from "./blokus-hold.js";
import { cellName, extent, moveCells, outline, readCell } from "./blokus-shape.js";
import { pieceDrawing, pieceTray } from "./blokus-tray.js";
import { walkable } from "./grid.js";
import { heat } from "./heat.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").BlokusBoard} BlokusBoard */
/** @typedef {import("./blokus-shape.js").Cell} Cell */

const UNIT = 30;
const EDGE = 20;
/** How far the finger may stray in a tap, in pixels. */
const TAP = 6;
/** How far above the finger the piece floats, in pixels. */
const LIFT = 70;

/** A sign in every cell, so that colour is not all there is to tell seats apart. */
const SIGNS = ["M11 15h8", "M15 11v8M11 15h8", "M12 12l6 6M18 12l-6 6", "M15 11.5a3.5 3.5 0 1 0 .01 0"];

/**
 * @param {import("../types.js").BoardHost} host
 * @param {number} size
 * @param {string} game
 * @returns {import("../types.js").Board & {onCell: ((name: string) => boolean) | null}}
 */
export function blokusBoard(host, size, game) {
  const kind = gameName(game) === "blokus" ? "four" : "two";
  const colour = (/** @type {number | null} */ seat) => `c-${kind}-${seat ?? 0}`;
  const whole = size * UNIT;
  const hand = new Hand(host.pieces, size);

  const squares = s("g", { class: "squares" });
  const corners = s("g", { class: "corners" });
  const marks = s("g", { class: "marks" });
  const ghost = s("g", { class: "ghost" });
  let grid = "";
  for (let i = 0; i <= size; i += 1) grid += `M0 ${i * UNIT}H${whole}M${i * UNIT} 0V${whole}`;
  const names = s("g", { class: "coordinates" });
  for (let i = 0; i < size; i += 1) {
    names.append(s("text", { x: (i + 0.5) * UNIT, y: whole + 13 }, String.fromCharCode(97 + i)),
      s("text", { x: -11, y: (i + 0.5) * UNIT }, size - i));
  }
  const rows = s("g");
  /** @type {SVGElement[]} */
  const cells = [];
  for (let y = 0; y < size; y += 1) {
    const row = s("g", { role: "row", "aria-rowindex": y + 1 });
    for (let x = 0; x < size; x += 1) {
      const cell = s("rect", {
        class: "hit", role: "gridcell", "aria-colindex": x + 1, x: x * UNIT, y: y * UNIT, width: UNIT, height: UNIT,
      });
      cells.push(cell);
      row.append(cell);
    }
    rows.append(row);
  }
  const svg = s("svg", {
    class: `board blokus ${kind}`, viewBox: `${-EDGE} -6 ${whole + EDGE + 6} ${whole + EDGE + 6}`, role: "grid",
    "aria-label": `Blokus board, ${size} by ${size}`, "aria-rowcount": size, "aria-colcount": size,
  }, s("g", { "aria-hidden": "true" },
    s("rect", { class: "field", x: 0, y: 0, width: whole, height: whole, rx: 3 }),
    s("path", { class: "lines", d: grid }), names, squares, corners, marks, ghost), rows);

  const place = iconButton("Place the piece (Enter)", ICONS.check, () => put(), { class: "icon primary" });
  const reason = h("p", { class: "board-hint", role: "status" });
  const tools = h("div", { class: "hand-tools", role: "group", "aria-label": "Piece in hand", hidden: true },
    iconButton("Turn (R)", ICONS.rotate, () => change(() => hand.rotate())),
    iconButton("Flip (F)", ICONS.flip, () => change(() => hand.flip())),
    iconButton("Next place where it fits (N)", ICONS.forward, () => change(() => hand.next(1))),
    place,
    iconButton("Put it back (Escape)", ICONS.close, () => drop()));
  const tray = pieceTray(host.pieces, (name, event) => take(name, event));
  const others = h("div", { class: "others" });
  const othersFrame = h("details", { class: "others-frame" }, h("summary", {}, "Pieces of the others"), others);
  const flying = h("div", { class: "flying", "aria-hidden": "true", hidden: true });
  const element = h("div", { class: "blokus-frame" }, h("div", { class: "blokus-area" },
    h("div", { class: "board-frame square" }, svg),
    h("div", { class: "hand-area" }, h("div", { class: "hand-bar" }, tools, reason), tray.element, othersFrame)), flying);

  /** @type {View | null} */
  let view = null;
  let interactive = false;
  /** The pointer that carries the piece. @type {{id: number, x: number, y: number, startX: number, startY: number, touch: boolean, fromTray: boolean, far: boolean} | null} */
  let carrying = null;
  let frame = 0;
  let following = false;

  const seat = () => (view?.turn.kind === "player" ? view.turn.seat : 0);

  function drawGhost() {
    ghost.replaceChildren();
    svg.classList.toggle("holding", hand.piece !== null);
    tools.hidden = hand.piece === null;
    if (!hand.piece) {
      reason.textContent = !interactive ? "" : matchMedia("(pointer: coarse)").matches
        ? "Drag a piece onto the board." : "Drag a piece, or click it and then the board. R or the wheel turns it, F flips it, N finds a place.";
      return;
    }
    const fits = hand.move !== null;
    ghost.setAttribute("class", `ghost ${fits ? "fits" : "wrong"} ${colour(seat())}`);
    for (const [x, y] of hand.shape) {
      ghost.append(s("rect", { class: "square", x: x * UNIT + 1, y: y * UNIT + 1, width: UNIT - 2, height: UNIT - 2, rx: 3 }));
    }
    ghost.append(s("path", { class: "edge", d: outline(hand.shape, UNIT) }));
    if (!fits) ghost.append(s("path", { class: "cross", d: hand.shape.map(([x, y]) => `M${x * UNIT + 9} ${y * UNIT + 9}l12 12m0-12l-12 12`).join("") }));
    ghost.style.transform = `translate(${hand.x * UNIT}px, ${hand.y * UNIT}px)`;
    place.disabled = !fits;
    const objection = hand.objection;
    reason.textContent = fits ? "It fits here." : objection ? `${objection[0].toUpperCase()}${objection.slice(1)}.` : "";
  }

  /** Which cells it covers, for those who listen. */
  function tell() {
    const first = hand.cells[0];
    if (!first) return;
    host.say(`${hand.piece} at ${hand.cells.map((cell) => cellName(size, cell)).join(" ")}: ${hand.move ? "fits" : hand.objection}`);
  }

  /** The focus is on the first cell of the piece in hand, wherever that goes. */
  function followHand() {
    if (!svg.contains(document.activeElement)) return;
    const [x, y] = hand.cells[0];
    following = true;
    walk.select(y * size + x, true);
    following = false;
  }

  /** @param {() => void} how */
  function change(how) {
    if (!hand.piece) return;
    how();
    if (carrying) aim();
    else followHand();
    drawGhost();
    refreshFlying();
    tell();
    showTray();
  }

  function showTray() {
    if (!view) return;
    tray.element.hidden = view.turn.kind !== "player";
    tray.show(hand.left(), new Set(hand.byPiece.keys()), colour(seat()), hand.piece, (name) => hand.orientation(name));
    tray.element.classList.toggle("waiting", !interactive);
    const { left } = /** @type {BlokusBoard} */ (view.board);
    const { players } = view;
    fill(others, left.map((names, each) => ({ names, each })).filter(({ each }) => each !== seat()).map(({ names, each }) => (
      h("div", { class: "others-row", role: "img", "aria-label": `${players[each]} has ${names.length ? names.join(", ") : "no pieces left"}` },
        names.map((name) => pieceDrawing(hand.orientation(name), colour(each), 6))))));
  }

  /** @param {string} name @param {PointerEvent | null} event */
  function take(name, event) {
    if (!interactive) return;
    if (hand.piece === name && !event) {
      drop();
      return;
    }
    hand.take(name);
    if (event) {
      event.preventDefault();
      const touch = event.pointerType === "touch";
      carrying = { id: event.pointerId, x: event.clientX, y: event.clientY, startX: event.clientX, startY: event.clientY, touch, fromTray: true, far: false };
    }
    drawGhost();
    refreshFlying();
    showTray();
    if (!event) {
      walk.focus();
      followHand();
    }
    tell();
  }

  function drop() {
    const name = hand.piece;
    hand.piece = null;
    carrying = null;
    flying.hidden = true;
    drawGhost();
    showTray();
    if (name && svg.contains(document.activeElement)) tray.focus();
  }

  function put() {
    const { move } = hand;
    if (!hand.piece) return;
    if (!move) {
      host.say(`Not here: ${hand.objection}`);
      return;
    }
    const keyboard = svg.contains(document.activeElement) || tools.contains(document.activeElement);
    hand.piece = null;
    carrying = null;
    flying.hidden = true;
    drawGhost();
    if (keyboard) svg.dataset.refocus = "yes";
    host.play(move);
  }

  /** The pointer's place on the board, in cells. @param {number} clientX @param {number} clientY */
  function onBoard(clientX, clientY) {
    const box = svg.getBoundingClientRect();
    const scale = (whole + EDGE + 6) / box.width;
    const x = ((clientX - box.left) * scale - EDGE) / UNIT;
    const y = ((clientY - box.top) * scale - 6) / UNIT;
    return { x, y, inside: x > -0.8 && y > -0.8 && x < size + 0.8 && y < size + 0.8 };
  }

  /** Moves ghost and flying piece to where the pointer is. */
  function aim() {
    if (!carrying || !hand.piece) return;
    const lift = carrying.touch ? LIFT : 0;
    const { x, y, inside } = onBoard(carrying.x, carrying.y - lift);
    if (inside) hand.toPoint(x, y);
    ghost.setAttribute("visibility", inside || !carrying.fromTray ? "visible" : "hidden");
    const { width, height } = extent(hand.shape);
    const unit = svg.getBoundingClientRect().width / (whole + EDGE + 6) * UNIT;
    flying.style.transform = `translate(${carrying.x - (width * unit) / 2}px, ${carrying.y - lift - (height * unit) / 2}px)`;
    flying.hidden = !carrying.far;
  }

  function refreshFlying() {
    if (!hand.piece) {
      flying.hidden = true;
      return;
    }
    const unit = svg.getBoundingClientRect().width / (whole + EDGE + 6) * UNIT;
    flying.replaceChildren(pieceDrawing(hand.shape, colour(seat()), unit));
  }

  function schedule() {
    if (frame) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      if (!hand.piece || !carrying) return;
      const { x, y } = hand;
      aim();
      if (hand.x !== x || hand.y !== y || !ghost.firstChild) drawGhost();
    });
  }

  /** @param {PointerEvent} event */
  function onMove(event) {
    if (!hand.piece) return;
    if (carrying && carrying.id !== event.pointerId) return;
    if (!carrying) {
      // A mouse carries what it has clicked on, without a button pressed.
      if (event.pointerType !== "mouse" || !(event.target instanceof Node) || !svg.contains(event.target)) return;
      const { x, y, inside } = onBoard(event.clientX, event.clientY);
      if (!inside) return;
      const before = `${hand.x} ${hand.y}`;
      hand.toPoint(x, y);
      if (before !== `${hand.x} ${hand.y}`) drawGhost();
      return;
    }
    carrying.x = event.clientX;
    carrying.y = event.clientY;
    if (Math.hypot(carrying.x - carrying.startX, carrying.y - carrying.startY) > TAP) carrying.far = true;
    schedule();
  }

  /** @param {PointerEvent} event */
  function onUp(event) {
    if (!carrying || carrying.id !== event.pointerId) return;
    const { far, touch } = carrying;
    if (far) aim();
    const { inside } = onBoard(event.clientX, event.clientY - (touch ? LIFT : 0));
    carrying = null;
    flying.hidden = true;
    ghost.setAttribute("visibility", "visible");
    if (!far) return;
    if (!inside) drop();
    else if (hand.move && !touch) put();
    else drawGhost();
  }

  svg.addEventListener("pointerdown", (event) => {
    if (!hand.piece || event.pointerType !== "touch") return;
    carrying = { id: event.pointerId, x: event.clientX, y: event.clientY, startX: event.clientX, startY: event.clientY, touch: true, fromTray: false, far: false };
  });
  svg.addEventListener("click", (event) => {
    const index = cells.indexOf(/** @type {any} */ (event.target));
    if (index >= 0) walk.select(index);
    if (index >= 0 && api.onCell?.(cellName(size, [index % size, Math.floor(index / size)]))) return;
    if (hand.piece && /** @type {PointerEvent} */ (event).pointerType !== "touch") put();
  });
  svg.addEventListener("contextmenu", (event) => {
    if (!hand.piece) return;
    event.preventDefault();
    change(() => hand.flip());
  });
  element.addEventListener("wheel", (event) => {
    if (!hand.piece) return;
    event.preventDefault();
    change(() => (event.shiftKey ? hand.flip() : hand.rotate(event.deltaY < 0)));
  }, { passive: false });

  const walk = walkable(svg, cells, size, {
    onMove(index) {
      if (following || !hand.piece || !svg.contains(document.activeElement) || carrying) return;
      const [x, y] = hand.cells[0];
      hand.to(hand.x + (index % size) - x, hand.y + Math.floor(index / size) - y);
      followHand();
      drawGhost();
      tell();
    },
    onKey(event) {
      if ((event.key === "Enter" || event.key === " ") && hand.piece) {
        put();
        return true;
      }
      return false;
    },
  });

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (!hand.piece || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.target;
    if (target instanceof Element && target.closest("input, select, textarea, dialog")) return;
    switch (event.key) {
      case "r": case "R": change(() => hand.rotate(event.shiftKey)); break;
      case "f": case "F": change(() => hand.flip()); break;
      case "n": case "N": {
        change(() => hand.next(event.shiftKey ? -1 : 1));
        break;
      }
      case "Escape": drop(); break;
      default: return;
    }
    event.preventDefault();
  }
  document.addEventListener("keydown", onKey);
  window.addEventListener("pointermove", onMove);
  window.addEventListener("pointerup", onUp);
  window.addEventListener("pointercancel", onUp);

  /** @param {Cell} cell @param {number} owner @param {string} [extra] */
  function square([x, y], owner, extra = "") {
    return s("g", { class: `${colour(owner)} ${extra}`, transform: `translate(${x * UNIT} ${y * UNIT})` },
      s("rect", { class: "square", x: 1, y: 1, width: UNIT - 2, height: UNIT - 2, rx: 3 }),
      s("path", { class: "sign", d: SIGNS[owner] }));
  }

  /** @type {import("../types.js").Board & {onCell: ((name: string) => boolean) | null}} */
  const api = {
    element,
    onCell: null,
    async show(next, options) {
      const before = view ? /** @type {BlokusBoard} */ (view.board).cells : "";
      view = next;
      interactive = options.interactive && next.turn.kind === "player";
      const now = /** @type {BlokusBoard} */ (next.board);
      hand.look(next);
      if (!interactive) {
        hand.piece = null;
        carrying = null;
        flying.hidden = true;
      }
      squares.replaceChildren();
      corners.replaceChildren();
      marks.replaceChildren();
      const last = new Set(next.last ? next.last.split(",") : []);
      for (let index = 0; index < size * size; index += 1) {
        const content = now.cells[index];
        /** @type {Cell} */
        const cell = [index % size, Math.floor(index / size)];
        const name = cellName(size, cell);
        const label = content === "." ? "empty" : next.players[Number(content)];
        cells[index].setAttribute("aria-label", `${name}, ${label}${last.has(name) ? ", last move" : ""}`);
        if (content === ".") continue;
        squares.append(square(cell, Number(content), options.played && before[index] === "." ? "drop" : ""));
      }
      if (last.size) squares.append(s("path", { class: "last", d: outline([...last].map((name) => readCell(size, name)), UNIT) }));
      if (interactive) {
        for (const name of now.corners[seat()] ?? []) {
          const [x, y] = readCell(size, name);
          corners.append(s("circle", { class: colour(seat()), cx: (x + 0.5) * UNIT, cy: (y + 0.5) * UNIT, r: 4.5 }));
        }
      }
      drawGhost();
      showTray();
      if (svg.dataset.refocus && interactive) {
        delete svg.dataset.refocus;
        tray.focus();
      }
    },
    mark(given) {
      marks.replaceChildren();
      if (!given || !view) return;
      if (given.line) {
        const seats = lineSeats(view, given.line);
        given.line.slice(0, 8).forEach((move, i) => {
          const placed = moveCells(size, move);
          for (const cell of placed) marks.append(square(cell, seats[i] ?? 0, "planned"));
          marks.append(s("text", { x: (placed[0][0] + 0.5) * UNIT, y: (placed[0][1] + 0.5) * UNIT }, i + 1));
        });
        return;
      }
      for (const { move, share, text, best } of heat(given.moves, 3).reverse()) {
        const placed = moveCells(size, move);
        const group = s("g", { class: `heat ${best ? "best" : ""}`, opacity: (0.45 + 0.55 * share).toFixed(2) },
          s("path", { d: outline(placed, UNIT) }));
        if (best) group.append(s("text", { x: (placed[0][0] + 0.5) * UNIT, y: (placed[0][1] + 0.5) * UNIT }, text));
        marks.append(group);
      }
    },
    focus: () => (interactive ? tray.focus() : walk.focus()),
    destroy() {
      document.removeEventListener("keydown", onKey);
      window.removeEventListener("pointermove", onMove);
      window.removeEventListener("pointerup", onUp);
      window.removeEventListener("pointercancel", onUp);
      cancelAnimationFrame(frame);
    },
  };
  return api;
}
