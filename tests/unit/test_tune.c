/* SPDX-License-Identifier: MIT */
/* The tuner: does it find weights that are known, does it leave alone what no sample speaks of, and are its slopes
   those of its values? */
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "train/expected_score.h"
#include "train/linear_fit.h"
#include "unit.h"

enum { SAMPLES = 40000, USED = 6 };

static const double k_of_scores = 0.004;

/* The weights that samples speak of: a summed one, rows, both kinds through a bend. */
static const int used[USED] = {MATERIAL + ROOK,       KNIGHT_MOBILITY + 3, TEMPO,
                               DANGER_SAFE_CHECK + 2, DANGER_KING_ATTACKS, INITIATIVE_PAWNS};

static void random_trace(EvaluationTrace *t, uint64_t *seed) {
    *t = (EvaluationTrace){.phase = (int)random_below(seed, PHASE_MAX + 1), .scale = SCALE_MAX};
    t->coefficient[MATERIAL + ROOK] = (int16_t)(random_below(seed, 3) - 1);
    t->coefficient[KNIGHT_MOBILITY + 3] = (int16_t)(random_below(seed, 3) - 1);
    t->coefficient[TEMPO] = random_below(seed, 2) ? 1 : -1;
    t->coefficient[INITIATIVE_PAWNS] = (int16_t)random_below(seed, 10);
    for (int c = 0; c < 2; c++) {
        t->danger[c][DANGER_SAFE_CHECK + 2 - DANGER_FIRST] = (int16_t)random_below(seed, 3);
        t->danger[c][DANGER_KING_ATTACKS - DANGER_FIRST] = (int16_t)random_below(seed, 5);
    }
}

/* Samples whose scores and results come from `truth`. */
static void make_samples(Samples *s, const Fit *truth, uint64_t seed) {
    *s = (Samples){0};
    for (int i = 0; i < SAMPLES; i++) {
        EvaluationTrace t;
        random_trace(&t, &seed);
        assert_true(samples_add(s, &t, 0, 1));
        Sample *a = &s->sample[s->n - 1];
        a->target_score = model_value(truth, s, a);
        const double p = 1 / (1 + exp(-k_of_scores * (double)a->target_score));
        a->result = random_below(&seed, 1000000) < p * 1000000 ? 2 : 0;
    }
}

static bool note_k(void *context, const FitReport *report) {
    double *k = context;
    *k = report->k;
    return true;
}

static void known_weights_are_found(void **state) {
    (void)state;
    Fit truth, fit;
    fit_begin(&truth), fit_begin(&fit);
    for (int i = 0; i < USED; i++) truth.weight[used[i]][0] += 15, truth.weight[used[i]][1] += i < 3 ? 20 : 5;
    Samples s;
    make_samples(&s, &truth, 9);
    const Fit before = fit;
    const FitOptions options = {.epochs = 60, .threads = 2, .result_share = 0, .pull = 0, .seed = 3};
    double k = 0;
    assert_true(fit_weights(&fit, &s, &options, note_k, &k, NULL));
    assert_true(fabs(k - k_of_scores) < 0.0004);
    for (int i = 0; i < USED; i++)
        for (int half = used[i] >= INITIATIVE_FIRST; half < 2; half++) {
            const double apart = fabs((double)(fit.weight[used[i]][half] - truth.weight[used[i]][half]));
            if (apart > 3) print_error("weight %d half %d is off by %.1f\n", used[i], half, apart);
            assert_true(apart <= 3);
        }
    assert_true(fit.weight[QUEEN_SQUARE][0] == before.weight[QUEEN_SQUARE][0]);
    samples_free(&s);
}

/* How much the value of the one sample rises for a small step of a weight. */
static float rise_of(Fit *fit, const Samples *s, int weight, int half, float step) {
    const float value = model_value(fit, s, s->sample), kept = fit->weight[weight][half];
    fit->weight[weight][half] += step;
    const float rise = (model_value(fit, s, s->sample) - value) / step;
    fit->weight[weight][half] = kept;
    return rise;
}

