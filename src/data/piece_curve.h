/* SPDX-License-Identifier: MIT */
/*
 * The rule piece_curve of a filter: of each number of pieces a share of the records is kept that follows from how many
 * there are in the whole input. Each record gets a draw; it is kept if that is below the probability of its number of
 * pieces, which is known when all records are counted.
 *
 * Not all have to be read again then. What the counts so far promise is a bound, with a margin; a record whose draw is below
 * it is held in a temporary file, the others are dropped. If a probability becomes greater than a dropped draw, the records
 * that are held are not all that are kept, and the input has to be read a second time. The records that are kept do not
 * depend on bounds.
 *
 *     begin, add for each record, settle; then either next until it gives none, or keeps for each record again
 *
 * Threads: a curve belongs to one thread.
 */
#pragma once
#include "data/filter_rules.h"
#include "data/record.h"

#include <stdio.h>

typedef struct {
    const FilterNumbers *shares;
    const char *prefix;                   /* the temporary file lies in the folder of this file */
    FILE *file;                           /* records below their bound, and their draws */
    uint64_t seen;                        /* records that were added */
    uint64_t pieces[FILTER_PIECE_COUNTS]; /* records, by number of pieces */
    double keep[FILTER_PIECE_COUNTS];     /* probabilities */
    double bound[FILTER_PIECE_COUNTS];
    double dropped[FILTER_PIECE_COUNTS]; /* the least draw that was not below its bound */
} PieceCurve;

/* The draw of a record that is kept in any case, and not counted. */
#define PIECE_CURVE_KEPT (-1.0)

/* False with an error: there can be no temporary file. */
bool piece_curve_begin(PieceCurve *c, const FilterNumbers *shares, const char *prefix, TabiaError *error);
void piece_curve_end(PieceCurve *c);

/* Counts a record. False with an error: the temporary file cannot be written. */
bool piece_curve_add(PieceCurve *c, const DataRecord *r, double draw, TabiaError *error);

/* All records are counted. True: those that are kept are among those that are held. */
bool piece_curve_settle(PieceCurve *c);

/* The next record that is held and kept, or false; then *error has a text if the temporary file cannot be read. */
bool piece_curve_next(PieceCurve *c, DataRecord *r, TabiaError *error);

bool piece_curve_keeps(const PieceCurve *c, const DataRecord *r, double draw);
