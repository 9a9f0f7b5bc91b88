/* SPDX-License-Identifier: MIT */
#include "memory_limit.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_NAME_MAX = 4096 };

/* The sum of the numbers that follow the given words at the beginning of a file's lines; false if none does. */
static bool sum_fields(const char *path, const char *const *words, uint64_t *sum) {
    FILE *file = fopen(path, "r");
    if (!file) return false;
    char line[256], word[64];
    uint64_t number;
    bool any = false;
    *sum = 0;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%63s %" SCNu64, word, &number) != 2) continue;
        for (const char *const *w = words; *w; w++)
            if (strcmp(word, *w) == 0) *sum += number, any = true;
    }
    fclose(file);
    return any;
}

/* A file that is one number; false for "max" and for no file. */
static bool read_number(const char *path, uint64_t *number) {
    FILE *file = fopen(path, "r");
    if (!file) return false;
    const bool good = fscanf(file, "%" SCNu64, number) == 1;
    fclose(file);
    return good;
}

/* ---- the system ---- */

static void read_meminfo(MemoryLimit *lowest, const char *root) {
    static const char *const free_words[] = {"MemAvailable:", NULL};
    static const char *const swap_words[] = {"SwapFree:", NULL};
    char path[FILE_NAME_MAX];
    uint64_t kib;
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    lowest->swap = sum_fields(path, swap_words, &kib) ? kib * 1024 : 0;
    if (!sum_fields(path, free_words, &kib)) return;
    lowest->bytes = kib * 1024 + lowest->swap;
    snprintf(lowest->source, sizeof lowest->source, "the system");
}

/* ---- control groups ---- */

/* One version: where its groups are, and what its files are called. */
typedef struct {
    const char *base, *limit, *used;
    const char *freeable[4];
} CgroupVersion;

static const CgroupVersion VERSION_1 = {"/sys/fs/cgroup/memory",
                                        "memory.limit_in_bytes",
                                        "memory.usage_in_bytes",
                                        {"total_inactive_file", "total_active_file", NULL}};
static const CgroupVersion VERSION_2 = {
    "/sys/fs/cgroup", "memory.max", "memory.current", {"inactive_file", "active_file", "slab_reclaimable", NULL}};
static const CgroupVersion VERSION_2_BESIDE_1 = {"/sys/fs/cgroup/unified",
                                                 "memory.max",
                                                 "memory.current",
                                                 {"inactive_file", "active_file", "slab_reclaimable", NULL}};

static bool join_path(char path[FILE_NAME_MAX], const char *root, const char *base, const char *group,
                      const char *file) {
    const int length = snprintf(path, FILE_NAME_MAX, "%s%s%s/%s", root, base, group, file);
    return length > 0 && length < FILE_NAME_MAX;
}

/* What a group has in use. */
static uint64_t read_used(const char *root, const CgroupVersion *g, const char *group) {
    char path[FILE_NAME_MAX];
    uint64_t used, freeable;
    if (!join_path(path, root, g->base, group, g->used) || !read_number(path, &used)) return 0;
    if (!join_path(path, root, g->base, group, "memory.stat") || !sum_fields(path, g->freeable, &freeable)) return used;
    return used > freeable ? used - freeable : 0;
}

/* What is in use counts, unless all that there is was asked for. */
typedef struct {
    MemoryLimit lowest;
    bool all;
} LimitSearch;

static void apply_cgroup(LimitSearch *search, const char *root, const CgroupVersion *g, const char *group) {
    MemoryLimit *lowest = &search->lowest;
    char path[FILE_NAME_MAX];
    uint64_t limit;
    if (!join_path(path, root, g->base, group, g->limit) || !read_number(path, &limit)) return;
    const uint64_t used = search->all ? 0 : read_used(root, g, group);
    assert(lowest->swap <= lowest->bytes);
    uint64_t left = limit > used ? limit - used : 0;
    left = left < UINT64_MAX - lowest->swap ? left + lowest->swap : UINT64_MAX;
    if (left >= lowest->bytes) return;
    lowest->bytes = left;
    snprintf(lowest->source, sizeof lowest->source, "the control group %.150s (%s)", *group ? group : "/", g->limit);
}

/* The group, those above it, and the topmost, which in a container is the container's. */
static void apply_cgroup_and_parents(LimitSearch *search, const char *root, const CgroupVersion *g, const char *group) {
    char path[FILE_NAME_MAX];
    snprintf(path, sizeof path, "%s", group);
    for (;;) {
        size_t end = strlen(path);
        while (end && path[end - 1] == '/') path[--end] = '\0';
        apply_cgroup(search, root, g, path);
        if (!end) return;
        *strrchr(path, '/') = '\0';
    }
}

/* Lines are number:controllers:path; version 2 has the number 0 and names no controllers. */
static void apply_cgroup_line(LimitSearch *search, const char *root, char *line) {
    line[strcspn(line, "\n")] = '\0';
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group || group[1] != '/') return;
    *controllers++ = *group++ = '\0';
    if (!*controllers) {
        apply_cgroup_and_parents(search, root, &VERSION_2, group);
        apply_cgroup_and_parents(search, root, &VERSION_2_BESIDE_1, group);
        return;
    }
    for (char *rest, *one = strtok_r(controllers, ",", &rest); one; one = strtok_r(NULL, ",", &rest))
        if (strcmp(one, "memory") == 0) apply_cgroup_and_parents(search, root, &VERSION_1, group);
}

static void apply_cgroups(LimitSearch *search, const char *root) {
    char path[FILE_NAME_MAX], line[FILE_NAME_MAX / 2];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "r");
    if (!file) return;
    while (fgets(line, sizeof line, file)) apply_cgroup_line(search, root, line);
    fclose(file);
}

static uint64_t sum_meminfo(const char *root, const char *const *words) {
    char path[FILE_NAME_MAX];
    uint64_t kib;
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    return sum_fields(path, words, &kib) ? kib * 1024 : UINT64_MAX;
}

uint64_t tabia_memory_of_machine(const char *root) {
    static const char *const words[] = {"MemTotal:", "SwapTotal:", NULL};
    return sum_meminfo(root, words);
}

uint64_t tabia_memory_of_process(const char *root) {
    static const char *const words[] = {"MemTotal:", NULL};
    LimitSearch search = {.lowest = {.bytes = sum_meminfo(root, words)}, .all = true};
    apply_cgroups(&search, root);
    return search.lowest.bytes;
}

MemoryLimit tabia_memory_limit(const char *root) {
    LimitSearch search = {.lowest = {.bytes = UINT64_MAX, .source = "the system"}};
    read_meminfo(&search.lowest, root);
    apply_cgroups(&search, root);
    return search.lowest;
}

bool tabia_memory_check(uint64_t bytes, uint64_t returned, TabiaError *error) {
    const MemoryLimit lowest = tabia_memory_limit("");
    const uint64_t left = lowest.bytes < UINT64_MAX - returned ? lowest.bytes + returned : UINT64_MAX;
    if (bytes <= left) return true;
    const double mib = 1 << 20;
    tabia_error_set(error, TABIA_ERROR_MEMORY, "%.1f MiB of memory were asked for: %s has %.1f MiB to give",
                    (double)bytes / mib, lowest.source, (double)left / mib);
    return false;
}
