/* SPDX-License-Identifier: MIT */
/*
 * How much memory can be had. The kernel grants more than it has, and ends a process that touches what it lacks; a check
 * against this limit gives an error instead.
 *
 * The estimate is high on purpose: what can be freed counts as free, so does swap, and what the system does not report counts as
 * unlimited. What is refused here could not have worked.
 */
#pragma once
#include "error.h"
#include <stdint.h>

enum { MEMORY_LIMIT_SOURCE_MAX = 200 };

typedef struct {
    uint64_t bytes;                       /* UINT64_MAX when nothing is known */
    uint64_t swap;                        /* of these, on disk: there, but slow */
    char source[MEMORY_LIMIT_SOURCE_MAX]; /* what sets the limit: "the system", or "the control group" with its path */
} MemoryLimit;

/* The least of what the system has and what the control groups of this process (memory.max of version 2,
   memory.limit_in_bytes of version 1, of the group and of those above it) leave. root is put before every path read:
   "" for the system itself, a directory in tests. */
MemoryLimit tabia_memory_limit(const char *root);

/* The most that this process may ever have, in use or not, without swap: all memory of the machine, or what a control
   group of its own permits; UINT64_MAX when nothing is known. For defaults that do not change from run to run. */
uint64_t tabia_memory_of_process(const char *root);

/* All memory of the machine, in use or not, with swap; UINT64_MAX when nothing is known. root as above. */
uint64_t tabia_memory_of_machine(const char *root);

/* Is there room for that many bytes more, once `returned` bytes have been given back? If not, false and a line that says
   how much was asked for and how much there is. */
bool tabia_memory_check(uint64_t bytes, uint64_t returned, TabiaError *error);
