/* SPDX-License-Identifier: MIT */
#include "generate.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/stop.h"
#include "base/threads.h"
#include "base/time.h"
#include "data/writer.h"

enum { WINDOW_GAMES_PER_THREAD = 8, EMPTY_GAMES_MAX = 1000 };
static const double show_interval_seconds = 0.2;

/* Games [next_game, next_game + size) are being played or finished. */
typedef struct {
    SelfplayGame **game; /* [number % size] */
    bool *is_finished;   /* likewise */
    unsigned size;
    uint64_t next_to_play;
} GameWindow;

/* Protected by the lock, but for what is constant or atomic. */
typedef struct {
    const DatagenSettings *settings;
    const Openings *openings;
    const DatagenJob *job;
    const DatagenCallbacks *callbacks;
    TabiaTable *table;
    TabiaError *error;

    pthread_mutex_t lock;
    pthread_cond_t window_moved; /* or the run is over */
    atomic_bool over;            /* enough positions, stopped or failed */
    bool failed, refused;
    GameWindow window;

    DataWriter *writer;
    DatagenProgress *progress;
    SidecarSettings sidecar;
    SidecarSnapshot saved;     /* after the last complete block */
    uint64_t saved_file_games; /* likewise */
    uint64_t block_records;    /* since the last complete block */
    unsigned empty_games;      /* in succession, without a record */
    double started_at, shown_at;
} DatagenRun;

/* ---- writing, under the lock ---- */

static void end_run(DatagenRun *run) {
    atomic_store(&run->over, true);
    pthread_cond_broadcast(&run->window_moved);
}

static void fail_run(DatagenRun *run) {
    run->failed = true;
    end_run(run);
}

static SidecarSnapshot snapshot_progress(const DatagenRun *run) {
    const DatagenProgress *p = run->progress;
    return (SidecarSnapshot){p->next_game, p->positions, data_writer_stats(run->writer).bytes, p->counts};
}

/* The sidecar is written first: one of its two snapshots is valid, whether the block is written or not. */
static bool write_block(DatagenRun *run) {
    const SidecarSnapshot snapshots[2] = {run->saved, snapshot_progress(run)};
    if (!run->block_records) return true;
    if (!sidecar_write(run->job->path, &run->sidecar, snapshots, 2, SIDECAR_RUNNING, run->error)) return false;
    if (!data_writer_flush_block(run->writer, run->progress->next_game, run->error)) return false;
    run->saved = snapshot_progress(run);
    run->saved_file_games = data_writer_stats(run->writer).games;
    run->block_records = 0;
    return true;
}

