/* SPDX-License-Identifier: MIT */
/* Knights, bishops, rooks and queens: where they stand, where they can go, and what they hit near the enemy king. */
#pragma once
#include "evaluate_pawns.h"

/* What one side hits, as its own and the other's terms need it. */
typedef struct {
    Bits by[KING + 1], all, twice;
    Bits pinned;    /* own men that stand between the own king and a slider */
    Bits area;      /* where moves count as mobility */
    Bits ring;      /* around the own king */
    Bits outposts;  /* where a minor cannot be driven away by pawns */
    int ring_count; /* own pieces that hit the enemy's ring */
} Side;

INLINE void note_hits(Side *me, Kind kind, Bits hits) {
    me->by[kind] |= hits;
    me->twice |= me->all & hits;
    me->all |= hits;
}

/* Men of any side that alone stand between a square and one of some sliders, which share a line with it. */
INLINE Bits between_sliders(int s, Bits snipers, Bits occ) {
    Bits found = 0;
    EACH (from, snipers) {
        const Bits between = squares_between[from][s] & occ & ~bit(s);
        if (between && !several(between)) found |= between;
    }
    return found;
}

/* Mobility does not count squares that enemy pawns hit, nor those of the own king, queen and pawns that hardly move. */
INLINE void begin_side(Side *me, const Position *p, Colour us, const PawnFacts *pawns) {
    const Bits own = p->side[us], own_pawns = own & p->pawn, foe_pawns = p->pawn & p->side[!us];
    const int king = king_square(p, us);
    const Bits foe_hits = pawn_hits(foe_pawns, (Colour)!us);
    const Bits stuck = own_pawns & (forward(occupied(p), (Colour)!us) | ranks_of(us, 1, 2));
    memset(me->by, 0, sizeof me->by);
    me->twice = 0, me->ring_count = 0;
    me->by[PAWN] = pawn_hits(own_pawns, us), me->by[KING] = king_attacks[king];
    me->all = me->by[PAWN] | me->by[KING], me->twice = me->by[PAWN] & me->by[KING];
    me->twice |= take_east(own_pawns, us) & take_west(own_pawns, us);
    const Bits snipers = p->side[!us] & ((rook_lines[king] & p->orth) | (bishop_lines[king] & p->diag));
    me->pinned = between_sliders(king, snipers, occupied(p)) & own;
    me->area = ~(foe_hits | stuck | (own & (p->king | (p->diag & p->orth))));
    me->ring = (king_attacks[king] | bit(king) | forward(king_attacks[king], us)) &
               ~(take_east(own_pawns, us) & take_west(own_pawns, us));
    me->outposts = ranks_of(us, 3, 5) & ~pawns->can_hit[!us];
}

/* What every piece does; returns the number of its moves. */
INLINE int note_piece(Tally *t, const Position *p, Colour us, Kind kind, int s, Bits hits, Side *me, const Side *them) {
    if (me->pinned & bit(s)) hits &= line_through[king_square(p, us)][s];
    note_hits(me, kind, hits);
    if (hits & them->ring) {
        add_danger(t, (Colour)!us, DANGER_ATTACKER + (int)kind - KNIGHT, 1);
        add_danger(t, (Colour)!us, DANGER_HITS, count(hits & them->by[KING]));
        me->ring_count++;
    }
    add_man(t, us, kind, s);
    return count(hits & me->area);
}

/* What knights or bishops have in common, all of a side at once. */
INLINE void minor_terms(Tally *t, const Position *p, Colour us, bool bishop, Bits minors, const Side *me) {
    add(t, us, BEHIND_PAWN + bishop, count(forward(minors, us) & p->pawn));
    const Bits posted = minors & me->outposts;
    if (!posted) return;
    add(t, us, OUTPOST + bishop, count(posted & me->by[PAWN]));
    add(t, us, OUTPOST + 2 + bishop, count(posted & ~me->by[PAWN]));
}

INLINE void knight_terms(Tally *t, const Position *p, Colour us, Side *me, const Side *them) {
    const Bits own = p->side[us], knights = own & p->knight;
    if (!knights) return;
    const int king = king_square(p, us);
    const Bits reached = me->outposts & me->by[PAWN] & ~own;
    EACH (s, knights) {
        const int at = (int)s;
        const int moves = note_piece(t, p, us, KNIGHT, at, knight_attacks[at], me, them);
        add(t, us, KNIGHT_MOVES + moves, 1);
        add(t, us, KNIGHT_FROM_KING + distance(king, at), 1);
        if (knight_attacks[at] & reached) add(t, us, OUTPOST_REACHED, 1);
    }
    add(t, us, KNIGHT_PAWNS, count(knights) * (count(own & p->pawn) - 5));
    if (several(knights)) add(t, us, KNIGHT_PAIR, 1);
    minor_terms(t, p, us, false, knights, me);
}

