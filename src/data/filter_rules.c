/* SPDX-License-Identifier: MIT */
#include "data/filter_rules.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum { RULE_SWITCH, RULE_WHOLE, RULE_REAL, RULE_LIST } RuleKind;

/* A rule and its member of FilterRules. */
typedef struct {
    const char *name, *words;
    RuleKind kind;
    size_t offset;
    double min, max; /* of each number */
    unsigned count;  /* numbers of a list */
} RuleRow;

static const RuleRow *rule_row(unsigned index) {
#define GAME_ROW(name, words, of_move)                                                                                 \
    {#name, "removes positions " words, RULE_SWITCH, offsetof(FilterRules, of_game) + GAME_FILTER_##name, 0, 0, 0},
#define WHOLE_ROW(name, initial, min, max, words) {#name, words, RULE_WHOLE, offsetof(FilterRules, name), min, max, 0},
#define SWITCH_ROW(name, initial, words) {#name, words, RULE_SWITCH, offsetof(FilterRules, name), 0, 0, 0},
#define REAL_ROW(name, initial, min, max, words) {#name, words, RULE_REAL, offsetof(FilterRules, name), min, max, 0},
#define LIST_ROW(name, count, min, max, words) {#name, words, RULE_LIST, offsetof(FilterRules, name), min, max, count},
    static const RuleRow rows[] = {GAME_FILTERS(GAME_ROW) FILTER_WHOLES(WHOLE_ROW) FILTER_SWITCHES(SWITCH_ROW)
                                       FILTER_REALS(REAL_ROW) FILTER_LISTS(LIST_ROW)};
#undef GAME_ROW
#undef WHOLE_ROW
#undef SWITCH_ROW
#undef REAL_ROW
#undef LIST_ROW
    return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

static bool is_certain(const RuleRow *row) {
    static const size_t certain[] = {offsetof(FilterRules, min_ply),
                                     offsetof(FilterRules, max_eval),
                                     offsetof(FilterRules, min_pieces),
                                     offsetof(FilterRules, max_pieces),
                                     offsetof(FilterRules, min_material_difference),
                                     offsetof(FilterRules, max_eval_incorrectness),
                                     offsetof(FilterRules, filter_skip)};
    if (row->offset < offsetof(FilterRules, of_game) + GAME_FILTERS_N * sizeof(bool)) return true;
    for (unsigned i = 0; i < sizeof certain / sizeof *certain; i++)
        if (row->offset == certain[i]) return true;
    return false;
}

FilterRule filter_rule(unsigned index) {
    const RuleRow *row = rule_row(index);
    assert(row);
    return (FilterRule){row->name, row->words, row->kind == RULE_SWITCH, is_certain(row)};
}

unsigned filter_rule_count(void) {
    unsigned n = 0;
    while (rule_row(n)) n++;
    return n;
}

FilterRules filter_rules_none(void) {
    FilterRules rules = {.of_game = {false}};
#define INITIAL_WHOLE(name, initial, min, max, words) rules.name = initial;
#define INITIAL_SWITCH(name, initial, words) rules.name = initial;
#define INITIAL_REAL(name, initial, min, max, words) rules.name = initial;
    FILTER_WHOLES(INITIAL_WHOLE)
    FILTER_SWITCHES(INITIAL_SWITCH)
    FILTER_REALS(INITIAL_REAL)
#undef INITIAL_WHOLE
#undef INITIAL_SWITCH
#undef INITIAL_REAL
    rules.wdl_model_params_a = (FilterNumbers){{6.87155862, -39.65226391, 90.68460352, 170.66996364}, 4};
    rules.wdl_model_params_b = (FilterNumbers){{-7.19890710, 56.13947185, -139.91091183, 182.81007427}, 4};
    return rules;
}

bool filter_rules_need_moves(const FilterRules *rules) {
#define OF_MOVE(name, words, of_move) of_move,
    static const bool of_move[] = {GAME_FILTERS(OF_MOVE)};
#undef OF_MOVE
    for (unsigned i = 0; i < GAME_FILTERS_N; i++)
        if (rules->of_game[i] && of_move[i]) return true;
    return false;
}

/* ---- values ---- */

/* A number that ends at the end of the text or at a comma. */
static bool parse_number(const RuleRow *row, const char **text, double *n, TabiaError *error) {
    char *end;
    *n = strtod(*text, &end);
    if (end == *text || (*end && *end != ',') || !(*n >= row->min && *n <= row->max))
        return tabia_fail(error, "%s: '%.40s' is not a number from %.10g to %.10g", row->name, *text, row->min,
                          row->max);
    *text = end;
    return true;
}

static bool parse_whole(const RuleRow *row, const char *text, uint32_t *to, TabiaError *error) {
    double n;
    const char *at = text;
    if (!parse_number(row, &at, &n, error)) return false;
    if (*at || n != floor(n)) return tabia_fail(error, "%s: '%.40s' is not a whole number", row->name, text);
    *to = (uint32_t)n;
    return true;
}

static bool parse_real(const RuleRow *row, const char *text, double *to, TabiaError *error) {
    return parse_number(row, &text, to, error) && (!*text || tabia_fail(error, "%s: it is one number", row->name));
}

static bool parse_switch(const RuleRow *row, const char *text, bool *to, TabiaError *error) {
    *to = !strcmp(text, "true");
    return *to || !strcmp(text, "false") || tabia_fail(error, "%s: '%.40s' is neither true nor false", row->name, text);
}

static bool parse_list(const RuleRow *row, const char *text, FilterNumbers *to, TabiaError *error) {
    *to = (FilterNumbers){.count = 0};
    assert(row->count <= FILTER_PIECE_COUNTS);
    for (; to->count < row->count; text++) {
        if (!parse_number(row, &text, &to->number[to->count], error)) return false;
        to->count++;
        if (!*text) break;
    }
    return (to->count == row->count && !*text) || tabia_fail(error, "%s: it has %u numbers", row->name, row->count);
}

bool filter_rule_set(FilterRules *rules, unsigned index, const char *text, TabiaError *error) {
    const RuleRow *row = rule_row(index);
    assert(row);
    char *member = (char *)rules + row->offset;
    switch (row->kind) {
    case RULE_SWITCH:
        return parse_switch(row, text, (bool *)member, error);
    case RULE_WHOLE:
        return parse_whole(row, text, (uint32_t *)(void *)member, error);
    case RULE_REAL:
        return parse_real(row, text, (double *)(void *)member, error);
    default:
        return parse_list(row, text, (FilterNumbers *)(void *)member, error);
    }
}
