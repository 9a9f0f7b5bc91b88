/* SPDX-License-Identifier: MIT */
/*
 * The evaluation, one text for playing and for tuning: with a trace, every term notes how often it was used. From
 * white's side. The parts that depend on pawns alone are kept in the pawn table.
 */
#pragma once
#include "evaluate.h"

#include "evaluate_pawns.h"

/* Everything of one side that its terms and the other's need. */
typedef struct {
    Bits by_pawn, by_minor, by_rook, all, twice;
    Bits knight_hits, bishop_hits, rook_hits, queen_hits;
} Hits;

/* Squares a side's pieces may count as moves: not behind enemy pawns' covers, not its own king or pawns. */
INLINE Bits mobility_area(const Position *p, Colour us) {
    const Bits own = p->side[us];
    return ~(pawn_hits(p->pawn & p->side[!us], (Colour)!us) | (own & (p->pawn | p->king)));
}

INLINE void note_hits(Hits *h, Bits hits) {
    h->twice |= h->all & hits;
    h->all |= hits;
}

INLINE void piece_terms(Tally *t, const Position *p, Colour us, Hits *h, const PawnFacts *pawns) {
    const Colour them = (Colour)!us;
    const Bits own = p->side[us], occ = occupied(p), area = mobility_area(p, us);
    const Bits own_pawns = own & p->pawn, queens = own & p->diag & p->orth;
    const Bits ours_half = us == WHITE ? 0x0000ffffff000000ull << 0 : 0x000000ffffff0000ull;
    const Bits outposts = ours_half & h->by_pawn & ~pawns->can_hit[them];
    EACH (s, own & p->knight) {
        const Bits hits = knight_attacks[s];
        note_hits(h, hits), h->knight_hits |= hits;
        add(t, us, KNIGHT_ON + seen_by(us, (int)s), 1), add(t, us, MATERIAL + KNIGHT, 1);
        add(t, us, KNIGHT_MOVES + count(hits & area), 1);
        if (outposts & bit((int)s)) add(t, us, OUTPOST, 1);
        if (forward(bit((int)s), us) & own_pawns) add(t, us, BEHIND_PAWN, 1);
    }
    EACH (s, (own & p->diag) ^ queens) {
        const Bits hits = bishop_attacks((int)s, occ ^ queens);
        note_hits(h, hits), h->bishop_hits |= hits;
        add(t, us, BISHOP_ON + seen_by(us, (int)s), 1), add(t, us, MATERIAL + BISHOP, 1);
        add(t, us, BISHOP_MOVES + count(hits & area), 1);
        if (outposts & bit((int)s)) add(t, us, OUTPOST + 1, 1);
        if (forward(bit((int)s), us) & own_pawns) add(t, us, BEHIND_PAWN, 1);
        add(t, us, BAD_BISHOP, count(own_pawns & (bit((int)s) & DARK ? DARK : ~DARK)));
    }
    h->by_minor = h->knight_hits | h->bishop_hits;
    EACH (s, (own & p->orth) ^ queens) {
        const Bits hits = rook_attacks((int)s, occ ^ (own & p->orth)), file = FILE_A << square_file((int)s);
        note_hits(h, hits), h->rook_hits |= hits;
        add(t, us, ROOK_ON + seen_by(us, (int)s), 1), add(t, us, MATERIAL + ROOK, 1);
        add(t, us, ROOK_MOVES + count(hits & area), 1);
        if (!(file & p->pawn))
            add(t, us, ROOK_OPEN, 1);
        else if (!(file & own_pawns))
            add(t, us, ROOK_HALF_OPEN, 1);
    }
    h->by_rook = h->rook_hits;
    EACH (s, queens) {
        const Bits hits = bishop_attacks((int)s, occ) | rook_attacks((int)s, occ);
        note_hits(h, hits), h->queen_hits |= hits;
        add(t, us, QUEEN_ON + seen_by(us, (int)s), 1), add(t, us, MATERIAL + QUEEN, 1);
        add(t, us, QUEEN_MOVES + count(hits & area), 1);
    }
    if (several((own & p->diag) ^ queens)) add(t, us, BISHOP_PAIR, 1);
}

