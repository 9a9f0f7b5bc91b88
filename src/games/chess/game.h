/* SPDX-License-Identifier: MIT */
/*
 * What a search may know of a game. The search above is compiled against this file by include path: another game has
 * one with the same names. All is inline or a plain call; nothing here keeps state.
 *
 *     Position, Move, Key, Zobrist     plain values, copied
 *     GAME_...                         sizes that tables are made with, values that pruning is measured in
 *     game_...                         the questions a search asks
 */
#pragma once
#include "eval/endings.h"
#include "eval/evaluate.h"
#include "eval/see.h"
#include "rules/gives_check.h"
#include "rules/movegen.h"
#include "rules/upcoming.h"
#include "tabia/table.h"

enum {
    GAME_PIECES = 12,  /* men by side and kind, for histories */
    GAME_SQUARES = 64, /* targets of moves */
    GAME_KINDS = 6,
    GAME_CLOCK_END = 100, /* plies without a capture or pawn move that make a draw */
    GAME_PAWN = 100,      /* the unit */
};

INLINE unsigned game_moves(const Position *p, Move *list) {
    return moves_list(p, list);
}
INLINE unsigned game_captures(const Position *p, Move *list) {
    return moves_list_captures(p, list);
}
/* All that game_captures leaves out. */
INLINE unsigned game_quiets(const Position *p, Move *list) {
    return moves_list_quiets(p, list);
}
/* Is m, which may be any 16 bits, one of game_moves? */
INLINE bool game_is_legal(const Position *p, Move m) {
    return move_is_legal(p, m);
}
INLINE bool game_has_move(const Position *p) {
    return moves_count(p) != 0;
}
INLINE void game_play(Position *n, const Position *p, Move m) {
    play_move(n, p, (Colour)p->turn, m);
}
INLINE Key game_key_after(const Zobrist *z, const Position *p, Key key, Move m) {
    const int from = move_from(m);
    return key_after(z, p, key, (Colour)p->turn, kind_looked_up(p, from), from, move_to(m), move_flag(m));
}
/* The turn passes without a move. */
INLINE void game_pass(Position *n, const Position *p) {
    pass_turn(n, p, (Colour)p->turn);
}
INLINE Key game_key_after_pass(const Zobrist *z, const Position *p, Key key) {
    return key ^ z->black_to_move ^ (p->ep ? z->ep[square_file(p->ep)] : (Key){0, 0});
}
INLINE TabiaKey game_table_key(Key key) {
    return (TabiaKey){key[0], key[1]};
}
INLINE bool game_in_check(const Position *p) {
    return in_check(p);
}
/* Will a legal move give check? */
INLINE bool game_gives_check(const Position *p, Move m) {
    return gives_check(p, m);
}
INLINE int game_clock(const Position *p) {
    return p->halfmove;
}
/* The most plies that are left, if nothing is taken: without pawns nothing else turns the clock back. */
INLINE int game_plies_left(const Position *p) {
    return p->pawn ? INT16_MAX : p->halfmove < GAME_CLOCK_END ? GAME_CLOCK_END - p->halfmove : 0;
}
/* Who can win by nothing but mate, having no pawn and nothing to take: 1 the side to move, -1 the other, 0 nobody. */
INLINE int game_must_mate(const Position *p) {
    const Bits own = p->side[p->turn], foe = p->side[!p->turn];
    return p->pawn ? 0 : !several(foe) ? 1 : !several(own) ? -1 : 0;
}
/* No moves of either side mate before the clock's end. */
INLINE bool game_is_too_late(const Position *p) {
    return UNLIKELY(game_plies_left(p) < MATE_PLIES_MAX) && ending_mate_plies(p) > game_plies_left(p);
}
INLINE bool game_is_dead(const Position *p) {
    return is_dead_draw(p);
}

/* The man that moves, and the one that is taken (NO_KIND: none). */
INLINE int game_piece(const Position *p, Move m) {
    return p->turn * 6 + (int)kind_looked_up(p, move_from(m));
}
INLINE Kind game_taken(const Position *p, Move m) {
    if (move_flag(m) == CASTLING) return NO_KIND;
    return move_flag(m) == EN_PASSANT ? PAWN : kind_looked_up(p, move_to(m));
}
INLINE int game_target(Move m) {
    return move_to(m);
}
/* From and target in 12 bits. */
INLINE unsigned game_way(Move m) {
    return m & 0xfff;
}
/* Neither takes nor makes a queen. */
INLINE bool game_is_quiet(const Position *p, Move m) {
    const int flag = move_flag(m);
    return flag != EN_PASSANT && flag != PROMOTION + QUEEN && !(p->side[!p->turn] & bit(move_to(m)));
}
/* Is a legal move one of game_captures? */
INLINE bool game_is_capture(const Position *p, Move m) {
    return move_promotes(m) ? move_flag(m) == PROMOTION + QUEEN : game_taken(p, m) != NO_KIND;
}
INLINE int game_gain(const Position *p, Move m) {
    const int promoted = move_flag(m) == PROMOTION + QUEEN ? exchange_value(QUEEN) - GAME_PAWN : 0;
    return exchange_value(game_taken(p, m)) + promoted;
}
INLINE bool game_see_at_least(const Position *p, Move m, int least) {
    return see_at_least(p, m, least);
}
/* Has the side to move more than pawns, so that passing is likely to be worse than moving? */
INLINE int game_pieces_left(const Position *p) {
    return count(p->side[p->turn] & ~(p->pawn | p->king));
}
/* What corrections of the evaluation are filed under. */
INLINE uint64_t game_structure(const Position *p) {
    return (p->pawn & p->side[WHITE]) * 0x9e3779b97f4a7c15ull ^ (p->pawn & p->side[BLACK]) * 0xbf58476d1ce4e5b9ull;
}
INLINE uint64_t game_material(const Position *p, Colour c) {
    const Bits own = p->side[c] & ~p->pawn;
    return (own & (p->knight | p->king)) * 0x9e3779b97f4a7c15ull ^ (own & p->diag) * 0xbf58476d1ce4e5b9ull ^
           (own & p->orth) * 0x94d049bb133111ebull;
}
