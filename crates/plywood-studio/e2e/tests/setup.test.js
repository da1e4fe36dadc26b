import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, freshPage, tableId, textOf, until, visit } from "../harness.js";

/** @typedef {import("puppeteer-core").Page} Page */

const { studio, browser } = await begin();
const refused = /status of 4\d\d/;

/** @param {Page} page */
const position = (page) => page.$eval("#position", (field) => /** @type {HTMLTextAreaElement} */ (field).value);

test("Kalah: stones are added on the board and typed as numbers, and the position is played from", async () => {
  const page = await freshPage(browser);
  await visit(page, studio, "#/setup/kalah");
  await page.click('[aria-label^="Pit A of South, 4"]');
  await page.waitForSelector('[aria-label^="Pit A of South, 5"]');
  await page.click('[aria-label^="Pit G of North, 4"]', { button: "right" });
  await page.waitForSelector('[aria-label^="Pit G of North, 3"]');
  await page.click('[data-value="n"]');
  await until(page, () => /** @type {HTMLTextAreaElement} */ (document.getElementById("position")).value.endsWith("n"));
  assert.equal(await position(page), "<6,0,0,5,4,4,4,4,4,3,4,4,4,4,4> n");
  await page.click(".setup .primary");
  await page.waitForSelector(".new-form");
  await page.select('[aria-label="Who plays North"]', "person");
  await page.click(".new-form .primary");
  const id = await tableId(page);
  const table = await studio.api("GET", `/tables/${id}`);
  assert.equal(table.start, "<6,0,0,5,4,4,4,4,4,3,4,4,4,4,4> n");
  await page.waitForSelector(".pit.row-1.can");
});

test("Gomoku: stones are put and taken away; a text that is no position is explained", async () => {
  const page = await freshPage(browser, { expected: [refused] });
  await visit(page, studio, "#/setup/gomoku:size=9");
  await page.click('[aria-label="E5, empty"]');
  await page.waitForSelector('[aria-label="E5, black"]');
  await page.click('[data-value="o"]');
  await page.click('[aria-label="F5, empty"]');
  await page.waitForSelector('[aria-label="F5, white"]');
  await page.click('[aria-label="F5, white"]');
  await page.waitForSelector('[aria-label="F5, empty"]');
  assert.match(await position(page), /^9\/9\/9\/9\/4x4\/9\/9\/9\/9 b/);
  await page.$eval("#position", (field) => { /** @type {HTMLTextAreaElement} */ (field).value = ""; });
  await page.type("#position", "9/9 b");
  await until(page, () => document.querySelector(".error")?.textContent?.includes("rows"));
  assert.equal(await page.$eval("#position", (field) => field.getAttribute("aria-invalid")), "true");
});

test("2048: tiles grow with clicks", async () => {
  const page = await freshPage(browser);
  await visit(page, studio, "#/setup/2048?position=2,.,.,./.,.,.,./.,.,.,./.,.,.,2");
  await page.click('[aria-label="b3, empty"]');
  await page.waitForSelector('[aria-label="b3, 2"]');
  await page.click('[aria-label="b3, 2"]');
  await page.waitForSelector('[aria-label="b3, 4"]');
  assert.equal(await position(page), "2,.,.,./.,.,.,./.,4,.,./.,.,.,2");
});

test("Blokus: pieces of any colour are placed and taken away", async () => {
  const page = await freshPage(browser);
  await visit(page, studio, "#/setup/blokus");
  await page.waitForSelector('[data-piece="O"]');
  await page.click('[data-piece="O"]');
  await page.click('[aria-label="Place the piece (Enter)"]');
  await page.waitForSelector('[aria-label="b19, Blue"]');
  const buttons = await page.$$(".choice-row .choice");
  await buttons[2].click();
  await page.waitForSelector(".tray .c-four-2");
  await page.click('[data-piece="X"]').catch(() => {});
  await page.keyboard.press("Escape");
  await page.click('[data-piece="2"]');
  await page.click('[aria-label="Place the piece (Enter)"]');
  await page.waitForSelector('[aria-label^="t1, Red"]');
  await page.click('[aria-label="b19, Blue"]');
  await page.waitForSelector('[aria-label="b19, empty"]');
  assert.match(await position(page), /^turn=B B=- Y=- R=\S*t1\S* G=-$/);
});

test("a pasted position, record or link is opened", async () => {
  const page = await freshPage(browser, { expected: [refused] });
  await visit(page, studio, "#/");
  await page.type("#paste", "<6,10,8,1,0,6,2,7,1,0,5,2,1,0,5> s");
  await page.click(".paste .primary");
  await page.waitForSelector('[aria-label^="Pit C of South, 6"]');
  const { id } = await studio.table({ game: "gomoku", moves: ["H8", "I9"], seats: [{ kind: "person" }, { kind: "person" }] });
  const record = await (await fetch(`${studio.address}/api/v1/tables/${id}/record?format=text`)).text();
  await visit(page, studio, "#/");
  await page.$eval("#paste", (field, text) => { /** @type {HTMLTextAreaElement} */ (field).value = text; }, record);
  await page.click(".paste .primary");
  await page.waitForSelector('[aria-label="I9, white, last move"]');
  assert.notEqual(await tableId(page), id, "a record makes a table of its own");
  await visit(page, studio, "#/");
  await page.type("#paste", "what is this");
  await page.click(".paste .primary");
  await page.waitForSelector(".toast.error");
  assert((await textOf(page, ".toast.error")).length > 10);
});

test("position, record and link are copied, or shown where copying is not allowed", async () => {
  const page = await freshPage(browser);
  // A browser without a window has no clipboard to rely on.
  await page.evaluateOnNewDocument(() => {
    /** @type {any} */ (globalThis).copied = [];
    Object.defineProperty(navigator, "clipboard", { value: {
      async writeText(/** @type {string} */ text) {
        if (/** @type {any} */ (globalThis).denied) throw new DOMException("no", "NotAllowedError");
        /** @type {any} */ (globalThis).copied.push(text);
      },
    } });
  });
  const { id, view } = await studio.table({ game: "gomoku", moves: ["H8", "I9"], seats: [{ kind: "person" }, { kind: "person" }] });
  await visit(page, studio, `#/table/${id}`);
  await page.waitForSelector(".game-panel .actions");
  /** @param {string} name */
  const press = (name) => page.evaluate((text) => {
    [...document.querySelectorAll("button")].find((each) => each.textContent === text)?.click();
  }, name);
  /** @param {string} name @param {number} n @returns {Promise<string>} */
  const copied = async (name, n) => {
    await press(name);
    await until(page, (want) => /** @type {any} */ (globalThis).copied.length === want, n);
    return page.evaluate(() => /** @type {any} */ (globalThis).copied.at(-1));
  };
  assert.equal(await copied("Copy position", 1), view.position);
  assert.match(await copied("Copy record", 2), /^plywood game 1\ngame gomoku\n[^]*move H8\nmove I9/);
  assert.match(await copied("Copy SGF", 3), /^\(;[^]*B\[/);
  const link = await copied("Copy link", 4);
  assert(link.startsWith(`${studio.address}/#game=gomoku`), link);
  await page.evaluate(() => { /** @type {any} */ (globalThis).denied = true; });
  await press("Copy position");
  await page.waitForSelector("dialog[open] textarea");
  assert.equal(await page.$eval("dialog textarea", (field) => /** @type {HTMLTextAreaElement} */ (field).value), view.position);
});
