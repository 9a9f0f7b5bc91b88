/* SPDX-License-Identifier: MIT */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "numa.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* From linux/mempolicy.h, which not every system has installed. */
enum { POLICY_INTERLEAVE = 3, ASK_ALLOWED = 1 << 2 };
enum { BITS = sizeof(unsigned long) * CHAR_BIT };

unsigned tabia_numa_interleave(void *at, size_t bytes) {
#if defined(SYS_mbind) && defined(SYS_get_mempolicy)
    unsigned long allowed[NUMA_NODES_MAX / BITS] = {0};
    unsigned n = 0;
    if (syscall(SYS_get_mempolicy, NULL, allowed, (unsigned long)NUMA_NODES_MAX, NULL, (unsigned long)ASK_ALLOWED))
        return 1;
    for (unsigned i = 0; i < NUMA_NODES_MAX / BITS; i++) n += (unsigned)__builtin_popcountl(allowed[i]);
    if (n < 2) return 1;
    if (syscall(SYS_mbind, at, bytes, (unsigned long)POLICY_INTERLEAVE, allowed, (unsigned long)NUMA_NODES_MAX, 0ul))
        return 1;
    return n;
#else
    (void)at, (void)bytes;
    return 1;
#endif
}

void tabia_numa_set_bits(const char *line, bool used[NUMA_NODES_MAX]) {
    for (const char *at = strstr(line, " N"); at; at = strstr(at + 1, " N")) {
        char *end;
        const unsigned long node = strtoul(at + 2, &end, 10);
        if (end > at + 2 && *end == '=' && node < NUMA_NODES_MAX) used[node] = true;
    }
}

/* A line begins with the address where a mapping starts. */
void tabia_numa_find(const void *at, size_t bytes, bool used[NUMA_NODES_MAX]) {
    FILE *maps = fopen("/proc/self/numa_maps", "r");
    if (!maps) return;
    char line[4096];
    while (fgets(line, sizeof line, maps)) {
        const uintptr_t start = strtoul(line, NULL, 16);
        if (start >= (uintptr_t)at && start < (uintptr_t)at + bytes) tabia_numa_set_bits(line, used);
    }
    fclose(maps);
}

unsigned tabia_numa_count(const bool used[NUMA_NODES_MAX]) {
    unsigned n = 0;
    for (unsigned i = 0; i < NUMA_NODES_MAX; i++) n += used[i];
    return n ? n : 1;
}
