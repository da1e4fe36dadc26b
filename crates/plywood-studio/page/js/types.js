/**
 * What the server says, as types for the checker. Nothing here runs.
 *
 * @typedef {{kind: "player", seat: number} | {kind: "chance"} | {kind: "over"}} Turn
 *
 * @typedef {Object} KalahBoard
 * @property {"kalah"} kind
 * @property {number} pits
 * @property {number[][]} rows  of seat 0 and of seat 1, each in the order of sowing
 * @property {number[]} stores
 *
 * @typedef {Object} GomokuBoard
 * @property {"gomoku"} kind
 * @property {number} size
 * @property {string} cells  row by row from the top: . x o
 * @property {string} rule
 * @property {{at: string, why: string}[]} forbidden
 * @property {string[] | null} five
 *
 * @typedef {Object} BlokusBoard
 * @property {"blokus"} kind
 * @property {number} size
 * @property {string} cells  row by row from the top: . or the seat
 * @property {string[][]} left  the names of the pieces each seat still has
 * @property {boolean[]} out
 * @property {number[]} points
 * @property {string[][]} corners  cells that each seat may build on
 *
 * @typedef {Object} TilesBoard
 * @property {"2048"} kind
 * @property {number[]} cells  exponents, row by row
 * @property {number} score
 *
 * @typedef {KalahBoard | GomokuBoard | BlokusBoard | TilesBoard} BoardData
 *
 * @typedef {{kind: "lift", seat: number, pit: number, stones: number}
 *   | {kind: "drop", seat: number, pit: number | "store"}
 *   | {kind: "capture", seat: number, pit: number, from: {seat: number, pit: number}, stones: number}
 *   | {kind: "sweep", seat: number, pit: number, to: number, stones: number}} SowStep
 *
 * @typedef {Object} View
 * @property {string} game
 * @property {string} position
 * @property {Turn} turn
 * @property {string[]} players
 * @property {string[]} moves
 * @property {BoardData} board
 * @property {string | null} last
 * @property {string | null} result
 * @property {number[] | null} scores
 * @property {SowStep[]} [steps]
 *
 * @typedef {{kind: "person"} | {kind: "engine", level?: number, engine?: string, search?: string,
 *   strategy?: string, evaluation?: string, depth?: number, time_ms?: number, threads?: number}} SeatSpec
 *
 * @typedef {Object} Table
 * @property {string} id
 * @property {number} version
 * @property {string} game
 * @property {SeatSpec[]} seats
 * @property {string} start
 * @property {string[]} moves
 * @property {(number | null)[]} [movers]
 * @property {number} at
 * @property {View} view
 * @property {string} created
 * @property {string} changed
 * @property {string | null} title
 * @property {string} [spawner]
 *
 * @typedef {Object} TableSummary
 * @property {string} id
 * @property {string} game
 * @property {SeatSpec[]} seats
 * @property {string | null} title
 * @property {string} changed
 * @property {number} moves  how many
 * @property {string | null} [result]
 *
 * @typedef {{name: string, summary: string, default: string, accepts: string, values?: string[]}} OptionInfo
 * @typedef {{name: string, usage: string, summary: string}} StrategyInfo
 * @typedef {{name: string, summary: string, strategies: StrategyInfo[]}} SearchInfo
 *
 * @typedef {Object} GameInfo
 * @property {string} name
 * @property {string} title
 * @property {string} summary
 * @property {string[]} players
 * @property {OptionInfo[]} options
 * @property {{name: string, summary: string}[]} evaluations
 * @property {{name: string, summary: string}[]} engines
 * @property {SearchInfo[]} searches
 * @property {{level: number, summary: string}[]} levels
 * @property {number} level  the one to offer first
 * @property {string} value  what values are counted in
 * @property {string} search  the one that is used if nothing is said
 * @property {string} example  a position in the middle of a game
 *
 * @typedef {{name: string, size: number, orientations: [number, number][][]}} Piece
 *
 * @typedef {{move: string, value: number, certainty?: string, words?: string | null, line?: string[]}} RankedMove
 *
 * @typedef {Object} Progress
 * @property {number} depth
 * @property {number | null} nodes
 * @property {number | null} nodes_per_second
 * @property {number} time_ms
 * @property {number[]} values
 * @property {string} certainty
 * @property {string | null} [words]
 * @property {string[]} line
 * @property {RankedMove[]} [moves]
 *
 * @typedef {{nodes: number, busy_ms: number, stealing_ms: number, joining_ms: number, idle_ms: number, now?: LaneState}} Lane
 * @typedef {"busy" | "stealing" | "joining" | "idle"} LaneState
 * @typedef {{offered: number, converted: number, fizzled: number, cancelled: number, aborted: number}} Tasks
 * @typedef {{workers: Lane[], tasks: Tasks}} Lanes
 *
 * What a board may show besides the position: moves with their worth, and a line to be looked at.
 * @typedef {Object} Marks
 * @property {RankedMove[]} moves  best first
 * @property {string[] | null} line  a line under the pointer, from the position on the board
 *
 * What a board needs from the screen it is on.
 * @typedef {Object} BoardHost
 * @property {(move: string) => void} play
 * @property {(text: string) => void} say  reads it to those who listen
 * @property {(text: string) => void} refuse  says why something cannot be done, to everybody
 * @property {Piece[]} pieces  the pieces of Blokus
 *
 * @typedef {Object} ShowOptions
 * @property {boolean} interactive  whether a person may move now
 * @property {string[]} [played]  moves that led here from what was shown, if they are to be animated
 *
 * @typedef {Object} Board
 * @property {HTMLElement} element
 * @property {(view: View, options: ShowOptions) => Promise<void>} show  ends when the animation has
 * @property {(marks: Marks | null) => void} mark
 * @property {() => void} focus
 * @property {() => void} destroy
 */
export {};
