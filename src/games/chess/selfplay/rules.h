/* SPDX-License-Identifier: MIT */
/*
 * Self-play of chess: how the rules end a game, and which of them a run may choose.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "rules/movegen.h"

/* Endings by the rules: name, description. */
#define GAME_TERMINATIONS(TERMINATION)                                                                                 \
    TERMINATION(mate, "checkmate")                                                                                     \
    TERMINATION(stalemate, "stalemate")                                                                                \
    TERMINATION(fifty_moves, "fifty-move rule")                                                                        \
    TERMINATION(repetition, "threefold repetition")                                                                    \
    TERMINATION(insufficient_material, "insufficient material")                                                        \
    TERMINATION(exact_ending, "solved ending (--exact-endings)")

/* What a run may choose, as options (datagen/settings.h): member of GameRules, option, initial value, least, greatest,
   argument, help. */
#define GAME_RULE_OPTIONS(OPTION)                                                                                      \
    OPTION(insufficient_material, "insufficient", 1, 0, 1, "0|1", "1: insufficient material is a draw at once")        \
    OPTION(exact_endings, "exact-endings", 0, 0, 4, "N",                                                               \
           "a game ends by its exact result under the fifty-move rule when so\n"                                       \
           "many pieces are left, kings included: 3, or 4, which takes 300 MB\n"                                       \
           "and half a minute to solve them first; 0: it is played on")

typedef struct {
#define GAME_RULE_MEMBER(member, option, initial, min, max, argument, help) uint64_t member;
    GAME_RULE_OPTIONS(GAME_RULE_MEMBER)
#undef GAME_RULE_MEMBER
    struct EndgameTables *endings; /* of exact_endings (endgame_table.h); NULL: games are played on; the caller's */
} GameRules;

enum {
#define GAME_ENDING(name, words) GAME_ENDING_##name,
    GAME_TERMINATIONS(GAME_ENDING) GAME_ENDINGS_N,
#undef GAME_ENDING
    GAME_ENDING_NONE = GAME_ENDINGS_N
};

INLINE bool move_is_of_king(const Position *p, Move m) {
    return p->king & bit(move_from(m));
}

/* How the rules end the game at its last position, positions[ply]; GAME_ENDING_NONE: it continues. *white_result is then
   1 where white won, 0 drawn, -1 where black won. positions[0 .. ply] are those of the game, moves[0 .. ply - 1] led from
   one to the next. */
unsigned game_ending(const GameRules *rules, const Position *positions, const Move *moves, unsigned ply,
                     int *white_result);
