/* SPDX-License-Identifier: MIT */
/* Rank 0's part: how many plies, and the frontier put together from what the owners send. */
#include <stdlib.h>
#include <string.h>

#include "distributed_frontier.h"
#include "radix_sort.h"
#include "rules/movegen.h"
#include "state.h"

/* The base position, and those along one path of moves below it. The next path begins mostly like the last. */
typedef struct {
    uint64_t origin;
    int known; /* plies of it that are here; -1: none */
    Position position[FRONTIER_PLIES_MAX + 1];
    Key key[FRONTIER_PLIES_MAX + 1];
    unsigned moves[FRONTIER_PLIES_MAX + 1];
    Move list[FRONTIER_PLIES_MAX + 1][MOVES_MAX];
} Walk;

/* ---- how many plies ---- */

static void say_next(DistributedPerft *r, int ply, bool harvest) {
    const WirePlyHeader head = {.ply = (uint16_t)ply, .last = harvest};
    OwnersHarvest *h = &r->owners->harvest;
    memset(h->told, 0, r->ranks * sizeof *h->told);
    h->tellers = 0, h->units_before = h->units, h->units = harvest ? h->units : 0;
    for (unsigned to = 1; to < r->ranks; to++) ranks_post(r, to, WIRE_NEXT_PLY, &head, sizeof head);
    ranks_post(r, 0, WIRE_NEXT_PLY, &head, sizeof head); /* received at once: the last thing to do */
}

/* As frontier_make() decides. */
static void decide(DistributedPerft *r) {
    Owners *o = r->owners;
    OwnersHarvest *h = &o->harvest;
    if (h->units > o->limits.most) {
        h->units = h->units_before;
        if (o->at == 1)
            o->stage = OWNERS_DONE; /* the base itself */
        else
            say_next(r, o->at - 1, true);
        return;
    }
    const bool enough = h->units >= o->limits.enough || !h->units || o->at == o->plies;
    say_next(r, enough ? o->at : o->at + 1, enough);
}

void owners_told(DistributedPerft *r, unsigned from, const void *bytes, size_t n) {
    Owners *o = r->owners;
    uint64_t told[2];
    if (!o || n != sizeof told || o->stage > OWNERS_TOLD) return;
    memcpy(told, bytes, sizeof told);
    OwnersHarvest *h = &o->harvest;
    h->heard_at = ranks_now(r);
    if (told[0] != (uint64_t)o->at || h->told[from]) return;
    h->told[from] = true;
    h->units += told[1];
    if (++h->tellers == r->ranks) decide(r);
}

bool owners_late(const DistributedPerft *r) {
    const OwnersHarvest *h = &r->owners->harvest;
    if (h->failed) return true;
    const double since = h->heard_at > r->wall_began ? h->heard_at : r->wall_began;
    return ranks_now(r) - since > r->job.timeout;
}

/* ---- what the owners send ---- */

static bool keep(OwnersHarvest *h, const uint64_t *word, size_t words) {
    if (!words) return true;
    if (h->words + words > h->room) {
        const size_t room = 2 * (h->words + words) + 4096;
        uint64_t *larger = realloc(h->word, room * sizeof *larger);
        if (!larger) return false;
        h->word = larger, h->room = room;
    }
    memcpy(h->word + h->words, word, words * sizeof *word);
    h->words += words;
    return true;
}

void owners_harvested(DistributedPerft *r, unsigned from, const void *bytes, size_t n) {
    Owners *o = r->owners;
    WirePlyHeader head;
    uint64_t word[TABIA_CLUSTER_BYTES_MAX / 8];
    if (!o || n < sizeof head || n > sizeof word) return;
    memcpy(word, bytes, n);
    memcpy(&head, bytes, sizeof head);
    OwnersHarvest *h = &o->harvest;
    h->heard_at = ranks_now(r);
    if (!owners_take(h->inbox + from, head.sequence, head.last)) return;
    if (!keep(h, word + 1, n / 8 - 1)) ranks_fail(r, "not enough memory for the frontier");
    h->complete += owners_has_all(h->inbox + from);
}

/* ---- putting together ---- */

