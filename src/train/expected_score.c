/* SPDX-License-Identifier: MIT */
#include "expected_score.h"

#include <math.h>

#include "base/random.h"

double points(double k, double value) {
    return 1 / (1 + exp(-k * value));
}

/* Of one sample in `step`. */
static double error_of(PointsSample (*sample)(const void *, size_t), const void *samples, size_t n, size_t step,
                       double k) {
    double sum = 0;
    for (size_t i = 0; i < n; i += step) {
        const PointsSample s = sample(samples, i);
        const double error = points(k, s.score) - s.result;
        sum += error * error;
    }
    return sum;
}

/* By thirds: the error has one least value between "scores mean nothing" and "a centipawn decides". */
double points_best_k(PointsSample (*sample)(const void *, size_t), const void *samples, size_t n) {
    enum { ENOUGH = 1000000 }; /* a second of work; one number needs no more */
    const size_t step = (n + ENOUGH - 1) / ENOUGH;
    double low = 0.0005, high = 0.02;
    for (int i = 0; i < 30; i++) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (error_of(sample, samples, n, step, a) < error_of(sample, samples, n, step, b))
            high = b;
        else
            low = a;
    }
    return (low + high) / 2;
}

size_t points_put_aside(uint32_t *order, size_t n, unsigned aside) {
    enum { BLOCK = 2048 };
    size_t at = 0, learnt = 0;
    for (int kept = 0; kept <= 1; kept++) {
        for (size_t i = 0; i < n; i++)
            if ((i / BLOCK % aside == aside / 2) == kept) order[at++] = (uint32_t)i;
        if (!kept) learnt = at;
    }
    return learnt;
}

void points_share(size_t begin, size_t end, unsigned threads, unsigned worker, size_t *from, size_t *to) {
    const size_t n = end - begin;
    *from = begin + n * worker / threads, *to = begin + n * (worker + 1) / threads;
}

void points_shuffle(uint32_t *order, size_t n, uint64_t *seed) {
    for (size_t i = n; i > 1; i--) {
        const size_t other = random_below(seed, i);
        const uint32_t held = order[i - 1];
        order[i - 1] = order[other], order[other] = held;
    }
}
