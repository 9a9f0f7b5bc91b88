/* SPDX-License-Identifier: MIT */
/* The files of a test: in a folder of its own, in memory where the system has such a place. */
#pragma once
#include "unit.h"

#include <dirent.h>

static char folder[64];

/* A name in the folder, good until eight others have been asked for. */
static inline const char *in_folder(const char *name) {
    static char path[8][256];
    static unsigned turn;
    char whole[256];
    snprintf(whole, sizeof whole, "%s/%s", folder, name);
    for (unsigned i = 0; i < 8; i++)
        if (!strcmp(path[i], whole)) return path[i];
    turn = (turn + 1) % 8;
    return strcpy(path[turn], whole);
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

static inline int remove_folder_with_files(void **state) {
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* All of a file and a zero byte; the caller frees it. */
static inline char *read_path(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s is missing", path);
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    char *data = malloc(*bytes + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *bytes, file), *bytes);
    data[*bytes] = '\0';
    fclose(file);
    return data;
}

static inline uint8_t *read_whole(const char *name, size_t *bytes) {
    return (uint8_t *)read_path(in_folder(name), bytes);
}

static inline void write_whole(const char *name, const void *data, size_t bytes) {
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static inline bool same_files(const char *a, const char *b) {
    size_t n, m;
    char *first = read_path(a, &n), *second = read_path(b, &m);
    const bool same = n == m && !memcmp(first, second, n);
    free(first), free(second);
    return same;
}
