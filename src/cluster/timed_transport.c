/* SPDX-License-Identifier: MIT */
#include "timed_transport.h"

#include "calibrate.h"

static double spent(const MeterTransport *m) {
    return m->clock ? m->clock() : m->inner->now(m->inner);
}

static void note(MeterTransport *m, double began) {
    m->busy += spent(m) - began - m->look;
    m->calls++;
}

static bool meter_send(TabiaTransport *t, unsigned to, const void *bytes, size_t n) {
    MeterTransport *m = (MeterTransport *)t;
    const double began = spent(m);
    const bool sent = m->inner->send(m->inner, to, bytes, n);
    if (sent) note(m, began);
    return sent;
}

/* What is sent while messages are taken is in the poll's time, and is taken out of its own. */
static unsigned meter_poll(TabiaTransport *t, TransportTake *take, void *context) {
    MeterTransport *m = (MeterTransport *)t;
    const double before = m->busy, began = spent(m);
    const unsigned came = m->inner->poll(m->inner, take, context);
    if (!came) return 0;
    m->busy = before;
    note(m, began);
    return came;
}

static bool meter_is_empty(TabiaTransport *t) {
    MeterTransport *m = (MeterTransport *)t;
    return m->inner->is_empty(m->inner);
}

static double meter_now(TabiaTransport *t) {
    MeterTransport *m = (MeterTransport *)t;
    return m->inner->now(m->inner);
}

static void meter_close(TabiaTransport *t, bool all_well) {
    (void)t, (void)all_well;
}

MeterTransport tabia_meter(TabiaTransport *inner, double (*clock)(void)) {
    return (MeterTransport){
        .base = {inner->rank, inner->ranks, meter_send, meter_poll, meter_is_empty, meter_now, meter_close},
        .inner = inner,
        .clock = clock,
        .look = tabia_clock_cost(clock)};
}
