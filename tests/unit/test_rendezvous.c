/* SPDX-License-Identifier: MIT */
/*
 * Two writers meet in one slot, at the worst moments: between a writer's two stores, and between the look and the
 * stores of a refresh. Nobody may then find the other's data under his key. Each check is also shown what it is there
 * to catch: a refresh that is written in place, and, compiled a second time without a check (rendezvous_none), no
 * protection.
 */
#include "rendezvous.h"

#include "tabia/counts.h"
#include "table/counts_inline.h"
#include "table/entry_inline.h"
#include "table/record_inline.h"
#include "table_tools.h"

/* ---- entries: a table of one slot ---- */

/* What was stored, for what, by whichever of the calls. */
typedef struct {
    TabiaKey key;
    uint64_t path;
    TabiaEntry e;
} Stored;

typedef enum { STORE, REFRESH, PENALISE, REFRESH_IN_PLACE, PENALISE_IN_PLACE } Kind;

typedef struct {
    const TabiaTable *t;
    Kind kind;
    const Stored *s;
} Act;

enum { PENALTY = 3 };

/*
 * How refresh must not be written: the position is found, but then the words are taken and changed where they are. What
 * another has stored since gets the signature of this one.
 */
static void rewrite_in_place(const TabiaTable *t, SlotRef p, bool fresh, unsigned penalty) {
    const BucketFind found = bucket_find(p.bucket, p.identity, t->position_mask);
    Word *slot = p.bucket + 2 * found.slot;
    if (found.slot == BUCKET_SLOTS) return;
    pause_at(PAUSE_BEFORE_REWRITE);
    const uint64_t there = atomic_load(slot + 1);
    TabiaEntry e = entry_unpack(there);
    e.draft = e.draft > penalty ? (uint8_t)(e.draft - penalty) : 0;
    const uint64_t data = entry_pack(e, fresh ? generation_field_now(t) : there >> 58);
    atomic_store(slot, found.pair.check ^ hash_word(data));
    atomic_store(slot + 1, data);
}

static void act(const void *what) {
    const Act *a = what;
    const SlotRef p = slot_ref_of(a->t, a->s->key, a->s->path);
    switch (a->kind) {
    case STORE:
        entry_store_inline(a->t, p, a->s->e);
        return;
    case REFRESH:
        entry_rewrite_inline(a->t, p, true, 0);
        return;
    case PENALISE:
        entry_rewrite_inline(a->t, p, false, PENALTY);
        return;
    case REFRESH_IN_PLACE:
        rewrite_in_place(a->t, p, true, 0);
        return;
    case PENALISE_IN_PLACE:
        rewrite_in_place(a->t, p, false, PENALTY);
        return;
    }
}

#define KEY_A                                                                                                          \
    { 1, 0xa1a2a3a4a5a6a7a8 }
#define KEY_B                                                                                                          \
    { 1, 0xb1b2b3b4b5b6b7b8 }
static const TabiaKey key_a = KEY_A, key_b = KEY_B;

/* A known at first, A as it is stored anew, A by another path, and B, twice: like A but for the move, and unlike it. */
enum { A_FIRST, A_AGAIN, A_ELSEWHERE, B_ALIKE, B_OTHER, STORED };
static const Stored stored[STORED] = {
    [A_FIRST] = {KEY_A, 7, {30, 40, 20, TABIA_BOUND_EXACT, .move = 11}},
    [A_AGAIN] = {KEY_A, 7, {31, 41, 20, TABIA_BOUND_EXACT, .move = 12}},
    [A_ELSEWHERE] = {KEY_A, 9, {31, 41, 20, TABIA_BOUND_EXACT, .move = 13}},
    [B_ALIKE] = {KEY_B, 7, {30, 40, 20, TABIA_BOUND_EXACT, .move = 14}},
    [B_OTHER] = {KEY_B, 9, {-3000, -4000, 15, TABIA_BOUND_LOWER, .move = 999}},
};

/* Is it this entry, or it penalised? */
static bool is(const TabiaEntry *e, const TabiaEntry *given) {
    return e->move == given->move && e->score == given->score && e->evaluation == given->evaluation &&
           e->bound == given->bound && (e->draft == given->draft || e->draft + PENALTY == given->draft);
}

/* By the text as it is compiled here. */
static TabiaHit probe(const TabiaTable *t, TabiaKey key, uint64_t path) {
    return entry_probe_inline(t, slot_ref_of(t, key, path));
}

