/* SPDX-License-Identifier: MIT */
/* Moving slots between tables: which buckets, which signatures, whose place. */
#include "move_tools.h"

#include "table/move.h"

/* The span of a bucket is exactly where the least and the greatest index that fall into it fall; those beyond do not
   fall into it. */
static void spans_are_exact(void **state) {
    uint64_t seed = 5;
    for (int i = 0; i < 200000; i++) {
        const unsigned wide = 1 + random_below(&seed, 44), narrow = 1 + random_below(&seed, 44);
        const uint64_t of = 1 + (random_next(&seed) & (((uint64_t)1 << wide) - 1));
        const uint64_t into = 1 + (random_next(&seed) & (((uint64_t)1 << narrow) - 1));
        const TabiaTable old = {.buckets = of}, new = {.buckets = into};
        const uint64_t index = random_next(&seed), bucket = bucket_number(&old, index);
        const BucketSpan span = tabia_move_span(bucket, of, into);
        const uint64_t home = bucket_number(&new, index);
        assert_true(span.first <= home && home <= span.last);
        assert_true(span.last < into);
        /* The next bucket begins where this one ends, or in the same. */
        if (bucket + 1 < of) {
            const BucketSpan next = tabia_move_span(bucket + 1, of, into);
            assert_true(next.first == span.last || next.first == span.last + 1);
        } else
            assert_int_equal(span.last, into - 1);
        if (bucket == 0) assert_int_equal(span.first, 0);
        if (into % of == 0) assert_int_equal(span.last - span.first + 1, into / of);
        if (of % into == 0) assert_int_equal(span.last, span.first);
    }
}

/* Every bucket of the one into every bucket of the other that it may belong to. */
static void move(const TabiaTable *from, TabiaTable *to) {
    uint64_t items[SLOTS_MAX * SLOT_WORDS_MAX];
    const GenerationSnapshot then = tabia_move_snapshot(from), now = tabia_move_snapshot(to);
    for (uint64_t b = 0; b < from->buckets; b++) {
        const unsigned n = tabia_move_read(from, b, &then, items);
        const BucketSpan span = tabia_move_span(b, from->buckets, to->buckets);
        for (uint64_t home = span.first; home <= span.last; home++) tabia_move_write(to, home, &now, items, n, &then);
    }
}

/* Keys whose signature is 0, or the top bit, or nearly, in the epoch that counts: eight bits, all 256 of them, from and
   to all kinds of epochs. What the old table finds the new one finds. */
static void every_signature_survives_every_era(void **state) {
    for (unsigned epochs = 0; epochs < 64; epochs++)
        for (unsigned type = 0; type < 3; type++) {
            TabiaOptions o = {.bytes = 256 * 64, .type = (TabiaRecordType)type, .signature_bits = 8, .record_words = 1};
            TabiaTable *from = new_table(o), *to = new_table(o);
            for (unsigned i = 0; i < epochs % 8; i++) tabia_table_clear(from);
            for (unsigned i = 0; i < epochs / 8; i++) tabia_table_clear(to);
            TabiaEntry e = {.move = 9, .score = 4, .draft = 7, .bound = TABIA_BOUND_EXACT};
            const uint64_t word = 12;
            for (uint64_t s = 0; s < 256; s++) { /* each in a bucket of its own */
                const TabiaKey key = {s << 56, s << 56 | 0x1234};
                if (type == TABIA_ENTRIES) tabia_entry_store(from, key, s, e);
                if (type == TABIA_COUNTS) tabia_counts_store(from, key, 0, 12);
                if (type == TABIA_RECORDS) tabia_record_store(from, key, &word);
            }
            move(from, to);
            for (uint64_t s = 0; s < 256; s++) {
                const TabiaKey key = {s << 56, s << 56 | 0x1234};
                uint64_t record = 0;
                if (type == TABIA_ENTRIES) assert_true(tabia_entry_probe(to, key, s).score_ok);
                if (type == TABIA_COUNTS) assert_int_equal(tabia_counts_probe(to, key, 0), 12);
                if (type == TABIA_RECORDS) assert_true(tabia_record_probe(to, key, &record) && record == 12);
                const TabiaKey other = {s << 56, (s ^ 0x55) << 56};
                if (type == TABIA_ENTRIES)
                    assert_int_equal(tabia_entry_probe(to, other, s).move_ok,
                                     tabia_entry_probe(from, other, s).move_ok);
            }
            tabia_table_destroy(from);
            tabia_table_destroy(to);
        }
}

