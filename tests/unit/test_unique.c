/* SPDX-License-Identifier: MIT */
/* Unique positions: the published numbers, with any number of threads and any keys. */

#include "unit.h"

#include "notation/fen.h"
#include "perft/unique.h"

/* OEIS A083276 and A048987. */
static const uint64_t unique[] = {1, 20, 400, 5362, 72078, 822518}, perft[] = {1, 20, 400, 8902, 197281, 4865609};

static bool check(void *context, const UniquePly *ply) {
    int *plies = context;
    assert_int_equal(ply->ply, (*plies)++);
    assert_int_equal(ply->positions, unique[ply->ply]);
    assert_true(ply->paths == perft[ply->ply]);
    return false;
}

static void gives_the_known_numbers(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        int plies = 0;
        Fault fault;
        UniqueJob job = {.depth = 5, .threads = threads, .keys_seed = threads, .each = check, .context = &plies};
        assert_true(fen_parse(&job.root, fen_start, &fault));
        assert_true(unique_run(&job, &fault));
        assert_int_equal(plies, 6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(gives_the_known_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
