import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, freshPage, tableId, until, visit } from "../harness.js";

const { studio, browser } = await begin();
const MOST = 300 * 1024;

test("the whole page weighs less than 300 KB, and nothing comes from elsewhere", async () => {
  const page = await freshPage(browser);
  /** @type {Map<string, number>} */
  const loaded = new Map();
  page.on("response", async (response) => {
    const url = new URL(response.url());
    if (url.protocol === "about:") return;
    assert.equal(url.origin, studio.address, response.url());
    if (url.pathname.startsWith("/api/")) return;
    const body = await response.buffer().catch(() => Buffer.alloc(0));
    loaded.set(url.pathname, Math.max(loaded.get(url.pathname) ?? 0, body.length));
  });
  // Every screen once, so that every module is loaded.
  for (const place of ["#/", "#/setup/gomoku", "#/research", "#/lab", "#/new/blokus"]) {
    await visit(page, studio, place);
    await until(page, () => !document.querySelector(".loading"));
  }
  await page.click(".new-form .primary");
  await tableId(page);
  await page.waitForSelector(".board");
  await page.click('[aria-label="Settings"]');
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  const whole = [...loaded.values()].reduce((sum, size) => sum + size, 0);
  assert(loaded.size > 30, `${loaded.size} files were seen`);
  assert(whole < MOST, `${whole} bytes`);
  console.log(`the page: ${loaded.size} files, ${whole} bytes`);
});
