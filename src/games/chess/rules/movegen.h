/* SPDX-License-Identifier: MIT */
/*
 * The legal moves of a position. One template serves four modes, for both colours: the moves are counted, listed, or
 * visited (a function is called for each, or for each set, with the piece type as a constant); a list comes in two subsets
 * as well. The caller passes colour, mode and visitor as constants; movegen.c holds instances without constants.
 *
 * No move is made and unmade. First everything that limits a move is found:
 *
 *   attacked   what the other side attacks, with the king removed from the board, so that it does not hide squares
 *   target     where a piece may go: anywhere not own; in check only onto the checker or between; in double check
 *              nowhere
 *   pins       the lines from the king through one own piece to the slider that pins it, in two sets: a piece on a
 *              line of the one kind may not leave it, and may not move at all by the other kind of step
 *
 *        . . . . r . . .
 *        . . . . | . . .      the rook on this line may move along it and capture the pinner;
 *        . . . . R . . .      a bishop there would have no move, a knight never has one;
 *        . . . . | . . .      a pawn may push, but not capture.
 *        . . . . K . . .
 *
 * En passant is the exception: two pieces leave a rank at once, so that capture is tried on the board.
 */
#pragma once
#include "make_move.h"
#include "rules/moves.h"

typedef struct {
    Bits own, foe, occ, attacked, target, pin_orth, pin_diag;
    int king;
    bool in_check;
} LegalMasks;

/* Everything side c attacks through the squares that occ leaves empty. */
INLINE Bits attacked_by(const Position *p, Colour c, Bits occ) {
    const Bits own = p->side[c];
    Bits attacked = pawn_set_attacks(own & p->pawn, c) | king_attacks[king_square(p, c)];
    EACH (s, own & p->knight) attacked |= knight_attacks[s];
    EACH (s, own & p->diag) attacked |= bishop_attacks((int)s, occ);
    EACH (s, own & p->orth) attacked |= rook_attacks((int)s, occ);
    return attacked;
}

INLINE void find_pin_lines(const Position *p, LegalMasks *v) {
    EACH (s, rook_attacks(v->king, v->foe) & v->foe & p->orth) {
        const Bits path = squares_between[v->king][s], pieces = path & v->own;
        if (pieces && !more_than_one(pieces)) v->pin_orth |= path;
    }
    EACH (s, bishop_attacks(v->king, v->foe) & v->foe & p->diag) {
        const Bits path = squares_between[v->king][s], pieces = path & v->own;
        if (pieces && !more_than_one(pieces)) v->pin_diag |= path;
    }
}

/* The masks of a side that is not in check, given what the other side attacks. */
INLINE LegalMasks masks_without_check(const Position *p, Colour us, Bits attacked) {
    LegalMasks v = {.own = p->side[us], .foe = p->side[!us], .attacked = attacked, .king = king_square(p, us)};
    assert(!(attacked & bit(v.king)));
    v.occ = v.own | v.foe;
    v.target = ~v.own;
    find_pin_lines(p, &v);
    return v;
}

INLINE LegalMasks find_legal_masks(const Position *p, Colour us) {
    const Colour them = (Colour)!us;
    LegalMasks v = {.own = p->side[us], .foe = p->side[them], .king = king_square(p, us)};
    v.occ = v.own | v.foe;
    v.attacked = attacked_by(p, them, v.occ ^ bit(v.king));
    v.in_check = (v.attacked & bit(v.king)) != 0;
    v.target = ~v.own;
    if (v.in_check) {
        const Bits checkers = attackers(p, them, v.king, v.occ);
        v.target = more_than_one(checkers) ? 0 : checkers | squares_between[v.king][lsb(checkers)];
    }
    find_pin_lines(p, &v);
    return v;
}

/* Moves of one piece, whose square is `from`, or of pawns that all take the same step. */
struct MoveSet {
    PieceType type;
    int from, step; /* step: 0, or of pawns */
    int flag;
    Bits to;
};

