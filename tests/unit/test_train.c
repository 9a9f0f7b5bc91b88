/* SPDX-License-Identifier: MIT */
/* The trainer: boards say what positions do, slopes are those of the values, lessons are what the terms teach, and a
   network learns both from lessons and from scores, and goes on from where it was. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eval/network_file.h"
#include "random_games.h"
#include "train/synthetic.h"
#include "train/train.h"

static void *aligned(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(p);
    return memset(p, 0, (bytes + 63) / 64 * 64);
}

/* ---- boards ---- */

static Position men_of(const Position *p) {
    Position men = *p;
    men.castle[0] = men.castle[1] = men.ep = 0, men.halfmove = 0, men.fullmove = 1;
    return men;
}

/* The inputs by which the engine evaluates, in any order. */
static void check_board(void *context, const Position *p, Key key) {
    (void)context, (void)key;
    const Board b = board_make(p, 5, 2);
    const Position back = board_position(&b), men = men_of(p);
    assert_memory_equal(&back, &men, sizeof back);
    BoardInputs in;
    board_inputs(&b, &in);
    assert_int_equal(in.n, count(occupied(p)));
    for (int side = 0; side < 2; side++) {
        const Colour c = (Colour)(side ? !p->turn : p->turn);
        int64_t sum = 0;
        EACH (s, occupied(p))
            sum += network_feature(c, network_orientation(p, c), p->side[BLACK] & bit((int)s) ? BLACK : WHITE,
                                   kind_at(p, (int)s), (int)s);
        for (int i = 0; i < in.n; i++) sum -= in.input[side][i];
        assert_int_equal(sum, 0);
    }
}

static void boards_are_the_positions(void **state) {
    (void)state;
    Zobrist z;
    zobrist_init(&z, 1);
    random_games(check_board, NULL, &z);
}

/* ---- slopes ---- */

static Board board_of(const char *fen, int score, int result) {
    Position p;
    assert_true(fen_parse(&p, fen, NULL));
    return board_make(&p, score, result);
}

static void slopes_are_those_of_the_values(void **state) {
    (void)state;
    RealNetwork *n = aligned(sizeof *n), *slopes = aligned(sizeof *slopes);
    float *weight = (float *)n, *slope = (float *)slopes;
    uint64_t seed = 8;
    for (int i = 0; i < REAL_WEIGHTS; i++) weight[i] = ((float)random_below(&seed, 2000) - 1000) / 4000;
    const Board b = board_of("r1bqk2r/pp2bppp/2n2n2/2pp4/8/2N1PN2/PPP1BPPP/R1BQ1RK1 b kq - 0 1", 0, 1);
    Thought t;
    const float value = real_value(n, &b, &t);
    real_slopes(n, &t, 1, slopes);
    unsigned steep = 0;
    for (int i = 0; i < REAL_WEIGHTS; i += 1 + (int)random_below(&seed, 20)) {
        const float kept = weight[i], by = 1.0f / 256;
        Thought other;
        weight[i] = kept + by;
        const float up = (real_value(n, &b, &other) - value) / by;
        weight[i] = kept - by;
        const float down = (value - real_value(n, &b, &other)) / by;
        weight[i] = kept;
        const float least = up < down ? up : down, most = up < down ? down : up;
        assert_true(slope[i] >= least - 0.02f && slope[i] <= most + 0.02f);
        steep += fabsf(slope[i]) > 0.02f;
    }
    assert_true(steep > 100);
    free(n), free(slopes);
}

/* ---- lessons ---- */

static void lessons_are_what_the_terms_say(void **state) {
    (void)state;
    Evaluator *e = aligned(sizeof *e);
    evaluator_init(e, NULL, EVALUATION_TERMS);
    const Board from = board_of("r1bqk2r/pp2bppp/2n2n2/2pp4/8/2N1PN2/PPP1BPPP/R1BQ1RK1 b kq - 0 1", 0, 1);
    unsigned made = 0, moved = 0, poorer = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        Board lesson, again;
        if (!lesson_make(e, &from, seed, &lesson)) continue;
        assert_true(lesson_make(e, &from, seed, &again));
        assert_memory_equal(&lesson, &again, sizeof lesson);
        const Position p = board_position(&lesson);
        assert_false(in_check(&p));
        assert_int_equal(lesson.score, evaluate(e, &p, 0));
        made++, moved += lesson.men != from.men, poorer += count(lesson.men) < count(from.men);
    }
    assert_true(made > 1000 && moved > made / 2 && poorer > made / 10);
    free(e);
}

/* ---- learning ---- */

