/* SPDX-License-Identifier: MIT */
/*
 * Two writers and a reader of one slot, by the library's own text: a reader takes what one store wrote for its key. It is compiled
 * again without a check, and with that of 2002, the data itself, which must let mixed slots through.
 */
#include <string.h>

#include "programs.h"
#include "tabia/counts.h"
#include "table/counts_inline.h"
#include "table/entry_inline.h"
#include "table/record_inline.h"

/* ---- entries: a table of one bucket, of which three slots are worth more than all that comes ---- */

typedef struct {
    TabiaKey key;
    uint64_t path;
    TabiaEntry e;
} Stored;

#define KEY_A                                                                                                          \
    { 1, 0xa1a2a3a4a5a6a7a8 }
#define KEY_B                                                                                                          \
    { 1, 0xb1b2b3b4b5b6b7b8 }
/* A known at first, A as it is stored anew, A by another path, and B, twice: like A but for the move, and unlike it. */
enum { A_FIRST, A_AGAIN, A_ELSEWHERE, B_ALIKE, B_OTHER, STORED, PENALTY = 3 };
static const Stored stored[STORED] = {
    [A_FIRST] = {KEY_A, 7, {30, 40, 20, TABIA_BOUND_EXACT, .move = 11}},
    [A_AGAIN] = {KEY_A, 7, {31, 41, 20, TABIA_BOUND_EXACT, .move = 12}},
    [A_ELSEWHERE] = {KEY_A, 9, {31, 41, 20, TABIA_BOUND_EXACT, .move = 13}},
    [B_ALIKE] = {KEY_B, 7, {30, 40, 20, TABIA_BOUND_EXACT, .move = 14}},
    [B_OTHER] = {KEY_B, 9, {-3000, -4000, 15, TABIA_BOUND_LOWER, .move = 999}},
};

enum { WORDS_MAX = TABIA_RECORD_WORDS_MAX };
typedef enum { STORE, REFRESH, PENALISE, IN_PLACE } Kind;
static TabiaTable *table;
static Kind kind;
static unsigned other;

/* Of n words, 0: of entries. Each is created once, so that all runs see the same addresses. */
static void use_table(unsigned n) {
    static TabiaTable *tables[1 + WORDS_MAX];
    const TabiaOptions options = {.bytes = 64,
                                  .type = n > 1 ? TABIA_RECORDS
                                          : n   ? TABIA_COUNTS
                                                : TABIA_ENTRIES,
                                  .record_words = n > 1 ? n : 0};
    TabiaError error;
    if (!tables[n]) model_require(tabia_table_create(&tables[n], &options, &error) == 0, "no table");
    table = tables[n];
    tabia_table_wipe(table);
}

static SlotRef ref_of(unsigned s) {
    return slot_ref_of(table, stored[s].key, stored[s].path);
}

static void begin_entries(void) {
    use_table(0);
    const TabiaEntry deep = {.draft = 255, .bound = TABIA_BOUND_EXACT, .move = 1};
    for (uint64_t i = 1; i < BUCKET_SLOTS; i++)
        entry_store_inline(table, slot_ref_of(table, (TabiaKey){1, i << 40}, 0), deep);
    entry_store_inline(table, ref_of(A_FIRST), stored[A_FIRST].e);
    kind = (Kind)model_choose(IN_PLACE), other = A_AGAIN + model_choose(STORED - A_AGAIN);
}

/* How a refresh must not be written: it finds the entry, and changes what is there then. */
static void refresh_in_place(SlotRef p) {
    const BucketFind found = bucket_find(p.bucket, p.identity, table->position_mask);
    Word *slot = p.bucket + 2 * found.slot;
    if (!found.there) return;
    TabiaEntry e = entry_unpack(load_relaxed(slot + 1));
    slot_store(slot, found.pair.check, entry_pack(e, generation_field_now(table)));
}

static void act(void) {
    if (kind == STORE) entry_store_inline(table, ref_of(A_AGAIN), stored[A_AGAIN].e);
    if (kind == REFRESH || kind == PENALISE)
        entry_rewrite_inline(table, ref_of(A_FIRST), kind == REFRESH, PENALTY * (kind == PENALISE));
    if (kind == IN_PLACE) refresh_in_place(ref_of(A_FIRST));
}

