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
#include "evaluate_terms.h"

typedef struct {
    Bits passed;         /* of both sides */
    Bits attack_span[2]; /* squares that a side's pawns attack now or after advancing */
} PawnStructure;

/* The relative rank of the rearmost of some pieces of a file; 0: none. */
INLINE int rearmost_rank(Bits pieces, Colour c) {
    if (!pieces) return 0;
    return c == WHITE ? rank_of(lsb(pieces)) : 7 - rank_of(msb(pieces));
}

/* A candidate: at least as many supporters as enemy pawns that guard its path. */
INLINE bool is_candidate(Bits own, Bits foe, Bits b, Bits ahead, Colour us) {
    const Bits behind = fill_forward(b, (Colour)!us);
    return popcount(own & adjacent_files(behind)) >= popcount(foe & adjacent_files(ahead));
}

INLINE void passed_pawn_terms(EvaluationSum *t, Colour us, int s, bool linked) {
    const int rank = relative_rank(us, s);
    assert(rank > 0 && rank < 7);
    add_term(t, us, PASSED + rank, 1);
    add_term(t, us, PASSED_FILE + edge_distance(s), 1);
    if (linked) add_term(t, us, PASSED_CONNECTED + rank, 1);
}

INLINE void single_pawn_terms(EvaluationSum *t, const Position *p, Colour us, int s, PawnStructure *structure) {
    const Colour them = (Colour)!us;
    const Bits own = p->pawn & p->side[us], foe = p->pawn & p->side[them], b = bit(s);
    const Bits file = FILE_A << file_of(s), beside = adjacent_files(file), ahead = fill_forward(forward(b, us), us);
    const int rank = relative_rank(us, s);
    const Bits support = pawn_attacks[them][s] & own, phalanx = adjacent_files(b) & own;
    const bool opposed = ahead & file & foe, linked = support || phalanx;
    add_piece_square(t, us, PAWN, s);
    if (support) add_term(t, us, SUPPORTED + rank, 1);
    if (more_than_one(support)) add_term(t, us, SUPPORTED_TWICE, 1);
    if (phalanx) add_term(t, us, PHALANX + rank, 1);
    if (linked && !opposed) add_term(t, us, CONNECTED_UNOPPOSED + rank, 1);
    if (forward(b, us) & foe) add_term(t, us, BLOCKED + rank, 1);
    if (!support && more_than_one(pawn_attacks[us][s] & foe)) add_term(t, us, WEAK_LEVER, 1);
    if (ahead & file & own) add_term(t, us, DOUBLED + !support, 1);
    if (!(beside & own))
        add_term(t, us, ISOLATED + 4 * !opposed + edge_distance(s), 1);
    else if (!(structure->attack_span[us] & b) && pawn_set_attacks(foe, them) & forward(b, us) && !phalanx)
        add_term(t, us, BACKWARD + !opposed, 1);
    if (opposed || ahead & file & own) return;
    if (!(adjacent_files(ahead) & foe)) {
        passed_pawn_terms(t, us, s, linked);
        structure->passed |= b;
    } else if (is_candidate(own, foe, b, ahead, us)) {
        add_term(t, us, CANDIDATE + rank, 1);
    }
}

/* Pawn shelter and pawn storm on the king's file and the two beside it. */
INLINE void shelter_terms(EvaluationSum *t, const Position *p, Colour us) {
    const int king = king_square(p, us);
    const int middle = file_of(king) < 1 ? 1 : file_of(king) > 6 ? 6 : file_of(king);
    const Bits ranks = ranks_of(us, relative_rank(us, king), 7);
    for (int f = middle - 1; f <= middle + 1; f++) {
        const Bits file = FILE_A << f & ranks;
        const int beside = f == file_of(king) ? 0 : 8;
        const int own = rearmost_rank(file & p->pawn & p->side[us], us);
        const int foe = rearmost_rank(file & p->pawn & p->side[!us], us);
        add_term(t, us, SHELTER + 8 * edge_distance(f) + own, 1);
        add_term(t, us, STORM + (own && foe == own + 1 ? 8 : 0) + foe, 1);
        add_danger(t, us, DANGER_SHELTER + beside + own, 1);
        add_danger(t, us, DANGER_STORM + beside + foe, 1);
    }
}

