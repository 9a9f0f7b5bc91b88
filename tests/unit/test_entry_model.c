/* SPDX-License-Identifier: MIT */
/*
 * A bucket of entries against a model of it that is written as the headers say it: every option of their replacement, rule,
 * and layout, at random, all slots compared after each call.
 */
#include "table_tools.h"

#include "tabia/entry.h"
#include "tabia/stats.h"
#include "table/entry_inline.h"
#include "table/options.h"

enum { SLOTS = 4, POSITIONS = 9, TABLES = 500, CALLS = 400, AGES = 63 };

/* ---- the model ---- */

typedef struct {
    unsigned position; /* 0: none */
    uint64_t path, generation;
    TabiaEntry entry;
} ModelSlot;

typedef struct {
    ModelSlot slot[SLOTS];
    unsigned slots;
    uint64_t generation;
    int age_weight, exact_bonus, keep_margin;
    bool refresh;
    TabiaReplacement rule;
} Model;

static unsigned number_or(unsigned asked, unsigned standard, unsigned none, unsigned as) {
    return asked == 0 ? standard : asked == none ? as : asked;
}

static Model model_of(const TabiaTable *t, const TabiaOptions *asked) {
    return (Model){
        .slots = t->slots,
        .generation = generation_now(t),
        .age_weight = (int)number_or(asked->age_weight, 8, TABIA_AGE_IGNORED, 0),
        .exact_bonus = (int)number_or(asked->exact_bonus, 1, TABIA_NO_EXACT_BONUS, 0),
        .keep_margin = (int)number_or(asked->keep_margin, 4, TABIA_KEEP_NEVER, 1000),
        .refresh = asked->refresh_on_hit,
        .rule = asked->replacement,
    };
}

static int age_of(const Model *m, ModelSlot s) {
    return (int)((m->generation - s.generation) % AGES);
}

static int priority_of(const Model *m, ModelSlot s) {
    const int exact = s.entry.bound == TABIA_BOUND_EXACT ? m->exact_bonus : 0;
    return s.entry.draft + exact - m->age_weight * age_of(m, s);
}

static ModelSlot *find(Model *m, unsigned position) {
    for (unsigned i = 0; i < m->slots; i++)
        if (m->slot[i].position == position) return &m->slot[i];
    return NULL;
}

static ModelSlot *victim(Model *m, ModelSlot new) {
    ModelSlot *victim = NULL;
    for (unsigned i = 0; i < m->slots; i++)
        if (!m->slot[i].position) return &m->slot[i];
    for (unsigned i = 0; i < m->slots; i++)
        if (!victim || priority_of(m, m->slot[i]) < priority_of(m, *victim)) victim = &m->slot[i];
    if (m->rule != TABIA_REPLACE_DEPTH_AND_AGE) return victim;
    return priority_of(m, *victim) <= priority_of(m, new) ? victim : NULL;
}

static void model_store(Model *m, unsigned position, uint64_t path, TabiaEntry e) {
    ModelSlot new = {position, path, m->generation, e}, *own = find(m, position);
    if (!own) {
        ModelSlot *to = victim(m, new);
        if (to) *to = new;
        return;
    }
    if (!e.move) new.entry.move = own->entry.move;
    const bool keeps = e.bound != TABIA_BOUND_EXACT && own->entry.bound != TABIA_BOUND_NONE && own->path == path &&
                       age_of(m, *own) == 0 && own->entry.draft >= e.draft + m->keep_margin;
    if (keeps)
        own->entry.move = new.entry.move;
    else
        *own = new;
}

static ModelSlot model_probe(Model *m, unsigned position) {
    ModelSlot *own = find(m, position);
    const ModelSlot found = own ? *own : (ModelSlot){0};
    if (own && m->refresh) own->generation = m->generation;
    return found;
}

static void model_rewrite(Model *m, unsigned position, bool fresh, unsigned plies) {
    ModelSlot *own = find(m, position);
    if (!own) return;
    if (fresh) own->generation = m->generation;
    own->entry.draft = (uint8_t)(own->entry.draft < plies ? 0 : own->entry.draft - plies);
}

/* ---- the table ---- */

static TabiaKey key_of(unsigned position) {
    return (TabiaKey){0, (uint64_t)position << 58 | (uint64_t)1 << 45};
}

static unsigned constant(uint64_t *seed, unsigned none) {
    static const unsigned usual[] = {0, 0, 1, 2, 4, 7, 30, 254};
    const unsigned i = (unsigned)random_below(seed, 9);
    return i < 8 ? usual[i] : none;
}

static TabiaOptions options_at(uint64_t *seed) {
    TabiaOptions o = {.bytes = 64, .threads = 1};
    o.age_weight = constant(seed, TABIA_AGE_IGNORED);
    o.exact_bonus = constant(seed, TABIA_NO_EXACT_BONUS);
    o.keep_margin = constant(seed, TABIA_KEEP_NEVER);
    o.refresh_on_hit = random_below(seed, 3) == 0;
    o.replacement = random_below(seed, 2) ? 0 : replacement_rules[random_below(seed, REPLACEMENT_RULES)];
    o.counters = random_below(seed, 4) == 0;
    if (random_below(seed, 2)) o.user_bits = 3, o.move_bits = random_below(seed, 4) ? 20 : 27;
    return o;
}

