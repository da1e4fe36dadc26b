/** One position seen by several searches: what each would play. */
import { api } from "../api.js";
import { complain, fill, h } from "../dom.js";
import { count, signed } from "../format.js";
import { lineSeats, playerName, seatClass } from "../games.js";
import { lineText, moveName, moveText } from "../parts/move-name.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").View} View */
/** @typedef {import("../parts/stage.js").Stage} Stage */

/** What each search takes the others to be. @type {Record<string, string>} */
const MODELS = {
  minimax: "all look at one value, every line is looked at",
  alphabeta: "the other wants you to lose; what cannot matter is left out",
  maxn: "everybody plays for their own score",
  paranoid: "all the others play against you",
  brs: "the strongest single reply of all the others",
  "brs+": "the strongest single reply of all the others",
  mcts: "many games are tried, the promising ones more often",
  expectimax: "chance does what chance does",
  "worst-case": "chance is out to get you",
};

/**
 * What is compared if nothing is chosen, as far as the game has it. With two players most models
 * mean the same: there the game's own engine is the other view.
 * @param {GameInfo} info
 */
function usual(info) {
  if (info.players.length === 1) return ["expectimax", "minimax", "worst-case"];
  if (info.players.length > 2) return ["maxn", "paranoid", "brs", "mcts"];
  return ["alphabeta", "mcts", ...info.engines.map(({ name }) => name)];
}

/**
 * @param {GameInfo} info
 * @param {Stage} stage
 * @param {(busy: boolean) => void} busy  while it uses the server's cores
 */
export function comparePanel(info, stage, busy) {
  /** @type {View | null} */
  let view = null;
  /** @type {AbortController | null} */
  let running = null;
  let shownFor = "";
  const ways = [
    ...info.searches.map(({ name, summary }) => ({ key: "search", name, summary: MODELS[name] ?? summary })),
    ...info.engines.map(({ name, summary }) => ({ key: "engine", name, summary })),
  ];
  const chosenFirst = usual(info);
  const boxes = ways.map((way) => h("input", { type: "checkbox", checked: chosenFirst.includes(way.name) }));
  const choices = h("fieldset", { class: "choices" }, h("legend", {}, "Who is asked"), ways.map((way, i) => h("label", { class: "check", title: way.summary }, boxes[i], way.name)));
  const budget = h("select", { "aria-label": "Time for each", value: "1000" },
    [["300", "0.3 s each"], ["1000", "1 s each"], ["3000", "3 s each"]].map(([value, text]) => h("option", { value }, text)));
  const button = h("button", { type: "button", class: "primary", id: "compare", onclick: () => (running ? stop() : start()) }, "Compare");
  const state = h("p", { class: "muted", role: "status" }, "One position, several ways to look at it.");
  const cards = h("ul", { class: "ways" });
  const element = h("div", { class: "panel compare" }, h("div", { class: "panel-head" }, button, budget), choices, state, cards);

  function stop() {
    if (running) busy(false);
    running?.abort();
    running = null;
    fill(button, "Compare");
  }

  function start() {
    stop();
    if (!view || view.turn.kind === "over") {
      state.textContent = "The game is over: there is nothing to choose.";
      return;
    }
    const chosen = ways.filter((_, i) => boxes[i].checked);
    if (!chosen.length) {
      state.textContent = "Choose at least one.";
      return;
    }
    const root = view;
    const abort = new AbortController();
    running = abort;
    busy(true);
    shownFor = root.position;
    fill(button, "Stop");
    fill(cards);
    state.textContent = `Asking ${chosen.length}…`;
    /** @type {Map<string, string[]>} */
    const votes = new Map();
    api.compare({ game: root.game, position: root.position, ways: chosen.map((way) => ({ [way.key]: way.name })), time_ms: Number(budget.value) }, (name, data) => {
      if (running !== abort) return;
      if (name === "queued" && data.ahead) state.textContent = "Waiting for other searches…";
      if (name !== "way") return;
      const way = chosen[data.way] ?? chosen[0];
      cards.append(card(root, way, data));
      const best = data.best ?? data.line?.[0];
      if (best) votes.set(best, [...(votes.get(best) ?? []), way.name]);
    }, abort.signal).catch(complain).finally(() => {
      if (running !== abort) return;
      stop();
      state.textContent = verdict(root, votes);
    });
  }

  /** @param {View} root @param {Map<string, string[]>} votes */
  function verdict(root, votes) {
    if (!votes.size) return "";
    if (votes.size === 1) return `All agree on ${moveText(root.game, [...votes.keys()][0])}.`;
    return [...votes].map(([move, names]) => `${names.join(" and ")}: ${moveText(root.game, move)}`).join("; ").concat(".");
  }

  /** @param {View} root @param {{name: string, summary: string}} way @param {any} data */
  function card(root, way, data) {
    const line = data.line?.length ? data.line : data.best ? [data.best] : [];
    if (data.error) return h("li", { class: "way" }, h("strong", {}, way.name), h("p", { class: "error" }, data.error.message ?? data.error));
    return h("li", { class: "way" },
      h("div", { class: "way-head" }, h("strong", {}, way.name), h("span", { class: "muted" }, `depth ${data.depth ?? "–"}, ${count(data.nodes ?? 0)} nodes`)),
      h("p", { class: "muted" }, way.summary),
      line.length > 0 && h("button", {
        type: "button", class: "ranked-move",
        onclick: () => stage.walk(line),
        onmouseenter: () => stage.preview(line), onmouseleave: () => stage.preview(null),
        onfocus: () => stage.preview(line), onblur: () => stage.preview(null),
      }, h("span", { class: "ranked-name" }, moveName(root.game, line[0], lineSeats(root, line)[0])),
      h("span", { class: "line" }, lineText(root.game, line.slice(1, 7)))),
      h("div", { class: "bar-legend" }, (data.values ?? []).map((/** @type {number} */ value, /** @type {number} */ seat) => h("span", { class: "bar-value" },
        h("span", { class: `${seatClass(root.game, seat)} small`, "aria-hidden": "true" }), `${playerName(root, seat)} ${signed(value)}`))));
  }

  return {
    name: "compare",
    title: "Models",
    element,
    /** @param {View} next */
    follow(next) {
      view = next;
      if (shownFor && shownFor !== next.position) {
        stop();
        shownFor = "";
        fill(cards);
        state.textContent = "The position has changed: compare again.";
      }
    },
    destroy: stop,
  };
}
