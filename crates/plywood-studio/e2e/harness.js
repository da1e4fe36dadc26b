/** Starts a studio of its own and a browser, and sees to it that nothing goes wrong unnoticed. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, afterEach } from "node:test";
import puppeteer from "puppeteer-core";

/** @typedef {import("puppeteer-core").Page} Page */
/** @typedef {import("puppeteer-core").Browser} Browser */

const ROOT = path.resolve(import.meta.dirname, "../../..");
const BINARY = process.env.PLYWOOD_BIN ? path.resolve(process.env.PLYWOOD_BIN) : path.join(ROOT, "target/debug/plywood");
export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** Serves the page inside the program, unless somebody is working on it. */
const PAGE_DIR = process.env.PLYWOOD_PAGE_DIR;

/** How long a machine that does other things as well may take. */
export const PATIENCE = 90_000;

export const WIDE = { width: 1280, height: 860 };
export const PHONE = { width: 360, height: 740, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

/** A server with a store of its own. */
export class Studio {
  constructor() {
    this.store = "";
    this.address = "";
    this.port = 0;
    /** @type {import("node:child_process").ChildProcess | null} */
    this.process = null;
  }

  async start() {
    assert(existsSync(BINARY), `there is no ${BINARY}: build it, or name another with PLYWOOD_BIN`);
    this.store ||= await mkdtemp(path.join(tmpdir(), "plywood-e2e-"));
    const page = PAGE_DIR ? ["--page-dir", PAGE_DIR] : [];
    const child = spawn(BINARY, ["studio", "--port", String(this.port), "--store", this.store, ...page], { stdio: ["ignore", "pipe", "inherit"] });
    this.process = child;
    this.address = await new Promise((resolve, reject) => {
      let said = "";
      child.stdout?.on("data", (data) => {
        said += data;
        const found = /http:\/\/[\d.]+:(\d+)/.exec(said);
        if (!found) return;
        this.port = Number(found[1]);
        resolve(found[0]);
      });
      child.on("exit", (code) => reject(new Error(`the studio ended with ${code}: ${said}`)));
    });
  }

  /** As if the power had failed. */
  async kill() {
    const child = this.process;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    this.process = null;
  }

  /** @param {string} method @param {string} where @param {unknown} [body] @returns {Promise<any>} */
  async api(method, where, body) {
    const response = await fetch(`${this.address}/api/v1${where}`, {
      method, headers: body ? { "content-type": "application/json" } : {}, body: body ? JSON.stringify(body) : undefined,
    });
    const text = await response.text();
    assert(response.ok, `${method} ${where}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  /** A table to begin with. @param {object} body @returns {Promise<any>} */
  table(body) {
    return this.api("POST", "/tables", body);
  }
}

/** @type {{problems: string[], expected: RegExp[]}[]} */
const watched = [];
/** @type {Page[]} */
const open = [];

/** A studio and a browser for one file of tests. */
export async function begin() {
  const studio = new Studio();
  await studio.start();
  const browser = await puppeteer.launch({ executablePath: CHROMIUM, headless: true, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  // A test that failed must not leave a search running for the next.
  afterEach(async () => {
    await Promise.all(open.splice(0).map((page) => page.close().catch(() => {})));
  });
  after(async () => {
    await browser.close();
    await studio.kill();
    await rm(studio.store, { recursive: true, force: true });
    const problems = watched.flatMap(({ problems: all, expected }) => all.filter((line) => !expected.some((each) => each.test(line))));
    assert.deepEqual(problems, [], "the console stays quiet");
  });
  return { studio, browser };
}

/**
 * A page in a profile of its own.
 * @param {Browser} browser
 * @param {{viewport?: import("puppeteer-core").Viewport, dark?: boolean, still?: boolean, expected?: RegExp[]}} [options]
 *   still: no animations; expected: lines of the console that are no mistakes
 */
export async function freshPage(browser, options = {}) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  open.push(page);
  page.setDefaultTimeout(PATIENCE);
  await page.setViewport(options.viewport ?? WIDE);
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: options.dark ? "dark" : "light" },
    { name: "prefers-reduced-motion", value: options.still === false ? "no-preference" : "reduce" },
  ]);
  const watch = { problems: /** @type {string[]} */ ([]), expected: options.expected ?? [] };
  watched.push(watch);
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warn") watch.problems.push(`${message.text()} (${message.location().url ?? ""})`);
  });
  page.on("pageerror", (error) => watch.problems.push(String(error)));
  return page;
}

/** Goes to a place in the page and waits until it is there. @param {Page} page @param {Studio} studio @param {string} hash */
export async function visit(page, studio, hash) {
  // Only another fragment would not load the page anew.
  await page.goto("about:blank");
  await page.goto(`${studio.address}/${hash}`);
  await page.waitForSelector("main section");
}

/** @param {Page} page @param {string} selector */
export const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent?.trim() ?? "");

/**
 * Waits until something in the page is so.
 * @template {unknown[]} A
 * @param {Page} page
 * @param {(...args: A) => unknown} condition
 * @param {A} args
 */
export const until = (page, condition, ...args) => page.waitForFunction(/** @type {any} */ (condition), { timeout: PATIENCE, polling: 50 }, ...args);

/** The id of the table that is shown. @param {Page} page */
export const tableId = async (page) => {
  await page.waitForFunction(() => location.hash.startsWith("#/table/"), { timeout: PATIENCE });
  return page.evaluate(() => location.hash.split("/")[2]);
};

/** Waits until so many moves are in the list. @param {Page} page @param {number} n */
export const movesMade = (page, n) => until(page, (want) => document.querySelectorAll(".move-list li").length >= want, n);

/** Waits until a person is to move or the game is over; says which. @param {Page} page */
export async function myTurn(page) {
  const handle = await page.waitForFunction(() => {
    if (document.querySelector(".status-line.over")) return "over";
    return document.querySelector(".thinking") || !document.querySelector(".playable, .pit.can, .tray:not(.waiting):not([hidden])") ? false : "mine";
  }, { timeout: PATIENCE, polling: 20 });
  return /** @type {Promise<string>} */ (handle.jsonValue());
}
