/* SPDX-License-Identifier: MIT */
/* The frontier: merged or not, its multiplicities add up to the number of paths; its order does not depend on the keys. */

#include "unit.h"

#include "notation/fen.h"
#include "perft/frontier.h"
#include "perft/position_set.h"
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

/* ---- sets of positions ---- */

/* The positions of a ply: each once, numbered as they are met, whatever the size of the set; in a multiset every time. */

static Zobrist zobrist;

static void expand_all(const PositionSet *from, PositionSet *to) {
    ChildNumbers children;
    TabiaError error;
    for (size_t i = 0; i < from->n; i++) {
        assert_true(position_set_expand(to, &from->position[i], from->key[i], &zobrist, &children, &error));
        assert_int_equal(children.n, moves_count(&from->position[i]));
        for (unsigned k = 0; k < children.n; k++) assert_true(children.number[k] < to->n);
    }
}

/* The positions so many plies below the start.*/
static PositionSet make_ply(unsigned plies, bool is_multiset, size_t reserve) {
    PositionSet ply = {0};
    TabiaError error;
    Position root;
    size_t number;
    bool is_new;
    zobrist_init(&zobrist, 5);
    assert_true(fen_parse(&root, fen_start, &error));
    assert_true(position_set_add(&ply, zobrist_key(&zobrist, &root), &number, &is_new, &error) && is_new && !number);
    ply.position[number] = root;
    for (; plies; plies--) {
        PositionSet next = {.is_multiset = is_multiset};
        assert_true(position_set_reserve(&next, reserve, &error) && next.capacity >= reserve);
        expand_all(&ply, &next);
        position_set_free(&ply);
        ply = next;
    }
    return ply;
}

static void holds_each_position_once(void **state) {
    PositionSet ply = make_ply(4, false, 0);
    assert_int_equal(ply.n, 72078);
    for (size_t i = 0; i < ply.n; i++) {
        size_t number;
        bool is_new;
        assert_true(key_same(zobrist_key(&zobrist, &ply.position[i]), ply.key[i]));
        assert_true(position_set_add(&ply, ply.key[i], &number, &is_new, NULL));
        assert_true(number == i && !is_new);
    }
    position_set_clear(&ply);
    assert_int_equal(ply.n, 0);
    position_set_free(&ply);
}

static void numbers_do_not_depend_on_the_capacity(void **state) {
    PositionSet grown = make_ply(3, false, 0), reserved = make_ply(3, false, 100000);
    assert_true(grown.n == 5362 && reserved.n == grown.n && reserved.capacity > grown.capacity);
    for (size_t i = 0; i < grown.n; i++) assert_true(position_same(&grown.position[i], &reserved.position[i]));
    position_set_free(&grown);
    position_set_free(&reserved);
}

static void a_multiset_holds_every_path(void **state) {
    PositionSet ply = make_ply(3, true, 0);
    assert_int_equal(ply.n, 8902);
    position_set_complete(&ply);
    assert_true(!ply.slot && ply.n == 8902);
    position_set_free(&ply);
}

static void refuses_what_does_not_fit_memory(void **state) {
    PositionSet ply = make_ply(1, false, 0);
    TabiaError error;
    assert_false(position_set_reserve(&ply, (size_t)1 << 33, &error));
    assert_non_null(strstr(error.text, "4294967295"));
    assert_int_equal(ply.n, 20);
    position_set_free(&ply);
}

#include "test_frontier_list.h"
