/* SPDX-License-Identifier: MIT */
/* cmocka with the headers that it wants before itself, and what several tests need. */
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* cmocka hands a state to each test, and few want it. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Makes an empty file, in memory where the system has such a place: a test that forces thousands of changes to a busy
   disk takes minutes. Its descriptor, or -1. */
static inline int temporary_file(char path[64]) {
    strcpy(path, "/dev/shm/tabia-test-XXXXXX");
    int file = mkstemp(path);
    if (file >= 0) return file;
    strcpy(path, "/tmp/tabia-test-XXXXXX");
    return mkstemp(path);
}

/* Are the whole forms of tests asked for, as `make check` does? Their quick forms see the same faults in fewer cases. */
static inline bool whole_tests(void) {
    const char *wish = getenv("WHOLE_TESTS");
    return wish && *wish && strcmp(wish, "0");
}
