/* SPDX-License-Identifier: MIT */
/* What all record types promise alike: what goes in comes out whole, mixed words never do, many probes are as one by one; and
   where the key of each lies. */
#include "table_tools.h"

#include "tabia/counts.h"
#include "tabia/record.h"
#include "table/counts_inline.h"
#include "table/entry_inline.h"

/* A kind of table, and what is stored and found in it as words of its own. */
typedef struct {
    const char *name;
    TabiaOptions options;
    unsigned words; /* that come back */
} Type;

enum { PATH = 77, DEPTH = 5, WORDS_MAX = TABIA_RECORD_WORDS_MAX, MANY = 250 };

static const Type types[] = {
    {"entries", {.type = TABIA_ENTRIES}, 2},
    {"entries without paths", {.type = TABIA_ENTRIES, .path_bits = TABIA_NO_PATH_BITS}, 2},
    {"entries of a long path", {.type = TABIA_ENTRIES, .path_bits = 32}, 2},
    {"entries with user bits", {.type = TABIA_ENTRIES, .move_bits = 27, .user_bits = 3}, 2},
    {"entries that refresh", {.type = TABIA_ENTRIES, .refresh_on_hit = true}, 2},
    {"counts", {.type = TABIA_COUNTS}, 1},
    {"records of 1 word", {.type = TABIA_RECORDS, .record_words = 1}, 1},
    {"records of 2 words", {.type = TABIA_RECORDS, .record_words = 2}, 2},
    {"records of 3 words", {.type = TABIA_RECORDS, .record_words = 3}, 3},
    {"records of 4 words", {.type = TABIA_RECORDS, .record_words = 4}, 4},
    {"records of 5 words", {.type = TABIA_RECORDS, .record_words = 5}, 5},
    {"records of 6 words", {.type = TABIA_RECORDS, .record_words = 6}, 6},
    {"records of 7 words", {.type = TABIA_RECORDS, .record_words = 7}, 7},
};
enum { TYPES = sizeof types / sizeof *types };

static TabiaTable *new_type(const Type *type, uint64_t bytes, bool counters) {
    TabiaOptions o = type->options;
    o.bytes = bytes, o.counters = counters;
    return new_table(o);
}

/* The words, as far as the type keeps them. */
static void fill(const TabiaTable *t, const Type *type, uint64_t *words, uint64_t *seed) {
    for (unsigned i = 0; i < type->words; i++) words[i] = random_next(seed);
    if (t->options.type == TABIA_COUNTS) words[0] |= 1;
    if (t->options.type != TABIA_ENTRIES) return;
    TabiaEntry e = entry_unpack(words[0]);
    e.user = (uint16_t)(words[1] & ((1u << t->options.user_bits) - 1));
    e.move = (uint32_t)(words[1] >> 32) >> (32 - t->options.move_bits);
    memcpy(words, &e, sizeof e);
    words[1] = e.move;
}

static TabiaEntry entry_in(const uint64_t *words) {
    TabiaEntry e;
    memcpy(&e, words, sizeof e);
    return e;
}

static void put(TabiaTable *t, TabiaKey key, const uint64_t *words) {
    if (t->options.type == TABIA_ENTRIES) tabia_entry_store(t, key, PATH, entry_in(words));
    if (t->options.type == TABIA_COUNTS) tabia_counts_store(t, key, DEPTH, words[0]);
    if (t->options.type == TABIA_RECORDS) tabia_record_store(t, key, words);
}

static bool take_hit(TabiaHit hit, uint64_t *words) {
    if (!hit.move_ok) return false;
    memcpy(words, &hit.entry, sizeof hit.entry);
    words[1] = hit.entry.move;
    assert_int_equal(hit.score_ok, hit.entry.bound != TABIA_BOUND_NONE);
    return true;
}

static bool get(const TabiaTable *t, TabiaKey key, uint64_t *words) {
    if (t->options.type == TABIA_ENTRIES) return take_hit(tabia_entry_probe(t, key, PATH), words);
    if (t->options.type == TABIA_RECORDS) return tabia_record_probe(t, key, words);
    const uint64_t count = tabia_counts_probe(t, key, DEPTH);
    if (count) words[0] = count;
    return count != 0;
}

