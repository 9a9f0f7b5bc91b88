/* SPDX-License-Identifier: MIT */
#include "false_hits.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/stop.h"
#include "base/threads.h"
#include "tabia/entry.h"

enum { WAYS = 4, SLOT_BYTES = 16, BATCH = 64, BATCHES_PER_POLL = 1 << 14, KEYS_PER_POLL = 1 << 18, KEYS_PER_SLOT = 4 };

typedef struct {
    const FalseCase *c;
    TabiaTable *table;
    TabiaKey *shadow;
    uint64_t keys;
    _Atomic uint64_t false_hits, true_hits;
} FalseHitAudit;

static TabiaKey next_key(uint64_t *state, bool one_word) {
    const uint64_t index = random_next(state);
    return one_word ? tabia_key_from_64(index) : (TabiaKey){index, random_next(state)};
}

/* An entry that says which key it belongs to. */
static TabiaEntry numbered(uint64_t number) {
    return (TabiaEntry){
        .move = 1, .score = (int16_t)number, .evaluation = (int16_t)(number >> 16), .bound = TABIA_BOUND_EXACT};
}

static uint64_t number_of(TabiaEntry e) {
    return (uint64_t)(uint16_t)e.score | (uint64_t)(uint16_t)e.evaluation << 16;
}

static bool is_true(const FalseHitAudit *a, TabiaHit hit, TabiaKey key) {
    const TabiaKey full = a->shadow[number_of(hit.entry)];
    return full.index == key.index && full.check == key.check;
}

/* ---- filling ---- */

/* False: stopped. */
static bool fill(FalseHitAudit *a) {
    uint64_t state = a->c->seed;
    for (uint64_t i = 0; i < a->keys; i++) {
        if (i % KEYS_PER_POLL == 0 && tabia_stop_requested()) return false;
        a->shadow[i] = next_key(&state, a->c->one_word);
        tabia_entry_store(a->table, a->shadow[i], 0, numbered(i));
    }
    return true;
}

/* A slot is in use for the one key whose number it carries. */
static double count_fill(const FalseHitAudit *a) {
    uint64_t used = 0;
    for (uint64_t i = 0; i < a->keys && !(i % KEYS_PER_POLL == 0 && tabia_stop_requested()); i++) {
        const TabiaHit hit = tabia_entry_probe(a->table, a->shadow[i], 0);
        used += hit.move_ok && number_of(hit.entry) == i;
    }
    return (double)used * SLOT_BYTES / (double)a->c->bytes;
}

/* ---- probing ---- */

/* A whole batch of keys on its way before the first is asked for. */
static void probe_batch(const FalseHitAudit *a, uint64_t *state, unsigned n, uint64_t *false_hits,
                        uint64_t *true_hits) {
    TabiaKey key[BATCH];
    const bool one_word = a->c->one_word;
    for (unsigned i = 0; i < n; i++) {
        key[i] = next_key(state, one_word);
        tabia_table_prefetch(a->table, key[i]);
    }
    for (unsigned i = 0; i < n; i++) {
        const TabiaHit hit = tabia_entry_probe(a->table, key[i], 0);
        if (LIKELY(!hit.move_ok)) continue;
        const bool good = is_true(a, hit, key[i]);
        *true_hits += good;
        *false_hits += !good;
    }
}

static void probe_all(void *context, unsigned worker) {
    FalseHitAudit *a = context;
    const FalseCase *c = a->c;
    const uint64_t mine = c->probes / c->threads + (worker < c->probes % c->threads);
    uint64_t state = ~c->seed ^ (uint64_t)worker << 32, false_hits = 0, true_hits = 0;
    state = random_next(&state); /* far from the keys that were stored, and from the other workers' */
    for (uint64_t done = 0, batches = 0; done < mine; batches++) {
        const unsigned n = mine - done < BATCH ? (unsigned)(mine - done) : BATCH;
        probe_batch(a, &state, n, &false_hits, &true_hits);
        done += n;
        if (batches % BATCHES_PER_POLL) continue;
        if (tabia_stop_requested()) break;
        if (worker == 0 && c->progress) c->progress(c->context, (double)done / (double)mine);
    }
    atomic_fetch_add(&a->false_hits, false_hits);
    atomic_fetch_add(&a->true_hits, true_hits);
}

/* ---- all of it ---- */

double false_formula(const FalseCase *c, double fill) {
    const int index_bits = msb(c->bytes / (WAYS * SLOT_BYTES)), compared = (int)c->signature_bits;
    int twice = c->one_word && index_bits > 16 ? index_bits - 16 : 0;
    if (twice > compared) twice = compared;
    return WAYS * fill / (double)((uint64_t)1 << (compared - twice) / 2) /
           (double)((uint64_t)1 << (compared - twice + 1) / 2);
}

bool false_measure(const FalseCase *c, FalseResult *result, TabiaError *error) {
    const bool whole = c->signature_bits == 64;
    const TabiaOptions options = {.bytes = c->bytes,
                                  .signature_bits = c->signature_bits,
                                  .path_bits = whole ? TABIA_NO_PATH_BITS : 0,
                                  .threads = 1,
                                  .watch = &(TabiaWatch){.stop = tabia_stop_watch}};
    FalseHitAudit a = {.c = c, .keys = c->bytes / SLOT_BYTES * KEYS_PER_SLOT};
    if (tabia_table_create(&a.table, &options, error)) return false;
    a.shadow = malloc(a.keys * sizeof *a.shadow);
    bool good = a.shadow || tabia_fail(error, "not enough memory for the shadow of %ju keys", (uintmax_t)a.keys);
    if (good && fill(&a)) {
        result->fill = count_fill(&a);
        result->formula = false_formula(c, result->fill);
        good = tabia_threads_run(c->threads, probe_all, &a, error);
    }
    result->probes = c->probes, result->false_hits = a.false_hits, result->true_hits = a.true_hits;
    free(a.shadow);
    tabia_table_destroy(a.table);
    return good && (!tabia_stop_requested() || tabia_fail(error, "stopped"));
}

bool false_result_holds(const FalseCase *c, const FalseResult *r) {
    const double expected = r->formula * (double)r->probes, found = (double)r->false_hits;
    if (c->signature_bits >= 48) return r->false_hits == 0;
    if (c->signature_bits == 16) return fabs(found / expected - 1) <= 0.05;
    const double beyond = fabs(found - expected) - 5;
    return beyond <= 0 || beyond * beyond <= 25 * expected;
}
