/* SPDX-License-Identifier: MIT */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory_limit.h"

#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT 26
#endif
#if defined(__linux__) && !defined(MADV_POPULATE_WRITE)
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

static const uint64_t MIB = 1 << 20;
static const uint64_t HUGE = 2 << 20;

static uint64_t round_up(uint64_t n, uint64_t multiple) {
    assert(multiple > 0);
    return (n + multiple - 1) / multiple * multiple;
}

static uint64_t small_page(void) {
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

void *tabia_aligned_get(size_t alignment, size_t bytes) {
    return aligned_alloc(alignment, bytes);
}

void tabia_aligned_free(void *at) {
    free(at);
}

/* ---- getting ---- */

/* Reserved huge pages of 2^shift bytes, if the system has enough and rounding up to whole ones wastes little. */
static bool map_reserved(Memory *m, uint64_t bytes, int shift) {
#ifdef MAP_HUGETLB
    uint64_t page = (uint64_t)1 << shift;
    uint64_t whole = round_up(bytes, page);
    if (whole - bytes > bytes / 8) return false;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | shift << MAP_HUGE_SHIFT;
    void *at = mmap(NULL, whole, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at == MAP_FAILED) return false;
    *m =
        (Memory){.at = at, .bytes = bytes, .page_bytes = page, .reserved = true, .mapping = at, .mapping_bytes = whole};
    return true;
#else
    (void)m, (void)bytes, (void)shift;
    return false;
#endif
}

/* Address space without a right to it, with two huge pages to spare. The caller makes memory of an aligned middle. What
   is left at both ends stays out of bounds: a wild store faults, and the kernel never merges the middle with its
   neighbours, so that smaps speaks of it alone. The kernel need not check whether there is memory:
   tabia_memory_check() has.
 */
static bool map_addresses(Memory *m, uint64_t whole) {
    const uint64_t bytes = round_up(whole, HUGE) + 2 * HUGE;
    char *mapping = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) return false;
    m->mapping = mapping;
    m->mapping_bytes = bytes;
    m->at = mapping + (round_up((uintptr_t)mapping + 1, HUGE) - (uintptr_t)mapping);
    assert((uintptr_t)m->at % HUGE == 0 && (char *)m->at + whole < mapping + bytes);
    return true;
}

