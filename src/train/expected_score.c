/* SPDX-License-Identifier: MIT */
#include "expected_score.h"

#include <assert.h>
#include <math.h>

double expected_score(double k, double value) {
    return 1 / (1 + exp(-k * value));
}

/* The sum of the square errors of every step-th sample. */
static double squared_error(ScoredResult (*sample)(const void *, size_t), const void *samples, size_t n, size_t step,
                            double k) {
    double sum = 0;
    for (size_t i = 0; i < n; i += step) {
        const ScoredResult s = sample(samples, i);
        const double error = expected_score(k, s.score) - s.result;
        sum += error * error;
    }
    return sum;
}

/* Ternary search: between the bounds the error has one minimum. */
double expected_score_fit(ScoredResult (*sample)(const void *, size_t), const void *samples, size_t n) {
    assert(n > 0);
    enum { SAMPLES_MAX = 1000000 }; /* enough for one parameter */
    const size_t step = (n + SAMPLES_MAX - 1) / SAMPLES_MAX;
    double low = 0.0005, high = 0.02;
    for (int i = 0; i < 30; i++) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (squared_error(sample, samples, n, step, a) < squared_error(sample, samples, n, step, b))
            high = b;
        else
            low = a;
    }
    return (low + high) / 2;
}
