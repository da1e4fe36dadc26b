/** Elements made in one line, and what is said to everybody. */

/** @typedef {Node | string | number | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Record<string, any>} props
 */
function assign(element, props) {
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked" || key === "selected" || key === "disabled") {
      /** @type {any} */ (element)[key] = value;
    } else element.setAttribute(key, value === true ? "" : String(value));
  }
}

/**
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
function append(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  // Children first: a select takes its value only when it has its options.
  append(element, children);
  assign(element, props);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, props = {}, ...children) {
  const element = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
  append(element, children);
  assign(element, props);
  return element;
}

/**
 * Gives an element other children.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** @param {string} text */
export function say(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/**
 * A line at the foot of the window that goes away by itself.
 * @param {string} text
 * @param {"info" | "error"} [kind]
 */
export function toast(text, kind = "info") {
  const place = document.getElementById("toasts");
  if (!place) return;
  const line = h("div", { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status" }, text);
  place.append(line);
  setTimeout(() => line.remove(), kind === "error" ? 7000 : 3000);
}

/**
 * Tells what went wrong, unless it was only the end of something that was stopped.
 * @param {unknown} error
 */
export function complain(error) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  toast(error instanceof Error ? error.message : String(error), "error");
}

/**
 * A button with a drawing and a name.
 * @param {string} name
 * @param {string} icon  the path of the drawing, 24 by 24
 * @param {(event: MouseEvent) => void} onclick
 * @param {Record<string, any>} [props]
 */
export function iconButton(name, icon, onclick, props = {}) {
  return h("button", { type: "button", class: "icon", title: name, "aria-label": name, onclick, ...props },
    s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: icon })));
}

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
