/** What the engine thinks of the position while it thinks: starts, stops, and follows the game. */
import { api } from "../api.js";
import { complain, fill, h, iconButton } from "../dom.js";
import { count, signed, time } from "../format.js";
import { lineSeats } from "../games.js";
import { ICONS } from "../icons.js";
import { lineText, moveName, moveText } from "../parts/move-name.js";
import { prefer, preferences } from "../preferences.js";
import { merged } from "../progress.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Progress} Progress */
/** @typedef {import("../types.js").RankedMove} RankedMove */
/** @typedef {import("../parts/stage.js").Stage} Stage */

/** How many moves are listed. */
const LISTED = 12;

/** The word for how sure a value is. @param {string | undefined} certainty */
export function sureness(certainty) {
  switch (certainty) {
    case "exact": return "exact";
    case "at-least": case "lower": return "at least";
    case "at-most": case "upper": return "at most";
    default: return "";
  }
}

/**
 * The move the search would play comes first, with its line and what is proven of it, also where
 * others are said to be worth as much.
 * @param {RankedMove[]} moves
 * @param {Progress} progress
 */
function bestFirst(moves, progress) {
  const [best] = progress.line;
  const first = moves.find(({ move }) => move === best);
  if (!first) return moves;
  const whole = { ...first, line: progress.line, words: first.words ?? progress.words };
  return [whole, ...moves.filter((move) => move !== first)];
}

/**
 * @param {Stage} stage
 * @param {{show: (view: View, progress: Progress) => void, hide: () => void}} bar
 * @param {number} cores
 * @param {string} unit  what values are counted in
 */
