/* SPDX-License-Identifier: MIT */
/* The frontier: merged or not, its multiplicities add up to the number of paths; its order does not depend on the keys. */

#include "unit.h"

#include "notation/fen.h"
#include "perft/frontier.h"
#include "rules/movegen.h"

static Frontier made(const char *fen, uint64_t seed, FrontierLimits limits) {
    Frontier f;
    TabiaError error;
    Zobrist z;
    Position root;
    assert_true(fen_parse(&root, fen, &error));
    zobrist_init(&z, seed);
    assert_true(frontier_make(&f, &root, &z, limits, &error));
    return f;
}

static uint64_t paths(const Frontier *f) {
    uint64_t sum = 0;
    for (size_t i = 0; i < f->units.n * f->roots; i++) sum += f->multiplicity[i];
    return sum;
}

static void counts_positions_and_paths(void **state) {
    static const size_t unique[] = {1, 20, 400, 5362, 72078};
    static const uint64_t perft[] = {1, 20, 400, 8902, 197281};
    for (int ply = 1; ply <= 4; ply++)
        for (int merge = 0; merge < 2; merge++) {
            Frontier f = made(fen_start, 3, (FrontierLimits){ply, SIZE_MAX, SIZE_MAX - 1, merge});
            assert_int_equal(f.ply, ply);
            assert_int_equal(f.units.n, merge ? unique[ply] : perft[ply]);
            assert_int_equal(paths(&f), perft[ply]);
            frontier_free(&f);
        }
}

static void order_is_the_same_with_other_keys(void **state) {
    const FrontierLimits limits = {3, SIZE_MAX, SIZE_MAX - 1, true};
    Frontier a = made(fen_start, 1, limits), b = made(fen_start, 99, limits);
    assert_int_equal(a.units.n, b.units.n);
    for (size_t u = 0; u < a.units.n; u++) {
        assert_true(position_same(&a.units.position[u], &b.units.position[u]));
        assert_false(key_same(a.units.key[u], b.units.key[u]));
    }
    assert_memory_equal(a.multiplicity, b.multiplicity, a.units.n * a.roots * sizeof *a.multiplicity);
    frontier_free(&a);
    frontier_free(&b);
}

static void keeps_to_its_limits(void **state) {
    Frontier f = made(fen_start, 1, (FrontierLimits){6, SIZE_MAX, 1000, true});
    assert_int_equal(f.units.n, 400);
    frontier_free(&f);
    f = made(fen_start, 1, (FrontierLimits){6, 100, 1000000, true});
    assert_int_equal(f.units.n, 400);
    frontier_free(&f);
}

static void a_mated_root_has_no_units(void **state) {
    Frontier f =
        made("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -", 1, (FrontierLimits){3, 10, 1000, true});
    assert_int_equal(f.roots, 0);
    assert_int_equal(f.units.n, 0);
    assert_int_equal(f.ply, 1);
    frontier_free(&f);
}

#include "test_frontier_list.h"
