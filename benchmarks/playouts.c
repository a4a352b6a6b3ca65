/* The baseline of benchmarks/playouts.py: random games of Go in C, one core, one board size per build.

       gcc -O3 -march=native -DSIZE=5 -o playouts5 playouts.c && ./playouts5 course 1000000 1

   prints "moves games black_wins seconds" (seconds of processor time). Modes:

       course   sizes 2..8, one 64-bit word per colour: uniform over legal placements, simple ko, no passing, at most
                SIZE*SIZE-1 moves, stones counted, komi SIZE/2
       eyes     sizes 2..19, arrays: uniform over legal placements that fill no own eye, pass if there is none, simple ko,
                two passes end, area counted, komi 7.5; at most 4*SIZE*SIZE moves
       uniform  as eyes, but uniform over all legal moves, the pass among them; at most 2*SIZE*SIZE moves

   Strings are circular lists with a count of pseudo-liberties (an empty point counts once for every stone it touches),
   as in Lew's libego; a random point is drawn from the list of empty points until one may be played.
*/
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef uint64_t u64;
/* Rarely called. Keeping these out of the hot loop gains 5 % with gcc. */
#define NOINLINE __attribute__((noinline))

static inline u64 mix(u64 x) { /* SplitMix64 */
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static inline u64 next(u64 *state) { /* xorshift64* */
    u64 x = *state;
    x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
    *state = x;
    return x * 0x2545F4914F6CDD1Du;
}

static inline int below(int bound, u64 *state) { return (next(state) >> 32) * (u64)bound >> 32; }

/* ---- bitboards ---- */
#if SIZE <= 8
#define FULL (SIZE == 8 ? ~0ull : (1ull << SIZE * SIZE) - 1)
static u64 first_column, last_column;

static inline u64 adjacent(u64 m) {
    return (m << SIZE | m >> SIZE | (m & ~last_column) << 1 | (m & ~first_column) >> 1) & FULL;
}

static inline u64 group(u64 seed, u64 stones) {
    for (;;) {
        u64 grown = (seed | adjacent(seed)) & stones;
        if (grown == seed) return seed;
        seed = grown;
    }
}

static inline u64 random_bit(u64 mask, u64 *state) {
    int k = below(__builtin_popcountll(mask), state);
#ifdef __BMI2__
    return _pdep_u64(1ull << k, mask);
#else
    while (k--) mask &= mask - 1;
    return mask & -mask;
#endif
}

static int course_game(u64 *state, int *black_wins) {
    u64 own = 0, other = 0, ko = 0, last = 0, swap;
    int n;
    for (n = 0; n < SIZE * SIZE - 1; n++) {
        u64 empty = FULL & ~(own | other), todo = empty, bit = 0, taken = 0;
        while (todo) {
            bit = random_bit(todo, state);
            u64 near = adjacent(bit), free = empty ^ bit, foes = near & other;
            taken = 0;
            if (foes) {
                u64 doubtful = foes & ~adjacent(free);
                if (doubtful) {
                    u64 hit = group(doubtful, other);
                    /* one of several strings may live, so look at the whole colour */
                    if (!(adjacent(hit) & free)) taken = hit;
                    else if (doubtful & (doubtful - 1)) taken = hit ^ group(hit & adjacent(free), hit);
                }
            }
            if (near & empty) break;
            if (taken) {
                if (bit != ko || taken != last) break;
            } else if (adjacent(group(bit, own | bit)) & free) break;
            todo ^= bit;
        }
        if (!todo) break;
        ko = taken && !(taken & (taken - 1)) ? taken : 0;
        last = bit;
        swap = other ^ taken, other = own | bit, own = swap;
    }
    int black = __builtin_popcountll(n & 1 ? other : own), white = __builtin_popcountll(n & 1 ? own : other);
    *black_wins += 2 * (black - white) > SIZE;
    return n;
}
#endif

/* ---- arrays ---- */
enum { STRIDE = SIZE + 1, CELLS = (SIZE + 2) * STRIDE + 1, OFF = 0, BLACK = 1, WHITE = 2, EMPTY = 4, PASS = 0 };
static const int step[4] = {-STRIDE, -1, 1, STRIDE}, diagonal[4] = {-STRIDE - 1, -STRIDE + 1, STRIDE - 1, STRIDE + 1};

typedef struct {
    uint16_t colour[CELLS]; /* flags, so that neighbours can be ORed */
    uint16_t string[CELLS], next[CELLS], place[CELLS], empties[CELLS];
    int16_t liberties[CELLS], stones[CELLS]; /* by string; a scratch value for points without a stone */
    uint16_t count, ko;
} Board;

static Board fresh, board;

static void prepare(void) {
    for (int p = 0; p < CELLS; p++) fresh.string[p] = fresh.next[p] = p, fresh.stones[p] = 1;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            int p = (i + 1) * STRIDE + j + 1;
            fresh.colour[p] = EMPTY, fresh.place[p] = fresh.count, fresh.empties[fresh.count++] = p;
        }
}

static inline int seen(int p) {
    return board.colour[p - STRIDE] | board.colour[p + STRIDE] | board.colour[p - 1] | board.colour[p + 1];
}

static inline int lives(int p, int own) { /* for a point without an empty neighbour */
    int found = 0;
    for (int k = 0; k < 4; k++) board.liberties[board.string[p + step[k]]]--;
    for (int k = 0; k < 4; k++) {
        int q = p + step[k], c = board.colour[q];
        if (c) found |= (c == own) == (board.liberties[board.string[q]] != 0);
    }
    for (int k = 0; k < 4; k++) board.liberties[board.string[p + step[k]]]++;
    return found;
}

