/* SPDX-License-Identifier: MIT */
/* What positions of mate.c are made of: files, pieces of the attacker and of the other side, what follows the board. */
#pragma once

enum {
    MATE_FILES = 8,
    MATE_ATTACKERS_MAX = 5,
    MATE_DEFENDERS_MAX = 3,
    MATE_AREA_MIN = 4,
    MATE_HANDS = 0,
    MATE_LONGEST = 31
};
static const char mate_kings[] = "Kk", mate_attackers[] = "QQRRBBNNPP", mate_defenders[] = "qrrbnppppp";
static const char mate_promoted[] = "", mate_unpromoted[] = "";
static const char mate_drop[] = "-", mate_turn[] = " w ", mate_rest[] = " - 0 1";
/* A long mate that mate_problems found, to begin with. */
static const char mate_long[] = "k1b1N3/2Kp4/p7/1B6/8/8/5Q2/6nn w - - 2 2";
/* A mate that is not found at once. */
static const char mate_found_late[] = "3r3k/6pp/8/6N1/2Q5/8/8/K7 w - - 0 1";
