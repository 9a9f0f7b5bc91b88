/* SPDX-License-Identifier: MIT */
/* What a search is asked to change between searches, and how far its threads go. */
#include "search_tools.h"

#include <time.h>

/* Another name at the place where the first one stood is another table. */
static void knows_a_new_name(void **state) {
    char name[64], other[64], path[96];
    snprintf(name, sizeof name, "test-configure-%d-a", (int)getpid());
    snprintf(other, sizeof other, "test-configure-%d-b", (int)getpid());
    SearchSettings settings = {.hash_bytes = 1 << 20, .threads = 1, .table_name = name};
    Search *s = new_search(settings);
    const TabiaTable *first = search_table(s);
    assert_true(search_configure(s, &settings, NULL));
    assert_ptr_equal(search_table(s), first); /* nothing has changed */
    snprintf(name, sizeof name, "%s", other);
    assert_true(search_configure(s, &settings, NULL));
    assert_ptr_not_equal(search_table(s), first);
    snprintf(path, sizeof path, "/dev/shm/tabia-%s", other);
    assert_int_equal(access(path, R_OK), 0);
    search_destroy(s);
}

/* A thread that has reached the depth waits for word too. Few moves, so that one more ply would be there at once. */
static void stays_at_the_depth(void **state) {
    const SearchSettings settings = {.hash_bytes = 1 << 20, .threads = 3};
    const SearchLimits limits[] = {{.depth = 4, .infinite = true}, {.depth = 4, .ponder = true}};
    const SearchListener nobody = {0};
    const struct timespec while_threads_run = {.tv_nsec = 100000000};
    Search *s = new_search(settings);
    for (int i = 0; i < 2; i++) {
        search_from(s, "8/8/1p2k1p1/3p1p1p/1P1P1P1P/2K3P1/8/8 w - - 0 45");
        search_start(s, &limits[i], &nobody);
        nanosleep(&while_threads_run, NULL);
        search_stop(s);
        search_wait(s);
        assert_true(search_result(s, 0).depth <= 4);
    }
    search_destroy(s);
}

#include "test_configure_list.h"
