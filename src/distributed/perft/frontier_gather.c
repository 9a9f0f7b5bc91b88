/* SPDX-License-Identifier: MIT */
#include "frontier_gather.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "outbox.h"
#include "radix_sort.h"
#include "rules/movegen.h"
#include "sequence_set.h"

typedef enum { GATHER_SIZING, GATHER_RECEIVING, GATHER_BASE, GATHER_FAILED } GatherStage;

struct FrontierGather {
    const RankContext *rank;
    FrontierLimits limits;
    int plies; /* at most, below the base */
    GatherStage stage;
    int ply;        /* that is made, or gathered; counted from the base */
    bool *reported; /* which ranks have reported the size of the ply, */
    unsigned reports;
    size_t units;        /* and how many units they have */
    size_t units_before; /* of the ply before */
    SequenceSet *received;
    unsigned complete;
    uint64_t *word; /* records, one after the other */
    size_t words, capacity;
    double received_at; /* seconds */
};

/* The base position, and those along one path of moves below it. The next path mostly begins like the last. */
typedef struct {
    uint64_t origin;
    bool is_played;
    Position position[FRONTIER_PLIES_MAX + 1];
    Key key[FRONTIER_PLIES_MAX + 1];
    unsigned moves[FRONTIER_PLIES_MAX + 1];
    Move list[FRONTIER_PLIES_MAX + 1][MOVES_MAX];
} OriginPath;

FrontierGather *frontier_gather_create(const RankContext *rank, FrontierLimits limits, int plies) {
    FrontierGather *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    *g = (FrontierGather){.rank = rank, .limits = limits, .plies = plies, .ply = 1};
    g->reported = calloc(rank->ranks, sizeof *g->reported);
    g->received = calloc(rank->ranks, sizeof *g->received);
    if (g->reported && g->received) return g;
    frontier_gather_destroy(g);
    return NULL;
}

void frontier_gather_destroy(FrontierGather *g) {
    if (!g) return;
    for (unsigned i = 0; g->received && i < g->rank->ranks; i++) sequence_set_release(g->received + i);
    free(g->received);
    free(g->reported);
    free(g->word);
    free(g);
}

void frontier_gather_start(FrontierGather *g) {
    g->received_at = g->rank->now;
}

bool frontier_gather_has_failed(const FrontierGather *g) {
    return g->stage == GATHER_FAILED || g->rank->now - g->received_at > g->rank->timeout;
}

/* ---- how many plies ---- */

/* The message to rank 0 itself is the last: it is received before it is sent. */
static void announce(FrontierGather *g, int ply, bool gather) {
    const WirePlyHeader header = {.ply = (uint16_t)ply, .last = gather};
    memset(g->reported, 0, g->rank->ranks * sizeof *g->reported);
    g->reports = 0, g->ply = ply;
    if (gather) g->stage = GATHER_RECEIVING;
    for (unsigned to = 1; to < g->rank->ranks; to++)
        outbox_send(g->rank->outbox, to, WIRE_NEXT_PLY, &header, sizeof header);
    outbox_send(g->rank->outbox, 0, WIRE_NEXT_PLY, &header, sizeof header);
}

/* All have reported: decides as frontier_make() does. */
static void decide(FrontierGather *g) {
    if (g->units > g->limits.most) {
        g->units = g->units_before;
        if (g->ply == 1)
            g->stage = GATHER_BASE;
        else
            announce(g, g->ply - 1, true);
    } else if (g->units >= g->limits.enough || !g->units || g->ply == g->plies) {
        announce(g, g->ply, true);
    } else {
        g->units_before = g->units, g->units = 0;
        announce(g, g->ply + 1, false);
    }
}

void frontier_gather_receive_size(FrontierGather *g, unsigned from, const void *bytes, size_t n) {
    uint64_t size[2]; /* ply, units */
    if (n != sizeof size || g->stage != GATHER_SIZING) return;
    memcpy(size, bytes, sizeof size);
    g->received_at = g->rank->now;
    if (size[0] != (uint64_t)g->ply || g->reported[from]) return;
    g->reported[from] = true;
    g->units += size[1];
    if (++g->reports == g->rank->ranks) decide(g);
}

/* ---- what the owners send ---- */

static bool append_records(FrontierGather *g, const uint64_t *word, size_t words) {
    if (!words) return true;
    if (g->words + words > g->capacity) {
        const size_t capacity = 2 * (g->words + words) + 4096;
        uint64_t *larger = realloc(g->word, capacity * sizeof *larger);
        if (!larger) return false;
        g->word = larger, g->capacity = capacity;
    }
    memcpy(g->word + g->words, word, words * sizeof *word);
    g->words += words;
    return true;
}

void frontier_gather_receive_records(FrontierGather *g, unsigned from, const void *bytes, size_t n) {
    WirePlyHeader header;
    uint64_t word[WIRE_WORDS_MAX];
    if (n < sizeof header || n > sizeof word) return;
    memcpy(word, bytes, n);
    memcpy(&header, bytes, sizeof header);
    g->received_at = g->rank->now;
    if (!sequence_set_insert(g->received + from, header.sequence, header.last)) return;
    if (!append_records(g, word + 1, n / sizeof *word - 1))
        run_error_set(g->rank->error, "not enough memory for the frontier");
    g->complete += sequence_set_is_complete(g->received + from);
    assert(g->complete <= g->rank->ranks);
}

