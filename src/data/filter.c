/* SPDX-License-Identifier: MIT */
#include "data/filter.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"

/* A filter in work. */
typedef struct {
    const FilterRules *rules;
    uint64_t random; /* state */
} RecordFilter;

const char *filter_reason_name(unsigned reason) {
#define NAME(name) #name,
    static const char *const names[] = {FILTER_REASONS(NAME)};
#undef NAME
    assert(reason < FILTER_REASONS_N);
    return names[reason];
}

/* From 0 to below 1. */
static double draw(RecordFilter *f) {
    return (double)(random_next(&f->random) >> 11) * 0x1p-53;
}

/* True with this probability. A number is drawn only where it decides. */
static bool is_drawn(RecordFilter *f, double probability) {
    if (probability <= 0) return false;
    return probability >= 1 || draw(f) < probability;
}

/* ---- rules that are certain ---- */

/* How far the score is from the result: of a drawn game from 0, of another one on the loser's side. */
static uint32_t incorrectness(const DataRecord *r) {
    const int32_t score = r->result < 0 ? -r->score : r->score;
    return r->result && score > 0 ? 0 : (uint32_t)abs(score);
}

static unsigned certain_reason(const FilterRules *rules, const DataRecord *r) {
    const Position *p = &r->position;
    const uint32_t pieces = (uint32_t)position_piece_count(p);
    if (r->ply < rules->min_ply) return FILTER_REASON_min_ply;
    if ((uint32_t)abs(r->score) >= rules->max_eval) return FILTER_REASON_max_eval;
    if (pieces < rules->min_pieces) return FILTER_REASON_min_pieces;
    if (pieces > rules->max_pieces) return FILTER_REASON_max_pieces;
    if (incorrectness(r) > rules->max_eval_incorrectness) return FILTER_REASON_max_eval_incorrectness;
    if (rules->min_material_difference && (uint32_t)abs(position_material_balance(p)) < rules->min_material_difference)
        return FILTER_REASON_min_material_difference;
    return FILTER_REASONS_N;
}

/* The first of the game's rules that removes the record, or GAME_FILTERS_N. */
static unsigned game_reason(const FilterRules *rules, const DataRecord *r) {
    unsigned i = 0;
    while (i < GAME_FILTERS_N && !(rules->of_game[i] && game_filter_matches(i, &r->position, r->move))) i++;
    return i;
}

const char *filter_removes(const FilterRules *rules, const DataRecord *r) {
    if (r->skip) return rules->filter_skip ? filter_reason_name(FILTER_REASON_filter_skip) : NULL;
    const unsigned reason = certain_reason(rules, r);
    if (reason < FILTER_REASONS_N) return filter_reason_name(reason);
    const unsigned of_game = game_reason(rules, r);
    return of_game < GAME_FILTERS_N ? filter_rule(of_game).name : NULL;
}

/* ---- rules that draw ---- */

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

/* won = 1 / (1 + exp((a - score) / b)), lost likewise with -score, drawn the rest. */
static double wdl_probability(double a, double b, double score, int result) {
    const double won = sigmoid((score - a) / b), lost = sigmoid((-score - a) / b);
    return result > 0 ? won : result < 0 ? lost : fmax(0, 1 - won - lost);
}

static double wdl_cubic(const double c[4], double x) {
    return ((c[0] * x + c[1]) * x + c[2]) * x + c[3];
}

double filter_result_probability(const FilterRules *rules, int material, int score, int result) {
    const double max = rules->material_max, min = rules->material_min;
    const double m = fmin(fmax(material, min), max) / rules->mom_target;
    const double a = wdl_cubic(rules->wdl_model_params_a.number, m),
                 b = wdl_cubic(rules->wdl_model_params_b.number, m) * rules->wdl_heuristic_scale;
    return wdl_probability(a, b, score, result);
}

/* By the model that nnue-pytorch's wld_filtered has: ply in units of 64, scores of 208 a pawn to 20 pawns. */
static double result_probability_by_ply(const DataRecord *r) {
    static const double as[4] = {-3.68389304, 30.07065921, -60.52878723, 149.53378557},
                        bs[4] = {-2.0181857, 15.85685038, -29.83452023, 47.59078827};
    const double m = (r->ply < 240 ? r->ply : 240) / 64.0, x = 100.0 * r->score / 208;
    return wdl_probability(wdl_cubic(as, m), 1.5 * wdl_cubic(bs, m), fmin(fmax(x, -2000), 2000), r->result);
}

static unsigned drawn_reason(RecordFilter *f, const DataRecord *r) {
    const FilterRules *rules = f->rules;
    const unsigned pieces = (unsigned)position_piece_count(&r->position);
    if (is_drawn(f, rules->random_fen_skip_probability)) return FILTER_REASON_random_fen_skip_probability;
    if (rules->wdl_filtered) {
        const int material = position_total_material(&r->position);
        if (!is_drawn(f, filter_result_probability(rules, material, r->score, r->result)))
            return FILTER_REASON_wdl_filtered;
    }
    if (rules->wdl_by_ply && !is_drawn(f, result_probability_by_ply(r))) return FILTER_REASON_wdl_by_ply;
    if (rules->material_count_probabilities.count && is_drawn(f, rules->material_count_probabilities.number[pieces]))
        return FILTER_REASON_material_count_probabilities;
    return FILTER_REASONS_N;
}

/* ---- the whole ---- */

/* Counts a record that a rule removes. True if none does. */
static bool passes(RecordFilter *f, const DataRecord *r, FilterCounts *counts) {
    unsigned reason = FILTER_REASONS_N;
    if (r->skip) {
        if (f->rules->filter_skip) reason = FILTER_REASON_filter_skip;
    } else {
        reason = certain_reason(f->rules, r);
        const unsigned of_game = reason == FILTER_REASONS_N ? game_reason(f->rules, r) : GAME_FILTERS_N;
        if (of_game < GAME_FILTERS_N) return counts->removed_by_game[of_game]++, false;
        if (reason == FILTER_REASONS_N) reason = drawn_reason(f, r);
    }
    return reason == FILTER_REASONS_N || (counts->removed[reason]++, false);
}

static bool has_what_rules_need(const DataSource *s, const FilterRules *rules, TabiaError *error) {
    if (!filter_rules_need_moves(rules)) return true;
    const DataFormat *format = data_source_format(s, error);
    return format &&
           (format->fields & DATA_MOVE || tabia_fail(error, "a rule asks for moves, and %s stores none", format->name));
}

DataOutcome data_filter(DataSource *s, DataWriter *w, const DataFilterOptions *options, FilterCounts *counts,
                        TabiaError *error) {
    DataRecord r;
    RecordFilter f = {.rules = &options->rules, .random = options->seed};
    *counts = (FilterCounts){.kept = 0};
    if (!has_what_rules_need(s, f.rules, error)) return DATA_BAD_INPUT;
    while (data_source_next(s, &r, error)) {
        if (!passes(&f, &r, counts)) continue;
        counts->kept++;
        if (!data_write(w, &r, error)) return DATA_SYSTEM_ERROR;
    }
    return s->outcome;
}
