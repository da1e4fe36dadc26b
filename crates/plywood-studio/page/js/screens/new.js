/** A new game: its options, who sits where, and how the board will look. */
import { api } from "../api.js";
import { boardFor, sameBoard } from "../boards/board.js";
import { complain, fill, h } from "../dom.js";
import { gameName, gameOptions, gameSpec, gameTitle, seatClass } from "../games.js";
import { defaultLevel, seatSelect } from "../parts/seats.js";
import { go, writePlace } from "../share.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").SeatSpec} SeatSpec */
/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").View} View */

/**
 * @param {GameInfo[]} games
 * @param {{game: string, position?: string}} place
 */
export async function newScreen(games, place) {
  const name = gameName(place.game);
  const found = games.find((game) => game.name === name);
  if (!found) throw new Error(`there is no game ${name}`);
  const info = found;
  const chosen = gameOptions(place.game);
  const { position } = place;
  /** @type {SeatSpec[]} */
  const seats = info.players.map((_, i) => (i === 0 ? { kind: "person" } : { kind: "engine", level: defaultLevel(info) }));
  let spawner = "random";

  const stage = h("div", { class: "stage preview" });
  /** @type {Board | null} */
  let board = null;
  /** @type {View | null} */
  let shown = null;
  let asked = 0;
  const trouble = h("p", { class: "error", role: "alert" });
  const start = h("button", { class: "primary large" }, "Start the game");

  const spec = () => gameSpec(name, Object.fromEntries(Object.entries(chosen).filter(([key, value]) => (
    value !== info.options.find((option) => option.name === key)?.default))));

  async function preview() {
    asked += 1;
    const mine = asked;
    try {
      const view = await api.position({ game: spec(), position });
      if (mine !== asked) return;
      trouble.textContent = "";
      start.disabled = false;
      if (!board || !shown || !sameBoard(shown, view)) {
        board?.destroy();
        board = await boardFor(view, { play() {} });
        fill(stage, board.element);
      }
      shown = view;
      await board.show(view, { interactive: false });
    } catch (error) {
      if (mine !== asked) return;
      start.disabled = true;
      trouble.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  const options = info.options.map((option) => {
    const id = `option-${option.name}`;
    const set = (/** @type {Event} */ event) => {
      const { value } = /** @type {HTMLInputElement} */ (event.target);
      if (value) chosen[option.name] = value;
      else delete chosen[option.name];
      void preview();
    };
    const value = chosen[option.name] ?? option.default;
    const range = /^(\d+) to (\d+)$/.exec(option.accepts);
    const input = option.values
      ? h("select", { id, value, onchange: set }, option.values.map((each) => h("option", { value: each }, each)))
      : h("input", { id, value, onchange: set, type: range ? "number" : "text", min: range?.[1], max: range?.[2], "aria-describedby": `${id}-help` });
    return h("div", { class: "field" }, h("label", { for: id }, option.name), input,
      h("small", { id: `${id}-help`, class: "muted" }, `${option.summary} (${option.accepts})`));
  });

  const seatRows = h("div", { class: "seat-rows" });
  const drawSeats = () => fill(seatRows, info.players.map((player, i) => h("div", { class: "seat-row" },
    h("span", { class: seatClass(name, i), "aria-hidden": "true" }), h("span", {}, player),
    seatSelect(info, seats[i], `Who plays ${player}`, (seat) => { seats[i] = seat; }, true))));
  drawSeats();
  /** @param {(i: number) => SeatSpec} who */
  const preset = (who) => () => {
    info.players.forEach((_, i) => { seats[i] = who(i); });
    drawSeats();
  };
  /** @type {SeatSpec} */
  const person = { kind: "person" };
  /** @type {() => SeatSpec} */
  const engine = () => ({ kind: "engine", level: defaultLevel(info) });

  const form = h("form", {
    class: "new-form",
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      start.disabled = true;
      api.create({ game: spec(), position, seats, ...(name === "2048" ? { spawner } : {}) })
        .then((table) => go({ screen: "table", id: table.id }))
        .catch((error) => {
          start.disabled = false;
          complain(error);
        });
    },
  },
  h("h1", {}, gameTitle(name)), h("p", { class: "muted" }, `${info.summary[0].toUpperCase()}${info.summary.slice(1)}.`),
  h("fieldset", {}, h("legend", {}, "Who plays"), seatRows,
    h("div", { class: "presets" },
      info.players.length > 1 && h("button", { type: "button", onclick: preset((i) => (i === 0 ? person : engine())) }, "I begin"),
      info.players.length === 2 && h("button", { type: "button", onclick: preset((i) => (i === 1 ? person : engine())) }, "I come second"),
      h("button", { type: "button", onclick: preset(() => person) }, info.players.length > 1 ? "All people" : "I play"),
      h("button", { type: "button", onclick: preset(engine) }, info.players.length > 1 ? "All engines" : "Engine plays"))),
  name === "2048" && h("fieldset", {}, h("legend", {}, "New tiles come from"),
    h("select", { id: "spawner", "aria-label": "New tiles come from", value: spawner, onchange: (/** @type {Event} */ event) => { spawner = /** @type {HTMLSelectElement} */ (event.target).value; } },
      h("option", { value: "random" }, "chance, as usual"), h("option", { value: "person" }, "you: choose cell and tile"), h("option", { value: "worst" }, "the worst that can happen"))),
  options.length > 0 && h("details", { class: "options", open: Object.keys(chosen).length > 0 }, h("summary", {}, "Rules"), options),
  trouble,
  h("div", { class: "actions" }, start, h("a", { class: "button", href: writePlace({ screen: "setup", game: place.game, position }) }, "Set up a position")));

  await preview();
  return {
    element: h("section", { class: "game new-game" }, stage, h("div", { class: "side" }, form)),
    title: `New game: ${gameTitle(name)}`,
    destroy: () => board?.destroy(),
  };
}
