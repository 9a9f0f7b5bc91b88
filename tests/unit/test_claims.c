/* SPDX-License-Identifier: MIT */
/*
 * The record type of claims: a key is one worker's until it is released or the lease ends, mixed words are nobody's claim,
 * and a full bucket does what a plain model of it does.
 */
#include "named_tools.h"

#include <sched.h>

#include "base/threads.h"
#include "tabia/claims.h"
#include "table/claim_inline.h"

enum { LEASE = 1000 };

static const TabiaKey key = {5, 7 << 8};

static TabiaTable *new_claims(TabiaOptions o) {
    o.type = TABIA_CLAIMS;
    if (!o.bytes) o.bytes = 1 << 16;
    return new_table(o);
}

static bool try_at(TabiaTable *t, unsigned depth, uint16_t worker, uint64_t now) {
    return tabia_claim_try(t, key, depth, worker, now, LEASE);
}

static void assert_claim(const TabiaTable *t, uint64_t now, uint16_t worker, unsigned depth, uint64_t since) {
    const TabiaClaim c = tabia_claim_check(t, key, now, LEASE);
    assert_int_equal(c.worker, worker);
    assert_int_equal(c.depth, depth);
    assert_int_equal(c.since, since);
}

/* ---- one worker at a time ---- */

static void a_key_is_taken_until_it_is_released(void **state) {
    (void)state;
    for (unsigned m = 0; m < modes(); m++) {
        TabiaTable *t = new_claims((TabiaOptions){.integrity = mode_at(m)});
        assert_claim(t, 10, 0, 0, 0);
        assert_true(try_at(t, 6, 1, 10));
        assert_claim(t, 11, 1, 6, 10);
        assert_false(try_at(t, 6, 2, 12));
        assert_false(try_at(t, 5, 2, 12));
        tabia_claim_release(t, key, 2); /* not its own */
        assert_claim(t, 13, 1, 6, 10);
        assert_int_equal(tabia_claim_check(t, (TabiaKey){5, 8 << 8}, 13, LEASE).worker, 0);
        tabia_claim_release(t, key, 1);
        assert_claim(t, 13, 0, 0, 0);
        assert_int_equal(tabia_table_hashfull(t), 0);
        assert_true(try_at(t, 1, 2, 14));
        assert_claim(t, 14, 2, 1, 14);
        tabia_table_destroy(t);
    }
}

static void deeper_work_takes_over(void **state) {
    (void)state;
    TabiaTable *t = new_claims((TabiaOptions){0});
    assert_true(try_at(t, 6, 1, 10));
    assert_true(try_at(t, 7, 2, 11));
    assert_claim(t, 12, 2, 7, 11);
    assert_false(try_at(t, 7, 1, 12));
    tabia_claim_release(t, key, 1); /* no longer its own */
    assert_claim(t, 12, 2, 7, 11);
    assert_true(try_at(t, 1000, 2, 13));
    assert_claim(t, 13, 2, 255, 13);
    tabia_table_destroy(t);
}

/* ---- leases ---- */

static void a_lease_ends_and_is_renewed(void **state) {
    (void)state;
    TabiaTable *t = new_claims((TabiaOptions){0});
    assert_true(try_at(t, 6, 1, 10));
    assert_false(try_at(t, 6, 2, 10 + LEASE - 1));
    assert_claim(t, 10 + LEASE - 1, 1, 6, 10);
    assert_claim(t, 10 + LEASE, 0, 0, 0);
    assert_true(try_at(t, 6, 1, 10 + LEASE - 1)); /* the worker's own: renewed */
    assert_false(try_at(t, 6, 2, 10 + LEASE));
    assert_true(try_at(t, 6, 2, 10 + 2 * LEASE - 1));
    assert_claim(t, 10 + 2 * LEASE, 2, 6, 10 + 2 * LEASE - 1);
    tabia_table_destroy(t);
}

/* A worker that has read the clock a moment before another claimed meets a claim of the future. Times wrap at 2^40. */
static void times_are_compared_by_their_difference(void **state) {
    (void)state;
    const uint64_t wrap = (uint64_t)1 << 40;
    TabiaTable *t = new_claims((TabiaOptions){0});
    assert_true(try_at(t, 6, 1, 5000));
    assert_false(try_at(t, 6, 2, 4990));
    assert_false(try_at(t, 6, 2, 5000 - LEASE + 1));
    assert_claim(t, 4990, 1, 6, 5000);
    assert_claim(t, 5000 - LEASE, 0, 0, 0);
    tabia_claim_release(t, key, 1);
    assert_true(try_at(t, 6, 1, wrap - 2));
    assert_false(try_at(t, 6, 2, wrap + 3));
    assert_claim(t, wrap + 3, 1, 6, wrap - 2);
    assert_claim(t, wrap - 2 + LEASE, 0, 0, 0);
    assert_true(try_at(t, 6, 2, 3 * wrap + 5 + LEASE));
    assert_claim(t, 3 * wrap + 5 + LEASE, 2, 6, 5 + LEASE);
    tabia_table_destroy(t);
}