/* Counts the records of a game that the format rejected or stripped of a field. */
static void count_losses(DatagenCounts *counts, const DataWriteStats *before, const DataWriteStats *after) {
    for (unsigned reason = 0; reason < DATA_REJECTIONS_N; reason++)
        counts->rejected[reason] = after->rejected[reason] - before->rejected[reason];
#define COUNT_LOSS(name, FIELD, words)                                                                                 \
    counts->name = after->lost[DATA_FIELD_##FIELD] - before->lost[DATA_FIELD_##FIELD];
    DATA_COUNTED_LOSSES(COUNT_LOSS)
#undef COUNT_LOSS
}

static bool too_many_empty_games(DatagenRun *run, bool is_empty) {
    run->empty_games = is_empty ? run->empty_games + 1 : 0;
    if (run->empty_games < EMPTY_GAMES_MAX) return false;
    tabia_fail(
        run->error,
        "%d games in a row had no position to write: see --eval-limit, --opening-limit, --filter, --write-min-ply",
        EMPTY_GAMES_MAX);
    return true;
}

static bool write_game(DatagenRun *run, const SelfplayGame *g) {
    DatagenProgress *p = run->progress;
    DatagenCounts counts = g->counts;
    const DataWriteStats before = data_writer_stats(run->writer);
    for (unsigned i = 0; i < g->record_count; i++)
        if (!data_write(run->writer, &g->records[i], run->error)) return false;
    const DataWriteStats after = data_writer_stats(run->writer);
    assert(after.records >= before.records && after.records - before.records <= g->record_count);
    count_losses(&counts, &before, &after);
    datagen_counts_add(&p->counts, &counts);
    p->positions = after.records;
    p->bytes = after.bytes;
    p->next_game++;
    run->block_records += after.records - before.records;
    if (too_many_empty_games(run, !g->record_count)) return false;
    return run->block_records < run->settings->output.block_positions || write_block(run);
}

static void show_progress(DatagenRun *run) {
    const double now = tabia_clock_wall();
    run->progress->seconds = now - run->started_at;
    if (!run->callbacks->show || now - run->shown_at < show_interval_seconds) return;
    run->shown_at = now;
    run->callbacks->show(run->callbacks->context, run->progress);
}

static void write_finished_games(DatagenRun *run) {
    GameWindow *w = &run->window;
    unsigned next;
    while (!atomic_load(&run->over) && w->is_finished[next = run->progress->next_game % w->size]) {
        w->is_finished[next] = false;
        if (!write_game(run, w->game[next])) fail_run(run);
        if (run->progress->positions >= run->job->positions) end_run(run);
        show_progress(run);
    }
    pthread_cond_broadcast(&run->window_moved);
}

/* ---- playing ---- */

static bool should_stop(void *context) {
    const DatagenRun *run = context;
    return atomic_load_explicit(&run->over, memory_order_relaxed) ||
           (run->callbacks->stop && run->callbacks->stop(run->callbacks->context));
}

/* Waits until the window has room. Returns memory for the next game and its number; NULL: the run is over. */
static SelfplayGame *begin_game(DatagenRun *run, uint64_t *number) {
    GameWindow *w = &run->window;
    SelfplayGame *g = NULL;
    pthread_mutex_lock(&run->lock);
    while (!atomic_load(&run->over) && w->next_to_play >= run->progress->next_game + w->size)
        pthread_cond_wait(&run->window_moved, &run->lock);
    if (!atomic_load(&run->over)) {
        *number = w->next_to_play++;
        g = w->game[*number % w->size];
    }
    pthread_mutex_unlock(&run->lock);
    return g;
}

/* Puts a game into the window, or, if it was stopped, ends the run. */
static void end_game(DatagenRun *run, uint64_t number, bool is_finished) {
    bool *finished = &run->window.is_finished[number % run->window.size];
    pthread_mutex_lock(&run->lock);
    assert(!*finished);
    *finished = is_finished;
    if (!is_finished) end_run(run);
    write_finished_games(run);
    pthread_mutex_unlock(&run->lock);
}

/* A thread has no search: the run has failed, or it was stopped while the search was created. */
static void fail_to_begin(DatagenRun *run, const TabiaError *error) {
    pthread_mutex_lock(&run->lock);
    if (error->code == TABIA_ERROR_STOPPED) {
        end_run(run);
    } else {
        *run->error = *error;
        fail_run(run);
    }
    pthread_mutex_unlock(&run->lock);
}

static void play_games(void *context, unsigned worker) {
    DatagenRun *run = context;
    TabiaError error;
    TabiaTable *table = tabia_table_partition(run->table, worker);
    Search *search = selfplay_search_create(run->settings, table, &error);
    if (!search) {
        fail_to_begin(run, &error);
        return;
    }
    const SelfplayPlayer player = {.settings = run->settings,
                                   .openings = run->openings,
                                   .search = search,
                                   .table = table,
                                   .stop = should_stop,
                                   .context = run};
    uint64_t number;
    SelfplayGame *g;
    while ((g = begin_game(run, &number))) end_game(run, number, selfplay_play(&player, number, g));
    search_destroy(search);
}

/* ---- beginning and ending ---- */

/* Are the statistics those of the sidecar, or of data that another program wrote there? After some blocks were dropped, they are
   known no more. */
static bool has_statistics(DatagenRun *run, const DataPrefix *prefix) {
    const bool found = sidecar_read_snapshot(run->job->path, prefix->resume_point, &run->saved);
    if (!prefix->resume_point) run->saved = (SidecarSnapshot){0};
    return !prefix->blocks || run->job->from_block || (found && run->saved.positions == prefix->records) ||
           tabia_fail(run->error, "%.200s: its %ju positions are not those of its .json; --restart starts again",
                      run->job->path, (uintmax_t)prefix->records);
}

/* Continues behind the complete blocks of the file. */
static void restore_progress(DatagenRun *run, const DataPrefix *prefix) {
    /* The sidecar was written before the bytes that end the block. */
    run->saved.positions = prefix->records, run->saved.bytes = prefix->bytes;
    run->saved_file_games = prefix->games;
    *run->progress = (DatagenProgress){.counts = run->saved.counts,
                                       .positions = prefix->records,
                                       .bytes = prefix->bytes,
                                       .next_game = prefix->resume_point,
                                       .resumed = prefix->records};
    run->window.next_to_play = prefix->resume_point;
}

static bool open_file(DatagenRun *run) {
    const DatagenJob *job = run->job;
    DataPrefix prefix;
    bool exists = false;
    if (job->from_block != 1 && !sidecar_allows_run(job->path, job->resume, &run->sidecar, &exists, run->error))
        return run->refused = true, false;
    run->writer = data_writer_resume(job->path, run->settings->output.format, job->from_block, &prefix, run->error);
    if (!run->writer || !has_statistics(run, &prefix)) return false;
    restore_progress(run, &prefix);
    return exists || sidecar_write(job->path, &run->sidecar, &run->saved, 1, SIDECAR_RUNNING, run->error);
}

static bool create_window(DatagenRun *run) {
    GameWindow *w = &run->window;
    w->size = WINDOW_GAMES_PER_THREAD * run->job->threads;
    w->game = calloc(w->size, sizeof(SelfplayGame *));
    w->is_finished = calloc(w->size, sizeof *w->is_finished);
    bool good = w->game && w->is_finished;
    for (unsigned i = 0; good && i < w->size; i++)
        good = (w->game[i] = selfplay_game_create(run->settings->adjudication.max_ply)) != NULL;
    return good || tabia_fail(run->error, "no memory for the games of %u threads", run->job->threads);
}

static bool create_table(DatagenRun *run) {
    const unsigned threads = run->job->threads;
    TabiaOptions options = selfplay_table_options(&selfplay_table_modes, run->settings->hash_bytes * threads, threads);
    options.watch = &(TabiaWatch){.stop = tabia_stop_watch};
    return tabia_table_create(&run->table, &options, run->error) == TABIA_OK;
}

static void free_run(DatagenRun *run) {
    GameWindow *w = &run->window;
    for (unsigned i = 0; w->game && i < w->size; i++) selfplay_game_destroy(w->game[i]);
    free(w->game);
    free(w->is_finished);
    tabia_table_destroy(run->table);
    pthread_mutex_destroy(&run->lock);
    pthread_cond_destroy(&run->window_moved);
}

/* Discards what lies behind the last complete block. */
static void revert_to_saved(DatagenRun *run) {
    DatagenProgress *p = run->progress;
    data_writer_abort(run->writer);
    p->positions = run->saved.positions, p->bytes = run->saved.bytes;
    p->next_game = run->saved.next_game, p->counts = run->saved.counts;
    p->file_games = run->saved_file_games;
}

static bool close_file(DatagenRun *run) {
    if (!write_block(run)) {
        data_writer_abort(run->writer);
        return false;
    }
    if (!data_writer_close(run->writer, run->progress->next_game, NULL, run->error)) return false;
    run->progress->bytes = run->saved.bytes; /* including the end of the last game */
    run->progress->file_games = run->saved_file_games;
    return true;
}

/* Pending records become the last block. Where blocks show in the bytes of the file, as chunks, they are discarded if the
   run was stopped, so that a run that resumes writes the same blocks. */
static DatagenOutcome finish_file(DatagenRun *run) {
    const bool enough = run->progress->positions >= run->job->positions;
    const bool discard = run->failed || (!enough && run->settings->output.format->end_chunk);
    if (discard) revert_to_saved(run);
    if (run->failed || (!discard && !close_file(run))) return DATAGEN_FAILED;
    const SidecarState state = enough ? SIDECAR_FINISHED : SIDECAR_RUNNING;
    if (!sidecar_write(run->job->path, &run->sidecar, &run->saved, 1, state, run->error)) return DATAGEN_FAILED;
    return enough ? DATAGEN_DONE : DATAGEN_STOPPED;
}

DatagenOutcome datagen_run(const DatagenSettings *s, const Openings *o, const DatagenJob *job,
                           const DatagenCallbacks *callbacks, DatagenProgress *progress, TabiaError *error) {
    DatagenRun run = {.settings = s,
                      .openings = o,
                      .job = job,
                      .callbacks = callbacks,
                      .progress = progress,
                      .error = error,
                      .sidecar = {"tabia gensfen", datagen_setting_text, s}};
    assert(job->threads > 0 && s->output.format);
    *progress = (DatagenProgress){0};
    run.started_at = run.shown_at = tabia_clock_wall();
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.window_moved, NULL);
    bool good = create_window(&run) && create_table(&run) && open_file(&run);
    if (good && progress->positions < job->positions) {
        run.started_at = run.shown_at = tabia_clock_wall();
        good = tabia_threads_run(job->threads, play_games, &run, error);
    }
    run.failed |= !good;
    progress->seconds = tabia_clock_wall() - run.started_at;
    const DatagenOutcome outcome = run.writer ? finish_file(&run) : run.refused ? DATAGEN_REFUSED : DATAGEN_FAILED;
    free_run(&run);
    return outcome;
}
