/* SPDX-License-Identifier: MIT */
/*
 * Tables that processes share: a file in the system's shared memory, /dev/shm/tabia-NAME.
 *
 *     | header: magic, shape, generations | segments' marks |  ...  | lines, from a multiple of 2 MiB |
 *     0                             4096                from
 *
 * Who holds what. Each process that has the table holds a shared lock (flock) on the file: it goes with the process,
 * however that ends. Whoever gets the exclusive lock is alone with the file, and only such a one makes it, replaces it,
 * or removes its name. A whole file is never cut short and never made anew in place: it is removed,
 * and another is made. So what one process has mapped never vanishes under it, and a lock is worth something only while
 * the file has its name: everybody looks after locking, and begins anew if it has none.
 *
 * A file begun is marked first and gets the magic last. One that is empty, or has the mark, was left by a process that
 * was killed while it made it. One with the magic is a whole table, whatever its users were doing when they ended:
 * what a store left half done no signature fits. Any other is somebody else's and stays.
 */
#pragma once
#include "table_internal.h"

/*
 * Joins the table of that name, or makes it: t->options.name, and t has all of its shape. Sets t->named, t->memory,
 * t->base, t->segment and t->generations. Not all memory is there yet: tabia_allocate does that. On failure
 * nothing is kept: TABIA_ERROR_FOREIGN with the field that differs and both values, _MEMORY, or _SYSTEM, also when
 * another process has been making it for ten seconds.
 */
int tabia_named_open(TabiaTable *t, TabiaError *error);

/* Gives all that back; the last process removes the name. */
void tabia_named_close(TabiaTable *t);

/* Was it there before? */
bool tabia_named_joined(const Named *named);
