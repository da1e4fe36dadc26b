/** What the keys do. */
import { h } from "../dom.js";

const KEYS = [
  ["Tab, Shift+Tab", "from one thing to the next"],
  ["Arrows", "walk over a board; slide the tiles of 2048"],
  ["Enter or Space", "move there, sow this pit, take or place this piece"],
  ["R, Shift+R", "turn the piece in hand (also the wheel)"],
  ["F", "flip it (also the right button, or Shift and the wheel)"],
  ["N, Shift+N", "next or previous place where it fits"],
  ["Escape", "put it back"],
  ["2, 4", "as the spawner of 2048: place that tile on the cell"],
  [", and .", "one move back and forward"],
  ["Ctrl+Z, Ctrl+Y", "undo and redo"],
  ["A", "start or stop the analysis"],
  ["?", "these lines"],
];

export function showKeys() {
  const dialog = h("dialog", { class: "keys", "aria-labelledby": "keys-title" },
    h("h2", { id: "keys-title" }, "Keys"),
    h("dl", {}, KEYS.flatMap(([keys, what]) => [h("dt", {}, keys), h("dd", {}, what)])),
    h("form", { method: "dialog" }, h("button", { class: "primary", autofocus: true }, "Close")));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
