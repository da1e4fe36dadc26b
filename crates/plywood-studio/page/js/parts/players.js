/** The players of a game: colour, name, who it is, what they have, whose turn it is. */
import { fill, h } from "../dom.js";
import { playerName, seatClass, sweptBoard } from "../games.js";
import { seatSelect } from "./seats.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("../types.js").SeatSpec} SeatSpec */
/** @typedef {import("../types.js").View} View */

/** What a seat has so far, in words. @param {View} view @param {number} seat */
export function standing(view, seat) {
  const { board } = view;
  if (board.kind === "kalah") return { number: String(sweptBoard(view).stores[seat]), text: "in store" };
  if (board.kind === "2048") return { number: board.score.toLocaleString("en"), text: "points" };
  if (board.kind === "blokus") {
    const left = board.left[seat].length;
    return { number: String(board.points[seat]), text: board.out[seat] ? `out, ${left} left` : `${left} left` };
  }
  return null;
}

/**
 * @param {GameInfo} info
 * @param {(seat: number, spec: SeatSpec) => void} onSeat
 */
export function playerStrip(info, onSeat) {
  const element = h("ul", { class: "players", "aria-label": "Players" });
  return {
    element,
    /** @param {View} view @param {SeatSpec[]} seats @param {boolean} thinking @param {boolean} fixed */
    show(view, seats, thinking, fixed) {
      // A select that is open must not be replaced under the reader's hand.
      if (element.contains(document.activeElement) && document.activeElement?.tagName === "SELECT" && element.children.length) {
        const rows = [...element.children];
        rows.forEach((row, i) => {
          row.classList.toggle("to-move", view.turn.kind === "player" && view.turn.seat === i);
          const number = row.querySelector(".number");
          const have = standing(view, i);
          if (number && have) number.textContent = have.number;
        });
        return;
      }
      fill(element, view.players.map((_, seat) => {
        const toMove = view.turn.kind === "player" && view.turn.seat === seat;
        const have = standing(view, seat);
        const name = playerName(view, seat);
        return h("li", { class: `player${toMove ? " to-move" : ""}${toMove && thinking ? " thinking" : ""}`, "aria-current": toMove ? "true" : null },
          h("span", { class: seatClass(view.game, seat), "aria-hidden": "true" }),
          h("span", { class: "player-name" }, name,
            toMove && thinking && h("span", { class: "turn-note" }, "thinking")),
          have && h("span", { class: "have" }, h("span", { class: "number" }, have.number), " ", h("span", { class: "muted" }, have.text)),
          fixed ? null : seatSelect(info, seats[seat] ?? { kind: "person" }, `Who plays ${name}`, (spec) => onSeat(seat, spec)));
      }));
    },
  };
}
