/* SPDX-License-Identifier: MIT */
/*
 * What a search tells before its answer: wherever it is stopped, the last lines are of one depth, in order, each with a
 * move of its own; nothing is reported twice; and depth 1 is finished.
 */
#include "search_tools.h"
#include <time.h>

static const char *const positions[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "7k/8/8/8/8/8/r7/K7 w - - 0 1", /* one legal move */
};
enum { POSITIONS = sizeof positions / sizeof *positions, REPORTS_MAX = 1024 };

typedef struct {
    int depth, score;
    TabiaBound bound;
    unsigned number;
    Move first;
} Report;

typedef struct {
    Report reported[REPORTS_MAX];
    unsigned n, answers;
    Move best;
} Heard;

static void hear_report(void *heard, const SearchReport *r) {
    Heard *h = heard;
    assert_true(h->n < REPORTS_MAX && r->pv_length > 0);
    h->reported[h->n++] = (Report){r->depth, r->score, r->bound, r->number, r->pv[0]};
}

static void hear_best(void *heard, Move best, Move ponder) {
    (void)ponder;
    Heard *h = heard;
    h->best = best, h->answers++;
}

static Search *make_search(unsigned threads) {
    return new_search((SearchSettings){.threads = threads, .path_key = PATH_KEY_FIFTY_COUNT});
}

static void set_position(Search *s, const char *fen) {
    search_clear(s);
    search_from(s, fen);
}

static Heard *hear(Search *s, const char *fen, SearchLimits limits) {
    static Heard h;
    h.n = h.answers = 0;
    const SearchListener listener = {.context = &h, .report = hear_report, .best = hear_best};
    set_position(s, fen);
    search_start(s, &limits, &listener);
    search_wait(s);
    assert_int_equal(h.answers, 1);
    return &h;
}

/* The last reports, one a line: of one depth, 1, 2, ... with different moves, of which the first is the answer. */
static void check_last_lines(const Heard *h, unsigned n, const char *fen, uint64_t nodes) {
    assert_true(h->n >= n);
    const Report *last = h->reported + h->n - n;
    if (last[0].first != h->best) fail_msg("%s, %ju nodes: line 1 is not the answer", fen, (uintmax_t)nodes);
    for (unsigned i = 0; i < n; i++) {
        if (last[i].number != i + 1 || last[i].depth != last[0].depth)
            fail_msg("%s, %ju nodes: place %u of the last %u has line %u at depth %d, line %u at depth %d before it",
                     fen, (uintmax_t)nodes, i + 1, n, last[i].number, last[i].depth, last[0].number, last[0].depth);
        for (unsigned j = 0; j < i; j++)
            if (last[i].first == last[j].first) fail_msg("%s, %ju nodes: a move in two lines", fen, (uintmax_t)nodes);
    }
}

static void several_lines_are_reported_again(void **state) {
    Search *s = make_search(1);
    for (unsigned multi_pv = 2; multi_pv <= 5; multi_pv++)
        for (int i = 0; i < POSITIONS; i++)
            for (uint64_t n = 1; n < 9000; n += 1 + n / 8) {
                const Heard *h = hear(s, positions[i], (SearchLimits){.nodes = n, .multi_pv = multi_pv});
                check_last_lines(h, search_result_count(s), positions[i], n);
            }
    search_destroy(s);
}

/* A search that comes to its end has reported each line of each depth once. */
static void nothing_is_reported_twice(void **state) {
    Search *s = make_search(1);
    for (unsigned multi_pv = 1; multi_pv <= 3; multi_pv++)
        for (int i = 0; i < POSITIONS; i++) {
            const Heard *h = hear(s, positions[i], (SearchLimits){.depth = 6, .multi_pv = multi_pv});
            for (unsigned j = 1; j < h->n; j++)
                for (unsigned k = 0; k < j; k++)
                    if (h->reported[j].depth == h->reported[k].depth && h->reported[j].number == h->reported[k].number)
                        fail_msg("%s: line %u of depth %d is reported twice", positions[i], h->reported[j].number,
                                 h->reported[j].depth);
            assert_int_equal(h->n, 6 * search_result_count(s));
            check_last_lines(h, search_result_count(s), positions[i], 0);
        }
    search_destroy(s);
}

static uint64_t nodes_of_depth_1(Search *s, const char *fen) {
    hear(s, fen, (SearchLimits){.depth = 1});
    return search_nodes(s);
}

/* A stop comes before the search has begun, or soon after. */
static void stop_at_once(Search *s, const char *fen) {
    set_position(s, fen);
    search_start(s, &(SearchLimits){.infinite = true}, &(SearchListener){0});
    search_stop(s);
    search_wait(s);
}

