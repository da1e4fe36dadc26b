/** Starts the page and goes from screen to screen. */
import { api } from "./api.js";
import { complain, fill, h, iconButton, say } from "./dom.js";
import { ICONS } from "./icons.js";
import { applyTheme, isDark, prefer } from "./preferences.js";
import { readPlace } from "./share.js";

/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./share.js").Place} Place */
/** @typedef {{element: HTMLElement, title: string, destroy?: () => void}} Screen */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));

/** @type {Promise<GameInfo[]> | null} */
let games = null;
/** @type {Screen | null} */
let current = null;
let visit = 0;

function allGames() {
  games ??= api.games().catch((error) => {
    games = null;
    throw error;
  });
  return games;
}

/** @param {Place} place @returns {Promise<Screen>} */
async function open(place) {
  const list = await allGames();
  switch (place.screen) {
    case "new": return (await import("./screens/new.js")).newScreen(list, place);
    case "table": return (await import("./screens/game.js")).tableScreen(list, place.id, place.tab);
    case "linked": return (await import("./screens/game.js")).linkedScreen(list, place);
    case "setup": return (await import("./screens/setup.js")).setupScreen(list, place);
    case "research": return (await import("./screens/research.js")).researchScreen(list, place);
    case "lab": return (await import("./screens/lab.js")).labScreen(list, place);
    default: return (await import("./screens/home.js")).homeScreen(list);
  }
}

async function show() {
  visit += 1;
  const mine = visit;
  const place = readPlace(location.hash);
  markNav(place.screen);
  /** @type {Screen} */
  let screen;
  try {
    screen = await open(place);
  } catch (error) {
    if (mine !== visit) return;
    screen = troubleScreen(error);
  }
  if (mine !== visit) {
    screen.destroy?.();
    return;
  }
  current?.destroy?.();
  const first = current === null;
  current = screen;
  main.replaceChildren(screen.element);
  document.title = `${screen.title} · Plywood`;
  if (!first) {
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
    say(screen.title);
  }
}

/** @param {unknown} error @returns {Screen} */
function troubleScreen(error) {
  const text = error instanceof Error ? error.message : String(error);
  return {
    title: "Something is wrong",
    element: h("section", { class: "page narrow" },
      h("h1", {}, "That did not work"),
      h("p", { role: "alert" }, `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}.`),
      h("p", {}, h("a", { class: "button", href: "#/" }, "To the games"), " ",
        h("button", { type: "button", onclick: () => void show() }, "Try again"))),
  };
}

/** @param {string} screen */
function markNav(screen) {
  const nav = document.getElementById("nav");
  if (!nav) return;
  const group = screen === "research" || screen === "lab" ? screen : "play";
  fill(nav, [["play", "#/", "Play"], ["research", "#/research", "Research"], ["lab", "#/lab", "Lab"]].map(([name, href, text]) => (
    h("a", { href, "aria-current": name === group ? "page" : null }, text))));
}

/** The switch of light and dark, the settings, the keys. */
function tools() {
  const place = document.getElementById("tools");
  if (!place) return;
  const theme = iconButton("Light or dark", ICONS.theme, () => {
    prefer({ theme: isDark() ? "light" : "dark" });
    theme.setAttribute("aria-pressed", String(isDark()));
  }, { "aria-pressed": String(isDark()) });
  const help = h("button", { type: "button", class: "icon keys-button", "aria-label": "Keys", title: "Keys (?)", onclick: () => void showKeys() }, "?");
  const settings = iconButton("Settings", ICONS.gear, () => void showSettings());
  fill(place, theme, settings, help);
}

async function showSettings() {
  try {
    (await import("./parts/settings.js")).showSettings();
  } catch (error) {
    complain(error);
  }
}

async function showKeys() {
  try {
    (await import("./parts/keys.js")).showKeys();
  } catch (error) {
    complain(error);
  }
}

applyTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
tools();
document.getElementById("skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
document.addEventListener("keydown", (event) => {
  const target = event.target;
  if (event.key !== "?" || (target instanceof Element && target.closest("input, select, textarea, dialog"))) return;
  void showKeys();
});
addEventListener("hashchange", () => void show());
// A browser may keep a page that was left, with its requests open: searches would go on for nobody.
addEventListener("pagehide", () => {
  current?.destroy?.();
  current = null;
});
addEventListener("pageshow", (event) => {
  if (event.persisted) void show();
});
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  complain(event.reason);
});
void show();
