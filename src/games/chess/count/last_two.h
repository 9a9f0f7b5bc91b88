/* SPDX-License-Identifier: MIT */
/*
 * The last plies of a count: how many legal moves (last one), and how many replies to all of them (last two), without
 * playing them. Which of the ways is used is fixed when the file is compiled, by the instructions it may use:
 *
 *   sums    the replies are counted once, as if we had passed, and what each move changes is summed for whole sets
 *   plain   every move is made and its replies counted: the meaning of the others, and what they are tested against
 *   lanes   children are counted eight at a time in 512-bit registers (lanes/lanes.h)
 */
#pragma once
#if defined(__AVX512VBMI2__) && defined(__AVX512BITALG__) && defined(__AVX512VPOPCNTDQ__) && defined(__GFNI__)

#include "count/simd/simd.h"

INLINE uint64_t count_last_one(const Position *p, Colour us) {
    Sink k = {0};
    generate(p, &k, us, COUNT);
    return k.n;
}

INLINE uint64_t count_last_two(const Position *p, Colour us) {
    return lanes_last_two(p, us);
}

#else

#include "count/delta/delta.h"

INLINE uint64_t count_last_one(const Position *p, Colour us) {
    return sums_last_one(p, us);
}

INLINE uint64_t count_last_two(const Position *p, Colour us) {
    return sums_last_two(p, us);
}

#endif
