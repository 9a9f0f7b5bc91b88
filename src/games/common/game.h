/* SPDX-License-Identifier: MIT */
/*
 * What a search may know of a game. The search is compiled against this file by include path: another game has one with
 * the same names. Everything is inline or a plain call; nothing here keeps state, so all of it is safe in any thread.
 *
 *     Position, Move, Key, Zobrist     plain values, copied
 *     GAME_...                         sizes of tables, and values that pruning is measured in
 *     game_...                         the operations a search needs
 */
#pragma once
#include "game_rules.h"
#include "rules/movegen.h"
#include "tabia/table.h"

INLINE unsigned game_moves(const Position *p, Move *list) {
    return moves_list(p, list);
}
/* Captures and promotions (rules/moves.h). */
INLINE unsigned game_captures(const Position *p, Move *list) {
    return moves_list_captures(p, list);
}
/* All legal moves that game_captures leaves out. */
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
INLINE void game_make_move(Position *n, const Position *p, Move m) {
    make_move(n, p, (Colour)p->turn, m);
}
/* The turn passes without a move. */
INLINE void game_make_null_move(Position *n, const Position *p) {
    make_null_move(n, p, (Colour)p->turn);
}
INLINE void game_path_clear(GamePath *path) {
    path->game_n = 0;
}
/* The search makes a move from the position at `ply`, or a null move. */
INLINE void game_path_leave(GamePath *path, int ply, Visit from) {
    path->visit[path->game_n + (unsigned)ply] = from;
}
INLINE void game_path_leave_by_null_move(GamePath *path, int ply) {
    path->visit[path->game_n + (unsigned)ply] = (Visit){0};
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
/* The squares that the other side attacks. */
INLINE Threats game_threats(const Position *p) {
    return attacked_by(p, (Colour)!p->turn, occupied(p));
}
INLINE int game_target(Move m) {
    return move_to(m);
}
INLINE bool game_see_at_least(const Position *p, Move m, int threshold) {
    return see_at_least(p, m, threshold);
}
