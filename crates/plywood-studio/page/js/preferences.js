/** What the reader has chosen, kept in the browser. */

const KEY = "plywood";

const DEFAULTS = {
  theme: /** @type {"auto" | "light" | "dark"} */ ("auto"),
  /** How fast stones are sown and tiles slide; 0 is off. */
  speed: 1,
  threads: 1,
  marks: true,
  analysis: false,
};

/** @typedef {typeof DEFAULTS} Preferences */

/** @returns {Preferences} */
function load() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

const current = load();

/** @returns {Readonly<Preferences>} */
export const preferences = () => current;

/** @param {Partial<Preferences>} change */
export function prefer(change) {
  Object.assign(current, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // A browser that keeps nothing still plays.
  }
  applyTheme();
}

/** How long a step of an animation of this length takes now; 0 if there is to be none. */
export function duration(/** @type {number} */ ms) {
  if (!current.speed || matchMedia("(prefers-reduced-motion: reduce)").matches) return 0;
  return ms / current.speed;
}

export function applyTheme() {
  const dark = current.theme === "dark"
    || (current.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

export const isDark = () => document.documentElement.dataset.theme === "dark";
