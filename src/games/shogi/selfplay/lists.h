/* SPDX-License-Identifier: MIT */
/* Self-play of shogi: how the rules end a game, which of them a run may choose, and from where it starts without a book. */
#pragma once

/* Endings by the rules: name, description. */
#define GAME_TERMINATIONS(TERMINATION)                                                                                 \
    TERMINATION(mate, "checkmate")                                                                                     \
    TERMINATION(no_move, "no legal move")                                                                              \
    TERMINATION(repetition, "fourfold repetition")                                                                     \
    TERMINATION(perpetual_check, "perpetual check")                                                                    \
    TERMINATION(declaration, "declaration of entering king")

/* What a run may choose, as options (datagen/settings.h): member of GameRules, option, initial value, min, max, argument,
   help. */
#define GAME_RULE_OPTIONS(OPTION)                                                                                      \
    OPTION(declaration, "declaration", 1, 0, 1, "0|1", "1: who may declare a win by 27 points does so at once")

/* Start positions: name, also of the option that chooses it, and words for a report. The first is the usual one. */
#define GAME_STARTS(START)                                                                                             \
    START(standard, "the start position")                                                                              \
    START(handicap, "handicap positions")
