/* SPDX-License-Identifier: MIT */
/*
 * The tables are written over with garbage while two threads search on them. Half of the writing is raw bytes; the
 * other half keeps the identity that a slot carries and gives it random data, with a right check word: so garbage is
 * found under the keys of real positions, as a false hit of the signature would give it. Whatever comes
 * out, the best move, the ponder move and every line reported are legal, and scores lie where scores lie.
 */
#include "search_tools.h"

#include <sched.h>

#include "base/random.h"
#include "notation/fen.h"
#include "search/worker.h"
#include "table/table_internal.h"

enum { ROUNDS = 30, NODES = 30000, SLOTS_AT_ONCE = 256 };

static const char *const positions[] = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2K1P1/2r5/R7 b - - 96 138",
};

typedef struct {
    Search *search;
    atomic_bool end;
    uint64_t random, written;
} Spoiler;

typedef struct {
    Search *search;
    unsigned best; /* times called */
} Watched;

/* ---- writing garbage ---- */

static void spoil_raw(Spoiler *s, TabiaTable *t) {
    const uint64_t words = t->buckets * CACHE_LINE_WORDS;
    Word *word = (Word *)t->base + random_next(&s->random) % words;
    const unsigned shift = 8 * random_below(&s->random, 8);
    const uint64_t byte = (uint64_t)0xff << shift, old = atomic_load_explicit(word, memory_order_relaxed);
    atomic_store_explicit(word, (old & ~byte) | (random_next(&s->random) & byte), memory_order_relaxed);
}

/* Numbers on the edges of what a score may be, in the places of score and evaluation, more often than chance has it. */
static uint64_t garbage(Spoiler *s) {
    static const int16_t edge[] = {32767,       -32768,         SCORE_NONE, SCORE_INFINITE, -SCORE_INFINITE, SCORE_MATE,
                                   -SCORE_MATE, SCORE_MATE - 1, 20001,      SCORE_RULE,     -SCORE_RULE};
    uint64_t data = random_next(&s->random);
    const unsigned field = random_below(&s->random, 4);
    if (field == 0 || field > 2) return data;
    const uint64_t value = (uint16_t)edge[random_below(&s->random, sizeof edge / sizeof *edge)];
    return (data & ~((uint64_t)0xffff << 16 * field)) | value << 16 * field;
}

static void spoil_signed(Spoiler *s, TabiaTable *t) {
    const unsigned per_slot = t->words + 1, slots = CACHE_LINE_WORDS / per_slot;
    Word *group = (Word *)(t->base + random_next(&s->random) % t->buckets * CACHE_LINE_BYTES);
    Word *slot = group + random_below(&s->random, slots) * per_slot;
    uint64_t words[TABIA_RECORD_WORDS_MAX];
    const uint64_t identity = slot_load_words(slot, words, t->words);
    for (unsigned i = 0; i < t->words; i++) words[i] = garbage(s);
    if (identity) slot_store_words(slot, identity, words, t->words);
}

static void *spoil(void *spoiler) {
    Spoiler *s = spoiler;
    while (!atomic_load(&s->end)) {
        for (int i = 0; i < SLOTS_AT_ONCE; i++) {
            TabiaTable *t = s->search->table;
            if (random_below(&s->random, 2))
                spoil_raw(s, t);
            else
                spoil_signed(s, t);
        }
        s->written += SLOTS_AT_ONCE;
        sched_yield();
    }
    return NULL;
}

/* ---- watching the search ---- */

static void complain(const Search *s, const char *what, int number) {
    char fen[FEN_MAX];
    fen_write(search_root(s), FEN_SHREDDER, fen);
    fprintf(stderr, "%s %d at %s\n", what, number, fen);
    abort(); /* not this thread's to fail the test */
}

static void watch_report(void *watched, const SearchReport *r) {
    const Search *s = ((Watched *)watched)->search;
    if (r->score < -SCORE_MATE || r->score >= SCORE_MATE) complain(s, "a score of", r->score);
    if (r->pv_length > PLY_MAX + 1) complain(s, "a line of", (int)r->pv_length);
    Position p = *search_root(s);
    for (unsigned i = 0; i < r->pv_length; i++) {
        if (!is_legal(&p, r->pv[i])) complain(s, "an illegal move in a line, number", (int)i);
        game_make_move(&p, &p, r->pv[i]);
    }
}

static void watch_best(void *watched, Move best, Move ponder) {
    Watched *w = watched;
    Position next;
    w->best++;
    if (!is_legal(search_root(w->search), best)) complain(w->search, "an illegal best move", best);
    game_make_move(&next, search_root(w->search), best);
    if (ponder && !is_legal(&next, ponder)) complain(w->search, "an illegal ponder move", ponder);
}

static void legal_moves_from_a_spoiled_table(void **state) {
    Search *s = new_search((SearchSettings){.hash_bytes = 1 << 16, .threads = 2, .path_key = PATH_KEY_OFF});
    Spoiler spoiler = {.search = s, .random = 2};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, spoil, &spoiler), 0);
    Watched watched = {.search = s};
    const SearchListener listener = {.context = &watched, .report = watch_report, .best = watch_best};
    for (unsigned i = 0; i < ROUNDS; i++) {
        search_from(s, positions[i % (sizeof positions / sizeof *positions)]);
        const SearchLimits limits = {.nodes = NODES, .multi_pv = i % 3 + 1};
        search_start(s, &limits, &listener);
        search_wait(s);
    }
    atomic_store(&spoiler.end, true);
    pthread_join(thread, NULL);
    assert_int_equal(watched.best, ROUNDS);
    assert_true(spoiler.written > 0);
    search_destroy(s);
}

/* Numbers out of range are not handed to the search; those on the edge are. */
static void numbers_are_validated(void **state) {
    static const struct {
        int16_t score, evaluation;
        bool good_score;
        int16_t wanted;
    } cases[] = {
        {100, 50, true, 50},
        {SCORE_MATE - 1, EVALUATION_MAX, true, EVALUATION_MAX},
        {-SCORE_MATE, -EVALUATION_MAX, true, -EVALUATION_MAX},
        {SCORE_MATE, EVALUATION_MAX + 1, false, SCORE_NONE},
        {SCORE_NONE, SCORE_NONE, false, SCORE_NONE},
        {32767, -EVALUATION_MAX - 1, false, SCORE_NONE},
        {-SCORE_MATE - 1, -32768, false, SCORE_NONE},
        {-32768, 32767, false, SCORE_NONE},
    };
    Search *s = new_search((SearchSettings){.hash_bytes = 1 << 16});
    Worker *w = s->worker[0];
    const StackFrame f = {.key = {1, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const TabiaEntry e = {.score = cases[i].score, .evaluation = cases[i].evaluation, .draft = 9, .bound = 3};
        tabia_table_clear(s->table);
        tabia_entry_store(s->table, game_table_key(f.key), f.path_key, e);
        const TabiaHit hit = tt_probe(w, &f);
        assert_true(hit.move_ok);
        assert_int_equal(hit.score_ok, cases[i].good_score);
        assert_int_equal(hit.entry.evaluation, cases[i].wanted);
    }
    search_destroy(s);
}

#include "test_corrupt_list.h"
