/* SPDX-License-Identifier: MIT */
/* Tables that processes share: what they see of each other, and what the killed leave. */
#define _GNU_SOURCE
#include "named_tools.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>

#include "table/named_shape.h"

/* ---- what they share ---- */

static int join_and_exchange(const TabiaOptions *o, unsigned number) {
    TabiaTable *t;
    (void)number;
    EXPECT(tabia_table_create(&t, o, NULL) == 0);
    EXPECT(joined(t));
    for (unsigned i = 1; i <= 100; i++) EXPECT(there(t, o->type, i));
    for (unsigned i = 101; i <= 200; i++) put(t, o->type, i);
    tabia_table_destroy(t);
    return 0;
}

static void processes_share_what_they_store(void **state) {
    for (TabiaRecordType type = TABIA_ENTRIES; type <= TABIA_RECORDS; type++) {
        const TabiaOptions o = named((TabiaOptions){.type = type, .bytes = 3000000});
        TabiaTable *t = new_table(o);
        assert_false(joined(t));
        for (unsigned i = 1; i <= 100; i++) put(t, type, i);
        expect_good(start(join_and_exchange, &o, 0));
        for (unsigned i = 1; i <= 200; i++) assert_true(there(t, type, i));
        assert_int_equal(access(the_path, F_OK), 0);
        tabia_table_destroy(t);
        assert_int_not_equal(access(the_path, F_OK), 0);
    }
}

static int join_and_clear(const TabiaOptions *o, unsigned number) {
    TabiaTable *t;
    EXPECT(tabia_table_create(&t, o, NULL) == 0);
    if (number)
        tabia_table_clear(t);
    else
        tabia_table_new_generation(t);
    tabia_table_destroy(t);
    return 0;
}

static void time_is_shared(void **state) {
    const TabiaOptions o = named((TabiaOptions){0});
    TabiaTable *t = new_table(o);
    TabiaInfo info;
    put(t, TABIA_ENTRIES, 7);
    expect_good(start(join_and_clear, &o, 0));
    assert_true(there(t, TABIA_ENTRIES, 7));
    assert_int_equal(tabia_entry_age(t, tabia_entry_probe(t, key_of(7), 0)), 1);
    expect_good(start(join_and_clear, &o, 1));
    assert_false(there(t, TABIA_ENTRIES, 7));
    tabia_table_info(t, &info);
    assert_int_equal(info.generation, 2);
    put(t, TABIA_ENTRIES, 7);
    assert_true(there(t, TABIA_ENTRIES, 7));
    tabia_table_destroy(t);
}

static void strict_generations_are_shared(void **state) {
    const TabiaOptions o = named((TabiaOptions){.strict_generations = true});
    TabiaTable *t = new_table(o);
    put(t, TABIA_ENTRIES, 7);
    expect_good(start(join_and_clear, &o, 0));
    assert_false(there(t, TABIA_ENTRIES, 7));
    tabia_table_destroy(t);
}

/* ---- another shape ---- */

static void a_difference_is_named(void **state) {
    const TabiaOptions first = named((TabiaOptions){.identity = 11});
    static const struct {
        TabiaOptions other;
        const char *line;
    } cases[] = {
        {{.identity = 12}, "identity 11, this one 12"},
        {{.identity = 11, .type = TABIA_COUNTS}, "type entries, this one counts"},
        {{.identity = 11, .bytes = 2 << 20}, "bytes 1048576, this one 2097152"},
        {{.identity = 11, .path_bits = 8}, "path_bits 16, this one 8"},
        {{.identity = 11, .signature_bits = 32}, "signature_bits 48, this one 32"},
        {{.identity = 11, .age_weight = 3}, "age_weight 8, this one 3"},
        {{.identity = 11, .exact_bonus = 3}, "exact_bonus 1, this one 3"},
        {{.identity = 11, .keep_margin = 3}, "keep_margin 4, this one 3"},
        {{.identity = 11, .refresh_on_hit = true}, "refresh_on_hit 0, this one 1"},
        {{.identity = 11, .strict_generations = true}, "strict_generations 0, this one 1"},
    };
    TabiaTable *t = new_table(first), *other;
    put(t, TABIA_ENTRIES, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TabiaError error = {0};
        const TabiaOptions o = named(cases[i].other);
        assert_int_equal(tabia_table_create(&other, &o, &error), TABIA_ERROR_FOREIGN);
        assert_null(other);
        if (!strstr(error.text, cases[i].line)) fail_msg("'%s' says nothing of '%s'", error.text, cases[i].line);
        assert_non_null(strstr(error.text, the_name));
    }
    other = new_table(first); /* twice in one process is fine, too */
    assert_true(joined(other));
    assert_true(there(other, TABIA_ENTRIES, 1));
    tabia_table_destroy(t);
    assert_int_equal(access(the_path, F_OK), 0);
    assert_true(there(other, TABIA_ENTRIES, 1));
    tabia_table_destroy(other);
}

