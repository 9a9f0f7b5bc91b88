/* SPDX-License-Identifier: MIT */
/* What a sum of terms (terms.h) is made of: a value for the middlegame and one for the endgame, and what the danger of a
   king costs. */
#pragma once
#include "base/bits.h"

/* A middlegame and an endgame value in one word, added and multiplied together. */
typedef int32_t Score;
INLINE Score score_make(int middle, int end) {
    return (Score)((uint32_t)end << 16) + middle;
}
INLINE int score_middle(Score s) {
    return (int16_t)(uint16_t)(uint32_t)s;
}
INLINE int score_end(Score s) {
    return (int16_t)(uint16_t)((uint32_t)(s + 0x8000) >> 16);
}

typedef struct {
    int16_t middle, end;
} Weight;

enum {
    /* What a danger costs: its middlegame sum squared, over the first; its endgame sum, over the second. */
    DANGER_SQUARE = 512,
    DANGER_END = 8,
};

/* The value of a king's danger. */
INLINE int danger_middle(Score danger) {
    const int d = score_middle(danger);
    return d > 0 ? d * d / DANGER_SQUARE : 0;
}
INLINE int danger_end(Score danger) {
    const int d = score_end(danger);
    return d > 0 ? d / DANGER_END : 0;
}