/* What `them` hits around our king, in units that index the table of dangers. */
INLINE int danger_units(const Position *p, Colour us, const Hits *mine, const Hits *theirs) {
    const int king = king_square(p, us);
    const Bits ring = king_attacks[king] | forward(king_attacks[king], us) | bit(king);
    const Bits occ = occupied(p),
               safe = ~p->side[!us] & (~mine->all | (theirs->twice & ~mine->twice & king_attacks[king]));
    const Bits lines_orth = rook_attacks(king, occ), lines_diag = bishop_attacks(king, occ);
    int units = count(ring & theirs->all & ~mine->by_pawn);
    units += 2 * ((ring & theirs->knight_hits) != 0) + 2 * ((ring & theirs->bishop_hits) != 0) +
             3 * ((ring & theirs->rook_hits) != 0) + 4 * ((ring & theirs->queen_hits) != 0);
    units += 3 * ((knight_attacks[king] & theirs->knight_hits & safe) != 0);
    units += 2 * ((lines_diag & theirs->bishop_hits & safe) != 0) + 4 * ((lines_orth & theirs->rook_hits & safe) != 0);
    units += 3 * (((lines_orth | lines_diag) & theirs->queen_hits & safe) != 0);
    units += count(king_attacks[king] & theirs->all & ~(mine->by_pawn | mine->by_minor | mine->by_rook));
    return units < DANGER_LAST - DANGER ? units : DANGER_LAST - DANGER;
}

INLINE void king_terms(Tally *t, const Position *p, Colour us, const Hits *mine, const Hits *theirs) {
    add(t, us, KING_ON + seen_by(us, king_square(p, us)), 1);
    if (p->side[!us] & p->diag & p->orth || several(p->side[!us] & p->orth))
        add(t, us, DANGER + danger_units(p, us, mine, theirs), 1);
}

INLINE void threats_by(Tally *t, const Position *p, Colour us, Term term, Bits hits) {
    const Bits prey = p->side[!us] & hits;
    if (!prey) return;
    add(t, us, term + 0, count(prey & p->knight));
    add(t, us, term + 1, count(prey & p->diag & ~p->orth));
    add(t, us, term + 2, count(prey & p->orth & ~p->diag));
    add(t, us, term + 3, count(prey & p->orth & p->diag));
}

INLINE void threat_terms(Tally *t, const Position *p, Colour us, const Hits *mine, const Hits *theirs) {
    const Bits foe = p->side[!us], empty = ~occupied(p);
    threats_by(t, p, us, PAWN_THREAT, mine->by_pawn);
    threats_by(t, p, us, MINOR_THREAT, mine->by_minor);
    threats_by(t, p, us, ROOK_THREAT, mine->by_rook);
    add(t, us, HANGING, count(foe & ~p->king & mine->all & ~theirs->all));
    const Bits steps = forward(p->pawn & p->side[us], us) & empty & ~theirs->by_pawn & (mine->all | ~theirs->all);
    add(t, us, PUSH_THREAT, count(pawn_hits(steps, us) & foe & ~p->pawn & ~p->king));
    const Bits middle = (FILE_A << 2 | FILE_A << 3 | FILE_A << 4 | FILE_A << 5) &
                        (us == WHITE ? RANK(1) | RANK(2) | RANK(3) : RANK(6) | RANK(5) | RANK(4));
    add(t, us, SPACE, count(middle & ~theirs->by_pawn & ~(p->side[us] & p->pawn)));
}

INLINE int distance(int a, int b) {
    const int files = square_file(a) - square_file(b), ranks = square_rank(a) - square_rank(b);
    const int f = files < 0 ? -files : files, r = ranks < 0 ? -ranks : ranks;
    return f > r ? f : r;
}