static void comes_back_whole(void **state) {
    for (unsigned i = 0; i < 2 * TYPES; i++) {
        const Type *type = &types[i / 2];
        TabiaTable *t = new_type(type, 1 << 20, i % 2);
        uint64_t seed = i;
        for (int n = 0; n < 10000; n++) {
            const TabiaKey key = random_key(&seed), other = {key.index, key.check ^ (uint64_t)1 << (40 + n % 24)};
            uint64_t words[WORDS_MAX + 1], found[WORDS_MAX + 1] = {0};
            fill(t, type, words, &seed);
            assert_false(get(t, key, found));
            assert_int_equal(found[0], 0);
            put(t, key, words);
            assert_true(get(t, key, found));
            assert_memory_equal(words, found, 8 * type->words);
            assert_int_equal(found[type->words], 0);
            assert_false(get(t, other, found));
        }
        assert_true(tabia_table_hashfull(t) > 0);
        tabia_table_clear(t);
        assert_int_equal(tabia_table_hashfull(t), 0);
        tabia_table_destroy(t);
    }
}

/* Differences that small fields make: one bit, one high bit, the same in every word, and random ones. */
static uint64_t difference(uint64_t *seed) {
    switch (random_below(seed, 5)) {
    case 0:
        return (uint64_t)1 << random_below(seed, 64);
    case 1:
        return (uint64_t)1 << 63 | (uint64_t)1 << 31;
    case 2:
        return (uint64_t)random_below(seed, 8) << 8 * random_below(seed, 8);
    case 3:
        return 1 + random_below(seed, 65535);
    default:
        return random_next(seed);
    }
}

/* Every word from one of two writers, who wrote small fields: a hit only when all words are the same writer's. */
static void rejects_mixtures(void **state) {
    uint64_t seed = 17;
    for (unsigned i = 0; i < TYPES; i++) {
        TabiaTable *t = new_type(&types[i], 64, false);
        Word *base = (Word *)t->base;
        for (int n = 0; n < 60000; n++) {
            const TabiaKey key = random_key(&seed), other = random_key(&seed);
            uint64_t words[WORDS_MAX], found[WORDS_MAX], as_it_was[CACHE_LINE_WORDS];
            fill(t, &types[i], words, &seed);
            if (t->options.type == TABIA_RECORDS)
                for (unsigned w = 0; w < t->words; w++) words[w] = random_below(&seed, 9);
            tabia_table_wipe(t);
            put(t, key, words);
            unsigned slot = 0;
            while (!atomic_load(base + slot)) slot += t->words + 1;
            memcpy(as_it_was, t->base, sizeof as_it_was);
            const uint64_t same = difference(&seed);
            for (unsigned w = 1; w <= t->words; w++)
                if (random_below(&seed, 3)) base[slot + w] ^= n % 2 ? same : difference(&seed);
            const bool whole = !memcmp(as_it_was, t->base, sizeof as_it_was);
            assert_int_equal(get(t, key, found), whole);
            assert_false(get(t, other, found));
        }
        tabia_table_destroy(t);
    }
}

/* With the paths of entries, 0 for all where they are NULL. */
static void probe_many(const TabiaTable *t, const TabiaKey *keys, unsigned n, uint64_t (*words)[WORDS_MAX],
                       bool *there) {
    static uint64_t paths[MANY], counts[MANY], records[MANY * WORDS_MAX];
    static TabiaHit hits[MANY];
    for (unsigned i = 0; i < MANY; i++) paths[i] = PATH;
    if (t->options.type == TABIA_ENTRIES) tabia_entry_probe_batch(t, keys, paths, hits, n);
    if (t->options.type == TABIA_COUNTS) tabia_counts_probe_batch(t, keys, DEPTH, counts, n);
    if (t->options.type == TABIA_RECORDS) tabia_record_probe_batch(t, keys, records, there, n);
    for (unsigned i = 0; i < n; i++) {
        if (t->options.type == TABIA_ENTRIES) there[i] = take_hit(hits[i], words[i]);
        if (t->options.type == TABIA_COUNTS) words[i][0] = counts[i], there[i] = counts[i] != 0;
        if (t->options.type == TABIA_RECORDS) memcpy(words[i], records + i * t->words, 8 * t->words);
    }
}

