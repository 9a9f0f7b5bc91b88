/* SPDX-License-Identifier: MIT */
/*
 * A thread's work in a stress run, one text: stress_paused.c and stress_plain.c make instances of it, each with the
 * library's text compiled in its own way.
 *
 * A round is one store and many probes. Two threads are then always somewhere between them: one held up amid its store,
 * the other reading.
 */
#pragma once
#include <string.h>

#include "base/random.h"
#include "stress_fixture.h"
#include "tabia/counts.h"
#include "table/counts_inline.h"
#include "table/entry_inline.h"
#include "table/record_inline.h"

/* ---- do these words belong to the key, whole? ---- */

#define STRESS_DRAFT ((uint64_t)0xff << 48)
#define STRESS_GENERATION ((uint64_t)0x3f << 58)

/* An entry's draft may have been lowered since (penalise), its generation is not the payload's. */
INLINE bool entry_fits(const StressFixture *f, unsigned k, uint64_t data) {
    const uint64_t whole = f->payload[k][data & (STRESS_VERSIONS - 1)][0];
    return !((data ^ whole) & ~(STRESS_DRAFT | STRESS_GENERATION)) && (data & STRESS_DRAFT) <= (whole & STRESS_DRAFT);
}

INLINE unsigned entry_path(uint64_t data) {
    return data & (STRESS_PATHS - 1);
}

INLINE bool words_fit(const StressFixture *f, unsigned k, const uint64_t *words, unsigned n) {
    const uint64_t *whole = f->payload[k][words[0] & (STRESS_VERSIONS - 1)];
    uint64_t differs = 0;
    for (unsigned i = 0; i < n; i++) differs |= words[i] ^ whole[i];
    return !differs;
}

/* ---- looking past the protection ---- */

/* One slot, any: is it what one store wrote? */
INLINE void look(const StressFixture *f, StressWorker *me, unsigned n) {
    const TabiaTable *t = f->table;
    const uint64_t r = random_next(&me->seed);
    const Word *bucket = (const Word *)(t->base + ((r & 0xffffffff) * t->buckets >> 32) * CACHE_LINE_BYTES);
    uint64_t words[TABIA_RECORD_WORDS_MAX];
    const uint64_t identity = slot_load_words(bucket + (r >> 32) % (CACHE_LINE_WORDS / (n + 1)) * (n + 1), words, n);
    if (!identity) return;
    me->sum.looked++;
    bool known = false, fits = false;
    for (unsigned k = 0; k < f->keys && !known; k++)
        for (unsigned p = 0; p < STRESS_PATHS && !known; p++) {
            known = f->place[k][p].identity == identity;
            if (!known) continue;
            fits = f->what.type == TABIA_ENTRIES ? entry_fits(f, k, words[0]) && entry_path(words[0]) == p
                                                 : words_fit(f, k, words, n);
        }
    assert(me->sum.mixed < me->sum.looked);
    me->sum.mixed += !fits;
    me->sum.believed += known && !fits;
}

/* ---- entries ---- */

/* refresh: as tables do that refresh what is hit. */
INLINE TabiaHit entries_probe(const TabiaTable *t, SlotRef p, bool refresh) {
    const TabiaHit found = entry_probe_inline(t, p);
    if (refresh && found.move_ok) entry_rewrite_inline(t, p, true, 0);
    return found;
}

/* Most often a store; sometimes one of the calls that change what is there. */
INLINE void entries_change(const StressFixture *f, StressWorker *me, bool calls) {
    const uint64_t r = random_next(&me->seed);
    const unsigned k = r & (f->keys - 1), v = r >> 8 & (STRESS_VERSIONS - 1), path = v & (STRESS_PATHS - 1);
    const unsigned change = r >> 16 & 15;
    const TabiaEntry e = entry_unpack(f->payload[k][v][0]);
    const SlotRef p = f->place[k][path];
    if (change == 0)
        calls ? tabia_entry_refresh(f->table, f->key[k]) : entry_rewrite_inline(f->table, p, true, 0);
    else if (change == 1)
        calls ? tabia_entry_penalise(f->table, f->key[k], 3) : entry_rewrite_inline(f->table, p, false, 3);
    else if (calls)
        tabia_entry_store(f->table, f->key[k], f->path[path], e);
    else
        entry_store_inline(f->table, p, e);
}

