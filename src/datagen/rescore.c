/* SPDX-License-Identifier: MIT */
#include "rescore.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file_calls.h"
#include "base/memory.h"
#include "base/stop.h"
#include "base/system.h"
#include "base/threads.h"
#include "base/time.h"
#include "selfplay.h"
#include "sidecar.h"

/* A unit is whole games with at least UNIT_RECORDS records, but at most UNIT_RECORDS_MAX records. A block ends with the
   game of the unit that reaches BLOCK_RECORDS. */
enum { UNIT_RECORDS = 64, UNIT_RECORDS_MAX = 1024, BLOCK_RECORDS = 4096, WINDOW_UNITS_PER_THREAD = 4 };
static const double show_interval_seconds = 0.2;

typedef struct {
    DataRecord *records;
    unsigned count;
    bool ends_game; /* no record of its last game follows */
    bool is_finished;
    RescoreProgress done; /* searches, nodes and changes of this unit */
} RescoreUnit;

/* Under the lock, but for what is constant or atomic. */
typedef struct {
    const RescoreSettings *settings;
    const RescoreJob *job;
    const RescoreCallbacks *callbacks;
    RescoreProgress *progress;
    TabiaError *error;
    TabiaTable *table;
    DataWriter *writer;

    pthread_mutex_t lock;
    pthread_cond_t window_moved; /* or the run is over */
    atomic_bool over;            /* no unit is to be begun */
    DataOutcome outcome;

    RescoreUnit *unit; /* [number % window] */
    unsigned window;
    uint64_t next, written; /* units */
    DataRecord pending;     /* the first record of the next unit */
    bool has_pending, input_ended;
    uint64_t block_records, content;
    double begun_at, shown_at;
} RescoreRun;

static void end_run(RescoreRun *run, DataOutcome outcome) {
    if (run->outcome == DATA_DONE) run->outcome = outcome;
    atomic_store(&run->over, true);
    pthread_cond_broadcast(&run->window_moved);
}

/* ---- reading, under the lock ---- */

/* The next record of the input. False at its end, or when reading cannot go on. */
static bool read_record(RescoreRun *run, DataRecord *r) {
    if (run->has_pending) {
        *r = run->pending, run->has_pending = false;
        return true;
    }
    if (run->input_ended) return false;
    DataSource *source = run->job->source;
    if (data_source_next(source, r, run->error)) {
        if (data_format_is_notation(data_reader_format(source->reader))) r->skip = false; /* it gets a score */
        return true;
    }
    run->input_ended = true;
    if (source->outcome != DATA_DONE) end_run(run, source->outcome);
    return false;
}

/* False: the input has ended. */
static bool read_unit(RescoreRun *run, RescoreUnit *u) {
    DataRecord r;
    u->count = 0, u->ends_game = true, u->is_finished = false, u->done = (RescoreProgress){0};
    while (read_record(run, &r)) {
        const bool full = u->count >= UNIT_RECORDS_MAX || (u->count >= UNIT_RECORDS && r.starts_game);
        if (!full) {
            u->records[u->count++] = r;
            continue;
        }
        run->pending = r, run->has_pending = true;
        u->ends_game = r.starts_game;
        break;
    }
    return u->count && !atomic_load(&run->over);
}

/* Reads over what a former run has done. */
static bool skip_records(RescoreRun *run, uint64_t n) {
    DataRecord r;
    for (uint64_t i = 0; i < n; i++)
        if (!read_record(run, &r)) {
            if (run->outcome != DATA_DONE) return false;
            tabia_fail(run->error, "%s: has fewer records than %s was made of", run->job->source->paths[0],
                       run->job->path);
            return end_run(run, DATA_BAD_INPUT), false;
        }
    run->progress->input_records = n;
    return true;
}

/* ---- searching ---- */

static int sign(int score) {
    return (score > 0) - (score < 0);
}

