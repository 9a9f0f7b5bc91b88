/* SPDX-License-Identifier: MIT */
/* What `tabia data filter` has beside the other commands that write: its rules as options, and its report. */
#pragma once
#include "base/json.h"
#include "data/filter.h"
#include "options.h"

/* A rule as an option. */
typedef struct {
    FilterRules *rules;
    unsigned index;
    char name[48];
} FilterOption;

enum { FILTER_OPTIONS_MAX = 32 };
typedef struct {
    FilterOption of_rule[FILTER_OPTIONS_MAX];
    OptionRow rows[FILTER_OPTIONS_MAX + 2]; /* to one without a name */
} FilterOptions;

/* Sets a row for --rules and one for each rule, which set `rules`. */
void data_filter_rows(FilterOptions *options, FilterRules *rules);

/* What each rule removed: as text, or as members of the JSON object that is open. */
void data_filter_text(const FilterCounts *counts);
void data_filter_json(Json *j, const FilterCounts *counts);
