/* SPDX-License-Identifier: MIT */
/* The keys and payloads of a stress run: the same for the same seed, in every process. */
#include "stress_fixture.h"

#include <string.h>

#include "base/random.h"
#include "table/counts_inline.h"
#include "table/entry_inline.h"

/* ---- payloads: the three lowest bits of the first word are the version ---- */

/* Drafts lie so near each other that a shallower entry never leaves a deeper one in its place. Random: all else is any
   value. Small: move and draft are all that differs between keys. */
static uint64_t entry_payload(unsigned k, unsigned v, StressPayload payload, uint64_t *seed) {
    const uint64_t r = random_next(seed);
    const uint8_t bound = (uint8_t)(1 + v % 3), draft = (uint8_t)(STRESS_DRAFT_MIN + (k + v) % 4);
    const uint16_t name = (uint16_t)((k + 1) * STRESS_VERSIONS + v);
    assert(v < STRESS_VERSIONS && name % STRESS_VERSIONS == v);
    if (payload == STRESS_SMALL) return entry_pack((TabiaEntry){.move = name, .draft = draft, .bound = bound}, 0);
    const uint16_t move = (uint16_t)((r & ~(uint64_t)0x1ff & 0x7fff) | 0x8000) + (name & 0x1ff);
    return entry_pack((TabiaEntry){(int16_t)(r >> 16), (int16_t)(r >> 32), draft, bound, 0, move}, 0);
}

/* Two small fields in each word, in the same bytes everywhere; often a word is as the one before. */
static void small_record(unsigned v, unsigned words, uint64_t *payload, uint64_t *seed) {
    for (unsigned i = 0; i < words; i++) {
        const uint64_t low = random_below(seed, 9), high = random_below(seed, 9);
        payload[i] = i && random_below(seed, 3) == 0 ? payload[i - 1] & ~(uint64_t)7 : low << 8 | high << 40;
    }
    payload[0] |= v;
}

static void payload_fill(const StressFixture *f, unsigned k, unsigned v, uint64_t *payload, uint64_t *seed) {
    const StressPayload kind = f->what.payload;
    if (f->what.type == TABIA_ENTRIES) {
        payload[0] = entry_payload(k, v, kind, seed);
    } else if (f->what.type == TABIA_COUNTS) {
        payload[0] = (kind == STRESS_SMALL ? k + 1 : random_next(seed) >> 4 | 1) * STRESS_VERSIONS + v;
    } else if (kind == STRESS_SMALL) {
        small_record(v, f->what.words, payload, seed);
    } else {
        for (unsigned i = 0; i < f->what.words; i++) payload[i] = random_next(seed);
        payload[0] = (payload[0] & ~(uint64_t)7) | v;
    }
}

/* Does a lower key have the same payload in that version? */
static bool taken(const StressFixture *f, unsigned k, unsigned v) {
    for (unsigned other = 0; other < k; other++)
        if (!memcmp(f->payload[other][v], f->payload[k][v], sizeof f->payload[k][v])) return true;
    return false;
}

/* ---- the fixture ---- */

static SlotRef place_for(const StressFixture *f, unsigned k, unsigned path) {
    if (f->what.type == TABIA_ENTRIES) return slot_ref_of(f->table, f->key[k], f->path[path]);
    if (f->what.type == TABIA_COUNTS) return counts_slot_ref(f->table, f->key[k], f->depth[k]);
    return slot_ref_of(f->table, f->key[k], epoch_tag_of(f->table));
}

void stress_fixture_fill(StressFixture *f, TabiaTable *table, const StressCase *what, const StressJob *job) {
    uint64_t seed = job->seed;
    assert(job->keys > 0 && job->keys <= STRESS_KEYS_MAX && !(job->keys & (job->keys - 1)));
    *f = (StressFixture){.table = table, .what = *what, .keys = job->keys, .pause = job->pause};
    for (unsigned p = 0; p < STRESS_PATHS; p++) f->path[p] = random_next(&seed);
    for (unsigned k = 0; k < f->keys; k++) {
        const uint64_t index = random_next(&seed);
        f->key[k] = (TabiaKey){index, random_next(&seed)};
        f->depth[k] = 1 + k % 4;
        for (unsigned p = 0; p < STRESS_PATHS; p++) f->place[k][p] = place_for(f, k, p);
        for (unsigned v = 0; v < STRESS_VERSIONS; v++) do
                payload_fill(f, k, v, f->payload[k][v], &seed);
            while (taken(f, k, v));
    }
}
