/* SPDX-License-Identifier: MIT */
/* What every rank does: expand, send children to their owners, merge, and send its part to rank 0. */
#include "distributed_frontier.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "frontier_gather.h"
#include "outbox.h"
#include "perft/units.h"
#include "rules/movegen.h"
#include "sequence_set.h"

enum {
    MOVES_MIN = 1000000, /* below that rank 0 alone is as fast: docs/experiments */
    PARENTS_PER_STEP = 16,
    UNITS_PER_STEP = 200,
    PARENT_WORDS = sizeof(WireParent) / sizeof(uint64_t),
};

/* A ply: this rank's part of it. */
typedef struct {
    Frontier ply;
    uint64_t *origin; /* of each unit, the least */
    size_t origins;
    SequenceSet *received; /* of each sender */
    unsigned complete;     /* senders of which everything has come */
} OwnedPly;

/* A message that is filled. */
typedef struct {
    uint32_t sequence;
    size_t words;
    uint64_t word[WIRE_WORDS_MAX];
} PlyMessage;

typedef enum { OWNER_EXPANDING, OWNER_MERGING, OWNER_REPORTED, OWNER_SENDING, OWNER_DONE } OwnerStage;

struct DistributedFrontier {
    const RankContext *rank;
    FrontierLimits limits;
    Frontier base;
    int plies; /* at most, below the base */
    OwnerStage stage;
    int current;      /* the ply that is made, counted from the base; when sending, the one that is sent */
    size_t next, end; /* parents to expand, or units to send */
    OwnedPly owned[FRONTIER_PLIES_MAX + 1];
    PlyMessage *message;    /* for each rank */
    FrontierGather *gather; /* on rank 0 */
};

/* ---- creation ---- */

/* Is there so much to do below the base that it is worth distributing? An origin must fit 64 bits. */
static bool is_worth_distributing(const DistributedFrontier *f, size_t moves_min) {
    const Frontier *base = &f->base;
    size_t moves = 0;
    if (base->ply == 0 || f->plies <= 0 || base->units.n >= f->limits.enough) return false;
    if (base->units.n >> (64 - MOVE_NUMBER_BITS * f->plies)) return false;
    for (size_t u = 0; u < base->units.n; u++) moves += moves_count(base->units.position + u);
    return moves >= (moves_min ? moves_min : MOVES_MIN);
}

static bool allocate(DistributedFrontier *f, TabiaError *error) {
    const unsigned ranks = f->rank->ranks;
    bool good = (f->message = calloc(ranks, sizeof *f->message)) != NULL;
    if (f->rank->rank == 0) good = (f->gather = frontier_gather_create(f->rank, f->limits, f->plies)) && good;
    for (int i = 1; i <= f->plies; i++) {
        good = (f->owned[i].received = calloc(ranks, sizeof *f->owned[i].received)) && good;
        f->owned[i].ply.roots = f->base.roots;
        f->owned[i].ply.ply = f->base.ply + i;
    }
    return good || tabia_fail(error, "not enough memory to share the frontier");
}

/* This rank's part of the base is a range, of the plies below it what it owns. */
static void begin_ply(DistributedFrontier *f, int ply) {
    const RankContext *rank = f->rank;
    assert(ply >= 1 && ply <= f->plies);
    f->stage = OWNER_EXPANDING;
    f->current = ply;
    f->next = ply == 1 ? f->base.units.n * rank->rank / rank->ranks : 0;
    f->end = ply == 1 ? f->base.units.n * (rank->rank + 1) / rank->ranks : f->owned[ply - 1].ply.units.n;
    for (unsigned to = 0; to < rank->ranks; to++) f->message[to].sequence = 0, f->message[to].words = 1;
}

static bool make_base(DistributedFrontier *f, const Position *root, TabiaError *error) {
    enum { BASE_ENOUGH = 1000, BASE_MAX = 20000 };
    FrontierLimits limits = f->limits;
    if (limits.enough > BASE_ENOUGH) limits.enough = BASE_ENOUGH;
    if (limits.most > BASE_MAX) limits.most = BASE_MAX;
    if (!frontier_make(&f->base, root, &f->rank->zobrist, limits, error)) return false;
    f->plies = (limits.max_ply < FRONTIER_PLIES_MAX ? limits.max_ply : FRONTIER_PLIES_MAX) - f->base.ply;
    return true;
}