INLINE void bishop_terms(Tally *t, const Position *p, Colour us, Side *me, const Side *them) {
    const Bits own = p->side[us], bishops = own & p->diag & ~p->orth, see_through = p->diag & p->orth;
    if (!bishops) return;
    const Bits own_pawns = own & p->pawn, blocked = own_pawns & forward(occupied(p), (Colour)!us);
    const Bits long_middle[2] = {bit(28) | bit(35), bit(27) | bit(36)};
    const int king = king_square(p, us);
    const int stuck = count(blocked & (FILE_A * 0x3c));
    EACH (s, bishops) {
        const int at = (int)s;
        const Bits hits = bishop_attacks(at, occupied(p) ^ see_through), colour = bit(at) & DARK ? DARK : ~DARK;
        const int moves = note_piece(t, p, us, BISHOP, at, hits, me, them), same = count(own_pawns & colour);
        add(t, us, BISHOP_MOVES + moves, 1);
        add(t, us, BISHOP_FROM_KING + distance(king, at), 1);
        add(t, us, BAD_BISHOP, same), add(t, us, BAD_BISHOP_BLOCKED, same * stuck);
        add(t, us, BISHOP_PAWNS_SEEN, count(bishop_lines[at] & p->pawn & p->side[!us]));
        const Bits past_pawns = bishop_attacks(at, p->pawn) | bit(at);
        if (!(long_middle[0] & ~past_pawns) || !(long_middle[1] & ~past_pawns)) add(t, us, BISHOP_LONG, 1);
    }
    if (several(bishops)) add(t, us, BISHOP_PAIR, 1);
    minor_terms(t, p, us, true, bishops, me);
}

INLINE void rook_file_terms(Tally *t, const Position *p, Colour us, int s, int moves) {
    const Bits file = FILE_A << square_file(s), own_pawns = p->side[us] & p->pawn;
    const int king = king_square(p, us);
    if (file & p->diag & p->orth) add(t, us, ROOK_QUEEN_FILE, 1);
    if (!(file & own_pawns)) {
        add(t, us, file & p->pawn ? ROOK_HALF_OPEN : ROOK_OPEN, 1);
        return;
    }
    if (file & own_pawns & forward(occupied(p), (Colour)!us)) add(t, us, ROOK_CLOSED, 1);
    const int files = square_file(s) - square_file(king);
    const bool beyond = square_file(king) < 4 ? files < 0 : files > 0;
    if (moves <= 3 && beyond && rank_of(us, king) == 0) add(t, us, ROOK_TRAPPED + (p->castle[us] ? 0 : 1), 1);
}

INLINE void rook_terms(Tally *t, const Position *p, Colour us, Side *me, const Side *them) {
    const Bits rooks = p->side[us] & p->orth & ~p->diag, occ = occupied(p) ^ (p->side[us] & p->orth);
    if (!rooks) return;
    const Bits foe = p->side[!us], seventh = rooks & ranks_of(us, 6, 6);
    EACH (s, rooks) {
        const int at = (int)s;
        const int moves = note_piece(t, p, us, ROOK, at, rook_attacks(at, occ), me, them);
        add(t, us, ROOK_MOVES + moves, 1);
        rook_file_terms(t, p, us, at, moves);
    }
    add(t, us, ROOK_PAWNS, count(rooks) * (count(p->side[us] & p->pawn) - 5));
    if (seventh && (foe & p->king & ranks_of(us, 7, 7) || foe & p->pawn & ranks_of(us, 6, 6)))
        add(t, us, ROOK_SEVENTH, count(seventh));
    if (several(rooks)) add(t, us, ROOK_PAIR, 1);
}

INLINE void queen_terms(Tally *t, const Position *p, Colour us, Side *me, const Side *them) {
    const Bits occ = occupied(p), foe = p->side[!us];
    EACH (s, p->side[us] & p->diag & p->orth) {
        const int at = (int)s;
        const Bits hits = bishop_attacks(at, occ) | rook_attacks(at, occ);
        add(t, us, QUEEN_MOVES + note_piece(t, p, us, QUEEN, at, hits, me, them), 1);
        const Bits watchers = foe & ((rook_lines[at] & p->orth & ~p->diag) | (bishop_lines[at] & p->diag & ~p->orth));
        if (between_sliders(at, watchers, occ)) add(t, us, QUEEN_WATCHED, 1);
    }
}

INLINE void piece_terms(Tally *t, const Position *p, Colour us, Side *me, const Side *them) {
    knight_terms(t, p, us, me, them);
    bishop_terms(t, p, us, me, them);
    rook_terms(t, p, us, me, them);
    queen_terms(t, p, us, me, them);
    add_man(t, us, KING, king_square(p, us));
}