export function analysisPanel(stage, bar, cores, unit) {
  /** @type {View | null} */
  let view = null;
  let on = preferences().analysis;
  /** @type {AbortController | null} */
  let running = null;
  let timer = 0;
  /** @type {Progress | null} */
  let latest = null;
  let dirty = false;
  let queued = "";
  /** Something else of this page needs the server's cores. */
  let suspended = false;

  const toggle = h("button", { type: "button", class: "primary", id: "analyse", "aria-pressed": "false", onclick: () => set(!on) });
  const threads = h("select", {
    id: "threads", value: String(Math.min(preferences().threads, cores)),
    onchange: (/** @type {Event} */ event) => {
      prefer({ threads: Number(/** @type {HTMLSelectElement} */ (event.target).value) });
      if (on) start();
    },
  }, Array.from({ length: cores }, (_, i) => h("option", { value: String(i + 1) }, i + 1)));
  const marks = h("input", {
    type: "checkbox", id: "marks", checked: preferences().marks,
    onchange: () => {
      prefer({ marks: marks.checked });
      stage.refreshMarks();
    },
  });
  /** @type {Map<string, {element: HTMLElement, update: (news: RankedMove) => void}>} */
  const rows = new Map();
  const facts = h("dl", { class: "facts" });
  const state = h("p", { class: "muted", role: "status" });
  const list = h("ol", { class: "ranked", "aria-label": "Best moves" });
  const element = h("div", { class: "panel analysis" },
    h("div", { class: "panel-head" }, toggle,
      h("label", { for: "threads" }, "Threads"), threads,
      h("label", { class: "check" }, marks, "Marks")),
    state, facts, list, h("p", { class: "muted small-print" }, `Values: ${unit}, for the player to move.`));

  function drawState() {
    fill(toggle, on ? "Stop" : "Analyse");
    toggle.setAttribute("aria-pressed", String(on));
    state.textContent = queued || (!on ? (latest ? "Stopped." : "Shows the best moves and their worth while the engine thinks, and follows the game.")
      : suspended ? "Waits until the other search of this page is done."
      : view?.turn.kind === "over" ? "The game is over." : running ? (latest ? "" : "Thinking…") : "Done: nothing more to find.");
  }

  /** @param {boolean} wanted */
  function set(wanted) {
    on = wanted;
    prefer({ analysis: on });
    if (on) start();
    else {
      stop();
      drawState();
    }
  }

  function stop() {
    clearTimeout(timer);
    running?.abort();
    running = null;
    queued = "";
  }

  function start() {
    stop();
    latest = null;
    drawState();
    clear();
    if (suspended) return;
    if (!view || view.turn.kind === "over") {
      bar.hide();
      stage.clearRank();
      return;
    }
    const root = view;
    const abort = new AbortController();
    running = abort;
    drawState();
    api.search({
      game: root.game, position: root.position, analysis: true, all_moves: true, threads: Number(threads.value),
    }, (name, data) => {
      if (running !== abort) return;
      if (name === "queued") {
        queued = data.ahead ? `Waiting for ${data.ahead} other ${data.ahead === 1 ? "search" : "searches"}.` : "";
        drawState();
      }
      if (name === "progress") {
        queued = "";
        latest = merged(latest, data);
        schedule(root);
      }
    }, abort.signal).catch(complain).finally(() => {
      if (running !== abort) return;
      running = null;
      drawState();
    });
  }

  /** Draws at most once a frame however fast news comes in. @param {View} root */
  function schedule(root) {
    if (dirty) return;
    dirty = true;
    requestAnimationFrame(() => {
      dirty = false;
      if (!latest || view?.position !== root.position) return;
      draw(root, latest);
    });
  }

  /** @param {View} root @param {Progress} progress */
  function draw(root, progress) {
    drawState();
    bar.show(root, progress);
    const moves = progress.moves?.length ? progress.moves : progress.line.length
      ? [{ move: progress.line[0], value: progress.values[root.turn.kind === "player" ? root.turn.seat : 0] ?? 0, certainty: progress.certainty, words: progress.words, line: progress.line }]
      : [];
    const ranked = bestFirst(moves, progress);
    stage.rank(root.position, ranked);
    fill(facts,
      h("div", {}, h("dt", {}, "Depth"), h("dd", {}, progress.depth)),
      h("div", {}, h("dt", {}, "Nodes"), h("dd", {}, count(progress.nodes))),
      h("div", {}, h("dt", {}, "Nodes/s"), h("dd", {}, count(progress.nodes_per_second))),
      h("div", {}, h("dt", {}, "Time"), h("dd", {}, time(progress.time_ms))));
    drawList(root, ranked.slice(0, LISTED));
  }

  /** @param {RankedMove} move */
  const worth = (move) => move.words || `${sureness(move.certainty)} ${signed(move.value)}`.trim();

  /**
   * A row that stays as long as its move is listed: nothing slips away under a pointer.
   * @param {View} root
   * @param {RankedMove} move
   */
  function newRow(root, move) {
    let line = [move.move];
    const name = h("span", { class: "ranked-name" }, moveName(root.game, move.move, lineSeats(root, line)[0]));
    const value = h("span", { class: "worth" });
    const rest = h("span", { class: "line" });
    const button = h("button", {
      type: "button", class: "ranked-move", "data-move": move.move, title: "Walk along this line",
      onclick: () => stage.walk(line),
      onmouseenter: () => stage.preview(line), onmouseleave: () => stage.preview(null),
      onfocus: () => stage.preview(line), onblur: () => stage.preview(null),
    }, name, value, rest);
    const play = iconButton(`Play ${moveText(root.game, move.move)}`, ICONS.play, () => {
      stage.preview(null);
      stage.leaveWalk();
      stage.play(move.move);
    }, { class: "icon small" });
    return {
      element: h("li", {}, button, play),
      /** @param {RankedMove} news */
      update(news) {
        // The last line that was said of it, where only the best move has one.
        if (news.line?.length) line = news.line;
        value.textContent = worth(news);
        value.classList.toggle("sure", news.certainty === "exact");
        rest.textContent = lineText(root.game, line.slice(1, 9));
        play.hidden = !stage.interactive;
      },
    };
  }

  /** @param {View} root @param {RankedMove[]} ranked */
  function drawList(root, ranked) {
    // Rows keep their places while someone is at them.
    const still = list.children.length > 0 && (list.contains(document.activeElement) || list.matches(":hover"));
    const shown = ranked.filter(({ move }) => !still || rows.get(move)?.element.isConnected);
    const elements = shown.map((move) => {
      const row = rows.get(move.move) ?? newRow(root, move);
      rows.set(move.move, row);
      row.update(move);
      return row.element;
    });
    if (!still) list.replaceChildren(...elements);
  }

  function clear() {
    rows.clear();
    fill(list);
    fill(facts);
  }

  drawState();
  return {
    name: "analysis",
    title: "Analysis",
    element,
    toggle: () => set(!on),
    /** Makes room for another search, or goes on. @param {boolean} wanted */
    suspend(wanted) {
      if (suspended === wanted) return;
      suspended = wanted;
      if (suspended) stop();
      else if (on) start();
      drawState();
    },
    /** @param {View} next */
    follow(next) {
      if (view?.position === next.position && view.game === next.game) return;
      view = next;
      latest = null;
      stop();
      bar.hide();
      clear();
      drawState();
      // Somebody who pages through a game does not start a search at every move.
      if (on) timer = window.setTimeout(start, 120);
    },
    destroy: stop,
  };
}
