/* SPDX-License-Identifier: MIT */
/*
 * What messages cost over a transport, measured: rank 0 sends rank 1 some messages at a time, of several sizes, which
 * come back. A rank's time inside the calls that send or bring something is the cost of both ends of a message, because
 * each message is sent once and taken once; the clock goes on between them, but is not looked at.
 *
 *     cost(n) = message + n * entry        fitted over sizes of 1 to 160 entries of 24 bytes
 *
 * Ranks other than 0 and 1 do nothing.
 */
#pragma once
#include "base/fault.h"
#include "cluster/transport.h"

enum { CALIBRATE_ENTRY_BYTES = 24, CALIBRATE_SIZES = 5 };

/* Microseconds. */
typedef struct {
    double message, entry;          /* processor time of both ends */
    double latency;                 /* one way, beyond that */
    double look;                    /* that finds nothing */
    unsigned size[CALIBRATE_SIZES]; /* entries of a message */
    double cost[CALIBRATE_SIZES];   /* the median for each */
} Calibration;

/* Measures, for about a second. To be called by all ranks, of which rank 0 gets the result. False with a fault if there
   is no rank 1, or nothing came from the other within ten seconds. */
bool tabia_calibrate(TabiaTransport *t, Calibration *result, Fault *fault);

/* Least squares of the relative error: cost[i] = *a + *b * size[i], neither below 0. n is at least 2. */
void tabia_calibrate_fit(const unsigned *size, const double *cost, unsigned n, double *a, double *b);