/* What the pieces mean for passed pawns; that they are passed is in the pawns' own terms. */
INLINE void passer_terms(Tally *t, const Position *p, Colour us, Bits passed, const Hits *theirs) {
    const int own_king = king_square(p, us), their_king = king_square(p, (Colour)!us);
    EACH (s, passed & p->side[us]) {
        const int rank = square_rank(seen_by(us, (int)s)), ahead = (int)s + pawn_up(us);
        const Bits way = us == WHITE ? (FILE_A << 8) << s : (FILE_H >> 8) >> (63 - s);
        if (!(occupied(p) & bit(ahead))) add(t, us, PASSED_FREE + rank, 1);
        if (!(way & (theirs->all | p->side[!us]))) add(t, us, PASSED_SAFE + rank, 1);
        if (rank < 2) continue;
        add(t, us, PASSED_OWN_KING + distance(own_king, ahead), rank - 1);
        add(t, us, PASSED_THEIR_KING + distance(their_king, ahead), rank - 1);
    }
}

/* How much of the endgame's value remains: little where the better side can hardly win. */
INLINE int endgame_scale(const Position *p, Colour better) {
    const Bits minors = p->knight | (p->diag & ~p->orth), own = p->side[better], foe = p->side[!better];
    if (!(own & p->pawn)) {
        const int ours =
            3 * count(own & minors) + 5 * count(own & p->orth & ~p->diag) + 10 * count(own & p->orth & p->diag);
        const int theirs =
            3 * count(foe & minors) + 5 * count(foe & p->orth & ~p->diag) + 10 * count(foe & p->orth & p->diag);
        if (ours <= 3 || (ours == 6 && !(own & p->diag))) return 0;
        if (ours - theirs <= 3) return SCALE_MAX / 8;
    }
    const Bits bishops = p->diag & ~p->orth;
    const bool opposite = (own & bishops) && (foe & bishops) && !several(own & bishops) && !several(foe & bishops) &&
                          ((bishops & DARK) != 0) && ((bishops & ~DARK) != 0);
    if (opposite && !((p->knight | p->orth) & (own | foe))) return SCALE_MAX / 2;
    if (opposite) return SCALE_MAX * 7 / 8;
    const int pawns = count(own & p->pawn);
    return pawns >= 4 ? SCALE_MAX : SCALE_MAX * (12 + pawns) / 16;
}

INLINE int game_phase(const Position *p) {
    const int phase =
        count(p->knight) + count(p->diag & ~p->orth) + 2 * count(p->orth & ~p->diag) + 4 * count(p->diag & p->orth);
    return phase < PHASE_MAX ? phase : PHASE_MAX;
}

INLINE void first_hits(Hits *h, const Position *p, Colour us) {
    h->by_pawn = pawn_hits(p->pawn & p->side[us], us);
    h->all = king_attacks[king_square(p, us)];
    note_hits(h, h->by_pawn);
}

/* What needs the hits of both sides. */
INLINE void side_terms(Tally *t, const Position *p, Colour us, const Hits *hits, const PawnFacts *pawns) {
    king_terms(t, p, us, &hits[us], &hits[!us]);
    threat_terms(t, p, us, &hits[us], &hits[!us]);
    passer_terms(t, p, us, pawns->passed, &hits[!us]);
}

INLINE int evaluate_text(Evaluator *e, const Position *p, EvaluationTrace *trace) {
    Tally tally = {.weight = e->weight, .trace = trace};
    PawnFacts pawns;
    pawn_terms(&tally, e, p, &pawns);
    Hits hits[2] = {{0}};
    first_hits(&hits[WHITE], p, WHITE), first_hits(&hits[BLACK], p, BLACK);
    piece_terms(&tally, p, WHITE, &hits[WHITE], &pawns);
    piece_terms(&tally, p, BLACK, &hits[BLACK], &pawns);
    side_terms(&tally, p, WHITE, hits, &pawns);
    side_terms(&tally, p, BLACK, hits, &pawns);
    add(&tally, (Colour)p->turn, TEMPO, 1);

    const int middle = score_middle(tally.score), end = score_end(tally.score), phase = game_phase(p);
    const int scale = endgame_scale(p, end > 0 ? WHITE : BLACK);
    if (trace) trace->phase = phase, trace->scale = scale;
    const int value = (middle * phase + end * scale / SCALE_MAX * (PHASE_MAX - phase)) / PHASE_MAX;
    return value > EVALUATION_MAX ? EVALUATION_MAX : value < -EVALUATION_MAX ? -EVALUATION_MAX : value;
}
