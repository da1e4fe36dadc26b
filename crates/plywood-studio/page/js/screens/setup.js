/** Sets up a position: on the board, or as text. The server says whether it is one. */
import { api } from "../api.js";
import { boardFor, sameBoard } from "../boards/board.js";
import { editorFor } from "../parts/editors.js";
import { fill, h } from "../dom.js";
import { gameName, gameTitle } from "../games.js";
import { go, writePlace } from "../share.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Board} Board */

/**
 * @param {GameInfo[]} games
 * @param {{game: string, position?: string}} place
 */
export async function setupScreen(games, place) {
  if (!games.some((game) => game.name === gameName(place.game))) throw new Error(`there is no game ${place.game}`);
  const { game } = place;
  const stage = h("div", { class: "board-place" });
  const tools = h("div", { class: "editor" });
  const text = h("textarea", { id: "position", rows: 5, spellcheck: "false" });
  const trouble = h("p", { class: "error", role: "alert" });
  const playHere = h("button", { type: "button", class: "primary large" }, "Play from here");
  const analyse = h("button", { type: "button" }, "Analyse it");
  /** @type {View} */
  let view = await api.position({ game, position: place.position });
  /** @type {Board | null} */
  let board = null;
  let asked = 0;

  /** Tries a position out and shows it if it is one. @param {string} position @param {boolean} [fromText] */
  async function propose(position, fromText = false) {
    asked += 1;
    const mine = asked;
    try {
      const next = await api.position({ game, position });
      if (mine !== asked) return;
      trouble.textContent = "";
      text.removeAttribute("aria-invalid");
      await show(next, !fromText);
      history.replaceState(null, "", writePlace({ screen: "setup", game, position: next.position }));
    } catch (error) {
      if (mine !== asked) return;
      const message = error instanceof Error ? error.message : String(error);
      trouble.textContent = `${message}.`;
      if (fromText) text.setAttribute("aria-invalid", "true");
    }
  }

  const editor = editorFor(game, view, (position) => void propose(position));

  /** @param {View} next @param {boolean} [writeText] */
  async function show(next, writeText = true) {
    if (!board || !sameBoard(view, next)) {
      board?.destroy();
      board = await boardFor(next, { play: (move) => void propose(editor.played(move)) });
      editor.attach(board);
      fill(stage, board.element);
    }
    view = next;
    if (writeText) text.value = next.position;
    editor.look(next);
    fill(tools, editor.element);
    await board.show(next, { interactive: editor.plays });
  }

  text.addEventListener("input", () => void propose(text.value.trim(), true));
  playHere.addEventListener("click", () => go({ screen: "new", game, position: view.position }));
  analyse.addEventListener("click", () => go({ screen: "linked", game, position: view.position, moves: [] }));
  await show(view);
  return {
    element: h("section", { class: `game setup game-${gameName(game)}` },
      h("div", { class: "stage" }, h("div", { class: "stage-head" }, h("h1", {}, `Set up ${gameTitle(game)}`)), stage),
      h("div", { class: "side" }, h("div", { class: "panel" }, tools,
        h("div", { class: "field" }, h("label", { for: "position" }, "As text"), text), trouble,
        h("div", { class: "actions" }, playHere, analyse,
          h("button", { type: "button", onclick: () => void api.position({ game }).then((start) => propose(start.position)) }, "The start"),
          h("button", { type: "button", onclick: () => void propose(editor.cleared()) }, "Clear"))))),
    title: `Set up ${gameTitle(game)}`,
    destroy: () => board?.destroy(),
  };
}
