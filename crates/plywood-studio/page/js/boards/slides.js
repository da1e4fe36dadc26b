/** Where tiles go when they slide: needed to draw the way, the server says only where they end. */

/** @typedef {"up" | "down" | "left" | "right"} Direction */

/** The cells of each line from the edge the tiles slide to. @param {Direction} direction */
function lanes(direction) {
  return [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((k) => {
    switch (direction) {
      case "left": return 4 * i + k;
      case "right": return 4 * i + 3 - k;
      case "up": return 4 * k + i;
      default: return 4 * (3 - k) + i;
    }
  }));
}

/**
 * @param {number[]} cells  exponents, row by row
 * @param {Direction} direction
 * @returns {{from: number, to: number, merges: boolean}[]} every tile; of two that merge the second is marked
 */
export function slides(cells, direction) {
  /** @type {{from: number, to: number, merges: boolean}[]} */
  const ways = [];
  for (const lane of lanes(direction)) {
    let free = 0;
    let last = 0;
    for (const from of lane) {
      const tile = cells[from];
      if (!tile) continue;
      if (tile === last) {
        ways.push({ from, to: lane[free - 1], merges: true });
        last = 0;
      } else {
        ways.push({ from, to: lane[free], merges: false });
        free += 1;
        last = tile;
      }
    }
  }
  return ways;
}

/** @param {string} text @returns {text is Direction} */
export const isDirection = (text) => text === "up" || text === "down" || text === "left" || text === "right";

/** "b3" is column b, row 3 from the top. @param {string} name */
export const cellIndex = (name) => "abcd".indexOf(name[0]) + 4 * (Number(name[1]) - 1);

/** @param {number} index */
export const cellName = (index) => "abcd"[index % 4] + (1 + Math.floor(index / 4));
