/* SPDX-License-Identifier: MIT */
/*
 * Filters records of training data: those that a rule removes are counted by the rule, the rest is written. A record
 * that several rules would remove counts for the first of the list below. Records marked to be skipped have no score;
 * only filter_skip removes them.
 *
 * The same input, rules and seed give the same bytes. Memory does not depend on the size of the input.
 */
#pragma once
#include "data/filter_rules.h"
#include "data/source.h"
#include "data/writer.h"

/* The rules that remove records, in the order they are tested: certain ones, then those that draw random numbers. */
#define FILTER_REASONS(REASON)                                                                                         \
    REASON(filter_skip)                                                                                                \
    REASON(min_ply)                                                                                                    \
    REASON(max_eval)                                                                                                   \
    REASON(min_pieces)                                                                                                 \
    REASON(max_pieces)                                                                                                 \
    REASON(max_eval_incorrectness)                                                                                     \
    REASON(min_material_difference)                                                                                    \
    REASON(of_game)                                                                                                    \
    REASON(random_fen_skip_probability)                                                                                \
    REASON(wdl_filtered)                                                                                               \
    REASON(wdl_by_ply)                                                                                                 \
    REASON(material_count_probabilities)

#define FILTER_REASON_INDEX(name) FILTER_REASON_##name,
enum { FILTER_REASONS(FILTER_REASON_INDEX) FILTER_REASONS_N };

/* Removed records by reason; of_game has a number for each of the game's rules instead. */
typedef struct {
    uint64_t removed[FILTER_REASONS_N];
    uint64_t removed_by_game[GAME_FILTERS_N];
    uint64_t kept;
} FilterCounts;

/* Filters a source. False rules (filter_rules_need_moves of a format without moves) are DATA_BAD_INPUT. */
typedef struct {
    FilterRules rules;
    uint64_t seed;
} DataFilterOptions;
DataOutcome data_filter(DataSource *s, DataWriter *w, const DataFilterOptions *options, FilterCounts *counts,
                        TabiaError *error);

/* The name of the rule that removes a record, of those that are certain; null: they keep it. What draws is not asked. */
const char *filter_removes(const FilterRules *rules, const DataRecord *record);

/* The name of a reason, by its index; of_game has none. */
const char *filter_reason_name(unsigned reason);

/* The probability that a game with this score of a side ended with this result of the same side (-1, 0, 1), by
   viriformat's model with the rules' numbers. */
double filter_result_probability(const FilterRules *rules, int material, int score, int result);
