/* SPDX-License-Identifier: MIT */
/*
 * Measures what messages cost over a transport: ranks 0 and 1 send each other messages of several sizes, both ways at
 * the same time. The processor time of a rank inside the calls that send and the calls that receive is the cost of both
 * ends of one message. What is received is copied and its checksum computed, as the cluster does.
 *
 * Before each call the rank does a slice of the work that lies between the polls of a real run, and between two of its
 * messages as many slices as in that run. Then neither the code of MPI nor its queues are in the caches, nor those of
 * the system, and a message costs several times of what it costs in a tight loop: the more, the longer ago the last one
 * was (docs/cluster.md).
 *
 *     cost(n) = message + n * entry        fitted over sizes of 1 to 1280 entries of 24 bytes
 *
 * The other ranks only do the same work meanwhile, so that processors are as busy as in a run.
 */
#pragma once
#include "base/error.h"
#include "cluster/transport.h"

enum { CALIBRATION_ENTRY_BYTES = 24, CALIBRATION_SIZES = 6 };

/* Microseconds. */
typedef struct {
    double message, entry;            /* processor time of both ends */
    double latency;                   /* one way, beyond that */
    double empty_poll;                /* a poll that receives nothing */
    double poll_interval;             /* the cluster's, if each empty poll costs that, with a table of counts */
    unsigned size[CALIBRATION_SIZES]; /* entries of a message */
    double cost[CALIBRATION_SIZES];   /* the median for each */
} Calibration;

typedef struct {
    double (*clock)(void);       /* seconds of processor time; NULL: the transport's clock, which runs on while another
                                    process has the processor */
    void (*work)(void *context); /* one slice of work, called some thousand times; NULL: none */
    void *context;
    unsigned slices_per_message; /* from one message of a rank to its next: up to some tens; 0: 1 */
    unsigned burst;              /* messages sent before one is received, up to some tens; 0: 1. Where ranks share a
                                    processor, others send while one does not run, which then receives several at once */
} CalibrationOptions;

/* Collective; rank 0 gets the result. False with an error: there is no rank 1, or it did not answer for ten seconds. */
bool tabia_calibrate(TabiaTransport *t, CalibrationOptions options, Calibration *result, TabiaError *error);

/* Seconds that one reading of a clock takes, by that clock: the least of many. NULL: 0. */
double tabia_clock_cost(double (*clock)(void));

/* Least squares of the relative error: cost[i] = *a + *b * size[i], both at least 0. n is at least 2. */
void tabia_calibrate_fit(const unsigned *size, const double *cost, unsigned n, double *a, double *b);
