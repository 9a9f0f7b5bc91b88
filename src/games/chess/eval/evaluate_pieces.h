/* SPDX-License-Identifier: MIT */
/* Knights, bishops, rooks and queens: squares, mobility, and attacks near the enemy king. */
#pragma once
#include "evaluate_pawns.h"

/* The attacks of one side, for its own and the other side's terms. */
typedef struct {
    Bits by[KING + 1], all, twice;
    Bits pinned;        /* own pieces pinned to the own king */
    Bits mobility_area; /* squares that count as mobility */
    Bits ring;          /* around the own king */
    Bits outposts;      /* where enemy pawns cannot attack a minor */
    int ring_attackers; /* own pieces that attack the enemy's king ring */
} SideAttacks;

INLINE void add_attacks(SideAttacks *me, PieceType type, Bits attacks) {
    me->by[type] |= attacks;
    me->twice |= me->all & attacks;
    me->all |= attacks;
}

/* Pieces of any side that alone block a slider's line to a square. */
INLINE Bits slider_blockers(int s, Bits snipers, Bits occ) {
    Bits found = 0;
    EACH (from, snipers) {
        const Bits between = squares_between[from][s] & occ & ~bit(s);
        if (between && !more_than_one(between)) found |= between;
    }
    return found;
}

/* The mobility area excludes squares attacked by enemy pawns, and those of the own king, queen and blocked pawns. */
INLINE void init_side_attacks(SideAttacks *me, const Position *p, Colour us, const PawnStructure *pawns) {
    const Bits own = p->side[us], own_pawns = own & p->pawn, foe_pawns = p->pawn & p->side[!us];
    const int king = king_square(p, us);
    const Bits foe_attacks = pawn_set_attacks(foe_pawns, (Colour)!us);
    const Bits stuck = own_pawns & (forward(occupied(p), (Colour)!us) | ranks_of(us, 1, 2));
    memset(me->by, 0, sizeof me->by);
    me->twice = 0, me->ring_attackers = 0;
    me->by[PAWN] = pawn_set_attacks(own_pawns, us), me->by[KING] = king_attacks[king];
    me->all = me->by[PAWN] | me->by[KING], me->twice = me->by[PAWN] & me->by[KING];
    me->twice |= pawn_east_attacks(own_pawns, us) & pawn_west_attacks(own_pawns, us);
    const Bits snipers = p->side[!us] & ((rook_lines[king] & p->orth) | (bishop_lines[king] & p->diag));
    me->pinned = slider_blockers(king, snipers, occupied(p)) & own;
    me->mobility_area = ~(foe_attacks | stuck | (own & (p->king | (p->diag & p->orth))));
    me->ring = (king_attacks[king] | bit(king) | forward(king_attacks[king], us)) &
               ~(pawn_east_attacks(own_pawns, us) & pawn_west_attacks(own_pawns, us));
    me->outposts = ranks_of(us, 3, 5) & ~pawns->attack_span[!us];
}

/* A piece and what it attacks, but for pins. */
typedef struct {
    PieceType type; /* a constant */
    int square;
    Bits attacks;
} AttackingPiece;

/* The terms common to all pieces; returns the mobility. */
INLINE int add_piece_attacks(EvaluationSum *t, const Position *p, Colour us, AttackingPiece piece, SideAttacks *me,
                             const SideAttacks *them) {
    const bool pinned = me->pinned & bit(piece.square);
    const Bits attacks = pinned ? piece.attacks & line_through[king_square(p, us)][piece.square] : piece.attacks;
    add_attacks(me, piece.type, attacks);
    if (attacks & them->ring) {
        add_danger(t, (Colour)!us, DANGER_ATTACKER + (int)piece.type - KNIGHT, 1);
        add_danger(t, (Colour)!us, DANGER_KING_ATTACKS, popcount(attacks & them->by[KING]));
        me->ring_attackers++;
    }
    add_piece_square(t, us, piece.type, piece.square);
    return popcount(attacks & me->mobility_area);
}

/* The terms common to knights and bishops, for all of a side at once. */
INLINE void minor_terms(EvaluationSum *t, const Position *p, Colour us, bool bishop, Bits minors,
                        const SideAttacks *me) {
    add_term(t, us, MINOR_BEHIND_PAWN + bishop, popcount(forward(minors, us) & p->pawn));
    const Bits posted = minors & me->outposts;
    if (!posted) return;
    add_term(t, us, OUTPOST + bishop, popcount(posted & me->by[PAWN]));
    add_term(t, us, OUTPOST + 2 + bishop, popcount(posted & ~me->by[PAWN]));
}

INLINE void knight_terms(EvaluationSum *t, const Position *p, Colour us, SideAttacks *me, const SideAttacks *them) {
    const Bits own = p->side[us], knights = own & p->knight;
    if (!knights) return;
    const int king = king_square(p, us);
    const Bits reached = me->outposts & me->by[PAWN] & ~own;
    EACH (s, knights) {
        const int at = (int)s;
        const int moves = add_piece_attacks(t, p, us, (AttackingPiece){KNIGHT, at, knight_attacks[at]}, me, them);
        add_term(t, us, KNIGHT_MOBILITY + moves, 1);
        add_term(t, us, KNIGHT_KING_DISTANCE + distance(king, at), 1);
        if (knight_attacks[at] & reached) add_term(t, us, OUTPOST_REACHABLE, 1);
    }
    add_term(t, us, KNIGHT_PAWNS, popcount(knights) * (popcount(own & p->pawn) - 5));
    if (more_than_one(knights)) add_term(t, us, KNIGHT_PAIR, 1);
    minor_terms(t, p, us, false, knights, me);
}

