/** The first screen: which game, which table to go on with, or something to paste. */
import { api } from "../api.js";
import { complain, fill, h, iconButton } from "../dom.js";
import { ago } from "../format.js";
import { gameTitle, seatText } from "../games.js";
import { ICONS } from "../icons.js";
import { gameArt } from "../parts/art.js";
import { pasted } from "../parts/paste.js";
import { go, writePlace } from "../share.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").TableSummary} TableSummary */

/** @type {Record<string, string>} */
const LINES = {
  blokus: "Four colours, corner to corner. Drag, turn, flip.",
  "blokus-duo": "Two colours on a small board.",
  kalah: "Sow, capture, move again.",
  gomoku: "Five in a row, with or without renju's rules.",
  2048: "Slide and merge, or be chance yourself.",
};
const ORDER = ["blokus", "gomoku", "kalah", "2048", "blokus-duo"];

/** @param {GameInfo[]} games */
export async function homeScreen(games) {
  const list = h("ul", { class: "tables" });
  const section = h("section", { "aria-labelledby": "going-on", hidden: true }, h("h2", { id: "going-on" }, "Go on with"), list);

  const load = async () => {
    const tables = await api.tables();
    section.hidden = !tables.length;
    fill(list, tables.slice(0, 24).map(row));
  };

  /** @param {TableSummary} table */
  const row = (table) => {
    const seats = table.seats.map(seatText);
    const engines = seats.filter((seat) => seat !== "You");
    const against = engines.length === seats.length ? "engines only" : engines.length ? [...new Set(engines)].join(", ").toLowerCase() : "people only";
    const plies = table.moves;
    const title = table.title || gameTitle(table.game);
    return h("li", {},
      h("a", { class: "table-link", href: writePlace({ screen: "table", id: table.id }) },
        h("strong", {}, title),
        h("span", { class: "muted" }, `${against} · ${plies} ${plies === 1 ? "move" : "moves"} · ${ago(table.changed)}`),
        table.result && h("span", { class: "result" }, table.result)),
      iconButton(`Delete ${title}`, ICONS.trash, () => {
        api.remove(table.id).then(load).catch(complain);
      }));
  };

  const paste = h("textarea", { id: "paste", rows: 3, spellcheck: "false", placeholder: "H8 I9 G7   ·   <6,10,8,1,0,6,2,7,1,0,5,2,1,0,5> s   ·   turn=B B=a20,b20 …   ·   an SGF record   ·   a share link" });
  const element = h("section", { class: "page home" },
    h("div", { class: "hero" },
      h("h1", {}, "What shall we play?"),
      h("p", { class: "muted" }, "Against an engine of any strength, against each other, or just to see what the search thinks.")),
    h("ul", { class: "cards" }, ORDER.filter((name) => games.some((game) => game.name === name)).map((name) => (
      h("li", {}, h("a", { class: "card", href: writePlace({ screen: "new", game: name }) },
        gameArt(name), h("strong", {}, gameTitle(name)), h("span", { class: "muted" }, LINES[name])))))),
    section,
    h("section", { "aria-labelledby": "paste-title" },
      h("h2", { id: "paste-title" }, "Paste a position or a record"),
      h("form", {
        class: "paste",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          pasted(paste.value).then(go).catch(complain);
        },
      }, h("label", { class: "visually-hidden", for: "paste" }, "Position, record or link"), paste,
      h("button", { class: "primary" }, "Open"))));
  await load();
  return { element, title: "Play" };
}