/* A kernel without transparent huge pages refuses the advice; the memory is good all the same. */
static void choose_pages(Memory *m, uint64_t whole, bool small) {
    m->page_bytes = small ? small_page() : HUGE;
#ifdef MADV_HUGEPAGE
    madvise(m->at, whole, small ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
#else
    (void)whole;
#endif
}

/* Gives back what a failed call got so far; errno still tells why. */
static bool unmap(Memory *m) {
    const int code = errno;
    tabia_memory_free(m);
    errno = code;
    return false;
}

/* Less than half of a huge page is got in small ones: to clear the whole of it takes longer than they cost, and a
   thousand such tables would take gigabytes. */
static bool map_ordinary(Memory *m, const MemoryRequest *request) {
    const uint64_t whole = round_up(request->bytes, HUGE);
    const bool small = request->small_pages || request->bytes < HUGE / 2;
    if (!map_addresses(m, whole)) return false;
    if (mprotect(m->at, whole, PROT_READ | PROT_WRITE) != 0) return unmap(m);
    m->bytes = request->bytes;
    choose_pages(m, whole, small);
    return true;
}

static bool report_refusal(uint64_t bytes, TabiaError *error) {
    return tabia_error_set(error, TABIA_ERROR_MEMORY, "cannot get %.1f MiB of memory: %s", (double)bytes / (double)MIB,
                           strerror(errno)),
           false;
}

bool tabia_memory_get(Memory *m, MemoryRequest request, TabiaError *error) {
    *m = (Memory){0};
    if (request.bytes == 0)
        return tabia_error_set(error, TABIA_ERROR_MEMORY, "0 bytes of memory were asked for: at least 1 is needed"),
               false;
    if (request.bytes > SIZE_MAX / 2)
        return tabia_error_set(error, TABIA_ERROR_MEMORY, "%" PRIu64 " bytes of memory exceed the address space",
                               request.bytes),
               false;
    if (request.small_pages || !(map_reserved(m, request.bytes, 30) || map_reserved(m, request.bytes, 21))) {
        if (!tabia_memory_check(request.bytes, request.returned, error)) return false;
        if (!map_ordinary(m, &request)) return report_refusal(request.bytes, error);
    }
    assert(m->at && m->bytes == request.bytes && m->page_bytes > 0);
    return true;
}

/* ---- mapping a file ---- */

/* Has the kernel provide pages in one call, and say so when it has none; false with EINVAL where it knows no such call. */
static bool populate(void *at, uint64_t bytes) {
#ifdef MADV_POPULATE_WRITE
    return madvise(at, bytes, MADV_POPULATE_WRITE) == 0;
#else
    (void)at, (void)bytes;
    errno = EINVAL;
    return false;
#endif
}

int tabia_memory_provide(int file, uint64_t bytes) {
#ifdef __APPLE__ /* knows no such call: a full disk is a signal there */
    (void)file, (void)bytes;
    return 0;
#else
    return posix_fallocate(file, 0, (off_t)bytes);
#endif
}

/* The file goes over the addresses so that byte `from` comes to lie on a multiple of 2 MiB, as it does in the file:
   only then can the kernel use huge pages. */
bool tabia_memory_map(Memory *m, int file, uint64_t from, MemoryRequest request, TabiaError *error) {
    *m = (Memory){0};
    const uint64_t whole = round_up(from + request.bytes, small_page());
    if (request.bytes > SIZE_MAX / 4 || from % HUGE || !map_addresses(m, whole))
        return report_refusal(request.bytes, error);
    if (mmap(m->at, whole, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
        unmap(m);
        return report_refusal(request.bytes, error);
    }
    m->at = (char *)m->at + from;
    m->bytes = request.bytes;
    m->shared = true;
    choose_pages(m, whole - from, request.small_pages);
    if (populate(m->at, 0)) return true;
    errno = tabia_memory_provide(file, whole); /* in small pages: but an access never fails */
    if (!errno) return true;
    unmap(m);
    return report_refusal(request.bytes, error);
}

void tabia_memory_free(Memory *m) {
    if (m->mapping) munmap(m->mapping, m->mapping_bytes);
    *m = (Memory){0};
}

/* ---- first touch ---- */

static void touch_pages(const Memory *m, uint64_t from, uint64_t to) {
    volatile char *at = m->at;
    const uint64_t step = small_page();
    assert(from < to && to <= m->bytes && from % step == 0);
    for (uint64_t i = from; i < to; i += step) {
        if (m->shared)
            (void)at[i];
        else
            at[i] = 0;
    }
}

/* The kernel's own call takes as long as touching page by page when the pages are huge, and a third less processor time
   when they are small. */
bool tabia_memory_touch(const Memory *m, unsigned part, unsigned parts) {
    if (!m->at || part >= parts) return true;
    const uint64_t pages = (m->bytes + m->page_bytes - 1) / m->page_bytes;
    const uint64_t from = (uint64_t)((unsigned __int128)pages * part / parts) * m->page_bytes;
    uint64_t to = (uint64_t)((unsigned __int128)pages * (part + 1) / parts) * m->page_bytes;
    if (to > m->bytes) to = m->bytes;
    if (from >= to) return true;
    bool good;
    do good = populate((char *)m->at + from, round_up(to - from, small_page()));
    while (!good && (errno == EAGAIN || errno == EINTR));
    if (!good && errno != EINVAL) return false;
    if (!good) touch_pages(m, from, to);
    return true;
}

/* ---- what was got ---- */

/* The three ways of smaps to call memory in transparent huge pages: a process's own, shared, of a file. */
static bool read_smaps_line(const char *line, uint64_t *kib) {
    static const char *const names[] = {"AnonHugePages:", "ShmemPmdMapped:", "FilePmdMapped:"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(line, names[i], strlen(names[i])) == 0)
            return sscanf(line + strlen(names[i]), " %" SCNu64 " kB", kib) == 1;
    return false;
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
        else if (inside && read_smaps_line(line, &kib))
            bytes += kib * 1024;
    }
    fclose(smaps);
    return bytes;
}

uint64_t tabia_memory_page_bytes(const Memory *m) {
    if (m->reserved) return m->page_bytes;
    if (!m->at) return small_page();
    const uint64_t huge = transparent_bytes((uintptr_t)m->at, (uintptr_t)m->at + m->bytes);
    return huge > m->bytes / 2 ? HUGE : small_page();
}