/* Whatever ends the search. With two threads the nodes of depth 1 are not always as many. */
static void depth_1_is_finished(void **state) {
    for (unsigned threads = 1; threads <= 2; threads++) {
        Search *s = make_search(threads);
        for (int i = 0; i < POSITIONS; i++) {
            const uint64_t nodes = threads == 1 ? nodes_of_depth_1(s, positions[i]) : 1;
            const Heard *h = hear(s, positions[i], (SearchLimits){.nodes = 1});
            if (search_nodes(s) < nodes) fail_msg("%s: %ju nodes", positions[i], (uintmax_t)search_nodes(s));
            assert_true(threads == 1 ? h->reported[h->n - 1].depth == 1 : h->reported[h->n - 1].depth >= 1);
            stop_at_once(s, positions[i]);
            if (search_nodes(s) < nodes) fail_msg("%s: %ju nodes", positions[i], (uintmax_t)search_nodes(s));
            assert_true(search_result(s, 0).depth >= 1);
        }
        search_destroy(s);
    }
}

typedef struct {
    unsigned n, firsts, wrong; /* moves, those that are the first of an iteration, those out of order */
    int depth;
    unsigned number;
} MovesHeard;

static void hear_move(void *heard, const SearchMoveReport *r) {
    MovesHeard *h = heard;
    h->n++, h->firsts += r->number == 1;
    h->wrong += !r->move || r->depth < h->depth || (r->number != 1 && r->number <= h->number);
    h->depth = r->depth, h->number = r->number;
}

/* From the time on that was set; in order; 20 moves of the start position are looked at on each of 6 depths. */
static void root_moves_are_reported(void **state) {
    for (unsigned threads = 1; threads <= 2; threads++)
        for (int64_t after = 0; after < INT32_MAX; after += INT32_MAX) {
            MovesHeard h = {0};
            Search *s = make_search(threads);
            set_position(s, positions[0]);
            search_start(s, &(SearchLimits){.depth = 6},
                         &(SearchListener){.context = &h, .move = hear_move, .move_after = after});
            search_wait(s);
            assert_int_equal(h.wrong, 0);
            if (after) assert_int_equal(h.n, 0);
            if (!after && threads == 1) assert_true(h.n >= 6 * 20 && h.firsts >= 6 && h.depth == 6);
            search_destroy(s);
        }
}

/* Whoever is there first ends the search, and has the word. */
static void a_depth_is_reached_by_any_thread(void **state) {
    const Position p = parsed("r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7");
    for (unsigned threads = 1; threads <= 4; threads++)
        for (SmpMode smp_mode = 0; smp_mode < SMP_MODES; smp_mode++) {
            Search *s = new_search((SearchSettings){.threads = threads, .smp_mode = smp_mode});
            for (int depth = 1; depth <= 7; depth++) {
                search_clear(s);
                search_set_position(s, &p, NULL, 0);
                search_run(s, &(SearchLimits){.depth = depth});
                const SearchResult answer = search_result(s, 0);
                assert_int_equal(answer.depth, depth);
                assert_true(game_is_legal(&p, answer.move));
            }
            search_destroy(s);
        }
}

/* ---- settings ---- */

/* What a search is asked to change between searches, and how far its threads go. */

/* Another name at the place where the first one stood is another table. */
static void knows_a_new_name(void **state) {
    char name[64], other[64], path[96];
    snprintf(name, sizeof name, "test-configure-%d-a", (int)getpid());
    snprintf(other, sizeof other, "test-configure-%d-b", (int)getpid());
    SearchSettings settings = {.hash_bytes = 1 << 20, .threads = 1, .table_name = name};
    Search *s = new_search(settings);
    const TabiaTable *first = search_table(s);
    assert_true(search_configure(s, &settings, NULL));
    assert_ptr_equal(search_table(s), first); /* nothing has changed */
    snprintf(name, sizeof name, "%s", other);
    assert_true(search_configure(s, &settings, NULL));
    assert_ptr_not_equal(search_table(s), first);
    snprintf(path, sizeof path, "/dev/shm/tabia-%s", other);
    assert_int_equal(access(path, R_OK), 0);
    search_destroy(s);
}

/* A thread that has reached the depth waits for word too. Few moves, so that one more ply would be there at once. */
static void stays_at_the_depth(void **state) {
    const SearchSettings settings = {.hash_bytes = 1 << 20, .threads = 3};
    const SearchLimits limits[] = {{.depth = 4, .infinite = true}, {.depth = 4, .ponder = true}};
    const SearchListener nobody = {0};
    const struct timespec while_threads_run = {.tv_nsec = 100000000};
    Search *s = new_search(settings);
    for (int i = 0; i < 2; i++) {
        search_from(s, "8/8/1p2k1p1/3p1p1p/1P1P1P1P/2K3P1/8/8 w - - 0 45");
        search_start(s, &limits[i], &nobody);
        nanosleep(&while_threads_run, NULL);
        search_stop(s);
        search_wait(s);
        assert_true(search_result(s, 0).depth <= 4);
    }
    search_destroy(s);
}

#include "test_search_result_list.h"
