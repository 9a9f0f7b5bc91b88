/* SPDX-License-Identifier: MIT */
/*
 * Files that appear under their names when they are whole, and not before: they are written beside the name and put in
 * its place at the end, so that a reader never sees half of one, and a full disk leaves the old one. One thread.
 */
#pragma once
#include <stdio.h>

#include "error.h"

typedef struct {
    const char *file_name; /* the caller's */
    char *part;            /* its name until then */
    FILE *out;
} AtomicFile;

/* May a file be put in the place of what is there: nothing, or a file? Not of a device, a pipe or a folder, which would
   be gone (a plot to /dev/null once replaced it). */
bool tabia_is_replaceable(const char *file_name);

/* Could a file be written there now? For work that is long before it writes. Leaves nothing; false with an error. */
bool tabia_atomic_file_possible(const char *file_name, TabiaError *error);

/* Opens *w for writing; file_name must outlive it. NULL with an error, and nothing to end. */
FILE *tabia_atomic_file_begin(AtomicFile *w, const char *file_name, TabiaError *error);

/* Ends *w: if good, and if all was written, it is carried to the disk and appears; otherwise nothing is left of it.
   False with an error in the second case. */
bool tabia_atomic_file_commit(AtomicFile *w, bool good, TabiaError *error);
