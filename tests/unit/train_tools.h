/* SPDX-License-Identifier: MIT */
/* Training data for tests: positions of random games, labelled by their material, and files beside them. */
#pragma once
#include "folder.h"
#include "random_games.h"

#include <math.h>

#include "data/writer.h"
#include "train/train.h"

static inline void *aligned(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(p);
    return memset(p, 0, (bytes + 63) / 64 * 64);
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

/* Some 48,000 records, or `max` of them. */
static inline void write_labelled_games(const char *path, bool silent, unsigned max) {
    Zobrist z;
    zobrist_init(&z, 1);
    LabelledWriter w = {
        .writer = data_writer_create_atomic(path, &data_format_bin, false, NULL), .silent = silent, .left = max};
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
    if (sample_statistics(statistics, one_file(&file, path), NULL, 0, &error) != DATA_DONE) fail_msg("%s", error.text);
    data_source_close(&file.source);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder_with_files)
