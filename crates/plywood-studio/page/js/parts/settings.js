/** What can be chosen about the page itself. */
import { h } from "../dom.js";
import { prefer, preferences } from "../preferences.js";

/**
 * @param {string} id
 * @param {string} label
 * @param {[string, string][]} choices
 * @param {string} value
 * @param {(value: string) => void} onChange
 */
function select(id, label, choices, value, onChange) {
  return h("div", { class: "field" }, h("label", { for: id }, label), h("select", {
    id, value, onchange: (/** @type {Event} */ event) => onChange(/** @type {HTMLSelectElement} */ (event.target).value),
  }, choices.map(([each, text]) => h("option", { value: each }, text))));
}

export function showSettings() {
  const { theme, speed } = preferences();
  const dialog = h("dialog", { "aria-labelledby": "settings-title" },
    h("h2", { id: "settings-title" }, "Settings"),
    select("speed", "Animation", [["0", "Off"], ["0.5", "Slow"], ["1", "Normal"], ["2.5", "Fast"]], String(speed), (value) => prefer({ speed: Number(value) })),
    select("theme", "Colours", [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]], theme, (value) => prefer({ theme: /** @type {"auto"} */ (value) })),
    h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
