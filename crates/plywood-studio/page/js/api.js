/** Everything the page asks of the server. */
import { readEvents } from "./sse.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").TableSummary} TableSummary */
/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").SeatSpec} SeatSpec */

const BASE = "/api/v1";

/** An answer that was not what was asked for. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @param {Response} response */
async function failure(response) {
  let code = "unknown";
  let message = `the server answered ${response.status}`;
  try {
    const { error } = await response.json();
    code = error.code;
    message = error.message;
  } catch {
    // Not JSON: the number has to do.
  }
  return new ApiError(response.status, code, message);
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 */
async function request(method, path, body, signal) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(BASE + path, {
      method,
      signal,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "offline", "the studio's server does not answer: is plywood studio still running?");
  }
  if (!response.ok) throw await failure(response);
  return response;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
async function json(method, path, body, signal) {
  const response = await request(method, path, body, signal);
  const text = await response.text();
  return text ? JSON.parse(text) : null;
}

/**
 * A request whose answer is a stream of events; ends when the stream does. Aborting the signal ends
 * the search on the server too.
 * @param {string} method
 * @param {string} path
 * @param {unknown} body
 * @param {(name: string, data: any) => void} onEvent
 * @param {AbortSignal} signal
 */
async function stream(method, path, body, onEvent, signal) {
  const response = await request(method, path, body, signal);
  await readEvents(response, (name, data) => {
    if (name === "failed") throw new ApiError(200, "failed", data.message);
    onEvent(name, data);
  });
}

const id = encodeURIComponent;

export const api = {
  /** @returns {Promise<GameInfo[]>} */
  games: () => json("GET", "/games"),
  status: () => json("GET", "/status"),
  /** @returns {Promise<Piece[]>} */
  pieces: () => json("GET", "/blokus/pieces"),
  /**
   * @param {{game: string, position?: string, moves?: string[]}} body
   * @param {AbortSignal} [signal]
   * @returns {Promise<View>}
   */
  position: (body, signal) => json("POST", "/position", body, signal),

  /** @returns {Promise<TableSummary[]>} */
  tables: () => json("GET", "/tables"),
  /** @param {string} table @returns {Promise<Table>} */
  table: (table) => json("GET", `/tables/${id(table)}`),
  /** @param {object} body @returns {Promise<Table>} */
  create: (body) => json("POST", "/tables", body),
  /** @param {string} text @returns {Promise<Table>} */
  import: (text) => json("POST", "/tables/import", { text }),
  /** @param {string} table */
  remove: (table) => json("DELETE", `/tables/${id(table)}`),
  /** @param {string} table @param {{seats?: SeatSpec[], title?: string}} body @returns {Promise<Table>} */
  change: (table, body) => json("PATCH", `/tables/${id(table)}`, body),
  /** @param {string} table @param {string} move @param {number} version @returns {Promise<Table>} */
  move: (table, move, version) => json("POST", `/tables/${id(table)}/move`, { move, version }),
  /** @param {string} table @param {number} at @returns {Promise<Table>} */
  goto: (table, at) => json("POST", `/tables/${id(table)}/goto`, { at }),
  /** @param {string} table @param {string} format @returns {Promise<string>} */
  record: async (table, format) => (await request("GET", `/tables/${id(table)}/record?format=${format}`)).text(),
  /**
   * @param {string} table
   * @param {object} body
   * @param {(name: string, data: any) => void} onEvent
   * @param {AbortSignal} signal
   */
  engine: (table, body, onEvent, signal) => stream("POST", `/tables/${id(table)}/engine`, body, onEvent, signal),

  /** @param {object} body @param {(name: string, data: any) => void} onEvent @param {AbortSignal} signal */
  search: (body, onEvent, signal) => stream("POST", "/search", body, onEvent, signal),
  /** @param {object} body @param {(name: string, data: any) => void} onEvent @param {AbortSignal} signal */
  review: (body, onEvent, signal) => stream("POST", "/review", body, onEvent, signal),
  /** @param {object} body @param {(name: string, data: any) => void} onEvent @param {AbortSignal} signal */
  compare: (body, onEvent, signal) => stream("POST", "/compare", body, onEvent, signal),

  runs: () => json("GET", "/lab/runs"),
  /** @param {string} run */
  reportUrl: (run) => `${BASE}/lab/runs/${id(run)}/report`,
  /** @param {string} a @param {string} b */
  compareRuns: (a, b) => json("GET", `/lab/compare?a=${id(a)}&b=${id(b)}`),
  /** @param {object} body */
  startSweep: (body) => json("POST", "/lab/sweeps", body),
  /** @param {string} sweep */
  stopSweep: (sweep) => json("DELETE", `/lab/sweeps/${id(sweep)}`),
  /** @param {string} sweep @param {(name: string, data: any) => void} onEvent @param {AbortSignal} signal */
  watchSweep: (sweep, onEvent, signal) => stream("GET", `/lab/sweeps/${id(sweep)}`, undefined, onEvent, signal),
};