bool distributed_frontier_create(DistributedFrontier **out, const RankContext *rank,
                                 const DistributedFrontierOptions *options, TabiaError *error) {
    *out = NULL;
    if (rank->ranks == 1 || !options->limits.merge) return true;
    DistributedFrontier *f = calloc(1, sizeof *f);
    if (!f) return tabia_fail(error, "not enough memory to begin");
    f->rank = rank, f->limits = options->limits;
    bool good = make_base(f, options->root, error);
    if (good && is_worth_distributing(f, options->moves_min) && (good = allocate(f, error))) {
        begin_ply(f, 1);
        *out = f;
        return true;
    }
    distributed_frontier_destroy(f);
    return good;
}

static void destroy_sets(SequenceSet *set, unsigned ranks) {
    for (unsigned i = 0; set && i < ranks; i++) sequence_set_release(set + i);
    free(set);
}

void distributed_frontier_destroy(DistributedFrontier *f) {
    if (!f) return;
    for (int i = 0; i <= FRONTIER_PLIES_MAX; i++) {
        frontier_free(&f->owned[i].ply);
        free(f->owned[i].origin);
        destroy_sets(f->owned[i].received, f->rank->ranks);
    }
    frontier_gather_destroy(f->gather);
    free(f->message);
    frontier_free(&f->base);
    free(f);
}

void distributed_frontier_start(DistributedFrontier *f) {
    if (f->gather) frontier_gather_start(f->gather);
}

/* ---- expanding ---- */

static void send_message(DistributedFrontier *f, unsigned to, WireType type, bool last) {
    PlyMessage *message = f->message + to;
    const WirePlyHeader header = {.ply = (uint16_t)f->current, .last = last, .sequence = message->sequence++};
    const size_t words = message->words;
    assert(words >= 1 && words <= WIRE_WORDS_MAX);
    memcpy(message->word, &header, sizeof header);
    message->words = 1;
    outbox_send(f->rank->outbox, to, type, message->word, words * sizeof *message->word);
}

/* A parent as its messages carry it. */
typedef struct {
    WireParent head;
    uint64_t multiplicity[MOVES_MAX];
} PackedParent;

static unsigned pack_multiplicities(const Frontier *f, size_t unit, uint64_t packed[MOVES_MAX]) {
    unsigned n = 0;
    const uint64_t *paths = f->multiplicity + unit * f->roots;
    for (uint64_t root = 0; root < f->roots; root++)
        if (paths[root]) packed[n++] = wire_multiplicity(root, paths[root]);
    return n;
}

/* Writes a parent and as many of its n children as there is room for; returns how many. */
static unsigned write_parent(PlyMessage *message, const PackedParent *parent, const WireChild *child, unsigned n) {
    WireParent head = parent->head;
    const size_t children_at = message->words + PARENT_WORDS + head.multiplicities;
    const size_t room = children_at < WIRE_WORDS_MAX ? WIRE_WORDS_MAX - children_at : 0;
    head.moves = n < 2 * room ? n : (unsigned)(2 * room);
    if (!head.moves) return 0;
    memcpy(message->word + message->words, &head, sizeof head);
    memcpy(message->word + message->words + PARENT_WORDS, parent->multiplicity,
           head.multiplicities * sizeof *parent->multiplicity);
    message->words = children_at + (head.moves + 1) / 2;
    message->word[message->words - 1] = 0;
    memcpy(message->word + children_at, child, head.moves * sizeof *child);
    return head.moves;
}

static void send_children(DistributedFrontier *f, unsigned to, const PackedParent *parent, const WireChild *child,
                          unsigned n) {
    while (n) {
        const unsigned written = write_parent(f->message + to, parent, child, n);
        if (!written) send_message(f, to, WIRE_CHILDREN, false);
        child += written, n -= written;
    }
}

/* High bits: a set of positions (perft/position_set.h) chooses its slots by lower ones. */
static unsigned owner_of_key(const RankContext *rank, Key key) {
    return (unsigned)((unsigned __int128)(key[1] * 0x9e3779b97f4a7c15ull) * rank->ranks >> 64);
}

