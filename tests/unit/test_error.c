/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "unit.h"

#include <errno.h>

static void writes_the_line(void **state) {
    TabiaError error = {.text = "old"};
    errno = 7;
    assert_false(tabia_fail(&error, "rank %d: %s", 3, "nine squares"));
    assert_string_equal(error.text, "rank 3: nine squares");
    assert_int_equal(errno, 7);
}

static void keeps_the_code(void **state) {
    TabiaError error = {0};
    errno = 7;
    assert_int_equal(tabia_error_set(&error, TABIA_ERROR_MEMORY, "%d bytes", 8), TABIA_ERROR_MEMORY);
    assert_int_equal(error.code, TABIA_ERROR_MEMORY);
    assert_string_equal(error.text, "8 bytes");
    assert_int_equal(errno, 7);
    assert_false(tabia_fail(&error, "x"));
    assert_int_equal(error.code, TABIA_ERROR_OTHER);
    assert_int_equal(tabia_error_set(NULL, TABIA_ERROR_DAMAGED, "x"), TABIA_ERROR_DAMAGED);
}

static void cuts_what_is_too_long(void **state) {
    TabiaError error;
    memset(&error, 'x', sizeof error);
    char longer[1000];
    memset(longer, 'a', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    assert_false(tabia_fail(&error, "%s", longer));
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

static void holds_no_control_characters(void **state) {
    TabiaError error;
    assert_false(tabia_fail(&error, "'%s'", "a\r\n\t\x1b[0m\x7f \xc3\xa9"));
    assert_string_equal(error.text, "'a????[0m? \xc3\xa9'");
    assert_int_equal(tabia_error_set(&error, TABIA_ERROR_DAMAGED, "%s", "a\nb"), TABIA_ERROR_DAMAGED);
    assert_string_equal(error.text, "a?b");
}

static void null_is_allowed(void **state) {
    assert_false(tabia_fail(NULL, "nobody reads %d", 1));
}

#include "test_error_list.h"
