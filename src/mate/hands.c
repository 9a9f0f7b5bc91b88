/* SPDX-License-Identifier: MIT */
/*
 * What a result says of the same board with other hands: a mate stays one if the attacker has more in hand, and so the
 * defender less; and where there is none, there is none with less (Nagai, 2002).
 *
 * A solved node has a hand: of a proof one with which the same moves mate, of a disproof one with which the same answers
 * hold. These are kept in records of their own, under the board alone, the last ones that do not follow from another.
 */
#include "mate_worker.h"

enum { HANDS_KEPT = 2 };

/* A word of such a record: hand 31 | valid 1 | length 16 | move 16. */
static uint64_t word_of(const MateFrame *f) {
    return (uint64_t)f->hand << 33 | (uint64_t)1 << 32 | (uint64_t)f->length << 16 | f->move;
}

static bool is_valid(uint64_t word) {
    return word >> 32 & 1;
}
static uint32_t hand_of(uint64_t word) {
    return (uint32_t)(word >> 33);
}
static unsigned length_of(uint64_t word) {
    return word >> 16 & UINT16_MAX;
}

static TabiaKey board_key(const MateSolver *s, const MateFrame *f, int side) {
    return mate_record_key(mate_board_key(s, f), 0, mate_mix(~(uint64_t)side));
}

/* Does what is known with hand a hold with b? */
static bool holds(uint32_t a, uint32_t b, int side) {
    return side == PROOF ? game_hand_covers(b, a) : game_hand_covers(a, b);
}

static uint32_t defender_hand(const MateFrame *f) {
    return mate_hand(&f->position, !f->attacks);
}

uint32_t mate_won_hand(const MateFrame *f, const MateChild *c) {
    const uint32_t own = mate_hand(&f->position, f->attacks);
    if (f->left) return own;
    return f->attacks ? game_hand_before(&f->position, c->move, c->hand)
                      : game_hand_min(c->hand, own + defender_hand(f));
}

/* With pieces of a type that the attacker lacks he might give other checks; and with those that the defender lacks, the
   defender might interpose. */
uint32_t mate_lost_hand(const MateFrame *f, const MateChild *child) {
    const uint32_t own = mate_hand(&f->position, f->attacks), others = defender_hand(f);
    uint32_t hand = f->attacks ? own + others : 0;
    if (f->left) return own;
    for (unsigned i = 0; i < f->children; i++)
        hand = f->attacks ? game_hand_min(hand, game_hand_before(&f->position, child[i].move, child[i].hand))
                          : game_hand_max(hand, child[i].hand);
    if (f->attacks) return game_hand_common(hand, own);
    return game_may_interpose(&f->position) ? game_hand_max(hand, own - game_hand_common(own, others)) : hand;
}

bool mate_probe_hands(const MateSolver *s, const MateFrame *f, MateRecord *r) {
    const uint32_t hand = mate_hand(&f->position, f->attacks);
    for (int side = PROOF; side <= DISPROOF; side++) {
        uint64_t words[MATE_RECORD_WORDS] = {0};
        if (!tabia_record_probe(s->table, board_key(s, f, side), words)) continue;
        for (int i = 0; i < HANDS_KEPT; i++) {
            const uint64_t w = words[i];
            if (!is_valid(w) || !holds(hand_of(w), hand, side)) continue;
            if (f->left && side == PROOF && length_of(w) >= f->left) continue;
            *r = (MateRecord){.move = (Move)w,
                              .length = side == PROOF ? (uint16_t)length_of(w) : 0,
                              .hand = hand_of(w),
                              .ply = MATE_PLY_NONE};
            r->number[side] = 0, r->number[!side] = MATE_NUMBER_MAX;
            return true;
        }
    }
    return false;
}

void mate_store_hands(MateSolver *s, const MateFrame *f, uint32_t work) {
    const int side = f->number[PROOF] ? DISPROOF : PROOF;
    const TabiaKey key = board_key(s, f, side);
    uint64_t words[MATE_RECORD_WORDS] = {0};
    tabia_record_probe(s->table, key, words);
    int at = HANDS_KEPT - 1;
    for (int i = HANDS_KEPT - 1; i >= 0; i--) {
        if (!is_valid(words[i])) {
            at = i;
            continue;
        }
        if (holds(hand_of(words[i]), f->hand, side) && (side == DISPROOF || length_of(words[i]) <= f->length)) return;
        if (holds(f->hand, hand_of(words[i]), side) && (side == DISPROOF || f->length <= length_of(words[i]))) at = i;
    }
    for (; at > 0; at--) words[at] = words[at - 1];
    words[0] = word_of(f);
    const uint64_t all = (words[HANDS_KEPT] >> 32) + work;
    words[HANDS_KEPT] = (all < UINT32_MAX ? all : UINT32_MAX) << 32;
    tabia_record_store(s->table, key, words);
}
