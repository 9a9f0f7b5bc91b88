/* SPDX-License-Identifier: MIT */
/*
 * The last plies of a count: the number of legal moves (last one), and of the replies to all of them (last two),
 * without making them. The method is chosen when the file is compiled, by the instructions it may use:
 *
 *   delta   the replies to a null move are counted once, and what each move changes is summed for whole sets of moves
 *           (delta/delta.h); for portable and AVX2 kernels
 *   simd    children are counted eight at a time in 512-bit registers (simd/simd.h); for AVX-512 kernels
 *
 * Both equal making every move and counting its replies, which is what tests/fuzz/last_two.c compares them with.
 */
#pragma once
#if defined(__AVX512VBMI2__) && defined(__AVX512BITALG__) && defined(__AVX512VPOPCNTDQ__) && defined(__GFNI__)

#include "count/simd/simd.h"

INLINE uint64_t count_last_one(const Position *p, Colour us) {
    MoveSink k = {0};
    generate(p, &k, us, GEN_COUNT);
    return k.n;
}

INLINE uint64_t count_last_two(const Position *p, Colour us) {
    return simd_last_two(p, us);
}

#else

#include "count/delta/delta.h"

INLINE uint64_t count_last_one(const Position *p, Colour us) {
    return delta_last_one(p, us);
}

INLINE uint64_t count_last_two(const Position *p, Colour us) {
    return delta_last_two(p, us);
}

#endif
