/* SPDX-License-Identifier: MIT */
/* What threads are worth: the positions, the counts behind the ratios, and searches on threads that reach their
   depth. */
#include "unit.h"

#include "lab/search/smp_speedup.h"
#include "notation/fen.h"

static void fifty_positions_to_search(void **state) {
    for (unsigned i = 0; i < SMP_POSITIONS; i++) {
        Move list[MOVES_MAX];
        Position p;
        assert_true(fen_parse(&p, smp_positions[i], NULL));
        assert_true(game_moves(&p, list) > 1);
        for (unsigned k = 0; k < i; k++) assert_string_not_equal(smp_positions[i], smp_positions[k]);
    }
}

static bool stop_after(void *context, unsigned done, unsigned all) {
    assert_true(done <= all);
    return done >= *(unsigned *)context;
}

/* One thread's nodes are those of a search by itself, each round the same. */
static void one_thread_is_counted_right(void **state) {
    SmpResult results[SMP_VARIANTS];
    TabiaError error;
    bool stopped;
    unsigned last = 1000;
    const char *const position[] = {"r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7"};
    Position p;
    assert_true(fen_parse(&p, position[0], NULL));
    const SmpRequest request = {2, 3, 6, 1 << 20, position, 1, stop_after, &last};
    assert_true(smp_measure(&request, results, &stopped, &error) && !stopped);

    const SearchSettings settings = {.hash_bytes = 1 << 20, .threads = 1, .path_key = PATH_KEY_FIFTY_COUNT};
    Search *s = search_create(&settings, &error);
    search_set_position(s, &p, NULL, 0);
    search_run(s, &(SearchLimits){.depth = 6});
    assert_int_equal(results[SMP_VARIANT_SINGLE].nodes, 3 * search_nodes(s));
    search_destroy(s);
    assert_int_equal(results[SMP_VARIANT_INDEPENDENT].nodes, 2 * results[SMP_VARIANT_SINGLE].nodes);

    for (SmpVariant c = 0; c < SMP_VARIANTS; c++) {
        const SmpResult *f = &results[c];
        assert_true(f->nodes > 0 && f->wall > 0 && f->min <= f->speedup && f->speedup <= f->max);
        assert_float_equal(f->nodes_ratio * (double)results[SMP_VARIANT_SINGLE].nodes, (double)f->nodes, 1);
        assert_float_equal(f->nps_ratio, f->nodes_ratio_of_sums * f->speedup_of_sums, 1e-6);
    }
    assert_float_equal(results[SMP_VARIANT_SINGLE].speedup, 1, 1e-9);

    last = 2;
    assert_true(smp_measure(&request, results, &stopped, &error) && stopped);
}

/* Whoever is there first ends the search, and has the word. */
static void a_depth_is_reached_by_any_thread(void **state) {
    TabiaError error;
    Position p;
    assert_true(fen_parse(&p, "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7", &error));
    for (unsigned threads = 1; threads <= 4; threads++)
        for (SmpMode smp_mode = 0; smp_mode < SMP_MODES; smp_mode++) {
            const SearchSettings settings = {.hash_bytes = 1 << 20, .threads = threads, .smp_mode = smp_mode};
            Search *s = search_create(&settings, &error);
            assert_non_null(s);
            for (int depth = 1; depth <= 7; depth++) {
                search_clear(s);
                search_set_position(s, &p, NULL, 0);
                search_run(s, &(SearchLimits){.depth = depth});
                const SearchResult answer = search_result(s, 0);
                assert_int_equal(answer.depth, depth);
                assert_true(game_is_legal(&p, answer.move));
            }
            search_destroy(s);
        }
}

#include "test_smp_speedup_list.h"
