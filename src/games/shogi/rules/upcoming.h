/* SPDX-License-Identifier: MIT */
/*
 * Moves that lead back to a position. There is no table of them: a repetition may be lost, by perpetual check, so that
 * the side to move is not sure of a draw.
 */
#pragma once
#include "rules/zobrist.h"

typedef struct {
    char nothing;
} UpcomingTable;

INLINE void upcoming_init(UpcomingTable *u, const Zobrist *z) {
    (void)u, (void)z;
}
