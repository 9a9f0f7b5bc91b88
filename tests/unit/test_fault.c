/* SPDX-License-Identifier: MIT */
#include "base/fault.h"
#include "unit.h"

#include <errno.h>
#include <string.h>

static void writes_the_line(void **state) {
    (void)state;
    Fault fault = {"old"};
    errno = 7;
    assert_false(tabia_fault(&fault, "rank %d: %s", 3, "nine squares"));
    assert_string_equal(fault.text, "rank 3: nine squares");
    assert_int_equal(errno, 7);
}

static void cuts_what_is_too_long(void **state) {
    (void)state;
    Fault fault;
    memset(&fault, 'x', sizeof fault);
    char longer[1000];
    memset(longer, 'a', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    assert_false(tabia_fault(&fault, "%s", longer));
    assert_int_equal(strlen(fault.text), sizeof fault.text - 1);
}

static void null_is_allowed(void **state) {
    (void)state;
    assert_false(tabia_fault(NULL, "nobody reads %d", 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_the_line),
        cmocka_unit_test(cuts_what_is_too_long),
        cmocka_unit_test(null_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
