/* SPDX-License-Identifier: MIT */
/* Training data for tests: positions of random games, labelled by their material, and files beside them. */
#pragma once
#include "random_games.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "data/writer.h"
#include "train/train.h"

static inline void *aligned(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(p);
    return memset(p, 0, (bytes + 63) / 64 * 64);
}

/* ---- files ---- */

typedef struct {
    char folder[64], path[4][96];
} TrainFolder;

static inline TrainFolder make_train_folder(void) {
    TrainFolder f;
    strcpy(f.folder, "/dev/shm/tabia-test-XXXXXX");
    if (!mkdtemp(f.folder)) {
        strcpy(f.folder, "/tmp/tabia-test-XXXXXX");
        assert_non_null(mkdtemp(f.folder));
    }
    return f;
}

/* A name in the folder; `turn` of four may be used at a time. */
static inline const char *in_folder(TrainFolder *f, int turn, const char *name) {
    snprintf(f->path[turn], sizeof f->path[turn], "%s/%s", f->folder, name);
    return f->path[turn];
}

static inline void remove_train_folder(const TrainFolder *f) {
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", f->folder);
    assert_int_equal(system(command), 0);
}

/* A whole file, which the caller frees. */
static inline char *read_all(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s is missing", path);
    char *all = NULL;
    FILE *out = open_memstream(&all, bytes);
    for (int c; (c = getc(file)) != EOF;) putc(c, out);
    fclose(file), fclose(out);
    return all;
}

static inline bool same_files(const char *a, const char *b) {
    size_t n, m;
    char *first = read_all(a, &n), *second = read_all(b, &m);
    const bool same = n == m && !memcmp(first, second, n);
    free(first), free(second);
    return same;
}

/* ---- data ---- */

static inline int material_score(const Position *p) {
    static const int piece_values[] = {100, 300, 300, 500, 900, 0};
    int score = 0;
    EACH (s, occupied(p)) {
        const int value = piece_values[piece_type_at(p, (int)s)];
        score += p->side[p->turn] & bit((int)s) ? value : -value;
    }
    return score;
}

/* With a random result that fits the score. silent: score 0 and a draw. */
typedef struct {
    DataWriter *writer;
    bool silent;
    unsigned left; /* records that are still to be written */
} LabelledWriter;

static inline void write_labelled(void *context, const Position *p, Key key) {
    LabelledWriter *w = context;
    uint64_t seed = key[0];
    const int score = w->silent ? 0 : material_score(p);
    const bool won = random_below(&seed, 1 << 20) < (1 << 20) / (1 + exp(-0.003 * score));
    const DataRecord r = {.position = *p,
                          .score = score,
                          .result = (int8_t)(w->silent ? 0
                                             : won     ? 1
                                                       : -1),
                          .starts_game = true};
    if (!w->left) return;
    w->left--;
    assert_true(data_write(w->writer, &r, NULL));
}

/* Some 48,000 records, or `most` of them. */
static inline void write_labelled_games(const char *path, bool silent, unsigned most) {
    Zobrist z;
    zobrist_init(&z, 1);
    LabelledWriter w = {
        .writer = data_writer_create_atomic(path, &data_format_bin, false, NULL), .silent = silent, .left = most};
    assert_non_null(w.writer);
    random_games(write_labelled, &w, &z);
    assert_true(data_writer_close(w.writer, 0, NULL, NULL));
}

/* A source of one file. */
typedef struct {
    const char *path;
    DataSource source;
} OneFile;

static inline DataSource *one_file(OneFile *f, const char *path) {
    f->path = path;
    f->source = (DataSource){.paths = &f->path, .path_count = 1, .format = &data_format_bin};
    return &f->source;
}

static inline void statistics_of_file(SampleStatistics *statistics, const char *path) {
    OneFile file;
    TabiaError error = {0};
    if (sample_statistics(statistics, one_file(&file, path), NULL, &error) != DATA_DONE) fail_msg("%s", error.text);
    data_source_close(&file.source);
}
