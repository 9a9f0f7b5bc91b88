/* SPDX-License-Identifier: MIT */
/* What the formats of shogi remember from one record to the next, beside what those of every game do (data/decode.h,
   data/encode.h). All zero before the first record. */
#pragma once
#include <stdbool.h>

typedef struct {
    bool unused; /* hcpe3: bits that the format leaves unused are set in the game's head */
} FormatDecoderState;

typedef struct {
    bool none;
} FormatEncoderState;
