/* SPDX-License-Identifier: MIT */
/*
 * Self-play, and games that others play: how the rules end a game, and which of them a run may choose (lists.h).
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/movegen.h"
#include "selfplay/lists.h"

typedef struct {
#define GAME_RULE_MEMBER(member, option, initial, min, max, argument, help) uint64_t member;
    GAME_RULE_OPTIONS(GAME_RULE_MEMBER)
#undef GAME_RULE_MEMBER
} GameRules;

enum {
#define GAME_ENDING(name, words) GAME_ENDING_##name,
    GAME_TERMINATIONS(GAME_ENDING) GAME_ENDINGS_N,
#undef GAME_ENDING
    GAME_ENDING_NONE = GAME_ENDINGS_N
};

bool move_is_of_king(const Position *p, Move m);

/* How the rules end the game at its last position, positions[ply]; GAME_ENDING_NONE: it continues. *white_result is then
   1 where white won, 0 drawn, -1 where black won. positions[0 .. ply] are those of the game, moves[0 .. ply - 1] led from
   one to the next. */
unsigned game_ending(const GameRules *rules, const Position *positions, const Move *moves, unsigned ply,
                     int *white_result);
