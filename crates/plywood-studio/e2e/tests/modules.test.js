import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, freshPage, visit } from "../harness.js";

const { studio, browser } = await begin();
/** The modules as the browser has them. */
const page = await freshPage(browser);
await visit(page, studio, "#/");

/**
 * Runs in the page, with a module of it.
 * @template T
 * @param {string} name
 * @param {(module: any, argument: any) => T} body
 * @param {unknown} [argument]
 * @returns {Promise<T>}
 */
const within = (name, body, argument) => page.evaluate(
  `import("/js/${name}.js").then((module) => (${body})(module, ${JSON.stringify(argument ?? null)}))`,
).then((result) => /** @type {T} */ (result));

// One test: the page they share is closed after it.
test("the parts that only reckon", async () => {
  // Events come cut anywhere, with comments and both kinds of line ends.
  const stream = ": a comment\r\nevent: progress\r\ndata: {\"a\":1}\r\n\r\ndata: {\"b\":\ndata: 2}\n\n\n: alive\n\nevent: done\ndata: {}\n\n";
  const expected = [["progress", { a: 1 }], ["message", { b: 2 }], ["done", {}]];
  for (const size of [1, 2, 3, 7, 1000]) {
    const events = await within("sse", (module, { text, step }) => {
      /** @type {unknown[]} */
      const seen = [];
      const parser = new module.EventParser((/** @type {string} */ name, /** @type {unknown} */ data) => seen.push([name, data]));
      for (let at = 0; at < text.length; at += step) parser.push(text.slice(at, at + step));
      return seen;
    }, { text: stream, step: size });
    assert.deepEqual(events, expected, `in pieces of ${size}`);
  }

  // Places read back as they were written, whatever is in them.
  const places = [
    { screen: "home" },
    { screen: "new", game: "gomoku:size=19,rule=renju" },
    { screen: "table", id: "ab12", tab: "review" },
    { screen: "setup", game: "kalah", position: "<6,0,0,4,4> n" },
    { screen: "research", game: "blokus", position: "turn=B B=a20,b20/c18 Y=- R=- G=-" },
    { screen: "lab", run: "a-run" },
    { screen: "linked", game: "2048", position: "2,.,.,./.,4,.,./.,.,.,./.,.,.,. score=4 chance", moves: ["b3=2", "up"] },
  ];
  for (const place of places) {
    const back = await within("share", (module, given) => JSON.parse(JSON.stringify(module.readPlace(module.writePlace(given)))), place);
    assert.deepEqual(back, place);
  }

  // Four tiles in a line merge in pairs, the first ones first.
  const ways = await within("boards/slides", (module) => module.slides([1, 1, 1, 1, 0, 2, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0], "left"));
  assert.deepEqual(ways.map((/** @type {any} */ { from, to, merges }) => [from, to, merges]), [
    [0, 0, false], [1, 0, true], [2, 1, false], [3, 1, true], [5, 4, false], [6, 4, true], [7, 5, false]]);

  // Less deep news do not replace what is known; figures that are missing stay.
  const kept = await within("progress", (module) => {
    const known = { depth: 9, nodes: 500, nodes_per_second: 5, time_ms: 10, values: [3, -3], certainty: "estimate", line: ["A"], moves: [{ move: "A", value: 3 }] };
    const early = module.merged(known, { depth: 2, nodes: null, nodes_per_second: null, time_ms: 20, values: [1, -1], certainty: "estimate", line: ["B"], moves: [] });
    const deeper = module.merged(early, { depth: 10, nodes: 900, nodes_per_second: 6, time_ms: 30, values: [4, -4], certainty: "exact", line: ["C"], moves: [] });
    return [early.depth, early.line[0], early.nodes, early.time_ms, deeper.depth, deeper.line[0], deeper.moves.length];
  });
  assert.deepEqual(kept, [9, "A", 500, 20, 10, "C", 1]);

  // What is pasted is recognised by its form.
  const guesses = await within("parts/paste", (module, texts) => texts.map(module.guessGame), [
    "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s", "<4,0,0,3,3,3,3,3,3,3,3> n", "turn=B B=- Y=- R=- G=-", "turn=B B=- W=-",
    "2,.,.,./.,.,.,./.,.,.,./.,.,.,2", "H8 I9 g7", "5/5/2x2/5/5 w", "(;FF[4]GM[4])"]);
  assert.deepEqual(guesses, ["kalah", "kalah:pits=4", "blokus", "blokus-duo", "2048", "gomoku", "gomoku:size=5", null]);

  // All orientations that the server knows are reached by turning and flipping.
  const pieces = await studio.api("GET", "/blokus/pieces");
  const reached = await within("boards/blokus-shape", (module, all) => all.map((/** @type {any} */ piece) => {
    const seen = new Set();
    let cells = piece.orientations[0];
    for (let flip = 0; flip < 2; flip += 1) {
      for (let turn = 0; turn < 4; turn += 1) {
        seen.add(module.cellsKey(module.normal(cells)));
        cells = module.rotated(cells);
      }
      cells = module.flipped(cells);
    }
    return seen.size;
  }), pieces);
  assert.deepEqual(reached, pieces.map((/** @type {any} */ piece) => piece.orientations.length));
});
