/* SPDX-License-Identifier: MIT */
/*
 * Rows of weights added to accumulators and subtracted from them, by vectors of the width that the compiler maps to
 * registers. A width is a multiple of ROW_LANES, and rows begin on cache lines. Sums wrap, as those of other programs do.
 */
#pragma once
#include <string.h>

#include "features/features.h"

enum { ROW_LANES = 32 };
typedef uint16_t RowLanes __attribute__((vector_size(ROW_LANES * 2), may_alias));

INLINE RowLanes load_row(const int16_t *row) {
    return *(const RowLanes *)row;
}
INLINE void store_row(int16_t *row, RowLanes v) {
    *(RowLanes *)row = v;
}

/* to = from + added - removed; to and from may be equal. */
INLINE void add_and_subtract_row(int16_t *to, const int16_t *from, const int16_t *added, const int16_t *removed,
                                 int width) {
    for (int i = 0; i < width; i += ROW_LANES)
        store_row(to + i, load_row(from + i) + load_row(added + i) - load_row(removed + i));
}
INLINE void add_row(int16_t *to, const int16_t *from, const int16_t *added, int width) {
    for (int i = 0; i < width; i += ROW_LANES) store_row(to + i, load_row(from + i) + load_row(added + i));
}
INLINE void subtract_row(int16_t *to, const int16_t *from, const int16_t *removed, int width) {
    for (int i = 0; i < width; i += ROW_LANES) store_row(to + i, load_row(from + i) - load_row(removed + i));
}

/* The accumulators of a perspective after the changes; row i of the weights is rows + i * width. */
INLINE void apply_changes(int16_t *to, const int16_t *from, const int16_t *rows, int width, const FeatureChanges *l) {
    int i = 0;
    for (; i < l->added_n && i < l->removed_n; i++, from = to)
        add_and_subtract_row(to, from, rows + width * l->added[i], rows + width * l->removed[i], width);
    for (int j = i; j < l->added_n; j++, from = to) add_row(to, from, rows + width * l->added[j], width);
    for (int j = i; j < l->removed_n; j++, from = to) subtract_row(to, from, rows + width * l->removed[j], width);
    if (from != to) memcpy(to, from, (size_t)width * sizeof *to);
}
