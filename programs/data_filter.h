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
} FilterOptions;

/* Writes a row for --rules and one for each rule, which set `rules`; returns how many. `options` lives as long. */
unsigned data_filter_rows(FilterOptions *options, FilterRules *rules, OptionRow *rows);

/* Prints the help. */
void data_filter_help(void);

/* What each rule removed: as text, or as members of the JSON object that is open. */
void data_filter_text(const FilterCounts *counts);
void data_filter_json(Json *j, const FilterCounts *counts);
