/* SPDX-License-Identifier: MIT */
/*
 * A transport that keeps time: what is sent and taken through it goes through another one, and the time in its calls
 * is summed up.
 *
 *     program  ->  meter: clock, count  ->  transport
 */
#pragma once
#include "transport.h"

typedef struct {
    TabiaTransport base; /* first: to be used as any transport */
    TabiaTransport *inner;
    double (*clock)(void); /* seconds of processor time; NULL: the inner transport's clock */
    double look;           /* what a look at it costs, which is taken off */
    double busy;           /* seconds in calls that sent or brought something, what was done with it included */
    uint64_t calls;        /* such calls */
} MeterTransport;

/* Around `inner`, which stays the caller's: close() does nothing. */
MeterTransport tabia_meter(TabiaTransport *inner, double (*clock)(void));
