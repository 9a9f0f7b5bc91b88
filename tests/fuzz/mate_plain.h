/* SPDX-License-Identifier: MIT */
/*
 * Mates by a plain search of all checks and all answers to a number of plies, which is independent of the solver: no proof numbers,
 * no paths, and what is known of a position holds for the plies that are left, under the whole key.
 */
#pragma once
#include "mate_graph.h"

/* What is known of a position with the attacker to move: no mate within so many plies, and a mate within so many (0: none). */
typedef struct {
    Key key;
    bool used;
    uint8_t no, yes;
} PlainKnown;

typedef struct {
    PlainKnown *known;
    unsigned room, used;
    bool interposes; /* else the defender does not: a mate is at least as long as then */
    Zobrist zobrist;
} Plain;

static inline Plain *plain_create(unsigned room) {
    Plain *s = calloc(1, sizeof *s);
    assert(s);
    s->room = room, s->known = aligned_alloc(64, room * sizeof *s->known);
    assert(s->known);
    zobrist_init(&s->zobrist, 1);
    return s;
}

static inline void plain_destroy(Plain *s) {
    free(s->known), free(s);
}

static inline void plain_begin(Plain *s, bool interposes) {
    memset(s->known, 0, s->room * sizeof *s->known);
    s->used = 0, s->interposes = interposes;
}

/* No answer that a full memory gives counts. */
static inline bool plain_is_full(const Plain *s) {
    return s->used > s->room / 2;
}

static inline PlainKnown *plain_find(Plain *s, Key key) {
    uint64_t at = key[0] % s->room;
    while (s->known[at].used && !key_same(s->known[at].key, key)) at = (at + 1) % s->room;
    if (!s->known[at].used) s->known[at] = (PlainKnown){.key = key, .used = true}, s->used++;
    return &s->known[at];
}

static inline bool plain_mates(Plain *s, const Position *p, Key key, unsigned plies);

/* Is the defender mated within so many plies, whatever he plays? */
static inline bool plain_loses(Plain *s, const Position *p, Key key, unsigned plies) {
    Move list[MOVES_MAX];
    const unsigned n = game_moves(p, list);
    for (unsigned i = 0; i < n; i++) {
        Position next;
        if (!s->interposes && game_interposes(p, list[i])) continue;
        game_make_move(&next, p, list[i]);
        if (plies < 2 || !plain_mates(s, &next, game_key_after(&s->zobrist, p, key, list[i]), plies - 1)) return false;
    }
    return n || game_no_move_loses(p);
}

static inline bool plain_mates_by_check(Plain *s, const Position *p, Key key, unsigned plies) {
    Move list[MOVES_MAX];
    const unsigned n = list_checking_moves(p, (Colour)p->turn, list);
    for (unsigned i = 0; i < n && !plain_is_full(s); i++) {
        Position next;
        game_make_move(&next, p, list[i]);
        if (plain_loses(s, &next, game_key_after(&s->zobrist, p, key, list[i]), plies - 1)) return true;
    }
    return false;
}

/* Does the attacker mate within so many plies, an odd number? The fewest first. */
static inline bool plain_mates(Plain *s, const Position *p, Key key, unsigned plies) {
    PlainKnown *known = plain_find(s, key);
    for (unsigned n = known->no + 1u; n <= plies && !known->yes && !plain_is_full(s); n += 2) {
        if (plain_mates_by_check(s, p, key, n))
            known->yes = (uint8_t)n;
        else
            known->no = (uint8_t)(n + 1);
    }
    return known->yes && known->yes <= plies;
}
