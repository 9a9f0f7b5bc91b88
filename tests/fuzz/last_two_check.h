/* SPDX-License-Identifier: MIT */
/*
 * At positions of random games, the sum of the replies by every kernel that this CPU can run, against making every move
 * and counting its replies; one position in forty also against the reference. The same for the legal moves (last_one).
 * Prints what differs as FEN, got and expected.
 */
#pragma once
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "notation/fen.h"
#include "perft/kernel.h"
#include "rules/movegen.h"

enum { FAILURES_MAX = 5, REFERENCE_ONE_IN = 40 };

/* What differs between the games. */
typedef struct {
    const char *name;   /* of the program */
    unsigned plies_max; /* of a long random game */
    Position (*start)(uint64_t *state);
    /* The sum by the reference; false: left out, because the reference is too slow for so many replies. */
    bool (*reference)(const Position *p, uint64_t expected, uint64_t *sum);
    /* Prints which moves have wrong replies; NULL: it cannot be found. */
    void (*print_wrong_moves)(const Position *p, const Move *moves, unsigned move_count);
} LastTwoGame;

typedef struct {
    const LastTwoGame *game;
    uint64_t state;
    uint64_t done, reference_checks, failures;
} LastTwoFuzz;

static inline void report(LastTwoFuzz *f, const Position *p, const char *by, const char *what, uint64_t got,
                          uint64_t expected) {
    char fen[FEN_MAX];
    fen_write(p, FEN_SHREDDER, fen);
    printf("%s %s: got %ju, expected %ju: %s\n", by, what, (uintmax_t)got, (uintmax_t)expected, fen);
    f->failures++;
}

static inline uint64_t make_every_move(const Position *p, const Move *moves, unsigned move_count) {
    uint64_t replies = 0;
    for (unsigned i = 0; i < move_count; i++) {
        Position child;
        position_make_move(&child, p, moves[i]);
        replies += moves_count(&child);
    }
    return replies;
}

static inline void check(LastTwoFuzz *f, const Position *p, const Move *moves, unsigned move_count) {
    const uint64_t failures_before = f->failures, expected = make_every_move(p, moves, move_count);
    const PerftKernel *kernel;
    uint64_t reference;
    for (unsigned i = 0; (kernel = perft_kernel_at(i)) != NULL; i++) {
        const uint64_t two = kernel->last_two(p), one = kernel->last_one(p);
        if (one != move_count) report(f, p, kernel->name, "last_one", one, move_count);
        if (two != expected) report(f, p, kernel->name, "last_two", two, expected);
    }
    if (f->failures > failures_before && f->game->print_wrong_moves) f->game->print_wrong_moves(p, moves, move_count);
    if (!random_below(&f->state, REFERENCE_ONE_IN) && f->game->reference(p, expected, &reference)) {
        f->reference_checks++;
        if (reference != expected) report(f, p, "making every move", "last two plies", expected, reference);
    }
    f->done++;
}

static inline void check_game(LastTwoFuzz *f, uint64_t positions) {
    Position p = f->game->start(&f->state);
    const unsigned plies = 1 + random_below(&f->state, random_below(&f->state, 4) ? 12 : f->game->plies_max);
    for (unsigned ply = 0; ply < plies && f->done < positions && f->failures < FAILURES_MAX; ply++) {
        Move moves[MOVES_MAX];
        const unsigned n = moves_list(&p, moves);
        check(f, &p, moves, n);
        if (n == 0) return;
        position_make_move(&p, &p, moves[random_below(&f->state, n)]);
    }
}

/* The program: COUNT positions, SEED; 1 if anything differed. */
static inline int last_two_check(const LastTwoGame *game, int argc, char **argv) {
    if (argc < 2) return fprintf(stderr, "usage: %s COUNT [SEED]\n", game->name), 2;
    const uint64_t positions = strtoull(argv[1], NULL, 10);
    const PerftKernel *kernel;
    LastTwoFuzz f = {.game = game, .state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    while (f.done < positions && f.failures < FAILURES_MAX) check_game(&f, positions);
    for (unsigned i = 0; (kernel = perft_kernel_at(i)) != NULL; i++)
        printf("%s%s", i ? ", " : "kernels ", kernel->name);
    printf(": %ju positions, %ju also by the reference, %ju failures\n", (uintmax_t)f.done,
           (uintmax_t)f.reference_checks, (uintmax_t)f.failures);
    return f.failures != 0;
}
