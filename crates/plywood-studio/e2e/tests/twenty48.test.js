import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, begin, freshPage, movesMade, myTurn, tableId, textOf, until, visit } from "../harness.js";

const { studio, browser } = await begin();

test("a game is played to its end with the arrow keys", async () => {
  const page = await freshPage(browser);
  await visit(page, studio, "#/new/2048");
  await page.click(".new-form .primary");
  const id = await tableId(page);
  for (let turn = 0; turn < 4000 && await myTurn(page) === "mine"; turn += 1) {
    const before = (await page.$$(".move-list li")).length;
    // To and fro without a thought fills the board soon.
    const legal = await page.$$eval(".pad button:not(:disabled)", (all) => all.map((each) => each.getAttribute("aria-label") ?? ""));
    const way = ["left", "right", "up", "down"].find((each) => legal.includes(`Slide ${each}`)) ?? "left";
    await page.keyboard.press(/** @type {import("puppeteer-core").KeyInput} */ (`Arrow${way[0].toUpperCase()}${way.slice(1)}`));
    await movesMade(page, before + 1);
  }
  const { view } = await studio.api("GET", `/tables/${id}`);
  assert.equal(view.turn.kind, "over");
  assert.equal((await textOf(page, ".have .number")).replace(",", ""), String(view.board.score));
  const shown = await page.$$eval(".tile .face", (all) => all.map((each) => Number(each.textContent)).sort((a, b) => a - b));
  assert.deepEqual(shown, view.board.cells.map((/** @type {number} */ e) => 2 ** e).sort((/** @type {number} */ a, /** @type {number} */ b) => a - b));
});

test("tiles slide, merge and appear; the board ends as the server says", async () => {
  const page = await freshPage(browser, { still: false });
  const { id } = await studio.table({ game: "2048", position: "2,2,4,8/.,.,.,./2,.,.,2/.,4,4,.", seats: [{ kind: "person" }] });
  await visit(page, studio, `#/table/${id}`);
  await myTurn(page);
  await page.keyboard.press("ArrowLeft");
  await movesMade(page, 2);
  assert.equal(await myTurn(page), "mine");
  const { view } = await studio.api("GET", `/tables/${id}`);
  const labels = await page.$$eval(".tile-cell", (all) => all.map((each) => (each.getAttribute("aria-label") ?? "").split(", ")[1]));
  assert.deepEqual(labels, view.board.cells.map((/** @type {number} */ e) => (e ? String(2 ** e) : "empty")));
});

test("a person can be chance: choose the cell and the tile", async () => {
  const page = await freshPage(browser);
  await visit(page, studio, "#/new/2048");
  await page.select("#spawner", "person");
  await page.click(".new-form .primary");
  const id = await tableId(page);
  await page.waitForSelector('.tile-cell.open[aria-label="b2, empty"]');
  await page.click('[aria-label="b2, empty"]');
  await page.waitForSelector('[aria-label="b2, 2"]');
  // The other one with the keyboard: to the right, then a four.
  await page.focus('[aria-label="b2, 2"]');
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("4");
  await page.waitForSelector('[aria-label="c2, 4"]');
  assert.deepEqual((await studio.api("GET", `/tables/${id}`)).moves, ["b2=2", "c2=4"]);
  assert.equal(await myTurn(page), "mine");
  await page.keyboard.press("ArrowUp");
  await page.waitForSelector('[aria-label="b1, 2"]');
  await until(page, () => document.querySelector(".status-line")?.textContent?.includes("new tile"));
});

test("a finger swipes on a phone", async () => {
  const page = await freshPage(browser, { viewport: PHONE });
  const { id } = await studio.table({ game: "2048", position: ".,2,.,./.,.,.,./.,.,4,./.,.,.,.", seats: [{ kind: "person" }] });
  await visit(page, studio, `#/table/${id}`);
  await myTurn(page);
  const board = await page.$(".board.tiles");
  const box = await board?.boundingBox();
  assert(box);
  const touch = await page.touchscreen.touchStart(box.x + 60, box.y + box.height / 2);
  for (let step = 1; step <= 5; step += 1) await touch.move(box.x + 60 + 30 * step, box.y + box.height / 2);
  await touch.end();
  await movesMade(page, 2);
  assert.equal((await studio.api("GET", `/tables/${id}`)).moves[0], "right");
});
