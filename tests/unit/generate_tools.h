/* SPDX-License-Identifier: MIT */
/* Runs of the generator, for tests: in a folder of their own, small and quick. */
#pragma once
#include "folder.h"

#include "data/block_checksums.h"
#include "data/recognize.h"
#include "datagen/generate.h"

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
