/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT 26
#endif

static const uint64_t MIB = 1 << 20;

static uint64_t round_up(uint64_t n, uint64_t multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

/* Reserved huge pages of 2^shift bytes, if the system has enough and rounding up to whole ones wastes little. */
static bool get_reserved(Memory *m, uint64_t bytes, int shift) {
    uint64_t page = (uint64_t)1 << shift;
    uint64_t whole = round_up(bytes, page);
    if (whole - bytes > bytes / 8) return false;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | shift << MAP_HUGE_SHIFT;
    void *at = mmap(NULL, whole, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at == MAP_FAILED) return false;
    *m =
        (Memory){.at = at, .bytes = bytes, .page_bytes = page, .reserved = true, .mapping = at, .mapping_bytes = whole};
    return true;
}

/* Address space first, without a right to it and with two huge pages to spare; then the aligned middle becomes memory.
   What is left at both ends stays out of bounds: a wild store faults, and the kernel never merges the middle with its
   neighbours, so that smaps speaks of it alone. */
static bool get_transparent(Memory *m, uint64_t bytes) {
    uint64_t page = 2 * MIB;
    uint64_t whole = round_up(bytes, page);
    uint64_t mapping_bytes = whole + 2 * page;
    char *mapping = mmap(NULL, mapping_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) return false;
    char *at = mapping + (round_up((uintptr_t)mapping + 1, page) - (uintptr_t)mapping);
    if (mprotect(at, whole, PROT_READ | PROT_WRITE) != 0) {
        int error = errno;
        munmap(mapping, mapping_bytes);
        errno = error;
        return false;
    }
    /* A kernel without transparent huge pages refuses; the memory is good all the same. */
    madvise(at, whole, MADV_HUGEPAGE);
    *m = (Memory){.at = at, .bytes = bytes, .page_bytes = page, .mapping = mapping, .mapping_bytes = mapping_bytes};
    return true;
}

bool tabia_memory_get(Memory *m, uint64_t bytes, Fault *fault) {
    *m = (Memory){0};
    if (bytes == 0) return tabia_fault(fault, "0 bytes of memory were asked for: at least 1 is needed");
    if (bytes > SIZE_MAX / 2)
        return tabia_fault(fault, "%" PRIu64 " bytes of memory: more than there are addresses", bytes);
    if (get_reserved(m, bytes, 30) || get_reserved(m, bytes, 21) || get_transparent(m, bytes)) return true;
    return tabia_fault(fault, "cannot get %.1f MiB of memory: %s", (double)bytes / (double)MIB, strerror(errno));
}

void tabia_memory_free(Memory *m) {
    if (m->mapping) munmap(m->mapping, m->mapping_bytes);
    *m = (Memory){0};
}

void tabia_memory_touch(const Memory *m, unsigned part, unsigned parts) {
    if (!m->at || part >= parts) return;
    uint64_t pages = (m->bytes + m->page_bytes - 1) / m->page_bytes;
    uint64_t from = pages * part / parts * m->page_bytes;
    uint64_t to = pages * (part + 1) / parts * m->page_bytes;
    if (to > m->bytes) to = m->bytes;
    uint64_t step = (uint64_t)sysconf(_SC_PAGESIZE);
    volatile char *at = m->at;
    for (uint64_t i = from; i < to; i += step) at[i] = 0;
}

/* Bytes of [from, to) that lie in transparent huge pages. */
static uint64_t transparent_bytes(uintptr_t from, uintptr_t to) {
    FILE *smaps = fopen("/proc/self/smaps", "r");
    if (!smaps) return 0;
    char line[512];
    uint64_t bytes = 0, kib;
    bool inside = false;
    while (fgets(line, sizeof line, smaps)) {
        uintptr_t start, end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &start, &end) == 2)
            inside = start < to && end > from;
        else if (inside && sscanf(line, "AnonHugePages: %" SCNu64 " kB", &kib) == 1)
            bytes += kib * 1024;
    }
    fclose(smaps);
    return bytes;
}

uint64_t tabia_memory_page_bytes(const Memory *m) {
    if (m->reserved) return m->page_bytes;
    uint64_t small = (uint64_t)sysconf(_SC_PAGESIZE);
    if (!m->at) return small;
    uint64_t huge = transparent_bytes((uintptr_t)m->at, (uintptr_t)m->at + m->bytes);
    return huge > m->bytes / 2 ? m->page_bytes : small;
}
