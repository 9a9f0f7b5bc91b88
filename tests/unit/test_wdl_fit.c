/* SPDX-License-Identifier: MIT */
/* The model of win, draw and loss that is fitted is the one that made the results. */
#include "base/random.h"
#include "data/filter.h"
#include "data/wdl_fit.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

static FilterRules rules_with_scale_one(void) {
    FilterRules rules = filter_rules_none();
    rules.wdl_heuristic_scale = 1;
    return rules;
}

/* Results drawn by the filter's own model, of scores up to 1200. */
static void draw_results(const FilterRules *rules, unsigned n, WdlCounts *counts) {
    uint64_t seed = 3;
    for (unsigned i = 0; i < n; i++) {
        const int material = (int)random_below(&seed, 90), score = (int)random_below(&seed, 2401) - 1200;
        const double u = (double)(random_next(&seed) >> 11) * 0x1p-53;
        const double won = filter_result_probability(rules, material, score, 1);
        const double lost = filter_result_probability(rules, material, score, -1);
        wdl_count(counts, material, score, u < won ? 1 : u < won + lost ? -1 : 0);
    }
}

static void model_is_found(void **state) {
    (void)state;
    enum { RECORDS = 2000000 };
    WdlModel model;
    WdlCounts *counts = calloc(1, sizeof *counts);
    const FilterRules rules = rules_with_scale_one();
    draw_results(&rules, RECORDS, counts);
    wdl_count(counts, 40, WDL_SCORE_MOST, 1), wdl_count(counts, 40, -32000, -1);
    assert_int_equal(counts->records, RECORDS);
    assert_int_equal(counts->beyond, 2);
    assert_true(wdl_fit(counts, &model));
    assert_true(model.loss < model.constant_loss && model.constant_loss < model.share_loss);
    for (int material = WDL_MATERIAL_LEAST; material <= WDL_MATERIAL_MOST; material++) {
        const double m = (double)material / WDL_MATERIAL_UNIT, a = wdl_cubic(model.a, m), b = wdl_cubic(model.b, m);
        const double a_made = wdl_cubic(rules.wdl_model_params_a.number, m),
                     b_made = wdl_cubic(rules.wdl_model_params_b.number, m);
        if (fabs(a / a_made - 1) > 0.02 || fabs(b / b_made - 1) > 0.03)
            fail_msg("material %d: a %g, made by %g; b %g, made by %g", material, a, a_made, b, b_made);
        assert_true(fabs(wdl_probability(a_made, b_made, 77, -1) -
                         filter_result_probability(&rules, material, 77, -1)) < 1e-12);
    }
    free(counts);
}

static double loss_at_40(const WdlCounts *counts, double a, double b) {
    double loss = 0;
    for (unsigned bin = 0; bin < WDL_BINS; bin++)
        for (int r = -1; r <= 1; r++) {
            const double n = counts->count[40 - WDL_MATERIAL_LEAST][bin][r + 1];
            if (n > 0) loss -= n * log(wdl_probability(a, b, (double)bin * WDL_BIN - WDL_SCORE_MOST + 7.5, r));
        }
    return loss;
}

/* No neighbouring model has a greater likelihood of a few hundred records at one material. The less noise, the more scores
   have draws only. */
static void check_neighbours(int most_noise) {
    WdlModel model;
    WdlCounts *counts = calloc(1, sizeof *counts);
    uint64_t seed = 9;
    for (unsigned i = 0; i < 600; i++) {
        const int score = (int)random_below(&seed, 800) - 400,
                  noise = (int)random_below(&seed, 2 * (uint64_t)most_noise) - most_noise;
        wdl_count(counts, 40, score, score + noise > 100 ? 1 : score + noise < -100 ? -1 : 0);
    }
    assert_true(wdl_fit(counts, &model));
    const double m = 40.0 / WDL_MATERIAL_UNIT, a = wdl_cubic(model.a, m), b = wdl_cubic(model.b, m);
    const double least = loss_at_40(counts, a, b);
    assert_true(fabs(least / 600 - model.loss) < 1e-9);
    for (int i = -1; i <= 1; i++)
        for (int k = -1; k <= 1; k++)
            assert_true((!i && !k) || loss_at_40(counts, a * (1 + 0.02 * i), b * (1 + 0.02 * k)) > least);
    free(counts);
}

static void no_neighbour_is_better(void **state) {
    (void)state;
    check_neighbours(300);
    check_neighbours(70);
}

static void some_records_do_not_decide(void **state) {
    (void)state;
    WdlModel model;
    WdlCounts *counts = calloc(1, sizeof *counts);
    assert_false(wdl_fit(counts, &model));
    for (int i = 0; i < 100; i++) wdl_count(counts, 50, i, 1), wdl_count(counts, 50, -i, -1);
    assert_false(wdl_fit(counts, &model)); /* no draw */
    free(counts);
    counts = calloc(1, sizeof *counts);
    for (int i = 0; i < 300; i++) wdl_count(counts, 50, 100, i % 3 - 1), wdl_count(counts, 50, -100, i % 3 - 1);
    assert_false(wdl_fit(counts, &model)); /* scores say nothing */
    free(counts);
}

/* A cubic through few materials swings far between and beyond them: the model is one of win, draw and loss there too. */
static void models_hold_at_every_material(void **state) {
    (void)state;
    unsigned fitted = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        WdlModel model;
        WdlCounts *counts = calloc(1, sizeof *counts);
        uint64_t drawn = seed;
        for (unsigned i = 0; i < 400; i++) {
            const int material = WDL_MATERIAL_LEAST + (int)(8 * random_below(&drawn, 5)),
                      width = 5 + 90 * (material % 3);
            const int score = (int)random_below(&drawn, 800) - 400,
                      noise = (int)random_below(&drawn, (uint64_t)width) - width / 2;
            wdl_count(counts, material, score, score + noise > 60 ? 1 : score + noise < -60 ? -1 : 0);
        }
        if (wdl_fit(counts, &model)) {
            fitted++;
            for (int material = WDL_MATERIAL_LEAST; material <= WDL_MATERIAL_MOST; material++) {
                const double m = (double)material / WDL_MATERIAL_UNIT;
                assert_true(wdl_cubic(model.a, m) > 0 && wdl_cubic(model.b, m) > 0);
            }
        }
        free(counts);
    }
    assert_true(fitted > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(model_is_found), cmocka_unit_test(no_neighbour_is_better),
                                       cmocka_unit_test(some_records_do_not_decide),
                                       cmocka_unit_test(models_hold_at_every_material)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
