/* SPDX-License-Identifier: MIT */
/* Files that appear when they are whole: what is there before, after success, after failure, and where a device is. */
#include "base/atomic_file.h"

#include <sys/stat.h>

#include "unit.h"

static void expect_text(const char *path, const char *expected) {
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fgets(text, sizeof text, file) != NULL);
    fclose(file);
    assert_string_equal(text, expected);
}

static void write_text(const char *path, const char *text, bool good) {
    AtomicFile file;
    TabiaError error = {0};
    FILE *out = tabia_atomic_file_begin(&file, path, &error);
    assert_non_null(out);
    fputs(text, out);
    char part[128];
    snprintf(part, sizeof part, "%s", file.part.name);
    assert_int_equal(access(part, F_OK), 0);
    assert_int_equal(tabia_atomic_file_commit(&file, good, &error), good);
    assert_int_not_equal(access(part, F_OK), 0);
    assert_int_equal(error.text[0] != 0, !good);
}

static void appears_when_whole(void **state) {
    char path[64];
    close(temporary_file(path));
    write_text(path, "first", true);
    expect_text(path, "first");
    write_text(path, "second, and", false);
    expect_text(path, "first");
    write_text(path, "third", true);
    expect_text(path, "third");
    unlink(path);
}

/* A rename would take it away: a plot to /dev/null once did. */
static void replaces_files_only(void **state) {
    char path[64];
    AtomicFile file;
    TabiaError error = {0};
    close(temporary_file(path));
    unlink(path);
    assert_true(tabia_is_replaceable(path));
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(tabia_is_replaceable(path));
    assert_null(tabia_atomic_file_begin(&file, path, &error));
    assert_non_null(strstr(error.text, "is not a file"));
    assert_false(tabia_is_replaceable("/dev/null"));
    assert_false(tabia_is_replaceable("/tmp"));
    unlink(path);
}

static void says_where_nothing_can_be_written(void **state) {
    AtomicFile file;
    TabiaError error = {0};
    assert_null(tabia_atomic_file_begin(&file, "/no such folder/file", &error));
    assert_non_null(strstr(error.text, "/no such folder/file: cannot be written"));
    error.text[0] = 0;
    assert_false(tabia_atomic_file_possible("/no such folder/file", &error));
    assert_non_null(strstr(error.text, "/no such folder/file: cannot be written"));
}

/* Asking changes nothing, whether a file is there or not. */
static void asking_leaves_nothing(void **state) {
    char path[64], part[128];
    TabiaError error;
    close(temporary_file(path));
    write_text(path, "there", true);
    assert_true(tabia_atomic_file_possible(path, &error));
    expect_text(path, "there");
    unlink(path);
    assert_true(tabia_atomic_file_possible(path, &error));
    assert_int_not_equal(access(path, F_OK), 0);
    snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid());
    assert_int_not_equal(access(part, F_OK), 0);
}

#include "test_atomic_file_list.h"
