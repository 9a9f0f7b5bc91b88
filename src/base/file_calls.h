/* SPDX-License-Identifier: MIT */
/*
 * The calls of the system that files of tables need, by POSIX or by Windows: open, read and write by offset, replace. They
 * return what POSIX says and set errno.
 */
#pragma once
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

/* Gives a closed file another name, that of the file that it replaces. */
bool tabia_file_replace(const char *from, const char *to);

/* Is it a regular file, a folder, or neither? Its size, for which no 32 bits are enough. */
typedef enum { PATH_NONE, PATH_REGULAR, PATH_FOLDER, PATH_OTHER } PathKind;
PathKind tabia_path_kind(const char *path);
PathKind tabia_file_kind(int file, uint64_t *bytes);
