/* SPDX-License-Identifier: MIT */
/*
 * Rows of weights added to accumulators and subtracted from them, by vectors of the width that the compiler maps to
 * registers. A width is a multiple of ROW_LANES, and rows begin on cache lines. Sums wrap, as those of other programs do.
 */
#pragma once
#include <string.h>

#include "features/features.h"

/* The vectors that are changed together take eight registers. */
#if defined __AVX512BW__
enum { ROW_LANES = 32, ROW_VECTORS_MAX = 8 };
#elif defined __AVX2__
enum { ROW_LANES = 32, ROW_VECTORS_MAX = 4 };
#else
enum { ROW_LANES = 32, ROW_VECTORS_MAX = 2 };
#endif
typedef uint16_t RowLanes __attribute__((vector_size(ROW_LANES * 2), may_alias));

INLINE RowLanes load_row(const int16_t *row) {
    return *(const RowLanes *)row;
}
INLINE void store_row(int16_t *row, RowLanes v) {
    *(RowLanes *)row = v;
}

/* Some columns of the accumulators of a perspective, in registers from the first change to the last. */
INLINE void change_columns(int16_t *to, const int16_t *from, const int16_t *rows, int width, const FeatureChanges *l,
                           int vectors) {
    RowLanes sum[ROW_VECTORS_MAX];
    for (int v = 0; v < vectors; v++) sum[v] = load_row(from + v * ROW_LANES);
    for (int i = 0; i < l->added_n; i++)
        for (int v = 0; v < vectors; v++) sum[v] += load_row(rows + width * l->added[i] + v * ROW_LANES);
    for (int i = 0; i < l->removed_n; i++)
        for (int v = 0; v < vectors; v++) sum[v] -= load_row(rows + width * l->removed[i] + v * ROW_LANES);
    for (int v = 0; v < vectors; v++) store_row(to + v * ROW_LANES, sum[v]);
}

/* The accumulators of a perspective after the changes; row i of the weights is rows + i * width. to and from may be equal. */
INLINE void apply_changes(int16_t *to, const int16_t *from, const int16_t *rows, int width, const FeatureChanges *l) {
    enum { COLUMNS = ROW_VECTORS_MAX * ROW_LANES };
    for (int column = 0; column < width; column += COLUMNS)
        change_columns(to + column, from + column, rows + column, width, l,
                       width - column < COLUMNS ? (width - column) / ROW_LANES : ROW_VECTORS_MAX);
}
