/* SPDX-License-Identifier: MIT */
/* The kinds of moves that a perft may count apart. A move may be of several. */
#pragma once

typedef enum { KIND_CAPTURE, KIND_PROMOTION, KIND_DROP, KIND_CHECK, KIND_MATE, KINDS } Kind; /* a mate is a check too */

#define KIND_NAMES                                                                                                     \
    { "Captures", "Promotions", "Drops", "Checks", "Mates" }
