/* SPDX-License-Identifier: MIT */
#include "hazard_candidates.h"

#include <assert.h>
#include <stdlib.h>

#include "game.h"
#include "table/entry_inline.h"

enum { MEMO = 4096, WAYS_MOST = 4 };

/* What was in the bucket of a position when it was last looked at. */
typedef struct {
    uint64_t key, seen[WAYS_MOST];
} Memo;

struct HazardCandidates {
    Memo memo[MEMO];
};

HazardCandidates *hazard_candidates_create(void) {
    return calloc(1, sizeof(HazardCandidates));
}

void hazard_candidates_destroy(HazardCandidates *c) {
    free(c);
}

/* Another's: the key bits beside the path (search.h, `shadow`) differ. */
static bool is_candidate(const HazardQuestion *q, SlotPair slot, uint64_t own_path) {
    if (!slot.check || !((slot.check ^ own_path) & q->table->path_mask)) return false;
    const TabiaEntry e = entry_unpack(slot.data);
    return e.bound & TABIA_BOUND_UPPER && e.score <= -q->limit && e.draft >= q->draft;
}

static uint64_t new_in_bucket(Memo *memo, const HazardQuestion *q, TabiaKey key) {
    enum { SHADOW_SHIFT = 8 };
    const Word *bucket = bucket_of(q->table, key.index, q->table->bucket_bytes);
    const uint64_t own_path = (uint32_t)(key.check << SHADOW_SHIFT);
    uint64_t now[WAYS_MOST] = {0}, found = 0;
    if (memo->key != key.check) *memo = (Memo){.key = key.check};
    assert(q->table->slots <= WAYS_MOST);
    for (unsigned i = 0; i < q->table->slots; i++) {
        const SlotPair slot = slot_load(bucket + 2 * i, q->table->integrity);
        if (!is_candidate(q, slot, own_path)) continue;
        bool known = false;
        for (unsigned k = 0; k < WAYS_MOST; k++) known = known || memo->seen[k] == slot.check;
        found += !known;
        now[i] = slot.check;
    }
    for (unsigned i = 0; i < WAYS_MOST; i++) memo->seen[i] = now[i];
    return found;
}

uint64_t hazard_candidates_new(HazardCandidates *c, const HazardQuestion *q) {
    uint64_t found = 0;
    Move moves[MOVES_MAX];
    assert(q->limit > 0);
    for (unsigned ply = 0; ply < q->n; ply++) {
        const Position *p = &q->positions[ply];
        const Key own = zobrist_key(q->zobrist, p);
        const unsigned n = game_moves(p, moves);
        for (unsigned i = 0; i < n; i++) {
            const TabiaKey key = game_table_key(game_key_after(q->zobrist, p, own, moves[i]));
            found += new_in_bucket(&c->memo[key.check % MEMO], q, key);
        }
    }
    return found;
}
