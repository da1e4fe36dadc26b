import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, begin, freshPage, movesMade, myTurn, tableId, textOf, until, visit } from "../harness.js";

const { studio, browser } = await begin();

test("a game goes on after a reload in its middle", async () => {
  const page = await freshPage(browser);
  await visit(page, studio, "#/new/kalah");
  await page.select('[aria-label="Who plays North"]', "2");
  await page.click(".new-form .primary");
  const id = await tableId(page);
  await myTurn(page);
  await page.click('[aria-label^="Pit A"]');
  // In the middle of the engine's thought, or just after.
  await movesMade(page, 1);
  await page.reload();
  await movesMade(page, 2);
  assert.equal(await myTurn(page), "mine");
  const { view } = await studio.api("GET", `/tables/${id}`);
  assert.equal(await textOf(page, ".count.store-0"), String(view.board.stores[0]));
});

test("a game survives a server that is killed, and is listed to go on with", async () => {
  const page = await freshPage(browser, { expected: [/ERR_CONNECTION|Failed to load resource/] });
  const { id } = await studio.table({ game: "gomoku", seats: [{ kind: "person" }, { kind: "person" }] });
  await visit(page, studio, `#/table/${id}`);
  await page.waitForSelector(".playable");
  await page.click('[aria-label="H8, empty"]');
  await movesMade(page, 1);
  await studio.kill();
  await page.click('[aria-label="I9, empty"]');
  await page.waitForSelector(".toast.error");
  assert.match(await textOf(page, ".toast.error"), /does not answer/);
  await studio.start();
  await page.click('[aria-label="I9, empty"]');
  await movesMade(page, 2);
  await visit(page, studio, "#/");
  const rows = await page.$$eval(".table-link", (all) => all.map((each) => each.getAttribute("href")));
  assert(rows.includes(`#/table/${id}`));
  await page.click(`a[href="#/table/${id}"]`);
  await page.waitForSelector('[aria-label="I9, white, last move"]');
});

test("two windows at one table: the older one is told, and shows how it stands", async () => {
  const page = await freshPage(browser, { expected: [/status of 409/] });
  const { id, version } = await studio.table({ game: "gomoku", seats: [{ kind: "person" }, { kind: "person" }] });
  await visit(page, studio, `#/table/${id}`);
  await page.waitForSelector(".playable");
  await studio.api("POST", `/tables/${id}/move`, { move: "C3", version });
  await page.click('[aria-label="H8, empty"]');
  await page.waitForSelector('[aria-label="C3, black, last move"]');
  await page.waitForSelector(".toast.error");
  await page.click('[aria-label="H8, empty"]');
  await page.waitForSelector('[aria-label="H8, white, last move"]');
});

test("everything fits on a phone, and Blokus is played with a finger", async () => {
  const page = await freshPage(browser, { viewport: PHONE });
  for (const place of ["#/", "#/new/blokus", "#/setup/kalah", "#/research", "#/lab"]) {
    await visit(page, studio, place);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert(wide <= PHONE.width, `${place} is ${wide} wide`);
  }
  for (const game of ["kalah", "gomoku", "2048", "blokus-duo", "blokus"]) {
    const seats = Array(game === "blokus" ? 4 : game === "2048" ? 1 : 2).fill({ kind: "person" });
    const { id } = await studio.table({ game, seats });
    await visit(page, studio, `#/table/${id}`);
    await page.waitForSelector(".board");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert(wide <= PHONE.width, `${game} is ${wide} wide`);
  }
  // The last is Blokus: a piece is dragged from the tray, turned, and put down with the button.
  await page.$eval(".board", (board) => board.scrollIntoView());
  const piece = await page.$('[data-piece="V5"]');
  const from = await piece?.boundingBox();
  const to = await (await page.$('[aria-label="b19, empty"]'))?.boundingBox();
  assert(from && to);
  const finger = await page.touchscreen.touchStart(from.x + from.width / 2, from.y + from.height / 2);
  for (let step = 1; step <= 6; step += 1) {
    // The piece floats above the finger.
    await finger.move(from.x + ((to.x - from.x) * step) / 6, from.y + ((to.y + 70 - from.y) * step) / 6);
  }
  await finger.end();
  await page.waitForSelector(".hand-tools:not([hidden])");
  await page.waitForSelector(".blokus .ghost.fits");
  await page.tap('[aria-label="Turn (R)"]');
  await page.tap('[aria-label="Next place where it fits (N)"]');
  await page.waitForSelector(".blokus .ghost.fits");
  await page.tap('[aria-label="Place the piece (Enter)"]');
  await movesMade(page, 1);
  await page.waitForSelector('[aria-label^="a20, Blue"]');
});

test("the engine can be paused, and plays alone when all seats are its own", async () => {
  const page = await freshPage(browser);
  const engine = { kind: "engine", level: 5 };
  const { id } = await studio.table({ game: "kalah", seats: [engine, engine] });
  await visit(page, studio, `#/table/${id}`);
  await movesMade(page, 3);
  await page.click("#pause");
  await until(page, () => document.getElementById("pause")?.textContent === "Go on");
  const paused = (await studio.api("GET", `/tables/${id}`)).moves.length;
  await new Promise((resolve) => setTimeout(resolve, 600));
  const later = (await studio.api("GET", `/tables/${id}`)).moves.length;
  assert(later <= paused + 1, "at most the move that was being made");
  await page.click("#pause");
  await movesMade(page, later + 2);
});