static void clears_and_strict_generations_forget(void **state) {
    (void)state;
    TabiaTable *t = new_claims((TabiaOptions){.strict_generations = true});
    for (unsigned i = 0; i < 9; i++) {
        assert_true(try_at(t, 6, 1, 10));
        i % 2 ? tabia_table_clear(t) : tabia_table_new_generation(t);
        assert_claim(t, 10, 0, 0, 0);
        assert_true(try_at(t, 2, 2, 10));
        tabia_table_new_generation(t);
    }
    tabia_table_destroy(t);
}

static void without_a_table_every_key_is_free(void **state) {
    (void)state;
    TabiaTable *off = new_claims((TabiaOptions){.probing_off = true}), *t = new_claims((TabiaOptions){0});
    TabiaTable *const none[] = {NULL, off};
    for (unsigned i = 0; i < 2; i++) {
        assert_true(try_at(none[i], 6, 1, 10) && try_at(none[i], 6, 2, 10));
        assert_claim(none[i], 10, 0, 0, 0);
        tabia_claim_release(none[i], key, 1);
    }
    assert_int_equal(tabia_claim_worker(NULL), 1);
    assert_true(try_at(t, 6, 0, 10)); /* nobody's */
    assert_claim(t, 10, 0, 0, 0);
    tabia_table_destroy(off);
    tabia_table_destroy(t);
}

static void claims_have_one_rule_of_replacement(void **state) {
    (void)state;
    for (TabiaReplacement rule = TABIA_REPLACE_ALWAYS; rule <= TABIA_REPLACE_TWO_TIER; rule++) {
        TabiaTable *t = NULL;
        const TabiaOptions o = {.bytes = 1 << 16, .type = TABIA_CLAIMS, .replacement = rule};
        assert_int_equal(tabia_table_create(&t, &o, NULL), rule == TABIA_REPLACE_LARGER_STAYS ? 0 : TABIA_ERROR_OPTION);
        tabia_table_destroy(t);
    }
}

static void workers_are_numbered(void **state) {
    (void)state;
    static bool seen[UINT16_MAX + 1];
    TabiaTable *t = new_claims((TabiaOptions){0});
    for (unsigned i = 0; i < UINT16_MAX; i++) {
        const uint16_t worker = tabia_claim_worker(t);
        assert_true(worker && !seen[worker]);
        seen[worker] = true;
    }
    assert_int_equal(tabia_claim_worker(t), 1);
    tabia_table_destroy(t);
}

/* ---- the words of two claims in one slot ---- */

/* One worker's check beside another's data: nobody's claim; unprotected, always somebody's. */
static void mixed_claims_are_nobodys(void **state) {
    (void)state;
    for (int protected = 0; protected < 2; protected ++) {
        TabiaTable *t = new_claims((TabiaOptions){.bytes = 64, .integrity = protected ? TABIA_XOR : TABIA_NONE});
        uint64_t seed = 7;
        Word *slot = (Word *)t->base;
        for (unsigned i = 0; i < 100000; i++) {
            const TabiaKey a = random_key(&seed), b = random_key(&seed);
            const uint16_t worker = (uint16_t)(1 + random_below(&seed, 65535));
            const uint64_t now = random_next(&seed);
            const TabiaClaim foreign = {now + random_below(&seed, 9), (uint16_t)(worker ^ 0x8000 ? worker ^ 0x8000 : 1),
                                        3};
            memset(t->base, 0, 64);
            assert_true(tabia_claim_try(t, a, 9, worker, now, LEASE));
            atomic_store(slot + 1, claim_pack(foreign));
            assert_int_equal(tabia_claim_check(t, a, now, LEASE).worker, protected ? 0 : foreign.worker);
            assert_int_equal(tabia_claim_check(t, b, now, LEASE).worker, 0);
            assert_int_equal(tabia_claim_try(t, a, 1, worker, now, LEASE), protected);
        }
        tabia_table_destroy(t);
    }
}

/* ---- against a plain model ---- */

enum { MODEL_KEYS = 12, WORKERS = 5, STEPS = 1000000 };

typedef struct {
    bool there;
    unsigned key, depth;
    uint16_t worker;
    uint64_t since;
} ModelClaim;

/* A bucket: at most `ways` claims, none of which has ended. */
typedef struct {
    ModelClaim claim[4];
    unsigned ways;
} Model;

