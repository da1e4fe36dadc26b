/** Addresses: where the page is, and a position that is wholly in the address. */

/**
 * @typedef {{screen: "home"}
 *  | {screen: "new", game: string, position?: string}
 *  | {screen: "table", id: string, tab?: string}
 *  | {screen: "linked", game: string, position?: string, moves: string[]}
 *  | {screen: "setup", game: string, position?: string}
 *  | {screen: "research", game?: string, position?: string}
 *  | {screen: "lab", run?: string}} Place
 */

/**
 * What stands behind the # of an address.
 * @param {string} fragment
 * @returns {Place}
 */
export function readPlace(fragment) {
  const text = fragment.replace(/^#/, "");
  if (!text.startsWith("/")) {
    const fields = new URLSearchParams(text);
    const game = fields.get("game");
    if (!game) return { screen: "home" };
    return {
      screen: "linked",
      game,
      position: fields.get("position") ?? undefined,
      moves: (fields.get("moves") ?? "").split(" ").filter(Boolean),
    };
  }
  const [path, query = ""] = text.slice(1).split("?");
  const fields = new URLSearchParams(query);
  const position = fields.get("position") ?? undefined;
  const [screen, first, second] = path.split("/").map(decodeURIComponent);
  switch (screen) {
    case "new": return { screen, game: first || "blokus", position };
    case "table": return { screen, id: first ?? "", tab: second };
    case "setup": return { screen, game: first || "gomoku", position };
    case "research": return { screen, game: first || undefined, position };
    case "lab": return { screen, run: first || undefined };
    default: return { screen: "home" };
  }
}

/**
 * The address of a place, from the # on.
 * @param {Place} place
 */
export function writePlace(place) {
  const part = encodeURIComponent;
  const query = "position" in place && place.position ? `?${new URLSearchParams({ position: place.position })}` : "";
  switch (place.screen) {
    case "new": return `#/new/${part(place.game)}${query}`;
    case "table": return `#/table/${part(place.id)}${place.tab ? `/${part(place.tab)}` : ""}`;
    case "setup": return `#/setup/${part(place.game)}${query}`;
    case "research": return `#/research${place.game ? `/${part(place.game)}` : ""}${query}`;
    case "lab": return `#/lab${place.run ? `/${part(place.run)}` : ""}`;
    case "linked": {
      const fields = new URLSearchParams({ game: place.game });
      if (place.position) fields.set("position", place.position);
      if (place.moves.length) fields.set("moves", place.moves.join(" "));
      return `#${fields}`;
    }
    default: return "#/";
  }
}

/**
 * An address that opens the same position anywhere.
 * @param {string} game
 * @param {string | undefined} position
 * @param {string[]} [moves]
 */
export function shareUrl(game, position, moves = []) {
  return `${location.origin}/${writePlace({ screen: "linked", game, position, moves })}`;
}

/** @param {Place} place */
export function go(place) {
  location.hash = writePlace(place);
}
