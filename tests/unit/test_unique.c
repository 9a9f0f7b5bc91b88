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
    for (unsigned threads = 1; threads <= 3; threads++) {
        int plies = 0;
        TabiaError error;
        UniqueJob job = {.depth = 5, .threads = threads, .keys_seed = threads, .each = check, .context = &plies};
        assert_true(fen_parse(&job.root, fen_start, &error));
        assert_true(unique_run(&job, &error));
        assert_int_equal(plies, 6);
    }
}

typedef struct {
    uint64_t done, all;
    int ply, calls, plies; /* looks: at a ply that was under way */
    bool ends;
} WatchCalls;

static bool watch_ply(void *context, const UniqueProgress *p) {
    WatchCalls *l = context;
    assert_true(p->done <= p->all);
    if (p->ply != l->ply) l->done = 0;
    assert_true(p->done >= l->done);
    assert_true(p->all >= unique[p->ply - 1] && p->all % unique[p->ply - 1] == 0); /* once by each pass */
    l->calls += p->ply == 5 && p->done > 0 && p->done < p->all;
    l->ply = p->ply, l->done = p->done;
    return l->ends && p->ply == 5 && p->done > 0;
}

static bool count_plies(void *context, const UniquePly *ply) {
    WatchCalls *l = context;
    l->plies = ply->ply;
    return false;
}

/* Not only between the passes, of which there may be one, and end the work there. */
static void progress_rises_within_a_pass(void **state) {
    for (int ends = 0; ends < 2; ends++) {
        WatchCalls l = {.ends = ends};
        TabiaError error;
        UniqueJob job = {
            .depth = 5, .threads = 1, .keys_seed = 1, .watch = watch_ply, .each = count_plies, .context = &l};
        assert_true(fen_parse(&job.root, fen_start, &error));
        assert_true(unique_run(&job, &error));
        assert_int_equal(l.plies, ends ? 4 : 5);
        assert_true(ends ? l.calls <= 3 : l.calls > 10);
    }
}

#include "test_unique_list.h"
