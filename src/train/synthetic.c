/* SPDX-License-Identifier: MIT */
#include "synthetic.h"

#include "base/random.h"
#include "game.h"

enum { MOVES_MOST = 5 };

/* One random move in so many takes something, if anything can be taken. */
enum { TAKES = 3 };

static bool play_random(Position *p, uint64_t *seed) {
    Move list[MOVES_MAX];
    unsigned n = random_below(seed, TAKES) ? 0 : game_captures(p, list);
    if (!n) n = game_moves(p, list);
    if (!n) return false;
    Position next;
    game_play(&next, p, list[random_below(seed, n)]);
    *p = next;
    return true;
}

bool lesson_make(Evaluator *terms, const Board *from, uint64_t seed, Board *lesson) {
    Position p = board_position(from);
    for (unsigned left = random_below(&seed, MOVES_MOST + 1); left; left--)
        if (!play_random(&p, &seed)) return false;
    if (game_in_check(&p)) return false;
    *lesson = board_make(&p, evaluate(terms, &p, 0), 1);
    return true;
}