/* Where the value bends, its slope is any between those on both sides. */
static void slopes_are_those_of_the_values(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int round = 0; round < 300; round++) {
        EvaluationTrace t;
        random_trace(&t, &seed);
        Samples s = {0};
        Fit fit;
        fit_begin(&fit);
        assert_true(samples_add(&s, &t, 0, 1));
        static float slope[WEIGHTS][2];
        for (int i = 0; i < USED; i++) slope[used[i]][0] = slope[used[i]][1] = 0;
        model_slopes(&fit, &s, s.sample, 1, slope);
        for (int i = 0; i < USED; i++)
            for (int half = 0; half < 2; half++) {
                const float up = rise_of(&fit, &s, used[i], half, 0.0625f);
                const float down = rise_of(&fit, &s, used[i], half, -0.0625f);
                const float least = up < down ? up : down, most = up < down ? down : up;
                const float slack = 0.05f + 0.05f * (fabsf(up) + fabsf(down));
                assert_true(slope[used[i]][half] >= least - slack && slope[used[i]][half] <= most + slack);
            }
        samples_free(&s);
    }
}

static void note_progress(void *context, const DataProgress *p) {
    uint64_t *told = context;
    assert_true(p->bytes <= p->total);
    told[0]++, told[1] = p->records;
}

/* Quiet positions are kept, others are not, and how far it is was told on the way. */
static void data_are_read(void **state) {
    (void)state;
    enum { PAIRS = 5000 };
    char path[64], *name = path;
    FILE *file = fdopen(temporary_file(path), "w");
    for (int i = 0; i < PAIRS; i++)
        fputs("fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nmove e2e4\nscore 30\nply 0\nresult 1\ne\n"
              "fen rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\nmove e4d5\nscore 20\nply 2\nresult "
              "1\ne\n",
              file);
    assert_int_equal(fclose(file), 0);
    uint64_t told[2] = {0};
    Samples s;
    TabiaError error;
    DataSource source = {
        .paths = (const char *const *)&name, .path_count = 1, .on_progress = note_progress, .context = told};
    assert_int_equal(samples_read(&s, &source, &error), DATA_DONE);
    assert_int_equal(s.read, 2 * PAIRS);
    assert_int_equal(s.n, PAIRS);
    assert_true(told[0] > 2 && told[1] == 2 * PAIRS);
    samples_free(&s);
    remove(path);
    assert_int_equal(samples_read(&s, &(DataSource){.paths = (const char *const *)&name, .path_count = 1}, &error),
                     DATA_BAD_INPUT);
    samples_free(&s);
}

/* Games that end as their scores promise; every sample is made when it is asked for. */
static PointsSample promised(const void *asked, size_t i) {
    uint64_t seed = i + 1;
    const double score = (double)random_below(&seed, 800) - 400;
    const bool won = (double)random_below(&seed, 1 << 20) < points(k_of_scores, score) * (1 << 20);
    ++*(size_t *)(uintptr_t)asked;
    return (PointsSample){score, won};
}

/* All of few samples are asked, and of many a part that does not grow. */
static void one_number_needs_no_more(void **state) {
    (void)state;
    size_t few = 0, many = 0, twice = 0;
    const double of_few = points_best_k(promised, &few, 100000), of_many = points_best_k(promised, &many, 10000000);
    points_best_k(promised, &twice, 20000000);
    assert_true(fabs(of_few / k_of_scores - 1) < 0.05);
    assert_true(fabs(of_many / k_of_scores - 1) < 0.02);
    assert_int_equal(few, 60 * 100000);
    assert_true(many > 30 * 1000000 && many == twice);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_weights_are_found),
        cmocka_unit_test(slopes_are_those_of_the_values),
        cmocka_unit_test(data_are_read),
        cmocka_unit_test(one_number_needs_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
