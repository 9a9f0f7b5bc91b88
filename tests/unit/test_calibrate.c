/* SPDX-License-Identifier: MIT */
/* Calibration over a transport between two threads whose messages cost what the test says. */
#include "cluster/calibrate.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "unit.h"

enum { SLOTS = 64 };

/* One direction: how many messages were sent and taken, and how long each is. After the first `alone` of them they come
   `together` at a time, as to a rank that does not run meanwhile. */
typedef struct {
    unsigned alone, together;
    _Atomic uint64_t sent, taken;
    size_t bytes[SLOTS];
    uint64_t head[SLOTS]; /* how each begins */
} Pipe;

/* Pieces of work of a rank: in all, since it sent its last message, and how many messages came behind so many. */
enum { PIECES_NOTED = 16 };
typedef struct {
    unsigned in_all, since, behind[PIECES_NOTED];
} Pieces;

/* A rank whose clock goes on by what its calls cost: what they are made of, not what the machine did meanwhile. */
typedef struct {
    TabiaTransport base; /* first */
    Pipe *out, *in;
    double clock, message, byte; /* seconds, of one end */
    double look, find;           /* that finds nothing; and beyond the messages, that finds some */
    bool deaf;
    Pieces *pieces; /* may be NULL */
} Rank;

static bool rank_send(TabiaTransport *t, unsigned to, const void *bytes, size_t n) {
    Rank *r = (Rank *)t;
    assert_int_equal(to, 1 - t->rank);
    const uint64_t sent = r->out->sent;
    if (sent - r->out->taken == SLOTS) return r->clock += r->deaf ? 1 : 0, false;
    r->out->bytes[sent % SLOTS] = n;
    memcpy(&r->out->head[sent % SLOTS], bytes, sizeof r->out->head[0]);
    r->out->sent = sent + 1;
    r->clock += r->message + r->byte * (double)n;
    if (!r->pieces) return true;
    if (r->pieces->since < PIECES_NOTED) r->pieces->behind[r->pieces->since]++;
    r->pieces->since = 0;
    return true;
}

static uint64_t arrived(const Pipe *p, uint64_t taken) {
    const uint64_t sent = p->sent;
    return taken < p->alone ? sent > taken : sent - taken < p->together ? 0 : p->together;
}

static unsigned rank_poll(TabiaTransport *t, TransportReceive *take, void *context) {
    Rank *r = (Rank *)t;
    uint64_t message[TRANSPORT_BYTES_MAX / 8] = {0};
    const uint64_t taken = r->in->taken, came = r->deaf ? 0 : arrived(r->in, taken);
    if (!came) {
        r->clock += r->deaf ? 1 : r->look;
        sched_yield(); /* the other one may be waiting for this processor */
        return 0;
    }
    r->clock += r->find;
    take(context, 1 - t->rank, message, 24); /* of what was before: is not to be counted */
    for (uint64_t i = taken; i < taken + came; i++) {
        const size_t n = r->in->bytes[i % SLOTS];
        r->clock += r->message + r->byte * (double)n;
        message[0] = r->in->head[i % SLOTS];
        take(context, 1 - t->rank, message, n);
    }
    r->in->taken = taken + came;
    return (unsigned)came;
}

static double rank_now(TabiaTransport *t) {
    return ((Rank *)t)->clock;
}

static bool is_empty(TabiaTransport *t) {
    (void)t;
    return true;
}
static void do_nothing(TabiaTransport *t, bool all_well) {
    (void)t, (void)all_well;
}

static Rank new_rank(unsigned rank, Pipe *out, Pipe *in) {
    /* 1 us and 0.5 ns a byte at each end: 2 us and 24 ns an entry of 24 bytes. An empty poll: 0.1 us. */
    return (Rank){.base = {rank, 2, rank_send, rank_poll, is_empty, rank_now, do_nothing},
                  .out = out,
                  .in = in,
                  .message = 1e-6,
                  .byte = 0.5e-9,
                  .look = 1e-7};
}

typedef struct {
    Rank rank;
    CalibrationOptions by;
} Other;

static void *run_rank_1(void *context) {
    Other *o = context;
    Calibration ignored;
    return tabia_calibrate(&o->rank.base, o->by, &ignored, NULL) ? context : NULL;
}

