/** News of a search put together. */

/** @typedef {import("./types.js").Progress} Progress */

/**
 * A search that is asked again with more time starts at depth 1 each time, and lists all moves only
 * now and then: what was known stays until something at least as deep is known.
 * @param {Progress | null} known
 * @param {Progress} news
 * @returns {Progress}
 */
export function merged(known, news) {
  if (!known) return news;
  const whole = Boolean(news.moves?.length);
  const latest = { nodes: news.nodes ?? known.nodes, nodes_per_second: news.nodes_per_second ?? known.nodes_per_second, time_ms: news.time_ms };
  if (news.depth < known.depth && !whole) return { ...known, ...latest };
  return { ...news, ...latest, moves: whole ? news.moves : known.moves };
}
