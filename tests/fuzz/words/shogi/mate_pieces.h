/* SPDX-License-Identifier: MIT */
/* What positions of mate.c are made of: files, pieces of the attacker and of the other side, what follows the board. */
#pragma once

enum {
    MATE_FILES = 9,
    MATE_ATTACKERS_MAX = 5,
    MATE_DEFENDERS_MAX = 4,
    MATE_AREA_MIN = 4,
    MATE_HANDS = 1,
    MATE_LONGEST = 29
};
static const char mate_kings[] = "k", mate_attackers[] = "RRBBGGSSNLPDDHHT", mate_defenders[] = "rbggssnlpppt";
/* Letters of our own for promoted pieces: dragon, horse, and so on. */
static const char mate_promoted[] = "DHTUVWdhtuvw", mate_unpromoted[] = "RBPNLSrbpnls";
static const char mate_drop[] = "GSNLPp", mate_turn[] = " b ", mate_rest[] = " 1";
/* A long mate that mate_problems found, to begin with. */
static const char mate_long[] = "1k7/9/1B7/9/9/9/9/9/7+B1 b - 1";
/* A mate that is not found at once. */
static const char mate_found_late[] = "8k/7p1/1r7/5bS2/7N1/9/9/9/9 b RSNLb4g2s2n3l17p 1";
