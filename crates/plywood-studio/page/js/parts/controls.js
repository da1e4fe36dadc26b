/** Back, forward, undo, redo, and the engine's pause. */
import { complain, h, iconButton } from "../dom.js";
import { ICONS } from "../icons.js";

/** @typedef {import("../sitting.js").Sitting} Sitting */
/** @typedef {import("../engine-player.js").EnginePlayer} EnginePlayer */
/** @typedef {"first" | "back" | "forward" | "last" | "undo" | "redo"} Action */

/**
 * @param {Sitting} sitting
 * @param {EnginePlayer | null} engine
 * @param {(at: number) => void} goto
 */
export function gameControls(sitting, engine, goto) {
  /** @param {Action} action */
  function act(action) {
    switch (action) {
      case "first": return sitting.at > 0 && goto(0);
      case "back": return sitting.at > 0 && goto(sitting.at - 1);
      case "forward": return !sitting.atEnd && goto(sitting.at + 1);
      case "last": return !sitting.atEnd && goto(sitting.moves.length);
      case "undo":
        engine?.interrupt();
        return void sitting.undo().catch(complain);
      default:
        engine?.interrupt();
        return void sitting.redo().catch(complain);
    }
  }
  const first = iconButton("To the start", ICONS.first, () => act("first"));
  const back = iconButton("One move back (,)", ICONS.back, () => act("back"));
  const forward = iconButton("One move forward (.)", ICONS.forward, () => act("forward"));
  const last = iconButton("To the last move", ICONS.last, () => act("last"));
  const undo = h("button", { type: "button", id: "undo", title: "Undo (Ctrl+Z)", onclick: () => act("undo") }, "Undo");
  const redo = h("button", { type: "button", id: "redo", title: "Redo (Ctrl+Y)", onclick: () => act("redo") }, "Redo");
  const pause = h("button", { type: "button", id: "pause", hidden: true, onclick: () => {
    if (!engine) return;
    const going = engine.thinking || (!engine.paused && sitting.atEnd);
    engine.pause(going);
  } });
  const element = h("div", { class: "controls", role: "toolbar", "aria-label": "Moves back and forward" },
    first, back, forward, last, h("span", { class: "gap" }), undo, redo, pause);
  return {
    element,
    act,
    show() {
      const start = sitting.at === 0;
      const end = sitting.atEnd;
      first.disabled = start;
      back.disabled = start;
      undo.disabled = start;
      forward.disabled = end;
      last.disabled = end;
      redo.disabled = end;
      pause.hidden = !engine?.due;
      if (engine) pause.textContent = engine.thinking || (!engine.paused && end) ? "Pause the engine" : "Go on";
    },
  };
}
