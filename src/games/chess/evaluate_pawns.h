/* SPDX-License-Identifier: MIT */
/*
 * The pawns' part of the evaluation, and the table that remembers it: one record of two words for each pair of pawn
 * sets and king squares.
 *
 *     word 1   [ unused 32 | score 32 ]
 *     word 2   the passed pawns of both sides
 *
 * What is read is believed only as far as it can do no harm: passed pawns are taken to be pawns (Crafty once crashed on
 * a file number of 8 that a mixed record held), and a score that no pawns have is a miss, as the sum could overflow.
 */
#pragma once
#include "evaluate.h"

#define DARK 0xaa55aa55aa55aa55ull

/* A sum that is being made, and with a trace how often each weight was used, white's uses less black's. */
typedef struct {
    Score score;
    const Score *weight;
    EvaluationTrace *trace;
} Tally;

INLINE void add(Tally *t, Colour c, int weight, int times) {
    t->score += (c == WHITE ? times : -times) * t->weight[weight];
    if (t->trace) t->trace->coefficient[weight] += (int16_t)(c == WHITE ? times : -times);
}

/* A square as its owner sees it. */
INLINE int seen_by(Colour c, int s) {
    return c == WHITE ? s : s ^ 56;
}

typedef struct {
    Bits passed;     /* of both sides */
    Bits can_hit[2]; /* squares that a side's pawns hit or may come to hit */
} PawnFacts;

INLINE Bits fill_forward(Bits b, Colour c) {
    if (c == WHITE) {
        b |= b << 8, b |= b << 16;
        return b | b << 32;
    }
    b |= b >> 8, b |= b >> 16;
    return b | b >> 32;
}

INLINE Bits next_files(Bits b) {
    return (b & ~FILE_H) << 1 | (b & ~FILE_A) >> 1;
}

/* The rank, as its owner sees it, of the rearmost of some men of a file for side c; 0: none. */
INLINE int rearmost_rank(Bits men, Colour c) {
    if (!men) return 0;
    return c == WHITE ? square_rank(first(men)) : 7 - square_rank(last(men));
}

INLINE void one_pawn(Tally *t, const Position *p, Colour us, int s, const PawnFacts *facts, Bits *passed) {
    const Colour them = (Colour)!us;
    const Bits own = p->pawn & p->side[us], foe = p->pawn & p->side[them], b = bit(s);
    const Bits file = FILE_A << square_file(s), beside = next_files(file), ahead = fill_forward(forward(b, us), us);
    const int rank = square_rank(seen_by(us, s));
    add(t, us, PAWN_ON + seen_by(us, s), 1);
    add(t, us, MATERIAL + PAWN, 1);
    const bool supported = pawn_attacks[them][s] & own, phalanx = next_files(b) & own;
    if (supported) add(t, us, SUPPORTED + rank, 1);
    if (phalanx) add(t, us, PHALANX + rank, 1);
    if (ahead & file & own) add(t, us, DOUBLED, 1);
    if (!(beside & own))
        add(t, us, ISOLATED, 1);
    else if (!(facts->can_hit[us] & b) && pawn_hits(foe, them) & forward(b, us) && !phalanx)
        add(t, us, BACKWARD, 1);
    if (!((ahead | next_files(ahead)) & foe) && !(ahead & own)) {
        add(t, us, PASSED + rank, 1);
        *passed |= b;
    }
}

/* Own pawns before the king, and the enemy's that come for it, on its file and the two beside. */
INLINE void shelter_terms(Tally *t, const Position *p, Colour us) {
    const int king = king_square(p, us);
    const int middle = square_file(king) < 1 ? 1 : square_file(king) > 6 ? 6 : square_file(king);
    const Bits ranks = us == WHITE ? ~(Bits)0 << (king & 56) : ~(Bits)0 >> (56 - (king & 56));
    for (int f = middle - 1; f <= middle + 1; f++) {
        const Bits file = FILE_A << f & ranks;
        const int kind = f == square_file(king) ? 0 : 8;
        add(t, us, SHELTER + kind + rearmost_rank(file & p->pawn & p->side[us], us), 1);
        add(t, us, STORM + kind + rearmost_rank(file & p->pawn & p->side[!us], us), 1);
    }
}

INLINE void pawns_of(Tally *t, const Position *p, Colour us, PawnFacts *facts) {
    EACH (s, p->pawn & p->side[us]) one_pawn(t, p, us, (int)s, facts, &facts->passed);
    shelter_terms(t, p, us);
}

INLINE void all_pawns(Tally *t, const Position *p, PawnFacts *facts) {
    facts->passed = 0;
    pawns_of(t, p, WHITE, facts);
    pawns_of(t, p, BLACK, facts);
}

/* The product's two halves together: every bit of either factor reaches every bit (Wang Yi, wyhash, 2019). */
INLINE uint64_t fold(uint64_t a, uint64_t b) {
    const unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/*
 * Pawns and kings alone decide, so they alone make the key, straight from the sets: pawns leave the first rank empty,
 * where the king's square finds room. Both words of a side are read back from it, so different structures are
 * different inputs; that two of them meet in the 62 bits that are compared and in the line is one in 2^62 for the
 * probed line's two records each, once in 10^18 probes.
 */
INLINE TabiaKey pawn_key(const Position *p) {
    const uint64_t white = (p->pawn & p->side[WHITE]) | (uint64_t)king_square(p, WHITE);
    const uint64_t black = (p->pawn & p->side[BLACK]) | (uint64_t)king_square(p, BLACK);
    return (TabiaKey){fold(white ^ 0x9e3779b97f4a7c15, black ^ 0xd1b54a32d192ed03),
                      fold(white ^ 0x8bb84b93962eacc9, black ^ 0x4b33a62ed433d4a3)};
}

enum { PAWN_SCORE_MAX = 12000 };

/* Both halves of a word that was read, unpacked without a sum that could overflow. */
INLINE bool pawn_score_is_sane(uint32_t word) {
    const int middle = (int16_t)(uint16_t)word, end = (int16_t)(uint16_t)((word + 0x8000u) >> 16);
    return middle <= PAWN_SCORE_MAX && middle >= -PAWN_SCORE_MAX && end <= PAWN_SCORE_MAX && end >= -PAWN_SCORE_MAX;
}

INLINE void pawn_terms(Tally *t, Evaluator *e, const Position *p, PawnFacts *facts) {
    uint64_t words[PAWN_WORDS];
    facts->can_hit[WHITE] = pawn_hits(fill_forward(p->pawn & p->side[WHITE], WHITE), WHITE);
    facts->can_hit[BLACK] = pawn_hits(fill_forward(p->pawn & p->side[BLACK], BLACK), BLACK);
    if (!e->pawns) {
        all_pawns(t, p, facts);
        return;
    }
    const TabiaKey key = pawn_key(p);
    e->probes++;
    if (tabia_record_probe(e->pawns, key, words) && pawn_score_is_sane((uint32_t)words[0])) {
        e->hits++;
        t->score += (Score)(uint32_t)words[0];
        facts->passed = words[1] & p->pawn;
        return;
    }
    const Score before = t->score;
    all_pawns(t, p, facts);
    words[0] = (uint32_t)(t->score - before), words[1] = facts->passed;
    tabia_record_store(e->pawns, key, words);
}
