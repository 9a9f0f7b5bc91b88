/* SPDX-License-Identifier: MIT */
#include "tuning/samples.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/threads.h"
#include "fen.h"
#include "game.h"
#include "search/search.h"

enum { GAME_PLIES_MOST = 300, OPENING_PLIES = 8, SCORE_DECIDED = 1200, SCORE_QUIET = 1500, DRAW_PLIES = 10 };

typedef struct {
    Samples *samples;
    const SelfPlay *how;
    void (*progress)(unsigned games, size_t positions);
    _Atomic unsigned next_game;
    atomic_bool failed;
    pthread_mutex_t lock;
} Play;

typedef struct {
    int score;
    Move best;
} Answer;

static void note_report(void *context, const SearchReport *r) {
    ((Answer *)context)->score = r->score;
}
static void note_best(void *context, Move best, Move ponder) {
    (void)ponder;
    ((Answer *)context)->best = best;
}

/* ---- keeping ---- */

static bool grow(void **array, size_t *room, size_t need, size_t size) {
    if (need <= *room) return true;
    const size_t more = need * 3 / 2 + 1024;
    void *bigger = realloc(*array, more * size);
    if (!bigger) return false;
    *array = bigger, *room = more;
    return true;
}

static bool keep(Samples *s, const EvaluationTrace *t, float score) {
    if (!grow((void **)&s->sample, &s->room, s->n + 1, sizeof *s->sample) ||
        !grow((void **)&s->coefficient, &s->coefficient_room, s->coefficients + WEIGHTS, sizeof *s->coefficient))
        return false;
    Sample *sample = &s->sample[s->n++];
    *sample = (Sample){.first = (uint32_t)s->coefficients,
                       .phase = (uint8_t)t->phase,
                       .scale = (uint8_t)t->scale,
                       .target_score = score};
    for (int i = 0; i < WEIGHTS; i++)
        if (t->coefficient[i]) s->coefficient[s->coefficients++] = (Coefficient){(uint16_t)i, t->coefficient[i]};
    sample->n = (uint16_t)(s->coefficients - sample->first);
    return true;
}

/* ---- one game ---- */

typedef struct {
    Position at[GAME_PLIES_MOST];
    int score[GAME_PLIES_MOST]; /* for white */
    unsigned n;
} Game;

/* A few random moves from the start; false if the game is over before it begins. */
static bool open_game(Position *p, uint64_t *seed) {
    fen_parse(p, fen_start, NULL);
    const int plies = OPENING_PLIES + (int)random_below(seed, 2);
    for (int i = 0; i < plies; i++) {
        Move list[MOVES_MAX];
        const unsigned n = moves_list(p, list);
        if (!n) return false;
        position_play(p, p, list[random_below(seed, n)]);
    }
    return moves_count(p) != 0;
}

static bool worth_keeping(const Position *p, const Answer *a) {
    return !in_check(p) && game_is_quiet(p, a->best) && abs(a->score) < SCORE_QUIET;
}

/* Plays to the end; returns white's half points, or -1 if the opening was bad. */
static int play_game(Search *search, const SelfPlay *how, uint64_t seed, Game *game) {
    Position start, p;
    Move moves[GAME_PLIES_MOST];
    game->n = 0;
    if (!open_game(&start, &seed)) return -1;
    p = start;
    search_clear(search);
    int quiet_plies = 0;
    for (unsigned ply = 0; ply < GAME_PLIES_MOST; ply++) {
        Answer answer = {0};
        const SearchLimits limits = {.nodes = how->nodes};
        const SearchListener listener = {&answer, note_report, note_best};
        search_set_position(search, &start, moves, ply);
        search_start(search, &limits, &listener);
        search_wait(search);
        const int white = p.turn == WHITE ? answer.score : -answer.score;
        if (!answer.best) return in_check(&p) ? (p.turn == WHITE ? 0 : 2) : 1;
        if (ply == 0 && abs(white) > 300) return -1;
        if (abs(white) > SCORE_DECIDED) return white > 0 ? 2 : 0;
        quiet_plies = abs(white) < 8 ? quiet_plies + 1 : 0;
        if (p.halfmove >= 100 || is_dead_draw(&p) || (quiet_plies > DRAW_PLIES && ply > 60)) return 1;
        if (worth_keeping(&p, &answer)) game->at[game->n] = p, game->score[game->n++] = white;
        moves[ply] = answer.best;
        position_play(&p, &p, answer.best);
    }
    return 1;
}

static void keep_game(Play *play, Evaluator *e, const Game *game, int result) {
    pthread_mutex_lock(&play->lock);
    for (unsigned i = 0; i < game->n; i++) {
        EvaluationTrace trace;
        evaluate_trace(e, &game->at[i], &trace);
        if (!keep(play->samples, &trace, (float)game->score[i])) {
            atomic_store(&play->failed, true);
            break;
        }
        play->samples->sample[play->samples->n - 1].result = (uint8_t)result;
    }
    if (play->progress) play->progress(atomic_load(&play->next_game), play->samples->n);
    pthread_mutex_unlock(&play->lock);
}

static void work(void *context, unsigned worker) {
    Play *play = context;
    (void)worker;
    const SearchSettings settings = {.hash_bytes = 4 << 20, .pawn_bytes = 1 << 20, .threads = 1};
    Search *search = search_create(&settings, NULL);
    Game *game = aligned_alloc(_Alignof(Game), sizeof *game);
    if (!search || !game) atomic_store(&play->failed, true);
    Evaluator e;
    if (search) evaluator_init(&e, search_zobrist(search), NULL);
    unsigned number;
    while (!atomic_load(&play->failed) && (number = atomic_fetch_add(&play->next_game, 1)) < play->how->games) {
        uint64_t seed = play->how->seed + number;
        const int result = play_game(search, play->how, random_next(&seed), game);
        if (result >= 0) keep_game(play, &e, game, result);
    }
    free(game);
    search_destroy(search);
}

bool samples_play(Samples *s, const SelfPlay *how, void (*progress)(unsigned games, size_t positions), Fault *fault) {
    *s = (Samples){0};
    Play play = {.samples = s, .how = how, .progress = progress};
    pthread_mutex_init(&play.lock, NULL);
    const bool ran = tabia_threads_run(how->threads, work, &play, fault);
    pthread_mutex_destroy(&play.lock);
    if (ran && atomic_load(&play.failed)) return tabia_fault(fault, "not enough memory for the games");
    return ran;
}

void samples_free(Samples *s) {
    free(s->sample);
    free(s->coefficient);
    *s = (Samples){0};
}