/* The probes, of every key and path, that return what was never stored for them. */
static unsigned foreign_entries(const TabiaTable *t) {
    unsigned foreign = 0;
    for (unsigned i = 0; i < STORED; i++) {
        const TabiaHit hit = probe(t, stored[i].key, stored[i].path);
        bool own = !hit.move_ok;
        for (unsigned s = 0; s < STORED && !own; s++)
            own = stored[s].key.check == stored[i].key.check && is(&hit.entry, &stored[s].e) &&
                  hit.score_ok == (stored[s].path == stored[i].path);
        foreign += !own;
    }
    return foreign;
}

/* A table of one bucket, in which three slots are worth more than all that comes. */
static TabiaTable *one_slot(void) {
    TabiaTable *t = new_table((TabiaOptions){.bytes = 64});
    const TabiaEntry deep = {.draft = 255, .bound = TABIA_BOUND_EXACT, .move = 1};
    for (uint64_t i = 1; i < BUCKET_SLOTS; i++) entry_store_inline(t, slot_ref_of(t, (TabiaKey){1, i << 40}, 0), deep);
    return t;
}

/*
 * A is known. A thread begins to do `kind` with A, stored anew where it stores, and stops at the point; another entry
 * is stored meanwhile; the first goes on. How many probes, at any time, found what is not theirs.
 */
static unsigned meet(Kind kind, PausePoint point, unsigned other) {
    TabiaTable *t = one_slot();
    act(&(Act){t, STORE, &stored[A_FIRST]});
    const Act first = {t, kind, &stored[A_AGAIN]}, second = {t, STORE, &stored[other]};
    Slow slow = {.point = point, .act = act, .what = &first};
    unsigned foreign = foreign_entries(t);
    assert_int_equal(foreign, 0);
    slow_start(&slow);
    assert_true(slow.stopped);
    foreign += foreign_entries(t);
    act(&second);
    foreign += foreign_entries(t);
    slow_go(&slow);
    foreign += foreign_entries(t);
    tabia_table_destroy(t);
    return foreign;
}

static void entries_never_mix(void **state) {
    for (Kind kind = STORE; kind <= PENALISE; kind++)
        for (unsigned other = A_AGAIN; other < STORED; other++)
            assert_int_equal(meet(kind, PAUSE_BETWEEN_STORES, other), 0);
}

static void a_rewrite_never_signs_what_it_has_not_read(void **state) {
    for (Kind kind = REFRESH; kind <= PENALISE; kind++)
        for (unsigned other = A_AGAIN; other < STORED; other++)
            assert_int_equal(meet(kind, PAUSE_BEFORE_REWRITE, other), 0);
}

/* The same meeting, the same check. */
static void a_rewrite_in_place_is_caught(void **state) {
    for (Kind kind = REFRESH_IN_PLACE; kind <= PENALISE_IN_PLACE; kind++)
        for (unsigned other = A_ELSEWHERE; other < STORED; other++)
            assert_true(meet(kind, PAUSE_BEFORE_REWRITE, other) > 0);
}

static void without_protection_entries_mix(void **state) {
    for (Kind kind = STORE; kind <= PENALISE; kind++)
        for (unsigned other = A_ELSEWHERE; other < STORED; other++)
            assert_true(meet(kind, PAUSE_BETWEEN_STORES, other) > 0);
}

/* A refresh that was overtaken is written whole, or not at all: here whole, over what came between. */
static void an_overtaken_refresh_is_whole(void **state) {
    TabiaTable *t = one_slot();
    act(&(Act){t, STORE, &stored[A_FIRST]});
    const Act refresh = {t, REFRESH, &stored[A_FIRST]}, other = {t, STORE, &stored[B_OTHER]};
    Slow slow = {.point = PAUSE_BEFORE_REWRITE, .act = act, .what = &refresh};
    slow_start(&slow);
    act(&other);
    assert_true(probe(t, key_b, 9).score_ok);
    slow_go(&slow);
    const TabiaHit hit = probe(t, key_a, 7);
    assert_true(hit.score_ok && is(&hit.entry, &stored[A_FIRST].e));
    assert_false(probe(t, key_b, 9).move_ok);
    tabia_table_destroy(t);
}

/* Both stand between their stores; whoever goes on first. */
static void two_writers_amid_their_stores(void **state) {
    for (unsigned order = 0; order < 2; order++) {
        TabiaTable *t = one_slot();
        const Act act_a = {t, STORE, &stored[A_AGAIN]};
        const Act act_b = {t, STORE, &stored[B_ALIKE]};
        Slow a = {.point = PAUSE_BETWEEN_STORES, .act = act, .what = &act_a};
        Slow b = {.point = PAUSE_BETWEEN_STORES, .act = act, .what = &act_b};
        slow_start(&a);
        slow_start(&b);
        assert_true(a.stopped && b.stopped);
        unsigned foreign = foreign_entries(t);
        slow_go(order ? &a : &b);
        foreign += foreign_entries(t);
        slow_go(order ? &b : &a);
        assert_int_equal(foreign + foreign_entries(t), 0);
        tabia_table_destroy(t);
    }
}