static void expand_parent(DistributedFrontier *f, const Frontier *from, size_t unit, uint64_t origin) {
    enum { SENT = UINT32_MAX };
    Move list[MOVES_MAX];
    WireChild child[MOVES_MAX];
    unsigned owner[MOVES_MAX];
    const Position *p = from->units.position + unit;
    const Key key = from->units.key[unit];
    const unsigned n = moves_list(p, list);
    PackedParent parent;
    parent.head = (WireParent){.origin = origin, .key = {key[0], key[1]}};
    parent.head.multiplicities = pack_multiplicities(from, unit, parent.multiplicity);
    memcpy(parent.head.position, p, sizeof *p);
    for (unsigned i = 0; i < n; i++)
        owner[i] = owner_of_key(f->rank, position_key_after(p, key, list[i], &f->rank->zobrist));
    for (unsigned i = 0; i < n; i++) {
        if (owner[i] == SENT) continue;
        const unsigned to = owner[i];
        unsigned children = 0;
        for (unsigned k = i; k < n; k++)
            if (owner[k] == to) child[children++] = (WireChild){list[k], (uint16_t)k}, owner[k] = SENT;
        send_children(f, to, &parent, child, children);
    }
}

static void expand_some(DistributedFrontier *f) {
    const OwnedPly *above = f->owned + f->current - 1;
    const Frontier *from = f->current == 1 ? &f->base : &above->ply;
    for (unsigned i = 0; i < PARENTS_PER_STEP && f->next < f->end; i++, f->next++)
        expand_parent(f, from, f->next, f->current == 1 ? f->next : above->origin[f->next]);
    if (f->next < f->end) return;
    f->stage = OWNER_MERGING;
    for (unsigned to = 0; to < f->rank->ranks; to++) send_message(f, to, WIRE_CHILDREN, true);
}

/* ---- merging ---- */

static bool note_origin(OwnedPly *owned, size_t unit, uint64_t origin) {
    if (unit >= owned->origins) {
        const size_t room = 2 * unit + 256;
        uint64_t *larger = realloc(owned->origin, room * sizeof *larger);
        if (!larger) return false;
        memset(larger + owned->origins, 0xff, (room - owned->origins) * sizeof *larger);
        owned->origin = larger, owned->origins = room;
    }
    if (origin < owned->origin[unit]) owned->origin[unit] = origin;
    return true;
}

static bool merge_child(const Zobrist *z, OwnedPly *owned, const WireParent *parent, const uint64_t *packed,
                        WireChild child) {
    Frontier *ply = &owned->ply;
    Position from;
    size_t unit;
    bool is_new;
    memcpy(&from, parent->position, sizeof from);
    const Key key = position_key_after(&from, (Key){parent->key[0], parent->key[1]}, child.move, z);
    if (!position_set_add(&ply->units, key, &unit, &is_new, NULL)) return false;
    if (is_new) position_make_move(&ply->units.position[unit], &from, child.move);
    if (is_new && !frontier_begin_multiplicities(ply, unit, NULL)) return false;
    assert(unit < ply->units.n && ply->units.n <= ply->capacity);
    uint64_t *paths = ply->multiplicity + unit * ply->roots;
    for (unsigned i = 0; i < parent->multiplicities; i++) {
        const uint64_t root = wire_multiplicity_root(packed[i]);
        if (root < ply->roots) paths[root] += wire_multiplicity_paths(packed[i]);
    }
    return note_origin(owned, unit, parent->origin << MOVE_NUMBER_BITS | child.number);
}

/* False when memory is out. A parent that exceeds the message is another program's, though the checksum was right. */
static bool merge_children(const Zobrist *z, OwnedPly *owned, const uint64_t *word, size_t words) {
    for (size_t at = 1; at + PARENT_WORDS <= words;) {
        WireParent parent;
        WireChild child;
        memcpy(&parent, word + at, sizeof parent);
        const uint64_t *packed = word + at + PARENT_WORDS;
        at += PARENT_WORDS + (size_t)parent.multiplicities + ((size_t)parent.moves + 1) / 2;
        if (at > words) return true;
        for (unsigned i = 0; i < parent.moves; i++) {
            memcpy(&child, (const char *)(packed + parent.multiplicities) + i * sizeof child, sizeof child);
            if (!merge_child(z, owned, &parent, packed, child)) return false;
        }
    }
    return true;
}

