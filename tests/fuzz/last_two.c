/* SPDX-License-Identifier: MIT */
/*
 * last_two COUNT [SEED]: at COUNT positions of random games, of either game, the sum of the replies by every kernel that this CPU can run, against making every move
 * and counting its replies; one position in forty also against the reference. The same for the legal moves (last_one, kinds).
 * Prints what differs as FEN, got and expected; exits 1 if anything did.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "notation/fen.h"
#include "perft/kernel.h"
#include "rules/movegen.h"
#include "starts.h"

enum { FAILURES_MAX = 5, REFERENCE_ONE_IN = 40 };
static const char *const kind_names[KINDS] = KIND_NAMES;

typedef struct {
    uint64_t state;
    uint64_t done, reference_checks, failures;
} LastTwoFuzz;

static void report(LastTwoFuzz *f, const Position *p, const char *by, const char *what, uint64_t got,
                   uint64_t expected) {
    char fen[FEN_MAX];
    fen_write(p, FEN_SHREDDER, fen);
    printf("%s %s: got %ju, expected %ju: %s\n", by, what, (uintmax_t)got, (uintmax_t)expected, fen);
    f->failures++;
}

static uint64_t make_every_move(const Position *p, const Move *moves, unsigned move_count, uint64_t kinds[KINDS]) {
    uint64_t replies = 0;
    for (unsigned i = 0; i < move_count; i++) {
        Position child;
        position_make_move(&child, p, moves[i]);
        const unsigned n = moves_count(&child);
        add_kinds(p, moves[i], &child, n, kinds);
        replies += n;
    }
    return replies;
}

static void check(LastTwoFuzz *f, const Position *p, const Move *moves, unsigned move_count) {
    uint64_t kinds[KINDS] = {0};
    const uint64_t expected = make_every_move(p, moves, move_count, kinds);
    const PerftKernel *kernel;
    uint64_t reference;
    for (unsigned i = 0; (kernel = perft_kernel_at(i)) != NULL; i++) {
        const uint64_t two = kernel->last_two(p), one = kernel->last_one(p);
        if (one != move_count) report(f, p, kernel->name, "last_one", one, move_count);
        if (two != expected) report(f, p, kernel->name, "last_two", two, expected);
        KernelContext c = {0};
        (void)kernel->kinds(&c, p, 1);
        for (unsigned k = 0; k < KINDS; k++)
            if (c.kinds[k] != kinds[k]) report(f, p, kernel->name, kind_names[k], (uint64_t)c.kinds[k], kinds[k]);
    }
    if (!random_below(&f->state, REFERENCE_ONE_IN) && reference_replies(p, expected, &reference)) {
        f->reference_checks++;
        if (reference != expected) report(f, p, "making every move", "last two plies", expected, reference);
    }
    f->done++;
}

static void check_game(LastTwoFuzz *f, uint64_t positions) {
    Position p = random_start(&f->state);
    const unsigned plies = 1 + random_below(&f->state, random_below(&f->state, 4) ? short_game_plies : LONG_GAME_PLIES);
    for (unsigned ply = 0; ply < plies && f->done < positions && f->failures < FAILURES_MAX; ply++) {
        Move moves[MOVES_MAX];
        const unsigned n = moves_list(&p, moves);
        check(f, &p, moves, n);
        if (n == 0) return;
        position_make_move(&p, &p, moves[random_below(&f->state, n)]);
    }
}

int main(int argc, char **argv) {
    if (argc < 2) return fprintf(stderr, "usage: last_two COUNT [SEED]\n"), 2;
    const uint64_t positions = strtoull(argv[1], NULL, 10);
    const PerftKernel *kernel;
    LastTwoFuzz f = {.state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    while (f.done < positions && f.failures < FAILURES_MAX) check_game(&f, positions);
    for (unsigned i = 0; (kernel = perft_kernel_at(i)) != NULL; i++)
        printf("%s%s", i ? ", " : "kernels ", kernel->name);
    printf(": %ju positions, %ju also by the reference, %ju failures\n", (uintmax_t)f.done,
           (uintmax_t)f.reference_checks, (uintmax_t)f.failures);
    return f.failures != 0;
}
