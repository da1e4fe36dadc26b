/** Settings that two runs have both measured, next to each other. */
import { h } from "../dom.js";
import { count, time } from "../format.js";
import { gameTitle } from "../games.js";

/** @typedef {{value: number, interval: [number, number] | null}} Estimate */
/** @typedef {{count: number, seconds: Estimate, nodes: unknown}} Measured */
/**
 * @typedef {Object} Row
 * @property {string} game
 * @property {string} position
 * @property {string} search
 * @property {number} depth
 * @property {string} strategy
 * @property {number} threads
 * @property {Measured} a
 * @property {Measured} b
 * @property {Estimate} ratio
 * @property {string} verdict
 */

/** @param {Estimate} estimate */
function ratio({ value, interval }) {
  return `${value.toFixed(2)}${interval ? ` (${interval[0].toFixed(2)} – ${interval[1].toFixed(2)})` : ""}`;
}

/** @param {Measured} measured */
const cell = ({ seconds, count: n }) => h("td", {}, time(seconds.value * 1000), h("small", { class: "muted" }, ` × ${count(n)}`));

/** @param {{a: {name: string, id: string}, b: {name: string, id: string}, rows: Row[]}} comparison */
export function comparisonTable({ a, b, rows }) {
  if (!rows.length) return h("p", {}, `${a.id} and ${b.id} have no setting in common: nothing can be compared.`);
  return h("div", { class: "scroll-x", tabindex: 0, role: "region", "aria-label": "Comparison" },
    h("h2", {}, `${a.id} and ${b.id}`),
    h("p", { class: "muted" }, "Medians of the times. Above 1 the second is faster; in brackets the 95 % interval."),
    h("table", { class: "runs" },
      h("thead", {}, h("tr", {}, ["Setting", a.id, b.id, "Times as fast", "Verdict"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, rows.map((row) => h("tr", {},
        h("td", {}, `${gameTitle(row.game)}, ${row.search} to depth ${row.depth}`, h("small", { class: "muted" }, ` ${row.strategy}, ${row.threads} ${row.threads === 1 ? "thread" : "threads"}${row.position ? `, ${row.position}` : ""}`)),
        cell(row.a), cell(row.b), h("td", {}, ratio(row.ratio)), h("td", {}, row.verdict))))));
}
