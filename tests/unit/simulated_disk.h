/* SPDX-License-Identifier: MIT */
/*
 * base/file_calls.h for tests. Each call is made, and noted; then disk_crash makes a folder hold what a disk has that lost power
 * after some of the calls. What was not synced is lost, kept or torn, each piece of 512 bytes and each change of a name by itself
 * and in any order; what was synced is there. A call can be made to fail.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Begins anew: the folder is emptied, and calls for files in it are noted until disk_stop. */
void disk_begin(const char *folder);
void disk_stop(void);

/* From here on the disk has what this number stands for; noted as a call. */
void disk_promise(unsigned value);
unsigned disk_promised(void);

/* How many calls were noted. */
unsigned disk_calls(void);

/* The call after so many fails, or this one and all behind it; -1: none. A write that fails has written its half. */
void disk_fail(int call, bool all_behind);

/* What survives of the first calls, in the folder. *torn: a piece that was not synced is neither old nor new. Returns what was
   promised. */
unsigned disk_crash(unsigned calls, uint64_t *seed, bool *torn);

/* Damages a file of the folder whose name has one of the endings: a byte, the place of a piece, or the length. */
void disk_damage(const char *const *endings, uint64_t *seed);