static void store_other(void) {
    entry_store_inline(table, ref_of(other), stored[other].e);
}

static bool is(const TabiaEntry *e, const TabiaEntry *given) {
    return e->move == given->move && e->score == given->score && e->evaluation == given->evaluation &&
           e->bound == given->bound && (e->draft == given->draft || e->draft + PENALTY == given->draft);
}

static void probe(unsigned s) {
    const TabiaHit hit = entry_probe_inline(table, ref_of(s));
    bool own = !hit.move_ok;
    for (unsigned i = 0; i < STORED && !own; i++)
        own = stored[i].key.check == stored[s].key.check && is(&hit.entry, &stored[i].e) &&
              hit.score_ok == (stored[i].path == stored[s].path);
    model_require(own, "a mixed entry");
}

static void probe_any(void) {
    probe(model_choose(STORED));
}

static void probe_all(void) {
    for (unsigned s = 0; s < STORED; s++) probe(s);
}

/* ---- counts, and records of several words: small ones, equal, and different by the same bits ---- */

enum { DEPTH = 5 };
static const uint64_t value[] = {1, 8};

static void store_words(unsigned k) {
    const TabiaKey key = {1, (uint64_t)(k + 1) << 20};
    const uint64_t words[] = {value[k], value[k], value[k], value[k], value[k], value[k], value[k]};
    if (table->options.type == TABIA_COUNTS)
        counts_store_inline(counts_slot_ref(table, key, DEPTH), words[0]);
    else
        record_store_inline(table, slot_ref_of(table, key, epoch_tag_of(table)), words, table->words);
}

/* Elsewhere there are too many orders; what is stored second is there from the start. */
static bool two_store(void) {
    return table->words == 2 || table->words == 3;
}

static void begin_words(void) {
    use_table(1 + model_choose(WORDS_MAX));
    if (!two_store()) store_words(1);
}

static void store_first(void) {
    store_words(0);
}

static void probe_words(unsigned k) {
    const TabiaKey key = {1, (uint64_t)(k + 1) << 20};
    uint64_t found[TABIA_RECORD_WORDS_MAX] = {0};
    bool is_there = true;
    if (table->options.type == TABIA_COUNTS)
        is_there = (found[0] = counts_probe_inline(counts_slot_ref(table, key, DEPTH))) != 0;
    else
        is_there = record_probe_inline(slot_ref_of(table, key, epoch_tag_of(table)), found, table->words);
    for (unsigned i = 0; is_there && i < table->words; i++) model_require(found[i] == value[k], "a mixed record");
}

/* The other stores too, or only probes what was there. */
static void store_second(void) {
    if (two_store() && model_choose(2)) store_words(1);
    probe_words(model_choose(2));
}
static void end_words(void) {
    probe_words(0);
    probe_words(1);
}

#if TABIA_CHECK == CHECK_HASHED
static void begin_in_place(void) {
    begin_entries();
    kind = IN_PLACE;
}
const ModelProgram model_entries = {"entries", begin_entries, {act, store_other, probe_any}, probe_all, NULL, 0};
const ModelProgram model_in_place = {
    "entries, refreshed in place", begin_in_place, {act, store_other, probe_any}, probe_all, NULL, 0};
const ModelProgram model_words = {"counts and records", begin_words, {store_first, store_second}, end_words, NULL, 0};
#elif TABIA_CHECK == CHECK_PLAIN
const ModelProgram model_entries_plain = {
    "entries, plain XOR", begin_entries, {act, store_other, probe_any}, probe_all, NULL, 0};
const ModelProgram model_words_plain = {
    "counts and records, plain XOR", begin_words, {store_first, store_second}, end_words, NULL, 0};
#else
const ModelProgram model_entries_none = {"entries, no check", begin_entries, {act, store_other, probe_any},
                                         probe_all,           NULL,          0};
const ModelProgram model_words_none = {
    "counts and records, no check", begin_words, {store_first, store_second}, end_words, NULL, 0};
#endif