INLINE void bishop_terms(EvaluationSum *t, const Position *p, Colour us, SideAttacks *me, const SideAttacks *them) {
    const Bits own = p->side[us], bishops = own & p->diag & ~p->orth, see_through = p->diag & p->orth;
    if (!bishops) return;
    const Bits own_pawns = own & p->pawn, blocked = own_pawns & forward(occupied(p), (Colour)!us);
    const Bits long_middle[2] = {bit(28) | bit(35), bit(27) | bit(36)};
    const int king = king_square(p, us);
    const int stuck = popcount(blocked & (FILE_A * 0x3c));
    EACH (s, bishops) {
        const int at = (int)s;
        const Bits attacks = bishop_attacks(at, occupied(p) ^ see_through), colour = bit(at) & DARK ? DARK : ~DARK;
        const int moves = add_piece_attacks(t, p, us, (AttackingPiece){BISHOP, at, attacks}, me, them);
        const int same = popcount(own_pawns & colour);
        add_term(t, us, BISHOP_MOBILITY + moves, 1);
        add_term(t, us, BISHOP_KING_DISTANCE + distance(king, at), 1);
        add_term(t, us, BAD_BISHOP, same), add_term(t, us, BAD_BISHOP_BLOCKED, same * stuck);
        add_term(t, us, BISHOP_XRAY_PAWNS, popcount(bishop_lines[at] & p->pawn & p->side[!us]));
        const Bits past_pawns = bishop_attacks(at, p->pawn) | bit(at);
        if (!(long_middle[0] & ~past_pawns) || !(long_middle[1] & ~past_pawns))
            add_term(t, us, BISHOP_LONG_DIAGONAL, 1);
    }
    if (more_than_one(bishops)) add_term(t, us, BISHOP_PAIR, 1);
    minor_terms(t, p, us, true, bishops, me);
}

INLINE void rook_file_terms(EvaluationSum *t, const Position *p, Colour us, int s, int moves) {
    const Bits file = FILE_A << file_of(s), own_pawns = p->side[us] & p->pawn;
    const int king = king_square(p, us);
    if (file & p->diag & p->orth) add_term(t, us, ROOK_QUEEN_FILE, 1);
    if (!(file & own_pawns)) {
        add_term(t, us, file & p->pawn ? ROOK_SEMIOPEN_FILE : ROOK_OPEN_FILE, 1);
        return;
    }
    if (file & own_pawns & forward(occupied(p), (Colour)!us)) add_term(t, us, ROOK_CLOSED_FILE, 1);
    const int files = file_of(s) - file_of(king);
    const bool beyond = file_of(king) < 4 ? files < 0 : files > 0;
    if (moves <= 3 && beyond && relative_rank(us, king) == 0)
        add_term(t, us, ROOK_TRAPPED + (p->castle[us] ? 0 : 1), 1);
}

INLINE void rook_terms(EvaluationSum *t, const Position *p, Colour us, SideAttacks *me, const SideAttacks *them) {
    const Bits rooks = p->side[us] & p->orth & ~p->diag, occ = occupied(p) ^ (p->side[us] & p->orth);
    if (!rooks) return;
    const Bits foe = p->side[!us], seventh = rooks & ranks_of(us, 6, 6);
    EACH (s, rooks) {
        const int at = (int)s;
        const int moves = add_piece_attacks(t, p, us, (AttackingPiece){ROOK, at, rook_attacks(at, occ)}, me, them);
        add_term(t, us, ROOK_MOBILITY + moves, 1);
        rook_file_terms(t, p, us, at, moves);
    }
    add_term(t, us, ROOK_PAWNS, popcount(rooks) * (popcount(p->side[us] & p->pawn) - 5));
    if (seventh && (foe & p->king & ranks_of(us, 7, 7) || foe & p->pawn & ranks_of(us, 6, 6)))
        add_term(t, us, ROOK_SEVENTH_RANK, popcount(seventh));
    if (more_than_one(rooks)) add_term(t, us, ROOK_PAIR, 1);
}

INLINE void queen_terms(EvaluationSum *t, const Position *p, Colour us, SideAttacks *me, const SideAttacks *them) {
    const Bits occ = occupied(p), foe = p->side[!us];
    EACH (s, p->side[us] & p->diag & p->orth) {
        const int at = (int)s;
        const Bits attacks = bishop_attacks(at, occ) | rook_attacks(at, occ);
        const int moves = add_piece_attacks(t, p, us, (AttackingPiece){QUEEN, at, attacks}, me, them);
        add_term(t, us, QUEEN_MOBILITY + moves, 1);
        const Bits watchers = foe & ((rook_lines[at] & p->orth & ~p->diag) | (bishop_lines[at] & p->diag & ~p->orth));
        if (slider_blockers(at, watchers, occ)) add_term(t, us, WEAK_QUEEN, 1);
    }
}

INLINE void piece_terms(EvaluationSum *t, const Position *p, Colour us, SideAttacks *me, const SideAttacks *them) {
    knight_terms(t, p, us, me, them);
    bishop_terms(t, p, us, me, them);
    rook_terms(t, p, us, me, them);
    queen_terms(t, p, us, me, them);
    add_piece_square(t, us, KING, king_square(p, us));
}