static void count_change(RescoreProgress *done, int before, int after) {
    done->turned += sign(before) * sign(after) < 0;
    if (score_is_mate(after) || abs(before) >= SCORE_MATE_MIN) return;
    done->changes++, done->change_sum += (uint64_t)abs(after - before);
}

/* The game of a record so far. */
typedef struct {
    const Position *start;
    Move moves[UNIT_RECORDS_MAX];
    unsigned count;
} GameBefore;

/* Searches a record of that game. False: it was stopped. */
static bool rescore_record(RescoreRun *run, Search *search, RescoreProgress *done, DataRecord *r, const GameBefore *g) {
    const DatagenSearchLimits *l = &run->settings->search;
    const SearchLimits limits = {.depth = (int)l->depth, .nodes = l->nodes, .soft_nodes = l->soft_nodes};
    search_set_position(search, g->start, g->moves, g->count);
    search_run(search, &limits);
    if (tabia_stop_requested() || atomic_load(&run->over)) return false;
    const int score = search_result(search, 0).score;
    if (r->score != DATA_SKIP_SCORE)
        count_change(done, r->score, score);
    else
        done->unscored++;
    done->searched++, done->nodes += search_nodes(search);
    if (!extra_take_deeper_score(&r->extra, run->settings->format->fields, score)) r->score = score;
    return true;
}

/* False: it was stopped. */
static bool rescore_unit(RescoreRun *run, Search *search, TabiaTable *table, RescoreUnit *u) {
    GameBefore game = {.count = 0};
    tabia_table_wipe(table);
    search_clear(search);
    for (unsigned i = 0; i < u->count; i++) {
        DataRecord *r = &u->records[i];
        if (i == 0 || r->starts_game) {
            game.start = &r->position, game.count = 0;
        } else {
            assert(u->records[i - 1].move);
            game.moves[game.count++] = u->records[i - 1].move;
        }
        if (!r->skip && !rescore_record(run, search, &u->done, r, &game)) return false;
    }
    return true;
}

/* ---- writing, under the lock ---- */

static bool flush_block(RescoreRun *run) {
    run->block_records = 0;
    return data_writer_flush_block(run->writer, run->progress->input_records, run->error);
}

static bool write_unit(RescoreRun *run, const RescoreUnit *u) {
    RescoreProgress *p = run->progress;
    for (unsigned i = 0; i < u->count; i++)
        if (!data_write(run->writer, &u->records[i], run->error)) return false;
    p->input_records += u->count;
    p->searched += u->done.searched, p->nodes += u->done.nodes;
    p->changes += u->done.changes, p->change_sum += u->done.change_sum, p->turned += u->done.turned;
    p->unscored += u->done.unscored;
    run->block_records += u->count;
    if (run->block_records >= BLOCK_RECORDS && u->ends_game && !flush_block(run)) return false;
    p->written = data_writer_stats(run->writer);
    p->records = p->written.records;
    return true;
}

static void show(RescoreRun *run) {
    const double now = tabia_clock_wall();
    run->progress->seconds = now - run->begun_at;
    if (!run->callbacks->show || now - run->shown_at < show_interval_seconds) return;
    run->shown_at = now;
    run->callbacks->show(run->callbacks->context, run->progress);
}

static void write_finished_units(RescoreRun *run) {
    RescoreUnit *u;
    while (run->outcome != DATA_SYSTEM_ERROR && run->written < run->next &&
           (u = &run->unit[run->written % run->window])->is_finished) {
        u->is_finished = false;
        if (!write_unit(run, u)) end_run(run, DATA_SYSTEM_ERROR);
        run->written++;
        show(run);
    }
    pthread_cond_broadcast(&run->window_moved);
}

/* ---- threads ---- */

/* Waits until the window has room. NULL: no unit is left, or the run is over. */
static RescoreUnit *begin_unit(RescoreRun *run) {
    pthread_mutex_lock(&run->lock);
    while (!atomic_load(&run->over) && run->next >= run->written + run->window)
        pthread_cond_wait(&run->window_moved, &run->lock);
    RescoreUnit *u = atomic_load(&run->over) ? NULL : &run->unit[run->next % run->window];
    if (u && read_unit(run, u))
        run->next++;
    else
        u = NULL;
    pthread_mutex_unlock(&run->lock);
    return u;
}

