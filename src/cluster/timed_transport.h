/* SPDX-License-Identifier: MIT */
/*
 * A transport that measures time: its messages go through another transport, and the time in calls that send or
 * receive is summed.
 *
 *     cluster  ->  timed transport: processor time, number of calls  ->  transport
 */
#pragma once
#include "transport.h"

typedef struct {
    TabiaTransport base; /* first: it is used as any transport */
    TabiaTransport *inner;
    double (*clock)(void); /* seconds of processor time; NULL: the inner transport's clock */
    double clock_cost;     /* seconds that one reading of the clock takes; subtracted from each call */
    double busy_seconds;   /* in calls that sent or received something, receive callbacks included */
    uint64_t calls;        /* such calls */
} TimedTransport;

/* Wraps `inner`, which stays the caller's: close() does nothing. */
TimedTransport tabia_timed_transport(TabiaTransport *inner, double (*clock)(void));
