/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "base/threads.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const uint64_t MIB = 1 << 20;

static void odd_sizes_are_aligned_and_zero(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 4095, 4097, 2 << 20, (2 << 20) + 1, (5 << 20) + 12345};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Memory m;
        Fault fault;
        if (!tabia_memory_get(&m, sizes[i], &fault)) fail_msg("%s", fault.text);
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
    (void)state;
    static const uint64_t sizes[] = {0, UINT64_MAX, UINT64_MAX / 2, (uint64_t)1 << 60};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Memory m = {.at = &m};
        Fault fault = {""};
        assert_false(tabia_memory_get(&m, sizes[i], &fault));
        assert_non_null(strstr(fault.text, "memory"));
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
    (void)state;
    unsigned long before = 0;
    for (int i = 0; i < 100; i++) {
        Memory m;
        assert_true(tabia_memory_get(&m, 64 * MIB, NULL));
        *(volatile char *)m.at = 1;
        tabia_memory_free(&m);
        assert_false(tabia_memory_get(&m, (uint64_t)1 << 60, NULL));
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
    (void)state;
    static const unsigned parts[] = {1, 2, 3, 7, 16};
    static unsigned char there[1 << 16];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        Touched touched = {.parts = parts[i]};
        assert_true(tabia_memory_get(&touched.memory, 13 * MIB + 5, NULL));
        assert_true(tabia_threads_run(parts[i], touch_part, &touched, NULL));
        size_t small = (size_t)sysconf(_SC_PAGESIZE), pages = (13 * MIB + 5 + small - 1) / small;
        assert_int_equal(mincore(touched.memory.at, touched.memory.bytes, there), 0);
        for (size_t page = 0; page < pages; page++)
            if (!(there[page] & 1)) fail_msg("page %zu of %zu is not there with %u parts", page, pages, parts[i]);
        tabia_memory_free(&touched.memory);
    }
}

static void page_size_is_one_of_three(void **state) {
    (void)state;
    Memory m;
    uint64_t small = (uint64_t)sysconf(_SC_PAGESIZE);
    assert_true(tabia_memory_get(&m, 32 * MIB, NULL));
    if (!m.reserved) assert_int_equal(tabia_memory_page_bytes(&m), small); /* nothing touched, nothing huge */
    tabia_memory_touch(&m, 0, 1);
    uint64_t page = tabia_memory_page_bytes(&m);
    assert_true(page == small || page == 2 * MIB || page == 1024 * MIB);
    print_message("pages of %llu KiB\n", (unsigned long long)page / 1024);
    tabia_memory_free(&m);
    assert_int_equal(tabia_memory_page_bytes(&m), small);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_sizes_are_aligned_and_zero),
        cmocka_unit_test(impossible_sizes_fail),
        cmocka_unit_test(nothing_leaks),
        cmocka_unit_test(parts_touch_everything),
        cmocka_unit_test(page_size_is_one_of_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