static void receive_children(DistributedFrontier *f, unsigned from, const void *bytes, size_t n) {
    uint64_t word[WIRE_WORDS_MAX];
    WirePlyHeader header;
    if (n < sizeof header || n > sizeof word) return;
    memcpy(word, bytes, n);
    memcpy(&header, bytes, sizeof header);
    if (header.ply < 1 || header.ply > f->plies) return;
    OwnedPly *owned = f->owned + header.ply;
    if (!sequence_set_insert(owned->received + from, header.sequence, header.last)) return;
    if (!merge_children(&f->rank->zobrist, owned, word, n / sizeof *word))
        run_error_set(f->rank->error, "not enough memory for the frontier");
    owned->complete += sequence_set_is_complete(owned->received + from);
    assert(owned->complete <= f->rank->ranks);
}

/* ---- when a ply is complete ---- */

static void receive_next_ply(DistributedFrontier *f, const void *bytes, size_t n) {
    WirePlyHeader header;
    if (n != sizeof header || f->stage != OWNER_REPORTED) return;
    memcpy(&header, bytes, sizeof header);
    if (!header.last && header.ply == f->current + 1 && header.ply <= f->plies) begin_ply(f, header.ply);
    if (!header.last || header.ply < 1 || header.ply > f->current) return;
    f->stage = OWNER_SENDING;
    f->current = header.ply;
    f->next = 0, f->end = f->owned[f->current].ply.units.n;
    f->message[0].sequence = 0;
}

/* A record: origin, number of multiplicities, these. */
static void send_some(DistributedFrontier *f) {
    const OwnedPly *owned = f->owned + f->current;
    uint64_t packed[MOVES_MAX];
    for (unsigned i = 0; i < UNITS_PER_STEP && f->next < f->end; i++, f->next++) {
        const unsigned multiplicities = pack_multiplicities(&owned->ply, f->next, packed);
        PlyMessage *message = f->message;
        if (message->words + 2 + multiplicities > WIRE_WORDS_MAX) send_message(f, 0, WIRE_GATHER, false);
        message->word[message->words++] = owned->origin[f->next];
        message->word[message->words++] = multiplicities;
        memcpy(message->word + message->words, packed, multiplicities * sizeof *packed);
        message->words += multiplicities;
    }
    if (f->next < f->end) return;
    f->stage = OWNER_DONE;
    send_message(f, 0, WIRE_GATHER, true);
}

/* The stage changes first: rank 0 may answer itself at once. */
static void report_size(DistributedFrontier *f) {
    f->stage = OWNER_REPORTED;
    const uint64_t size[2] = {(uint64_t)f->current, f->owned[f->current].ply.units.n};
    outbox_send(f->rank->outbox, 0, WIRE_PLY_SIZE, size, sizeof size);
}

bool distributed_frontier_step(DistributedFrontier *f) {
    if (!outbox_is_empty(f->rank->outbox)) return false; /* what is written must leave first */
    if (f->stage == OWNER_EXPANDING)
        expand_some(f);
    else if (f->stage == OWNER_SENDING)
        send_some(f);
    else if (f->stage == OWNER_MERGING && f->owned[f->current].complete == f->rank->ranks)
        report_size(f);
    else
        return false;
    return true;
}

void distributed_frontier_receive(DistributedFrontier *f, WireType type, unsigned from, const void *bytes, size_t n) {
    if (type == WIRE_CHILDREN) receive_children(f, from, bytes, n);
    if (type == WIRE_NEXT_PLY && from == 0) receive_next_ply(f, bytes, n);
    if (type == WIRE_PLY_SIZE && f->gather) frontier_gather_receive_size(f->gather, from, bytes, n);
    if (type == WIRE_GATHER && f->gather) frontier_gather_receive_records(f->gather, from, bytes, n);
}

/* ---- rank 0 ---- */

bool distributed_frontier_finish(DistributedFrontier *f, Frontier *out, uint64_t *distributed) {
    assert(f->gather);
    return frontier_gather_finish(f->gather, &f->base, out, distributed);
}

bool distributed_frontier_has_failed(const DistributedFrontier *f) {
    return frontier_gather_has_failed(f->gather);
}
