// Games of 2048 from which a network learns: a warp plays a game, and each of its lanes looks up
// the same one or more tuples of every board.
//
// Defined when this is compiled: LOOKUPS, how many weights a board has; CELLS, the most cells of
// a tuple; COHERENT, whether weights have sums of errors; STAGES, how many stages there are;
// STATIONS, BETWEEN_STATIONS and MERGED, as in late.rs and stages.rs; BOARDS, how many are kept of a
// station; TAKEN_UP, how many moves are made in games that are taken up late for each of a whole
// game, and RANDOM_SLIDES, fewer than which are made at random before.
//
// Weights are read and written without locks, past the first cache, which other multiprocessors
// do not see. Of two changes at the same moment one is lost. That is no harm, rather a help: if
// a thousand games meet the same weight at once, it goes one step and not a thousand.

typedef unsigned int u32;
typedef unsigned long long u64;

#define ALL 0xffffffffu
#define SLOTS ((LOOKUPS + 31) / 32)

// A game. The same in mod.rs.
struct Game {
    u64 board;  // The player is to slide.
    u64 before; // After the last slide; empty at the beginning.
    u64 random;
    u32 score;
    u32 moves;   // Since the last whole game was reported.
    u32 station; // How far it has come.
    int due;     // So many moves more are to be made in games that are taken up late.
    u32 whole;   // Whether it was begun with an empty board.
    u32 begun;   // The moves when it was begun.
    u32 arrived; // The moves when it came to its station.
    u32 unguided; // So many slides more are tried at random, from which nothing is learnt.
    u32 largest; // Not 0 if a tile came out that has no nibble.
};

// How a whole game ended. The same in mod.rs.
struct End {
    u32 score;
    u32 moves;
    u32 largest;
};

// What a lane looks up. The same in mod.rs.
struct Lookup {
    u64 cells; // A nibble for each, the first lowest.
    u32 start; // Where the tuple's weights begin.
    u32 mask;  // The nibbles that count.
};

__device__ __forceinline__ u64 transpose(u64 board) {
    u64 swap = (board ^ board >> 12) & 0x0000f0f00000f0f0ull;
    board ^= swap ^ swap << 12;
    swap = (board ^ board >> 24) & 0x00000000ff00ff00ull;
    return board ^ swap ^ swap << 24;
}

__device__ __forceinline__ u64 next_random(u64 &state) {
    state += 0x9e3779b97f4a7c15ull;
    u64 mixed = state;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
    return mixed ^ mixed >> 31;
}

// A tile appears, by the rules of the spawner.
__device__ __forceinline__ void appear(Game &game, u32 lane) {
    u64 random = next_random(game.random);
    u32 empty = __ballot_sync(ALL, lane < 16 && (game.board >> (4 * (lane & 15)) & 15) == 0);
    u32 choice = u32((random >> 32) * __popc(empty) >> 32);
    bool chosen = (empty >> lane & 1) && __popc(empty & ((1u << lane) - 1)) == choice;
    u32 cell = __ffs(__ballot_sync(ALL, chosen)) - 1;
    u32 tile = (random & 0xffffffff) * 10 >> 32 == 0 ? 2 : 1;
    game.board |= u64(tile) << (4 * cell);
}

// What the tiles of a board add up to.
__device__ __forceinline__ u32 tile_sum(u64 board, u32 lane) {
    u32 exponent = lane < 16 ? u32(board >> (4 * lane)) & 15 : 0;
    return __reduce_add_sync(ALL, exponent > 0 ? 1u << exponent : 0);
}

// Where the weights of a stage begin.
__device__ __forceinline__ u32 stage_part(u32 sum, const u32 *starts, u32 each_stage) {
    u32 stage = 0;
#pragma unroll
    for (u32 at = 0; at + 1 < STAGES; at++)
        stage += starts[at] + MERGED <= sum;
    return stage * each_stage;
}

// How many tiles of 32768 there are.
__device__ __forceinline__ u32 count_largest(u64 board) {
    return __popcll(board & board >> 1 & board >> 2 & board >> 3 & 0x1111111111111111ull);
}

__device__ __forceinline__ float warp_sum(float value) {
#pragma unroll
    for (u32 other = 16; other > 0; other /= 2)
        value += __shfl_xor_sync(ALL, value, other);
    return value;
}