/* The rules larger-stays and two-tier had the numbers 2 and 4; tables of older programs may have them. */
static void removed_rules_are_named(void **state) {
    static const char *const names[] = {
        [2] = "replacement larger-stays, this one always", [4] = "replacement two-tier, this one always"};
    const TabiaOptions o = named((TabiaOptions){0});
    TabiaTable *t = new_table(o), *other;
    NamedHeader *header = (NamedHeader *)(t->base - named_buckets_offset(t));
    assert_int_equal(header->shape[SHAPE_replacement], TABIA_REPLACE_ALWAYS);
    for (unsigned rule = 2; rule <= 4; rule += 2) {
        TabiaError error = {0};
        header->shape[SHAPE_replacement] = rule;
        assert_int_equal(tabia_table_create(&other, &o, &error), TABIA_ERROR_FOREIGN);
        assert_non_null(strstr(error.text, names[rule]));
    }
    tabia_table_destroy(t);
}

static void words_must_agree(void **state) {
    TabiaError error;
    TabiaTable *other;
    TabiaOptions o = named((TabiaOptions){.type = TABIA_RECORDS, .record_words = 3});
    TabiaTable *t = new_table(o);
    o.record_words = 2;
    assert_int_equal(tabia_table_create(&other, &o, &error), TABIA_ERROR_FOREIGN);
    assert_non_null(strstr(error.text, "record_words 3, this one 2"));
    tabia_table_destroy(t);
}

static void what_is_no_table_stays(void **state) {
    TabiaError error;
    TabiaTable *t;
    const TabiaOptions o = named((TabiaOptions){0});
    for (int zeros = 0; zeros <= 4096; zeros += 4096) {
        FILE *file = fopen(the_path, "w");
        assert_true(file && !fseek(file, zeros, SEEK_SET) && fputs("somebody's notes\n", file) > 0);
        assert_int_equal(fclose(file) + truncate(the_path, 17000), 0);
        assert_int_equal(tabia_table_create(&t, &o, &error), TABIA_ERROR_FOREIGN);
        assert_non_null(strstr(error.text, the_path));
        assert_int_equal(unlink(the_path), 0);
    }
}

/* ---- the killed ---- */

static int make_and_die(const TabiaOptions *o, unsigned number) {
    TabiaTable *t;
    EXPECT(tabia_table_create(&t, o, NULL) == 0);
    tabia_table_clear(t); /* its segments are no longer marked as those of an empty file */
    for (unsigned i = 1; i <= number; i++) put(t, o->type, i);
    raise(SIGKILL);
    return 1;
}

static void the_content_outlives_the_killed(void **state) {
    const TabiaOptions o = named((TabiaOptions){0});
    expect_killed(start(make_and_die, &o, 1000));
    assert_int_equal(access(the_path, F_OK), 0);
    TabiaTable *t = new_table(o);
    assert_true(joined(t));
    for (unsigned i = 1; i <= 1000; i++) assert_true(there(t, TABIA_ENTRIES, i));
    for (unsigned i = 1; i <= 1000; i += 10) put(t, TABIA_ENTRIES, i); /* a stale segment would be zeroed */
    for (unsigned i = 1; i <= 1000; i++) assert_true(there(t, TABIA_ENTRIES, i));
    tabia_table_destroy(t);
    assert_int_not_equal(access(the_path, F_OK), 0);
}

static void what_nobody_holds_gives_way(void **state) {
    const TabiaOptions o = named((TabiaOptions){0}), wider = named((TabiaOptions){.bytes = 5 << 20});
    expect_killed(start(make_and_die, &o, 50));
    TabiaTable *t = new_table(wider);
    assert_false(joined(t));
    assert_false(there(t, TABIA_ENTRIES, 1));
    tabia_table_destroy(t);
}

