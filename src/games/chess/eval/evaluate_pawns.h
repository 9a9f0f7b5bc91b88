/* SPDX-License-Identifier: MIT */
/*
 * The pawns' part of the evaluation, the kings' shelter in it, and the table that remembers both: one record of three
 * words for each pair of pawn sets and king squares.
 *
 *     word 1   [ unused 32 | score 32 ]
 *     word 2   the passed pawns of both sides
 *     word 3   [ danger of black's king 32 | danger of white's king 32 ]
 *
 * What is read is believed only as far as it can do no harm: passed pawns are taken to be pawns (Crafty once crashed on
 * a file number of 8 that a mixed record held), and a score that no pawns have is a miss, as the sum could overflow.
 */
#pragma once
#include "evaluate_tally.h"

typedef struct {
    Bits passed;     /* of both sides */
    Bits can_hit[2]; /* squares that a side's pawns hit or may come to hit */
} PawnFacts;

/* The rank, as side c sees it, of the rearmost of some men of a file; 0: none. */
INLINE int rearmost_rank(Bits men, Colour c) {
    if (!men) return 0;
    return c == WHITE ? square_rank(first(men)) : 7 - square_rank(last(men));
}

/* A pawn that is not passed yet may come through where its helpers are as many as those who watch its way. */
INLINE bool is_candidate(Bits own, Bits foe, Bits b, Bits ahead, Colour us) {
    const Bits behind = fill_forward(b, (Colour)!us);
    return count(own & next_files(behind)) >= count(foe & next_files(ahead));
}

INLINE void free_pawn(Tally *t, Colour us, int s, bool linked) {
    const int rank = rank_of(us, s);
    add(t, us, PASSED + rank, 1);
    add(t, us, PASSED_FILE + file_from_edge(s), 1);
    if (linked) add(t, us, PASSED_LINKED + rank, 1);
}

INLINE void one_pawn(Tally *t, const Position *p, Colour us, int s, PawnFacts *facts) {
    const Colour them = (Colour)!us;
    const Bits own = p->pawn & p->side[us], foe = p->pawn & p->side[them], b = bit(s);
    const Bits file = FILE_A << square_file(s), beside = next_files(file), ahead = fill_forward(forward(b, us), us);
    const int rank = rank_of(us, s);
    const Bits support = pawn_attacks[them][s] & own, phalanx = next_files(b) & own;
    const bool opposed = ahead & file & foe, linked = support || phalanx;
    add_man(t, us, PAWN, s);
    if (support) add(t, us, SUPPORTED + rank, 1);
    if (several(support)) add(t, us, SUPPORTED_TWICE, 1);
    if (phalanx) add(t, us, PHALANX + rank, 1);
    if (linked && !opposed) add(t, us, LINKED_FREE + rank, 1);
    if (forward(b, us) & foe) add(t, us, BLOCKED + rank, 1);
    if (!support && several(pawn_attacks[us][s] & foe)) add(t, us, LEVERED, 1);
    if (ahead & file & own) add(t, us, DOUBLED + !support, 1);
    if (!(beside & own))
        add(t, us, ISOLATED + 4 * !opposed + file_from_edge(s), 1);
    else if (!(facts->can_hit[us] & b) && pawn_hits(foe, them) & forward(b, us) && !phalanx)
        add(t, us, BACKWARD + !opposed, 1);
    if (opposed || ahead & file & own) return;
    if (!(next_files(ahead) & foe)) {
        free_pawn(t, us, s, linked);
        facts->passed |= b;
    } else if (is_candidate(own, foe, b, ahead, us)) {
        add(t, us, CANDIDATE + rank, 1);
    }
}

/* Own pawns before the king, and the enemy's that come for it, on its file and the two beside. */
INLINE void shelter_terms(Tally *t, const Position *p, Colour us) {
    const int king = king_square(p, us);
    const int middle = square_file(king) < 1 ? 1 : square_file(king) > 6 ? 6 : square_file(king);
    const Bits ranks = ranks_of(us, rank_of(us, king), 7);
    for (int f = middle - 1; f <= middle + 1; f++) {
        const Bits file = FILE_A << f & ranks;
        const int beside = f == square_file(king) ? 0 : 8;
        const int own = rearmost_rank(file & p->pawn & p->side[us], us);
        const int foe = rearmost_rank(file & p->pawn & p->side[!us], us);
        add(t, us, SHELTER + 8 * file_from_edge(f) + own, 1);
        add(t, us, STORM + (own && foe == own + 1 ? 8 : 0) + foe, 1);
        add_danger(t, us, DANGER_SHELTER + beside + own, 1);
        add_danger(t, us, DANGER_STORM + beside + foe, 1);
    }
}

INLINE void king_among_pawns(Tally *t, const Position *p, Colour us) {
    const int king = king_square(p, us);
    int away = 7;
    EACH (s, p->pawn) {
        const int d = distance(king, (int)s);
        if (d < away) away = d;
    }
    add(t, us, KING_FROM_PAWNS + away, 1);
    const Bits flank = FILE_A * (square_file(king) < 4 ? 0x0f : 0xf0);
    if (!(p->pawn & flank)) add(t, us, PAWNLESS_FLANK, 1);
}

INLINE void pawns_of(Tally *t, const Position *p, Colour us, PawnFacts *facts) {
    EACH (s, p->pawn & p->side[us]) one_pawn(t, p, us, (int)s, facts);
    shelter_terms(t, p, us);
    king_among_pawns(t, p, us);
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

INLINE bool pawn_record_is_sane(const uint64_t words[PAWN_WORDS]) {
    return pawn_score_is_sane((uint32_t)words[0]) && pawn_score_is_sane((uint32_t)words[2]) &&
           pawn_score_is_sane((uint32_t)(words[2] >> 32));
}

/* The first terms of a tally. */
INLINE void pawn_terms(Tally *t, const Evaluator *e, const Position *p, PawnFacts *facts) {
    uint64_t words[PAWN_WORDS];
    facts->can_hit[WHITE] = pawn_hits(fill_forward(p->pawn & p->side[WHITE], WHITE), WHITE);
    facts->can_hit[BLACK] = pawn_hits(fill_forward(p->pawn & p->side[BLACK], BLACK), BLACK);
    if (!e->pawns) {
        all_pawns(t, p, facts);
        return;
    }
    const TabiaKey key = pawn_key(p);
    if (tabia_record_probe(e->pawns, key, words) && pawn_record_is_sane(words)) {
        t->score = (Score)(uint32_t)words[0];
        t->danger[WHITE] = (Score)(uint32_t)words[2], t->danger[BLACK] = (Score)(uint32_t)(words[2] >> 32);
        facts->passed = words[1] & p->pawn;
        return;
    }
    all_pawns(t, p, facts);
    words[0] = (uint32_t)t->score, words[1] = facts->passed;
    words[2] = (uint32_t)t->danger[WHITE] | (uint64_t)(uint32_t)t->danger[BLACK] << 32;
    tabia_record_store(e->pawns, key, words);
}
