/* SPDX-License-Identifier: MIT */
#include "cluster/calibrate.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "cluster_internal.h"

enum { ROUNDS = 25, WARM_UP = 2, POLLS = 20, POLL_SAMPLES = 201 };
static const double timeout = 10; /* seconds */
/* The first word of each message: others were in flight before. */
static const uint64_t magic = 0x6574617262696c61;

/* The state of one rank. */
typedef struct {
    TabiaTransport *t;
    CalibrationOptions options;
    double clock_cost; /* seconds of one reading of the clock */
    unsigned other;
    uint64_t expected, received;
    uint64_t checksum;   /* sum over all messages: so that computing them is not optimised away */
    double busy_seconds; /* of the last exchange, in calls that sent or received something */
    unsigned char outgoing[TRANSPORT_BYTES_MAX], copy[TRANSPORT_BYTES_MAX];
} CalibrationExchange;

static void receive(void *context, unsigned source, const void *bytes, size_t n) {
    CalibrationExchange *x = context;
    if (source != x->other || n < sizeof magic || memcmp(bytes, &magic, sizeof magic) != 0) return;
    assert(n <= sizeof x->copy);
    memcpy(x->copy, bytes, n);
    x->checksum += tabia_checksum(x->copy, n);
    x->received++;
}

static double read_clock(const CalibrationExchange *x) {
    return x->options.clock ? x->options.clock() : x->t->now(x->t);
}

double tabia_clock_cost(double (*clock)(void)) {
    enum { READINGS = 200 };
    double least = 1;
    for (unsigned i = 0; clock && i < READINGS; i++) {
        const double before = clock(), took = clock() - before;
        if (took < least) least = took;
    }
    return clock ? least : 0;
}

static void work(CalibrationExchange *x, bool cold) {
    if (cold && x->options.work) x->options.work(x->options.context);
}

static void work_and_poll(CalibrationExchange *x, bool cold) {
    work(x, cold);
    const double before = read_clock(x);
    const unsigned received = x->t->poll(x->t, receive, x);
    if (received) x->busy_seconds += read_clock(x) - before - x->clock_cost;
}

/* Receives until `count` messages have arrived in all. */
static bool receive_until(CalibrationExchange *x, uint64_t count, bool cold) {
    const double began = x->t->now(x->t);
    while (x->received < count) {
        work_and_poll(x, cold);
        if (x->t->now(x->t) - began > timeout) return false;
    }
    return true;
}

static bool send_one(CalibrationExchange *x, const void *bytes, size_t n, bool cold) {
    const double began = x->t->now(x->t);
    for (unsigned i = 1; cold && i < x->options.slices_per_message; i++) work_and_poll(x, cold);
    work(x, cold);
    for (;;) {
        const double before = read_clock(x);
        memcpy(x->outgoing, bytes, n); /* as tabia_cluster_send does */
        x->checksum += tabia_checksum(x->outgoing, n);
        if (x->t->send(x->t, x->other, x->outgoing, n)) {
            x->busy_seconds += read_clock(x) - before - x->clock_cost;
            return true;
        }
        x->t->poll(x->t, receive, x);
        if (x->t->now(x->t) - began > timeout) return false;
    }
}

static unsigned burst_of(const CalibrationExchange *x) {
    return x->options.burst ? x->options.burst : 1;
}

static bool send_all(CalibrationExchange *x, const void *bytes, size_t n, bool cold) {
    for (unsigned i = 0; i < burst_of(x); i++)
        if (!send_one(x, bytes, n, cold)) return false;
    return true;
}

/* A burst there and one back, without work between; rank 1 answers. */
static bool round_trip(CalibrationExchange *x, const void *bytes, size_t n) {
    x->busy_seconds = 0, x->expected += burst_of(x);
    if (x->t->rank == 0) return send_all(x, bytes, n, false) && receive_until(x, x->expected, false);
    return receive_until(x, x->expected, false) && send_all(x, bytes, n, false);
}

/* As in a run: work between the calls, and both ways at the same time, so that a rank that sends receives as well. */
static bool exchange(CalibrationExchange *x, const void *bytes, size_t n) {
    x->busy_seconds = 0, x->expected += burst_of(x);
    return send_all(x, bytes, n, true) && receive_until(x, x->expected, true);
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *sample, unsigned n) {
    qsort(sample, n, sizeof *sample, compare_doubles);
    return sample[n / 2];
}

