import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, freshPage, movesMade, myTurn, tableId, textOf, until, visit } from "../harness.js";

/** @typedef {import("puppeteer-core").Page} Page */

const { studio, browser } = await begin();

/** The middle of a cell or another part of the page. @param {Page} page @param {string} selector */
async function middle(page, selector) {
  const element = await page.waitForSelector(selector);
  const box = await element?.boundingBox();
  assert(box, selector);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The cells of the ghost relative to each other. @param {Page} page */
const ghostForm = (page) => page.$$eval(".blokus .ghost .square", (all) => all.map((each) => `${each.getAttribute("x")},${each.getAttribute("y")}`).join(" "));

test("a piece is dragged onto the board; the ghost says where it fits", async () => {
  const page = await freshPage(browser, { still: false });
  const { id } = await studio.table({ game: "blokus", seats: Array(4).fill({ kind: "person" }) });
  await visit(page, studio, `#/table/${id}`);
  const from = await middle(page, '[data-piece="O"]');
  const corner = await middle(page, '[aria-label="a20, empty"]');
  const centre = await middle(page, '[aria-label="j10, empty"]');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(centre.x, centre.y, { steps: 8 });
  await page.waitForSelector(".blokus .ghost.wrong");
  assert.match(await textOf(page, ".hand-bar .board-hint"), /has to cover the marked cell/);
  await page.mouse.move(corner.x + 8, corner.y + 8, { steps: 8 });
  await page.waitForSelector(".blokus .ghost.fits");
  await page.mouse.up();
  await movesMade(page, 1);
  await page.waitForSelector('[aria-label="b19, Blue, last move"]');
  assert.deepEqual((await studio.api("GET", `/tables/${id}`)).view.board.points[0], 4);
  // It is Yellow's turn: another tray.
  await page.waitForSelector(".tray .c-four-1");
  // A piece that is dropped outside goes back.
  const single = await middle(page, '[data-piece="1"]');
  await page.mouse.move(single.x, single.y);
  await page.mouse.down();
  await page.mouse.move(5, 400, { steps: 5 });
  await page.mouse.up();
  assert.equal((await page.$$(".blokus .ghost .square")).length, 0);
});

test("keys, wheel and right button turn and flip the piece in hand", async () => {
  const page = await freshPage(browser);
  const { id } = await studio.table({ game: "blokus", seats: Array(4).fill({ kind: "person" }) });
  await visit(page, studio, `#/table/${id}`);
  await page.waitForSelector('[data-piece="F"]');
  await page.click('[data-piece="F"]');
  const first = await ghostForm(page);
  await page.keyboard.press("r");
  const turned = await ghostForm(page);
  assert.notEqual(turned, first);
  await page.keyboard.down("Shift");
  await page.keyboard.press("R");
  await page.keyboard.up("Shift");
  assert.equal(await ghostForm(page), first, "and back");
  await page.keyboard.press("f");
  const flipped = await ghostForm(page);
  assert.notEqual(flipped, first);
  const over = await middle(page, '[aria-label="e10, empty"]');
  await page.mouse.move(over.x, over.y);
  await page.mouse.wheel({ deltaY: 100 });
  await until(page, (before) => [...document.querySelectorAll(".blokus .ghost .square")].map((each) => `${each.getAttribute("x")},${each.getAttribute("y")}`).join(" ") !== before, flipped);
  const wheeled = await ghostForm(page);
  await page.mouse.click(over.x, over.y, { button: "right" });
  assert.notEqual(await ghostForm(page), wheeled);
  // N goes to a place where it fits, turning it as needed.
  await page.keyboard.press("n");
  await page.waitForSelector(".blokus .ghost.fits");
  await page.keyboard.press("Escape");
  assert.equal((await page.$$(".blokus .ghost .square")).length, 0);
  assert.equal((await studio.api("GET", `/tables/${id}`)).moves.length, 0);
});

test("a game with three engines is played to its end, with keys alone", async () => {
  const page = await freshPage(browser);
  await visit(page, studio, "#/new/blokus");
  for (const player of ["Yellow", "Red", "Green"]) await page.select(`[aria-label="Who plays ${player}"]`, "1");
  await page.click(".new-form .primary");
  const id = await tableId(page);
  for (let turn = 0; turn < 30 && await myTurn(page) === "mine"; turn += 1) {
    const before = (await page.$$(".move-list li")).length;
    await page.focus(".tray-piece:not(.stuck)");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".blokus .ghost.fits");
    await page.keyboard.press("Enter");
    await movesMade(page, before + 1);
  }
  const { view } = await studio.api("GET", `/tables/${id}`);
  assert.equal(view.turn.kind, "over");
  assert.equal((await textOf(page, ".status-line")).toLowerCase(), view.result.toLowerCase());
  assert.equal((await page.$$(".squares .square")).length, view.board.cells.replaceAll(".", "").length);
});
