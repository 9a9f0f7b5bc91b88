/* SPDX-License-Identifier: MIT */
/*
 * A search on one thread is the same every time, node for node, whatever was searched before it was cleared; ended at
 * any node it has a legal answer; and two threads share all they share without a race (for the thread sanitizer).
 */
#include "search_tools.h"

#include "uci/engine.h"

static const char *const positions[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5p1p/6p1/8/8/8/r4PPP/1q2Q1K1 w - - 90 140",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
};
enum { POSITIONS = sizeof positions / sizeof *positions };

/* What a search said, as one number; and what it answered. */
typedef struct {
    Search *search;
    uint64_t said;
    unsigned reports, answers;
    Move best, ponder;
} Heard;

static void mix(Heard *h, uint64_t n) {
    h->said = (h->said ^ n) * 0x9e3779b97f4a7c15ull;
    h->said ^= h->said >> 29;
}

/* All but the clock. */
static void hear_report(void *heard, const SearchReport *r) {
    Heard *h = heard;
    mix(h, (uint64_t)r->depth << 32 | (uint32_t)r->selective_depth);
    mix(h, (uint64_t)(uint32_t)r->score << 32 | r->bound);
    mix(h, r->nodes);
    mix(h, r->hashfull);
    for (unsigned i = 0; i < r->pv_length; i++) mix(h, r->pv[i]);
    h->reports++;
}

static void hear_best(void *heard, Move best, Move ponder) {
    Heard *h = heard;
    h->best = best, h->ponder = ponder;
    h->answers++;
}

static Search *make_search(unsigned threads, SmpMode smp_mode) {
    return new_search((SearchSettings){.threads = threads, .smp_mode = smp_mode, .path_key = PATH_KEY_FIFTY_COUNT});
}

static Heard hear(Search *s, const char *fen, SearchLimits limits) {
    Heard h = {.search = s};
    const SearchListener listener = {.context = &h, .report = hear_report, .best = hear_best};
    search_from(s, fen);
    search_start(s, &limits, &listener);
    search_wait(s);
    assert_int_equal(h.answers, 1);
    mix(&h, search_nodes(s));
    mix(&h, h.best);
    mix(&h, h.ponder);
    return h;
}

static void one_thread_repeats(void **state) {
    const SearchLimits limits[] = {{.depth = 9}, {.nodes = 20000}, {.depth = 7, .multi_pv = 3}};
    Search *used = make_search(1, SMP_LAZY);
    for (size_t l = 0; l < sizeof limits / sizeof *limits; l++)
        for (int i = 0; i < POSITIONS; i++) {
            Search *fresh = make_search(1, SMP_LAZY);
            const Heard first = hear(fresh, positions[i], limits[l]);
            search_clear(used);
            const Heard again = hear(used, positions[i], limits[l]);
            assert_true(first.reports > 2);
            if (first.said != again.said) fail_msg("limits %zu: %s is searched in two ways", l, positions[i]);
            search_destroy(fresh);
        }
    search_destroy(used);
}

/* The same through the engine: ucinewgame makes it as new. The lines differ in their halfmove clocks only. */
static void newgame_forgets_all(void **state) {
    char *said = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&said, &n);
    Engine *e = engine_create(out, NULL, NULL);
    assert_non_null(e);
    uint64_t nodes[3];
    for (int i = 0; i < 3; i++) {
        fflush(out);
        const size_t from = n;
        engine_execute(e, "ucinewgame");
        engine_execute(e, "position startpos moves e2e4 e7e5 g1f3");
        engine_execute(e, "go depth 9");
        engine_wait(e);
        fflush(out);
        const char *last = said + from;
        for (const char *next; (next = strstr(last + 1, "info depth "));) last = next;
        nodes[i] = strtoull(strstr(last, " nodes ") + 7, NULL, 10);
        engine_execute(e, "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1");
        engine_execute(e, "go depth 8");
        engine_wait(e);
    }
    assert_true(nodes[0] > 1000);
    assert_int_equal(nodes[0], nodes[1]);
    assert_int_equal(nodes[0], nodes[2]);
    engine_destroy(e);
    fclose(out);
    free(said);
}

static uint64_t nodes_of_depth_1(Search *s, const char *fen) {
    search_clear(s);
    hear(s, fen, (SearchLimits){.depth = 1});
    return search_nodes(s);
}

/* Wherever the search is cut off: behind depth 1, which is always finished, at the very node. */
static void any_number_of_nodes_is_answered(void **state) {
    Search *s = make_search(1, SMP_LAZY);
    for (int i = 0; i < POSITIONS; i++) {
        const uint64_t min = nodes_of_depth_1(s, positions[i]);
        for (uint64_t n = 1; n < 4000; n += 1 + n / 40) {
            search_clear(s);
            const Heard h = hear(s, positions[i], (SearchLimits){.nodes = n});
            Position next;
            assert_true(h.reports > 0);
            assert_true(search_nodes(s) <= (n > min ? n : min) + 4); /* what needs no search is not looked at */
            assert_true(is_legal(search_root(s), h.best));
            game_make_move(&next, search_root(s), h.best);
            assert_true(!h.ponder || is_legal(&next, h.ponder));
        }
    }
    search_destroy(s);
}

static void threads_share(SmpMode smp_mode) {
    Search *s = make_search(2, smp_mode);
    for (int i = 0; i < POSITIONS; i++) {
        const Heard h = hear(s, positions[i], (SearchLimits){.nodes = 20000});
        assert_true(is_legal(search_root(s), h.best));
    }
    search_destroy(s);
}

static void two_threads_lazily(void **state) {
    threads_share(SMP_LAZY);
}

static void two_threads_at_split_points(void **state) {
    threads_share(SMP_SPLIT);
}

#include "test_repeat_list.h"
