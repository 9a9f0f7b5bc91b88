/* SPDX-License-Identifier: MIT */
/* What rank 0 and its workers remember of units: the table of all units, and a rank's queue. */
#include "unit.h"

#include "distributed/perft/unit_queue.h"
#include "distributed/perft/unit_table.h"

enum { UNITS = 100 };

static UnitTable *assigned_table(void) {
    TabiaError error;
    UnitTable *t = unit_table_create(UNITS, &error);
    assert_non_null(t);
    for (size_t u = 0; u < UNITS; u++) unit_table_assign(t, u, u % 2, (double)u);
    return t;
}

/* A rank that falls silent, speaks, and falls silent again: its units go out once more, and not twice. */
static void a_unit_is_requeued_once(void **state) {
    (void)state;
    bool seen[UNITS] = {false};
    size_t unit;
    UnitTable *t = assigned_table();
    assert_int_equal(unit_table_requeue_rank(t, 1), UNITS / 2);
    assert_int_equal(unit_table_requeue_rank(t, 1), 0);
    unit_table_requeue_overdue(t, UNITS);
    assert_int_equal(unit_table_requeued(t), UNITS);
    while (unit_table_pop_requeued(t, &unit)) {
        assert_false(seen[unit]);
        seen[unit] = true;
        unit_table_assign(t, unit, 2, UNITS);
    }
    for (size_t u = 0; u < UNITS; u++) assert_true(seen[u]);
    assert_int_equal(unit_table_requeue_rank(t, 1), 0);
    assert_int_equal(unit_table_requeue_rank(t, 2), UNITS);
    unit_table_destroy(t);
}

static void only_overdue_units_are_requeued(void **state) {
    (void)state;
    size_t unit, n = 0;
    UnitTable *t = assigned_table();
    unit_table_requeue_overdue(t, 10);
    for (; unit_table_pop_requeued(t, &unit); n++) assert_true(unit < 10);
    assert_int_equal(n, 10);
    unit_table_destroy(t);
}

static void a_result_counts_once_and_must_not_change(void **state) {
    (void)state;
    size_t unit;
    uint32_t waiting[UNITS];
    UnitTable *t = assigned_table();
    unit_table_requeue_rank(t, 1);
    assert_int_equal(unit_table_finish(t, 1, 20), UNIT_COUNTED); /* late, from the rank that was taken for dead */
    assert_int_equal(unit_table_finish(t, 1, 20), UNIT_REPEATED);
    assert_int_equal(unit_table_finish(t, 1, 21), UNIT_CONTRADICTED);
    assert_int_equal(unit_table_finish(t, 1, 20), UNIT_REPEATED);
    while (unit_table_pop_requeued(t, &unit)) assert_int_not_equal(unit, 1);
    unit_table_assign(t, 1, 0, 0);
    assert_int_equal(unit_table_requeue_rank(t, 0), UNITS / 2); /* unit 1 is done and stays so */
    assert_int_equal(unit_table_list_waiting(t, waiting), UNITS - 1);
    assert_int_equal(waiting[1], 2);
    unit_table_destroy(t);
}

/* First in, first out, while the ring grows and wraps round. */
static void the_queue_keeps_the_order(void **state) {
    (void)state;
    enum { BATCH = 300, ROUNDS = 20 };
    static char message[8 + BATCH * sizeof(WireUnit)];
    UnitQueue q = {0};
    uint64_t pushed = 0, popped = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < BATCH; i++) {
            const WireUnit unit = {.unit = pushed++};
            memcpy(message + 8 + i * sizeof unit, &unit, sizeof unit);
        }
        assert_true(unit_queue_push(&q, message + 8, BATCH, 5));
        for (unsigned i = 0; i < BATCH / 2; i++) assert_int_equal(unit_queue_pop(&q).unit, popped++);
    }
    assert_int_equal(q.depth, 5);
    while (q.n) assert_int_equal(unit_queue_pop(&q).unit, popped++);
    assert_int_equal(popped, pushed);
    unit_queue_release(&q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_unit_is_requeued_once),
        cmocka_unit_test(only_overdue_units_are_requeued),
        cmocka_unit_test(a_result_counts_once_and_must_not_change),
        cmocka_unit_test(the_queue_keeps_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
