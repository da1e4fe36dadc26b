/** The top of the search's tree, by the nodes spent: wide is much, cut-offs are marked. Click to zoom. */
import { fill, h, s } from "../dom.js";
import { count } from "../format.js";
import { lineText } from "../parts/move-name.js";

/**
 * @typedef {Object} TreeNode
 * @property {string} move
 * @property {number} nodes
 * @property {number | null} [worker]
 * @property {boolean} [aborted]
 * @property {number} [splits]
 * @property {number} [cuts]
 * @property {TreeNode[]} children
 */

const WIDTH = 1000;
const ROW = 30;
const DEEP = 7;
/** Narrower than this nothing can be told apart. */
const LEAST = 2;

/** @param {string} game @param {(line: string[]) => void} onLine  the moves from the root to where the pointer is */
export function treePanel(game, onLine) {
  const svg = s("svg", { class: "tree", viewBox: `0 0 ${WIDTH} ${ROW}`, role: "group", "aria-label": "The tree by nodes" });
  const path = h("nav", { class: "tree-path", "aria-label": "Zoomed to" });
  const about = h("p", { class: "muted", role: "status" });
  const element = h("div", { class: "tree-frame", hidden: true }, path, svg, about);
  /** @type {TreeNode[]} */
  let zoom = [];
  let spec = game;

  /** @param {TreeNode} node */
  const name = (node) => (node.move ? (/ more$/.test(node.move) ? node.move : lineText(spec, node.move.split(" "))) : "root");

  /** @param {TreeNode} node */
  function facts(node) {
    const parts = [`${name(node)}: ${count(node.nodes)} nodes`];
    if (node.worker !== null && node.worker !== undefined) parts.push(`core ${node.worker + 1}`);
    if (node.splits) parts.push(`${node.splits} ${node.splits === 1 ? "node" : "nodes"} split, ${node.cuts ?? 0} cut off`);
    if (node.aborted) parts.push("aborted: its result was no longer needed");
    return parts.join(", ");
  }

  function draw() {
    const root = zoom[zoom.length - 1];
    fill(path, zoom.map((node, i) => h("button", { type: "button", class: "link", "aria-current": i === zoom.length - 1 ? "true" : null, onclick: () => {
      zoom = zoom.slice(0, i + 1);
      draw();
    } }, name(node))));
    /** @type {SVGElement[]} */
    const parts = [];
    let deepest = 0;
    /** @param {TreeNode} node @param {number} x @param {number} width @param {number} depth @param {TreeNode[]} above */
    const box = (node, x, width, depth, above) => {
      if (width < LEAST || depth >= DEEP) return;
      deepest = Math.max(deepest, depth);
      const here = [...above, node];
      const line = [...zoom.slice(0, -1), ...here].flatMap((each) => (each.move && !/ more$/.test(each.move) ? each.move.split(" ") : []));
      const group = s("g", {
        class: `tree-node depth-${depth % 4}${node.aborted ? " aborted" : ""}${node.cuts ? " cut" : ""}`, transform: `translate(${x.toFixed(2)} ${depth * ROW})`,
        role: "button", tabindex: width > 24 ? 0 : -1, "aria-label": facts(node),
        onclick: () => open(here),
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          open(here);
        },
        onmouseenter: () => point(node, line), onfocus: () => point(node, line),
        onmouseleave: () => onLine([]), onblur: () => onLine([]),
      }, s("rect", { width: Math.max(0.5, width - 1), height: ROW - 2, rx: 2 }));
      if (node.cuts && width > 12) group.append(s("path", { class: "cut-mark", d: `M${width - 11} 3h8v8z` }));
      const text = name(node);
      if (width > 7 * text.length + 12) group.append(s("text", { x: 6, y: ROW / 2 }, text));
      parts.push(group);
      const whole = Math.max(node.nodes, node.children.reduce((sum, child) => sum + child.nodes, 0), 1);
      let left = x;
      for (const child of node.children) {
        const share = (child.nodes / whole) * width;
        box(child, left, share, depth + 1, here);
        left += share;
      }
    };
    box(root, 0, WIDTH, 0, []);
    fill(svg, parts);
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${(deepest + 1) * ROW}`);
    about.textContent = facts(root);
  }

  /** @param {TreeNode} node @param {string[]} line */
  function point(node, line) {
    about.textContent = facts(node);
    onLine(line);
  }

  /** @param {TreeNode[]} here */
  function open(here) {
    const node = here[here.length - 1];
    if (here.length === 1) {
      if (zoom.length > 1) zoom = zoom.slice(0, -1);
    } else if (node.children.length) zoom = [...zoom, ...here.slice(1)];
    draw();
  }

  return {
    element,
    clear() {
      element.hidden = true;
    },
    /** @param {{root: TreeNode}} tree @param {string} of */
    show(tree, of) {
      spec = of;
      element.hidden = false;
      zoom = [tree.root];
      draw();
    },
  };
}
