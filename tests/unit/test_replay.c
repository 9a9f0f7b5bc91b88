/* SPDX-License-Identifier: MIT */
/* Replays: the total is the true one whatever the table forgets, and a table that lies is found out. */
#include "stream_tools.h"
#include "table_tools.h"

#include "lab/table/replay.h"

static ReplayCounts replay(const Stream *s, TabiaOptions options, ReplayOptions o) {
    options.threads = 1;
    TabiaTable *t = new_table(options);
    ReplayCounts counts;
    TabiaError error = {0};
    if (!replay_run(s, t, &o, &counts, NULL, &error)) fail_msg("%s", error.text);
    tabia_table_destroy(t);
    return counts;
}

static void assert_true_total(const Stream *s, const ReplayCounts *c) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < s->runs; i++) total += s->record[s->run[i].first].leaves;
    assert_int_equal(c->total, total);
    assert_int_equal(c->wrong, 0);
    assert_int_equal(c->probes, c->hits + c->walked);
}

static void every_size_gives_the_total(void **state) {
    (void)state;
    Stream s = new_stream((StreamJob){.depth = 5, .threads = 2}, NULL);
    for (uint64_t bytes = 64; bytes <= 1 << 20; bytes *= 4)
        for (unsigned ways = 1; ways <= 4; ways *= 2)
            for (unsigned threads = 1; threads <= 3; threads++)
                for (TabiaRecordType type = TABIA_ENTRIES; type <= TABIA_COUNTS; type++) {
                    const TabiaOptions options = {.type = type, .bytes = bytes, .ways = ways};
                    const ReplayCounts c = replay(&s, options, (ReplayOptions){.threads = threads});
                    assert_true_total(&s, &c);
                }
    stream_free(&s);
}

static void parts_give_the_total(void **state) {
    (void)state;
    Stream s = new_stream((StreamJob){.depth = 5, .threads = 2}, NULL);
    for (TabiaSharing sharing = TABIA_PARTITIONED; sharing <= TABIA_PRIVATE; sharing++) {
        const TabiaOptions options = {.type = TABIA_COUNTS, .bytes = 1 << 18, .sharing = sharing, .partitions = 3};
        const ReplayCounts c = replay(&s, options, (ReplayOptions){.threads = 3}),
                           again = replay(&s, options, (ReplayOptions){.threads = 3});
        assert_true_total(&s, &c);
        assert_memory_equal(&c, &again, sizeof c);
    }
    stream_free(&s);
}

static void one_thread_repeats_itself(void **state) {
    (void)state;
    Stream s = new_game();
    for (TabiaRecordType type = TABIA_ENTRIES; type <= TABIA_COUNTS; type++) {
        const TabiaOptions options = {.type = type, .bytes = 1 << 14};
        const ReplayCounts a = replay(&s, options, (ReplayOptions){0}), b = replay(&s, options, (ReplayOptions){0});
        assert_memory_equal(&a, &b, sizeof a);
        assert_true_total(&s, &a);
        assert_true(a.hits > 0);
    }
    stream_free(&s);
}

static int by_key(const void *a, const void *b) {
    const StreamRecord *x = a, *y = b;
    if (x->key[0] != y->key[0]) return x->key[0] < y->key[0] ? -1 : 1;
    return (int)x->depth - (int)y->depth;
}

/* With room for all, each different node is walked once; with no table, each of them is. */
static void an_ample_table_walks_each_node_once(void **state) {
    (void)state;
    Stream s = new_stream((StreamJob){.depth = 5, .threads = 2}, NULL);
    const ReplayCounts all = replay(&s, (TabiaOptions){.type = TABIA_COUNTS, .bytes = 16 << 20}, (ReplayOptions){0});
    const ReplayCounts none = replay(&s, (TabiaOptions){.type = TABIA_COUNTS, .probing_off = true}, (ReplayOptions){0});
    uint64_t nodes = 0, different = 0;
    StreamRecord *sorted = malloc(s.records * sizeof *sorted);
    for (uint64_t i = 0; i < s.records; i++)
        if (s.record[i].depth <= s.record[0].depth - 2) sorted[nodes++] = s.record[i];
    qsort(sorted, nodes, sizeof *sorted, by_key);
    for (uint64_t i = 0; i < nodes; i++) different += i == 0 || by_key(&sorted[i - 1], &sorted[i]) != 0;
    assert_int_equal(none.walked, nodes);
    assert_int_equal(none.probes, nodes);
    assert_int_equal(all.walked, different);
    assert_true_total(&s, &all);
    assert_true_total(&s, &none);
    free(sorted);
    stream_free(&s);
}

static void a_lying_table_is_found_out(void **state) {
    (void)state;
    Stream s = new_stream((StreamJob){.depth = 5, .threads = 2}, NULL);
    const TabiaOptions options = {.type = TABIA_COUNTS, .bytes = 1 << 16, .signature_bits = 8};
    const ReplayCounts c = replay(&s, options, (ReplayOptions){0});
    assert_true(c.wrong > 10);
    assert_true(c.total != s.record[0].leaves);
    stream_free(&s);
}

static void other_paths_are_refused(void **state) {
    (void)state;
    Stream s = new_stream((StreamJob){.depth = 5, .threads = 2}, NULL);
    uint64_t walked = 0; /* without a path */
    for (unsigned plies = 0; plies <= 2; plies++) {
        const ReplayCounts c = replay(&s, (TabiaOptions){.bytes = 1 << 20}, (ReplayOptions){.path_plies = plies});
        assert_true_total(&s, &c);
        assert_true(c.walked > walked);
        assert_true(plies ? c.refused > 0 : c.refused == 0);
        if (!plies) walked = c.walked;
    }
    stream_free(&s);
}

/* The same position at a depth more: known, and of no use. */
static void another_depth_is_no_hit(void **state) {
    (void)state;
    Stream s = new_stream((StreamJob){.depth = 5, .threads = 2, .deepen = true}, NULL);
    const ReplayCounts c = replay(&s, (TabiaOptions){.bytes = 1 << 20}, (ReplayOptions){0});
    assert_true_total(&s, &c);
    assert_true(c.known >= 400);
    stream_free(&s);
}

/* Depths of a generation that the generation before has known: with strict generations nothing of them is left. */
static void generations_begin_where_the_stream_says(void **state) {
    (void)state;
    Stream s = new_game();
    ReplayCounts by_run[2][8], sum;
    for (unsigned strict = 0; strict < 2; strict++) {
        TabiaTable *t = new_table((TabiaOptions){.bytes = 1 << 20, .strict_generations = strict});
        assert_true(replay_run(&s, t, &(ReplayOptions){0}, &sum, by_run[strict], NULL));
        TabiaInfo info;
        tabia_table_info(t, &info);
        assert_int_equal(info.generation, 3);
        assert_true_total(&s, &sum);
        tabia_table_destroy(t);
    }
    /* Perft 3 after 1. e4 lies in perft 4 before it. */
    assert_int_equal(by_run[0][2].walked, 0);
    assert_true(by_run[1][2].walked > 0);
    stream_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_gives_the_total), cmocka_unit_test(parts_give_the_total),
        cmocka_unit_test(one_thread_repeats_itself),  cmocka_unit_test(an_ample_table_walks_each_node_once),
        cmocka_unit_test(a_lying_table_is_found_out), cmocka_unit_test(other_paths_are_refused),
        cmocka_unit_test(another_depth_is_no_hit),    cmocka_unit_test(generations_begin_where_the_stream_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
