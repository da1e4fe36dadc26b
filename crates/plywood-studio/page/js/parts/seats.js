/** Who sits where: a person, or an engine of some level. */
import { h } from "../dom.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").SeatSpec} SeatSpec */

/** @param {GameInfo} info */
export function defaultLevel(info) {
  return info.level;
}

/** @param {SeatSpec} seat */
const valueOf = (seat) => (seat.kind === "person" ? "person" : seat.level ? String(seat.level) : "own");

/**
 * @param {GameInfo} info
 * @param {SeatSpec} seat
 * @param {string} label
 * @param {(seat: SeatSpec) => void} onChange
 * @param {boolean} [explained]  whether each level says what it does
 */
export function seatSelect(info, seat, label, onChange, explained = false) {
  return h("select", {
    class: "seat-select", "aria-label": label, value: valueOf(seat),
    onchange: (/** @type {Event} */ event) => {
      const { value } = /** @type {HTMLSelectElement} */ (event.target);
      if (value !== "own") onChange(value === "person" ? { kind: "person" } : { kind: "engine", level: Number(value) });
    },
  },
  h("option", { value: "person" }, "Person"),
  h("optgroup", { label: "Engine" }, info.levels.map(({ level, summary }) => (
    h("option", { value: String(level), title: summary }, explained ? `Level ${level}: ${summary}` : `Level ${level}`)))),
  seat.kind === "engine" && !seat.level && h("option", { value: "own" }, seat.engine ?? seat.search ?? "Engine"));
}
