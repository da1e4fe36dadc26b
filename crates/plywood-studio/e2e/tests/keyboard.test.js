import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, freshPage, movesMade, myTurn, tableId, until, visit } from "../harness.js";

/** @typedef {import("puppeteer-core").Page} Page */

const { studio, browser } = await begin();

/** Tabs on until what has the focus fits. @param {Page} page @param {string} selector */
async function tabTo(page, selector) {
  for (let i = 0; i < 80; i += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not lead to ${selector}`);
}

test("from the first screen to a won game without a mouse", async () => {
  const page = await freshPage(browser);
  await visit(page, studio, "#/");
  await tabTo(page, 'a[href="#/new/gomoku"]');
  await page.keyboard.press("Enter");
  await page.waitForSelector(".new-form");
  await tabTo(page, '[aria-label="Who plays White"]');
  await page.keyboard.type("P");
  await tabTo(page, ".new-form .primary");
  await page.keyboard.press("Enter");
  const id = await tableId(page);
  await myTurn(page);
  await tabTo(page, '.hit[aria-label^="H8"]');
  assert(await page.evaluate(() => document.activeElement?.matches(":focus-visible")), "where the focus is can be seen");
  // Black along one line, White along the next.
  let made = 0;
  for (let i = 0; i < 5; i += 1) {
    await page.keyboard.press("Enter");
    made += 1;
    await movesMade(page, made);
    if (made === 9) break;
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    made += 1;
    await movesMade(page, made);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowRight");
  }
  await page.waitForSelector(".status-line.over");
  const { view, moves } = await studio.api("GET", `/tables/${id}`);
  assert.deepEqual(moves, ["H8", "H7", "I8", "I7", "J8", "J7", "K8", "K7", "L8"]);
  assert.match(view.result, /Black wins/);
  await page.keyboard.press(",");
  await until(page, () => document.querySelectorAll(".undone").length === 1);
  await page.keyboard.press(".");
  await until(page, () => document.querySelectorAll(".undone").length === 0);
});

test("pits, pieces and tiles are reached and moved with keys", async () => {
  const page = await freshPage(browser);
  const people = [{ kind: "person" }, { kind: "person" }];
  const kalah = await studio.table({ game: "kalah", seats: people });
  await visit(page, studio, `#/table/${kalah.id}`);
  await myTurn(page);
  await tabTo(page, ".pit.row-0");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press(" ");
  await movesMade(page, 1);
  assert.deepEqual((await studio.api("GET", `/tables/${kalah.id}`)).moves, ["C"]);

  const duo = await studio.table({ game: "blokus-duo", seats: people });
  await visit(page, studio, `#/table/${duo.id}`);
  await myTurn(page);
  await tabTo(page, ".tray-piece");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".blokus .ghost.fits");
  const before = await page.$eval("#live", (live) => live.textContent);
  await page.keyboard.press("ArrowRight");
  await until(page, (said) => document.getElementById("live")?.textContent !== said, before);
  await page.keyboard.press("n");
  await page.waitForSelector(".blokus .ghost.fits");
  await page.keyboard.press("Enter");
  await movesMade(page, 1);
  // The pieces of the next colour are where the focus is.
  await until(page, () => document.activeElement?.matches(".tray-piece"));
});

test("tabs, settings and the list of keys work with keys", async () => {
  const page = await freshPage(browser);
  const { id } = await studio.table({ game: "kalah", seats: [{ kind: "person" }, { kind: "person" }] });
  await visit(page, studio, `#/table/${id}`);
  await tabTo(page, '[role="tab"][aria-selected="true"]');
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.$eval('[role="tab"][aria-selected="true"]', (tab) => tab.textContent), "Analysis");
  assert.equal(await page.evaluate(() => location.hash.endsWith("/analysis")), true);
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  await until(page, () => !document.querySelector("dialog"));
});

test("light or dark, and animation or none, are kept", async () => {
  const page = await freshPage(browser, { still: false });
  const { id } = await studio.table({ game: "kalah", seats: [{ kind: "person" }, { kind: "person" }] });
  await visit(page, studio, `#/table/${id}`);
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "light");
  await page.click('[aria-label="Light or dark"]');
  assert.equal(await theme(), "dark");
  await page.click('[aria-label="Settings"]');
  await page.waitForSelector("#speed");
  await page.select("#speed", "0");
  await page.keyboard.press("Escape");
  await page.reload();
  await myTurn(page);
  assert.equal(await theme(), "dark");
  // Without animation the stones are where they belong as soon as the move is made.
  await page.click('[aria-label^="Pit B"]');
  await movesMade(page, 1);
  assert.equal(await page.$$eval(".kalah .stone", (all) => all.every((each) => getComputedStyle(each).transitionDuration === "0s")), true);
  await page.click('[aria-label="Settings"]');
  await page.waitForSelector("#theme");
  await page.select("#theme", "auto");
  assert.equal(await theme(), "light");
});
