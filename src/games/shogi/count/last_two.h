/* SPDX-License-Identifier: MIT */
/*
 * The last plies of a count: the number of legal moves (last one), and of the replies to all of them (last two), without
 * making them (delta/delta.h). Both equal making every move and counting its replies, which is what
 * tests/fuzz/last_two.c compares them with.
 */
#pragma once
#include "count/delta/delta.h"

INLINE uint64_t count_last_one(const Position *p, Colour us) {
    return count_replies(p, us);
}

INLINE uint64_t count_last_two(const Position *p, Colour us) {
    return delta_last_two(p, us);
}