/* ---- counts and records: n words of a slot, or the one of counts ---- */

typedef struct {
    const TabiaTable *t;
    TabiaKey key;
    uint64_t words[TABIA_RECORD_WORDS_MAX];
} Record;

enum { DEPTH = 5 };

static bool counts(const TabiaTable *t) {
    return t->options.type == TABIA_COUNTS;
}

static SlotRef ref_of(const Record *r) {
    return counts(r->t) ? counts_slot_ref(r->t, r->key, DEPTH) : slot_ref_of(r->t, r->key, epoch_tag_of(r->t));
}

static void store_words(const void *what) {
    const Record *r = what;
    if (counts(r->t))
        counts_store_inline(ref_of(r), r->words[0]);
    else
        record_store_inline(r->t, ref_of(r), r->words, r->t->words);
}

/* Is what is found under the record's key, if anything, its own? */
static bool is_own(const Record *r) {
    uint64_t found[TABIA_RECORD_WORDS_MAX] = {0};
    if (counts(r->t)) return (found[0] = counts_probe_inline(ref_of(r))) == 0 || found[0] == r->words[0];
    return !record_probe_inline(ref_of(r), found, r->t->words) || !memcmp(found, r->words, 8 * r->t->words);
}

/* A writer of A stops after so many of its stores, B is stored, A goes on. Both want the same slot, whose words are
   small: all equal, and different between A and B by the same bits. */
static unsigned meet_words(TabiaOptions options, unsigned gap) {
    TabiaTable *t = new_table(options);
    Record a = {t, {1, 1 << 20}, {0}}, b = {t, {1, 2 << 20}, {0}};
    for (unsigned i = 0; i < TABIA_RECORD_WORDS_MAX; i++) a.words[i] = 1, b.words[i] = 8;
    for (uint64_t k = 3; k < 40; k++) { /* no slot is left empty */
        Record filler = {t, {1, k << 58 | k << 20}, {k}};
        store_words(&filler);
    }
    Slow slow = {.point = PAUSE_BETWEEN_STORES, .skip = gap, .act = store_words, .what = &a};
    slow_start(&slow);
    assert_true(slow.stopped);
    unsigned foreign = !is_own(&a) + !is_own(&b);
    store_words(&b);
    foreign += !is_own(&a) + !is_own(&b);
    slow_go(&slow);
    foreign += !is_own(&a) + !is_own(&b);
    tabia_table_destroy(t);
    return foreign;
}

/* The probes that found what is not theirs: of counts, and of records of n words. */
static unsigned meet_words_of(unsigned n) {
    unsigned foreign = 0;
    if (n == 1) return meet_words((TabiaOptions){.bytes = 64, .type = TABIA_COUNTS}, 0);
    for (unsigned gap = 0; gap < n; gap++)
        foreign += meet_words((TabiaOptions){.bytes = 64, .type = TABIA_RECORDS, .record_words = n}, gap);
    return foreign;
}

static void counts_and_records_never_mix(void **state) {
    for (unsigned n = 1; n <= TABIA_RECORD_WORDS_MAX; n++) assert_int_equal(meet_words_of(n), 0);
}

static void without_protection_counts_and_records_mix(void **state) {
    for (unsigned n = 1; n <= TABIA_RECORD_WORDS_MAX; n++) assert_true(meet_words_of(n) > 0);
}

int main(void) {
    const struct CMUnitTest protected[] = {
        cmocka_unit_test(entries_never_mix),
        cmocka_unit_test(a_rewrite_never_signs_what_it_has_not_read),
        cmocka_unit_test(a_rewrite_in_place_is_caught),
        cmocka_unit_test(an_overtaken_refresh_is_whole),
        cmocka_unit_test(two_writers_amid_their_stores),
        cmocka_unit_test(counts_and_records_never_mix),
    };
    const struct CMUnitTest unprotected[] = {
        cmocka_unit_test(a_rewrite_in_place_is_caught),
        cmocka_unit_test(without_protection_entries_mix),
        cmocka_unit_test(without_protection_counts_and_records_mix),
    };
    if (TABIA_CHECK == CHECK_NONE) return cmocka_run_group_tests(unprotected, NULL, NULL);
    return cmocka_run_group_tests(protected, NULL, NULL);
}
