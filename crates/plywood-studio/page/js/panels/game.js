/** The moves, and what can be done with the game as a whole. */
import { api } from "../api.js";
import { complain, h, toast } from "../dom.js";
import { gameName } from "../games.js";
import { moveList } from "../parts/move-list.js";
import { go, shareUrl, writePlace } from "../share.js";

/** @typedef {import("../sitting.js").Sitting} Sitting */

/** Puts a text where it can be pasted from, or shows it where that is not allowed. @param {string} text @param {string} what */
async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    const field = h("textarea", { rows: 6, readonly: true, "aria-label": what }, text);
    const dialog = h("dialog", { "aria-label": what }, h("h2", {}, what), field,
      h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    field.select();
  }
}

/**
 * @param {Sitting} sitting
 * @param {(at: number) => void} goto
 */
export function gamePanel(sitting, goto) {
  const list = moveList(goto);
  const empty = h("p", { class: "muted" }, "No moves yet.");
  const name = gameName(sitting.game);
  const link = h("input", { id: "share-link", readonly: true, "aria-label": "Link to this position", onfocus: () => link.select() });
  const share = () => {
    // Moves are worth keeping where they are few; a position always fits.
    const moves = sitting.moves.slice(0, sitting.at);
    return moves.length <= 60 && !name.startsWith("blokus") ? shareUrl(sitting.game, sitting.start, moves) : shareUrl(sitting.game, sitting.view.position);
  };
  /** @param {string} format @param {string} what */
  const record = (format, what) => () => {
    if (sitting.table) api.record(sitting.table.id, format).then((text) => copy(text, what)).catch(complain);
    else void copy(`${sitting.game}\n${sitting.start}\n${sitting.moves.join(" ")}`, what);
  };
  const button = (/** @type {string} */ text, /** @type {() => void} */ onclick) => h("button", { type: "button", onclick }, text);
  const element = h("div", { class: "panel game-panel" },
    empty, list.element,
    h("div", { class: "share" }, h("label", { for: "share-link" }, "Link"), link,
      button("Copy link", () => void copy(share(), "Link"))),
    h("div", { class: "actions" },
      button("Copy position", () => void copy(sitting.view.position, "Position")),
      button("Copy record", record("text", "Record")),
      name === "gomoku" && sitting.table && button("Copy SGF", record("sgf", "SGF")),
      name.startsWith("blokus") && sitting.table && button("Copy BLKSGF", record("blksgf", "BLKSGF")),
      button("Set up a position", () => go({ screen: "setup", game: sitting.game, position: sitting.view.position })),
      button("Look inside the search", () => go({ screen: "research", game: sitting.game, position: sitting.view.position })),
      h("a", { class: "button", href: writePlace({ screen: "new", game: sitting.game }) }, "New game")));
  return {
    name: "game",
    title: "Moves",
    element,
    show() {
      empty.hidden = sitting.moves.length > 0;
      list.show(sitting);
      link.value = share();
    },
    shown() {
      list.show(sitting);
    },
  };
}
