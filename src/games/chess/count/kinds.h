/* SPDX-License-Identifier: MIT */
/* The kinds of moves that a perft may count apart. A move may be of several. */
#pragma once

typedef enum {
    KIND_CAPTURE,
    KIND_EN_PASSANT, /* a capture too */
    KIND_CASTLING,
    KIND_PROMOTION,
    KIND_CHECK,      /* also those that mate */
    KIND_DISCOVERED, /* only a piece that did not move gives check */
    KIND_DOUBLE,     /* two pieces do */
    KIND_MATE,
    KINDS
} Kind;

#define KIND_NAMES                                                                                                     \
    { "Captures", "En passant", "Castles", "Promotions", "Checks", "Discovered checks", "Double checks", "Mates" }
