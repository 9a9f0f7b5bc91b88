/* SPDX-License-Identifier: MIT */
/*
 * Files that appear under their names when they are whole, and not before: they are written beside the name and put in
 * its place at the end, so that a reader never sees half of one, and a full disk or a power cut leaves the old one. One thread.
 */
#pragma once
#include <stdio.h>

#include "error.h"

/* A new file in the folder of file_name, which is to take its place. Its writer holds a lock on it: those there that no
   writer holds are removed, which is reported on standard error. */
typedef struct {
    char *name; /* NULL: none */
    int file;
} FilePart;

/* False with an error, and nothing to end. */
bool tabia_part_open(FilePart *part, const char *file_name, TabiaError *error);

/* Puts a part that was synced in the place of file_name, and waits for that. False with errno set. */
bool tabia_part_publish(FilePart *part, const char *file_name);

/* Closes it, and removes it if it was not published. */
void tabia_part_close(FilePart *part);

typedef struct {
    const char *file_name; /* the caller's */
    FilePart part;
    FILE *out; /* memory, until the end */
    char *bytes;
    size_t size;
} AtomicFile;

/* May a file be put in the place of what is there: nothing, or a file? Not of a device, a pipe or a folder, which would
   be gone (a plot to /dev/null once replaced it). */
bool tabia_is_replaceable(const char *file_name);

/* Could a file be written there now? For work that is long before it writes. Leaves nothing; false with an error. */
bool tabia_atomic_file_possible(const char *file_name, TabiaError *error);

/* Opens *w for writing, which stays where it is; file_name must outlive it. NULL with an error, and nothing to end. */
FILE *tabia_atomic_file_begin(AtomicFile *w, const char *file_name, TabiaError *error);

/* Ends *w: if good, and if all was written, it is carried to the disk and appears; otherwise nothing is left of it.
   False with an error in the second case. */
bool tabia_atomic_file_commit(AtomicFile *w, bool good, TabiaError *error);