static void nothing_forgotten_is_taken(void **state) {
    uint64_t items[SLOTS_MAX * SLOT_WORDS_MAX];
    for (unsigned k = 0; k < KINDS; k++) {
        Kind kind = kind_at(k);
        kind.options.bytes = 4096;
        kind.options.strict_generations = k % 2 != 0;
        TabiaTable *t = new_table(kind.options);
        for (uint64_t i = 0; i < 6000; i++) store_at(t, kind.options.type, kind.words, i);
        GenerationSnapshot now = tabia_move_snapshot(t);
        unsigned before = 0, after = 0;
        for (uint64_t b = 0; b < t->buckets; b++) before += tabia_move_read(t, b, &now, items);
        assert_int_equal(before, t->buckets * t->slots);
        if (k % 2)
            tabia_table_new_generation(t);
        else
            tabia_table_clear(t);
        now = tabia_move_snapshot(t);
        for (uint64_t b = 0; b < t->buckets; b++) after += tabia_move_read(t, b, &now, items);
        assert_int_equal(after, 0);
        store_at(t, kind.options.type, kind.words, 7000);
        for (uint64_t b = 0; b < t->buckets; b++) after += tabia_move_read(t, b, &now, items);
        assert_int_equal(after, 1);
        tabia_table_destroy(t);
    }
}

/* ---- whose place ---- */

static TabiaEntry of_draft(unsigned draft) {
    return (TabiaEntry){.move = 3, .score = 1, .draft = (uint8_t)draft, .bound = TABIA_BOUND_LOWER};
}

static TabiaKey in_one_bucket(uint64_t i) {
    return (TabiaKey){0, (i + 1) << 40};
}

/* Also of moves of 24 bits, whose upper part alone may be what a move has. */
static void of_the_same_position_the_worthier_stays_with_a_move(void **state) {
    static const uint32_t moves[][3] = {/* of the deeper, of the other, that stays */
                                        {0, 77, 77},
                                        {0, 9 << 16, 9 << 16},
                                        {5 << 16, 77, 5 << 16},
                                        {8, 9 << 16, 8}};
    const TabiaOptions o = {.bytes = 64, .move_bits = 24, .user_bits = 3};
    for (unsigned i = 0; i < 2 * sizeof moves / sizeof *moves; i++) {
        const bool better = i % 2;
        TabiaTable *from = new_table(o), *to = new_table(o);
        TabiaEntry deep = of_draft(20), shallow = of_draft(3);
        deep.move = moves[i / 2][0], shallow.move = moves[i / 2][1], deep.user = 6;
        tabia_entry_store(from, in_one_bucket(1), 5, better ? deep : shallow);
        tabia_entry_store(to, in_one_bucket(1), 6, better ? shallow : deep);
        move(from, to);
        const TabiaHit hit = tabia_entry_probe(to, in_one_bucket(1), better ? 5 : 6);
        assert_true(hit.score_ok);
        assert_int_equal(hit.entry.draft, 20);
        assert_int_equal(hit.entry.user, 6);
        assert_int_equal(hit.entry.move, moves[i / 2][2]);
        tabia_table_destroy(from);
        tabia_table_destroy(to);
    }
}

static void the_greater_counts_stay_and_records_do_not_displace(void **state) {
    TabiaOptions o = {.bytes = 64, .type = TABIA_COUNTS};
    TabiaTable *from = new_table(o), *to = new_table(o);
    for (unsigned i = 0; i < 4; i++) tabia_counts_store(to, in_one_bucket(i), 0, 10 + 10 * i);
    for (unsigned i = 0; i < 4; i++) tabia_counts_store(from, in_one_bucket(10 + i), 0, 15 + 10 * i);
    move(from, to);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(tabia_counts_probe(to, in_one_bucket(i), 0), i >= 2 ? 10 + 10 * i : 0);
        assert_int_equal(tabia_counts_probe(to, in_one_bucket(10 + i), 0), i >= 2 ? 15 + 10 * i : 0);
    }
    tabia_table_destroy(from);
    tabia_table_destroy(to);
    o = (TabiaOptions){.bytes = 64, .type = TABIA_RECORDS}; /* two of three words */
    from = new_table(o), to = new_table(o);
    const uint64_t one[3] = {1, 2, 3}, other[3] = {4, 5, 6};
    uint64_t found[3];
    tabia_record_store(to, in_one_bucket(0), one);
    for (uint64_t i = 0; i < 2; i++) tabia_record_store(from, in_one_bucket(i), other);
    move(from, to);
    assert_true(tabia_record_probe(to, in_one_bucket(0), found) && found[0] == 1);
    assert_true(tabia_record_probe(to, in_one_bucket(1), found) && found[2] == 6);
    tabia_record_store(from, in_one_bucket(2), other);
    move(from, to);
    assert_true(tabia_record_probe(to, in_one_bucket(0), found));
    assert_true(tabia_record_probe(to, in_one_bucket(1), found));
    tabia_table_destroy(from);
    tabia_table_destroy(to);
}

#include "test_move_list.h"
