/** A sweep put together in a form, or given as the text of a sweep file. */
import { h } from "../dom.js";
import { gameTitle } from "../games.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */

/** @param {string} text @returns {string[]} */
const words = (text) => text.split(/[,;]\s*|\s+/).filter(Boolean);

/** @param {string} text @param {string} what */
function numbers(text, what) {
  return words(text).map((word) => {
    const number = Number(word);
    if (!Number.isInteger(number) || number < 0) throw new Error(`'${word}' is not a number: ${what} are whole numbers with commas between`);
    return number;
  });
}

/**
 * @param {GameInfo[]} games
 * @param {number} threads  the most there are
 * @param {(fields: object) => Promise<void>} start
 */
export function sweepForm(games, threads, start) {
  const name = h("input", { id: "sweep-name", value: "sweep", maxlength: 40 });
  const game = h("select", { id: "sweep-game", value: "kalah", onchange: () => choose() }, games.map((info) => h("option", { value: info.name }, gameTitle(info.name))));
  const searches = h("input", { id: "sweep-searches" });
  const strategies = h("input", { id: "sweep-strategies" });
  const depths = h("input", { id: "sweep-depths" });
  const cores = h("input", { id: "sweep-threads", value: threads > 1 ? `1, ${threads}` : "1" });
  const repeats = h("input", { id: "sweep-repeats", type: "number", min: 1, max: 50, value: 5 });
  const toml = h("textarea", { id: "sweep-toml", rows: 10, spellcheck: "false", placeholder: 'name = "example"\ngames = ["kalah"]\nsearches = ["minimax"]\ndepths = [8]\nstrategies = ["seq", "budget:2"]\nthreads = [1, 2]\nrepeats = 5' });
  const trouble = h("p", { class: "error", role: "alert" });
  const button = h("button", { class: "primary", id: "start-sweep" }, "Start the sweep");

  function choose() {
    const info = games.find((each) => each.name === game.value);
    if (!info) return;
    searches.value = info.search;
    strategies.value = "seq, budget:2";
    depths.value = { kalah: "8, 9", gomoku: "4, 5", blokus: "2", "blokus-duo": "3", 2048: "3" }[info.name] ?? "4";
    note.textContent = `There are ${info.searches.map((each) => each.name).join(", ")}.`;
  }

  /** @param {HTMLElement & {id: string}} input @param {string} label @param {HTMLElement} [help] */
  const field = (input, label, help) => h("div", { class: "field" }, h("label", { for: input.id }, label), input, help);
  const note = h("small", { class: "muted" });
  choose();
  return h("form", {
    class: "sweep-form",
    onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      trouble.textContent = "";
      button.disabled = true;
      try {
        await start(toml.value.trim() ? { toml: toml.value } : {
          name: name.value.trim() || "sweep", games: [game.value], searches: words(searches.value), strategies: words(strategies.value),
          depths: numbers(depths.value, "depths"), threads: numbers(cores.value, "threads"), repeats: Number(repeats.value), warmup: 1,
        });
      } catch (error) {
        trouble.textContent = error instanceof Error ? error.message : String(error);
      } finally {
        button.disabled = false;
      }
    },
  },
  h("h2", { class: "broad" }, "A new sweep"),
  field(name, "Name"), field(game, "Game"), field(searches, "Searches", note), field(strategies, "Strategies", h("small", { class: "muted" }, "seq, root, every-node, budget:2, ybwc:3, lazy-smp")),
  field(depths, "Depths"), field(cores, "Threads"), field(repeats, "Repeats"),
  h("details", { class: "broad" }, h("summary", {}, "As the text of a sweep file"), h("label", { class: "visually-hidden", for: "sweep-toml" }, "Sweep file"), toml),
  h("div", { class: "broad" }, trouble, button));
}
