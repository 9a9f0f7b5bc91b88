/* SPDX-License-Identifier: MIT */
/*
 * What a thread remembers of unsolved nodes beside the table. It guides the search and proves nothing, so an entry may be
 * overwritten, or belong to another position whose key has the same half.
 *
 * Parents: the way by which a node was last reached. If it leads back to a node of the path by another child than the path takes,
 * then the node is below both, and its leaves are counted twice there. These children overlap (Kishimoto, source nodes,
 * 2010; KomoringHeights).
 *
 *           A          A is on the path, and so are P and N. N is to enter C, which was last reached by way of Q:
 *          / \         the children P and Q of A overlap.
 *         P   Q
 *         |   |
 *         N   .
 *          \ /
 *           C
 *
 * Boards: the numbers of a board with some hands. With less in hand the attacker has no less to prove; with more, the defender
 * has no less to disprove (KomoringHeights).
 */
#include <stdlib.h>

#include "mate_worker.h"

enum { BOARDS_MAX = 1 << 18, HANDS = 4, SLACK = 3 };

typedef struct {
    uint64_t key, parent;
    uint32_t number[2];
} Parent;

typedef struct {
    uint64_t key;
    uint32_t hand[HANDS], number[HANDS][2];
    unsigned next; /* which is overwritten */
} Board;

typedef struct {
    Board board;
    Parent parent[2];
} MemorySlot;

struct MateMemory {
    uint64_t salt; /* of this search: entries of others do not match */
    uint64_t slots;
    MemorySlot slot[];
};

static size_t slots_in(size_t bytes) {
    return mate_fit(bytes, sizeof(MemorySlot), BOARDS_MAX);
}

MateMemory *mate_memory_create(size_t bytes) {
    const size_t slots = slots_in(bytes);
    MateMemory *m = calloc(1, sizeof *m + slots * sizeof *m->slot);
    if (m) m->slots = slots;
    return m;
}

size_t mate_memory_bytes(size_t max) {
    return slots_in(max) * sizeof(MemorySlot);
}

void mate_memory_reset(MateMemory *m) {
    m->salt = mate_mix(m->salt + 1);
}

static Board *board_of(MateMemory *m, uint64_t key) {
    return &m->slot[key & (m->slots - 1)].board;
}
static Parent *parent_of(MateMemory *m, uint64_t key) {
    return &m->slot[key & (m->slots - 1)].parent[key / m->slots % 2];
}

static void remember_board(MateMemory *m, const MateFrame *f) {
    const uint64_t key = f->board[1] ^ m->salt;
    const uint32_t hand = mate_hand(&f->position, f->attacks);
    Board *b = board_of(m, f->board[1]);
    if (b->key != key) *b = (Board){.key = key};
    unsigned i = 0;
    while (i < HANDS && (!b->number[i][PROOF] || b->hand[i] != hand)) i++;
    if (i == HANDS) i = b->next++ % HANDS;
    b->hand[i] = hand, b->number[i][PROOF] = f->number[PROOF], b->number[i][DISPROOF] = f->number[DISPROOF];
}

void mate_remember(MateWorker *w) {
    const MateFrame *f = mate_top(w);
    MateMemory *m = w->memory;
    if (f->left || mate_is_solved(f->number)) return;
    if (w->solver->uses_hands) remember_board(m, f);
    *parent_of(m, f->key[1]) = (Parent){f->key[1] ^ m->salt, f[-1].key[1], {f->number[PROOF], f->number[DISPROOF]}};
}

static void raise(uint32_t *number, uint32_t to) {
    if (*number < to) *number = to;
}

void mate_raise(const MateWorker *w, const MateFrame *n, MateChild *c) {
    if (!w->solver->uses_hands || n->left || mate_is_solved(c->number)) return;
    const uint64_t key = mate_board_key(w->solver, n)[1];
    const Board *b = board_of(w->memory, key);
    if (b->key != (key ^ w->memory->salt)) return;
    for (unsigned i = 0; i < HANDS && b->number[i][PROOF]; i++) {
        if (game_hand_covers(b->hand[i], c->hand)) raise(&c->number[PROOF], b->number[i][PROOF]);
        if (game_hand_covers(c->hand, b->hand[i])) raise(&c->number[DISPROOF], b->number[i][DISPROOF]);
    }
}

/* ---- children that overlap ---- */

/* The ply of a position on the path; -1: it is not there. */
static int ply_of(const MateWorker *w, uint64_t key) {
    int ply = w->on_path[key % MATE_FILTER] ? w->ply : -1;
    while (ply >= 0 && w->frame[ply].key[1] != key) ply--;
    return ply;
}

/* Where the parents of a child meet the path, and by which child; -1: nowhere, or what is between has other leaves in plenty. */
static int find_meeting(const MateWorker *w, uint64_t *child) {
    MateMemory *m = w->memory;
    uint32_t below[2] = {MATE_NUMBER_MAX, MATE_NUMBER_MAX};
    bool counts[2] = {true, true};
    for (int steps = 0; steps < w->ply && (counts[PROOF] || counts[DISPROOF]); steps++) {
        const Parent *p = parent_of(m, *child);
        if (p->key != (*child ^ m->salt)) return -1;
        for (int side = PROOF; side <= DISPROOF; side++)
            counts[side] &= p->number[side] <= below[side] + SLACK, below[side] = p->number[side];
        const int ply = ply_of(w, p->parent);
        if (ply >= 0) return ply < w->ply && counts[mate_is_attacker(ply) ? DISPROOF : PROOF] ? ply : -1;
        *child = p->parent;
    }
    return -1;
}

/* Does the path below a node count hardly more than what it leads to? */
static bool is_narrow(const MateWorker *w, int ply) {
    const int side = mate_is_attacker(ply) ? DISPROOF : PROOF;
    for (int i = w->ply - 2 + (w->ply - ply) % 2; i > ply; i -= 2) {
        const MateFrame *f = &w->frame[i];
        if (f->number[side] > mate_child(w, f, f->chosen)->number[side] + SLACK) return false;
    }
    return true;
}

static void mark(const MateWorker *w, MateFrame *f, unsigned i) {
    mate_child(w, f, i)->overlaps = true;
    if (i < 32) f->entry.overlaps |= 1u << i;
}

void mate_find_overlap(MateWorker *w, unsigned chosen) {
    const MateChild *c = mate_child(w, mate_top(w), chosen);
    uint64_t child = c->key[1];
    const int ply = mate_top(w)->left || c->ply == MATE_PLY_NONE ? -1 : find_meeting(w, &child);
    if (ply < 0 || !is_narrow(w, ply)) return;
    MateFrame *f = &w->frame[ply];
    for (unsigned i = 0; i < f->children; i++)
        if (i != f->chosen && mate_child(w, f, i)->key[1] == child) mark(w, f, i), mark(w, f, f->chosen);
}