INLINE void entries_round(const StressFixture *f, StressWorker *me, bool calls) {
    entries_change(f, me, calls);
    const unsigned from = (unsigned)random_next(&me->seed);
    const bool refresh = (from >> 16 & 15) == 0;
    for (unsigned i = 0; i < STRESS_ROUND; i++) {
        const unsigned k = (from + i) & (f->keys - 1), path = (from >> 8 ^ i) & (STRESS_PATHS - 1);
        const TabiaHit hit = calls ? tabia_entry_probe(f->table, f->key[k], f->path[path])
                                   : entries_probe(f->table, f->place[k][path], refresh);
        if (!hit.move_ok) continue;
        const uint64_t data = entry_pack(hit.entry, 0);
        me->sum.hits++;
        me->sum.accepted += !entry_fits(f, k, data) || hit.score_ok != (entry_path(data) == path);
    }
}

/* ---- counts ---- */

INLINE void counts_round(const StressFixture *f, StressWorker *me, bool calls) {
    const uint64_t r = random_next(&me->seed);
    const unsigned stored = r & (f->keys - 1), from = (unsigned)(r >> 32);
    const uint64_t payload = f->payload[stored][r >> 8 & (STRESS_VERSIONS - 1)][0];
    if (calls)
        tabia_counts_store(f->table, f->key[stored], f->depth[stored], payload);
    else
        counts_store_inline(f->place[stored][0], payload);
    for (unsigned i = 0; i < STRESS_ROUND; i++) {
        const unsigned k = (from + i) & (f->keys - 1);
        const uint64_t count =
            calls ? tabia_counts_probe(f->table, f->key[k], f->depth[k]) : counts_probe_inline(f->place[k][0]);
        if (!count) continue;
        me->sum.hits++;
        me->sum.accepted += !words_fit(f, k, &count, 1);
    }
}

/* ---- records ---- */

INLINE void records_round(const StressFixture *f, StressWorker *me, unsigned n, bool calls) {
    const uint64_t r = random_next(&me->seed);
    const unsigned stored = r & (f->keys - 1), from = (unsigned)(r >> 32);
    const uint64_t *payload = f->payload[stored][r >> 8 & (STRESS_VERSIONS - 1)];
    if (calls)
        tabia_record_store(f->table, f->key[stored], payload);
    else
        record_store_inline(f->table, f->place[stored][0], payload, n);
    for (unsigned i = 0; i < STRESS_ROUND; i++) {
        const unsigned k = (from + i) & (f->keys - 1);
        uint64_t words[TABIA_RECORD_WORDS_MAX] = {0};
        const bool there =
            calls ? tabia_record_probe(f->table, f->key[k], words) : record_probe_inline(f->place[k][0], words, n);
        if (!there) continue;
        me->sum.hits++;
        me->sum.accepted += !words_fit(f, k, words, n);
    }
}

/* ---- all of them ---- */

/* n: data words of a slot. The record type is asked for once a round. */
INLINE void rounds_text(const StressFixture *f, StressWorker *me, unsigned rounds, unsigned n, bool calls) {
    for (unsigned i = 0; i < rounds; i++) {
        if (n > 1)
            records_round(f, me, n, calls);
        else if (f->what.type == TABIA_ENTRIES)
            entries_round(f, me, calls);
        else
            counts_round(f, me, calls);
        look(f, me, n);
    }
    me->sum.probes += (uint64_t)rounds * STRESS_ROUND;
    me->sum.stores += rounds;
}

/* The words are a constant where they are one in the library (table/record.c). */
INLINE void rounds_by_words(const StressFixture *f, StressWorker *me, unsigned rounds, bool calls) {
    switch (f->what.words) {
    case 1:
        rounds_text(f, me, rounds, 1, calls);
        return;
    case 2:
        rounds_text(f, me, rounds, 2, calls);
        return;
    case 3:
        rounds_text(f, me, rounds, 3, calls);
        return;
    default:
        rounds_text(f, me, rounds, f->what.words, calls);
        return;
    }
}