static void many_are_as_one_by_one(void **state) {
    static uint64_t words[MANY][WORDS_MAX];
    for (unsigned i = 0; i < 2 * TYPES; i++) {
        const Type *type = &types[i / 2];
        TabiaTable *t = new_type(type, 1 << 14, i % 2);
        uint64_t seed = 31, one[WORDS_MAX];
        for (unsigned n = 0; n <= MANY; n += 1 + n / 20) {
            TabiaKey keys[MANY];
            bool there[MANY];
            for (unsigned k = 0; k < n; k++) {
                keys[k] = random_key(&seed);
                fill(t, type, one, &seed);
                if (random_below(&seed, 2)) put(t, keys[k], one);
            }
            probe_many(t, keys, n, words, there);
            for (unsigned k = 0; k < n; k++) {
                assert_int_equal(there[k], get(t, keys[k], one));
                if (there[k]) assert_memory_equal(one, words[k], 8 * type->words);
            }
        }
        tabia_table_destroy(t);
    }
}

/* Without paths: all have path 0. */
static void many_without_paths(void **state) {
    TabiaTable *t = new_table((TabiaOptions){.bytes = 4096});
    const TabiaKey keys[2] = {{1, 1ull << 40}, {2, 1ull << 41}};
    TabiaHit hits[2];
    for (unsigned i = 0; i < 2; i++) tabia_entry_store(t, keys[i], i, (TabiaEntry){.bound = TABIA_BOUND_EXACT});
    tabia_entry_probe_batch(t, keys, NULL, hits, 2);
    assert_true(hits[0].move_ok && hits[1].move_ok && hits[0].score_ok && !hits[1].score_ok);
    tabia_table_destroy(t);
}

/* Key 0, and words of 0, which are a record and an entry as any. */
static void zeros_are_a_key(void **state) {
    for (unsigned i = 0; i < TYPES; i++) {
        TabiaTable *t = new_type(&types[i], 64, false);
        uint64_t words[WORDS_MAX] = {t->options.type == TABIA_COUNTS}, found[WORDS_MAX];
        assert_false(get(t, (TabiaKey){0, 0}, found));
        put(t, (TabiaKey){0, 0}, words);
        assert_true(get(t, (TabiaKey){0, 0}, found));
        assert_memory_equal(words, found, 8 * types[i].words);
        tabia_table_clear(t);
        assert_false(get(t, (TabiaKey){0, 0}, found));
        tabia_table_destroy(t);
    }
}

/* By vectors and slot by slot: the same slot, or a word that the vectors were wrong, which they seldom are. */
static void found_alike(void **state) {
    static const unsigned below[] = {0, 0, 2, 16, 24, 32}; /* bits that are not compared */
    uint64_t seed = 23;
    unsigned found_n = 0;
    _Alignas(CACHE_LINE_BYTES) Word bucket[CACHE_LINE_WORDS];
    for (unsigned c = 0; c < 1000000; c++) {
        uint64_t identity[BUCKET_SLOTS];
        for (unsigned i = 0; i < BUCKET_SLOTS; i++) {
            identity[i] = random_next(&seed) | (uint64_t)1 << 63;
            slot_store(bucket + 2 * i, identity[i], random_next(&seed));
        }
        const uint64_t compared = ~(uint64_t)0 << below[c % 6];
        uint64_t asked = random_below(&seed, 4) ? identity[random_below(&seed, BUCKET_SLOTS)] : random_next(&seed);
        if (random_below(&seed, 3) == 0) asked ^= (uint64_t)1 << random_below(&seed, 64);
        const BucketFind plain = bucket_find_plain(bucket, asked, compared),
                         whole = bucket_find(bucket, asked, compared);
        assert_true(plain.slot == whole.slot && plain.there == whole.there && plain.pair.check == whole.pair.check &&
                    plain.pair.data == whole.pair.data);
        assert_int_equal(plain.there, plain.slot < BUCKET_SLOTS);
        found_n += plain.there;
    }
    assert_in_range(found_n, 100000, 900000);
}