INLINE void emit_move(MoveSink *k, GenMode mode, PieceType type, int from, int to, int flag) {
    if (mode == GEN_COUNT) k->n++;
    if (mode == GEN_LIST) *k->next++ = move_encode(from, to, flag);
    if (mode == GEN_VISIT || mode == GEN_SETS) k->visit(k->context, (UnpackedMove){type, from, to, flag});
}

INLINE void emit_moves(MoveSink *k, GenMode mode, PieceType type, int from, Bits to) {
    if (mode == GEN_COUNT)
        k->n += (unsigned)popcount(to);
    else if (mode == GEN_SETS)
        k->visit_set(k->context, &(MoveSet){type, from, 0, PLAIN, to});
    else
        EACH (t, to) emit_move(k, mode, type, from, (int)t, PLAIN);
}

/* Pawn moves that all take the same step. */
INLINE void emit_pawn_moves(MoveSink *k, GenMode mode, Bits to, int step, int flag) {
    if (mode == GEN_COUNT)
        k->n += (unsigned)popcount(to);
    else if (mode == GEN_SETS)
        k->visit_set(k->context, &(MoveSet){PAWN, NO_SQUARE, step, flag, to});
    else
        EACH (t, to) emit_move(k, mode, PAWN, (int)t - step, (int)t, flag);
}

INLINE void emit_promotions(MoveSink *k, GenMode mode, Bits to, int step) {
    emit_pawn_moves(k, mode, to, step, PROMOTION + QUEEN);
    emit_pawn_moves(k, mode, to, step, PROMOTION + ROOK);
    emit_pawn_moves(k, mode, to, step, PROMOTION + BISHOP);
    emit_pawn_moves(k, mode, to, step, PROMOTION + KNIGHT);
}

/* Where pawns may go: one step, two steps, and captures to either side. */
typedef struct {
    Bits one, two, east, west;
} PawnTargets;

/* A pawn on a pin line of the step's own kind keeps to it; on one of the other kind it does not take that step. */
INLINE PawnTargets pawn_move_targets(const Position *p, Colour us, const LegalMasks *v) {
    const Bits pawns = v->own & p->pawn, pushers = pawns & ~v->pin_diag, capturers = pawns & ~v->pin_orth;
    const Bits victims = v->foe & v->target, unpinned = capturers & ~v->pin_diag, pinned = capturers & v->pin_diag;
    const Bits one =
        (forward(pushers & ~v->pin_orth, us) | (forward(pushers & v->pin_orth, us) & v->pin_orth)) & ~v->occ;
    return (PawnTargets){
        .one = one & v->target,
        .two = forward(one & third_rank(us), us) & ~v->occ & v->target,
        .east = (pawn_east_attacks(unpinned, us) | (pawn_east_attacks(pinned, us) & v->pin_diag)) & victims,
        .west = (pawn_west_attacks(unpinned, us) | (pawn_west_attacks(pinned, us) & v->pin_diag)) & victims};
}

INLINE void emit_en_passant(const Position *p, MoveSink *k, Colour us, GenMode mode, const LegalMasks *v) {
    if (UNLIKELY(p->ep))
        EACH (from, pawn_attacks[!us][p->ep] & v->own & p->pawn)
            if (ep_leaves_king_safe(p, us, (int)from, p->ep)) emit_move(k, mode, PAWN, (int)from, p->ep, EN_PASSANT);
}

INLINE void gen_pawns(const Position *p, MoveSink *k, Colour us, GenMode mode, const LegalMasks *v) {
    const int up = pawn_up(us), east = up + 1, west = up - 1;
    const Bits end = last_rank(us);
    const PawnTargets s = pawn_move_targets(p, us, v);
    emit_pawn_moves(k, mode, s.one & ~end, up, PLAIN);
    emit_pawn_moves(k, mode, s.two, 2 * up, DOUBLE_PUSH);
    emit_pawn_moves(k, mode, s.east & ~end, east, PLAIN);
    emit_pawn_moves(k, mode, s.west & ~end, west, PLAIN);
    if (UNLIKELY((s.one | s.east | s.west) & end)) {
        emit_promotions(k, mode, s.one & end, up);
        emit_promotions(k, mode, s.east & end, east);
        emit_promotions(k, mode, s.west & end, west);
    }
    emit_en_passant(p, k, us, mode, v);
}

