/* SPDX-License-Identifier: MIT */
/*
 * The legal moves of a position. One template serves three modes, for both colours: the moves are counted, listed, or
 * visited (a function is called for each); a list comes in two subsets as well. The caller passes colour, mode and
 * visitor as constants; movegen.c holds instances without constants.
 *
 * No move is made and unmade. First everything that limits a move is found:
 *
 *   attacked   what the other side attacks, with the king removed from the board, so that it does not hide squares
 *   target     where a piece may go: anywhere not own; in check only onto the checker or between; in double check
 *              nowhere
 *   pinned     own pieces that alone shield the king from a slider: each keeps to the line through both
 *
 * Drops go where nothing stands, within `target`. A pawn is not dropped on a file with an unpromoted one of its side,
 * nor to give mate. Refusing to promote is a move of its own wherever the piece could still move on.
 */
#pragma once
#include "make_move.h"
#include "pawn_drop_mate.h"
#include "rules/moves.h"

typedef struct {
    Squares own, foe, occ, attacked, target, pinned;
    Squares plain, promoting; /* where the subset that is asked for has moves without and with promotion */
    int king;
    Colour us;
    bool in_check;
} LegalMasks;

/* What the steps of all pieces of side c attack. */
INLINE Squares stepped_by(const Position *p, Colour c) {
    const Squares own = p->side[c], plain = own & ~p->promoted, promoted = own & p->promoted;
    return forward(plain & p->type[PAWN], c) | knight_set_attacks(plain & p->type[KNIGHT], c) |
           silver_set_attacks(plain & p->type[SILVER], c) | gold_set_attacks(own & gold_movers(p), c) |
           orth_steps(promoted & p->type[BISHOP]) | diag_steps(promoted & p->type[ROOK]) |
           step_attacks[c][KING][king_square(p, c)];
}

/* Everything side c attacks through the squares that occ leaves empty. */
INLINE Squares attacked_by(const Position *p, Colour c, Squares occ) {
    const Squares own = p->side[c];
    Squares attacked = stepped_by(p, c);
    EACH_SQUARE (s, own & unpromoted(p, LANCE)) attacked |= lance_attacks(c, s, occ);
    EACH_SQUARE (s, own & p->type[BISHOP]) attacked |= bishop_attacks(s, occ);
    EACH_SQUARE (s, own & p->type[ROOK]) attacked |= rook_attacks(s, occ);
    return attacked;
}

/* Pieces of the other side that would attack our king if nothing of ours stood in the way. */
INLINE Squares snipers(const Position *p, Colour us, int king, Squares foe) {
    const Squares lances = unpromoted(p, LANCE);
    return foe & ((rook_attacks(king, foe) & p->type[ROOK]) | (bishop_attacks(king, foe) & p->type[BISHOP]) |
                  (lance_attacks(us, king, foe) & lances));
}

/* The pieces that alone stand between a king and one of the sliders. */
INLINE Squares lone_blockers(int king, Squares sliders, Squares pieces) {
    Squares found = 0;
    EACH_SQUARE (s, sliders) {
        const Squares between = squares_between[king][s] & pieces;
        if (!more_than_one_square(between)) found |= between;
    }
    return found;
}

INLINE LegalMasks find_legal_masks(const Position *p, Colour us) {
    const Colour them = (Colour)!us;
    LegalMasks v = {.own = p->side[us], .foe = p->side[them], .king = king_square(p, us), .us = us};
    v.occ = v.own | v.foe;
    v.attacked = attacked_by(p, them, v.occ & ~square_bit(v.king));
    v.in_check = (v.attacked & square_bit(v.king)) != 0;
    v.target = BOARD & ~v.own;
    v.plain = v.promoting = BOARD;
    if (v.in_check) {
        const Squares checkers = attackers(p, them, v.king, v.occ);
        v.target = more_than_one_square(checkers) ? 0 : checkers | squares_between[v.king][first_square(checkers)];
    }
    v.pinned = lone_blockers(v.king, snipers(p, us, v.king, v.foe), v.own);
    return v;
}

INLINE void emit_moves(MoveSink *k, GenMode mode, PieceType type, int from, Squares to, int flag) {
    if (mode == GEN_COUNT) k->n += (unsigned)squares_count(to);
    if (mode == GEN_LIST)
        EACH_SQUARE (t, to) *k->next++ = flag == DROP ? move_encode_drop(type, t) : move_encode(from, t, flag);
    if (mode == GEN_VISIT)
        EACH_SQUARE (t, to) k->visit(k->context, (UnpackedMove){type, from, t, flag});
}

/* All moves of one piece to the squares of `to`, with and without promotion. */
INLINE void emit_piece(MoveSink *k, GenMode mode, PieceType type, int from, Squares to, const LegalMasks *v) {
    if (piece_type_promotes(type)) {
        const Squares zone = promotion_zone(v->us);
        emit_moves(k, mode, type, from, (has_square(zone, from) ? to : to & zone) & v->promoting, PROMOTION);
    }
    emit_moves(k, mode, type, from, to & v->plain & ~dead_end(v->us, type), PLAIN);
}