/* ---- putting the frontier together ---- */

/* Lists where each record is, by its origin. False: they are not as many as were reported. */
static bool list_records(const FrontierGather *g, RadixItem *record) {
    size_t n = 0;
    for (size_t at = 0; at < g->words; at += 2 + g->word[at + 1]) {
        if (n == g->units || g->words - at < 2 || g->word[at + 1] > g->words - at - 2) return false;
        record[n++] = (RadixItem){g->word[at], at};
    }
    return n == g->units;
}

/* The number of the move made at a ply of a path; 0 is the first below the base. */
static unsigned move_number(uint64_t origin, int plies, int ply) {
    return (unsigned)(origin >> MOVE_NUMBER_BITS * (plies - 1 - ply)) & ((1u << MOVE_NUMBER_BITS) - 1);
}

static bool begin_path(OriginPath *path, const Frontier *base, uint64_t unit) {
    if (unit >= base->units.n) return false;
    path->position[0] = base->units.position[unit], path->key[0] = base->units.key[unit];
    path->moves[0] = moves_list(path->position, path->list[0]);
    return true;
}

/* Plays one move. False: there is no such move. */
static bool extend_path(OriginPath *path, int ply, unsigned number, bool is_last, const Zobrist *z) {
    if (number >= path->moves[ply]) return false;
    const Move m = path->list[ply][number];
    const Position *p = path->position + ply;
    path->key[ply + 1] = position_key_after(p, path->key[ply], m, z);
    position_make_move(path->position + ply + 1, p, m);
    if (!is_last) path->moves[ply + 1] = moves_list(path->position + ply + 1, path->list[ply + 1]);
    return true;
}

/* Plays the path of an origin from where it differs from the last one. False: there is no such path. */
static bool play_origin(OriginPath *path, const Frontier *base, uint64_t origin, int plies, const Zobrist *z) {
    const int base_shift = MOVE_NUMBER_BITS * plies;
    const uint64_t differs = path->is_played ? path->origin ^ origin : ~0ull;
    int ply = 0;
    assert(plies > 0 && plies <= FRONTIER_PLIES_MAX);
    path->is_played = false;
    if (differs >> base_shift) {
        if (!begin_path(path, base, origin >> base_shift)) return false;
    } else {
        while (ply < plies && !move_number(differs, plies, ply)) ply++;
    }
    for (; ply < plies; ply++)
        if (!extend_path(path, ply, move_number(origin, plies, ply), ply + 1 == plies, z)) return false;
    path->origin = origin, path->is_played = true;
    return true;
}

/* record: at the number of its multiplicities. */
static bool read_multiplicities(const uint64_t *record, uint64_t *paths, unsigned roots) {
    for (uint64_t i = 1; i <= record[0]; i++) {
        const uint64_t root = wire_multiplicity_root(record[i]);
        if (root >= roots) return false;
        paths[root] = wire_multiplicity_paths(record[i]);
    }
    return true;
}

static bool fill(const FrontierGather *g, const Frontier *base, Frontier *f, const RadixItem *record,
                 OriginPath *path) {
    path->is_played = false;
    for (size_t u = 0; u < f->units.n; u++) {
        if (!play_origin(path, base, record[u].key, g->ply, &g->rank->zobrist)) return false;
        f->units.position[u] = path->position[g->ply], f->units.key[u] = path->key[g->ply];
        if (!read_multiplicities(g->word + record[u].value + 1, f->multiplicity + u * f->roots, f->roots)) return false;
    }
    return true;
}

static bool allocate_frontier(Frontier *f, const Frontier *base, size_t units, int plies) {
    *f = *base;
    f->ply += plies;
    f->units = (PositionSet){0};
    f->multiplicity = NULL, f->capacity = 0;
    if (!position_set_reserve(&f->units, units, NULL)) return false;
    position_set_complete(&f->units);
    f->units.n = units;
    return frontier_begin_multiplicities(f, 0, NULL);
}

static bool build(const FrontierGather *g, const Frontier *base, Frontier *f) {
    const size_t n = g->units;
    RadixItem *record = malloc(2 * (n + 1) * sizeof *record), *sorted = record;
    OriginPath *path = aligned_alloc(64, (sizeof *path + 63) / 64 * 64);
    bool good = allocate_frontier(f, base, n, g->ply) && record && path && list_records(g, record);
    if (good) sorted = radix_sort(record, record + n, n, (uint64_t)base->units.n << MOVE_NUMBER_BITS * g->ply);
    good = good && fill(g, base, f, sorted, path);
    free(record);
    free(path);
    if (!good) frontier_free(f);
    return good;
}

bool frontier_gather_finish(FrontierGather *g, Frontier *base, Frontier *out, uint64_t *distributed) {
    *distributed = 0;
    if (g->stage == GATHER_BASE) { /* one ply more would be too many units */
        *out = *base;
        *base = (Frontier){0};
        return true;
    }
    if (g->stage != GATHER_RECEIVING || g->complete < g->rank->ranks) return false;
    if (build(g, base, out)) {
        *distributed = out->units.n;
        return true;
    }
    g->stage = GATHER_FAILED;
    return false;
}
