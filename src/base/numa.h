/* SPDX-License-Identifier: MIT */
/*
 * Memory nodes (NUMA): processors reach the memory of their own node sooner than that of the others. Memory that all
 * processors read at random is best spread over all nodes evenly. By the kernel's calls alone, without a library; where
 * the kernel or a container has no such calls, there is one node.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Has the pages of that memory, not yet touched, taken from all nodes in turn. The number of nodes: 1 when there is
   only one, or when the system refuses, and then nothing has changed. `at` is the start of a page. */
unsigned tabia_numa_interleave(void *at, size_t bytes);

enum { NUMA_NODES_MAX = 1024 };

/* Marks in used[] the nodes on which the touched pages of that memory really lie. Reads /proc/self/numa_maps; without
   that file nothing is marked. */
void tabia_numa_find(const void *at, size_t bytes, bool used[NUMA_NODES_MAX]);

/* How many are marked, at least 1: memory lies somewhere. */
unsigned tabia_numa_count(const bool used[NUMA_NODES_MAX]);

/* Marks the nodes that a line of numa_maps lists ("N0=12 N3=7"). */
void tabia_numa_set_bits(const char *line, bool used[NUMA_NODES_MAX]);
