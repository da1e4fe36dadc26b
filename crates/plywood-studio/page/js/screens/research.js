/** Inside a search: a lane for every core, the counts of tasks, and the tree. */
import { api } from "../api.js";
import { complain, fill, h } from "../dom.js";
import { count, signed, time } from "../format.js";
import { gameName, gameTitle, lineSeats, playerName } from "../games.js";
import { learnNames, lineText, moveName } from "../parts/move-name.js";
import { lanesPanel } from "../panels/lanes.js";
import { treePanel } from "../panels/tree.js";
import { Stage } from "../parts/stage.js";
import { writePlace } from "../share.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Lane} Lane */
/** @typedef {import("../types.js").Progress} Progress */

/**
 * @param {GameInfo[]} games
 * @param {{game?: string, position?: string}} place
 */
export async function researchScreen(games, place) {
  const status = await api.status();
  const cores = Math.max(1, Math.min(64, status.limits?.threads ?? status.cores ?? 1));
  let game = place.game ?? "gomoku";
  /** @type {View} */
  let view = await api.position({ game, position: place.position ?? (place.game ? undefined : "H8 I9 J8 H10 G9 I7") });
  /** @type {AbortController | null} */
  let running = null;

  const stage = new Stage(() => {});
  const lanes = lanesPanel();
  const tree = treePanel(game, (line) => stage.preview(line.length ? line : null));
  const info = () => games.find((each) => each.name === gameName(game)) ?? games[0];

  /** @param {string} id @param {string} label @param {HTMLElement} input */
  const field = (id, label, input) => {
    input.id = id;
    return h("div", { class: "field" }, h("label", { for: id }, label), input);
  };
  const gameSelect = h("select", { value: gameName(game), onchange: () => void change(gameSelect.value, undefined) }, games.map((each) => h("option", { value: each.name }, gameTitle(each.name))));
  const position = h("textarea", { rows: 3, spellcheck: "false", onchange: () => void change(game, position.value.trim() || undefined) });
  const search = h("select", { onchange: () => drawStrategies() });
  const strategy = h("select", {});
  const evaluation = h("select", {});
  const depth = h("input", { type: "number", min: 1, max: 60, value: 8 });
  const limit = h("select", { value: "10000" }, [["1000", "1 s"], ["3000", "3 s"], ["10000", "10 s"], ["60000", "1 min"]].map(([value, text]) => h("option", { value }, text)));
  const threads = h("select", { value: String(cores) }, Array.from({ length: cores }, (_, i) => h("option", { value: String(i + 1) }, i + 1)));
  const trace = h("input", { type: "checkbox", id: "trace", checked: true });
  const button = h("button", { class: "primary large", id: "run" }, "Search");
  const state = h("p", { class: "muted", role: "status" });
  const facts = h("dl", { class: "facts wide" });
  const best = h("p", { class: "best-line" });

  function drawSearches() {
    const { searches, evaluations } = info();
    fill(search, searches.map(({ name, summary }) => h("option", { value: name, title: summary }, name)));
    search.value = info().search;
    fill(evaluation, evaluations.map(({ name, summary }) => h("option", { value: name, title: summary }, name)));
    depth.value = { gomoku: "8", kalah: "14", blokus: "3", "blokus-duo": "4", 2048: "4" }[info().name] ?? "6";
    drawStrategies();
  }

  function drawStrategies() {
    const chosen = info().searches.find((each) => each.name === search.value);
    const list = chosen?.strategies ?? [];
    fill(strategy, list.map(({ name, summary }) => h("option", { value: name, title: summary }, name)));
    const usual = list.find(({ name }) => name.startsWith("ybwc")) ?? list.find(({ name }) => name.startsWith("budget"));
    if (usual) strategy.value = usual.name;
  }

  /** @param {string} nextGame @param {string | undefined} text */
  async function change(nextGame, text) {
    try {
      const next = await api.position({ game: nextGame, position: text });
      await learnNames(nextGame);
      stop();
      lanes.clear();
      tree.clear();
      fill(facts);
      fill(best);
      const other = gameName(nextGame) !== gameName(game);
      game = nextGame;
      view = next;
      if (other) drawSearches();
      position.value = next.position;
      history.replaceState(null, "", writePlace({ screen: "research", game, position: next.position }));
      await stage.show(view, { interactive: false });
    } catch (error) {
      complain(error);
    }
  }

  function stop() {
    running?.abort();
    running = null;
    fill(button, "Search");
  }

  /** @param {Progress} progress */
  function draw(progress) {
    const line = progress.line;
    fill(facts, [["Depth", progress.depth], ["Nodes", count(progress.nodes)], ["Nodes/s", count(progress.nodes_per_second)], ["Time", time(progress.time_ms)],
      ...progress.values.map((value, seat) => [playerName(view, seat), signed(value)])].map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
    fill(best, line.length > 0 && h("button", { type: "button", class: "ranked-move", onclick: () => stage.walk(line), onmouseenter: () => stage.preview(line), onmouseleave: () => stage.preview(null) },
      h("span", { class: "ranked-name" }, moveName(game, line[0], lineSeats(view, line)[0])), h("span", { class: "line" }, lineText(game, line.slice(1, 12)))));
  }

  function start() {
    stop();
    const abort = new AbortController();
    running = abort;
    fill(button, "Stop");
    tree.clear();
    lanes.clear();
    const began = performance.now();
    /** @type {Progress | null} */
    let latest = null;
    state.textContent = "Searching…";
    api.search({
      game, position: view.position, search: search.value, strategy: strategy.value || undefined, evaluation: evaluation.value || undefined,
      depth: Number(depth.value) || undefined, time_ms: Number(limit.value), threads: Number(threads.value), trace: trace.checked,
    }, (name, data) => {
      if (running !== abort) return;
      if (name === "queued" && data.ahead) state.textContent = `Waiting for ${data.ahead} other ${data.ahead === 1 ? "search" : "searches"}.`;
      if (name === "progress") {
        state.textContent = `Depth ${data.depth} done`;
        latest = data;
        draw(data);
      }
      if (name === "lanes") {
        lanes.show(data);
        const nodes = data.workers.reduce((/** @type {number} */ sum, /** @type {Lane} */ lane) => sum + lane.nodes, 0);
        const ms = performance.now() - began;
        if (latest && nodes > (latest.nodes ?? 0)) draw({ ...latest, nodes, nodes_per_second: Math.round(nodes / ms * 1000), time_ms: Math.round(ms) });
      }
      if (name === "tree" && data.root) tree.show(data, game);
      if (name === "done") {
        const report = data.report ?? data;
        if (report.values) draw(report);
        if (report.lanes) lanes.show(report.lanes);
      }
    }, abort.signal).then(() => { state.textContent = "Done."; }, (error) => {
      state.textContent = "";
      complain(error);
    }).finally(() => {
      if (running === abort) stop();
    });
  }

  await learnNames(game);
  drawSearches();
  position.value = view.position;
  await stage.show(view, { interactive: false });
  const form = h("form", { class: "research-form", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    if (running) {
      stop();
      state.textContent = "Stopped.";
    } else start();
  } },
  field("research-game", "Game", gameSelect), field("research-search", "Search", search), field("research-strategy", "On many cores", strategy),
  field("research-evaluation", "Evaluation", evaluation), field("research-depth", "Depth", depth), field("research-limit", "At most", limit), field("research-threads", "Threads", threads),
  h("label", { class: "check" }, trace, "record the tree"), h("div", { class: "field broad" }, h("label", { for: "research-position" }, "Position"), position), button);
  position.id = "research-position";
  return {
    element: h("section", { class: "page research" }, h("h1", {}, "Inside the search"),
      h("div", { class: "research-top" }, h("div", { class: "research-board" }, stage.element), form),
      h("section", { "aria-label": "What the search does" }, state, best, facts,
        h("h2", {}, "Cores"), h("p", { class: "muted" }, "Where the time of every core went: in all, and below moment by moment, ten of them a second."), lanes.element,
        h("h2", {}, "Tree"), h("p", { class: "muted" }, "The top of the tree by nodes spent; a corner marks cut-offs. Click a part to zoom in, the root to zoom out."), tree.element)),
    title: "Inside the search",
    destroy() {
      stop();
      stage.destroy();
    },
  };
}
