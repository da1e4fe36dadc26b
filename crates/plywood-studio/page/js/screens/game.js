/** A game: the board, who plays, the moves, and everything the engine can say about it. */
import { api } from "../api.js";
import { complain, h, say, toast } from "../dom.js";
import { EnginePlayer } from "../engine-player.js";
import { gameName, gameTitle, playerName, spokenMove } from "../games.js";
import { analysisPanel } from "../panels/analysis.js";
import { comparePanel } from "../panels/compare.js";
import { reviewPanel } from "../panels/review.js";
import { evaluationBar } from "../parts/evaluation-bar.js";
import { gameControls } from "../parts/controls.js";
import { gamePanel } from "../panels/game.js";
import { learnNames } from "../parts/move-name.js";
import { playerStrip } from "../parts/players.js";
import { Stage } from "../parts/stage.js";
import { tabs } from "../parts/tabs.js";
import { FreeSitting, TableSitting } from "../sitting.js";
import { go, writePlace } from "../share.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../sitting.js").Sitting} Sitting */
/** @typedef {import("../sitting.js").Change} Change */

/** @param {GameInfo[]} games @param {string} id @param {string} [tab] */
export async function tableScreen(games, id, tab) {
  return gameScreen(games, await TableSitting.open(id), tab);
}

/** @param {GameInfo[]} games @param {{game: string, position?: string, moves: string[]}} place */
export async function linkedScreen(games, place) {
  return gameScreen(games, await FreeSitting.open(place.game, place.position, place.moves));
}

/** How many cores the server has. */
async function coresOf() {
  const status = await api.status();
  return Math.max(1, Math.min(64, status.limits?.threads ?? status.cores ?? 1));
}

/**
 * @param {GameInfo[]} games
 * @param {Sitting} sitting
 * @param {string} [tab]
 */
async function gameScreen(games, sitting, tab) {
  const found = games.find((game) => game.name === gameName(sitting.game));
  if (!found) throw new Error(`there is no game ${sitting.game}`);
  const info = found;
  const [cores] = await Promise.all([coresOf(), learnNames(sitting.game)]);
  const kept = sitting instanceof TableSitting ? sitting : null;

  /** @param {string} move */
  const play = (move) => {
    sitting.play(move).catch((error) => {
      complain(error);
      void refresh({ played: null });
    });
  };
  const stage = new Stage(play);
  const bar = evaluationBar();
  const analysis = analysisPanel(stage, bar, cores, info.value);
  const engine = kept ? new EnginePlayer(kept, async () => void await stage.settled) : null;
  const strip = playerStrip(info, (seat, spec) => {
    const seats = sitting.seats.map((each, i) => (i === seat ? spec : each));
    engine?.interrupt();
    if (kept) kept.seat(seats).catch(complain);
  });
  const goto = (/** @type {number} */ at) => {
    engine?.interrupt();
    stage.leaveWalk();
    sitting.goto(at).catch(complain);
  };
  const controls = gameControls(sitting, engine, goto);
  const panel = gamePanel(sitting, goto);
  const review = reviewPanel(sitting, stage, goto, analysis.suspend);
  const compare = comparePanel(info, stage, analysis.suspend);
  const side = tabs([panel, analysis, review, compare], tab, (name) => {
    // The tab is part of the address, but no place of its own to go back to.
    if (kept) history.replaceState(null, "", writePlace({ screen: "table", id: kept.table?.id ?? "", tab: name === "game" ? undefined : name }));
  });
  const status = h("p", { class: "status-line" });

  function drawStatus() {
    const { view } = sitting;
    const { turn } = view;
    status.classList.toggle("over", turn.kind === "over");
    status.textContent = view.result ? `${view.result[0].toUpperCase()}${view.result.slice(1)}`
      : turn.kind === "chance" ? "A new tile is to come"
        : turn.kind === "player" ? `${playerName(view, turn.seat)} ${engine?.thinking ? "thinks" : "to move"}` : "";
    strip.show(view, sitting.seats, engine?.thinking ?? false, !kept);
    controls.show();
  }

  /** @param {Change} change */
  async function refresh(change) {
    const { view } = sitting;
    drawStatus();
    panel.show();
    review.follow();
    compare.follow(view);
    analysis.follow(view);
    await stage.show(view, { interactive: sitting.personToMove, played: change.played ?? undefined });
  }

  /** Says what happened. @param {Change} change */
  function tell(change) {
    const { view } = sitting;
    const from = sitting.at - (change.played?.length ?? 0);
    const parts = (change.played ?? []).map((move, i) => {
      const mover = sitting.movers[from + i];
      const who = mover === null || mover === undefined ? "Chance:" : playerName(view, mover);
      return `${who} ${spokenMove(sitting.game, move)}.`;
    });
    if (!parts.length) parts.push(`Move ${sitting.at} of ${sitting.moves.length}.`);
    if (view.result) parts.push(`The game is over: ${view.result}.`);
    else if (view.turn.kind === "player") parts.push(`${playerName(view, view.turn.seat)} to move.`);
    say(parts.join(" "));
  }

  const onChange = (/** @type {Event} */ event) => {
    const { detail } = /** @type {CustomEvent<Change>} */ (event);
    if (sitting instanceof FreeSitting) {
      history.replaceState(null, "", writePlace({ screen: "linked", game: sitting.game, position: sitting.start, moves: sitting.moves.slice(0, sitting.at) }));
    }
    tell(detail);
    void refresh(detail);
  };
  sitting.addEventListener("change", onChange);
  engine?.addEventListener("state", drawStatus);
  engine?.addEventListener("progress", (event) => {
    const progress = /** @type {CustomEvent} */ (event).detail;
    if (progress.values?.length) bar.show(sitting.view, progress);
  });

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const target = event.target;
    if (target instanceof Element && target.closest("input, select, textarea, dialog")) return;
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (control && key === "z") controls.act(event.shiftKey ? "redo" : "undo");
    else if (control && key === "y") controls.act("redo");
    else if (control || event.altKey) return;
    else if (key === ",") controls.act("back");
    else if (key === ".") controls.act("forward");
    else if (key === "a" && gameName(sitting.game) !== "2048") {
      side.select("analysis");
      analysis.toggle();
    } else return;
    event.preventDefault();
  }
  document.addEventListener("keydown", onKey);

  const linked = !kept && h("div", { class: "linked-note" },
    h("span", {}, "A position from a link: try moves out, nothing is kept."),
    h("button", { type: "button", class: "primary", onclick: () => {
      go({ screen: "new", game: sitting.game, position: sitting.view.position });
    } }, "Play from here"));
  const element = h("section", { class: `game game-${gameName(sitting.game)}` },
    h("div", { class: "stage" },
      h("div", { class: "stage-head" }, h("h1", {}, sitting.table?.title || gameTitle(sitting.game)), status),
      linked, strip.element, bar.element, stage.element, controls.element),
    h("aside", { class: "side", "aria-label": "About the game" }, side.element));

  await refresh({ played: null });
  engine?.wake();
  if (engine && engine.due && !sitting.atEnd) toast("The game was taken back: Go on lets the engine move.");
  return {
    element,
    title: gameTitle(sitting.game),
    destroy() {
      sitting.removeEventListener("change", onChange);
      document.removeEventListener("keydown", onKey);
      engine?.end();
      analysis.destroy();
      review.destroy();
      compare.destroy();
      stage.destroy();
    },
  };
}
