/* SPDX-License-Identifier: MIT */
/*
 * Statistics of a data file: counts, histograms and tables, those of the game (records/statistics.h), and of score, ply and
 * length of games.
 */
#pragma once
#include "data/record.h"
#include "records/statistics.h"

/* The game's first, then those of every game: name, title, what is counted, minimum, bin width, bins. Values beyond the
   ends count in the outermost bins. */
#define DATA_HISTOGRAMS(H)                                                                                             \
    GAME_HISTOGRAMS(H)                                                                                                 \
    H(score, "Score", "for the side to move", -3000, 100, 61)                                                          \
    H(ply, "Ply", "since the game began", 0, 10, 41)                                                                   \
    H(length, "Length of games", "in records", 0, 10, 41)

#define DATA_HISTOGRAM_INDEX(name, title, description, min, width, bins) DATA_HISTOGRAM_##name,
enum { DATA_HISTOGRAMS(DATA_HISTOGRAM_INDEX) DATA_HISTOGRAMS_N, DATA_BINS_MAX = 61 };

typedef struct {
    uint64_t bin[DATA_BINS_MAX];
    uint64_t count;
    double sum, sum_of_squares;
    int64_t min, max; /* of the values; undefined while count is 0 */
} DataHistogram;

/* Records marked to be skipped count in `records`, in `skipped` and in the length of games, and nowhere else: trainers
   do not use them, and they have no score. */
typedef struct {
    uint64_t records, skipped, games;
    uint64_t result[3], white_result[3]; /* lost, drawn, won: by the side to move; by white */
    uint64_t with_move;
    uint64_t property[GAME_PROPERTIES_N]; /* records that have it */
    GameTable table[GAME_TABLES_N];
    DataHistogram histogram[DATA_HISTOGRAMS_N];
    uint64_t half_points[DATA_BINS_MAX]; /* of the side to move, by the bins of score */
    uint64_t game_length;                /* of the current game, in records */
} DataStats;

/* The title of a histogram, its lower end and the width of its bins. */
typedef struct {
    const char *name, *title, *description;
    int min, width, bins;
} DataHistogramShape;
const DataHistogramShape *data_histogram_shape(unsigned index);

/* A property's name, and the records that are asked for it: all that trainers use, or those with a move. */
typedef struct {
    const char *name, *words;
    bool of_move;
} DataProperty;
const DataProperty *data_property(unsigned index);

/* The title of a table of cells, their number, and how many are shown in a row. */
typedef struct {
    const char *name, *title;
    unsigned cells, columns;
} DataTableShape;
const DataTableShape *data_table_shape(unsigned index);

/* All zero before the first record; add each record in its order, then end once. */
void data_stats_add(DataStats *s, const DataRecord *r);
void data_stats_end(DataStats *s);

double data_histogram_mean(const DataHistogram *h);
double data_histogram_deviation(const DataHistogram *h); /* standard deviation */
