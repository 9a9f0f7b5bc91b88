/* SPDX-License-Identifier: MIT */
#include "expected_score.h"

#include <assert.h>
#include <math.h>

double expected_score(double k, double value) {
    return 1 / (1 + exp(-k * value));
}

static double squared_error(const TrainSample *sample, size_t n, double k) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double error = expected_score(k, sample[i].score) - sample[i].result / 2.0;
        sum += error * error;
    }
    return sum;
}

/* Ternary search: between the bounds the error has one minimum. */
double expected_score_fit(const TrainSample *sample, size_t n) {
    assert(n > 0);
    double low = 0.0005, high = 0.02;
    for (int i = 0; i < 30; i++) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (squared_error(sample, n, a) < squared_error(sample, n, b))
            high = b;
        else
            low = a;
    }
    return (low + high) / 2;
}
