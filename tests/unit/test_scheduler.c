/* SPDX-License-Identifier: MIT */
/* What rank 0 remembers of units: where each is, and in which order they go out. */
#include "unit.h"

#include "distributed/perft/scheduler.h"
#include "notation/fen.h"
#include "rules/movegen.h"

enum { UNITS_MAX = 10000, RANKS = 3 };

static const char kiwi[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

typedef struct {
    Frontier f;
    Scheduler *s;
    size_t n;                                 /* units that are not done at first */
    uint32_t out[UNITS_MAX], size[UNITS_MAX]; /* in the order in which they went */
} SchedulerFixture;

/* Every third unit is in the ledger already. */
static void begin(SchedulerFixture *o, const SchedulerOptions *options) {
    TabiaError error;
    Position root;
    Zobrist z;
    zobrist_init(&z, 1);
    assert_true(fen_parse(&root, kiwi, &error));
    assert_true(frontier_make(&o->f, &root, &z, (FrontierLimits){2, 5000, 100000, true}, &error));
    assert_non_null(o->s = scheduler_create(&o->f, &error));
    for (size_t u = 0; u < o->f.units.n; u += 3) scheduler_finish(o->s, u, 1);
    assert_true(scheduler_order(o->s, options, &error));
    o->n = scheduler_remaining(o->s);
    assert_int_equal(o->n, o->f.units.n - (o->f.units.n + 2) / 3);
    assert_in_range(o->n, 1000, UNITS_MAX);
}

static void end(SchedulerFixture *o) {
    scheduler_destroy(o->s);
    frontier_free(&o->f);
}

/* The ranks ask in an uneven way. */
static size_t assign_all(SchedulerFixture *o, bool merged) {
    size_t out = 0;
    begin(o, &(SchedulerOptions){.ranks = RANKS, .merged = merged});
    for (int64_t unit; (unit = scheduler_next(o->s, out % 7 % RANKS, (double)out)) >= 0; out++) {
        assert_true(out < o->n);
        o->out[out] = (uint32_t)unit, o->size[out] = units_size(&o->f.units.position[unit]);
        assert_int_equal(scheduler_remaining(o->s), o->n - out - 1);
    }
    assert_int_equal(out, o->n);
    return out;
}

/* Where nothing is merged, neighbours have nothing in common, and all go by size. */
static void without_a_table_all_go_by_size(void **state) {
    static SchedulerFixture o;
    const size_t n = assign_all(&o, false);
    for (size_t i = 1; i < n; i++) assert_true(o.size[i] <= o.size[i - 1]);
    end(&o);
}

/* By what the side to move has, its pawns first, as it sees the board; then by what the other has. */
static void locality_is_seen_from_the_side_to_move(void **state) {
    Position white, black, other;
    assert_true(fen_parse(&white, "4k3/pp6/8/8/8/8/PPP5/4K1N1 w - - 0 1", NULL));
    assert_true(fen_parse(&black, "4k1n1/ppp5/8/8/8/8/PP6/4K3 b - - 0 1", NULL));
    assert_true(fen_parse(&other, "4k3/pp6/8/8/8/8/PPPP4/4K1N1 w - - 0 1", NULL));
    const LocalityKey a = position_locality_key(&white), b = position_locality_key(&black),
                      c = position_locality_key(&other);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(popcount(a.word[0]), 3);
    assert_int_equal(popcount(a.word[1]), 5);
    assert_int_equal(popcount(a.word[2]), 2);
    assert_int_equal(popcount(a.word[3]), 3);
    assert_true(c.word[0] > a.word[0] && c.word[2] == a.word[2]);
}

/* Each unit's locality is not below the one before it. */
static void order_is_of_locality(void **state) {
    static SchedulerFixture o;
    TabiaError error;
    const size_t n = assign_all(&o, true);
    uint32_t sorted[UNITS_MAX];
    for (size_t i = 0; i < n; i++) sorted[i] = (uint32_t)(n - 1 - i);
    assert_true(units_order(&o.f, sorted, n, &error));
    for (size_t i = 1; i < n; i++) {
        const LocalityKey a = position_locality_key(&o.f.units.position[sorted[i - 1]]),
                          b = position_locality_key(&o.f.units.position[sorted[i]]);
        int word = 0;
        while (word < 3 && a.word[word] == b.word[word]) word++;
        assert_true(a.word[word] <= b.word[word]);
    }
    end(&o);
}

/* A rank that asks alone gets first the units of whose children it owns most, in the order of locality. */
static void units_go_to_their_owner(void **state) {
    static SchedulerFixture o;
    static PartitionMap map;
    uint32_t sorted[UNITS_MAX];
    TabiaError error;
    begin(&o, &(SchedulerOptions){.ranks = 1});
    assert_true(partition_build(&map, &o.f, 0, RANKS, &error));
    end(&o);
    for (unsigned rank = 0; rank < RANKS; rank++) {
        size_t out = 0;
        begin(&o, &(SchedulerOptions){.ranks = RANKS, .merged = true, .map = &map});
        for (size_t i = 0; i < o.n; i++) {
            o.out[i] = (uint32_t)scheduler_next(o.s, rank, 0);
            const bool is_own = partition_majority_owner(&map, &o.f.units.position[o.out[i]], 0) == rank;
            if (is_own && out == i) sorted[out++] = o.out[i];
            assert_true(is_own == (i < out));
        }
        assert_in_range(out, o.n / RANKS / 4, o.n - 1);
        assert_true(units_order(&o.f, sorted, out, &error));
        assert_memory_equal(o.out, sorted, out * sizeof *sorted);
        end(&o);
    }
}

/* The estimate ranks units as their leaves do: a unit taken for larger has more, in eight cases of ten at least. */
static void the_estimate_follows_the_leaves(void **state) {
    static SchedulerFixture o;
    const size_t n = assign_all(&o, true);
    unsigned right = 0, pairs = 0;
    for (size_t i = 0; i + 1 < n; i += 2) {
        uint64_t leaves[2] = {0, 0};
        for (unsigned k = 0; k < 2; k++) {
            Move list[MOVES_MAX];
            const Position *p = &o.f.units.position[o.out[i + k]];
            const unsigned moves = moves_list(p, list);
            for (unsigned m = 0; m < moves; m++) {
                Position child;
                position_make_move(&child, p, list[m]);
                leaves[k] += moves_count(&child);
            }
        }
        if (leaves[0] == leaves[1]) continue;
        pairs++;
        right += (o.size[i] > o.size[i + 1]) == (leaves[0] > leaves[1]);
    }
    print_message("%u of %u pairs ranked right\n", right, pairs);
    assert_true(10 * right > 8 * pairs);
    end(&o);
}

/* A rank that falls silent, speaks, and falls silent again: its units go out once more, and not twice. */
static void a_unit_is_requeued_once(void **state) {
    static SchedulerFixture o;
    bool seen[UNITS_MAX] = {false};
    const size_t n = assign_all(&o, true), first = scheduler_requeue_rank(o.s, 1);
    assert_in_range(first, n / 5, n / 2);
    assert_int_equal(scheduler_requeue_rank(o.s, 1), 0);
    scheduler_requeue_overdue(o.s, (double)n);
    assert_int_equal(scheduler_remaining(o.s), n);
    for (int64_t unit; (unit = scheduler_next(o.s, 2, (double)n)) >= 0;) {
        assert_false(seen[unit]);
        seen[unit] = true;
    }
    for (size_t i = 0; i < n; i++) assert_true(seen[o.out[i]]);
    assert_int_equal(scheduler_requeue_rank(o.s, 1), 0);
    assert_int_equal(scheduler_requeue_rank(o.s, 2), n);
    end(&o);
}

static void only_overdue_units_are_requeued(void **state) {
    static SchedulerFixture o;
    assign_all(&o, true);
    scheduler_requeue_overdue(o.s, 10);
    assert_int_equal(scheduler_remaining(o.s), 10);
    scheduler_finish(o.s, o.out[3], 20); /* late, from the rank that was taken for dead: it does not go out again */
    for (int64_t unit; (unit = scheduler_next(o.s, 0, 20)) >= 0;) {
        size_t i = 0;
        assert_int_not_equal(unit, o.out[3]);
        while (o.out[i] != unit) i++;
        assert_true(i < 10); /* it went out as one of the first ten, a second after the other */
    }
    end(&o);
}

#include "test_scheduler_list.h"