/* A user is killed, the others go on and the last of them removes the name. */
static void the_killed_hold_nothing(void **state) {
    const TabiaOptions o = named((TabiaOptions){0});
    TabiaTable *t = new_table(o);
    expect_killed(start(make_and_die, &o, 50));
    assert_true(there(t, TABIA_ENTRIES, 50));
    tabia_table_destroy(t);
}

/* What a creator leaves that is killed on the way: nothing, a size, a header without its magic. */
static void half_made_is_made(void **state) {
    const TabiaOptions o = named((TabiaOptions){0});
    for (int step = 0; step < 3; step++) {
        const int file = open(the_path, O_RDWR | O_CREAT | O_EXCL, 0600);
        assert_true(file >= 0);
        if (step >= 1) assert_int_equal(pwrite(file, &NAMED_BEGUN, 8, 0) + ftruncate(file, 123456789), 8);
        if (step >= 2) assert_int_equal(pwrite(file, "rubbish, not whole", 18, 8), 18);
        close(file);
        TabiaTable *t = new_table(o);
        assert_false(joined(t));
        put(t, TABIA_ENTRIES, 1);
        expect_good(start(join_and_clear, &o, 1));
        assert_false(there(t, TABIA_ENTRIES, 1));
        tabia_table_destroy(t);
    }
}

/* Every entry names its key, so that a mixed one would show. */
static int store_for_ever(const TabiaOptions *o, unsigned number) {
    TabiaTable *t;
    EXPECT(tabia_table_create(&t, o, NULL) == 0);
    for (unsigned i = number;; i++) put(t, TABIA_ENTRIES, 1 + i % 5000);
}

static void a_writer_may_die_at_any_moment(void **state) {
    const TabiaOptions o = named((TabiaOptions){.bytes = 64 << 10});
    TabiaTable *t = new_table(o);
    unsigned found = 0;
    for (unsigned round = 0; round < 20; round++) {
        const pid_t id = start(store_for_ever, &o, round * 100);
        for (unsigned i = 1; !there(t, TABIA_ENTRIES, 1 + i % 5000); i++)
            if (i % 1000 == 0) sched_yield();
        kill(id, SIGKILL);
        expect_killed(id);
        for (unsigned i = 1; i <= 5000; i++) {
            const TabiaHit hit = tabia_entry_probe(t, key_of(i), 0);
            if (hit.move_ok) assert_int_equal(hit.entry.move, i);
            found += hit.move_ok;
        }
    }
    assert_true(found > 0);
    tabia_table_destroy(t);
}

/* ---- no room ---- */

/* A /dev/shm of its own with 8 MiB, where the system lets us. */
static int small_room(const TabiaOptions *o, unsigned number) {
    TabiaTable *t;
    TabiaError error = {0};
    (void)number;
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("tmpfs", "/dev/shm", "tmpfs", 0, "size=8m"))
        return 0;
    EXPECT(tabia_table_create(&t, o, &error) == TABIA_ERROR_MEMORY);
    EXPECT(strstr(error.text, "/dev/shm has "));
    EXPECT(access(the_path, F_OK) != 0);
    TabiaOptions less = *o;
    less.bytes = 6 << 20;
    EXPECT(tabia_table_create(&t, &less, &error) == 0);
    less.name = "test-another";
    TabiaTable *other;
    EXPECT(tabia_table_create(&other, &less, &error) == TABIA_ERROR_MEMORY);
    tabia_table_destroy(t);
    EXPECT(tabia_table_create(&other, &less, &error) == 0);
    tabia_table_destroy(other);
    return 0;
}

static void too_little_room_is_an_error(void **state) {
    TabiaTable *t;
    TabiaError error = {0};
    const TabiaOptions huge = named((TabiaOptions){.bytes = (uint64_t)1 << 50, .touch = TABIA_TOUCH_LATER});
    assert_int_equal(tabia_table_create(&t, &huge, &error), TABIA_ERROR_MEMORY);
    assert_non_null(strstr(error.text, ": 1073741824.0 MiB of memory were asked for: "));
    const TabiaOptions o = named((TabiaOptions){.bytes = 32 << 20, .touch = TABIA_TOUCH_LATER});
    expect_good(start(small_room, &o, 0));
}

#include "test_named_list.h"
