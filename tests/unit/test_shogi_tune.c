/* SPDX-License-Identifier: MIT */
/* The tuner finds known weights, leaves alone weights that no sample contains, and its gradients equal difference
   quotients. */
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "tune/linear_fit.h"
#include "unit.h"

enum { SAMPLES = 40000, USED = 5 };

static const double k_of_scores = 0.004;

/* The weights that occur in samples: summed ones, and the danger of a king. */
static const int used[USED] = {MATERIAL + ROOK, LANCE_SQUARE + 7, TEMPO, DANGER_HOLES, DANGER_HAND + 2};

static void random_trace(EvaluationTrace *t, uint64_t *seed) {
    *t = (EvaluationTrace){.phase = (int)random_below(seed, PHASE_MAX + 1)};
    t->coefficient[MATERIAL + ROOK] = (int16_t)(random_below(seed, 3) - 1);
    t->coefficient[LANCE_SQUARE + 7] = (int16_t)(random_below(seed, 3) - 1);
    t->coefficient[TEMPO] = random_below(seed, 2) ? 1 : -1;
    for (int c = 0; c < 2; c++) {
        t->danger[c][DANGER_HAND + 2 - DANGER_FIRST] = (int16_t)random_below(seed, 3);
        t->danger[c][DANGER_HOLES - DANGER_FIRST] = (int16_t)random_below(seed, 5);
    }
}

/* Samples whose scores and results come from `truth`. */
static void make_samples(LinearSamples *s, const LinearWeights *truth, uint64_t seed) {
    *s = (LinearSamples){0};
    for (int i = 0; i < SAMPLES; i++) {
        EvaluationTrace t;
        random_trace(&t, &seed);
        assert_true(linear_samples_add(s, &t, 0, 1));
        LinearSample *a = &s->sample[s->count - 1];
        a->search_score = linear_model_evaluate(truth, s, a);
        const double p = 1 / (1 + exp(-k_of_scores * (double)a->search_score));
        a->result = random_below(&seed, 1000000) < p * 1000000 ? 2 : 0;
    }
}

static bool record_k(void *context, const LinearFitReport *report) {
    double *k = context;
    *k = report->k;
    return true;
}

static void known_weights_are_found(void **state) {
    (void)state;
    LinearWeights truth, fit;
    linear_weights_init(&truth), linear_weights_init(&fit);
    for (int i = 0; i < USED; i++) truth.weight[used[i]][0] += 15, truth.weight[used[i]][1] += i < 3 ? 20 : 5;
    LinearSamples s;
    make_samples(&s, &truth, 9);
    const LinearWeights before = fit;
    const LinearFitOptions options = {.epochs = 60, .threads = 2, .result_weight = 0, .regularization = 0, .seed = 3};
    double k = 0;
    assert_true(linear_fit_run(&fit, &s, &options, record_k, &k, NULL));
    assert_true(fabs(k - k_of_scores) < 0.0004);
    for (int i = 0; i < USED; i++)
        for (int half = 0; half < 2; half++) {
            const double apart = fabs((double)(fit.weight[used[i]][half] - truth.weight[used[i]][half]));
            if (apart > 3) print_error("weight %d half %d is off by %.1f\n", used[i], half, apart);
            assert_true(apart <= 3);
        }
    assert_true(fit.weight[DRAGON_SQUARE][0] == before.weight[DRAGON_SQUARE][0]);
    linear_samples_free(&s);
}

/* How much the value of the one sample rises for a small step of a weight. */
static float rise_of(LinearWeights *fit, const LinearSamples *s, int weight, int half, float step) {
    const float value = linear_model_evaluate(fit, s, s->sample), original = fit->weight[weight][half];
    fit->weight[weight][half] += step;
    const float rise = (linear_model_evaluate(fit, s, s->sample) - value) / step;
    fit->weight[weight][half] = original;
    return rise;
}

/* Where the value bends, its slope is any between those on both sides. */
static void gradients_are_difference_quotients(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int round = 0; round < 300; round++) {
        EvaluationTrace t;
        random_trace(&t, &seed);
        LinearSamples s = {0};
        LinearWeights fit;
        linear_weights_init(&fit);
        assert_true(linear_samples_add(&s, &t, 0, 1));
        static float gradient[WEIGHTS][2];
        for (int i = 0; i < USED; i++) gradient[used[i]][0] = gradient[used[i]][1] = 0;
        linear_model_gradients(&fit, &s, s.sample, 1, gradient);
        for (int i = 0; i < USED; i++)
            for (int half = 0; half < 2; half++) {
                const float up = rise_of(&fit, &s, used[i], half, 0.0625f);
                const float down = rise_of(&fit, &s, used[i], half, -0.0625f);
                const float least = up < down ? up : down, most = up < down ? down : up;
                const float slack = 0.05f + 0.05f * (fabsf(up) + fabsf(down));
                assert_true(gradient[used[i]][half] >= least - slack && gradient[used[i]][half] <= most + slack);
            }
        linear_samples_free(&s);
    }
}

static void count_progress(void *context, const DataProgress *p) {
    uint64_t *progress = context;
    assert_true(p->bytes <= p->total);
    progress[0]++, progress[1] = p->records;
}

/* Quiet positions are kept, others are not, and progress is reported. */
static void data_are_read(void **state) {
    (void)state;
    enum { PAIRS = 5000 };
    char path[64], *name = path;
    FILE *file = fdopen(temporary_file(path), "w");
    for (int i = 0; i < PAIRS; i++)
        fputs("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\nmove 7g7f\nscore 30\nply 1\n"
              "result 1\ne\n"
              "sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\nmove 8h2b+\nscore 20\nply 3\n"
              "result 1\ne\n",
              file);
    assert_int_equal(fclose(file), 0);
    uint64_t progress[2] = {0};
    LinearSamples s;
    TabiaError error;
    DataSource source = {
        .paths = (const char *const *)&name, .path_count = 1, .on_progress = count_progress, .context = progress};
    assert_int_equal(linear_samples_read(&s, &source, &error), DATA_DONE);
    assert_int_equal(s.records_read, 2 * PAIRS);
    assert_int_equal(s.count, PAIRS);
    assert_true(progress[0] > 2 && progress[1] == 2 * PAIRS);
    linear_samples_free(&s);
    remove(path);
    assert_int_equal(
        linear_samples_read(&s, &(DataSource){.paths = (const char *const *)&name, .path_count = 1}, &error),
        DATA_BAD_INPUT);
    linear_samples_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_weights_are_found),
        cmocka_unit_test(gradients_are_difference_quotients),
        cmocka_unit_test(data_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
