/* SPDX-License-Identifier: MIT */
/* The full count in four lanes: half the register, half the work. */
#define LANES 4
#include "full_count.h"

BitsVector full_count_x4_white(const ParentContext *c, __m128i f, __m128i t, __m128i k);
BitsVector full_count_x4_black(const ParentContext *c, __m128i f, __m128i t, __m128i k);
BitsVector full_count_x4_orthogonal_white(const ParentContext *c, __m128i f, __m128i t, __m128i k);
BitsVector full_count_x4_orthogonal_black(const ParentContext *c, __m128i f, __m128i t, __m128i k);

BitsVector full_count_x4_white(const ParentContext *c, __m128i f, __m128i t, __m128i k) {
    return full_count_lanes(c, f, t, k, 0, WHITE, true);
}
BitsVector full_count_x4_black(const ParentContext *c, __m128i f, __m128i t, __m128i k) {
    return full_count_lanes(c, f, t, k, 0, BLACK, true);
}
BitsVector full_count_x4_orthogonal_white(const ParentContext *c, __m128i f, __m128i t, __m128i k) {
    return full_count_lanes(c, f, t, k, 0, WHITE, false);
}
BitsVector full_count_x4_orthogonal_black(const ParentContext *c, __m128i f, __m128i t, __m128i k) {
    return full_count_lanes(c, f, t, k, 0, BLACK, false);
}
