import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, freshPage, movesMade, myTurn, tableId, textOf, until, visit } from "../harness.js";

const { studio, browser } = await begin();
const people = [{ kind: "person" }, { kind: "person" }];

test("five in a row ends the game and is marked", async () => {
  const page = await freshPage(browser);
  const { id } = await studio.table({ game: "gomoku", seats: people });
  await visit(page, studio, `#/table/${id}`);
  const moves = ["H8", "A1", "I8", "A2", "J8", "A3", "K8", "A4", "L8"];
  for (const [i, move] of moves.entries()) {
    await page.waitForSelector(`[aria-label="${move}, empty"]`);
    await page.click(`[aria-label="${move}, empty"]`);
    await movesMade(page, i + 1);
  }
  await page.waitForSelector(".status-line.over");
  assert.match(await textOf(page, ".status-line"), /Black wins/);
  assert.equal((await page.$$(".stone .five")).length, 5);
  assert.equal(await page.$eval('[aria-label^="L8"]', (cell) => cell.getAttribute("aria-label")), "L8, black, last move");
  // Nothing can be played any more.
  await page.click('[aria-label="B2, empty"]');
  assert.equal((await studio.api("GET", `/tables/${id}`)).moves.length, moves.length);
});

test("a game against the engine goes on to its end", async () => {
  const page = await freshPage(browser);
  await visit(page, studio, "#/new/gomoku");
  await page.select('[aria-label="Who plays White"]', "5");
  await page.click(".new-form .primary");
  const id = await tableId(page);
  for (let turn = 0; turn < 120 && await myTurn(page) === "mine"; turn += 1) {
    const before = (await page.$$(".move-list li")).length;
    // A beginner who plays along the first rows.
    const cell = await page.evaluateHandle(() => {
      const free = [...document.querySelectorAll('.hit[aria-label$="empty"]')];
      return free[free.length - 1];
    });
    await /** @type {import("puppeteer-core").ElementHandle<Element>} */ (cell).click();
    await movesMade(page, before + 1);
  }
  const table = await studio.api("GET", `/tables/${id}`);
  assert.equal(table.view.turn.kind, "over");
  assert.match(await textOf(page, ".status-line"), /White wins/);
});

test("renju shows forbidden points and says why", async () => {
  const page = await freshPage(browser);
  // Black would make two open threes on H8.
  const { id: made } = await studio.table({ game: "gomoku:rule=renju", moves: ["G8", "A1", "I8", "A15", "H7", "O1", "H9", "O15"], seats: people });
  await visit(page, studio, `#/table/${made}`);
  await page.waitForSelector(".board.gomoku");
  const label = await page.$eval('.hit[aria-label*="forbidden"]', (cell) => cell.getAttribute("aria-label") ?? "");
  assert.match(label, /forbidden: \S+/);
  assert.equal((await page.$$(".forbidden path")).length > 0, true);
  const before = (await studio.api("GET", `/tables/${made}`)).moves.length;
  await page.click('.hit[aria-label*="forbidden"]');
  await until(page, () => document.querySelector(".toast")?.textContent?.includes("is forbidden"));
  assert.equal((await studio.api("GET", `/tables/${made}`)).moves.length, before);
});

test("a link opens the same position in a fresh profile", async () => {
  const page = await freshPage(browser);
  const { id } = await studio.table({ game: "gomoku:size=9", seats: people, moves: ["E5", "F6", "D4"] });
  await visit(page, studio, `#/table/${id}`);
  const link = await page.$eval("#share-link", (input) => /** @type {HTMLInputElement} */ (input).value);
  assert(link.startsWith(`${studio.address}/#game=`), link);
  const other = await freshPage(browser);
  await other.goto(link);
  await other.waitForSelector('[aria-label="D4, black, last move"]');
  await other.waitForSelector('[aria-label="F6, white"]');
  assert.equal((await other.$$('[role="row"]')).length, 9);
  // Moves can be tried out; the address keeps them, and the table does not change.
  await other.click('[aria-label="A1, empty"]');
  await other.waitForSelector('[aria-label="A1, white, last move"]');
  await other.reload();
  await other.waitForSelector('[aria-label="A1, white, last move"]');
  assert.equal((await studio.api("GET", `/tables/${id}`)).moves.length, 3);
  await other.click("#undo");
  await other.waitForSelector('[aria-label="A1, empty"]');
  await other.close();
});
