/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/memory.h"
#include "base/memory_limit.h"
#include "base/threads.h"
#include "unit.h"

#include <sys/mman.h>

static const uint64_t MIB = 1 << 20;

static void odd_sizes_are_aligned_and_zero(void **state) {
    static const uint64_t sizes[] = {1, 4095, 4097, 2 << 20, (2 << 20) + 1, (5 << 20) + 12345};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Memory m;
        TabiaError error;
        if (!tabia_memory_get(&m, (MemoryRequest){.bytes = sizes[i]}, &error)) fail_msg("%s", error.text);
        assert_int_equal(m.bytes, sizes[i]);
        assert_int_equal((uintptr_t)m.at % (2 * MIB), 0);
        assert_int_equal((uintptr_t)m.at % m.page_bytes, 0);
        unsigned char *at = m.at, any = 0;
        for (uint64_t b = 0; b < m.bytes; b++) any |= at[b];
        assert_int_equal(any, 0);
        memset(at, 0xff, m.bytes);
        tabia_memory_free(&m);
        assert_null(m.at);
        tabia_memory_free(&m);
    }
}

static void impossible_sizes_fail(void **state) {
    static const uint64_t sizes[] = {0, UINT64_MAX, UINT64_MAX / 2, (uint64_t)1 << 60};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Memory m = {.at = &m};
        TabiaError error = {0};
        assert_false(tabia_memory_get(&m, (MemoryRequest){.bytes = sizes[i]}, &error));
        assert_non_null(strstr(error.text, "memory"));
        assert_null(m.at);
        assert_null(m.mapping);
    }
}

/* The address space of this process in small pages, as the system counts it. */
static unsigned long address_space(void) {
    unsigned long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (!statm) return 0;
    if (fscanf(statm, "%lu", &pages) != 1) pages = 0;
    fclose(statm);
    return pages;
}

static void nothing_leaks(void **state) {
    unsigned long before = 0;
    for (int i = 0; i < 100; i++) {
        Memory m;
        assert_true(tabia_memory_get(&m, (MemoryRequest){.bytes = 64 * MIB}, NULL));
        *(volatile char *)m.at = 1;
        tabia_memory_free(&m);
        assert_false(tabia_memory_get(&m, (MemoryRequest){.bytes = (uint64_t)1 << 60}, NULL));
        if (i == 10) before = address_space();
    }
    /* Less than one of them: the C library may have mapped something of its own. */
    assert_true(address_space() < before + 64 * MIB / 4096 / 2);
}

typedef struct {
    Memory memory;
    unsigned parts;
} Touched;

static void touch_part(void *context, unsigned worker) {
    Touched *touched = context;
    tabia_memory_touch(&touched->memory, worker, touched->parts);
}

/* mincore says which pages are there; more parts than pages must work as well. */
static void parts_touch_everything(void **state) {
    static const unsigned parts[] = {1, 2, 3, 7, 16};
    static unsigned char there[1 << 16];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        Touched touched = {.parts = parts[i]};
        assert_true(tabia_memory_get(&touched.memory, (MemoryRequest){.bytes = 13 * MIB + 5}, NULL));
        assert_true(tabia_threads_run(parts[i], touch_part, &touched, NULL));
        size_t small = (size_t)sysconf(_SC_PAGESIZE), pages = (13 * MIB + 5 + small - 1) / small;
        assert_int_equal(mincore(touched.memory.at, touched.memory.bytes, there), 0);
        for (size_t page = 0; page < pages; page++)
            if (!(there[page] & 1)) fail_msg("page %zu of %zu is not there with %u parts", page, pages, parts[i]);
        tabia_memory_free(&touched.memory);
    }
}

static void page_size_is_one_of_three(void **state) {
    Memory m;
    uint64_t small = (uint64_t)sysconf(_SC_PAGESIZE);
    assert_true(tabia_memory_get(&m, (MemoryRequest){.bytes = 32 * MIB}, NULL));
    if (!m.reserved) assert_int_equal(tabia_memory_page_bytes(&m), small); /* nothing touched, nothing huge */
    assert_true(tabia_memory_touch(&m, 0, 1));
    uint64_t page = tabia_memory_page_bytes(&m);
    assert_true(page == small || page == 2 * MIB || page == 1024 * MIB);
    tabia_memory_free(&m);
    assert_int_equal(tabia_memory_page_bytes(&m), small);
}

