// A warp of learn.cu on an ordinary processor, so that what it does can be tested where there is no
// graphics processor: lanes take turns, each runs until it exchanges something with the others.
//
// Reads the arguments of `learn` from standard input, each with its length in bytes before it, and
// writes those back that it changes.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>
#include <vector>

#define __device__
#define __global__
#define __forceinline__ inline

struct float2 {
    float x, y;
};
static float2 make_float2(float x, float y) { return {x, y}; }

static const unsigned WARP = 32;
static struct {
    unsigned x;
} threadIdx, blockIdx = {0}, blockDim = {WARP};
static ucontext_t scheduler, lanes[WARP];
static bool done[WARP];
// What lanes exchange, twice: one is written while the other may still be read.
static uint64_t exchanged[2][WARP];
static unsigned exchanges[WARP];

// Gives a value to all lanes, and takes theirs when all have given one.
template <class T> static const uint64_t *exchange(T value) {
    unsigned lane = threadIdx.x;
    uint64_t *all = exchanged[exchanges[lane]++ % 2];
    all[lane] = 0;
    memcpy(&all[lane], &value, sizeof value);
    swapcontext(&lanes[lane], &scheduler);
    return all;
}
template <class T> static T taken(const uint64_t *all, unsigned lane) {
    T value;
    memcpy(&value, &all[lane], sizeof value);
    return value;
}
template <class T> static T __shfl_sync(unsigned, T value, unsigned from) {
    return taken<T>(exchange(value), from);
}
template <class T> static T __shfl_xor_sync(unsigned, T value, unsigned other) {
    unsigned lane = threadIdx.x;
    return taken<T>(exchange(value), lane ^ other);
}
static unsigned __ballot_sync(unsigned, bool vote) {
    const uint64_t *all = exchange<uint64_t>(vote);
    unsigned votes = 0;
    for (unsigned lane = 0; lane < WARP; lane++)
        votes |= unsigned(all[lane]) << lane;
    return votes;
}
static unsigned __reduce_add_sync(unsigned, unsigned value) {
    const uint64_t *all = exchange(value);
    unsigned sum = 0;
    for (unsigned lane = 0; lane < WARP; lane++)
        sum += unsigned(all[lane]);
    return sum;
}
static unsigned __reduce_max_sync(unsigned, unsigned value) {
    const uint64_t *all = exchange(value);
    return unsigned(*std::max_element(all, all + WARP));
}
template <class T> static T __ldg(const T *place) { return *place; }
template <class T> static T __ldcg(const T *place) { return *place; }
template <class T> static void __stcg(T *place, T value) { *place = value; }
static unsigned atomicAdd(unsigned *place, unsigned more) {
    unsigned before = *place;
    *place += more;
    return before;
}
static int __popc(unsigned bits) { return __builtin_popcount(bits); }
static int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
static int __ffs(unsigned bits) { return __builtin_ffs(int(bits)); }
static unsigned min(unsigned a, unsigned b) { return std::min(a, b); }
static unsigned max(unsigned a, unsigned b) { return std::max(a, b); }

#include "learn.cu"

typedef std::vector<unsigned char> Bytes;

static Bytes read_array() {
    uint64_t length = 0;
    if (fread(&length, sizeof length, 1, stdin) != 1)
        exit(3);
    Bytes bytes(length);
    if (length > 0 && fread(bytes.data(), 1, length, stdin) != length)
        exit(3);
    return bytes;
}
static void write_array(const Bytes &bytes) {
    uint64_t length = bytes.size();
    fwrite(&length, sizeof length, 1, stdout);
    fwrite(bytes.data(), 1, length, stdout);
}

static Bytes weights, errors, rows, lookups, starts, games, drawn, late, kept, came, went, moved, ends, ended, numbers;

template <class T> static T *at(Bytes &bytes) { return reinterpret_cast<T *>(bytes.data()); }

static void run_lane() {
    u32 *number = at<u32>(numbers);
    learn(at<float>(weights), at<float2>(errors), at<u32>(rows), at<Lookup>(lookups), number[0],
          number[1], at<u32>(starts), at<Game>(games), number[2], drawn.data(), number[3], at<u64>(late),
          at<u32>(kept), at<u32>(came), at<u32>(went), at<u32>(moved), at<End>(ends), at<u32>(ended),
          number[4]);
    done[threadIdx.x] = true;
}

int main() {
    Bytes *all[] = {&weights, &errors, &rows, &lookups, &starts, &games, &drawn,  &late,
                    &kept,    &came,   &went, &moved,   &ends,   &ended, &numbers};
    for (Bytes *array : all)
        *array = read_array();
    const size_t STACK = 1 << 18;
    std::vector<char> stacks(WARP * STACK);
    for (unsigned lane = 0; lane < WARP; lane++) {
        getcontext(&lanes[lane]);
        lanes[lane].uc_stack.ss_sp = &stacks[lane * STACK];
        lanes[lane].uc_stack.ss_size = STACK;
        lanes[lane].uc_link = &scheduler;
        makecontext(&lanes[lane], run_lane, 0);
    }
    while (!done[WARP - 1])
        for (unsigned lane = 0; lane < WARP; lane++) {
            threadIdx.x = lane;
            swapcontext(&scheduler, &lanes[lane]);
        }
    Bytes *changed[] = {&weights, &errors, &games, &late, &kept, &came, &went, &moved, &ends, &ended};
    for (Bytes *array : changed)
        write_array(*array);
}