/* ---- counts ---- */

static void uses_every_bucket(void **state) {
    TabiaTable *t = new_table((TabiaOptions){.type = TABIA_COUNTS, .bytes = 1000 * 64 + 63});
    assert_int_equal(t->buckets, 1000);
    assert_ptr_equal(counts_slot_ref(t, (TabiaKey){0, 1}, 0).bucket, t->base);
    assert_ptr_equal(counts_slot_ref(t, (TabiaKey){UINT64_MAX, 1}, 0).bucket, t->base + 999 * 64);
    tabia_table_destroy(t);
}

/* A position that is asked for at every depth keeps every answer while the table has room. */
static void keeps_every_depth(void **state) {
    TabiaTable *t = new_table((TabiaOptions){.type = TABIA_COUNTS, .bytes = 1 << 20});
    for (unsigned depth = 1; depth <= 60; depth++) tabia_counts_store(t, (TabiaKey){5, 7}, depth, 100 + depth);
    for (unsigned depth = 1; depth <= 60; depth++)
        assert_int_equal(tabia_counts_probe(t, (TabiaKey){5, 7}, depth), 100 + depth);
    tabia_table_destroy(t);
}

/* All depths have one bucket here, so that only the check word separates them. */
static void separates_depths_in_one_bucket(void **state) {
    const TabiaKey key = {5, 7};
    TabiaTable *t = new_table((TabiaOptions){.type = TABIA_COUNTS, .bytes = 64});
    tabia_counts_store(t, key, 5, 500);
    for (unsigned depth = 0; depth < 64; depth++)
        assert_int_equal(tabia_counts_probe(t, key, depth), depth == 5 ? 500 : 0);
    tabia_counts_store(t, key, 4, 400);
    assert_int_equal(tabia_counts_probe(t, key, 4), 400);
    assert_int_equal(tabia_counts_probe(t, key, 5), 500);
    tabia_table_destroy(t);
}

/* ---- records ---- */

/* A full bucket takes every new record, in all its slots by turns. */
static void the_newest_is_always_there(void **state) {
    TabiaTable *t = new_table((TabiaOptions){.type = TABIA_RECORDS, .record_words = 1, .bytes = 64});
    uint64_t seed = 23, word;
    unsigned left[4] = {0};
    for (int i = 0; i < 4000; i++) {
        const TabiaKey key = random_key(&seed);
        uint64_t before[8], now[8];
        memcpy(before, t->base, 64);
        word = (uint64_t)i;
        tabia_record_store(t, key, &word);
        assert_true(tabia_record_probe(t, key, &word));
        assert_int_equal(word, i);
        memcpy(now, t->base, 64);
        for (unsigned s = 0; s < 4; s++) left[s] += before[2 * s] != now[2 * s];
    }
    for (unsigned s = 0; s < 4; s++) assert_in_range(left[s], 800, 1200);
    tabia_table_destroy(t);
}

/* Those of an earlier strict generation give way before those of this one, wherever they are. */
static void earlier_generations_give_way(void **state) {
    uint64_t seed = 29, word = 1;
    TabiaTable *t =
        new_table((TabiaOptions){.type = TABIA_RECORDS, .record_words = 1, .bytes = 64, .strict_generations = true});
    for (int round = 0; round < 200; round++) {
        TabiaKey key[4];
        for (int i = 0; i < 20; i++) tabia_record_store(t, random_key(&seed), &word);
        tabia_table_new_generation(t);
        for (int i = 0; i < 4; i++) key[i] = random_key(&seed), tabia_record_store(t, key[i], &word);
        for (int i = 0; i < 4; i++) assert_true(tabia_record_probe(t, key[i], &word));
    }
    tabia_table_destroy(t);
}

#include "test_types_list.h"