/* A part is touched by its own call and by no other. */
static void parts_touch_nothing_else(void **state) {
    static unsigned char there[32];
    for (unsigned part = 0; part < 4; part++) {
        Memory m;
        assert_true(tabia_memory_get(&m, (MemoryRequest){.bytes = 32 * MIB}, NULL));
        assert_true(tabia_memory_touch(&m, part, 4));
        for (unsigned i = 0; i < 32 && !m.reserved; i++) {
            assert_int_equal(mincore((char *)m.at + i * MIB, 1, there), 0);
            assert_int_equal(there[0] & 1, i / 8 == part);
        }
        tabia_memory_free(&m);
    }
}

/* A huge page would hold it, and be cleared for nothing. */
static void little_memory_takes_no_huge_page(void **state) {
    Memory m;
    unsigned char there[4];
    assert_true(tabia_memory_get(&m, (MemoryRequest){.bytes = MIB / 4}, NULL));
    assert_true(tabia_memory_touch(&m, 0, 1));
    assert_int_equal(m.page_bytes, sysconf(_SC_PAGESIZE));
    assert_int_equal(mincore((char *)m.at + MIB, 1, there), 0);
    assert_int_equal(there[0] & 1, 0);
    tabia_memory_free(&m);
}

/* Touching it would have this process ended. */
static void more_than_there_is_fails(void **state) {
    const MemoryLimit limit = tabia_memory_limit("");
    if (limit.bytes > (uint64_t)1 << 50) skip();
    for (int small = 0; small < 2; small++) {
        Memory m;
        TabiaError error = {0};
        assert_false(tabia_memory_get(&m, (MemoryRequest){.bytes = 2 * limit.bytes, .small_pages = small}, &error));
        assert_non_null(strstr(error.text, "MiB to give"));
        const uint64_t twice = 2 * limit.bytes; /* what will be given back is there */
        const MemoryRequest instead = {.bytes = twice, .small_pages = small, .returned = twice};
        const bool good = tabia_memory_get(&m, instead, &error);
        if (!good && !strstr(error.text, "cannot get")) fail_msg("%s", error.text);
        tabia_memory_free(&m);
    }
}

/* ---- files ---- */

static int file_of(uint64_t bytes) {
    const int file = memfd_create("tabia-test", MFD_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (off_t)bytes), 0);
    return file;
}

static void a_file_is_shared(void **state) {
    Memory a, b;
    TabiaError error;
    const MemoryRequest request = {.bytes = 5 * MIB + 100};
    const int file = file_of(9 * MIB + 100);
    if (!tabia_memory_map(&a, file, 4 * MIB, request, &error)) fail_msg("%s", error.text);
    if (!tabia_memory_map(&b, file, 4 * MIB, request, &error)) fail_msg("%s", error.text);
    close(file);
    assert_int_equal((uintptr_t)a.at % (2 * MIB), 0);
    assert_int_equal((uintptr_t)b.at % (2 * MIB), 0);
    memset(a.at, 1, a.bytes);
    ((char *)a.at)[-1] = 7;
    for (unsigned part = 0; part < 3; part++) assert_true(tabia_memory_touch(&b, part, 3));
    for (uint64_t i = 0; i < b.bytes; i++) assert_int_equal(((char *)b.at)[i], 1);
    assert_int_equal(((char *)b.at)[-1], 7);
    const uint64_t page = tabia_memory_page_bytes(&b);
    assert_true(page == 2 * MIB || page == (uint64_t)sysconf(_SC_PAGESIZE));
    tabia_memory_free(&a);
    tabia_memory_free(&b);
}

/* A file that is too short stands for one whose system is full: touching says so, where an access would end us. */
static void a_full_file_is_reported(void **state) {
    Memory m;
    const int file = file_of(4 * MIB);
    assert_true(tabia_memory_map(&m, file, 2 * MIB, (MemoryRequest){.bytes = 8 * MIB}, NULL));
    if (madvise(m.at, 0, 23) == 0) assert_false(tabia_memory_touch(&m, 0, 1)); /* MADV_POPULATE_WRITE */
    tabia_memory_free(&m);
    assert_false(tabia_memory_map(&m, file, 4096, (MemoryRequest){.bytes = MIB}, NULL)); /* no multiple of 2 MiB */
    assert_null(m.mapping);
    close(file);
}

#include "test_memory_list.h"
