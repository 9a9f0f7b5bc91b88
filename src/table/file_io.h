/* SPDX-License-Identifier: MIT */
/* Files written whole or not at all, and files read by offset. Each failure leaves a line that names the file. */
#pragma once
#include "tabia/table.h"

/* A file that comes to be: it has a name of its own beside the target until it is whole. */
typedef struct {
    char *target, *part; /* paths, owned */
    int file;            /* descriptor; -1: none */
} FileOut;

/* Begins one. The target does not exist, or is a regular file that is empty or begins with these 8 characters; a symbolic link is
   followed. */
int tabia_file_begin(FileOut *out, const char *path, const char *magic, TabiaError *error);

/* Writes at an offset, from any thread, and has the system begin to carry it to the disk. */
int tabia_file_write(const FileOut *out, const void *data, size_t bytes, uint64_t offset, TabiaError *error);

/* Makes it appear under its name, replacing what was there, once the disk has it. On failure nothing is left of it. */
int tabia_file_finish(FileOut *out, TabiaError *error);

/* Leaves nothing of it. */
void tabia_file_abandon(FileOut *out);

/* Opens a regular file for reading; its size when it was opened. */
int tabia_file_open(const char *path, int *file, uint64_t *bytes, TabiaError *error);

/* Reads exactly that much. A file that has become shorter is TABIA_ERROR_DAMAGED. Any thread. */
int tabia_file_read(int file, const char *path, void *data, size_t bytes, uint64_t offset, TabiaError *error);
