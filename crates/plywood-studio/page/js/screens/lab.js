/** Runs of the lab: what there is, their reports, two side by side, and new ones. */
import { api } from "../api.js";
import { complain, fill, h, toast } from "../dom.js";
import { ago } from "../format.js";
import { comparisonTable } from "../panels/comparison-table.js";
import { sweepForm } from "../panels/sweep-form.js";
import { writePlace } from "../share.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */
/**
 * @typedef {Object} RunInfo
 * @property {string} id
 * @property {string} name
 * @property {number} made
 * @property {number} of
 * @property {number} settings
 * @property {"running" | "done" | "stopped" | "failed" | "unreadable"} state
 * @property {string} [message]
 * @property {number} created
 */

/** @param {GameInfo[]} games @param {{run?: string}} place */
export async function labScreen(games, place) {
  const status = await api.status();
  const table = h("div", { class: "scroll-x", tabindex: 0, role: "region", "aria-label": "Runs" });
  const report = h("section", { "aria-labelledby": "report-title" });
  const comparison = h("section", { "aria-label": "Two runs side by side" });
  const progress = h("section", { class: "sweep-progress", "aria-label": "The sweep that is being measured", hidden: true });
  /** @type {Set<string>} */
  const picked = new Set();
  /** @type {RunInfo[]} */
  let runs = [];
  let watch = new AbortController();
  let watched = "";

  async function load() {
    runs = await api.runs();
    draw();
    const running = runs.find((run) => run.state === "running");
    if (running && watched !== running.id) void follow(running.id, running.name);
  }

  /** @param {RunInfo} run */
  const row = (run) => h("tr", {},
    h("td", {}, h("input", {
      type: "checkbox", checked: picked.has(run.id), "aria-label": `Compare ${run.id}`,
      onchange: (/** @type {Event} */ event) => {
        if (/** @type {HTMLInputElement} */ (event.target).checked) picked.add(run.id);
        else picked.delete(run.id);
        compareButton.disabled = picked.size !== 2;
      },
    })),
    h("td", {}, h("a", { href: writePlace({ screen: "lab", run: run.id }) }, run.name), run.name !== run.id && h("small", { class: "muted" }, ` ${run.id}`)),
    h("td", {}, run.message ? `${run.state}: ${run.message}` : run.state),
    h("td", {}, `${run.made} of ${run.of}`), h("td", {}, run.settings), h("td", { class: "muted" }, ago(run.created)));

  const compareButton = h("button", { type: "button", id: "compare-runs", disabled: true, onclick: () => {
    const [b, a] = runs.filter((run) => picked.has(run.id)).map((run) => run.id);
    api.compareRuns(a, b).then((answer) => fill(comparison, comparisonTable(answer))).catch(complain);
  } }, "Compare the two that are marked");

  function draw() {
    if (!runs.length) {
      fill(table, h("p", { class: "muted" }, "No runs yet. A sweep measures every combination of what is chosen below, in turns, and makes a report."));
      compareButton.hidden = true;
      return;
    }
    compareButton.hidden = runs.length < 2;
    fill(table, h("table", { class: "runs" }, h("thead", {}, h("tr", {}, ["", "Run", "State", "Measurements", "Settings", "Begun"].map((name) => (
      name ? h("th", { scope: "col" }, name) : h("td", {}, h("span", { class: "visually-hidden" }, "Compare")))))), h("tbody", {}, runs.map(row))));
  }

  /** @param {string} id @param {string} name */
  async function follow(id, name) {
    watch.abort();
    watch = new AbortController();
    watched = id;
    const bar = h("progress", { max: 1, value: 0, "aria-label": `Progress of ${name}` });
    const line = h("p", { role: "status" }, "Starting…");
    progress.hidden = false;
    fill(progress, h("h2", {}, `Measuring ${name}`), bar, line,
      h("button", { type: "button", id: "stop-sweep", onclick: () => api.stopSweep(id).then(() => toast("Stopping after this measurement"), complain) }, "Stop"));
    try {
      await api.watchSweep(id, (event, data) => {
        bar.max = Math.max(1, data.of);
        bar.value = data.made;
        line.textContent = event === "done" ? `${data.state[0].toUpperCase()}${data.state.slice(1)}: ${data.made} of ${data.of} measurements${data.message ? ` (${data.message})` : ""}`
          : `${data.made} of ${data.of} measurements`;
        if (event === "done") progress.querySelector("button")?.remove();
      }, watch.signal);
      watched = "";
      await load();
    } catch (error) {
      watched = "";
      complain(error);
    }
  }

  if (place.run) {
    fill(report, h("h2", { id: "report-title" }, `Report of ${place.run}`),
      h("p", {}, h("a", { href: api.reportUrl(place.run), target: "_blank", rel: "noopener" }, "In a window of its own"), " · ", h("a", { href: "#/lab" }, "Close")),
      h("iframe", { class: "report-frame", src: api.reportUrl(place.run), sandbox: "", title: `Report of ${place.run}` }));
  }
  await load();
  return {
    title: place.run ? `Report of ${place.run}` : "Lab",
    element: h("section", { class: "page lab" }, h("h1", {}, "Lab"), report, progress, table, h("div", {}, compareButton), comparison,
      sweepForm(games, status.limits?.threads ?? status.cores ?? 1, async (fields) => {
        const begun = await api.startSweep(fields);
        if (begun.skipped?.length) toast(`${begun.skipped.length} combinations do not exist and are left out`);
        // Its folder may not be there yet: it is followed by its name, not found in the list.
        void follow(begun.id, begun.id);
        await load();
        progress.scrollIntoView({ block: "nearest" });
      })),
    destroy: () => watch.abort(),
  };
}
