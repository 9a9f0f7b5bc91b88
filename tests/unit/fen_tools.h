/* SPDX-License-Identifier: MIT */
/* Positions for tests, of either game. */
#pragma once
#include "unit.h"

#include "notation/fen.h"

/* The test fails where the FEN (of shogi: the SFEN) is none. */
static inline Position parsed(const char *fen) {
    Position p;
    TabiaError error;
    if (!fen_parse(&p, fen, &error)) fail_msg("%s: %s", fen, error.text);
    return p;
}
