/* SPDX-License-Identifier: MIT */
/* Questions about solved endings: that their results are those of the positions which are searched, and what is counted. */
#include "unit.h"

#include <math.h>

#include "base/random.h"
#include "lab/search/path_key_exact.h"

static const char *const names[] = {"KQK", "KPK"};
enum { NAMES = sizeof names / sizeof *names, GAMES = 200 };

/* ---- games ---- */

/* Each question by the rules: its line is legal, arrives at its position and clock, and the result is the table's there. */
static void check_question(const EndgameTables *t, const EndgameGame *g, const Question *q) {
    const QuestionLine l = question_line(g, q);
    Position p = l.start;
    for (unsigned i = 0; i < q->ply; i++) {
        const Position before = p;
        assert_true(game_is_legal(&before, l.moves[i]));
        game_make_move(&p, &before, l.moves[i]);
    }
    assert_true(position_same(&p, &g->at[q->ply]));
    assert_true(game_has_move(&p));
    assert_int_equal(p.halfmove, q->clock);
    assert_in_range(q->clock, 0, GAME_HALFMOVE_DRAW - 1);
    assert_int_equal(endgame_result(t, &p), q->expected);
}

static void questions_are_exact(void **state) {
    unsigned transposed = 0, results[3] = {0}, clocks[2] = {0};
    for (unsigned i = 0; i < GAMES; i++) {
        EndgameGame g, again;
        endgame_game(*state, names, NAMES, i, &g);
        endgame_game(*state, names, NAMES, i, &again);
        for (unsigned j = 0; j < QUESTIONS_A_GAME; j++) {
            const Question *q = &g.question[j], *r = &again.question[j];
            assert_true(q->ply == r->ply && q->clock == r->clock && q->expected == r->expected &&
                        q->transposed == r->transposed);
            check_question(*state, &g, q);
            transposed += q->transposed, results[q->expected + 1]++, clocks[q->clock >= EDGE_CLOCK]++;
        }
    }
    assert_true(transposed && results[0] && results[1] && results[2] && clocks[0] && clocks[1]);
}

/* Perfect play keeps the result at every clock, and a win comes nearer with each move. */
static void perfect_moves_keep_the_result(void **state) {
    uint64_t seed = 3;
    for (unsigned i = 0; i < 10 * GAMES; i++) {
        Position p = endgame_random(*state, names[i % NAMES], &seed), next;
        if (!game_has_move(&p)) continue;
        p.halfmove = (uint16_t)random_below(&seed, 100);
        game_make_move(&next, &p, endgame_perfect_move(*state, &p, &seed));
        assert_int_equal(-endgame_result(*state, &next), endgame_result(*state, &p));
    }
}

/* ---- what is measured ---- */

static const PathKeyForm forms[] = {PATH_KEY_OFF, PATH_KEY_FIFTY_COUNT, PATH_KEY_OFF};
enum { FORMS = sizeof forms / sizeof *forms, JUDGED = 40, PLAYOUTS = 30 };

static void measure(const EndgameTables *t, unsigned threads, PathKeyExactResult results[FORMS]) {
    const PathKeyExactRequest request = {.nodes = 400,
                                         .games = JUDGED,
                                         .playouts = PLAYOUTS,
                                         .threads = threads,
                                         .hash_bytes = 1 << 20,
                                         .endings = t,
                                         .names = names,
                                         .names_n = NAMES,
                                         .forms = forms,
                                         .forms_n = FORMS};
    unsigned judged;
    TabiaError error;
    assert_true(path_key_exact(&request, results, &judged, &error));
    assert_int_equal(judged, JUDGED);
}

