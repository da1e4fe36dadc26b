/** What every core does: a lane for each, with the shares of its time, and the counts of tasks. */
import { fill, h } from "../dom.js";
import { count, time } from "../format.js";

/** @typedef {import("../types.js").Lanes} Lanes */

const STATES = /** @type {const} */ ([["busy", "searching"], ["stealing", "looking for work"], ["joining", "waiting for others"], ["idle", "idle"]]);
const TASKS = /** @type {const} */ ([["offered", "offered"], ["converted", "taken by another core"], ["fizzled", "done at home"], ["cancelled", "cancelled"], ["aborted", "aborted"]]);

export function lanesPanel() {
  const rows = h("div", { class: "lanes" });
  const tasks = h("dl", { class: "facts tasks" });
  const legend = h("div", { class: "bar-legend" }, STATES.map(([name, text]) => h("span", { class: "bar-value" }, h("span", { class: `lane-key ${name}`, "aria-hidden": "true" }), text)));
  const element = h("div", { class: "lanes-frame", hidden: true }, legend, rows, tasks);
  return {
    element,
    clear() {
      element.hidden = true;
    },
    /** @param {Lanes} lanes */
    show(lanes) {
      element.hidden = !lanes.workers.length;
      const whole = Math.max(1e-9, ...lanes.workers.map((lane) => lane.busy_ms + lane.stealing_ms + lane.joining_ms + lane.idle_ms));
      while (rows.children.length > lanes.workers.length) rows.lastElementChild?.remove();
      lanes.workers.forEach((lane, i) => {
        let row = rows.children[i];
        if (!row) {
          row = h("div", { class: "lane" }, h("span", { class: "lane-name" }, `Core ${i + 1}`),
            h("div", { class: "lane-bar", role: "img" }, STATES.map(([name]) => h("span", { class: `lane-part ${name}` })), h("span", { class: "lane-part rest" })),
            h("span", { class: "lane-nodes" }));
          rows.append(row);
        }
        const bar = row.children[1];
        let used = 0;
        STATES.forEach(([name], k) => {
          const ms = lane[`${name}_ms`];
          used += ms;
          /** @type {HTMLElement} */ (bar.children[k]).style.flexGrow = (ms / whole).toFixed(4);
        });
        /** @type {HTMLElement} */ (bar.children[STATES.length]).style.flexGrow = Math.max(0, 1 - used / whole).toFixed(4);
        bar.setAttribute("aria-label", `Core ${i + 1}: ${STATES.map(([name, text]) => `${text} ${time(lane[`${name}_ms`])}`).join(", ")}`);
        row.children[2].textContent = `${count(lane.nodes)} nodes`;
      });
      fill(tasks, TASKS.map(([name, text]) => h("div", {}, h("dt", {}, text), h("dd", {}, count(lanes.tasks[name] ?? 0)))));
    },
  };
}
