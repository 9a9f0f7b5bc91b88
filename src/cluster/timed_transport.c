/* SPDX-License-Identifier: MIT */
#include "timed_transport.h"

#include "calibrate.h"

static double read_clock(const TimedTransport *m) {
    return m->clock ? m->clock() : m->inner->now(m->inner);
}

static void add_call(TimedTransport *m, double began) {
    m->busy_seconds += read_clock(m) - began - m->clock_cost;
    m->calls++;
}

static bool timed_send(TabiaTransport *t, unsigned destination, const void *bytes, size_t n) {
    TimedTransport *m = (TimedTransport *)t;
    const double began = read_clock(m);
    const bool sent = m->inner->send(m->inner, destination, bytes, n);
    if (sent) add_call(m, began);
    return sent;
}

/* Sends inside receive callbacks are part of the poll's time; their own is taken out again. */
static unsigned timed_poll(TabiaTransport *t, TransportReceive *receive, void *context) {
    TimedTransport *m = (TimedTransport *)t;
    const double before = m->busy_seconds, began = read_clock(m);
    const unsigned received = m->inner->poll(m->inner, receive, context);
    if (!received) return 0;
    m->busy_seconds = before;
    add_call(m, began);
    return received;
}

static bool timed_is_empty(TabiaTransport *t) {
    TimedTransport *m = (TimedTransport *)t;
    return m->inner->is_empty(m->inner);
}

static double timed_now(TabiaTransport *t) {
    TimedTransport *m = (TimedTransport *)t;
    return m->inner->now(m->inner);
}

static void timed_close(TabiaTransport *t, bool orderly) {
    (void)t, (void)orderly;
}

TimedTransport tabia_timed_transport(TabiaTransport *inner, double (*clock)(void)) {
    return (TimedTransport){
        .base = {inner->rank, inner->ranks, timed_send, timed_poll, timed_is_empty, timed_now, timed_close},
        .inner = inner,
        .clock = clock,
        .clock_cost = tabia_clock_cost(clock)};
}
