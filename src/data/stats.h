/* SPDX-License-Identifier: MIT */
/*
 * What is in a data file: counts, and how phase, men, material, score, result and length are distributed.
 */
#pragma once
#include "data/record.h"

/* name, title, what is counted, least value, width of a bin, bins. Values beyond the ends count in the last bins. */
#define DATA_HISTOGRAMS(H)                                                                                             \
    H(phase, "Phase", "24 at the start, 0 without pieces", 0, 1, 25)                                                   \
    H(men, "Men", "on the board, kings too", 2, 1, 31)                                                                 \
    H(material, "Material", "of the side to move over the other's, in pawns", -15, 1, 31)                              \
    H(score, "Score", "for the side to move", -3000, 100, 61)                                                          \
    H(ply, "Ply", "since the game began", 0, 10, 41)                                                                   \
    H(length, "Length of games", "in records", 0, 10, 41)

#define DATA_HISTOGRAM_NUMBER(name, title, of, least, width, bins) DATA_HISTOGRAM_##name,
enum { DATA_HISTOGRAMS(DATA_HISTOGRAM_NUMBER) DATA_HISTOGRAMS_N, DATA_BINS_MAX = 61 };

typedef struct {
    uint64_t bin[DATA_BINS_MAX];
    uint64_t n;
    double sum, squares;
    int64_t least, most;
} DataHistogram;

/* Records that are marked to be skipped count among `records` and `skip_marks` and in the length of games, and nowhere
   else: nobody learns from them, and they have no score. */
typedef struct {
    uint64_t records, skip_marks, games;
    uint64_t result[3], white_result[3]; /* lost, drawn, won by the side to move; by white */
    uint64_t in_check, captures, promotions, with_move, castling, chess960;
    DataHistogram histogram[DATA_HISTOGRAMS_N];
    uint64_t points[DATA_BINS_MAX]; /* half points of the side to move, by the bins of score */
    uint64_t length;                /* of the game at hand */
} DataStats;

/* What a histogram shows, where it begins and how wide its bins are. */
typedef struct {
    const char *name, *title, *of;
    int least, width, bins;
} DataHistogramShape;
const DataHistogramShape *data_histogram_shape(unsigned number);

/* All zero before the first; then each record in its order, then the end once. */
void data_stats_add(DataStats *s, const DataRecord *r);
void data_stats_end(DataStats *s);

double data_histogram_mean(const DataHistogram *h);
double data_histogram_deviation(const DataHistogram *h);
