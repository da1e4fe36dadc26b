/** The moves of a game, each of which can be gone to. */
import { h } from "../dom.js";
import { seatClass } from "../games.js";
import { moveName } from "./move-name.js";

/** @typedef {import("../session.js").Session} Session */

/** @param {(at: number) => void} goto */
export function moveList(goto) {
  const element = h("ol", { class: "move-list", "aria-label": "Moves" });
  /** @type {string} */
  let key = "";

  return {
    element,
    /** @param {Session} session */
    show(session) {
      const { moves, movers, game, at } = session;
      const now = `${game} ${moves.join(" ")}`;
      if (now !== key) {
        // Most of the time one move is added: the others stay.
        const grown = key !== "" && now.startsWith(key);
        const from = grown ? element.children.length : 0;
        if (!grown) element.replaceChildren();
        key = now;
        for (let i = from; i < moves.length; i += 1) {
          element.append(h("li", {}, h("button", { type: "button", class: "move", title: moves[i], onclick: () => goto(i + 1) },
            h("span", { class: "ply" }, i + 1), h("span", { class: `${seatClass(game, movers[i])} small`, "aria-hidden": "true" }), moveName(game, moves[i], movers[i]))));
        }
      }
      let current = null;
      [...element.children].forEach((item, i) => {
        const button = /** @type {HTMLElement} */ (item.firstElementChild);
        item.classList.toggle("undone", i >= at);
        if (i + 1 === at) {
          button.setAttribute("aria-current", "step");
          current = item;
        } else button.removeAttribute("aria-current");
      });
      if (current) scrollTo(element, current);
      else if (at === 0) element.scrollTop = 0;
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
