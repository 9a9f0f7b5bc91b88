/* SPDX-License-Identifier: MIT */
/*
 * The rules of a filter of training data (filter.h), by name, and how one is read from a text. Names and meanings are those of
 * viriformat's filters where it has the rule.
 *
 * Threads: rules are plain values; any thread may call any function.
 */
#pragma once
#include "base/error.h"
#include "records/filters.h"

#include <stdint.h>

/* Name, default, min and max, what it removes or says. */
#define FILTER_WHOLES(RULE)                                                                                            \
    RULE(min_ply, 0, 0, UINT16_MAX, "removes records before this ply")                                                 \
    RULE(max_eval, UINT32_MAX, 0, UINT32_MAX, "removes scores of this size and above")                                 \
    RULE(min_pieces, 0, 0, GAME_PIECES_MAX, "removes positions with fewer pieces")                                     \
    RULE(max_pieces, GAME_PIECES_MAX, 0, GAME_PIECES_MAX, "removes positions with more pieces")                        \
    RULE(min_material_difference, 0, 0, 1000, "removes positions whose material differs by fewer pawns")               \
    RULE(max_eval_incorrectness, UINT32_MAX, 0, UINT32_MAX, "removes a score beyond this for a side that did not win") \
    RULE(material_min, WDL_MATERIAL_MIN, 0, UINT16_MAX,                                                                \
         "of the model of results: the lowest material that it distinguishes")                                         \
    RULE(material_max, WDL_MATERIAL_MAX, 0, UINT16_MAX, "... and the highest")                                         \
    RULE(mom_target, WDL_MATERIAL_UNIT, 1, UINT16_MAX, "... and the unit of material of its polynomials")

/* Name, default, what it does. The game's come first. */
#define FILTER_SWITCHES(RULE)                                                                                          \
    RULE(filter_skip, false, "removes records with a skip mark")                                                       \
    RULE(wdl_filtered, false, "keeps a record with the probability of its result by score and material")               \
    RULE(wdl_by_ply, false, "the same by nnue-pytorch's model of score and ply, 208 a pawn")

/* Name, default, min and max, what it does. */
#define FILTER_REALS(RULE)                                                                                             \
    RULE(random_fen_skip_probability, 0, 0, 1, "removes a record with this probability")                               \
    RULE(wdl_heuristic_scale, 1.5, 1e-6, 1e6, "of the model of results: multiplies b")

/* Name, how many numbers, min and max of one, what it does. */
#define FILTER_LISTS(RULE)                                                                                             \
    RULE(material_count_probabilities, FILTER_PIECE_COUNTS, 0, 1,                                                      \
         "removes with this probability, by number of pieces from 0")                                                  \
    RULE(wdl_model_params_a, 4, -1e6, 1e6, "of the model of results: the coefficients of a, highest power first")      \
    RULE(wdl_model_params_b, 4, -1e6, 1e6, "... and of b")

enum { FILTER_PIECE_COUNTS = GAME_PIECES_MAX + 1 };

typedef struct {
    double number[FILTER_PIECE_COUNTS];
    unsigned count; /* 0: no list, the rule is off */
} FilterNumbers;

#define FILTER_WHOLE_MEMBER(name, initial, min, max, words) uint32_t name;
#define FILTER_SWITCH_MEMBER(name, initial, words) bool name;
#define FILTER_REAL_MEMBER(name, initial, min, max, words) double name;
#define FILTER_LIST_MEMBER(name, count, min, max, words) FilterNumbers name;
typedef struct {
    bool of_game[GAME_FILTERS_N];
    FILTER_WHOLES(FILTER_WHOLE_MEMBER)
    FILTER_SWITCHES(FILTER_SWITCH_MEMBER)
    FILTER_REALS(FILTER_REAL_MEMBER)
    FILTER_LISTS(FILTER_LIST_MEMBER)
} FilterRules;

/* Rules that remove nothing, with the model of viriformat's. */
FilterRules filter_rules_none(void);

/* A rule by its index, and how many there are. */
typedef struct {
    const char *name, *words;
    bool is_switch;
    bool is_certain; /* it removes the same records each time, by what they are alone */
} FilterRule;
FilterRule filter_rule(unsigned index);
unsigned filter_rule_count(void);

/* Sets a rule: "true", "false", a number, or numbers separated by commas. False with an error that names the rule. */
bool filter_rule_set(FilterRules *rules, unsigned index, const char *text, TabiaError *error);

/* Do these rules distinguish records with a move from those without? */
bool filter_rules_need_moves(const FilterRules *rules);
