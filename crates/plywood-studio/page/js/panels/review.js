/** A finished game looked through: how the values went, where they swung, what was better. */
import { api } from "../api.js";
import { complain, fill, h } from "../dom.js";
import { signed } from "../format.js";
import { playerName, seatClass } from "../games.js";
import { lineText, moveText } from "../parts/move-name.js";
import { reviewGraph } from "./graph.js";

/** @typedef {import("../sitting.js").Sitting} Sitting */
/** @typedef {import("../parts/stage.js").Stage} Stage */

/**
 * @typedef {Object} Ply
 * @property {number} at  how many moves had been made
 * @property {number[]} values
 * @property {string | null} best
 * @property {string[]} line
 * @property {number | null} played_value
 * @property {number | null} swing  what the move made gave away
 */

const SECONDS = [["100", "0.1 s a move"], ["300", "0.3 s a move"], ["1000", "1 s a move"], ["3000", "3 s a move"]];

/**
 * @param {Sitting} sitting
 * @param {Stage} stage
 * @param {(at: number) => void} goto
 * @param {(busy: boolean) => void} busy  while it uses the server's cores
 */
export function reviewPanel(sitting, stage, goto, busy) {
  /** @type {Ply[]} */
  let plies = [];
  /** @type {AbortController | null} */
  let running = null;
  let reviewed = "";
  /** Counts frames, so that the graph is drawn once a frame. */
  let dirty = false;

  const budget = h("select", { id: "review-time", "aria-label": "Time for each move", value: "300" }, SECONDS.map(([value, text]) => h("option", { value }, text)));
  const button = h("button", { type: "button", class: "primary", id: "review", onclick: () => (running ? stop() : start()) }, "Review the game");
  const state = h("p", { class: "muted", role: "status" }, "Runs through the game, marks the biggest swings and shows what was better.");
  const graph = reviewGraph((at) => goto(at));
  const swings = h("ol", { class: "swings" });
  const element = h("div", { class: "panel review" }, h("div", { class: "panel-head" }, button, budget), state, graph.element, swings);

  function stop() {
    if (running) busy(false);
    running?.abort();
    running = null;
    fill(button, "Review the game");
  }

  function start() {
    stop();
    if (!sitting.moves.length) {
      state.textContent = "There are no moves to review yet.";
      return;
    }
    plies = [];
    reviewed = [...sitting.moves, ""].join(" ");
    const moves = [...sitting.moves];
    const abort = new AbortController();
    running = abort;
    busy(true);
    fill(button, "Stop");
    state.textContent = "Looking at the first move…";
    draw();
    api.review({ game: sitting.game, start: sitting.start, moves, time_ms: Number(budget.value) }, (name, data) => {
      if (running !== abort) return;
      if (name === "queued" && data.ahead) state.textContent = "Waiting for other searches…";
      if (name !== "ply") return;
      plies.push(data);
      state.textContent = `Move ${Math.min(data.at + 1, moves.length)} of ${moves.length}`;
      schedule();
    }, abort.signal).catch(complain).finally(() => {
      if (running !== abort) return;
      stop();
      const curves = sitting.view.players.length > 2 ? "How far each player is ahead of the average" : "The line of each player over the moves";
      state.textContent = plies.length ? `${curves}; click to go there.` : "";
      draw();
    });
  }

  function schedule() {
    if (dirty) return;
    dirty = true;
    requestAnimationFrame(() => {
      dirty = false;
      draw();
    });
  }

  /** The moves that gave most away, the worst first. */
  function worst() {
    const lost = plies.filter((ply) => ply.at < sitting.moves.length && ply.best && (ply.swing ?? 0) !== 0 && ply.best !== sitting.moves[ply.at]);
    const size = (/** @type {Ply} */ ply) => Math.abs(ply.swing ?? 0);
    return lost.sort((a, b) => size(b) - size(a)).slice(0, 6);
  }

  function draw() {
    const marked = worst();
    graph.show(sitting.view, plies, sitting.moves.length, sitting.at, new Set(marked.map((ply) => ply.at)));
    fill(swings, marked.map((ply) => {
      const mover = sitting.movers[ply.at];
      const line = ply.line.length ? ply.line : ply.best ? [ply.best] : [];
      return h("li", {},
        h("button", { type: "button", class: "swing", onclick: () => goto(ply.at) },
          h("span", { class: `${seatClass(sitting.game, mover)} small`, "aria-hidden": "true" }),
          h("span", {}, `${ply.at + 1}. ${mover === null || mover === undefined ? "" : `${playerName(sitting.view, mover)} `}`, h("s", {}, moveText(sitting.game, sitting.moves[ply.at]))),
          h("span", { class: "worth" }, signed(-Math.abs(ply.swing ?? 0)))),
        h("button", {
          type: "button", class: "link better", title: "Show the better line",
          onclick: () => {
            void sitting.goto(ply.at).then(() => stage.settled).then(() => stage.walk(line)).catch(complain);
          },
        }, `better ${lineText(sitting.game, line.slice(0, 5))}`));
    }));
  }

  return {
    name: "review",
    title: "Review",
    element,
    follow() {
      if (reviewed && ![...sitting.moves, ""].join(" ").startsWith(reviewed)) {
        stop();
        plies = [];
        reviewed = "";
        state.textContent = "The game has changed since: review it again.";
      }
      draw();
    },
    destroy: stop,
  };
}
