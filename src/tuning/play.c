/* SPDX-License-Identifier: MIT */
#include "tuning/play.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/threads.h"
#include "fen.h"
#include "game.h"
#include "search/search.h"

enum {
    GAME_PLIES_MOST = 300,
    OPENING_PLIES = 8,
    SCORE_DECIDED = 2000,
    DECIDED_PLIES = 4,
    SCORE_QUIET = 1500,
    DRAW_PLIES = 10
};

typedef struct {
    FILE *out;
    size_t positions;
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
    int quiet_plies = 0, decided_plies = 0;
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
        decided_plies = abs(white) > SCORE_DECIDED ? decided_plies + 1 : 0;
        if (decided_plies >= DECIDED_PLIES) return white > 0 ? 2 : 0;
        quiet_plies = abs(white) < 8 ? quiet_plies + 1 : 0;
        if (p.halfmove >= 100 || is_dead_draw(&p) || (quiet_plies > DRAW_PLIES && ply > 60)) return 1;
        if (worth_keeping(&p, &answer)) game->at[game->n] = p, game->score[game->n++] = white;
        moves[ply] = answer.best;
        position_play(&p, &p, answer.best);
    }
    return 1;
}

static void write_game(Play *play, const Game *game, int result) {
    static const char *const points[] = {"0.0", "0.5", "1.0"};
    pthread_mutex_lock(&play->lock);
    for (unsigned i = 0; i < game->n; i++) {
        char fen[FEN_MAX];
        fen_write(&game->at[i], FEN_STANDARD, fen);
        if (fprintf(play->out, "%s | %d | %s\n", fen, game->score[i], points[result]) < 0)
            atomic_store(&play->failed, true);
    }
    play->positions += game->n;
    if (play->progress) play->progress(atomic_load(&play->next_game), play->positions);
    pthread_mutex_unlock(&play->lock);
}

static void work(void *context, unsigned worker) {
    Play *play = context;
    (void)worker;
    const SearchSettings settings = {.hash_bytes = 4 << 20, .pawn_bytes = 1 << 20, .threads = 1};
    Search *search = search_create(&settings, NULL);
    Game *game = aligned_alloc(_Alignof(Game), sizeof *game);
    if (!search || !game) atomic_store(&play->failed, true);
    unsigned number;
    while (!atomic_load(&play->failed) && (number = atomic_fetch_add(&play->next_game, 1)) < play->how->games) {
        uint64_t seed = play->how->seed + number;
        const int result = play_game(search, play->how, random_next(&seed), game);
        if (result >= 0) write_game(play, game, result);
    }
    free(game);
    search_destroy(search);
}

bool self_play(const SelfPlay *how, FILE *out, void (*progress)(unsigned games, size_t positions), Fault *fault) {
    Play play = {.out = out, .how = how, .progress = progress};
    pthread_mutex_init(&play.lock, NULL);
    const bool ran = tabia_threads_run(how->threads, work, &play, fault);
    pthread_mutex_destroy(&play.lock);
    if (ran && atomic_load(&play.failed)) return tabia_fault(fault, "out of memory, or the file could not be written");
    return ran;
}