static void model_end(Model *m, uint64_t now) {
    for (unsigned i = 0; i < m->ways; i++)
        if (now - m->claim[i].since >= LEASE) m->claim[i].there = false;
}

static ModelClaim *model_find(Model *m, unsigned k) {
    for (unsigned i = 0; i < m->ways; i++)
        if (m->claim[i].there && m->claim[i].key == k) return &m->claim[i];
    return NULL;
}

/* Where a new claim goes: a free place, else that of the shallowest and among these oldest, if it is no deeper. */
static ModelClaim *model_place(Model *m, unsigned depth) {
    ModelClaim *least = NULL;
    for (unsigned i = 0; i < m->ways; i++) {
        ModelClaim *c = &m->claim[i];
        if (!c->there) return c;
        if (!least || c->depth < least->depth || (c->depth == least->depth && c->since < least->since)) least = c;
    }
    return least->depth <= depth ? least : NULL;
}

static bool model_try(Model *m, ModelClaim new) {
    ModelClaim *own = model_find(m, new.key);
    if (own && own->worker != new.worker && own->depth >= new.depth) return false;
    if (!own) own = model_place(m, new.depth);
    if (own) *own = new;
    return true;
}

static void model_release(Model *m, unsigned k, uint16_t worker) {
    ModelClaim *c = model_find(m, k);
    if (c && c->worker == worker) c->there = false;
}

static void compare_all(const TabiaTable *t, Model *m, uint64_t now, unsigned step) {
    for (unsigned k = 0; k < MODEL_KEYS; k++) {
        const ModelClaim *c = model_find(m, k);
        const TabiaClaim found = tabia_claim_check(t, (TabiaKey){0, (k + 1) << 8}, now, LEASE);
        if (found.worker == (c ? c->worker : 0) && (!c || (found.depth == c->depth && found.since == c->since)))
            continue;
        fail_msg("%u ways, step %u, key %u: worker %u at depth %u, and %u at depth %u by the model", m->ways, step, k,
                 found.worker, found.depth, c ? c->worker : 0, c ? c->depth : 0);
    }
}

/* Tries and releases at random; no two at the same time, so that all ages differ. `keys`: the fewer, the less is replaced. */
static void run_model(unsigned ways, unsigned keys, TabiaIntegrity integrity) {
    TabiaTable *t = new_claims((TabiaOptions){.bytes = 64, .ways = ways, .integrity = integrity});
    t->buckets = 1; /* whatever the ways: one bucket */
    Model m = {.ways = ways};
    uint64_t seed = 100 * ways + keys, now = 1;
    for (unsigned step = 0; step < STEPS; step++) {
        const unsigned k = (unsigned)random_below(&seed, keys), depth = (unsigned)random_below(&seed, 6);
        const uint16_t worker = (uint16_t)(1 + random_below(&seed, WORKERS));
        now += 1 + random_below(&seed, 60) * random_below(&seed, 8);
        model_end(&m, now);
        if (random_below(&seed, 3)) {
            const bool mine = tabia_claim_try(t, (TabiaKey){0, (k + 1) << 8}, depth, worker, now, LEASE);
            const bool expected = model_try(&m, (ModelClaim){true, k, depth, worker, now});
            if (mine != expected) fail_msg("%u ways, step %u: %d, and %d by the model", ways, step, mine, expected);
        } else {
            tabia_claim_release(t, (TabiaKey){0, (k + 1) << 8}, worker);
            model_release(&m, k, worker);
        }
        if (step % 8 == 0) compare_all(t, &m, now, step);
    }
    tabia_table_destroy(t);
}

static void a_bucket_does_what_a_plain_model_does(void **state) {
    (void)state;
    for (unsigned ways = 1; ways <= 4; ways *= 2) run_model(ways, MODEL_KEYS, TABIA_XOR);
    run_model(4, 4, TABIA_XOR); /* nothing is replaced */
    run_model(4, MODEL_KEYS, TABIA_LOCKED);
}

/* ---- several workers ---- */

typedef struct {
    TabiaTable *table;
    _Atomic unsigned ready, mine[64];
} Race;

/* All try key after key, each at the same moment as far as that can be. */
static void race(void *context, unsigned number) {
    Race *r = context;
    const unsigned rounds = sizeof r->mine / sizeof *r->mine;
    for (unsigned i = 0; i < rounds; i++) {
        atomic_fetch_add(&r->ready, 1);
        while (atomic_load(&r->ready) < 4 * (i + 1)) sched_yield();
        const TabiaKey one = {(uint64_t)i << 58, (i + 1) << 8};
        if (tabia_claim_try(r->table, one, 5, (uint16_t)(number + 1), 10, LEASE)) atomic_fetch_add(&r->mine[i], 1);
    }
}

