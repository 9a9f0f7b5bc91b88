/* SPDX-License-Identifier: MIT */
/* Self-play of chess: how the rules end a game, which of them a run may choose, and from where it starts without a book. */
#pragma once

/* Endings by the rules: name, description. */
#define GAME_TERMINATIONS(TERMINATION)                                                                                 \
    TERMINATION(mate, "checkmate")                                                                                     \
    TERMINATION(stalemate, "stalemate")                                                                                \
    TERMINATION(fifty_moves, "fifty-move rule")                                                                        \
    TERMINATION(repetition, "threefold repetition")                                                                    \
    TERMINATION(insufficient_material, "insufficient material")

/* What a run may choose, as options (datagen/settings.h): member of GameRules, option, initial value, min, max, argument,
   help. */
#define GAME_RULE_OPTIONS(OPTION)                                                                                      \
    OPTION(insufficient_material, "insufficient", 1, 0, 1, "0|1", "1: insufficient material is a draw at once")

/* Start positions: name, also of the option that chooses it, and words for a report. The first is the usual one. */
#define GAME_STARTS(START)                                                                                             \
    START(standard, "the start position")                                                                              \
    START(chess960, "start positions of Chess960")                                                                     \
    START(dfrc, "start positions of DFRC")