static void end_unit(RescoreRun *run, RescoreUnit *u, bool is_finished) {
    pthread_mutex_lock(&run->lock);
    u->is_finished = is_finished;
    if (!is_finished && !atomic_load(&run->over)) end_run(run, DATA_STOPPED);
    write_finished_units(run);
    pthread_mutex_unlock(&run->lock);
}

/* A thread has no search: the run has failed, or it was stopped while the search was created. */
static void fail_to_begin(RescoreRun *run, const TabiaError *error) {
    pthread_mutex_lock(&run->lock);
    if (error->code != TABIA_ERROR_STOPPED) *run->error = *error;
    end_run(run, error->code == TABIA_ERROR_STOPPED ? DATA_STOPPED : DATA_SYSTEM_ERROR);
    pthread_mutex_unlock(&run->lock);
}

static void work(void *context, unsigned worker) {
    RescoreRun *run = context;
    TabiaError error;
    TabiaTable *table = tabia_table_partition(run->table, worker);
    const DatagenSettings by = {.evaluation = EVALUATION_NETWORK, .network = run->settings->network};
    Search *search = selfplay_search_create(&by, table, &error);
    if (!search) {
        fail_to_begin(run, &error);
        return;
    }
    for (RescoreUnit *u; (u = begin_unit(run));) end_unit(run, u, rescore_unit(run, search, table, u));
    search_destroy(search);
}

/* ---- beginning and ending ---- */

/* A checksum of all that is read, until Ctrl-C: a run resumes on the same bytes only. */
static uint64_t content_of(RescoreRun *run) {
    enum { PIECE = 1 << 28 };
    const DataSource *source = run->job->source;
    uint64_t sum = 0, bytes = 0;
    for (unsigned i = 0; i < source->path_count; i++) {
        const int file = tabia_file_open_read(source->paths[i]);
        const char *at = tabia_file_kind(file, &bytes) == PATH_REGULAR && bytes ? tabia_file_map(file, bytes) : NULL;
        for (uint64_t k = 0; at && k < bytes && !tabia_stop_requested(); k += PIECE) {
            sum = 31 * sum + tabia_checksum(at + k, bytes - k < PIECE ? bytes - k : PIECE);
            show(run);
        }
        if (at) tabia_file_unmap(at, bytes);
        if (file >= 0) close(file);
    }
    return sum;
}

/* What reproduces the file, by index: the name of each file of the input, then the settings. */
static bool setting_text(const void *context, unsigned index, SettingText *out) {
    const RescoreRun *run = context;
    const RescoreSettings *s = run->settings;
    const DataSource *source = run->job->source;
    if (index < source->path_count) {
        snprintf(out->name, sizeof out->name, "input%u", index + 1);
        return snprintf(out->value, sizeof out->value, "%.150s", source->paths[index]) > 0;
    }
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {{"depth", s->search.depth},
                  {"nodes", s->search.nodes},
                  {"soft-nodes", s->search.soft_nodes},
                  {"hash", s->hash_bytes}};
    const uint64_t network = evaluation_identity(EVALUATION_NETWORK, s->network);
    index -= source->path_count;
    snprintf(out->name, sizeof out->name, "%s",
             index < 4    ? counts[index].name
             : index == 4 ? "network"
             : index == 5 ? "format"
                          : "content");
    if (index < 4) snprintf(out->value, sizeof out->value, "%" PRIu64, counts[index].value);
    if (index == 4) snprintf(out->value, sizeof out->value, "%016" PRIX64, network);
    if (index == 5) snprintf(out->value, sizeof out->value, "%s", s->format->name);
    if (index == 6) snprintf(out->value, sizeof out->value, "%016" PRIX64, run->content);
    return index < 7;
}

