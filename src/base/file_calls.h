/* SPDX-License-Identifier: MIT */
/*
 * The calls of the system by which files are changed: create, write by offset, sync, replace, remove. They return what POSIX
 * says and set errno. Tables need them by Windows too. The test `crash` puts a disk that loses what was not synced in their
 * place; so whatever must survive a power cut is written by them.
 */
#pragma once
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file that a path means, symbolic links followed, or the path itself where there is none yet; owned by the caller, NULL
   without memory. */
char *tabia_path_resolve(const char *path);

/* A descriptor of a new file, for writing; -1 with EEXIST if there is one of that name. */
int tabia_file_create_new(const char *path);

/* A descriptor for reading; a pipe without a writer is not waited for. */
int tabia_file_open_read(const char *path);

/* As pread and pwrite: how many bytes, 0 at the end, -1. Any thread. */
int64_t tabia_file_pread(int file, void *data, size_t bytes, uint64_t offset);
int64_t tabia_file_pwrite(int file, const void *data, size_t bytes, uint64_t offset);

/* Wishes that the system begin to carry what was written there to the disk. */
void tabia_file_begin_sync(int file, uint64_t offset, size_t bytes);

/* Waits until the disk has all of it. */
bool tabia_file_sync(int file);

/* Gives a file another name, that of the file that it replaces. */
bool tabia_file_replace(const char *from, const char *to);
bool tabia_file_remove(const char *path);

/* Waits until the disk has the names of the folder that the file is in: those of new, replaced and removed files. */
bool tabia_folder_sync(const char *path);

/* A descriptor to read and write, of a new file where there is none; the first bytes are all that is left. */
int tabia_file_open_write(const char *path);
bool tabia_file_truncate(int file, uint64_t bytes);

/* Writes all of it, or returns false with errno set. Any thread. */
static inline bool tabia_file_write_all(int file, const void *data, size_t bytes, uint64_t offset) {
    for (size_t done = 0; done < bytes;) {
        const int64_t n = tabia_file_pwrite(file, (const char *)data + done, bytes - done, offset + done);
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = ENOSPC;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

/* Is it a regular file, a folder, or neither? Its size, for which no 32 bits are enough. */
typedef enum { PATH_NONE, PATH_REGULAR, PATH_FOLDER, PATH_OTHER } PathKind;
PathKind tabia_path_kind(const char *path);
PathKind tabia_file_kind(int file, uint64_t *bytes);
