/* SPDX-License-Identifier: MIT */
#include "base/available.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The number after `key` at the beginning of a line; "" takes the first. False if there is none ("max"). */
static bool read_number(const char *path, const char *key, uint64_t *number) {
    FILE *file = fopen(path, "re");
    if (!file) return false;
    char line[256];
    bool found = false;
    while (!found && fgets(line, sizeof line, file))
        found = strncmp(line, key, strlen(key)) == 0 && sscanf(line + strlen(key), "%" SCNu64, number) == 1;
    fclose(file);
    return found;
}

/* The folder of this process's control group (version 2); in a container it is seen as the root. */
static bool find_group(char folder[512]) {
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (!file) return false;
    char line[400], name[400] = "";
    bool found = false;
    while (!found && fgets(line, sizeof line, file)) found = sscanf(line, "0::%399[^\n]", name) == 1;
    fclose(file);
    if (found) snprintf(folder, 512, "/sys/fs/cgroup%s", name);
    return found;
}

/* What files have brought into memory counts against the limit, but leaves when it is needed. */
static uint64_t left_of_group(void) {
    char folder[512], path[600];
    uint64_t limit, used, of_files = 0;
    if (!find_group(folder)) return UINT64_MAX;
    snprintf(path, sizeof path, "%s/memory.max", folder);
    if (!read_number(path, "", &limit)) return UINT64_MAX;
    snprintf(path, sizeof path, "%s/memory.current", folder);
    if (!read_number(path, "", &used)) return UINT64_MAX;
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    if (read_number(path, "inactive_file ", &of_files) && of_files <= used) used -= of_files;
    return used < limit ? limit - used : 0;
}

uint64_t tabia_memory_available(void) {
    uint64_t kib, left = left_of_group();
    if (!read_number("/proc/meminfo", "MemAvailable:", &kib)) return left;
    return left < kib * 1024 ? left : kib * 1024;
}