/* The moves of our pieces of a set that all move as `type` does. Which promoted piece it is, only a visitor asks. */
INLINE void gen_pieces(const Position *p, MoveSink *k, GenMode mode, PieceType type, Squares pieces,
                       const LegalMasks *v) {
    EACH_SQUARE (s, pieces & v->own) {
        Squares to = piece_attacks(v->us, type, s, v->occ) & v->target;
        if (UNLIKELY(has_square(v->pinned, s))) to &= line_through[v->king][s];
        emit_piece(k, mode, type == GOLD && mode == GEN_VISIT ? piece_type_at(p, s) : type, s, to, v);
    }
}

/* Counts the moves of all pawns at once; those that are pinned are returned. */
INLINE Squares count_pawns(MoveSink *k, Squares pawns, const LegalMasks *v) {
    const Squares to = forward(pawns & ~v->pinned, v->us) & v->target;
    k->n += (unsigned)(squares_count(to & ~dead_end(v->us, PAWN)) + squares_count(to & promotion_zone(v->us)));
    return pawns & v->pinned;
}

INLINE void gen_board(const Position *p, MoveSink *k, GenMode mode, const LegalMasks *v) {
    const Squares bishops = p->type[BISHOP], rooks = p->type[ROOK];
    const Squares pawns = v->own & unpromoted(p, PAWN);
    gen_pieces(p, k, mode, PAWN, mode == GEN_COUNT ? count_pawns(k, pawns, v) : pawns, v);
    gen_pieces(p, k, mode, LANCE, unpromoted(p, LANCE), v);
    gen_pieces(p, k, mode, KNIGHT, unpromoted(p, KNIGHT), v);
    gen_pieces(p, k, mode, SILVER, unpromoted(p, SILVER), v);
    gen_pieces(p, k, mode, GOLD, gold_movers(p), v);
    gen_pieces(p, k, mode, BISHOP, bishops & ~p->promoted, v);
    gen_pieces(p, k, mode, ROOK, rooks & ~p->promoted, v);
    gen_pieces(p, k, mode, HORSE, bishops & p->promoted, v);
    gen_pieces(p, k, mode, DRAGON, rooks & p->promoted, v);
}

/* Where us may drop a pawn, of the empty squares `empty`. */
INLINE Squares pawn_drop_squares(const Position *p, Colour us, Squares empty) {
    const Squares squares = empty & ~dead_end(us, PAWN) & ~whole_files(unpromoted(p, PAWN) & p->side[us]);
    const Squares checking = step_attacks[!us][PAWN][king_square(p, (Colour)!us)] & squares;
    return UNLIKELY(checking) && pawn_drop_mates(p, us, first_square(checking)) ? squares ^ checking : squares;
}

INLINE void gen_drops(const Position *p, MoveSink *k, Colour us, GenMode mode, Squares empty) {
    const uint32_t hand = p->hand[us];
    if (!hand) return;
    if (hand_count(hand, PAWN)) emit_moves(k, mode, PAWN, 0, pawn_drop_squares(p, us, empty), DROP);
    for (PieceType t = LANCE; t <= GOLD; t++)
        if (hand_count(hand, t)) emit_moves(k, mode, t, 0, empty & ~dead_end(us, t), DROP);
}

/* Adds every legal move of `us`, whose turn it is, to the sink. */
INLINE void generate(const Position *p, MoveSink *k, Colour us, GenMode mode) {
    assert(position_is_consistent(p) && p->turn == us);
    const LegalMasks v = find_legal_masks(p, us);
    emit_moves(k, mode, KING, v.king, step_attacks[us][KING][v.king] & ~v.own & ~v.attacked, PLAIN);
    if (UNLIKELY(!v.target)) return;
    gen_board(p, k, mode, &v);
    gen_drops(p, k, us, mode, v.target & ~v.occ);
}

/* The list in two subsets, for a search that often needs only the first: captures and promotions; and the rest. */
typedef enum { CAPTURES, QUIETS } MoveSubset;

INLINE void generate_subset(const Position *p, MoveSink *k, Colour us, MoveSubset part) {
    assert(position_is_consistent(p) && p->turn == us);
    LegalMasks v = find_legal_masks(p, us);
    v.plain = part == CAPTURES ? v.foe : BOARD & ~v.foe;
    v.promoting = part == CAPTURES ? BOARD : (Squares)0;
    emit_moves(k, GEN_LIST, KING, v.king, step_attacks[us][KING][v.king] & ~v.own & ~v.attacked & v.plain, PLAIN);
    if (UNLIKELY(!v.target)) return;
    gen_board(p, k, GEN_LIST, &v);
    if (part == QUIETS) gen_drops(p, k, us, GEN_LIST, v.target & ~v.occ);
}
