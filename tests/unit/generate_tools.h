/* SPDX-License-Identifier: MIT */
/* Runs of the generator, for tests: in a folder of their own, small and quick. */
#pragma once
#include "unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/block_checksums.h"
#include "data/recognize.h"
#include "datagen/generate.h"

static inline void folder_make(char folder[64]) {
    strcpy(folder, access("/dev/shm", W_OK) ? "/tmp/tabia-gen-XXXXXX" : "/dev/shm/tabia-gen-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

/* Data, sums and sidecar of "FOLDER/NAME". */
static inline void file_remove(const char *path) {
    static const char *const endings[] = {"", ".sums", ".json", ".json.part"};
    char name[256];
    for (unsigned i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        unlink(name);
    }
}

/* Shallow, with a small table: some hundred positions in some hundredths of a second. */
static inline DatagenSettings quick_settings(const DataFormat *format) {
    DatagenSettings s;
    datagen_settings_default(&s);
    s.search.depth = 2;
    s.hash_bytes = 1 << 16;
    s.output.block_positions = 60;
    s.adjudication.max_ply = 90;
    s.output.format = format;
    TabiaError error = {0};
    if (!datagen_settings_check(&s, &error)) fail_msg("%s", error.text);
    return s;
}

static inline DatagenOutcome generate_quickly(const DatagenSettings *s, const char *path, unsigned threads,
                                              uint64_t positions, bool resume, const DatagenCallbacks *callbacks,
                                              DatagenProgress *progress, TabiaError *error) {
    Openings o;
    const DatagenJob job = {.path = path, .positions = positions, .threads = threads, .resume = resume};
    const DatagenCallbacks none = {0};
    if (!openings_open(&o, s->opening.book, s->opening.start, true, NULL, error)) return DATAGEN_FAILED;
    const DatagenOutcome end = datagen_run(s, &o, &job, callbacks ? callbacks : &none, progress, error);
    openings_close(&o);
    return end;
}

/* All of a file, the caller's to free. */
static inline char *file_read(const char *path, size_t *bytes) {
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    char *at = malloc((size_t)status.st_size + 1);
    FILE *in = fopen(path, "r");
    assert_true(at && in);
    *bytes = fread(at, 1, (size_t)status.st_size, in);
    at[*bytes] = '\0';
    fclose(in);
    return at;
}

static inline void assert_same_file(const char *a, const char *b) {
    size_t n, m;
    char *x = file_read(a, &n), *y = file_read(b, &m);
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    free(x), free(y);
}