// Begins a game: an empty board, or one that another game had come to. `drawn` names stations.
__device__ __forceinline__ void begin(Game &game, u32 lane, const unsigned char *drawn, u32 draws,
                                      const u64 *late, const u32 *kept, u32 *came) {
    game.begun = game.arrived = game.moves;
    game.unguided = 0;
    game.largest = 0;
    if (draws > 0 && game.due > 0) {
        u64 random = next_random(game.random);
        u32 station = drawn[u32((random >> 32) * draws >> 32)];
        u32 boards = min(kept[station], BOARDS);
        game.whole = 0;
        game.station = station;
        // What the board is worth is learnt once more.
        game.board = game.before = __ldcg(&late[station * BOARDS + u32(random) % boards]);
        if (lane == 0)
            atomicAdd(&came[station], 1);
        appear(game, lane);
        game.unguided = next_random(game.random) % RANDOM_SLIDES;
    } else {
        game.whole = 1;
        game.station = 0;
        game.score = 0;
        game.board = game.before = 0;
        appear(game, lane);
        appear(game, lane);
    }
}

extern "C" __global__ void learn(float *weights, float2 *errors, const u32 *rows, const Lookup *lookups,
                                 u32 each_stage, u32 learnt_from, const u32 *starts, Game *games, u32 moves,
                                 const unsigned char *drawn, u32 draws, u64 *late, u32 *kept,
                                 u32 *came, u32 *went, u32 *moved, End *ends, u32 *ended, u32 most_ends) {
    u32 lane = threadIdx.x % 32;
    u32 number = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    Game game = games[number];
    u32 shifts[SLOTS][CELLS], first[SLOTS], masks[SLOTS];
#pragma unroll
    for (u32 slot = 0; slot < SLOTS; slot++) {
        u32 at = 32 * slot + lane;
        Lookup lookup = lookups[at < LOOKUPS ? at : 0];
        first[slot] = lookup.start;
        masks[slot] = lookup.mask;
#pragma unroll
        for (u32 cell = 0; cell < CELLS; cell++)
            shifts[slot][cell] = 4 * (lookup.cells >> (4 * cell) & 15);
    }
    auto looks = [&](u32 slot) { return LOOKUPS % 32 == 0 || 32 * slot + lane < LOOKUPS; };
    auto place = [&](u32 slot, u64 board, u32 part) {
        u32 index = 0;
#pragma unroll
        for (u32 cell = 0; cell < CELLS; cell++) {
            u32 shift = shifts[slot][cell];
            u32 half = shift & 32 ? u32(board >> 32) : u32(board);
            index |= (half >> (shift & 31) & 15) << (4 * cell);
        }
        return part + first[slot] + (index & masks[slot]);
    };
    // Where the weights of `game.before` are.
    u32 last[SLOTS];
    auto find_last = [&]() {
        u32 part = stage_part(tile_sum(game.before, lane), starts, each_stage);
#pragma unroll
        for (u32 slot = 0; slot < SLOTS; slot++)
            last[slot] = place(slot, game.before, part);
    };
    find_last();
    for (u32 move = 0; move < moves; move++) {
        // Four lanes slide the lines of a direction: up, down, left, right.
        u32 direction = lane / 4 & 3, line = lane & 3;
        bool vertical = direction < 2;
        u64 across = transpose(game.board);
        u32 row = u32((vertical ? across : game.board) >> (16 * line)) & 0xffff;
        u32 becomes = __ldg(&rows[(direction & 1) << 16 | row]);
        u64 slid = u64(becomes & 0xffff) << (16 * line);
        u32 gained = becomes >> 16;
        slid |= __shfl_xor_sync(ALL, slid, 1);
        gained += __shfl_xor_sync(ALL, gained, 1);
        slid |= __shfl_xor_sync(ALL, slid, 2);
        gained += __shfl_xor_sync(ALL, gained, 2);
        if (vertical)
            slid = transpose(slid);
        // Slides do not change the sum, so all are in one stage.
        u32 sum = tile_sum(game.board, lane);
        u32 part = stage_part(sum, starts, each_stage);
        u64 after[4];
        u32 gains[4], places[4][SLOTS];
        bool possible[4];
        float found[4][SLOTS];
#pragma unroll
        for (u32 way = 0; way < 4; way++) {
            after[way] = __shfl_sync(ALL, slid, 4 * way);
            gains[way] = 4 * __shfl_sync(ALL, gained, 4 * way);
            possible[way] = after[way] != game.board;
#pragma unroll
            for (u32 slot = 0; slot < SLOTS; slot++) {
                places[way][slot] = place(slot, after[way], part);
                found[way][slot] =
                    possible[way] && looks(slot) ? __ldcg(&weights[places[way][slot]]) : 0;
            }
        }
        // All lanes look into the same stage.
        bool learns = game.before != 0 && game.unguided == 0 && last[0] >= learnt_from;
        float was[SLOTS];
        float2 error[SLOTS];
#pragma unroll
        for (u32 slot = 0; slot < SLOTS; slot++) {
            bool reads = learns && looks(slot);
            was[slot] = reads ? __ldcg(&weights[last[slot]]) : 0;
            if (COHERENT)
                error[slot] = reads ? __ldcg(&errors[last[slot]]) : make_float2(0, 1);
        }
        // The slide with the most of what it scores and what the network expects then.
        u32 best = 4;
        float most = 0;
        float old = 0;
#pragma unroll
        for (u32 way = 0; way < 4; way++) {
            float value = 0;
#pragma unroll
            for (u32 slot = 0; slot < SLOTS; slot++)
                value += found[way][slot];
            value = warp_sum(value) + gains[way];
            if (possible[way] && (best == 4 || value > most)) {
                best = way;
                most = value;
            }
        }
#pragma unroll
        for (u32 slot = 0; slot < SLOTS; slot++)
            old += was[slot];
        float difference = most - warp_sum(old);
        float share = difference / LOOKUPS;
        if (learns) {
#pragma unroll
            for (u32 slot = 0; slot < SLOTS; slot++) {
                if (!looks(slot))
                    continue;
                float rate = 0.1f;
                if (COHERENT) {
                    rate = fabsf(error[slot].x) / error[slot].y;
                    error[slot].x += difference;
                    error[slot].y += fabsf(difference);
                    __stcg(&errors[last[slot]], error[slot]);
                }
                __stcg(&weights[last[slot]], was[slot] + rate * share);
            }
        }
        if (game.unguided > 0) {
            game.unguided--;
            u32 drawn_way = next_random(game.random) >> 62;
            bool can = false;
#pragma unroll
            for (u32 way = 0; way < 4; way++)
                can |= way == drawn_way && possible[way];
            if (!can)
                continue;
            best = drawn_way;
        } else if (best < 4) {
            game.moves++;
        }
        bool at_goal = false;
        if (best < 4) {
            game.score += gains[0] * (best == 0) + gains[1] * (best == 1) + gains[2] * (best == 2) +
                          gains[3] * (best == 3);
#pragma unroll
            for (u32 way = 0; way < 4; way++) {
                if (best != way)
                    continue;
                // Two have become one that counts as one of them.
                if (count_largest(after[way]) < count_largest(game.board))
                    game.largest = 16;
                game.before = game.board = after[way];
#pragma unroll
                for (u32 slot = 0; slot < SLOTS; slot++)
                    last[slot] = places[way][slot];
            }
            u32 station = sum < MERGED ? 0 : min((sum - MERGED) / BETWEEN_STATIONS, STATIONS - 1);
            if (station > game.station) {
                if (lane == 0) {
                    __stcg(&late[station * BOARDS + atomicAdd(&kept[station], 1) % BOARDS], game.board);
                    atomicAdd(&went[game.station], 1);
                    atomicAdd(&moved[game.station], game.moves - game.arrived);
                    if (game.whole)
                        atomicAdd(&came[station], 1);
                }
                game.station = station;
                game.arrived = game.moves;
                // One that was taken up is not played on.
                at_goal = !game.whole;
            }
            if (!at_goal) {
                appear(game, lane);
                continue;
            }
        }
        u32 played = game.moves - game.begun;
        if (!at_goal && lane == 0)
            atomicAdd(&moved[game.station], game.moves - game.arrived);
        if (game.whole) {
            game.due += TAKEN_UP * played;
            u32 exponent = lane < 16 ? u32(game.board >> (4 * lane)) & 15 : 0;
            u32 largest = max(game.largest, __reduce_max_sync(ALL, exponent));
            if (lane == 0) {
                u32 at = atomicAdd(ended, 1);
                if (at < most_ends)
                    ends[at] = {game.score, game.moves, largest};
            }
            game.moves = 0;
        } else {
            game.due -= played;
        }
        begin(game, lane, drawn, draws, late, kept, came);
        find_last();
    }
    if (lane == 0)
        games[number] = game;
}
