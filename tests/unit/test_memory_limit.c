/* SPDX-License-Identifier: MIT */
/* Systems made of files, and this one. */
#include "base/memory_limit.h"
#include "unit.h"

#include <limits.h>
#include <sys/stat.h>

static char root[] = "/tmp/tabia-test-room-XXXXXX";

/* Writes a file under the root, with the directories on the way. */
static void write_file(const char *path, const char *text) {
    char whole[PATH_MAX];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *at = whole + strlen(root) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(whole, 0700);
        *at = '/';
    }
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_limit(uint64_t bytes, const char *source) {
    const MemoryLimit limit = tabia_memory_limit(root);
    assert_int_equal(limit.bytes, bytes);
    assert_string_equal(limit.source, source);
}

static int begin(void **state) {
    strcpy(root + strlen(root) - 6, "XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int end(void **state) {
    char command[PATH_MAX];
    snprintf(command, sizeof command, "rm -r '%s'", root);
    return system(command);
}

static void without_limits_memory_is_unlimited(void **state) {
    assert_limit(UINT64_MAX, "the system");
}

static void all_of_the_machine(void **state) {
    assert_int_equal(tabia_memory_of_machine(root), UINT64_MAX);
    write_file("/proc/meminfo", "MemTotal: 9000 kB\nMemFree: 10 kB\nMemAvailable: 5000 kB\nSwapTotal: 400 kB\n");
    assert_int_equal(tabia_memory_of_machine(root), 9400 * 1024);
}

static void all_that_a_process_may_have(void **state) {
    assert_int_equal(tabia_memory_of_process(root), UINT64_MAX);
    write_file("/proc/meminfo", "MemTotal: 9000 kB\nMemAvailable: 5000 kB\nSwapTotal: 400 kB\nSwapFree: 400 kB\n");
    assert_int_equal(tabia_memory_of_process(root), 9000 * 1024);
    write_file("/proc/self/cgroup", "0::/a\n");
    write_file("/sys/fs/cgroup/a/memory.max", "900000\n");
    write_file("/sys/fs/cgroup/a/memory.current", "500000\n");
    assert_int_equal(tabia_memory_of_process(root), 900000);
}

static void what_is_available_and_swap(void **state) {
    write_file("/proc/meminfo", "MemTotal: 9000 kB\nMemFree: 10 kB\nMemAvailable:    5000 kB\nSwapFree: 300 kB\n");
    assert_limit(5300 * 1024, "the system");
    assert_int_equal(tabia_memory_limit(root).swap, 300 * 1024);
    write_file("/proc/self/cgroup", "no line of this kind\n::\n7:\n");
    assert_limit(5300 * 1024, "the system");
}

static void groups_of_version_2(void **state) {
    write_file("/proc/meminfo", "MemAvailable: 5000000 kB\nSwapFree: 0 kB\n");
    write_file("/proc/self/cgroup", "0::/a/b\n");
    write_file("/sys/fs/cgroup/a/b/memory.max", "max\n");
    assert_limit(5000000ull * 1024, "the system");
    write_file("/sys/fs/cgroup/a/memory.max", "1000000\n"); /* that of the group above counts as well */
    assert_limit(1000000, "the control group /a (memory.max)");
    write_file("/sys/fs/cgroup/a/b/memory.max", "900000\n");
    write_file("/sys/fs/cgroup/a/b/memory.current", "500000\n");
    assert_limit(400000, "the control group /a/b (memory.max)");
    write_file("/sys/fs/cgroup/a/b/memory.stat", "anon 300000\nfile 1\ninactive_file 150000\nactive_file 20000\n");
    assert_limit(570000, "the control group /a/b (memory.max)");
    write_file("/sys/fs/cgroup/a/b/memory.current", "1500000\n");
    assert_limit(0, "the control group /a/b (memory.max)");
}

static void a_container_sees_its_group_on_top(void **state) {
    write_file("/proc/meminfo", "MemAvailable: 5000000 kB\n");
    write_file("/proc/self/cgroup", "0::/outside/that/is/not/here\n");
    write_file("/sys/fs/cgroup/memory.max", "4096\n");
    assert_limit(4096, "the control group / (memory.max)");
}

static void groups_of_version_1(void **state) {
    write_file("/proc/meminfo", "MemAvailable: 5000 kB\nSwapFree: 1 kB\n");
    write_file("/proc/self/cgroup", "9:cpu,cpuacct:/x\n8:hugetlb,memory:/jobs/one\n0::/\n");
    write_file("/sys/fs/cgroup/memory/jobs/one/memory.limit_in_bytes", "9223372036854771712\n");
    assert_limit(5001 * 1024, "the system");
    write_file("/sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "70000\n");
    write_file("/sys/fs/cgroup/memory/jobs/memory.usage_in_bytes", "20000\n");
    write_file("/sys/fs/cgroup/memory/jobs/memory.stat", "inactive_file 5\ntotal_inactive_file 10000\n");
    assert_limit(60000 + 1024, "the control group /jobs (memory.limit_in_bytes)");
}

static void this_system_reports_a_limit(void **state) {
    TabiaError error = {0};
    assert_true(tabia_memory_check(1, 0, &error));
    assert_false(tabia_memory_check(UINT64_MAX - 1, 0, &error));
    assert_non_null(strstr(error.text, "MiB to give"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)
#include "test_memory_limit_list.h"
