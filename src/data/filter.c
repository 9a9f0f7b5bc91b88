/* SPDX-License-Identifier: MIT */
#include "data/filter.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "data/wdl_fit.h"

/* A filter in work. */
typedef struct {
    const FilterRules *rules;
    uint64_t random;                      /* state */
    bool counts_only;                     /* the first of two passes */
    uint64_t pieces[FILTER_PIECE_COUNTS]; /* records that only piece_curve has not judged yet, by number of pieces */
    double keep[FILTER_PIECE_COUNTS];     /* piece_curve's probabilities */
} RecordFilter;

const char *filter_reason_name(unsigned reason) {
#define NAME(name) #name,
    static const char *const names[] = {FILTER_REASONS(NAME)};
#undef NAME
    assert(reason < FILTER_REASONS_N);
    return names[reason];
}

/* True with this probability. A number is drawn only where it decides. */
static bool is_drawn(RecordFilter *f, double probability) {
    if (probability <= 0) return false;
    if (probability >= 1) return true;
    return (double)(random_next(&f->random) >> 11) * 0x1p-53 < probability;
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

/* ---- rules that draw ---- */

double filter_result_probability(const FilterRules *rules, int material, int score, int result) {
    const double most = rules->material_max, least = rules->material_min;
    const double m = fmin(fmax(material, least), most) / rules->mom_target;
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

/* The probability of a ply: linear between the curve's points, constant beyond its ends. */
static double ply_probability(const FilterNumbers *curve, double ply) {
    const double *at = curve->number, *const last = at + curve->count - 2;
    if (ply <= at[0]) return at[1];
    while (at < last && at[2] < ply) at += 2;
    if (at == last) return at[1];
    return at[1] + (at[3] - at[1]) * (ply - at[0]) / (at[2] - at[0]);
}

static unsigned drawn_reason(RecordFilter *f, const DataRecord *r) {
    const FilterRules *rules = f->rules;
    const unsigned pieces = (unsigned)position_piece_count(&r->position);
    if (rules->random_fen_skipping && is_drawn(f, rules->random_fen_skip_probability))
        return FILTER_REASON_random_fen_skip_probability;
    if (rules->ply_curve.count && !is_drawn(f, ply_probability(&rules->ply_curve, r->ply)))
        return FILTER_REASON_ply_curve;
    if (rules->wdl_filtered) {
        const int material = position_total_material(&r->position);
        if (!is_drawn(f, filter_result_probability(rules, material, r->score, r->result)))
            return FILTER_REASON_wdl_filtered;
    }
    if (rules->wdl_by_ply && !is_drawn(f, result_probability_by_ply(r))) return FILTER_REASON_wdl_by_ply;
    if (rules->material_count_filtered && rules->material_count_probabilities.count &&
        is_drawn(f, rules->material_count_probabilities.number[pieces]))
        return FILTER_REASON_material_count_probabilities;
    f->pieces[pieces] += f->counts_only;
    if (rules->piece_curve.count && (f->counts_only || !is_drawn(f, f->keep[pieces]))) return FILTER_REASON_piece_curve;
    return FILTER_REASONS_N;
}

/* ---- the curve of pieces ---- */

/* The share of positions with that many pieces that is wanted: a cubic through the five points, the slope at an inner one
   being that from the point before to the point behind; beyond the last one constant. */
static double wanted_share(const FilterNumbers *curve, unsigned pieces) {
    const double *y = curve->number;
    const double x = fmin((double)pieces / GAME_CURVE_STEP, 4);
    const int i = x < 4 ? (int)x : 3;
    const double t = x - i;
    const double begin = i ? (y[i + 1] - y[i - 1]) / 2 : y[1] - y[0];
    const double end = i < 3 ? (y[i + 2] - y[i]) / 2 : y[4] - y[3];
    const double value =
        y[i] + t * (begin + t * (3 * (y[i + 1] - y[i]) - 2 * begin - end + t * (2 * (y[i] - y[i + 1]) + begin + end)));
    return fmax(0, value);
}

/* Of the number of pieces that is most too frequent one record in 40 is kept, of the others so many more as they are
   wanted more, but no record twice. */
static void set_keep(RecordFilter *f) {
    static const double least_kept = 0.025;
    double least = INFINITY;
    for (unsigned n = 0; n < FILTER_PIECE_COUNTS; n++) {
        const double wanted = wanted_share(&f->rules->piece_curve, n);
        f->keep[n] = f->pieces[n] ? wanted / (double)f->pieces[n] : 0;
        if (f->keep[n] > 0) least = fmin(least, f->keep[n]);
    }
    for (unsigned n = 0; n < FILTER_PIECE_COUNTS; n++) f->keep[n] = fmin(1, f->keep[n] / least * least_kept);
}

/* ---- the whole ---- */

/* Counts a record. True if no rule removes it. */
static bool is_kept(RecordFilter *f, const DataRecord *r, FilterCounts *counts) {
    unsigned reason = FILTER_REASONS_N;
    if (r->skip) {
        if (f->rules->filter_skip) reason = FILTER_REASON_filter_skip;
    } else {
        reason = certain_reason(f->rules, r);
        const unsigned of_game = reason == FILTER_REASONS_N ? game_reason(f->rules, r) : GAME_FILTERS_N;
        if (of_game < GAME_FILTERS_N) return counts->removed_by_game[of_game]++, false;
        if (reason == FILTER_REASONS_N) reason = drawn_reason(f, r);
    }
    if (reason == FILTER_REASONS_N) return counts->kept++, true;
    return counts->removed[reason]++, false;
}

/* The first pass of two: sets the probabilities of the curve of pieces. */
static DataOutcome count_pieces(DataSource *s, RecordFilter *f, TabiaError *error) {
    DataRecord r;
    FilterCounts counts = {{0}, {0}, 0};
    const uint64_t seed = f->random;
    f->counts_only = true;
    while (data_source_next(s, &r, error)) (void)is_kept(f, &r, &counts);
    if (s->outcome != DATA_DONE) return s->outcome;
    set_keep(f);
    f->counts_only = false;
    f->random = seed;
    return data_source_rewind(s, error) ? DATA_DONE : DATA_BAD_INPUT;
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
    if (f.rules->piece_curve.count) {
        const DataOutcome outcome = count_pieces(s, &f, error);
        if (outcome != DATA_DONE) return outcome;
    }
    while (data_source_next(s, &r, error))
        if (is_kept(&f, &r, counts) && !data_write(w, &r, error)) return DATA_SYSTEM_ERROR;
    return s->outcome;
}
