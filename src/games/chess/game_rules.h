/* SPDX-License-Identifier: MIT */
/* What a search may know of chess alone; game.h has the rest. */
#pragma once
#include "eval/endings.h"
#include "eval/evaluate.h"
#include "eval/see.h"
#include "path.h"
#include "rules/gives_check.h"
#include "rules/movegen.h"
#include "rules/zobrist.h"

#include "no_hands.h"

enum {
    GAME_PIECES = 12,       /* by side and piece type, for histories */
    GAME_SQUARES = 64,      /* targets of moves */
    GAME_PIECE_TYPES = 6,   /* that can be captured */
    GAME_FROM_TO = 1 << 14, /* values of game_from_to */
    GAME_LOOKS_FOR_MATE_IN_ONE = 0,
};

INLINE Key game_key_after(const Zobrist *z, const Position *p, Key key, Move m) {
    return key_after(z, p, key, (Colour)p->turn, position_unpack_move(p, m));
}
INLINE Key game_key_after_null_move(const Zobrist *z, const Position *p, Key key) {
    return key ^ z->black_to_move ^ (p->ep ? z->ep[file_of(p->ep)] : (Key){0, 0});
}
/* The plies until the game is a draw by the 50-move rule if only reversible moves are played; 0 or less: it is. */
INLINE int game_plies_to_draw(const Position *p) {
    return GAME_HALFMOVE_DRAW - p->halfmove;
}
/* Is the 50-move rule so near that results tell of it, and not of the evaluation? */
INLINE bool game_is_near_draw(const Position *p) {
    return p->halfmove >= GAME_HALFMOVE_LATE;
}
/* Does a side without a legal move lose? It is stalemate otherwise. */
INLINE bool game_no_move_loses(const Position *p) {
    return in_check(p);
}
/*
 * The plies until the 50-move rule draws if nothing is captured: without pawns nothing else resets the halfmove clock.
 */
INLINE int game_plies_left(const Position *p) {
    return p->pawn ? INT16_MAX : p->halfmove < GAME_HALFMOVE_DRAW ? GAME_HALFMOVE_DRAW - p->halfmove : 0;
}
/*
 * Who can win only by mate, having no pawn and nothing to capture: 1 the side to move, -1 the other, 0 nobody or
 * unknown.
 */
INLINE int game_must_mate(const Position *p) {
    const Bits own = p->side[p->turn], foe = p->side[!p->turn];
    return p->pawn ? 0 : !more_than_one(foe) ? 1 : !more_than_one(own) ? -1 : 0;
}
/* No moves of either side mate before the 50-move rule draws. */
INLINE bool game_is_too_late_to_mate(const Position *p) {
    return UNLIKELY(game_plies_left(p) < MATE_PLIES_MAX) && ending_mate_plies(p) > game_plies_left(p);
}
/* May the side to move end the game as won by saying so? */
INLINE bool game_may_declare_win(const Position *p) {
    (void)p;
    return false;
}
/* A move that mates at once, of a side that is not in check; 0: none is found. */
INLINE Move game_mate_in_one(const Position *p) {
    (void)p;
    return 0;
}
INLINE bool game_is_dead_draw(const Position *p) {
    return is_dead_draw(p);
}

/* The piece that moves, as colour and type, and the type that is captured (NO_PIECE_TYPE: none). */
INLINE int game_piece(const Position *p, Move m) {
    return p->turn * 6 + (int)piece_type_at_branchless(p, move_from(m));
}
INLINE PieceType game_captured(const Position *p, Move m) {
    if (move_flag(m) == CASTLING) return NO_PIECE_TYPE;
    return move_flag(m) == EN_PASSANT ? PAWN : piece_type_at_branchless(p, move_to(m));
}
/* See shogi: no length of a mate leaves a move out. */
enum { GAME_LEAVES_OUT_INTERPOSITIONS = 0 };
INLINE int game_interposes(const Position *p, Move m) {
    (void)p, (void)m;
    return 0;
}
INLINE Move game_undo_interposition(const Position *p, int square, Position *n) {
    (void)p, (void)square, (void)n;
    return 0;
}
/* What game_threats returns: a set of squares. */
typedef Bits Threats;
/* Origin and destination in 12 bits, and above them whether each of them is attacked. */
INLINE unsigned game_from_to(Move m, Threats t) {
    return (m & 0xfff) | (unsigned)(t >> move_from(m) & 1) << 12 | (unsigned)(t >> move_to(m) & 1) << 13;
}
/* Neither a capture nor a promotion to a queen. */
INLINE bool game_is_quiet(const Position *p, Move m) {
    const int flag = move_flag(m);
    return flag != EN_PASSANT && flag != PROMOTION + QUEEN && !(p->side[!p->turn] & bit(move_to(m)));
}
/* Is a legal move one of game_captures? */
INLINE bool game_is_capture(const Position *p, Move m) {
    return move_promotes(m) ? move_flag(m) == PROMOTION + QUEEN : game_captured(p, m) != NO_PIECE_TYPE;
}
INLINE int game_capture_value(const Position *p, Move m) {
    const int promoted = move_flag(m) == PROMOTION + QUEEN ? exchange_value(QUEEN) - exchange_value(PAWN) : 0;
    return exchange_value(game_captured(p, m)) + promoted;
}
/*
 * The number of the side to move's pieces other than pawns and king; with none a null move is likely to be better than
 * any move.
 */
INLINE int game_non_pawns(const Position *p) {
    return popcount(p->side[p->turn] & ~(p->pawn | p->king));
}
/* What corrections of the evaluation are filed under: hashes of the pawns, and of a side's other pieces. */
INLINE uint64_t game_pawn_key(const Position *p) {
    return (p->pawn & p->side[WHITE]) * 0x9e3779b97f4a7c15ull ^ (p->pawn & p->side[BLACK]) * 0xbf58476d1ce4e5b9ull;
}
INLINE uint64_t game_non_pawn_key(const Position *p, Colour c) {
    const Bits own = p->side[c] & ~p->pawn;
    return (own & (p->knight | p->king)) * 0x9e3779b97f4a7c15ull ^ (own & p->diag) * 0xbf58476d1ce4e5b9ull ^
           (own & p->orth) * 0x94d049bb133111ebull;
}
