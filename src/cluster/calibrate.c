/* SPDX-License-Identifier: MIT */
#include "cluster/calibrate.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW = 16, ROUNDS = 400, WARM_UP = 50, LOOKS = 20, LOOK_SAMPLES = 201 };
static const double give_up = 10;

/* Where one rank stands in the exchange. */
typedef struct {
    TabiaTransport *t;
    unsigned other;
    uint64_t taken;
    double busy; /* seconds in calls that sent or brought something */
} Exchange;

static void take(void *context, unsigned from, const void *bytes, size_t n) {
    Exchange *x = context;
    (void)bytes, (void)n;
    if (from == x->other) x->taken++;
}

/* Takes until so many have come in all. */
static bool take_until(Exchange *x, uint64_t count) {
    double before = x->t->now(x->t);
    const double began = before;
    while (x->taken < count) {
        const unsigned came = x->t->poll(x->t, take, x);
        const double now = x->t->now(x->t);
        if (came) x->busy += now - before;
        before = now;
        if (now - began > give_up) return false;
    }
    return true;
}

static bool send_all(Exchange *x, const void *bytes, size_t n, unsigned count) {
    const double began = x->t->now(x->t);
    for (unsigned i = 0; i < count; i++)
        while (!x->t->send(x->t, x->other, bytes, n)) {
            x->t->poll(x->t, take, x);
            if (x->t->now(x->t) - began > give_up) return false;
        }
    x->busy += x->t->now(x->t) - began;
    return true;
}

/* So many messages there and as many back; rank 1 answers when all have come. */
static bool exchange(Exchange *x, const void *bytes, size_t n, unsigned count) {
    const uint64_t until = x->taken + count;
    if (x->t->rank == 0) return send_all(x, bytes, n, count) && take_until(x, until);
    return take_until(x, until) && send_all(x, bytes, n, count);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *sample, unsigned n) {
    qsort(sample, n, sizeof *sample, by_size);
    return sample[n / 2];
}

/* Microseconds for a message of that many bytes, at this rank; *round_trip: of a single one, there and back. */
static bool measure(Exchange *x, size_t n, double *cost, double *round_trip) {
    static const unsigned char bytes[TRANSPORT_BYTES_MAX];
    double costs[ROUNDS], trips[ROUNDS];
    for (unsigned i = 0; i < WARM_UP + ROUNDS; i++) {
        const unsigned at = i < WARM_UP ? 0 : i - WARM_UP;
        const double began = x->t->now(x->t);
        if (!exchange(x, bytes, n, 1)) return false;
        trips[at] = (x->t->now(x->t) - began) * 1e6;
        x->busy = 0;
        if (!exchange(x, bytes, n, WINDOW)) return false;
        costs[at] = x->busy * 1e6 / WINDOW;
    }
    *cost = median(costs, ROUNDS), *round_trip = median(trips, ROUNDS);
    return true;
}

void tabia_calibrate_fit(const unsigned *size, const double *cost, unsigned n, double *a, double *b) {
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    for (unsigned i = 0; i < n; i++) {
        const double weight = 1 / (cost[i] * cost[i]), x = size[i];
        w += weight, wx += weight * x, wy += weight * cost[i], wxx += weight * x * x, wxy += weight * x * cost[i];
    }
    *b = (w * wxy - wx * wy) / (w * wxx - wx * wx);
    if (*b < 0) *b = 0;
    *a = (wy - *b * wx) / w;
    if (*a >= 0) return;
    *a = 0;
    *b = wxy / wxx;
}

static double cost_of_a_look(TabiaTransport *t, Exchange *x) {
    double sample[LOOK_SAMPLES];
    for (unsigned i = 0; i < LOOK_SAMPLES; i++) {
        const double began = t->now(t);
        for (unsigned k = 0; k < LOOKS; k++) t->poll(t, take, x);
        sample[i] = (t->now(t) - began) * 1e6 / LOOKS;
    }
    return median(sample, LOOK_SAMPLES);
}

bool tabia_calibrate(TabiaTransport *t, Calibration *result, Fault *fault) {
    static const unsigned sizes[CALIBRATE_SIZES] = {1, 4, 16, 64, 160};
    *result = (Calibration){0};
    if (t->ranks < 2) return tabia_fault(fault, "measuring messages takes two ranks");
    if (t->rank > 1) return true;
    Exchange x = {.t = t, .other = 1 - t->rank};
    double trip = 0, shortest = 0;
    for (unsigned i = 0; i < CALIBRATE_SIZES; i++) {
        result->size[i] = sizes[i];
        if (!measure(&x, (size_t)sizes[i] * CALIBRATE_ENTRY_BYTES, &result->cost[i], &trip))
            return tabia_fault(fault, "rank %u has not answered for %.0f seconds", x.other, give_up);
        if (i == 0) shortest = trip;
    }
    tabia_calibrate_fit(sizes, result->cost, CALIBRATE_SIZES, &result->message, &result->entry);
    const double latency = shortest / 2 - result->message - result->entry;
    result->latency = latency > 0 ? latency : 0;
    if (t->rank == 0) result->look = cost_of_a_look(t, &x);
    return true;
}
