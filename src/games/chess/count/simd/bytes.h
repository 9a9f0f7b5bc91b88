/* SPDX-License-Identifier: MIT */
/*
 * The other use of a register: 64 bytes, one for each move of a list or for each square; and how eight boards become a
 * byte for each square.
 */
#pragma once
#include "boards.h"

typedef __m512i Bytes;
typedef __mmask64 Subset; /* some of 64 bytes */

INLINE Boards lanes_of(Bits a, Bits b, Bits c, Bits d, Bits e, Bits f, Bits g, Bits h) {
    return (Boards)_mm512_set_epi64((long long)h, (long long)g, (long long)f, (long long)e, (long long)d, (long long)c,
                                    (long long)b, (long long)a);
}

INLINE uint64_t sum_of(Boards b) {
    return (uint64_t)_mm512_reduce_add_epi64((__m512i)b);
}
INLINE Bits union_of(Boards b) {
    return (Bits)_mm512_reduce_or_epi64((__m512i)b);
}
/* The least n of 64, or of eight. */
INLINE Subset first_bytes(int n) {
    return _bzhi_u64(~0ull, (unsigned)n);
}
INLINE Which first_lanes(int n) {
    return (Which)_bzhi_u32(255, (unsigned)n);
}

INLINE Bytes all_squares(void) {
    return _mm512_load_si512((const void *)byte_numbers);
}

/*
 * Eight boards turned into 64 bytes, one for each square: bit n of byte s says whether board n has square s. The bytes
 * of one rank are brought together, then rows and columns of bits change places.
 */
INLINE Bytes bits_by_square(Bytes boards) {
    const Bytes by_rank = _mm512_permutexvar_epi8(_mm512_load_si512((const void *)ranks_together), boards);
    return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64((long long)0x8040201008040201ull), by_rank, 0);
}
