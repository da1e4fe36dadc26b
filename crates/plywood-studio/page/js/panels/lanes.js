/** What every core does: a lane for each, with what it did moment by moment, the shares of its time, and the counts of tasks. */
import { fill, h } from "../dom.js";
import { count, time } from "../format.js";

/** @typedef {import("../types.js").Lane} Lane */
/** @typedef {import("../types.js").Lanes} Lanes */

const STATES = /** @type {const} */ ([["busy", "searching", "#009e73"], ["stealing", "looking for work", "#e69f00"], ["joining", "waiting for others", "#56b4e9"], ["idle", "idle", "#9a9a9a"]]);
const TASKS = /** @type {const} */ ([["offered", "offered"], ["converted", "taken by another core"], ["fizzled", "done at home"], ["cancelled", "cancelled"], ["aborted", "aborted"]]);

/** How many moments a strip shows, and how wide each is in pixels. */
const MOMENTS = 200;
const WIDTH = 3;
const HEIGHT = 24;

/** The last moments of one core: in each of them, what share of it went where. */
function strip() {
  const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { class: "lane-strip", width: MOMENTS * WIDTH, height: HEIGHT, "aria-hidden": "true" }));
  const pen = canvas.getContext("2d");
  /** @type {Lane | null} */
  let before = null;
  /** @type {number[][]} */
  let moments = [];
  return {
    canvas,
    /** @param {Lane} lane */
    add(lane) {
      const spent = STATES.map(([name]) => lane[`${name}_ms`] - (before?.[`${name}_ms`] ?? 0));
      const whole = spent.reduce((sum, ms) => sum + Math.max(0, ms), 0);
      before = lane;
      if (whole <= 0 || !pen) return;
      moments.push(spent.map((ms) => Math.max(0, ms) / whole));
      moments = moments.slice(-MOMENTS);
      pen.clearRect(0, 0, canvas.width, canvas.height);
      moments.forEach((shares, i) => {
        let top = HEIGHT;
        shares.forEach((share, k) => {
          pen.fillStyle = STATES[k][2];
          top -= share * HEIGHT;
          pen.fillRect(i * WIDTH, top, WIDTH, share * HEIGHT);
        });
      });
    },
  };
}

export function lanesPanel() {
  const rows = h("div", { class: "lanes" });
  const tasks = h("dl", { class: "facts tasks" });
  const legend = h("div", { class: "bar-legend" }, STATES.map(([name, text]) => h("span", { class: "bar-value" }, h("span", { class: `lane-key ${name}`, "aria-hidden": "true" }), text)));
  const element = h("div", { class: "lanes-frame", hidden: true }, legend, rows, tasks);
  /** @type {ReturnType<typeof strip>[]} */
  let strips = [];
  return {
    element,
    clear() {
      element.hidden = true;
      strips = [];
      fill(rows);
    },
    /** @param {Lanes} lanes */
    show(lanes) {
      element.hidden = !lanes.workers.length;
      const whole = Math.max(1e-9, ...lanes.workers.map((lane) => lane.busy_ms + lane.stealing_ms + lane.joining_ms + lane.idle_ms));
      while (rows.children.length > lanes.workers.length) {
        rows.lastElementChild?.remove();
        strips.pop();
      }
      lanes.workers.forEach((lane, i) => {
        let row = rows.children[i];
        if (!row) {
          strips[i] = strip();
          row = h("div", { class: "lane" }, h("span", { class: "lane-name" }, `Core ${i + 1}`),
            h("div", { class: "lane-bar", role: "img" }, STATES.map(([name]) => h("span", { class: `lane-part ${name}` })), h("span", { class: "lane-part rest" })),
            h("span", { class: "lane-nodes" }), strips[i].canvas, h("span", { class: "lane-now" }));
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
        strips[i].add(lane);
        row.children[4].textContent = STATES.find(([name]) => name === lane.now)?.[1] ?? "done";
      });
      fill(tasks, TASKS.map(([name, text]) => h("div", {}, h("dt", {}, text), h("dd", {}, count(lanes.tasks[name] ?? 0)))));
    },
  };
}
