/* SPDX-License-Identifier: MIT */
#include "generate.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/threads.h"
#include "base/time.h"
#include "data/writer.h"
#include "dedupe.h"

enum { WINDOW_GAMES = 8, /* of each thread */ EMPTY_GAMES_MOST = 1000 };
static const double show_seconds = 0.2;

/* Under the lock but for what is constant or atomic. */
typedef struct {
    const Settings *s;
    const Openings *openings;
    const GenerateJob *job;
    const GenerateWatch *watch;
    TabiaTable *table;
    TabiaError *error;

    pthread_mutex_t lock;
    pthread_cond_t moved; /* the window did, or all is over */
    atomic_bool over;     /* enough, stopped or failed */
    bool failed;
    uint64_t taken; /* the next game to be begun */
    unsigned window;
    SelfGame **finished; /* [number % window], NULL: not yet */
    SelfGame **spare;    /* a stack of games to be filled */
    unsigned spares;

    DataWriter *writer;
    Dedupe *dedupe;
    GenerateState *state;
    Snapshot saved;       /* as after the last block */
    uint64_t saved_games; /* of the file, likewise */
    uint64_t in_block;    /* positions since */
    unsigned empty;       /* games without a position in a row */
    double began, shown;
} DatagenRun;

/* ---- writing, under the lock ---- */

static void end_run(DatagenRun *run) {
    atomic_store(&run->over, true);
    pthread_cond_broadcast(&run->moved);
}

static void fail(DatagenRun *run) {
    run->failed = true;
    end_run(run);
}

static Snapshot snapshot_of(const DatagenRun *run) {
    const GenerateState *state = run->state;
    return (Snapshot){state->next_game, state->positions, data_writer_stats(run->writer).bytes, state->counts};
}

/* The sidecar first: one of its two snapshots fits, whether the block comes to be or not. */
static bool save_block(DatagenRun *run) {
    const Snapshot both[2] = {run->saved, snapshot_of(run)};
    if (!run->in_block) return true;
    if (!sidecar_write(run->job->path, run->s, both, 2, false, run->error)) return false;
    if (!data_writer_flush_block(run->writer, run->state->next_game, run->error)) return false;
    run->saved = snapshot_of(run);
    run->saved_games = data_writer_stats(run->writer).games;
    run->in_block = 0;
    return true;
}

/* Was the position written before, as the format has it? From now on it was. */
static bool is_duplicate(DatagenRun *run, const DataRecord *r) {
    DataRecord room;
    return run->dedupe && data_rejection(run->s->format, r) == DATA_ACCEPT &&
           dedupe_known(run->dedupe, &data_normalized(run->s->format, r, &room)->position);
}

/* What the format made of a game's positions. */
static void count_losses(Counts *counts, const DataWriteStats *before, const DataWriteStats *after) {
    for (unsigned why = 0; why < DATA_REJECTIONS_N; why++)
        counts->unfit[why] = after->rejected[why] - before->rejected[why];
    counts->stripped = after->lost[DATA_FIELD_CASTLING] - before->lost[DATA_FIELD_CASTLING];
}

static bool write_game(DatagenRun *run, const SelfGame *g) {
    GenerateState *state = run->state;
    Counts counts = g->counts;
    const DataWriteStats before = data_writer_stats(run->writer);
    unsigned kept = 0;
    for (unsigned i = 0; i < g->n; i++) {
        if (is_duplicate(run, &g->record[i])) {
            counts.duplicate++;
            continue;
        }
        DataRecord r = g->record[i];
        r.starts_game = kept++ == 0;
        if (!data_write(run->writer, &r, run->error)) return false;
    }
    const DataWriteStats told = data_writer_stats(run->writer);
    count_losses(&counts, &before, &told);
    counts_add(&state->counts, &counts);
    state->positions = told.records;
    state->bytes = told.bytes;
    state->next_game++;
    run->in_block += told.records - before.records;
    run->empty = kept ? 0 : run->empty + 1;
    if (run->empty == EMPTY_GAMES_MOST)
        return tabia_fail(
            run->error,
            "%d games in a row had no position to write: see --eval-limit, --opening-limit, --dedupe, --filter, "
            "--write-min-ply",
            EMPTY_GAMES_MOST);
    return run->in_block < run->s->save_every || save_block(run);
}

