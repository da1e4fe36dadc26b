/** The moves of a game, each of which can be gone to. */
import { h } from "../dom.js";
import { seatClass } from "../games.js";
import { moveName } from "./move-name.js";

/** @typedef {import("../sitting.js").Sitting} Sitting */

/** @param {(at: number) => void} goto */
export function moveList(goto) {
  const element = h("ol", { class: "move-list", "aria-label": "Moves" });
  /** @type {string} */
  let key = "";
  /** Where the list stood. */
  let shown = 0;

  return {
    element,
    /** @param {Sitting} sitting */
    show(sitting) {
      const { moves, movers, game, at } = sitting;
      const now = [game, ...moves, ""].join(" ");
      let added = 0;
      if (now !== key) {
        // Most of the time one move is added: the others stay.
        const grown = key !== "" && now.startsWith(key);
        const from = grown ? element.children.length : 0;
        if (!grown) {
          element.replaceChildren();
          shown = 0;
        }
        added = moves.length;
        key = now;
        for (let i = from; i < moves.length; i += 1) {
          element.append(h("li", {}, h("button", { type: "button", class: "move", title: moves[i], onclick: () => goto(i + 1) },
            h("span", { class: "ply" }, i + 1), h("span", { class: `${seatClass(game, movers[i])} small`, "aria-hidden": "true" }), moveName(game, moves[i], movers[i]))));
        }
      }
      // A game of 2048 has thousands: only what lies between before and now can have changed.
      const from = Math.max(0, Math.min(shown, at) - 1);
      const to = Math.min(element.children.length, Math.max(shown, at, added));
      for (let i = from; i < to; i += 1) {
        const item = element.children[i];
        item.classList.toggle("undone", i >= at);
        if (i + 1 === at) item.firstElementChild?.setAttribute("aria-current", "step");
        else item.firstElementChild?.removeAttribute("aria-current");
      }
      shown = at;
      if (at > 0) scrollTo(element, /** @type {HTMLElement} */ (element.children[at - 1]));
      else element.scrollTop = 0;
    },
  };
}

/** Within the list alone: the page itself stays where it is. @param {HTMLElement} list @param {HTMLElement} item */
function scrollTo(list, item) {
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}
