/* SPDX-License-Identifier: MIT */
#include "synthetic_samples.h"

#include "base/random.h"
#include "game.h"

enum { RANDOM_MOVES_MAX = 5 };

/* One random move in CAPTURE_DIVISOR is a capture, if there is one. */
enum { CAPTURE_DIVISOR = 3 };

static bool make_random_move(Position *p, uint64_t *seed) {
    Move moves[MOVES_MAX];
    unsigned n = random_below(seed, CAPTURE_DIVISOR) ? 0 : game_captures(p, moves);
    if (!n) n = game_moves(p, moves);
    if (!n) return false;
    Position next;
    game_make_move(&next, p, moves[random_below(seed, n)]);
    *p = next;
    return true;
}

bool synthetic_sample(Evaluator *e, const TrainSample *from, uint64_t seed, TrainSample *sample) {
    Position p = train_sample_position(from);
    for (unsigned left = random_below(&seed, RANDOM_MOVES_MAX + 1); left; left--)
        if (!make_random_move(&p, &seed)) return false;
    if (game_in_check(&p)) return false;
    *sample = train_sample(&p, evaluate(e, &p, 0), 1);
    return true;
}
