/* SPDX-License-Identifier: MIT */
/* tabia data filter: its rules as options, and its report. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "data_filter.h"

enum { RULE_NAME_MAX = 48 };

/* ---- options ---- */

/* The rule's name as an option has it: "min-ply". */
static const char *option_name(unsigned index, char out[RULE_NAME_MAX]) {
    snprintf(out, RULE_NAME_MAX, "%s", filter_rule(index).name);
    for (char *at = out; *at; at++)
        if (*at == '_') *at = '-';
    return out;
}

static bool read_rule(void *to, const char *text, TabiaError *error) {
    const FilterOption *o = to;
    return filter_rule_set(o->rules, o->index, text ? text : "true", error);
}

static bool read_rules(void *to, const char *text, TabiaError *error) {
    return filter_rules_read(to, text, error);
}

void data_filter_rows(FilterOptions *options, FilterRules *rules) {
    const unsigned n = filter_rule_count();
    assert(n <= FILTER_OPTIONS_MAX);
    *options =
        (FilterOptions){.rows[0] = option_with_help(reader_option("rules", read_rules, rules), "FILE",
                                                    "lines 'rule = value', lists as [1, 2, 3], comments behind #")};
    for (unsigned i = 0; i < n; i++) {
        FilterOption *o = &options->of_rule[i];
        const FilterRule rule = filter_rule(i);
        o->rules = rules, o->index = i;
        options->rows[i + 1] = option_with_help(reader_option(option_name(i, o->name), read_rule, o), NULL, rule.words);
        options->rows[i + 1].optional = rule.is_switch;
    }
}

/* ---- reports ---- */

/* Calls back with each rule that removed something. */
typedef void RemovedFunction(void *context, const char *rule, uint64_t n);
static void each_removed(const FilterCounts *counts, RemovedFunction *call, void *context) {
    for (unsigned i = 0; i < FILTER_REASONS_N; i++)
        if (counts->removed[i]) call(context, filter_reason_name(i), counts->removed[i]);
    for (unsigned i = 0; i < GAME_FILTERS_N; i++)
        if (counts->removed_by_game[i]) call(context, filter_rule(i).name, counts->removed_by_game[i]);
}

static void print_removed(void *context, const char *rule, uint64_t n) {
    fprintf(context, "  removed: %ju records by %s\n", (uintmax_t)n, rule);
}
void data_filter_text(const FilterCounts *counts) {
    each_removed(counts, print_removed, stderr);
}

static void add_removed(void *context, const char *rule, uint64_t n) {
    tabia_json_count(context, rule, n);
}
void data_filter_json(Json *j, const FilterCounts *counts) {
    tabia_json_count(j, "kept", counts->kept);
    tabia_json_object(j, "removed");
    each_removed(counts, add_removed, j);
    tabia_json_close(j);
}
