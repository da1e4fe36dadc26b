import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, freshPage, movesMade, textOf, until, visit } from "../harness.js";

const { studio, browser } = await begin();
const people = [{ kind: "person" }, { kind: "person" }];

/** How many searches the server runs. */
const running = async () => (await studio.api("GET", "/status")).running;

/** @param {number} want */
async function runningIs(want) {
  for (let i = 0; i < 200; i += 1) {
    if (await running() === want) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal(await running(), want);
}

test("the analysis starts, follows the game, and stops", async () => {
  const page = await freshPage(browser);
  const { id } = await studio.table({ game: "kalah", seats: people });
  await visit(page, studio, `#/table/${id}`);
  await page.click("#tab-analysis");
  assert.equal(await running(), 0);
  await page.click("#analyse");
  await page.waitForSelector(".ranked-move");
  await runningIs(1);
  await page.waitForSelector(".evaluation:not(.vague)");
  assert.match(await page.$eval(".bar", (bar) => bar.getAttribute("aria-label") ?? ""), /South .*, North /);
  await page.waitForSelector(".kalah .heat.best");
  assert.equal(await page.$eval(".ranked-move", (row) => /^[A-F]$/.test(row.getAttribute("data-move") ?? "")), true);
  // South's C gives another turn; A then North's.
  await page.click('[aria-label^="Pit A"]');
  await movesMade(page, 1);
  await until(page, () => /^[G-L]$/.test(document.querySelector(".ranked-move")?.getAttribute("data-move") ?? ""));
  await runningIs(1);
  await page.click("#analyse");
  await runningIs(0);
  assert.equal(await textOf(page, "#analyse"), "Analyse");
  await page.click("#analyse");
  await runningIs(1);
  // Going away ends it as well, and coming back begins it again.
  await page.goto("about:blank");
  await runningIs(0);
  await page.goBack();
  await page.waitForSelector(".ranked-move");
  await runningIs(1);
  await page.close();
  await runningIs(0);
});

test("a line is previewed under the pointer, walked along and left again", async () => {
  const page = await freshPage(browser);
  const { id } = await studio.table({ game: "gomoku", moves: ["H8", "I9", "J8", "H10", "G9", "I7"], seats: people });
  await visit(page, studio, `#/table/${id}/analysis`);
  await page.click("#analyse");
  await page.waitForSelector(".ranked-move .line");
  await until(page, () => (document.querySelector(".ranked-move .line")?.textContent ?? "").trim().split(/\s+/).length >= 2);
  // A row may be drawn anew just then: the locator takes the next.
  await page.locator(".ranked-move").hover();
  await page.waitForSelector(".gomoku .planned");
  assert((await page.$$(".gomoku .planned")).length >= 2);
  await page.click(".ranked-move");
  await page.waitForSelector(".walk-bar:not([hidden])");
  await until(page, () => document.querySelectorAll(".stones .stone").length === 7);
  await page.click('[aria-label="One move on along the line"]');
  await until(page, () => document.querySelectorAll(".stones .stone").length === 8);
  await page.click(".walk-bar .primary");
  await until(page, () => document.querySelectorAll(".stones .stone").length === 6);
  assert.equal((await studio.api("GET", `/tables/${id}`)).moves.length, 6);
  // The best move is played from the list.
  await page.locator(".ranked").hover();
  await page.click('.ranked [aria-label^="Play "]');
  await movesMade(page, 7);
});

test("a forced win is said in words", async () => {
  const page = await freshPage(browser);
  const { id } = await studio.table({ game: "gomoku", moves: ["H8", "A1", "H9", "C2", "H10", "E1"], seats: people });
  await visit(page, studio, `#/table/${id}/analysis`);
  await page.click("#analyse");
  await until(page, () => /Black wins in \d+/.test(document.querySelector(".evaluation .proven")?.textContent ?? ""));
  // Nothing more is to be found: the search ends by itself, and without a complaint.
  await until(page, () => document.querySelector(".analysis [role=status]")?.textContent?.startsWith("Done"));
  assert.equal(await page.$(".toast.error"), null);
  assert.equal(await running(), 0);
});

test("a finished game is reviewed: a line per player, the worst moves, and what was better", async () => {
  const page = await freshPage(browser);
  const { id } = await studio.table({ game: "gomoku", moves: ["H8", "A1", "I8", "A2", "J8", "A3", "K8", "A4", "L8"], seats: people });
  await visit(page, studio, `#/table/${id}/review`);
  await page.select("#review-time", "100");
  await page.click("#review");
  await until(page, () => document.getElementById("review")?.textContent === "Review the game" && document.querySelector(".graph .here"));
  assert.equal((await page.$$(".graph .curve:not(.halo)")).length, 2);
  await page.waitForSelector(".swings li");
  await page.click(".swings .better");
  await page.waitForSelector(".walk-bar:not([hidden])");
  await page.click(".walk-bar .primary");
  await page.focus(".graph-slider");
  await page.keyboard.press("Home");
  await until(page, () => document.querySelectorAll(".stones .stone").length === 0);
});

test("opponent models are asked side by side", async () => {
  const page = await freshPage(browser);
  const { id } = await studio.table({ game: "blokus", seats: Array(4).fill({ kind: "person" }) });
  await visit(page, studio, `#/table/${id}/compare`);
  await page.click("#compare");
  await until(page, () => document.getElementById("compare")?.textContent === "Compare" && document.querySelectorAll(".way").length >= 2);
  const names = await page.$$eval(".way strong", (all) => all.map((each) => each.textContent));
  assert(names.includes("maxn") && names.includes("paranoid"), names.join());
  assert((await textOf(page, "#panel-compare [role=status]")).length > 5);
});