static inline int is_eye(int p, int own) { /* the neighbours are known to be own stones */
    int missing = 0, edge = 0;
    for (int k = 0; k < 4; k++) {
        int c = board.colour[p + diagonal[k]];
        missing += c != own && c != OFF, edge |= c == OFF;
    }
    return missing <= !edge;
}

static NOINLINE void join(int p, int q) {
    int big = board.string[p], small = board.string[q], last, t;
    if (board.stones[big] < board.stones[small]) t = big, big = small, small = t;
    board.liberties[big] += board.liberties[small], board.stones[big] += board.stones[small];
    t = small;
    do board.string[t] = big, last = t, t = board.next[t]; while (t != small);
    board.next[last] = board.next[big], board.next[big] = small;
}

static NOINLINE void take(int head) {
    int t = head, after;
    do {
        after = board.next[t];
        board.colour[t] = EMPTY, board.string[t] = board.next[t] = t, board.stones[t] = 1;
        board.place[t] = board.count, board.empties[board.count++] = t;
        for (int k = 0; k < 4; k++) board.liberties[board.string[t + step[k]]]++;
        t = after;
    } while (t != head);
}

static inline void play(int p, int own) {
    int around = seen(p), last = board.empties[--board.count], slot = board.place[p], before = board.count;
    board.empties[slot] = last, board.place[last] = slot;
    board.colour[p] = own;
    for (int k = 0; k < 4; k++) board.liberties[board.string[p + step[k]]]--;
    board.liberties[p] = (board.colour[p - STRIDE] >> 2) + (board.colour[p - 1] >> 2) + (board.colour[p + 1] >> 2) +
                         (board.colour[p + STRIDE] >> 2);
    if (around & own)
        for (int k = 0; k < 4; k++)
            if (board.colour[p + step[k]] == own && board.string[p + step[k]] != board.string[p]) join(p, p + step[k]);
    board.ko = 0;
    if (around & (3 - own)) {
        for (int k = 0; k < 4; k++) {
            int q = p + step[k];
            if (board.colour[q] == 3 - own && board.liberties[board.string[q]] == 0) take(board.string[q]);
        }
        if (board.count == before + 1 && !(around & (own | EMPTY))) board.ko = board.empties[before];
    }
}

static int area_margin(void) {
    int margin = 0, stack[CELLS];
    static uint8_t mark[CELLS];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            int c = board.colour[(i + 1) * STRIDE + j + 1];
            margin += c == BLACK ? 1 : c == WHITE ? -1 : 0;
        }
    memset(mark, 0, sizeof mark);
    for (int e = 0; e < board.count; e++) {
        int top = 0, size = 0, border = 0;
        if (mark[board.empties[e]]) continue;
        mark[board.empties[e]] = 1, stack[top++] = board.empties[e];
        while (top) {
            int p = stack[--top];
            size++;
            for (int k = 0; k < 4; k++) {
                int q = p + step[k], c = board.colour[q];
                if (c != EMPTY) border |= c;
                else if (!mark[q]) mark[q] = 1, stack[top++] = q;
            }
        }
        margin += border == BLACK ? size : border == WHITE ? -size : 0;
    }
    return margin;
}

static int array_game(u64 *state, int *black_wins, int uniform) {
    int own = BLACK, passes = 0, n = 0, limit = (uniform ? 2 : 4) * SIZE * SIZE;
    memcpy(&board, &fresh, sizeof board);
    while (n < limit && passes < 2) {
        int left = board.count, p = PASS;
        while (left + uniform) {
            int k = below(left + uniform, state);
            if (k == left) break;
            int q = board.empties[k], around = seen(q);
            if (around & EMPTY || (q != board.ko && !(!uniform && around == own && is_eye(q, own)) && lives(q, own))) {
                p = q;
                break;
            }
            int other = board.empties[--left];
            board.empties[k] = other, board.place[other] = k;
            board.empties[left] = q, board.place[q] = left;
        }
        n++;
        if (p == PASS) passes++, board.ko = 0;
        else passes = 0, play(p, own);
        own = 3 - own;
    }
    *black_wins += area_margin() > 7;
    return n;
}

int main(int argc, char **argv) {
    if (argc != 4) return fprintf(stderr, "usage: %s course|eyes|uniform games seed\n", argv[0]), 2;
    int games = atoi(argv[2]), black_wins = 0;
    u64 seed = strtoull(argv[3], 0, 10);
    long moves = 0;
    struct timespec from, to;
    prepare();
#if SIZE <= 8
    for (int i = 0; i < SIZE; i++) first_column |= 1ull << i * SIZE, last_column |= 1ull << (i * SIZE + SIZE - 1);
#endif
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (int g = 0; g < games; g++) {
        u64 state = mix(mix(seed) + (g + 1) * 0x9E3779B97F4A7C15u) | 1;
#if SIZE <= 8
        if (argv[1][0] == 'c') {
            moves += course_game(&state, &black_wins);
            continue;
        }
#endif
        moves += array_game(&state, &black_wins, argv[1][0] == 'u');
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    printf("%ld %d %d %.6f\n", moves, games, black_wins, to.tv_sec - from.tv_sec + 1e-9 * (to.tv_nsec - from.tv_nsec));
    return 0;
}