static void assert_about(double found, double wanted) {
    if (found < 0.98 * wanted || found > 1.02 * wanted) fail_msg("%g is not about %g", found, wanted);
}

static void note_work(void *context) {
    Pieces *p = context;
    p->in_all++, p->since++;
}

/* Both ranks. A poll that finds something takes so many seconds beyond the messages. */
static Calibration calibrate(CalibrationOptions by, double find) {
    const unsigned together = by.burst ? by.burst : 1;
    Pipe there = {.together = together}, back = {.alone = 1 /* rank 1 says that it listens */, .together = together};
    Rank zero = new_rank(0, &there, &back);
    Other one = {new_rank(1, &back, &there), {.burst = by.burst}};
    zero.find = one.rank.find = find;
    zero.pieces = by.context;
    pthread_t thread;
    Calibration c;
    TabiaError error = {0};
    void *good;
    pthread_create(&thread, NULL, run_rank_1, &one);
    if (!tabia_calibrate(&zero.base, by, &c, &error)) fail_msg("%s", error.text);
    pthread_join(thread, &good);
    assert_non_null(good);
    return c;
}

static void finds_what_messages_cost(void **state) {
    (void)state;
    Pieces pieces = {0};
    const Calibration c = calibrate((CalibrationOptions){.work = note_work, .context = &pieces}, 0);
    assert_true(pieces.in_all > 2 * CALIBRATION_SIZES); /* before messages that are sent and that are waited for */
    assert_about(c.message, 2);
    assert_about(c.entry, 0.024);
    assert_about(c.empty_poll, 0.1);
    assert_int_equal(c.size[4], 320);
    assert_about(c.cost[4], 2 + 320 * 0.024);
}

/* Several messages share what it takes to find them. */
static void messages_may_come_together(void **state) {
    (void)state;
    assert_about(calibrate((CalibrationOptions){0}, 0.6e-6).message, 2.6);
    assert_about(calibrate((CalibrationOptions){.burst = 3}, 0.6e-6).message, 2.2);
}

/* As many pieces of work lie before each of at least 25 messages of each size, and cost nothing. */
static void messages_may_be_apart(void **state) {
    (void)state;
    enum { APART = 7, MESSAGES = 25 * CALIBRATION_SIZES };
    Pieces pieces = {0};
    const CalibrationOptions by = {.work = note_work, .context = &pieces, .slices_per_message = APART};
    assert_about(calibrate(by, 0).message, 2);
    assert_true(pieces.behind[APART] >= MESSAGES);
}

static void says_when_nobody_answers(void **state) {
    (void)state;
    static Pipe there, back;
    Rank zero = new_rank(0, &there, &back);
    Calibration c;
    TabiaError error = {0};
    const CalibrationOptions by = {0};
    zero.deaf = true;
    assert_false(tabia_calibrate(&zero.base, by, &c, &error));
    assert_non_null(strstr(error.text, "rank 1"));
    zero.base.ranks = 1;
    assert_false(tabia_calibrate(&zero.base, by, &c, &error));
    zero.base.ranks = 3, zero.base.rank = 2; /* has nothing to do */
    assert_true(tabia_calibrate(&zero.base, by, &c, &error));
}

static void fits_lines(void **state) {
    (void)state;
    const unsigned size[] = {1, 4, 16, 64, 160};
    double cost[5], a, b;
    for (unsigned i = 0; i < 5; i++) cost[i] = 1.95 + 0.065 * size[i];
    tabia_calibrate_fit(size, cost, 5, &a, &b);
    assert_about(a, 1.95);
    assert_about(b, 0.065);
    for (unsigned i = 0; i < 5; i++) cost[i] = 3 - 0.01 * size[i]; /* noise: no entry costs less than nothing */
    tabia_calibrate_fit(size, cost, 5, &a, &b);
    assert_true(b == 0 && a > 1);
    for (unsigned i = 0; i < 5; i++) cost[i] = 0.1 * size[i] * size[i]; /* nor a message */
    tabia_calibrate_fit(size, cost, 5, &a, &b);
    assert_true(a == 0 && b > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_messages_cost),
        cmocka_unit_test(messages_may_come_together),
        cmocka_unit_test(messages_may_be_apart),
        cmocka_unit_test(says_when_nobody_answers),
        cmocka_unit_test(fits_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