static void note_board(void *boards, const Position *p, Key key) {
    uint64_t seed = key[0];
    static const int worth[] = {100, 300, 300, 500, 900, 0};
    int score = 0;
    EACH (s, occupied(p)) {
        const int value = worth[kind_at(p, (int)s)];
        score += p->side[p->turn] & bit((int)s) ? value : -value;
    }
    const bool won = random_below(&seed, 1 << 20) < (1 << 20) / (1 + exp(-0.003 * score));
    assert_true(boards_add(boards, p, score, won ? 2 : 0));
}

static bool note_errors(void *context, const TrainReport *r) {
    double *errors = context;
    errors[r->epoch - 1] = r->error_aside;
    return true;
}

static double spread(const Boards *b, double k) {
    double sum = 0, square = 0;
    for (size_t i = 0; i < b->n; i++) {
        const double p = 1 / (1 + exp(-k * b->board[i].score));
        sum += p, square += p * p;
    }
    return square / (double)b->n - sum / (double)b->n * (sum / (double)b->n);
}

/* Of the second epoch, half. */
static bool stop_half_way(void *context, const TrainReport *r) {
    unsigned *asked = context;
    ++*asked;
    assert_true(r->done <= r->all);
    return r->epoch < 2 || 2 * r->done < r->all;
}

static bool note_k(void *context, const TrainReport *r) {
    *(double *)context = r->k;
    return true;
}

/* Material, from random games: nearly all of the differences are learnt, and what is written is what was learnt. */
static void a_network_learns(void **state) {
    (void)state;
    Zobrist z;
    zobrist_init(&z, 1);
    Boards boards = {0};
    random_games(note_board, &boards, &z);
    RealNetwork *n = aligned(sizeof *n);
    Network *rounded = aligned(sizeof *rounded), *back = aligned(sizeof *back);
    TrainOptions options = {.epochs = 12, .threads = 2, .rate = 0.003, .later = 1, .seed = 2};
    double errors[16] = {0}, k = 0;
    TabiaError error;
    assert_true(train_network(n, &boards, &options, note_errors, errors, &error));
    TrainOptions one = options;
    one.epochs = 1;
    train_round(rounded, n);
    assert_true(train_network(n, &boards, &one, note_k, &k, &error));
    assert_true(errors[11] < spread(&boards, k) / 10);

    char path[64];
    close(temporary_file(path));
    assert_true(train_write(rounded, path, &error) && train_read(back, path, &error));
    assert_memory_equal(back, rounded, sizeof *back);
    one.from = back, one.rate = 0.00001;
    double later[16] = {0};
    assert_true(train_network(n, &boards, &one, note_errors, later, &error));
    assert_true(later[0] < 1.2 * errors[11]);

    unsigned asked = 0;
    const size_t batches = (boards.n - 2048 * (boards.n / 2048 / 16)) / 4096;
    assert_true(train_network(n, &boards, &options, stop_half_way, &asked, &error));
    assert_true(asked > batches && asked < 2 * batches);

    assert_int_equal(truncate(path, 100), 0);
    assert_false(train_read(back, path, &error));
    remove(path);
    assert_false(train_read(back, path, &error));
    boards_free(&boards), free(n), free(rounded), free(back);
}

/* What the terms say is not what the boards' scores say: a network taught by lessons alone knows the former. */
static void lessons_are_learnt(void **state) {
    (void)state;
    Zobrist z;
    zobrist_init(&z, 1);
    Boards boards = {0}, silent = {0};
    random_games(note_board, &boards, &z);
    for (size_t i = 0; i < boards.n; i++) {
        const Position p = board_position(&boards.board[i]);
        assert_true(boards_add(&silent, &p, 0, 1));
    }
    RealNetwork *n = aligned(sizeof *n);
    const TrainOptions options = {.lesson_epochs = 6, .threads = 2, .rate = 0.003, .later = 1, .seed = 2};
    TabiaError error;
    assert_true(train_network(n, &silent, &options, NULL, NULL, &error));
    Thought t;
    double right = 0, all = 0;
    for (size_t i = 0; i < boards.n; i++) {
        if (abs(boards.board[i].score) < 400) continue;
        all++, right += (real_value(n, &boards.board[i], &t) > 0) == (boards.board[i].score > 0);
    }
    assert_true(all > 1000 && right > 0.9 * all);
    boards_free(&boards), boards_free(&silent), free(n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards_are_the_positions),
        cmocka_unit_test(slopes_are_those_of_the_values),
        cmocka_unit_test(lessons_are_what_the_terms_say),
        cmocka_unit_test(a_network_learns),
        cmocka_unit_test(lessons_are_learnt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
