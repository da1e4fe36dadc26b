/**
 * How quick the studio is, measured in a real browser and printed; nothing is asserted, since that depends on the machine.
 *   PLYWOOD_BIN=target/release/plywood node crates/plywood-studio/e2e/measure.js
 * Every first move is measured on a server that has just been started, from the click to the picture with the answer. The
 * click comes half a second after the board, sooner than a person makes it.
 */
import { rm } from "node:fs/promises";
import puppeteer from "puppeteer-core";
import { CHROMIUM, Studio, WIDE, tableId, visit } from "./harness.js";

/** @typedef {import("puppeteer-core").Page} Page */

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const browser = await puppeteer.launch({ executablePath: CHROMIUM, headless: true, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

/** @param {boolean} still */
async function freshPage(still) {
  const page = await (await browser.createBrowserContext()).newPage();
  await page.setViewport(WIDE);
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: still ? "reduce" : "no-preference" }]);
  return page;
}

/** @template T @param {(studio: Studio) => Promise<T>} work */
async function withStudio(work) {
  const studio = new Studio();
  await studio.start();
  try {
    return await work(studio);
  } finally {
    await studio.kill();
    await rm(studio.store, { recursive: true, force: true });
  }
}

/** @param {number[]} all */
const spread = (all) => {
  const sorted = [...all].sort((a, b) => a - b);
  return `${Math.round(sorted[Math.floor(sorted.length / 2)])} ms (${Math.round(sorted[0])} to ${Math.round(sorted[sorted.length - 1])})`;
};

/** From the click or key that makes a move to the picture in which the list has an answer to it. @param {Page} page @param {() => Promise<unknown>} act */
async function answer(page, act) {
  const measured = page.evaluate(() => new Promise((resolve) => {
    let at = 0;
    for (const kind of ["pointerup", "keydown"]) addEventListener(kind, () => { at = performance.now(); }, true);
    const watcher = new MutationObserver(() => {
      if (document.querySelectorAll(".move-list li").length < 2) return;
      watcher.disconnect();
      // After the next picture is drawn.
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - at)));
    });
    watcher.observe(document.body, { subtree: true, childList: true });
  }));
  await act();
  return /** @type {Promise<number>} */ (measured);
}

/** @type {[string, string, (page: Page) => Promise<unknown>][]} */
const games = [
  ["gomoku", "H8", (page) => page.click('[aria-label="H8, empty"]')],
  ["kalah", "A", (page) => page.click('[aria-label^="Pit A"]')],
  ["blokus", "a piece", async (page) => {
    await page.focus(".tray-piece:not(.stuck)");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".blokus .ghost.fits");
    await page.keyboard.press("Enter");
  }],
];
for (const [game, what, act] of games) {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push(await withStudio(async (studio) => {
      const page = await freshPage(true);
      await visit(page, studio, `#/new/${game}`);
      await page.click(".new-form .primary");
      await tableId(page);
      await page.waitForSelector(".playable, .pit.can, .tray:not(.waiting):not([hidden])");
      await new Promise((resolve) => setTimeout(resolve, 500));
      const time = await answer(page, () => act(page));
      await page.close();
      return time;
    }));
  }
  console.log(`${game}: the answer to ${what} after ${spread(times)}`);
}

await withStudio(async (studio) => {
  const paints = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await freshPage(false);
    await visit(page, studio, "#/");
    await page.waitForSelector("main section");
    paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN));
    await page.close();
  }
  console.log(`first picture of the page after ${spread(paints)}`);

  /** Pictures a second while something is done. @param {Page} page @param {() => Promise<unknown>} act */
  const frames = async (page, act) => {
    await page.evaluate(() => {
      const times = /** @type {number[]} */ (/** @type {any} */ (globalThis).times = []);
      const note = (/** @type {number} */ now) => {
        times.push(now);
        requestAnimationFrame(note);
      };
      requestAnimationFrame(note);
    });
    await act();
    const times = /** @type {number[]} */ (await page.evaluate(() => /** @type {any} */ (globalThis).times));
    const gaps = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
    const rate = gaps.length / gaps.reduce((sum, gap) => sum + gap, 0) * 1000;
    return `${rate.toFixed(1)} pictures a second, 95 % of them within ${gaps[Math.floor(gaps.length * .95)].toFixed(1)} ms`;
  };
  const people = (/** @type {number} */ n) => Array(n).fill({ kind: "person" });

  let page = await freshPage(false);
  const { id } = await studio.table({ game: "blokus", seats: people(4) });
  await visit(page, studio, `#/table/${id}`);
  const box = await (await page.waitForSelector('[data-piece="F"]'))?.boundingBox();
  const board = await (await page.waitForSelector(".board.blokus"))?.boundingBox();
  if (!box || !board) throw new Error("there is no board");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  console.log(`a piece is dragged: ${await frames(page, async () => {
    for (let step = 0; step < 300; step += 1) {
      await page.mouse.move(board.x + board.width * (.5 + .4 * Math.sin(step / 17)), board.y + board.height * (.5 + .4 * Math.cos(step / 11)));
    }
  })}`);
  await page.mouse.up();
  await page.close();

  page = await freshPage(false);
  const kalah = await studio.table({ game: "kalah", seats: people(2) });
  await visit(page, studio, `#/table/${kalah.id}`);
  await page.waitForSelector(".pit.can");
  console.log(`stones are sown: ${await frames(page, async () => {
    for (const pit of ["C", "A"]) {
      await page.waitForSelector(".pit.can");
      await page.click(`[aria-label^="Pit ${pit}"]`);
      await new Promise((resolve) => setTimeout(resolve, 1200));
    }
  })}`);
  await page.close();
});
await browser.close();