/* Threads and repetition change nothing; the form does. */
static void results_are_counted(void **state) {
    PathKeyExactResult one[FORMS], many[FORMS];
    measure(*state, 1, one);
    measure(*state, 3, many);
    assert_memory_equal(one, many, sizeof one);
    assert_memory_equal(&one[0], &one[2], sizeof *one);
    assert_true(memcmp(&one[0], &one[1], sizeof *one) != 0);
    for (unsigned i = 0; i < FORMS; i++) {
        const PathKeyExactResult *f = &one[i], *first = &one[0];
        const uint64_t asked = f->asked[0] + f->asked[1] + f->asked[2];
        assert_int_equal(asked, JUDGED * (QUESTIONS_A_GAME - 1));
        assert_int_equal(f->total[EXACT_WRONG], f->wrong[0] + f->wrong[1] + f->wrong[2]);
        assert_int_equal(f->total[EXACT_WRONG] + f->better, first->total[EXACT_WRONG] + f->worse);
        assert_true(f->total[EXACT_WRONG] < asked / 2 && f->total[EXACT_MOVES] < asked);
        assert_in_range(f->total[EXACT_PLAYOUT], 1, 2 * PLAYOUTS);
        for (unsigned m = 0; m < EXACT_MEASURES; m++) {
            const PairedDifference *d = &f->against[m];
            const double games = m == EXACT_PLAYOUT ? PLAYOUTS : JUDGED;
            assert_true(fabs(d->mean - ((double)f->total[m] - (double)first->total[m]) / games) < 1e-12);
            assert_true(i == 1 && m != EXACT_PLAYOUT ? d->low < d->mean && d->mean < d->high : d->low <= d->high);
        }
    }
    assert_true(one[0].better == 0 && one[0].worse == 0 && one[1].better + one[1].worse > 0);
}

/* By hand: differences 0, 2, 0 and 2; splits of 0, 1, 5 and 10 questions. */
static void tests_are_those_of_the_books(void **state) {
    const PairedDifference d = paired_difference(4, 4, 8);
    assert_true(fabs(d.mean - 1) < 1e-9 && fabs(d.high - 1 - 1.96 / sqrt(3)) < 1e-9 && fabs(d.high + d.low - 2) < 1e-9);
    static const struct {
        uint64_t a, b;
        double p;
    } splits[] = {{0, 0, 1}, {1, 0, 1}, {0, 5, 2 / 32.0}, {5, 0, 2 / 32.0}, {1, 9, 22 / 1024.0}, {5, 5, 1}};
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++)
        assert_true(fabs(sign_test(splits[i].a, splits[i].b) - splits[i].p) < 1e-9);
}

/* Counts the calls of either kind. */
static bool stop_soon(void *context, PathKeyExactWork work, uint64_t done, uint64_t all) {
    unsigned *calls = context;
    calls[work]++;
    assert_true(done <= all);
    assert_int_equal(all, work == PATH_KEY_EXACT_CHOOSES ? 1000 : 1000 * FORMS);
    return work == PATH_KEY_EXACT_ASKS && done >= 5;
}

static bool stop_at_once(void *context, PathKeyExactWork work, uint64_t done, uint64_t all) {
    (void)context, (void)all;
    assert_true(work == PATH_KEY_EXACT_CHOOSES && done <= 3);
    return done == 3;
}

/* What all forms have finished is judged. */
static void ends_when_asked(void **state) {
    PathKeyExactResult results[FORMS];
    unsigned calls[2] = {0, 0}, judged = 9;
    TabiaError error;
    PathKeyExactRequest request = {.depth = 2,
                                   .games = 1000,
                                   .threads = 1,
                                   .hash_bytes = 1 << 20,
                                   .endings = *state,
                                   .names = names,
                                   .names_n = NAMES,
                                   .forms = forms,
                                   .forms_n = FORMS,
                                   .on_progress = stop_soon,
                                   .context = calls};
    assert_true(path_key_exact(&request, results, &judged, &error));
    assert_int_equal(judged, 1);
    assert_int_equal(results[1].asked[0] + results[1].asked[1] + results[1].asked[2], QUESTIONS_A_GAME - 1);
    assert_int_equal(calls[PATH_KEY_EXACT_CHOOSES], 1000);
    assert_int_equal(calls[PATH_KEY_EXACT_ASKS], 6); /* before each game of a form */
    request.on_progress = stop_at_once;
    assert_true(path_key_exact(&request, results, &judged, &error));
    assert_int_equal(judged, 0);
}

int main(void) {
    TabiaError error;
    EndgameTables *t = endgame_tables_create(names, NAMES, NULL, NULL, &error);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(questions_are_exact, t), cmocka_unit_test_prestate(perfect_moves_keep_the_result, t),
        cmocka_unit_test_prestate(results_are_counted, t), cmocka_unit_test_prestate(tests_are_those_of_the_books, t),
        cmocka_unit_test_prestate(ends_when_asked, t),
    };
    const int failed = t ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    endgame_tables_free(t);
    return failed;
}
