/* SPDX-License-Identifier: MIT */
/*
 * Saving and loading a full table, against writing as many bytes plainly (write and fsync) and against copying them in
 * memory, which nothing can beat. In the chosen folder, and in memory (/dev/shm) where there is such a place.
 *
 * What a file is loaded from was written just before, so the system still has it in memory: the figure is the
 * library's, not the disk's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time.h"
#include "bench_inside.h"
#include "bench_keys.h"
#include "table/table_internal.h"

enum { PLACES = 2, PATH_ROOM = 4096 };

typedef enum { COPY, WRITE, SAVE, LOAD } FileAction;

typedef struct {
    FileAction action;
    unsigned place;
} FileRow;

typedef struct {
    TabiaTable *full, *other; /* what is saved, and what is loaded into: a table of the same size */
    uint64_t bytes;
    const char *folder[PLACES];
    char path[PLACES][PATH_ROOM];
    FileRow row[BENCH_ROWS_MAX];
    bool saved[PLACES];
} Files;

static bool watch(void *context, uint64_t done, uint64_t all) {
    (void)done, (void)all;
    return bench_stopped(context);
}

/* The bytes of the table as they lie in memory; the file is removed again. */
static bool write_plainly(Bench *b, Files *f, const char *path) {
    enum { PIECE = 8 << 20 };
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    bool good = file >= 0;
    for (uint64_t done = 0; good && done < f->bytes && !bench_stopped(b);) {
        const size_t left = f->bytes - done < PIECE ? f->bytes - done : PIECE;
        const ssize_t written = write(file, f->full->base + done, left);
        good = written > 0;
        done += good ? (uint64_t)written : 0;
    }
    good = good && (b->stopped || fsync(file) == 0);
    if (!good) tabia_fail(b->error, "%s: cannot be written: %s", path, strerror(errno));
    if (file >= 0) close(file);
    return good;
}

static bool copy(Bench *b, Files *f) {
    enum { PIECE = 64 << 20 };
    for (uint64_t done = 0; done < f->bytes && !bench_stopped(b); done += PIECE)
        memcpy(f->other->base + done, f->full->base + done, f->bytes - done < PIECE ? f->bytes - done : PIECE);
    return true;
}

static bool save_or_load(Bench *b, Files *f, FileAction action, unsigned place) {
    assert((action == SAVE || action == LOAD) && place < PLACES);
    const TabiaWatch looks = {watch, b};
    if (action == LOAD) tabia_table_clear(f->other);
    const int code = action == SAVE ? tabia_table_save(f->full, f->path[place], &looks, b->error)
                                    : tabia_table_load(f->other, f->path[place], &looks, b->error);
    return !code || code == TABIA_ERROR_STOPPED;
}

/* GiB of table a second. */
static bool measure(Bench *b, void *context, unsigned row, double *figure) {
    Files *f = context;
    const FileAction action = f->row[row].action;
    const unsigned place = f->row[row].place;
    /* Something to load there must be, whichever row comes first. */
    if (action == LOAD && !f->saved[place] && !save_or_load(b, f, SAVE, place)) return false;
    const double began = tabia_clock_wall();
    const bool good = action == COPY    ? copy(b, f)
                      : action == WRITE ? write_plainly(b, f, f->path[place])
                                        : save_or_load(b, f, action, place);
    *figure = (double)f->bytes / (1 << 30) / (tabia_clock_wall() - began);
    f->saved[place] = action == SAVE || (f->saved[place] && action != WRITE);
    return good;
}

/* ---- into half the size ---- */

/* Of the entries that the full table holds, by draft: how many there are, and how many the other table holds too. */
typedef struct {
    uint64_t there[2], kept[2]; /* [1]: of the upper half of the drafts */
} Kept;

static Kept compare_contents(Bench *b, const Files *f, const TabiaTable *half) {
    enum { LOOK = 1 << 20, UPPER = 16 }; /* bench_entry gives drafts of 0 to 31 */
    Kept k = {{0, 0}, {0, 0}};
    const uint64_t span = bench_span(f->full);
    for (uint64_t i = 0; i < span; i += 16) {
        if (i % LOOK == 0 && bench_stopped(b)) break;
        const TabiaKey key = bench_key(i);
        const TabiaHit hit = tabia_entry_probe(f->full, key, 0);
        if (!hit.move_ok) continue;
        const unsigned upper = hit.entry.draft >= UPPER;
        k.there[upper]++;
        k.kept[upper] += tabia_entry_probe(half, key, 0).move_ok;
    }
    return k;
}

