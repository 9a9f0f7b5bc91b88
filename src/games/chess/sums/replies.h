/* SPDX-License-Identifier: MIT */
/* The number of legal moves of a position, one instance for each colour: the leaf of everything that is played. */
#pragma once
#include "plain.h"

NOINLINE uint64_t count_replies_white(const Position *p) {
    return plain_last_one(p, WHITE);
}
NOINLINE uint64_t count_replies_black(const Position *p) {
    return plain_last_one(p, BLACK);
}
INLINE uint64_t count_replies(const Position *p, Colour us) {
    return us == WHITE ? count_replies_white(p) : count_replies_black(p);
}
