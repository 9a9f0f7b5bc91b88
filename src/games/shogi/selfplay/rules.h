/* SPDX-License-Identifier: MIT */
/*
 * Self-play of shogi, and games that others play: how the rules end a game, and which of them a run may choose.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/movegen.h"

/* Endings by the rules: name, description. */
#define GAME_TERMINATIONS(TERMINATION)                                                                                 \
    TERMINATION(mate, "checkmate")                                                                                     \
    TERMINATION(no_move, "no legal move")                                                                              \
    TERMINATION(repetition, "fourfold repetition")                                                                     \
    TERMINATION(perpetual_check, "perpetual check")                                                                    \
    TERMINATION(declaration, "declaration of entering king")

/* What a run may choose, as options (datagen/settings.h): member of GameRules, option, initial value, least, greatest,
   argument, help. */
#define GAME_RULE_OPTIONS(OPTION)                                                                                      \
    OPTION(declaration, "declaration", 1, 0, 1, "0|1", "1: who may declare a win by 27 points does so at once")

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

enum { GAME_OCCURRENCES_TO_END = 4 }; /* of a position */

INLINE bool move_is_of_king(const Position *p, Move m) {
    return move_from(m) == p->king[p->turn];
}

/* How the rules end the game at its last position, positions[ply]; GAME_ENDING_NONE: it continues. *white_result is then
   1 where white won, 0 drawn, -1 where black won. positions[0 .. ply] are those of the game, moves[0 .. ply - 1] led from
   one to the next. The fourth occurrence of a position loses for a side all of whose moves since the first were checks. */
unsigned game_ending(const GameRules *rules, const Position *positions, const Move *moves, unsigned ply,
                     int *white_result);