/* *cost: microseconds of this rank for a message of n bytes; *latency: one way, without the calls. */
static bool measure(CalibrationExchange *x, size_t n, double *cost, double *latency) {
    unsigned char bytes[TRANSPORT_BYTES_MAX] = {0};
    double costs[ROUNDS], trips[ROUNDS], warm[ROUNDS];
    memcpy(bytes, &magic, sizeof magic);
    for (unsigned i = 0; i < WARM_UP + ROUNDS; i++) {
        const unsigned sample = i < WARM_UP ? 0 : i - WARM_UP;
        if (!exchange(x, bytes, n)) return false;
        costs[sample] = x->busy_seconds * 1e6 / burst_of(x);
        const double began = x->t->now(x->t);
        if (!round_trip(x, bytes, n)) return false;
        trips[sample] = (x->t->now(x->t) - began) * 1e6;
        warm[sample] = x->busy_seconds * 1e6;
    }
    *cost = median(costs, ROUNDS);
    *latency = median(trips, ROUNDS) / 2 - median(warm, ROUNDS);
    return true;
}

void tabia_calibrate_fit(const unsigned *size, const double *cost, unsigned n, double *a, double *b) {
    assert(n >= 2);
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

/* What rank 0 sends before rank 1 polls may be lost: rank 1 says when it is ready. */
static bool synchronise(CalibrationExchange *x) {
    if (x->t->rank == 1) return send_one(x, &magic, sizeof magic, false);
    return receive_until(x, ++x->expected, false);
}

/* Ranks from 2 on: work until rank 0 says that the measurement is over. */
static bool work_until_end(CalibrationExchange *x) {
    static const double longest = 600; /* seconds */
    const double began = x->t->now(x->t);
    x->other = 0;
    while (!x->received && x->t->now(x->t) - began < longest) {
        work(x, true);
        x->t->poll(x->t, receive, x);
    }
    return x->received;
}

static void announce_end(CalibrationExchange *x) {
    for (x->other = 2; x->other < x->t->ranks; x->other++) send_one(x, &magic, sizeof magic, false);
}

static double measure_empty_poll(TabiaTransport *t, CalibrationExchange *x) {
    double sample[POLL_SAMPLES];
    for (unsigned i = 0; i < POLL_SAMPLES; i++) {
        const double began = t->now(t);
        for (unsigned k = 0; k < POLLS; k++) t->poll(t, receive, x);
        sample[i] = (t->now(t) - began) * 1e6 / POLLS;
    }
    return median(sample, POLL_SAMPLES);
}

bool tabia_calibrate(TabiaTransport *t, CalibrationOptions options, Calibration *result, TabiaError *error) {
    static const unsigned sizes[CALIBRATION_SIZES] = {1, 4, 16, 64, 320, 1280};
    *result = (Calibration){0};
    if (t->ranks < 2) return tabia_fail(error, "measuring messages needs two ranks");
    CalibrationExchange x = {
        .t = t, .options = options, .clock_cost = tabia_clock_cost(options.clock), .other = 1 - t->rank};
    if (t->rank > 1)
        return !options.work || work_until_end(&x) || tabia_fail(error, "rank 0 has not ended its measurement");
    bool good = synchronise(&x) || tabia_fail(error, "rank %u has not answered for %.0f seconds", x.other, timeout);
    double latency = 0, shortest = 0;
    for (unsigned i = 0; good && i < CALIBRATION_SIZES; i++) {
        result->size[i] = sizes[i];
        good = measure(&x, (size_t)sizes[i] * CALIBRATION_ENTRY_BYTES, &result->cost[i], &latency) ||
               tabia_fail(error, "rank %u has not answered for %.0f seconds", x.other, timeout);
        if (i == 0) shortest = latency;
    }
    if (t->rank == 0 && options.work) announce_end(&x);
    if (!good) return false;
    tabia_calibrate_fit(sizes, result->cost, CALIBRATION_SIZES, &result->message, &result->entry);
    result->latency = shortest > 0 ? shortest : 0;
    if (t->rank == 0) {
        result->empty_poll = measure_empty_poll(t, &x);
        result->poll_interval = poll_interval(TABIA_COUNTS, 0, result->empty_poll * 1e-6) * 1e6;
    }
    return true;
}
