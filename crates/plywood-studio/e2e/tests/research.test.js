import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, freshPage, textOf, until, visit } from "../harness.js";

const { studio, browser } = await begin();

test("a search shows what every core does, and its tree can be zoomed", async () => {
  const page = await freshPage(browser);
  await visit(page, studio, "#/research");
  await page.select("#research-strategy", "ybwc");
  // The depth ends it, not the time, also on a machine that does other things.
  await page.select("#research-limit", "60000");
  await page.$eval("#research-depth", (field) => { /** @type {HTMLInputElement} */ (field).value = "5"; });
  await page.click("#run");
  await page.waitForSelector(".lane");
  const cores = (await studio.api("GET", "/status")).limits.threads;
  await until(page, (want) => document.querySelectorAll(".lane").length === want, cores);
  await until(page, () => document.getElementById("run")?.textContent === "Search");
  assert.match(await textOf(page, ".facts.wide"), /Depth5/);
  if (cores > 1) {
    await page.waitForSelector(".tree-node");
    const label = await page.$eval(".tree-node", (node) => node.getAttribute("aria-label") ?? "");
    assert.match(label, /root: .* nodes/);
    // The widest part of the first row that has parts of its own is zoomed to, and left again.
    const opened = await page.evaluate(() => {
      const parts = /** @type {SVGGElement[]} */ ([...document.querySelectorAll('.tree-node.depth-1[tabindex="0"]')]);
      parts[0]?.focus();
      return parts[0]?.getAttribute("aria-label") ?? "";
    });
    assert.equal(await textOf(page, ".tree-frame [role=status]"), opened);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".tree-path button");
  }
});

test("a search is stopped", async () => {
  const page = await freshPage(browser);
  await visit(page, studio, "#/research");
  await page.$eval("#research-depth", (field) => { /** @type {HTMLInputElement} */ (field).value = "30"; });
  await page.select("#research-limit", "60000");
  await page.click("#run");
  await until(page, () => /Depth \d+ done/.test(document.querySelector(".research [role=status]")?.textContent ?? ""));
  // What the cores are doing is shown while they do it.
  await until(page, () => [...document.querySelectorAll(".lane-now")].some((now) => now.textContent === "searching"));
  await page.click("#run");
  await until(page, () => document.getElementById("run")?.textContent === "Search");
  for (let i = 0; i < 100 && (await studio.api("GET", "/status")).running; i += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal((await studio.api("GET", "/status")).running, 0);
});

test("a sweep is started from the form, watched, reported, compared with another and stopped", async () => {
  const page = await freshPage(browser, { expected: [/sandboxed|Content Security Policy/] });
  await visit(page, studio, "#/lab");
  for (const name of ["first", "second"]) {
    await page.$eval("#sweep-name", (field, text) => { /** @type {HTMLInputElement} */ (field).value = text; }, name);
    await page.$eval("#sweep-depths", (field) => { /** @type {HTMLInputElement} */ (field).value = "4"; });
    await page.$eval("#sweep-repeats", (field) => { /** @type {HTMLInputElement} */ (field).value = "2"; });
    await page.click("#start-sweep");
    await until(page, (run) => [...document.querySelectorAll(".runs tbody tr")].some((row) => row.textContent?.includes(run) && row.textContent.includes("done")), name);
  }
  for (const box of await page.$$(".runs input")) await box.click();
  await page.click("#compare-runs");
  await until(page, () => document.querySelector("section[aria-label='Two runs side by side'] tbody tr"));
  await page.click('.runs a[href="#/lab/first"]');
  const frame = await page.waitForSelector("iframe.report-frame");
  const inside = await frame?.contentFrame();
  await inside?.waitForSelector("table");
  assert.match((await inside?.content()) ?? "", /first/);
  // A long one is stopped; what was measured stays.
  await visit(page, studio, "#/lab");
  await page.$eval("#sweep-name", (field) => { /** @type {HTMLInputElement} */ (field).value = "long"; });
  await page.$eval("#sweep-depths", (field) => { /** @type {HTMLInputElement} */ (field).value = "9"; });
  await page.$eval("#sweep-repeats", (field) => { /** @type {HTMLInputElement} */ (field).value = "50"; });
  await page.click("#start-sweep");
  await page.waitForSelector("#stop-sweep");
  await page.click("#stop-sweep");
  await until(page, () => [...document.querySelectorAll(".runs tbody tr")].some((row) => /long.*stopped/s.test(row.textContent ?? "")));
});

test("a sweep that makes no sense is refused with a reason", async () => {
  const page = await freshPage(browser, { expected: [/status of 4\d\d/] });
  await visit(page, studio, "#/lab");
  await page.$eval("#sweep-searches", (field) => { /** @type {HTMLInputElement} */ (field).value = "guessing"; });
  await page.click("#start-sweep");
  await until(page, () => document.querySelector(".sweep-form .error")?.textContent?.includes("guessing"));
});
