/** Panels behind tabs. */
import { h } from "../dom.js";

/** @typedef {{name: string, title: string, element: HTMLElement, shown?: () => void, hidden?: () => void}} Panel */

/**
 * @param {Panel[]} panels
 * @param {string} [first]
 * @param {(name: string) => void} [onChange]
 */
export function tabs(panels, first, onChange) {
  let current = panels.find((panel) => panel.name === first) ?? panels[0];
  const buttons = panels.map((panel) => h("button", {
    type: "button", role: "tab", id: `tab-${panel.name}`, "aria-controls": `panel-${panel.name}`, onclick: () => select(panel.name),
  }, panel.title));
  const bodies = panels.map((panel) => h("div", {
    role: "tabpanel", id: `panel-${panel.name}`, "aria-labelledby": `tab-${panel.name}`, tabindex: 0,
  }, panel.element));
  const list = h("div", { role: "tablist", "aria-label": "Panels", class: "tabs" }, buttons);
  list.addEventListener("keydown", (event) => {
    const index = panels.indexOf(current);
    const to = event.key === "ArrowRight" ? index + 1 : event.key === "ArrowLeft" ? index - 1 : null;
    if (to === null) return;
    event.preventDefault();
    const next = (to + panels.length) % panels.length;
    select(panels[next].name);
    buttons[next].focus();
  });

  function draw() {
    panels.forEach((panel, i) => {
      const on = panel === current;
      buttons[i].setAttribute("aria-selected", String(on));
      buttons[i].tabIndex = on ? 0 : -1;
      bodies[i].hidden = !on;
    });
  }

  /** @param {string} name */
  function select(name) {
    const next = panels.find((panel) => panel.name === name);
    if (!next || next === current) return;
    current.hidden?.();
    current = next;
    draw();
    next.shown?.();
    onChange?.(name);
  }

  draw();
  current.shown?.();
  return { element: h("div", { class: "side-tabs" }, list, bodies), select, current: () => current.name };
}