static TabiaEntry random_entry(const TabiaTable *t, uint64_t *seed) {
    TabiaEntry e = {.score = (int16_t)random_next(seed), .evaluation = (int16_t)random_next(seed)};
    e.draft = (uint8_t)random_below(seed, random_below(seed, 4) ? 16 : 256);
    e.bound = (uint8_t)random_below(seed, 4);
    if (random_below(seed, 2)) e.move = (uint32_t)random_next(seed) & ~(uint32_t)0 >> (32 - t->options.move_bits);
    e.user = (uint16_t)(random_next(seed) & ((1u << t->options.user_bits) - 1));
    return e;
}

static void expect_slots(const TabiaTable *t, const Model *m) {
    for (unsigned i = 0; i < m->slots; i++) {
        const SlotPair slot = slot_load((const Word *)t->base + 2 * i);
        const ModelSlot *s = &m->slot[i];
        assert_int_equal(slot.check >> 58, s->position);
        if (!s->position) continue;
        const TabiaEntry e = entry_of(t, slot);
        assert_memory_equal(&e, &s->entry, sizeof e);
        assert_int_equal(slot.check & t->path_mask, s->path & t->path_mask);
        assert_int_equal(slot.data >> GENERATION_SHIFT, s->generation % AGES + 1);
    }
}

static void expect_hit(const TabiaTable *t, Model *m, unsigned position, uint64_t path) {
    const TabiaHit hit = tabia_entry_probe(t, key_of(position), path);
    const ModelSlot s = model_probe(m, position);
    assert_int_equal(hit.move_ok, s.position != 0);
    assert_memory_equal(&hit.entry, &s.entry, sizeof s.entry);
    assert_int_equal(hit.score_ok, s.position && s.path == path && s.entry.bound != TABIA_BOUND_NONE);
    if (s.position) assert_int_equal(tabia_entry_age(t, hit), age_of(m, s));
}

static unsigned hashfull_of(const Model *m, unsigned max_age) {
    unsigned used = 0;
    for (unsigned i = 0; i < m->slots; i++) used += m->slot[i].position && age_of(m, m->slot[i]) <= (int)max_age;
    return used;
}

static void one_call(TabiaTable *t, Model *m, uint64_t *seed) {
    const unsigned position = 1 + (unsigned)random_below(seed, POSITIONS);
    const uint64_t path = random_below(seed, 3);
    const unsigned call = (unsigned)random_below(seed, 16);
    if (call == 0) {
        const unsigned many = random_below(seed, 8) ? 1 : (unsigned)random_below(seed, 62);
        for (unsigned i = 0; i < many; i++) tabia_table_new_generation(t);
        m->generation += many;
    } else if (call < 6) {
        expect_hit(t, m, position, path);
    } else if (call == 6) {
        tabia_entry_refresh(t, key_of(position));
        model_rewrite(m, position, true, 0);
    } else if (call == 7) {
        const unsigned plies = (unsigned)random_below(seed, 20);
        tabia_entry_penalise(t, key_of(position), plies);
        model_rewrite(m, position, false, plies);
    } else {
        const TabiaEntry e = random_entry(t, seed);
        tabia_entry_store(t, key_of(position), path, e);
        model_store(m, position, path, e);
    }
}

static void a_bucket_does_what_the_model_does(void **state) {
    for (unsigned i = 0; i < TABLES; i++) {
        uint64_t seed = i + 1;
        const TabiaOptions o = options_at(&seed);
        TabiaTable *t = new_table(o);
        Model m = model_of(t, &o);
        for (unsigned c = 0; c < CALLS; c++) {
            one_call(t, &m, &seed);
            expect_slots(t, &m);
            const unsigned max_age = (unsigned)random_below(&seed, 70);
            assert_int_equal(tabia_table_hashfull_age(t, max_age), hashfull_of(&m, max_age) * 1000 / m.slots);
        }
        tabia_table_destroy(t);
    }
}

/* The other record types have no such options: what is said of them is ignored. */
static void others_ignore_them(void **state) {
    for (int type = TABIA_COUNTS; type <= TABIA_RECORDS; type++) {
        TabiaTable *t = new_table((TabiaOptions){.bytes = 64,
                                                 .type = (TabiaRecordType)type,
                                                 .exact_bonus = 9,
                                                 .keep_margin = TABIA_KEEP_NEVER,
                                                 .refresh_on_hit = true});
        assert_false(t->options.refresh_on_hit);
        tabia_table_destroy(t);
    }
}

/* However many partitions there are, a thousand slots are enough; partitions that differ are all represented. */
static void many_partitions_are_sampled(void **state) {
    enum { PARTITIONS = 3000 };
    TabiaTable *whole = new_table((TabiaOptions){.bytes = PARTITIONS * 64, .partitions = PARTITIONS, .threads = 1});
    for (unsigned i = 0; i < PARTITIONS; i++) {
        TabiaTable *t = tabia_table_partition(whole, i);
        for (unsigned n = 1; n <= SLOTS && i < PARTITIONS / 2; n++)
            tabia_entry_store(t, key_of(n), 0, (TabiaEntry){.move = 1});
    }
    assert_int_equal(tabia_table_hashfull(whole), 500);
    tabia_table_destroy(whole);
    assert_int_equal(tabia_table_hashfull_age(NULL, 5), 0);
}

#include "test_entry_model_list.h"
