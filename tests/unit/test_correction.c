/* SPDX-License-Identifier: MIT */
/* Corrections of the evaluation come to what is taught and stay there, whatever they began with. */
#include "unit.h"

#include "helpers/random_games.h"
#include "notation/fen.h"
#include "search/history.h"

enum { SEED = 20261122, ROUNDS = 2000, LESSONS = 400 };

/* Of each depth the bonus is a whole number: what is left is less than one of it, and what the three share. */
static int allowed(int depth) {
    return (8 + depth - 1) / depth + 1;
}

static int between(uint64_t *seed, int low, int high) {
    return low + (int)random_below(seed, (unsigned)(high - low + 1));
}

/* Those of the start position, in histories to be freed. */
static Histories *begin(Corrections *c) {
    Histories *h = calloc(1, sizeof *h);
    assert_non_null(h);
    Position p;
    assert_true(fen_parse(&p, fen_start, NULL));
    corrections_lookup(c, h, &p);
    return h;
}

/* A search whose leaves are corrected too: what it finds is the truth. */
static void settles_at_what_is_taught(void **state) {
    Corrections c;
    Histories *h = begin(&c);
    uint64_t seed = SEED;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 3; i++) *c.entry[i] = (int16_t)between(&seed, -CORRECTION_MAX, CORRECTION_MAX);
        const int truth = between(&seed, -120, 120), depth = between(&seed, 1, 30);
        for (int i = 0; i < LESSONS; i++) correction_update(&c, truth, depth);
        const int off = abs(correction_value(&c) - truth);
        if (off > allowed(depth))
            fail_msg("seed %d, depth %d: taught %d, is %d", SEED, depth, truth, correction_value(&c));
    }
    free(h);
}

static void stays_within_its_bounds(void **state) {
    Corrections c;
    Histories *h = begin(&c);
    uint64_t seed = SEED;
    for (int round = 0; round < ROUNDS * 100; round++) {
        correction_update(&c, between(&seed, -32000, 32000), between(&seed, 1, 127));
        for (int i = 0; i < 3; i++) assert_in_range(*c.entry[i] + CORRECTION_MAX, 0, 2 * CORRECTION_MAX);
    }
    free(h);
}

#include "test_correction_list.h"
