/** A grid of cells that the keyboard can walk through: one cell at a time is in the tab order. */

/**
 * @typedef {Object} Grid
 * @property {(index: number, focus?: boolean) => void} select
 * @property {() => number} current
 * @property {() => void} focus
 */

const STEPS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});

/**
 * @param {Element} element  which holds the cells and hears the keys
 * @param {(HTMLElement | SVGElement)[]} cells  row by row
 * @param {number} columns
 * @param {{start?: number, onMove?: (index: number) => void, onKey?: (event: KeyboardEvent, index: number) => boolean}} [options]
 *   onKey says whether it has dealt with the key
 * @returns {Grid}
 */
export function walkable(element, cells, columns, options = {}) {
  let current = options.start ?? 0;
  cells.forEach((cell, index) => cell.setAttribute("tabindex", index === current ? "0" : "-1"));

  /** @param {number} index @param {boolean} [focus] */
  function select(index, focus = false) {
    cells[current]?.setAttribute("tabindex", "-1");
    current = index;
    cells[current]?.setAttribute("tabindex", "0");
    if (focus) cells[current]?.focus({ preventScroll: true });
    options.onMove?.(current);
  }

  element.addEventListener("focusin", (event) => {
    const index = cells.indexOf(/** @type {any} */ (event.target));
    if (index >= 0 && index !== current) select(index);
  });
  element.addEventListener("keydown", (raw) => {
    const event = /** @type {KeyboardEvent} */ (raw);
    if (options.onKey?.(event, current)) {
      event.preventDefault();
      return;
    }
    const step = STEPS[event.key];
    const rows = Math.ceil(cells.length / columns);
    let x = current % columns;
    let y = Math.floor(current / columns);
    if (step && !event.altKey && !event.ctrlKey && !event.metaKey) {
      x = Math.min(columns - 1, Math.max(0, x + step[0]));
      y = Math.min(rows - 1, Math.max(0, y + step[1]));
    } else if (event.key === "Home") x = 0;
    else if (event.key === "End") x = columns - 1;
    else if (event.key === "PageUp") y = 0;
    else if (event.key === "PageDown") y = rows - 1;
    else return;
    event.preventDefault();
    event.stopPropagation();
    select(y * columns + x, true);
  });

  return { select, current: () => current, focus: () => cells[current]?.focus({ preventScroll: true }) };
}