/*
 * May `us`, not in check, castle to that side? The squares that king and rook cross and land on are empty but for
 * themselves, no square that the king crosses is attacked, and the rook does not shield the king on its rank: in
 * Chess960 it may stand between the king's new square and an enemy rook in the corner, and then it is pinned now.
 */
INLINE bool may_castle(const Position *p, Colour us, bool is_short, const LegalMasks *v) {
    const Bits rook = castling_rook(p, us, is_short);
    if (!rook) return false;
    const int king_to = castled_king(us, is_short), rook_to = castled_rook(us, is_short);
    const Bits king_path = squares_between[v->king][king_to], rook_path = squares_between[lsb(rook)][rook_to];
    return !((king_path | rook_path) & v->occ & ~(rook | bit(v->king))) && !(king_path & v->attacked) &&
           !(rook & v->pin_orth);
}

INLINE void gen_castling(const Position *p, MoveSink *k, Colour us, GenMode mode, const LegalMasks *v) {
    if (may_castle(p, us, true, v)) emit_move(k, mode, KING, v->king, lsb(castling_rook(p, us, true)), CASTLING);
    if (may_castle(p, us, false, v)) emit_move(k, mode, KING, v->king, lsb(castling_rook(p, us, false)), CASTLING);
}

INLINE void gen_sliders(MoveSink *k, GenMode mode, PieceType type, Bits pieces, const LegalMasks *v) {
    EACH (s, pieces) {
        Bits to = 0;
        if (type != ROOK && !(v->pin_orth & bit((int)s)))
            to |= bishop_attacks((int)s, v->occ) & (v->pin_diag & bit((int)s) ? v->pin_diag : ~(Bits)0);
        if (type != BISHOP && !(v->pin_diag & bit((int)s)))
            to |= rook_attacks((int)s, v->occ) & (v->pin_orth & bit((int)s) ? v->pin_orth : ~(Bits)0);
        emit_moves(k, mode, type, (int)s, to & v->target);
    }
}

/* The moves of all pieces that are neither king nor pawns, to the squares of v->target. */
INLINE void gen_pieces(const Position *p, MoveSink *k, GenMode mode, const LegalMasks *v) {
    const Bits queens = v->own & p->diag & p->orth;
    EACH (s, v->own & p->knight & ~(v->pin_orth | v->pin_diag))
        emit_moves(k, mode, KNIGHT, (int)s, knight_attacks[s] & v->target);
    gen_sliders(k, mode, BISHOP, (v->own & p->diag) ^ queens, v);
    gen_sliders(k, mode, ROOK, (v->own & p->orth) ^ queens, v);
    gen_sliders(k, mode, QUEEN, queens, v);
}

/* Adds every legal move of `us`, whose turn it is, to the sink. */
INLINE void generate(const Position *p, MoveSink *k, Colour us, GenMode mode) {
    assert(position_is_consistent(p) && p->turn == us);
    const LegalMasks v = find_legal_masks(p, us);
    emit_moves(k, mode, KING, v.king, king_attacks[v.king] & ~v.own & ~v.attacked);
    if (UNLIKELY(!v.target)) return;
    if (p->castle[us] && !v.in_check) gen_castling(p, k, us, mode, &v);
    gen_pawns(p, k, us, mode, &v);
    gen_pieces(p, k, mode, &v);
}

/*
 * The list in two subsets, for a search that often needs only the first: captures and promotions to a queen; and the
 * rest, quiet moves and underpromotions, capturing or not.
 */