INLINE void king_pawn_terms(EvaluationSum *t, const Position *p, Colour us) {
    const int king = king_square(p, us);
    int away = 7;
    EACH (s, p->pawn) {
        const int d = distance(king, (int)s);
        if (d < away) away = d;
    }
    add_term(t, us, KING_PAWN_DISTANCE + away, 1);
    const Bits flank = FILE_A * (file_of(king) < 4 ? 0x0f : 0xf0);
    if (!(p->pawn & flank)) add_term(t, us, PAWNLESS_FLANK, 1);
}

INLINE void side_pawn_terms(EvaluationSum *t, const Position *p, Colour us, PawnStructure *structure) {
    EACH (s, p->pawn & p->side[us]) single_pawn_terms(t, p, us, (int)s, structure);
    shelter_terms(t, p, us);
    king_pawn_terms(t, p, us);
}

INLINE void pawn_structure_terms(EvaluationSum *t, const Position *p, PawnStructure *structure) {
    structure->passed = 0;
    side_pawn_terms(t, p, WHITE, structure);
    side_pawn_terms(t, p, BLACK, structure);
}

/* Both halves of the product combined: every bit of either factor affects every bit (Wang Yi, wyhash, 2019). */
INLINE uint64_t fold_product(uint64_t a, uint64_t b) {
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
    return (TabiaKey){fold_product(white ^ 0x9e3779b97f4a7c15, black ^ 0xd1b54a32d192ed03),
                      fold_product(white ^ 0x8bb84b93962eacc9, black ^ 0x4b33a62ed433d4a3)};
}

enum { PAWN_SCORE_MAX = 12000 };

/* Both halves of a word that was read, unpacked without a sum that could overflow. */
INLINE bool pawn_score_is_valid(uint32_t word) {
    const int middle = (int16_t)(uint16_t)word, end = (int16_t)(uint16_t)((word + 0x8000u) >> 16);
    return middle <= PAWN_SCORE_MAX && middle >= -PAWN_SCORE_MAX && end <= PAWN_SCORE_MAX && end >= -PAWN_SCORE_MAX;
}

INLINE bool pawn_record_is_valid(const uint64_t words[PAWN_WORDS]) {
    return pawn_score_is_valid((uint32_t)words[0]) && pawn_score_is_valid((uint32_t)words[2]) &&
           pawn_score_is_valid((uint32_t)(words[2] >> 32));
}

/* The first terms of a sum. */
INLINE void pawn_terms(EvaluationSum *t, const Evaluator *e, const Position *p, PawnStructure *structure) {
    uint64_t words[PAWN_WORDS];
    structure->attack_span[WHITE] = pawn_set_attacks(fill_forward(p->pawn & p->side[WHITE], WHITE), WHITE);
    structure->attack_span[BLACK] = pawn_set_attacks(fill_forward(p->pawn & p->side[BLACK], BLACK), BLACK);
    if (!e->pawns) {
        pawn_structure_terms(t, p, structure);
        return;
    }
    const TabiaKey key = pawn_key(p);
    if (tabia_record_probe(e->pawns, key, words) && pawn_record_is_valid(words)) {
        t->score = (Score)(uint32_t)words[0];
        t->danger[WHITE] = (Score)(uint32_t)words[2], t->danger[BLACK] = (Score)(uint32_t)(words[2] >> 32);
        structure->passed = words[1] & p->pawn;
        return;
    }
    pawn_structure_terms(t, p, structure);
    assert(!(structure->passed & ~p->pawn));
    words[0] = (uint32_t)t->score, words[1] = structure->passed;
    words[2] = (uint32_t)t->danger[WHITE] | (uint64_t)(uint32_t)t->danger[BLACK] << 32;
    assert(pawn_record_is_valid(words));
    tabia_record_store(e->pawns, key, words);
}
