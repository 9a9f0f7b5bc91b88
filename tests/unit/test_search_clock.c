/* SPDX-License-Identifier: MIT */
/*
 * Searches by a clock that stands still until a test moves it: what is reported after three seconds, when a search with a clock
 * ends, and which move is expected then. Not for builds with sanitizers, which stand before the clock themselves.
 */
#define _GNU_SOURCE
#include "search_tools.h"

#include "search/worker.h"

#include <sys/syscall.h>
#include <time.h>

static _Atomic int64_t clock_ms;

int clock_gettime(clockid_t id, struct timespec *now) {
    if (id != CLOCK_MONOTONIC) return (int)syscall(SYS_clock_gettime, id, now);
    *now = (struct timespec){1000 + clock_ms / 1000, clock_ms % 1000 * 1000000};
    return 0;
}

typedef struct {
    unsigned reports, open; /* of all; whose score is a bound */
    unsigned others;        /* of another line than the first */
    unsigned pv_length;     /* of the last */
    int64_t first_report_ms;
    Move best, ponder;
} Heard;

static void hear_report(void *heard, const SearchReport *r) {
    Heard *h = heard;
    h->reports++, h->open += r->bound != TABIA_BOUND_EXACT, h->others += r->number != 1;
    h->pv_length = r->pv_length;
    if (h->first_report_ms) clock_ms = h->first_report_ms;
}

static void hear_best(void *heard, Move best, Move ponder) {
    Heard *h = heard;
    h->best = best, h->ponder = ponder;
}

static Search *search_position(const char *fen) {
    Search *s = new_search((SearchSettings){.path_key = PATH_KEY_FIFTY_COUNT});
    search_from(s, fen);
    return s;
}

static Heard hear(Search *s, SearchLimits limits, int64_t first_report_ms) {
    Heard h = {.first_report_ms = first_report_ms};
    const SearchListener listener = {.context = &h, .report = hear_report, .best = hear_best};
    clock_ms = 0;
    search_start(s, &limits, &listener);
    search_wait(s);
    return h;
}

static const char *const positions[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
};
enum { POSITIONS = sizeof positions / sizeof *positions };

/* Scores outside the window are reported as bounds, those within as exact. */
static void bounds_are_reported_after_three_seconds(void **state) {
    unsigned open = 0;
    for (unsigned i = 0; i < POSITIONS; i++) {
        Search *s = search_position(positions[i]);
        const Heard soon = hear(s, (SearchLimits){.depth = 8}, 0);
        assert_int_equal(soon.open + soon.others, 0);
        assert_int_equal(soon.reports, 8);
        search_clear(s);
        const Heard late = hear(s, (SearchLimits){.depth = 8}, 3500);
        assert_int_equal(late.others, 0);
        assert_int_equal(late.reports - late.open, 8);
        open += late.open;
        search_destroy(s);
    }
    assert_true(open > 0);
}

/* The clock moves once, after the first iteration. One and a half of the wished time is more than is spent on a move which all
   nodes belong to; 1.3 of it is less than is spent on one among many. */
static void time_goes_by_how_clear_the_move_is(void **state) {
    static const char clear[] = "k7/8/8/8/8/8/1q6/K7 w - - 0 1"; /* one legal move, all of the nodes */
    Search *s = search_position(clear);
    const SearchLimits limits = {.depth = 6, .time = {22000, 22000}};
    hear(s, limits, 1);
    const int64_t soft = s->soft_time;
    assert_in_range(soft, 500, 1000);
    hear(s, limits, soft * 3 / 2);
    assert_int_equal(search_result(s, 0).depth, 1);
    hear(s, limits, soft / 2);
    assert_int_equal(search_result(s, 0).depth, 6);
    search_destroy(s);
    s = search_position(positions[0]);
    hear(s, limits, soft * 13 / 10);
    assert_true(search_result(s, 0).depth > 1);
    hear(s, (SearchLimits){.depth = 6, .time = {22000, 22000}, .multi_pv = 2}, soft * 4);
    assert_int_equal(search_result(s, 0).depth, 1);
    search_destroy(s);
}

/* Where the line is the best move alone, the table's move after it. */
static void table_says_what_to_ponder_on(void **state) {
    unsigned short_lines = 0;
    for (unsigned i = 0; i < POSITIONS; i++) {
        Search *s = search_position(positions[i]);
        hear(s, (SearchLimits){.depth = 6}, 0);
        const Heard h = hear(s, (SearchLimits){.depth = 1}, 0);
        if (h.pv_length == 1) {
            short_lines++;
            assert_int_not_equal(h.ponder, 0);
        }
        search_destroy(s);
    }
    assert_true(short_lines > 0);
}

/* So many nodes more, or the end. */
static void await_nodes(const Search *s, uint64_t n) {
    const uint64_t from = search_nodes(s);
    while (search_nodes(s) < from + n && !s->stop) usleep(100);
}

/* Of a search without limits, which has pondered for longer than they last. */
static void times_of_ponderhit_count_from_there(void **state) {
    static const struct {
        SearchLimits limits;
        int64_t end;
    } cases[] = {{{.move_time = 1000}, 1000},
                 {{.byoyomi = 500}, 500},
                 {{.byoyomi = 500, .overhead = 100}, 400},
                 {{.time = {2000, 9000}}, 1200}};
    Search *s = search_position(positions[1]);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clock_ms = 0;
        search_start(s, &(SearchLimits){.ponder = true}, &(SearchListener){0});
        clock_ms = 100000;
        await_nodes(s, 5000);
        assert_true(search_is_pondering(s) && search_is_unbounded(s));
        search_ponderhit(s, &cases[i].limits);
        if (cases[i].limits.byoyomi) assert_int_equal(s->soft_time, cases[i].end * 1000);
        assert_false(search_is_pondering(s) || search_is_unbounded(s));
        await_nodes(s, 5000);
        assert_false(s->stop);
        clock_ms = 100000 + cases[i].end;
        search_wait(s);
    }
    search_start(s, &(SearchLimits){.ponder = true, .depth = 2}, &(SearchListener){0});
    search_ponderhit(s, NULL); /* what go said holds */
    assert_false(search_is_unbounded(s));
    search_wait(s);
    search_start(s, &(SearchLimits){.ponder = true}, &(SearchListener){0});
    search_ponderhit(s, NULL);
    assert_true(search_is_unbounded(s));
    search_stop(s);
    search_destroy(s);
}

#include "test_search_clock_list.h"