/* Lists the records: where each is, by its origin. False: they are not what was told. */
static bool list_records(const OwnersHarvest *h, RadixItem *found) {
    size_t n = 0;
    for (size_t at = 0; at < h->words; at += 2 + h->word[at + 1]) {
        if (n == h->units || h->words - at < 2 || h->word[at + 1] > h->words - at - 2) return false;
        found[n++] = (RadixItem){h->word[at], at};
    }
    return n == h->units;
}

static unsigned number_at(uint64_t origin, int plies, int ply) {
    return (unsigned)(origin >> OWNERS_MOVE_BITS * (plies - 1 - ply)) & ((1u << OWNERS_MOVE_BITS) - 1);
}

/* Plays a path; its position is then the last. False: there is no such move. */
static bool walk(Walk *w, const Frontier *base, uint64_t origin, int plies, const Zobrist *z) {
    const uint64_t differs = w->known < 0 ? ~0ull : w->origin ^ origin;
    int ply = 0; /* from where on it is another path */
    if (!(differs >> OWNERS_MOVE_BITS * plies))
        while (ply < plies && !number_at(differs, plies, ply)) ply++;
    if (differs >> OWNERS_MOVE_BITS * plies) {
        const uint64_t u = origin >> OWNERS_MOVE_BITS * plies;
        if (u >= base->units) return false;
        w->position[0] = base->position[u], w->key[0] = base->key[u];
        w->moves[0] = moves_list(w->position, w->list[0]);
    }
    for (; ply < plies; ply++) {
        const unsigned number = number_at(origin, plies, ply);
        if (number >= w->moves[ply]) return false;
        const Move m = w->list[ply][number];
        w->key[ply + 1] = position_key_after(w->position + ply, w->key[ply], m, z);
        position_play(w->position + ply + 1, w->position + ply, m);
        if (ply + 1 < plies) w->moves[ply + 1] = moves_list(w->position + ply + 1, w->list[ply + 1]);
    }
    w->origin = origin, w->known = plies;
    return true;
}

static bool fill(Frontier *f, const Owners *o, const RadixItem *found, Walk *w, const Zobrist *z) {
    w->known = -1;
    for (size_t u = 0; u < f->units; u++) {
        if (!walk(w, &o->base, found[u].key, o->at, z)) return false;
        f->position[u] = w->position[o->at], f->key[u] = w->key[o->at];
        const uint64_t *record = o->harvest.word + found[u].what + 1;
        for (uint64_t i = 1; i <= record[0]; i++) {
            const uint64_t root = record[i] >> OWNERS_PATH_BITS;
            if (root >= f->roots) return false;
            f->share[u * f->roots + root] = record[i] & ((1ull << OWNERS_PATH_BITS) - 1);
        }
    }
    return true;
}

static bool put_together(const Owners *o, Frontier *f, const Zobrist *z) {
    const size_t n = o->harvest.units;
    *f = o->base;
    f->ply += o->at, f->units = n;
    f->position = aligned_alloc(64, (n + 1) * sizeof *f->position);
    f->key = malloc((n + 1) * sizeof *f->key);
    f->share = calloc(n * f->roots + 1, sizeof *f->share);
    RadixItem *found = malloc(2 * (n + 1) * sizeof *found), *sorted = found;
    Walk *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    bool good = f->position && f->key && f->share && found && w && list_records(&o->harvest, found);
    if (good) sorted = radix_sort(found, found + n, n, (uint64_t)o->base.units << OWNERS_MOVE_BITS * o->at);
    good = good && fill(f, o, sorted, w, z);
    free(found);
    free(w);
    if (!good) frontier_free(f);
    return good;
}

bool owners_gathered(DistributedPerft *r) {
    Owners *o = r->owners;
    Frontier *f = &r->state->frontier;
    if (o->stage != OWNERS_DONE) return false;
    if (o->at == 1 && !o->harvest.complete && o->harvest.tellers == r->ranks) { /* one ply more would be too many */
        *f = o->base;
        o->base = (Frontier){0};
        return true;
    }
    if (o->harvest.complete < r->ranks || o->harvest.failed) return false;
    if (put_together(o, f, &r->zobrist)) {
        r->tally.frontier_units_distributed = f->units;
        return true;
    }
    o->harvest.failed = true;
    return false;
}
