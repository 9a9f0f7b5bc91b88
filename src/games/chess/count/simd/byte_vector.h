/* SPDX-License-Identifier: MIT */
/*
 * The other use of a register: 64 bytes, one for each move of a list or for each square; and how eight bitboards become
 * a byte for each square.
 */
#pragma once
#include "bitboard_vector.h"

typedef __m512i ByteVector;
typedef __mmask64 ByteMask; /* one bit for each of 64 bytes */

INLINE BitsVector vector_of(Bits a, Bits b, Bits c, Bits d, Bits e, Bits f, Bits g, Bits h) {
    return (BitsVector)_mm512_set_epi64((long long)h, (long long)g, (long long)f, (long long)e, (long long)d,
                                        (long long)c, (long long)b, (long long)a);
}

INLINE uint64_t sum_lanes(BitsVector b) {
    return (uint64_t)_mm512_reduce_add_epi64((__m512i)b);
}
INLINE Bits union_lanes(BitsVector b) {
    return (Bits)_mm512_reduce_or_epi64((__m512i)b);
}
/* The n lowest of 64 bytes, or of eight lanes. */
INLINE ByteMask lowest_bytes(int n) {
    assert(n >= 0 && n <= 64);
    return _bzhi_u64(~0ull, (unsigned)n);
}
INLINE LaneMask lowest_lanes(int n) {
    assert(n >= 0 && n <= 8);
    return (LaneMask)_bzhi_u32(255, (unsigned)n);
}

INLINE ByteVector square_numbers(void) {
    return _mm512_load_si512((const void *)square_list);
}

/*
 * Transposes eight boards to 64 bytes, one for each square: bit n of byte s says whether board n has square s. The
 * bytes of one rank are brought together, then rows and columns of bits are exchanged.
 */
INLINE ByteVector bits_by_square(ByteVector boards) {
    const ByteVector by_rank = _mm512_permutexvar_epi8(_mm512_load_si512((const void *)rank_permutation), boards);
    return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64((long long)0x8040201008040201ull), by_rank, 0);
}
