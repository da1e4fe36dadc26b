import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { PHONE, WIDE, begin, freshPage, until, visit } from "../harness.js";

/** @typedef {import("puppeteer-core").Page} Page */

const { studio, browser } = await begin();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const person = { kind: "person" };

/** What a checker finds that is serious. @param {Page} page */
async function findings(page) {
  // Through the protocol: the page's own policy would not let it in.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const checker = /** @type {any} */ (globalThis).axe;
    const { violations } = await checker.run(document, { resultTypes: ["violations"] });
    return violations
      .filter((/** @type {any} */ each) => each.impact === "serious" || each.impact === "critical")
      .map((/** @type {any} */ each) => `${each.id}: ${each.nodes.slice(0, 3).map((/** @type {any} */ node) => `${node.target} ${node.failureSummary}`).join(" | ")}`);
  });
}

const made = {
  kalah: (await studio.table({ game: "kalah", seats: [person, person], moves: ["C", "A"] })).id,
  gomoku: (await studio.table({ game: "gomoku:rule=renju", seats: [person, person], moves: ["G8", "A1", "I8", "A15", "H7", "O1", "H9", "O15"] })).id,
  blokus: (await studio.table({ game: "blokus", seats: [person, person, person, person], moves: ["a20,b20", "t20,s20", "t1,s1"] })).id,
  duo: (await studio.table({ game: "blokus-duo", seats: [person, person] })).id,
  tiles: (await studio.table({ game: "2048", seats: [person], position: "2,4,8,16/32,64,128,256/512,1024,2048,4096/.,.,.,2" })).id,
  spawner: (await studio.table({ game: "2048", seats: [person], spawner: "person" })).id,
};

const screens = {
  home: "#/", "new game": "#/new/gomoku", "new 2048": "#/new/2048", setup: "#/setup/kalah", "setup of Blokus": "#/setup/blokus",
  "a link": "#game=gomoku&moves=H8+I9", research: "#/research", lab: "#/lab", "nothing there": "#/table/none",
  ...Object.fromEntries(Object.entries(made).map(([name, id]) => [name, `#/table/${id}`])),
  review: `#/table/${made.kalah}/review`, models: `#/table/${made.blokus}/compare`,
};

for (const dark of [false, true]) {
  for (const [size, viewport] of /** @type {const} */ ([["wide", WIDE], ["phone", PHONE]])) {
    test(`nothing serious on any screen, ${dark ? "dark" : "light"}, ${size}`, async () => {
      const page = await freshPage(browser, { dark, viewport, expected: [/status of 404/] });
      /** @type {string[]} */
      const found = [];
      for (const [name, place] of Object.entries(screens)) {
        await visit(page, studio, place);
        await until(page, () => !document.querySelector(".loading"));
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), dark ? "dark" : "light");
        found.push(...(await findings(page)).map((/** @type {string} */ line) => `${name}: ${line}`));
      }
      assert.deepEqual(found, []);
      await page.close();
    });
  }

  test(`nothing serious while the analysis runs, a piece is held or a dialog is open, ${dark ? "dark" : "light"}`, async () => {
    const page = await freshPage(browser, { dark });
    for (const id of [made.kalah, made.gomoku, made.blokus, made.tiles]) {
      await visit(page, studio, `#/table/${id}/analysis`);
      if (await page.$eval("#analyse", (button) => button.getAttribute("aria-pressed")) !== "true") await page.click("#analyse");
      await page.waitForSelector(".ranked-move");
      assert.deepEqual(await findings(page), []);
    }
    await visit(page, studio, `#/table/${made.blokus}`);
    await page.waitForSelector(".tray-piece:not(.stuck)");
    await page.click(".tray-piece:not(.stuck)");
    assert.deepEqual(await findings(page), []);
    await page.click('[aria-label="Settings"]');
    await page.waitForSelector("dialog[open]");
    assert.deepEqual(await findings(page), []);
    await page.close();
  });
}
