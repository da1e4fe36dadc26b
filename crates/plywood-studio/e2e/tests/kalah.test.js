import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, freshPage, movesMade, myTurn, tableId, textOf, until, visit } from "../harness.js";

const { studio, browser } = await begin();

test("a game against the engine is played to its end with the mouse", async () => {
  const page = await freshPage(browser);
  await visit(page, studio, "#/");
  await page.click('a[href="#/new/kalah"]');
  await page.waitForSelector(".new-form");
  await page.select('[aria-label="Who plays North"]', "1");
  await page.click(".new-form .primary");
  const id = await tableId(page);
  for (let turn = 0; turn < 200 && await myTurn(page) === "mine"; turn += 1) {
    const before = (await page.$$(".move-list li")).length;
    await page.click(".pit.can");
    await movesMade(page, before + 1);
  }
  const table = await studio.api("GET", `/tables/${id}`);
  assert.equal(table.view.turn.kind, "over");
  const status = await textOf(page, ".status-line");
  assert.equal(status.toLowerCase(), table.view.result.toLowerCase());
  // Everything has gone to somebody in the end.
  const stores = await page.$$eval(".count.big", (all) => all.map((each) => Number(each.textContent)));
  assert.equal(stores[0] + stores[1], 48);
  assert((await textOf(page, "#live")).includes("The game is over"));
});

test("stones are sown one by one, and end up where the rules say", async () => {
  const page = await freshPage(browser, { still: false });
  const { id } = await studio.table({ game: "kalah", seats: [{ kind: "person" }, { kind: "person" }] });
  await visit(page, studio, `#/table/${id}`);
  await page.waitForSelector(".pit.can");
  // C has four stones, and the last goes into the store.
  // Every picture is noted as it comes, however slow the machine is.
  await page.evaluate(() => {
    const seen = /** @type {string[]} */ (/** @type {any} */ (globalThis).seen = []);
    const counts = () => [...document.querySelectorAll(".count.row-0, .count.store-0")].map((each) => each.textContent).join();
    const figures = document.querySelector(".figures");
    if (figures) new MutationObserver(() => seen.push(counts())).observe(figures, { subtree: true, childList: true, characterData: true });
  });
  await page.click('[aria-label^="Pit C"]');
  await until(page, () => document.querySelector(".count.store-0")?.textContent === "1" && document.querySelector(".pit.can"));
  const seen = await page.evaluate(() => [...new Set(/** @type {any} */ (globalThis).seen)]);
  for (const picture of ["4,4,0,4,4,4,0", "4,4,0,5,4,4,0", "4,4,0,5,5,4,0", "4,4,0,5,5,5,0", "4,4,0,5,5,5,1"]) {
    assert(seen.includes(picture), `${picture} is among ${seen.join(" / ")}`);
  }
  assert.deepEqual(await page.$$eval(".count.row-0", (all) => all.map((each) => each.textContent)), ["4", "4", "0", "5", "5", "5"]);
  assert.equal(await textOf(page, ".count.store-0"), "1");
  assert((await textOf(page, ".status-line")).startsWith("South"), "South moves again");
});

test("undo goes back to one's own turn, redo forward again, and a move in the list can be gone to", async () => {
  const page = await freshPage(browser);
  const { id } = await studio.table({ game: "kalah", seats: [{ kind: "person" }, { kind: "engine", level: 1 }] });
  await visit(page, studio, `#/table/${id}`);
  await myTurn(page);
  // A ends in an own pit: then the engine moves.
  await page.click('[aria-label^="Pit A"]');
  await movesMade(page, 2);
  assert.equal(await myTurn(page), "mine");
  const after = await studio.api("GET", `/tables/${id}`);
  await page.click("#undo");
  await until(page, () => document.querySelector('[aria-label^="Pit A of South, 4"]'));
  assert.equal((await studio.api("GET", `/tables/${id}`)).at, 0);
  assert.equal(await page.$eval("#undo", (button) => /** @type {HTMLButtonElement} */ (button).disabled), true);
  await page.click("#redo");
  await until(page, () => document.querySelectorAll(".undone").length === 0);
  const again = await studio.api("GET", `/tables/${id}`);
  assert.equal(again.at, after.at);
  assert.equal(again.view.position, after.view.position);
  await page.click(".move-list li:first-child button");
  await until(page, () => document.querySelector(".move-list li:first-child [aria-current]"));
  assert.equal((await studio.api("GET", `/tables/${id}`)).at, 1);
  await page.keyboard.down("Control");
  await page.keyboard.press("z");
  await page.keyboard.up("Control");
  await until(page, () => document.querySelectorAll(".undone").length === document.querySelectorAll(".move-list li").length);
});