static void show(DatagenRun *run) {
    const double now = tabia_clock_wall();
    run->state->seconds = now - run->began;
    if (!run->watch->show || now - run->shown < show_seconds) return;
    run->shown = now;
    run->watch->show(run->watch->context, run->state);
}

static void write_what_is_next(DatagenRun *run) {
    SelfGame **at;
    while (!atomic_load(&run->over) && *(at = &run->finished[run->state->next_game % run->window])) {
        SelfGame *g = *at;
        *at = NULL;
        run->spare[run->spares++] = g;
        if (!write_game(run, g)) fail(run);
        if (run->state->positions >= run->job->positions) end_run(run);
        show(run);
    }
    pthread_cond_broadcast(&run->moved);
}

/* ---- playing ---- */

static bool asked_to_stop(const DatagenRun *run) {
    return run->watch->stop && run->watch->stop(run->watch->context);
}

static bool should_stop(void *context) {
    DatagenRun *run = context;
    return atomic_load_explicit(&run->over, memory_order_relaxed) || asked_to_stop(run);
}

/* The number of a game to play and what to fill; null: there is no more. */
static SelfGame *take(DatagenRun *run, uint64_t *number) {
    SelfGame *g = NULL;
    pthread_mutex_lock(&run->lock);
    while (!atomic_load(&run->over) && run->taken >= run->state->next_game + run->window)
        pthread_cond_wait(&run->moved, &run->lock);
    if (!atomic_load(&run->over)) {
        *number = run->taken++;
        g = run->spare[--run->spares];
    }
    pthread_mutex_unlock(&run->lock);
    return g;
}

static void give(DatagenRun *run, uint64_t number, SelfGame *g, bool whole) {
    pthread_mutex_lock(&run->lock);
    if (whole)
        run->finished[number % run->window] = g;
    else
        run->spare[run->spares++] = g;
    if (!whole) end_run(run);
    write_what_is_next(run);
    pthread_mutex_unlock(&run->lock);
}

static void work(void *context, unsigned worker) {
    DatagenRun *run = context;
    TabiaError error;
    TabiaTable *table = tabia_table_share(run->table, worker);
    Search *search = selfplay_search(table, false, &error);
    if (!search) {
        pthread_mutex_lock(&run->lock);
        *run->error = error;
        fail(run);
        pthread_mutex_unlock(&run->lock);
        return;
    }
    const Player player = {.settings = run->s,
                           .openings = run->openings,
                           .search = search,
                           .table = run->s->sharing == TABIA_SHARED ? NULL : table,
                           .stop = should_stop,
                           .context = run};
    uint64_t number;
    SelfGame *g;
    while ((g = take(run, &number))) give(run, number, g, selfplay_play(&player, number, g));
    search_destroy(search);
}

/* ---- beginning and ending ---- */

static bool is_there(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && status.st_size > 0;
}

static bool open_file(DatagenRun *run) {
    const GenerateJob *job = run->job;
    DataPrefix prefix = {0};
    const bool going_on = job->resume && is_there(job->path);
    if (is_there(job->path) && !job->resume)
        return tabia_fail(run->error, "%s: exists already; --resume goes on with it", job->path);
    if (going_on && !sidecar_compare(job->path, run->s, run->error)) return false;
    run->writer = job->resume ? data_writer_resume(job->path, run->s->format, &prefix, run->error)
                              : data_writer_create_growing(job->path, run->s->format, run->error);
    if (!run->writer) return false;
    sidecar_snapshot(job->path, prefix.resume_point, &run->saved);
    if (!prefix.resume_point) run->saved = (Snapshot){0};
    run->saved.positions = prefix.records, run->saved.bytes = prefix.bytes; /* with what ends the block */
    run->saved_games = prefix.games;
    *run->state = (GenerateState){.counts = run->saved.counts,
                                  .positions = prefix.records,
                                  .bytes = prefix.bytes,
                                  .next_game = prefix.resume_point,
                                  .resumed = prefix.records};
    run->taken = prefix.resume_point;
    return (!run->dedupe || dedupe_read(run->dedupe, job->path, run->s->format, prefix.bytes, run->error)) &&
           (going_on || sidecar_write(job->path, run->s, &run->saved, 1, false, run->error));
}

