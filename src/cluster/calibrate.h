/* SPDX-License-Identifier: MIT */
/*
 * What messages cost over a transport, measured: ranks 0 and 1 send each other messages of several sizes, both ways at
 * the same time, one or a few of them. A rank's time inside the calls that send and those that bring is the cost of
 * both ends of a message. What comes is copied, and its checksum made, as the cluster does it.
 *
 * Before each call the rank does a piece of the work that lies between the looks of a run, and between its messages as
 * many as in that run: then neither MPI's text nor its queues are in the caches, nor the system's, and a message costs
 * several times of what it costs in a row of them, the more the longer ago the last one was (docs/cluster.md).
 *
 *     cost(n) = message + n * entry        fitted over sizes of 1 to 1280 entries of 24 bytes
 *
 * The other ranks do nothing but that work meanwhile, so that processors are as busy as in a run.
 */
#pragma once
#include "base/fault.h"
#include "cluster/transport.h"

enum { CALIBRATE_ENTRY_BYTES = 24, CALIBRATE_SIZES = 6 };

/* Microseconds. */
typedef struct {
    double message, entry;          /* processor time of both ends */
    double latency;                 /* one way, beyond that */
    double look;                    /* that finds nothing */
    double poll;                    /* from one look to the next, if each costs that, with a table of counts */
    unsigned size[CALIBRATE_SIZES]; /* entries of a message */
    double cost[CALIBRATE_SIZES];   /* the median for each */
} Calibration;

/* How to measure. */
typedef struct {
    double (*clock)(void);       /* seconds of processor time; NULL: the transport's own clock, which goes on while
                                    another process has the processor */
    void (*work)(void *context); /* what lies between two looks; done some thousand times. NULL: nothing */
    void *context;
    unsigned apart;   /* pieces of work from one message of a rank to its next, up to some tens; 0 is 1 */
    unsigned at_once; /* messages that go out before one is taken, up to some tens; 0 is 1. Where ranks share a
                         processor others send while one does not run, which then finds several with one look */
} CalibrateBy;

/* To be called by all ranks, of which rank 0 gets the result. False with a fault if there is no rank 1, or nothing came
   from the other within ten seconds. */
bool tabia_calibrate(TabiaTransport *t, CalibrateBy by, Calibration *result, Fault *fault);

/* What a look at such a clock takes, in its own seconds: the least of many. NULL: 0. */
double tabia_clock_cost(double (*clock)(void));

/* Least squares of the relative error: cost[i] = *a + *b * size[i], neither below 0. n is at least 2. */
void tabia_calibrate_fit(const unsigned *size, const double *cost, unsigned n, double *a, double *b);
