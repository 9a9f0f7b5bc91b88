/* SPDX-License-Identifier: MIT */
/* The partition map: the same for all who make it, and no rank owns much more than another. (What a move's owner is
   found from: tests/fuzz/partition.c.) */
#include "unit.h"

#include "distributed/perft/partition.h"
#include "notation/fen.h"
#include "rules/movegen.h"

enum { RANKS_MAX = 64 };

static const char kiwi[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

static Frontier make_frontier(const char *fen, int ply) {
    Frontier f;
    TabiaError error;
    Position root;
    Zobrist z;
    zobrist_init(&z, 1);
    assert_true(fen_parse(&root, fen, &error));
    assert_true(frontier_make(&f, &root, &z, (FrontierLimits){ply, 1000000, 1000000, true}, &error));
    return f;
}

static PartitionMap make_map(const Frontier *f, unsigned ranks) {
    PartitionMap map;
    TabiaError error;
    assert_true(partition_build(&map, f, 0, ranks, &error));
    return map;
}

static void one_frontier_gives_one_map(void **state) {
    Frontier f = make_frontier(fen_start, 3);
    for (unsigned ranks = 1; ranks <= RANKS_MAX; ranks *= 4) {
        const PartitionMap map = make_map(&f, ranks), again = make_map(&f, ranks);
        assert_memory_equal(&map, &again, sizeof map);
    }
    frontier_free(&f);
}

/* How many of all moves lead to what the busiest rank owns, in parts of the mean. */
static double busiest(const Frontier *f, unsigned ranks) {
    const PartitionMap map = make_map(f, ranks);
    size_t load[RANKS_MAX] = {0}, all = 0, max = 0;
    for (size_t u = 0; u < f->units.n; u++) {
        Move list[MOVES_MAX];
        const unsigned n = moves_list(&f->units.position[u], list);
        for (unsigned i = 0; i < n; i++) {
            const unsigned owner = partition_owner(&map, owner_key_of_move(&f->units.position[u], list[i]));
            assert_true(owner < ranks);
            load[owner]++;
        }
        all += n;
    }
    for (unsigned r = 0; r < ranks; r++) max = load[r] > max ? load[r] : max;
    return (double)max * ranks / (double)all;
}

static void no_rank_has_much_more(void **state) {
    Frontier start = make_frontier(fen_start, 4), other = make_frontier(kiwi, 3);
    assert_true(start.units.n > 70000 && other.units.n > 50000);
    for (unsigned ranks = 2; ranks <= 16; ranks *= 2) {
        assert_true(busiest(&start, ranks) < 1.2);
        assert_true(busiest(&other, ranks) < 1.2);
    }
    frontier_free(&start);
    frontier_free(&other);
}

/* What owners are for: the parents of one position send it to one owner, though they are elsewhere themselves. */
static void parents_agree(void **state) {
    Position one, other;
    TabiaError error;
    Frontier f = make_frontier(fen_start, 3);
    const PartitionMap map = make_map(&f, RANKS_MAX);
    assert_true(fen_parse(&one, "rnbqkbnr/pppp1ppp/4p3/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2", &error));
    assert_true(fen_parse(&other, "rnbqkbnr/pppp1ppp/4p3/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2", &error));
    const unsigned owner = partition_owner(&map, owner_key_of_move(&one, move_encode(11, 27, DOUBLE_PUSH)));
    assert_int_equal(owner, partition_owner(&map, owner_key_of_move(&other, move_encode(6, 21, PLAIN))));
    frontier_free(&f);
}

#include "test_partition_list.h"
