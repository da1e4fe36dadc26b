/** The board of Kalah: stones that are sown one by one. South's row is below, sown to the right. */
import { h, s, pause } from "../dom.js";
import { sweptBoard } from "../games.js";
import { duration } from "../preferences.js";
import { heat } from "./heat.js";
import { stonePlaces } from "./kalah-stones.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").KalahBoard} KalahBoard */
/** @typedef {import("../types.js").SowStep} SowStep */
/** @typedef {{x: number, y: number}} Point */

const WIDTH = 92;
const STORE = 104;
const EDGE = 16;
const TOP = 30;

/** @param {number} pits @param {number} seat @param {number} pit */
export const pitLetter = (pits, seat, pit) => String.fromCharCode(65 + pits * seat + pit);

/**
 * @param {import("../types.js").BoardHost} host
 * @param {number} pits
 * @returns {import("../types.js").Board & {onPit: ((seat: number, pit: number | "store", by: number) => void) | null}}
 */
export function kalahBoard(host, pits) {
  // On a phone the pits are taller: there is room below, and fingers need it.
  const tall = matchMedia("(max-width: 34rem)").matches;
  const HEIGHT = tall ? 170 : 122;
  const width = 2 * EDGE + 2 * STORE + pits * WIDTH;
  const height = 2 * TOP + 2 * HEIGHT + 20;
  const middle = height / 2;

  /** @param {number} seat @param {number | "store"} pit @returns {Point} */
  function centre(seat, pit) {
    if (pit === "store") {
      return { x: seat === 0 ? width - EDGE - STORE / 2 : EDGE + STORE / 2, y: middle };
    }
    const column = seat === 0 ? pit : pits - 1 - pit;
    return { x: EDGE + STORE + (column + 0.5) * WIDTH, y: middle + (seat === 0 ? 1 : -1) * (HEIGHT / 2 + 10) };
  }

  const layer = s("g", { class: "stones", "aria-hidden": "true" });
  const marks = s("g", { class: "marks", "aria-hidden": "true" });
  // What a pit says is in its label: the figures are for the eye.
  const texts = s("g", { class: "figures", "aria-hidden": "true" });
  /** @type {SVGGElement[][]} */
  const buttons = [[], []];
  /** @type {SVGTextElement[][]} */
  const counts = [[], []];
  /** @type {SVGGElement[]} */
  const stores = [];
  /** @type {SVGTextElement[]} */
  const storeCounts = [];
  const svg = s("svg", {
    class: "board kalah", viewBox: `0 0 ${width} ${height}`, role: "group",
    "aria-label": `Kalah board with ${pits} pits a side`,
  }, s("rect", { class: "wood", x: 0, y: 0, width, height, rx: 40 }));

  for (const seat of [1, 0]) {
    for (let i = 0; i < pits; i += 1) {
      // In the order of the page from left to right, so that Tab walks as the eye does.
      const pit = seat === 0 ? i : pits - 1 - i;
      const { x, y } = centre(seat, pit);
      const count = s("text", { class: `count row-${seat}`, x, y: y + (seat === 0 ? 1 : -1) * (HEIGHT / 2 + 10) });
      const button = s("g", { class: `pit row-${seat}`, role: "button", tabindex: 0 },
        s("rect", { x: x - WIDTH / 2 + 5, y: y - HEIGHT / 2 + 4, width: WIDTH - 10, height: HEIGHT - 8, rx: 38 }));
      texts.append(count, s("text", { class: "letter", x, y: y + (seat === 0 ? -1 : 1) * (HEIGHT / 2 - 18) }, pitLetter(pits, seat, pit)));
      button.addEventListener("click", (event) => choose(seat, pit, event.shiftKey ? -1 : 1));
      button.addEventListener("contextmenu", (event) => {
        if (!api.onPit) return;
        event.preventDefault();
        choose(seat, pit, -1);
      });
      button.addEventListener("keydown", (event) => key(event, seat, pit));
      buttons[seat][pit] = button;
      counts[seat][pit] = count;
      svg.append(button);
    }
    const { x } = centre(seat, "store");
    const count = s("text", { class: `count big store-${seat}`, x, y: height - 24 });
    const store = s("g", { class: `store row-${seat}`, role: "img" },
      s("rect", { x: x - STORE / 2 + 8, y: TOP, width: STORE - 16, height: height - 2 * TOP - 22, rx: 40 }));
    texts.append(count);
    stores[seat] = store;
    storeCounts[seat] = count;
    svg.append(store);
  }
  svg.append(texts, layer, marks);
  const element = h("div", { class: "board-frame wide" }, svg);

  /** @type {View | null} */
  let view = null;
  let interactive = false;
  /** Counts each showing, so that an animation which is overtaken ends. */
  let turn = 0;
  /** The stones of every place. @type {Map<string, SVGCircleElement[]>} */
  const heaps = new Map();
  const place = (/** @type {number} */ seat, /** @type {number | "store"} */ pit) => `${seat}.${pit}`;
  const heap = (/** @type {number} */ seat, /** @type {number | "store"} */ pit) => {
    const name = place(seat, pit);
    const found = heaps.get(name);
    if (found) return found;
    /** @type {SVGCircleElement[]} */
    const made = [];
    heaps.set(name, made);
    return made;
  };

  const board = () => /** @type {KalahBoard} */ (view?.board);

  /** @param {number} seat @param {number} pit @param {number} by */
  function choose(seat, pit, by) {
    if (api.onPit) {
      api.onPit(seat, pit, by);
      return;
    }
    if (!interactive || !view) return;
    const move = pitLetter(pits, seat, pit);
    if (view.moves.includes(move)) host.play(move);
    else host.say(board().rows[seat][pit] ? `${move} is not yours to sow` : `Pit ${move} is empty`);
  }

  /** @param {KeyboardEvent} event @param {number} seat @param {number} pit */
  function key(event, seat, pit) {
    const toRight = seat === 0 ? 1 : -1;
    /** @type {SVGGElement | undefined} */
    let next;
    switch (event.key) {
      case "Enter": case " ": event.preventDefault(); choose(seat, pit, 1); return;
      case "+": case "-": if (api.onPit) choose(seat, pit, event.key === "+" ? 1 : -1); return;
      case "ArrowRight": next = buttons[seat][pit + toRight]; break;
      case "ArrowLeft": next = buttons[seat][pit - toRight]; break;
      case "ArrowUp": case "ArrowDown": next = buttons[1 - seat][pits - 1 - pit]; break;
      default: return;
    }
    event.preventDefault();
    next?.focus();
  }

  /** Puts the stones of a heap where they belong. @param {number} seat @param {number | "store"} pit */
  function settle(seat, pit) {
    const stones = heap(seat, pit);
    const { x, y } = centre(seat, pit);
    const store = pit === "store";
    const places = stonePlaces(stones.length, store ? 30 : 29, (store ? 80 : 36) * (tall ? 1.45 : 1));
    stones.forEach((stone, i) => {
      const spot = places[i];
      stone.style.transform = `translate(${x + spot.x}px, ${y + spot.y + (store ? -12 : 0)}px)`;
    });
    label(seat, pit);
  }

  /** @param {number} seat @param {number | "store"} pit */
  function label(seat, pit) {
    const n = heap(seat, pit).length;
    const text = n === 1 ? "1 stone" : `${n} stones`;
    const owner = view?.players[seat] ?? "";
    if (pit === "store") {
      storeCounts[seat].textContent = String(n);
      stores[seat].setAttribute("aria-label", `${owner}'s store, ${text}`);
    } else {
      counts[seat][pit].textContent = String(n);
      buttons[seat][pit].setAttribute("aria-label", `Pit ${pitLetter(pits, seat, pit)} of ${owner}, ${text}`);
    }
  }

  let made = 0;
  function newStone() {
    made += 1;
    return s("circle", { class: `stone shade-${made % 4}`, r: 12 });
  }

  /** Every heap as the position says, without any animation. @param {KalahBoard} now */
  function lay(now) {
    const spare = [...heaps.values()].flat();
    heaps.clear();
    /** @param {number} seat @param {number | "store"} pit @param {number} n */
    const put = (seat, pit, n) => {
      const stones = heap(seat, pit);
      for (let i = 0; i < n; i += 1) {
        const stone = spare.pop() ?? newStone();
        if (!stone.isConnected) layer.append(stone);
        stone.style.transitionDuration = "0ms";
        stones.push(stone);
      }
      settle(seat, pit);
    };
    for (const seat of [0, 1]) {
      now.rows[seat].forEach((n, pit) => put(seat, pit, n));
      put(seat, "store", now.stores[seat]);
    }
    for (const stone of spare) stone.remove();
  }

  /** @param {SowStep[]} steps @param {number} mine */
  async function sow(steps, mine) {
    const step = duration(190);
    if (!step) return;
    /** @type {SVGCircleElement[]} */
    let hand = [];
    /** @param {SVGCircleElement[]} stones @param {Point} to */
    const carry = (stones, to) => {
      const spots = stonePlaces(stones.length, 22, 26);
      stones.forEach((stone, i) => {
        layer.append(stone);
        stone.style.transitionDuration = `${step * 0.9}ms`;
        stone.style.transform = `translate(${to.x + spots[i].x * 0.8}px, ${to.y + spots[i].y * 0.8 - 14}px) scale(1.15)`;
      });
    };
    for (const one of steps) {
      if (mine !== turn) return;
      if (one.kind === "lift") {
        hand = heap(one.seat, one.pit).splice(0);
        label(one.seat, one.pit);
        carry(hand, centre(one.seat, one.pit));
      } else if (one.kind === "drop") {
        const to = centre(one.seat, one.pit);
        carry(hand, to);
        const stone = hand.pop();
        await pause(step * 0.55);
        if (mine !== turn) return;
        if (stone) heap(one.seat, one.pit).push(stone);
        settle(one.seat, one.pit);
        await pause(step * 0.45);
        continue;
      } else {
        const to = one.kind === "capture" ? one.seat : one.to;
        const target = centre(to, "store");
        const from = one.kind === "capture" ? [one, one.from] : [one];
        for (const { seat, pit } of from) {
          const stones = heap(seat, pit).splice(0);
          label(seat, pit);
          carry(stones, target);
          heap(to, "store").push(...stones);
        }
        await pause(step);
        if (mine !== turn) return;
        settle(to, "store");
      }
      await pause(step);
    }
  }

  /** @type {import("../types.js").Board & {onPit: ((seat: number, pit: number | "store", by: number) => void) | null}} */
  const api = {
    element,
    onPit: null,
    async show(next, options) {
      turn += 1;
      const mine = turn;
      view = next;
      interactive = false;
      marks.replaceChildren();
      for (const button of buttons.flat()) button.classList.remove("can", "last");
      for (const store of stores) store.classList.remove("again");
      if (options.played?.length === 1 && next.steps?.length) await sow(next.steps, mine);
      if (mine !== turn) return;
      // A last stone in the own store: the same player moves again.
      const last = options.played ? next.steps?.at(-1) : null;
      if (last?.kind === "drop" && last.pit === "store" && next.turn.kind === "player" && next.turn.seat === last.seat) {
        stores[last.seat].classList.add("again");
      }
      lay(sweptBoard(next));
      interactive = options.interactive;
      for (const seat of [0, 1]) {
        for (let pit = 0; pit < pits; pit += 1) {
          const move = pitLetter(pits, seat, pit);
          const can = interactive && next.moves.includes(move);
          buttons[seat][pit].classList.toggle("can", can);
          buttons[seat][pit].classList.toggle("last", next.last === move);
          buttons[seat][pit].setAttribute("aria-disabled", String(!can && !api.onPit));
        }
      }
    },
    mark(given) {
      marks.replaceChildren();
      if (!given || !view) return;
      /** @param {string} move */
      const where = (move) => {
        const index = move.toUpperCase().charCodeAt(0) - 65;
        return centre(Math.floor(index / pits), index % pits);
      };
      /** @param {string} move @param {string} text @param {string} kind */
      const badge = (move, text, kind) => {
        const { x, y } = where(move);
        const up = (y < middle ? 1 : -1) * (HEIGHT / 2 - 18);
        const wide = 16 + 8 * text.length;
        marks.append(s("g", { class: kind },
          s("rect", { x: x - wide / 2, y: y - 13 + up, width: wide, height: 26, rx: 13 }), s("text", { x, y: y + up }, text)));
      };
      if (given.line) {
        /** @type {Map<string, number[]>} */
        const when = new Map();
        given.line.slice(0, 10).forEach((move, i) => when.set(move, [...(when.get(move) ?? []), i + 1]));
        for (const [move, numbers] of when) badge(move, numbers.join(" "), "heat planned");
        return;
      }
      for (const { move, text, best } of heat(given.moves, pits)) badge(move, text, `heat${best ? " best" : ""}`);
    },
    focus() {
      (buttons.flat().find((button) => button.classList.contains("can")) ?? buttons[0][0]).focus();
    },
    destroy() {
      turn += 1;
    },
  };
  return api;
}
