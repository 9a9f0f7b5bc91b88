/* SPDX-License-Identifier: MIT */
/* Positions of random games from the start, the same in every run. */
#pragma once
#include "unit.h"

#include "base/random.h"
#include "game.h"
#include "notation/fen.h"

enum { GAMES = 300, PLIES = 160 };

/* Calls check on every position of random games. */
static inline void random_games(void (*check)(void *context, const Position *p, Key key), void *context,
                                const Zobrist *z) {
    uint64_t seed = 42;
    for (int g = 0; g < GAMES; g++) {
        Position p;
        assert_true(fen_parse(&p, fen_start, NULL));
        for (int ply = 0; ply < PLIES; ply++) {
            Move list[MOVES_MAX];
            const unsigned n = game_moves(&p, list);
            check(context, &p, zobrist_key(z, &p));
            if (!n) break;
            position_make_move(&p, &p, list[random_below(&seed, n)]);
        }
    }
}