static bool make_window(DatagenRun *run) {
    const unsigned all = (WINDOW_GAMES + 1) * run->job->threads;
    run->window = WINDOW_GAMES * run->job->threads;
    run->finished = calloc(run->window, sizeof *run->finished);
    run->spare = calloc(all, sizeof *run->spare);
    while (run->finished && run->spare && run->spares < all && (run->spare[run->spares] = selfplay_create(run->s)))
        run->spares++;
    return run->spares == all || tabia_fail(run->error, "no memory for the games of %u threads", run->job->threads);
}

static bool make_table(DatagenRun *run) {
    const TabiaOptions options = settings_table(run->s, run->job->threads);
    return tabia_table_create(&run->table, &options, run->error) == TABIA_OK;
}

static void let_go(DatagenRun *run) {
    for (unsigned i = 0; run->finished && i < run->window; i++) selfplay_destroy(run->finished[i]);
    while (run->spares) selfplay_destroy(run->spare[--run->spares]);
    free(run->finished);
    free(run->spare);
    dedupe_destroy(run->dedupe);
    tabia_table_destroy(run->table);
    pthread_mutex_destroy(&run->lock);
    pthread_cond_destroy(&run->moved);
}

/* The run was as long as its whole blocks are. */
static void tell_saved(DatagenRun *run) {
    run->state->positions = run->saved.positions, run->state->bytes = run->saved.bytes;
    run->state->next_game = run->saved.next_game, run->state->counts = run->saved.counts;
    run->state->file_games = run->saved_games;
}

/* What is pending becomes a block; but in a format whose blocks show in its bytes only at the end, so that a run that
   goes on makes the same blocks: then it ends with the last one. */
static GenerateEnd finish(DatagenRun *run) {
    const bool enough = run->state->positions >= run->job->positions;
    const bool drop = run->failed || (!enough && run->s->format->end_chunk);
    DataWriter *w = run->writer;
    if (drop) {
        data_writer_abort(w);
        tell_saved(run);
        if (run->failed) return GENERATE_FAILED;
    } else if (!save_block(run)) {
        data_writer_abort(w);
        return GENERATE_FAILED;
    } else if (!data_writer_close(w, run->state->next_game, NULL, run->error)) {
        return GENERATE_FAILED;
    } else {
        run->state->bytes = run->saved.bytes; /* with what ends the last game */
        run->state->file_games = run->saved_games;
    }
    if (!sidecar_write(run->job->path, run->s, &run->saved, 1, enough, run->error)) return GENERATE_FAILED;
    return enough ? GENERATE_DONE : GENERATE_STOPPED;
}

GenerateEnd generate_run(const Settings *s, const Openings *o, const GenerateJob *job, const GenerateWatch *watch,
                         GenerateState *state, TabiaError *error) {
    DatagenRun run = {.s = s, .openings = o, .job = job, .watch = watch, .state = state, .error = error};
    *state = (GenerateState){0};
    run.began = run.shown = tabia_clock_wall();
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.moved, NULL);
    if (s->dedupe) run.dedupe = dedupe_create(s->dedupe_slots, s->format, error);
    bool good = (!s->dedupe || run.dedupe) && make_window(&run) && make_table(&run) && open_file(&run);
    if (good && state->positions < job->positions) {
        run.began = run.shown = tabia_clock_wall();
        good = tabia_threads_run(job->threads, work, &run, error);
    }
    run.failed |= !good;
    state->seconds = tabia_clock_wall() - run.began;
    GenerateEnd end = GENERATE_FAILED;
    if (run.writer) end = finish(&run);
    let_go(&run);
    return end;
}
