/* SPDX-License-Identifier: MIT */
/* For segment.c under the explorer: its stores past the caches, which the sanitizer does not see. */
#pragma once
#include <immintrin.h>

#include "explore.h"

#define BUCKET_SIMD
#define _mm_stream_si128(to, zeros) model_stream_zero((void *)(to), sizeof(zeros))
#define _mm_sfence() model_stream_fence()
