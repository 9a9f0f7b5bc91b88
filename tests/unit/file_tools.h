/* SPDX-License-Identifier: MIT */
/* Saved tables for tests: a folder in memory that must be empty again at the end. */
#pragma once
#include "move_tools.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

static char folder[64];

/* A name in the folder, good until the next call but one. */
static inline const char *name_of(const char *name) {
    static char path[2][256];
    static int turn;
    turn = 1 - turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static inline int make_folder(void **state) {
    strcpy(folder, "/dev/shm/tabia-test-XXXXXX");
    if (mkdtemp(folder)) return 0;
    strcpy(folder, "/tmp/tabia-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline unsigned files_in_folder(void) {
    DIR *dir = opendir(folder);
    unsigned n = 0;
    while (readdir(dir)) n++;
    closedir(dir);
    return n - 2;
}

/* Fails when a test has left something behind, a half-written file for example. */
static inline int remove_folder(void **state) {
    return rmdir(folder);
}

static inline void save(const TabiaTable *t, const char *name) {
    TabiaError error = {0};
    if (tabia_table_save(t, name_of(name), NULL, &error)) fail_msg("%s", error.text);
}

static inline void load(TabiaTable *t, const char *name) {
    TabiaError error = {0};
    if (tabia_table_load(t, name_of(name), NULL, &error)) fail_msg("%s", error.text);
}

/* A whole file; the caller frees it. */
static inline uint8_t *read_whole(const char *name, size_t *bytes) {
    FILE *file = fopen(name_of(name), "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(*bytes + 1);
    assert_int_equal(fread(data, 1, *bytes, file), *bytes);
    fclose(file);
    return data;
}

static inline void write_whole(const char *name, const void *data, size_t bytes) {
    FILE *file = fopen(name_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}
