/* SPDX-License-Identifier: MIT */
#include "cluster/calibrate.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "cluster_internal.h"

enum { ROUNDS = 25, WARM_UP = 2, LOOKS = 20, LOOK_SAMPLES = 201 };
static const double give_up = 10;
/* Messages begin with it: others are what was under way before. */
static const uint64_t mark = 0x6574617262696c61;

/* Where one rank stands in the exchange. */
typedef struct {
    TabiaTransport *t;
    CalibrateBy by;
    double look; /* what a look at the clock costs */
    unsigned other;
    uint64_t expected, taken, sum; /* messages of the other one, and what their checksums come to */
    double busy; /* seconds of the last exchange in calls that sent, and in those that brought something */
    unsigned char made[TRANSPORT_BYTES_MAX], copy[TRANSPORT_BYTES_MAX];
} Exchange;

static void take(void *context, unsigned from, const void *bytes, size_t n) {
    Exchange *x = context;
    if (from != x->other || n < sizeof mark || memcmp(bytes, &mark, sizeof mark) != 0) return;
    memcpy(x->copy, bytes, n);
    x->sum += tabia_checksum(x->copy, n);
    x->taken++;
}

static double spent(const Exchange *x) {
    return x->by.clock ? x->by.clock() : x->t->now(x->t);
}

double tabia_clock_cost(double (*clock)(void)) {
    enum { LOOKS_AT_CLOCK = 200 };
    double least = 1;
    for (unsigned i = 0; clock && i < LOOKS_AT_CLOCK; i++) {
        const double before = clock(), took = clock() - before;
        if (took < least) least = took;
    }
    return clock ? least : 0;
}

static void work(Exchange *x, bool cold) {
    if (cold && x->by.work) x->by.work(x->by.context);
}

static void work_and_look(Exchange *x, bool cold) {
    work(x, cold);
    const double before = spent(x);
    const unsigned came = x->t->poll(x->t, take, x);
    if (came) x->busy += spent(x) - before - x->look;
}

/* Takes until so many have come in all. */
static bool take_until(Exchange *x, uint64_t count, bool cold) {
    const double began = x->t->now(x->t);
    while (x->taken < count) {
        work_and_look(x, cold);
        if (x->t->now(x->t) - began > give_up) return false;
    }
    return true;
}

static bool send_one(Exchange *x, const void *bytes, size_t n, bool cold) {
    const double began = x->t->now(x->t);
    for (unsigned i = 1; cold && i < x->by.apart; i++) work_and_look(x, cold);
    work(x, cold);
    for (;;) {
        const double before = spent(x);
        memcpy(x->made, bytes, n); /* as tabia_cluster_send does */
        x->sum += tabia_checksum(x->made, n);
        if (x->t->send(x->t, x->other, x->made, n)) {
            x->busy += spent(x) - before - x->look;
            return true;
        }
        x->t->poll(x->t, take, x);
        if (x->t->now(x->t) - began > give_up) return false;
    }
}

static unsigned at_once(const Exchange *x) {
    return x->by.at_once ? x->by.at_once : 1;
}

static bool send_all(Exchange *x, const void *bytes, size_t n, bool cold) {
    for (unsigned i = 0; i < at_once(x); i++)
        if (!send_one(x, bytes, n, cold)) return false;
    return true;
}

/* Messages there and as many back, in a row; rank 1 answers. */
static bool there_and_back(Exchange *x, const void *bytes, size_t n) {
    x->busy = 0, x->expected += at_once(x);
    if (x->t->rank == 0) return send_all(x, bytes, n, false) && take_until(x, x->expected, false);
    return take_until(x, x->expected, false) && send_all(x, bytes, n, false);
}

/* As in a run: with work between the calls, and both ways at the same time, so that who sends finds what has come. */
static bool both_ways(Exchange *x, const void *bytes, size_t n) {
    x->busy = 0, x->expected += at_once(x);
    return send_all(x, bytes, n, true) && take_until(x, x->expected, true);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *sample, unsigned n) {
    qsort(sample, n, sizeof *sample, by_size);
    return sample[n / 2];
}

/* Microseconds for a message of that many bytes, at this rank; *latency: one way, without the calls. */
static bool measure(Exchange *x, size_t n, double *cost, double *latency) {
    unsigned char bytes[TRANSPORT_BYTES_MAX] = {0};
    double costs[ROUNDS], trips[ROUNDS], warm[ROUNDS];
    memcpy(bytes, &mark, sizeof mark);
    for (unsigned i = 0; i < WARM_UP + ROUNDS; i++) {
        const unsigned at = i < WARM_UP ? 0 : i - WARM_UP;
        if (!both_ways(x, bytes, n)) return false;
        costs[at] = x->busy * 1e6 / at_once(x);
        const double began = x->t->now(x->t);
        if (!there_and_back(x, bytes, n)) return false;
        trips[at] = (x->t->now(x->t) - began) * 1e6;
        warm[at] = x->busy * 1e6;
    }
    *cost = median(costs, ROUNDS);
    *latency = median(trips, ROUNDS) / 2 - median(warm, ROUNDS);
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

/* What comes before the other one listens may be lost to it: rank 1 says when it does. */
static bool begin_together(Exchange *x) {
    if (x->t->rank == 1) return send_one(x, &mark, sizeof mark, false);
    return take_until(x, ++x->expected, false);
}

/* Of the ranks beside: works until rank 0 says that it is over. */
static bool work_meanwhile(Exchange *x) {
    static const double all_of_it = 600;
    const double began = x->t->now(x->t);
    x->other = 0;
    while (!x->taken && x->t->now(x->t) - began < all_of_it) {
        work(x, true);
        x->t->poll(x->t, take, x);
    }
    return x->taken;
}

static void say_over(Exchange *x) {
    for (x->other = 2; x->other < x->t->ranks; x->other++) send_one(x, &mark, sizeof mark, false);
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

bool tabia_calibrate(TabiaTransport *t, CalibrateBy by, Calibration *result, Fault *fault) {
    static const unsigned sizes[CALIBRATE_SIZES] = {1, 4, 16, 64, 320, 1280};
    *result = (Calibration){0};
    if (t->ranks < 2) return tabia_fault(fault, "measuring messages takes two ranks");
    Exchange x = {.t = t, .by = by, .look = tabia_clock_cost(by.clock), .other = 1 - t->rank};
    if (t->rank > 1) return !by.work || work_meanwhile(&x) || tabia_fault(fault, "rank 0 has not ended its measuring");
    bool good = begin_together(&x) || tabia_fault(fault, "rank %u has not answered for %.0f seconds", x.other, give_up);
    double latency = 0, shortest = 0;
    for (unsigned i = 0; good && i < CALIBRATE_SIZES; i++) {
        result->size[i] = sizes[i];
        good = measure(&x, (size_t)sizes[i] * CALIBRATE_ENTRY_BYTES, &result->cost[i], &latency) ||
               tabia_fault(fault, "rank %u has not answered for %.0f seconds", x.other, give_up);
        if (i == 0) shortest = latency;
    }
    if (t->rank == 0 && by.work) say_over(&x);
    if (!good) return false;
    tabia_calibrate_fit(sizes, result->cost, CALIBRATE_SIZES, &result->message, &result->entry);
    result->latency = shortest > 0 ? shortest : 0;
    if (t->rank == 0) {
        result->look = cost_of_a_look(t, &x);
        result->poll = look_wait(TABIA_COUNTS, 0, result->look * 1e-6) * 1e6;
    }
    return true;
}