static bool load_half(Bench *b, Files *f, unsigned place, BenchTable *t) {
    const TabiaOptions options = {.bytes = f->bytes / 2};
    const TabiaWatch looks = {watch, b};
    TabiaTable *half = NULL;
    bool good = bench_create_table(b, &half, &options);
    if (good && !f->saved[place]) good = save_or_load(b, f, SAVE, place);
    if (good && !bench_stopped(b) && tabia_table_load(half, f->path[place], &looks, b->error) && !b->stopped)
        good = false;
    if (good && !b->stopped) {
        const Kept k = compare_contents(b, f, half);
        bench_note(t,
                   "loaded into half the size: %.1f %% of the entries kept; %.1f %% of the upper half by draft, "
                   "%.1f %% of the lower",
                   100.0 * (double)(k.kept[0] + k.kept[1]) / (double)(k.there[0] + k.there[1]),
                   100.0 * (double)k.kept[1] / (double)k.there[1], 100.0 * (double)k.kept[0] / (double)k.there[0]);
    }
    tabia_table_destroy(half);
    return good;
}

/* ---- all together ---- */

static void add_row(Files *f, BenchTable *t, FileRow row, int against, const char *name) {
    const bool in_memory = row.action == COPY;
    const unsigned number = in_memory ? bench_row(t, 0, against, "%s", name)
                                      : bench_row(t, 0, against, "%s: %s", f->folder[row.place], name);
    f->row[number] = row;
}

static const char *choose_folder(const Bench *b) {
    const char *temporary = getenv("TMPDIR");
    return b->job->folder ? b->job->folder : temporary && *temporary ? temporary : "/tmp";
}

static void make_rows(Bench *b, Files *f, BenchTable *t) {
    f->folder[0] = choose_folder(b), f->folder[1] = "/dev/shm";
    add_row(f, t, (FileRow){COPY, 0}, -1, "memcpy");
    for (unsigned p = 0; p < PLACES; p++) {
        if (p && (access(f->folder[p], W_OK) != 0 || !strcmp(f->folder[0], f->folder[p]))) continue;
        snprintf(f->path[p], PATH_ROOM, "%s/tabia-bench-%ld.table", f->folder[p], (long)getpid());
        const int write_row = (int)t->rows;
        add_row(f, t, (FileRow){WRITE, p}, 0, "write, fsync");
        add_row(f, t, (FileRow){SAVE, p}, write_row, "save");
        add_row(f, t, (FileRow){LOAD, p}, 0, "load");
    }
}

static bool make_tables(Bench *b, Files *f) {
    const TabiaOptions options = {.bytes = f->bytes};
    return bench_create_table(b, &f->full, &options) && bench_create_table(b, &f->other, &options) &&
           bench_fill(f->full, bench_threads_max(b), b->error);
}

bool bench_file(Bench *b) {
    Files *f = calloc(1, sizeof *f);
    char size[BENCH_SIZE_TEXT];
    if (!f) return tabia_fail(b->error, "no memory for the names of files");
    f->bytes = bench_affordable(b->job->bytes, 4); /* two tables, one file in memory, one half */
    BenchTable *t =
        bench_table(b, BENCH_file, "GiB/s", "Saving and loading a full table of %s", bench_size_text(f->bytes, size));
    bool good = t && make_tables(b, f);
    if (good) {
        make_rows(b, f, t);
        bench_note(t, "save against write, write and load against memcpy");
        good = load_half(b, f, 0, t) && bench_measure(b, t, false, measure, f);
    }
    for (unsigned p = 0; p < PLACES; p++)
        if (*f->path[p]) unlink(f->path[p]);
    tabia_table_destroy(f->full);
    tabia_table_destroy(f->other);
    free(t);
    free(f);
    return good;
}
