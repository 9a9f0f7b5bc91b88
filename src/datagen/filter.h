/* SPDX-License-Identifier: MIT */
/* Filters: which positions of a game are not written. */
#pragma once
#include "counts.h"
#include "data/record.h"

/* The index of the first filter of `out` that removes the record, or FILTERS_N. */
unsigned filter_match(const DatagenOutput *out, const DataRecord *r);

/* Removes and counts records before the minimum ply and those that a filter removes. Returns the number that is left.
   The first record's position has the ply `first_ply`, each other one ply more. */
unsigned filter_records(const DatagenOutput *out, DataRecord *records, unsigned n, unsigned first_ply,
                        DatagenCounts *counts);
