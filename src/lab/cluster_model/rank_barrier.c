/* SPDX-License-Identifier: MIT */
#include "rank_barrier.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const uint64_t barrier_magic = 0x6d656574;
static const double repeat_interval = 0.05, timeout = 600; /* seconds */

bool rank_barrier_begin(RankBarrier *b, TabiaTransport *t, uint64_t number, const double figure[BARRIER_FIGURES],
                        TabiaError *error) {
    *b = (RankBarrier){.transport = t, .own = {.magic = barrier_magic, .number = number}, .sent_at = -1};
    memcpy(b->own.figure, figure, sizeof b->own.figure);
    memcpy(b->sum, figure, sizeof b->sum);
    if (t->rank) return true;
    b->seen = calloc(t->ranks, sizeof *b->seen);
    b->released = 1; /* itself */
    return b->seen || tabia_fail(error, "no memory for %u ranks", t->ranks);
}

static void receive(void *context, unsigned source, const void *bytes, size_t n) {
    RankBarrier *b = context;
    BarrierMessage m;
    if (n != sizeof m) return;
    memcpy(&m, bytes, n);
    if (m.magic != barrier_magic || m.number != b->own.number) return;
    if (b->transport->rank) {
        if (source == 0) b->released = 1;
        return;
    }
    assert(source && source < b->transport->ranks);
    if (b->seen[source]) return;
    b->seen[source] = true;
    b->arrived++;
    for (unsigned i = 0; i < BARRIER_FIGURES; i++) b->sum[i] += m.figure[i];
}

static bool send_own(RankBarrier *b, unsigned destination) {
    return b->transport->send(b->transport, destination, &b->own, sizeof b->own);
}

bool rank_barrier_step(RankBarrier *b) {
    TabiaTransport *t = b->transport;
    t->poll(t, receive, b);
    if (t->rank) {
        const double now = t->now(t);
        const bool due = b->sent_at < 0 || now - b->sent_at > repeat_interval;
        if (!b->released && due && send_own(b, 0)) b->sent_at = now;
        return b->released && t->is_empty(t);
    }
    if (b->arrived + 1 < t->ranks) return false;
    while (b->released < t->ranks && send_own(b, b->released)) b->released++;
    return t->is_empty(t) && b->released == t->ranks;
}

void rank_barrier_end(RankBarrier *b, double figure[BARRIER_FIGURES]) {
    memcpy(figure, b->sum, sizeof b->sum);
    free(b->seen);
    b->seen = NULL;
}

bool rank_barrier(TabiaTransport *t, uint64_t number, double figure[BARRIER_FIGURES], TabiaError *error) {
    RankBarrier b;
    bool passed = false, good = rank_barrier_begin(&b, t, number, figure, error);
    const double began = t->now(t);
    while (good && !passed) {
        passed = rank_barrier_step(&b);
        if (!passed && t->now(t) - began > timeout)
            good = tabia_fail(error, "not all ranks have arrived within %.0f seconds", timeout);
        if (!passed) nanosleep(&(struct timespec){.tv_nsec = 200 * 1000}, NULL);
    }
    rank_barrier_end(&b, figure);
    return good;
}
