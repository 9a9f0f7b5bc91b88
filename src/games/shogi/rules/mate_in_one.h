/* SPDX-License-Identifier: MIT */
/*
 * A mate in one, found without listing the moves: by a piece that is dropped beside the other king, or goes there, where
 * nothing but the king defends and a piece of the same side stands behind; or by a knight. Mates from afar, by a line that
 * is opened, or past a pinned defender are not looked for.
 */
#pragma once
#include "movegen.h"

/* A legal move of the side to move, which is not in check, that mates; 0 if none is found. */
Move mate_in_one(const Position *p);