/* With a lock exactly one of four threads gets a key; without, at least one, and no torn claim keeps all of them away. */
static void at_least_one_worker_gets_a_key(void **state) {
    (void)state;
    TabiaError error;
    for (unsigned m = 0; m < modes(); m++) {
        Race r = {.table = new_claims((TabiaOptions){.integrity = mode_at(m)})};
        if (!tabia_threads_run(4, race, &r, &error)) fail_msg("%s", error.text);
        for (unsigned i = 0; i < sizeof r.mine / sizeof *r.mine; i++) {
            assert_in_range(r.mine[i], 1, 4);
            if (mode_at(m) == TABIA_LOCKED) assert_int_equal(r.mine[i], 1);
        }
        tabia_table_destroy(r.table);
    }
}

/* ---- processes ---- */

/* Finds the parent's claim, makes its own, and is killed before it can release that. */
static int claim_and_die(const TabiaOptions *o, unsigned number) {
    (void)number;
    TabiaTable *t;
    EXPECT(tabia_table_create(&t, o, NULL) == 0);
    const uint16_t me = tabia_claim_worker(t);
    EXPECT(me == 2);
    EXPECT(!tabia_claim_try(t, key, 6, me, 20, LEASE));
    EXPECT(tabia_claim_check(t, key, 20, LEASE).worker == 1);
    EXPECT(tabia_claim_try(t, (TabiaKey){6, 9 << 8}, 6, me, 20, LEASE));
    raise(SIGKILL);
    return 1;
}

static void processes_share_claims_by_a_name(void **state) {
    (void)state;
    const TabiaOptions o = named((TabiaOptions){.type = TABIA_CLAIMS});
    const TabiaKey other = {6, 9 << 8};
    TabiaTable *t = new_table(o);
    assert_int_equal(tabia_claim_worker(t), 1);
    assert_true(try_at(t, 6, 1, 10));
    const pid_t child = start(claim_and_die, &o, 0);
    expect_killed(child);
    assert_false(tabia_claim_try(t, other, 6, 1, 20 + LEASE - 1, LEASE));
    assert_int_equal(tabia_claim_check(t, other, 20 + LEASE - 1, LEASE).worker, 2);
    assert_true(tabia_claim_try(t, other, 6, 1, 20 + LEASE, LEASE));
    tabia_table_destroy(t);
}

/* ---- counters ---- */

static void what_happens_is_counted(void **state) {
    (void)state;
    TabiaTable *t = new_claims((TabiaOptions){.bytes = 64, .ways = 1, .counters = true});
    TabiaCounters c;
    t->buckets = 1;
    const TabiaKey other = {5, 9 << 8};
    assert_true(try_at(t, 6, 1, 10));                                   /* filled */
    assert_true(try_at(t, 6, 1, 11));                                   /* updated */
    assert_false(try_at(t, 6, 2, 12));                                  /* a hit */
    assert_true(tabia_claim_try(t, other, 5, 2, 12, LEASE));            /* refused */
    assert_true(tabia_claim_try(t, other, 7, 2, 12, LEASE));            /* replaced_less */
    assert_true(try_at(t, 1, 1, 12 + LEASE));                           /* replaced_old */
    assert_int_equal(tabia_claim_check(t, key, 13, LEASE).worker, 1);   /* a hit */
    assert_int_equal(tabia_claim_check(t, other, 13, LEASE).worker, 0); /* none */
    tabia_table_counters(t, &c);
    assert_int_equal(c.probes, 8);
    assert_int_equal(c.hits, 2);
    assert_int_equal(c.stores, 5);
    assert_int_equal(c.filled, 1);
    assert_int_equal(c.updated, 1);
    assert_int_equal(c.refused, 1);
    assert_int_equal(c.replaced_less, 1);
    assert_int_equal(c.replaced_old, 1);
    assert_int_equal(c.torn, 0);
    tabia_table_destroy(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_taken_until_it_is_released),
        cmocka_unit_test(deeper_work_takes_over),
        cmocka_unit_test(a_lease_ends_and_is_renewed),
        cmocka_unit_test(times_are_compared_by_their_difference),
        cmocka_unit_test(clears_and_strict_generations_forget),
        cmocka_unit_test(without_a_table_every_key_is_free),
        cmocka_unit_test(claims_have_one_rule_of_replacement),
        cmocka_unit_test(workers_are_numbered),
        cmocka_unit_test(mixed_claims_are_nobodys),
        cmocka_unit_test(a_bucket_does_what_a_plain_model_does),
        cmocka_unit_test(at_least_one_worker_gets_a_key),
        cmocka_unit_test_setup_teardown(processes_share_claims_by_a_name, choose_name, look_for_name),
        cmocka_unit_test(what_happens_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