typedef enum { CAPTURES, QUIETS } MoveSubset;

/* The king's steps to safe squares, each tested alone: for a few, that costs less than computing all attacks. */
INLINE Bits safe_king_steps(const Position *p, Colour us, Bits steps) {
    const int king = king_square(p, us);
    const Bits occ = occupied(p) ^ bit(king);
    Bits safe = 0;
    EACH (to, steps)
        if (!attackers(p, (Colour)!us, (int)to, occ)) safe |= bit((int)to);
    return safe;
}

/* find_legal_masks() without `attacked`. */
INLINE LegalMasks find_legal_masks_for_captures(const Position *p, Colour us) {
    const Colour them = (Colour)!us;
    LegalMasks v = {.own = p->side[us], .foe = p->side[them], .king = king_square(p, us)};
    v.occ = v.own | v.foe;
    const Bits checkers = attackers(p, them, v.king, v.occ);
    v.in_check = checkers != 0;
    assert(!(checkers & p->king));
    v.target = !checkers ? ~v.own : more_than_one(checkers) ? 0 : checkers | squares_between[v.king][lsb(checkers)];
    find_pin_lines(p, &v);
    return v;
}

INLINE void gen_pawns_subset(const Position *p, MoveSink *k, Colour us, MoveSubset part, const LegalMasks *v) {
    const int up = pawn_up(us), east = up + 1, west = up - 1;
    const Bits end = last_rank(us);
    const PawnTargets s = pawn_move_targets(p, us, v);
    if (part == CAPTURES) {
        emit_pawn_moves(k, GEN_LIST, s.one & end, up, PROMOTION + QUEEN);
        emit_pawn_moves(k, GEN_LIST, s.east & end, east, PROMOTION + QUEEN);
        emit_pawn_moves(k, GEN_LIST, s.west & end, west, PROMOTION + QUEEN);
        emit_pawn_moves(k, GEN_LIST, s.east & ~end, east, PLAIN);
        emit_pawn_moves(k, GEN_LIST, s.west & ~end, west, PLAIN);
        emit_en_passant(p, k, us, GEN_LIST, v);
        return;
    }
    emit_pawn_moves(k, GEN_LIST, s.one & ~end, up, PLAIN);
    emit_pawn_moves(k, GEN_LIST, s.two, 2 * up, DOUBLE_PUSH);
    if (LIKELY(!((s.one | s.east | s.west) & end))) return;
    for (PieceType type = ROOK; type >= KNIGHT; type--) {
        emit_pawn_moves(k, GEN_LIST, s.one & end, up, PROMOTION + (int)type);
        emit_pawn_moves(k, GEN_LIST, s.east & end, east, PROMOTION + (int)type);
        emit_pawn_moves(k, GEN_LIST, s.west & end, west, PROMOTION + (int)type);
    }
}

INLINE void generate_subset(const Position *p, MoveSink *k, Colour us, MoveSubset part) {
    assert(position_is_consistent(p) && p->turn == us);
    LegalMasks v = part == CAPTURES ? find_legal_masks_for_captures(p, us) : find_legal_masks(p, us);
    const Bits squares = part == CAPTURES ? v.foe : ~v.foe;
    const Bits steps = king_attacks[v.king] & ~v.own & squares;
    emit_moves(k, GEN_LIST, KING, v.king, part == CAPTURES ? safe_king_steps(p, us, steps) : steps & ~v.attacked);
    if (UNLIKELY(!v.target)) return;
    if (part == QUIETS && p->castle[us] && !v.in_check) gen_castling(p, k, us, GEN_LIST, &v);
    gen_pawns_subset(p, k, us, part, &v);
    v.target &= squares;
    gen_pieces(p, k, GEN_LIST, &v);
}

/* The legal move from one square to another, castling as king takes own rook, or 0. `promotion` is PAWN for a move that
   does not promote. */
Move move_from_squares(const Position *p, int from, int to, PieceType promotion);
