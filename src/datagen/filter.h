/* SPDX-License-Identifier: MIT */
/* Filters: which positions of a game are not written. */
#pragma once
#include "counts.h"
#include "data/record.h"

/* The name of a filter, and which positions it removes, by its index. */
const char *filter_name(unsigned index);
const char *filter_description(unsigned index);

/* Parses "quiet,mate,score=1500" or "none". False with an error that lists the filters. */
bool filters_parse(const char *text, DatagenOutput *out, TabiaError *error);

/* The index of the first filter of `out` that removes the record, or FILTERS_N. */
unsigned filter_match(const DatagenOutput *out, const DataRecord *r);

/* Removes and counts records before the minimum ply and those that a filter removes. Returns the number that is left.
   The first record's position has the ply `first_ply`, each other one ply more. */
unsigned filter_records(const DatagenOutput *out, DataRecord *records, unsigned n, unsigned first_ply,
                        DatagenCounts *counts);
