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

unsigned data_filter_rows(FilterOptions *options, FilterRules *rules, OptionRow *rows) {
    const unsigned n = filter_rule_count();
    assert(n <= FILTER_OPTIONS_MAX);
    rows[n] = reader_option("rules", read_rules, rules);
    for (unsigned i = 0; i < n; i++) {
        FilterOption *o = &options->of_rule[i];
        o->rules = rules, o->index = i;
        rows[i] = reader_option(option_name(i, o->name), read_rule, o);
        rows[i].optional = filter_rule(i).is_switch;
    }
    return n + 1;
}

/* ---- help and reports ---- */

static const char help[] =
    "usage: tabia data filter FILE... --out FILE [options]\n"
    "\n"
    "Removes the records that rules tell, and says how many each rule removed: a record counts for the first one that\n"
    "removes it. Each rule is an option (--min-ply 16) and a line of a file (min_ply = 16); what comes later on the\n"
    "command line replaces what came before. Files of viriformat's filters are read as they are. Records marked to be\n"
    "skipped have no score, and only --filter-skip removes them. In viri and binpack a game that loses records "
    "becomes\n"
    "several games.\n"
    "\n"
    "  --rules FILE     lines 'rule = value', lists as [1, 2, 3], comments behind #\n"
    "  --seed N         of the rules that draw; default 1\n";

static const char examples[] =
    "\n"
    "Examples\n"
    "  tabia data filter games.viri --out train.bullet --min-ply 16 --max-eval 3000 --filter-tactical --filter-check\n"
    "  tabia data filter games.binpack --out train.binpack --rules quiet.toml --random-fen-skip-probability 0.5\n"
    "  tabia data filter games.viri --out train.bullet --ply-curve 8,0.1,30,1 --piece-curve 0,1,2,1,0.5\n";

void data_filter_help(const char *common) {
    char name[RULE_NAME_MAX];
    printf("%s%s\nRules\n", help, common);
    for (unsigned i = 0; i < filter_rule_count(); i++)
        printf("  --%-29s %s\n", option_name(i, name), filter_rule(i).words);
    fputs(examples, stdout);
}

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
