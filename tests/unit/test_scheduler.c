/* SPDX-License-Identifier: MIT */
/* In which order units go out to ranks: each once, the small ones last and from the largest down. */
#include "unit.h"

#include "distributed/perft/scheduler.h"
#include "notation/fen.h"
#include "perft/units.h"
#include "rules/movegen.h"

enum { UNITS_MAX = 10000, RANKS = 3 };

static const char kiwi[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

typedef struct {
    Frontier f;
    Scheduler s;
    uint32_t out[UNITS_MAX], size[UNITS_MAX]; /* in the order in which they went */
} SchedulerFixture;

/* Every third unit is in the ledger already. The ranks ask in an uneven way. */
static size_t assign_all(SchedulerFixture *o, bool merged) {
    TabiaError error;
    Position root;
    Zobrist z;
    uint32_t todo[UNITS_MAX];
    size_t n = 0, out = 0;
    zobrist_init(&z, 1);
    assert_true(fen_parse(&root, kiwi, &error));
    assert_true(frontier_make(&o->f, &root, &z, (FrontierLimits){2, 5000, 100000, true}, &error));
    for (uint32_t u = 0; u < o->f.units.n; u++)
        if (u % 3) todo[n++] = u;
    assert_true(n > 1000 && n < UNITS_MAX);
    assert_true(scheduler_init(&o->s, &o->f, todo, n, &(SchedulerOptions){.ranks = RANKS, .merged = merged}, &error));
    for (int64_t unit; (unit = scheduler_next(&o->s, out % 7 % RANKS)) >= 0; out++) {
        assert_true(out < n);
        o->out[out] = (uint32_t)unit, o->size[out] = units_size(&o->f.units.position[unit]);
        assert_int_equal(scheduler_remaining(&o->s), n - out - 1);
    }
    assert_int_equal(out, n);
    assert_int_equal(scheduler_next(&o->s, 0), -1);
    return n;
}

static void end(SchedulerFixture *o) {
    scheduler_release(&o->s);
    frontier_free(&o->f);
}

static void each_unit_goes_out_once(void **state) {
    (void)state;
    for (unsigned merged = 0; merged < 2; merged++) {
        static SchedulerFixture o;
        bool seen[UNITS_MAX] = {false};
        const size_t n = assign_all(&o, merged);
        for (size_t i = 0; i < n; i++) {
            assert_false(seen[o.out[i]]);
            assert_int_not_equal(o.out[i] % 3, 0);
            seen[o.out[i]] = true;
        }
        end(&o);
    }
}

/* The last 64th of the work: none larger than any before it, and from the largest down. */
static void small_units_go_last(void **state) {
    (void)state;
    static SchedulerFixture o;
    const size_t n = assign_all(&o, true), large = o.s.large;
    uint64_t all = 0, last = 0;
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < n; i++) all += o.size[i];
    for (size_t i = 0; i < large; i++) least = o.size[i] < least ? o.size[i] : least;
    for (size_t i = large; i < n; i++) {
        assert_true(o.size[i] <= least);
        assert_true(i == large || o.size[i] <= o.size[i - 1]);
        last += o.size[i];
    }
    assert_true(last > all / 80 && last < all / 60);
    end(&o);
}

/* Where nothing is merged, neighbours have nothing in common, and all go by size. */
static void without_a_table_all_go_by_size(void **state) {
    (void)state;
    static SchedulerFixture o;
    const size_t n = assign_all(&o, false);
    for (size_t i = 1; i < n; i++) assert_true(o.size[i] <= o.size[i - 1]);
    end(&o);
}

/* By what the side to move has, its pawns first, as it sees the board; then by what the other has. */
static void locality_is_seen_from_the_side_to_move(void **state) {
    (void)state;
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
    (void)state;
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

/* One rank alone gets the large ones in the order of locality. */
static void large_units_go_by_locality(void **state) {
    (void)state;
    static SchedulerFixture o;
    TabiaError error;
    const size_t n = assign_all(&o, true);
    uint32_t todo[UNITS_MAX], sorted[UNITS_MAX];
    memcpy(todo, o.out, n * sizeof *todo);
    scheduler_release(&o.s);
    assert_true(scheduler_init(&o.s, &o.f, todo, n, &(SchedulerOptions){.ranks = 1, .merged = true}, &error));
    for (size_t i = 0; i < o.s.large; i++) sorted[i] = todo[i] = (uint32_t)scheduler_next(&o.s, 0);
    assert_true(units_order(&o.f, sorted, o.s.large, &error));
    assert_memory_equal(todo, sorted, o.s.large * sizeof *todo);
    end(&o);
}

/* A rank that asks alone gets first the units of whose children it owns most, in the order of locality. */
static void large_units_go_to_their_owner(void **state) {
    (void)state;
    static SchedulerFixture o;
    TabiaError error;
    PartitionMap map;
    const size_t n = assign_all(&o, true);
    uint32_t todo[UNITS_MAX], sorted[UNITS_MAX];
    memcpy(todo, o.out, n * sizeof *todo);
    assert_true(partition_build(&map, &o.f, 0, RANKS, &error));
    for (unsigned rank = 0; rank < RANKS; rank++) {
        scheduler_release(&o.s);
        const SchedulerOptions options = {.ranks = RANKS, .merged = true, .map = &map};
        assert_true(scheduler_init(&o.s, &o.f, todo, n, &options, &error));
        size_t out = 0;
        for (size_t i = 0; i < o.s.large; i++)
            out += partition_majority_owner(&map, &o.f.units.position[o.s.unit[i]], 0) == rank;
        assert_true(out > n / RANKS / 4);
        for (size_t i = 0; i < out; i++) {
            sorted[i] = o.out[i] = (uint32_t)scheduler_next(&o.s, rank);
            assert_int_equal(partition_majority_owner(&map, &o.f.units.position[o.out[i]], 0), rank);
        }
        assert_int_not_equal(partition_majority_owner(&map, &o.f.units.position[scheduler_next(&o.s, rank)], 0), rank);
        assert_true(units_order(&o.f, sorted, out, &error));
        assert_memory_equal(o.out, sorted, out * sizeof *sorted);
        for (out++; scheduler_next(&o.s, rank) >= 0;) out++;
        assert_int_equal(out, n);
    }
    end(&o);
}

/* The estimate ranks units as their leaves do: a unit taken for larger has more, in eight cases of ten at least. */
static void the_estimate_follows_the_leaves(void **state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locality_is_seen_from_the_side_to_move),
        cmocka_unit_test(order_is_of_locality),
        cmocka_unit_test(each_unit_goes_out_once),
        cmocka_unit_test(small_units_go_last),
        cmocka_unit_test(without_a_table_all_go_by_size),
        cmocka_unit_test(large_units_go_by_locality),
        cmocka_unit_test(large_units_go_to_their_owner),
        cmocka_unit_test(the_estimate_follows_the_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