/* False: as run->outcome says. */
static bool open_file(RescoreRun *run) {
    const RescoreJob *job = run->job;
    const SidecarSettings sidecar = {"tabia data rescore", setting_text, run};
    DataPrefix prefix;
    bool exists = false;
    run->outcome = DATA_BAD_INPUT;
    if (job->from_block != 1 && !sidecar_allows_run(job->path, job->resume, &sidecar, &exists, run->error))
        return false;
    run->outcome = DATA_SYSTEM_ERROR;
    run->writer = data_writer_resume(job->path, run->settings->format, job->from_block, &prefix, run->error);
    if (!run->writer) return false;
    if (!exists && !sidecar_write(job->path, &sidecar, NULL, 0, SIDECAR_RUNNING, run->error)) return false;
    run->outcome = DATA_DONE;
    run->progress->records = run->progress->resumed = prefix.records;
    return skip_records(run, prefix.resume_point);
}

static bool allocate(RescoreRun *run) {
    const unsigned threads = run->job->threads;
    TabiaOptions options = selfplay_table_options(&selfplay_table_modes, run->settings->hash_bytes * threads, threads);
    options.watch = &(TabiaWatch){.stop = tabia_stop_watch};
    run->outcome = DATA_SYSTEM_ERROR;
    run->window = WINDOW_UNITS_PER_THREAD * threads;
    run->unit = calloc(run->window, sizeof *run->unit);
    bool good = run->unit != NULL;
    for (unsigned i = 0; good && i < run->window; i++)
        good = (run->unit[i].records =
                    tabia_aligned_get(_Alignof(DataRecord), UNIT_RECORDS_MAX * sizeof(DataRecord))) != NULL;
    if (!good) return tabia_fail(run->error, "no memory for the games of %u threads", threads);
    if (tabia_table_create(&run->table, &options, run->error) == TABIA_OK) return run->outcome = DATA_DONE, true;
    if (run->error && run->error->code == TABIA_ERROR_STOPPED) run->outcome = DATA_STOPPED;
    return false;
}

static void free_run(RescoreRun *run) {
    for (unsigned i = 0; run->unit && i < run->window; i++) tabia_aligned_free(run->unit[i].records);
    free(run->unit);
    tabia_table_destroy(run->table);
    pthread_mutex_destroy(&run->lock);
    pthread_cond_destroy(&run->window_moved);
}

/* What lies behind the last block is discarded, unless all is done: a run that resumes writes the same blocks. */
static void close_file(RescoreRun *run) {
    if (!run->writer) return;
    if (run->outcome == DATA_DONE) {
        if (!data_writer_close(run->writer, run->progress->input_records, &run->progress->written, run->error))
            run->outcome = DATA_SYSTEM_ERROR;
        run->progress->records = run->progress->written.records;
    } else {
        data_writer_abort(run->writer);
    }
}

DataOutcome rescore_run(const RescoreSettings *settings, const RescoreJob *job, const RescoreCallbacks *callbacks,
                        RescoreProgress *progress, TabiaError *error) {
    RescoreRun run = {settings, job, callbacks, .progress = progress, .error = error, .outcome = DATA_STOPPED};
    assert(job->threads > 0 && settings->format && (settings->search.depth || settings->search.nodes));
    *progress = (RescoreProgress){0};
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.window_moved, NULL);
    run.begun_at = run.shown_at = tabia_clock_wall();
    run.content = content_of(&run);
    bool good = !tabia_stop_requested() && allocate(&run) && open_file(&run);
    run.begun_at = run.shown_at = tabia_clock_wall();
    if (good && !tabia_threads_run(job->threads, work, &run, error)) run.outcome = DATA_SYSTEM_ERROR;
    progress->seconds = tabia_clock_wall() - run.begun_at;
    data_source_close(job->source);
    close_file(&run);
    free_run(&run);
    return run.outcome;
}
