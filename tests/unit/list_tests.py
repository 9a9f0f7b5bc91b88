# SPDX-License-Identifier: MIT
"""
Writes test_NAME_list.h for test_NAME.c: `tests`, which lists its functions `static void NAME(void **state)` for cmocka, and a
main() that runs them, unless the source has its own. The source includes it behind its last test; where each test has a setup, it
defines TEST(NAME) before, and RUN(tests) where all of them have one.

    list_tests.py SOURCE HEADER
"""

import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    source = file.read()
names = re.findall(r"^static void (\w+)\(void \*\*state\) \{$", source, re.MULTILINE)
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write("#ifndef TEST\n#define TEST cmocka_unit_test\n#endif\n")
    file.write("#ifndef RUN\n#define RUN(tests) cmocka_run_group_tests(tests, NULL, NULL)\n#endif\n")
    file.write("static const struct CMUnitTest tests[] = {\n")
    file.writelines(f"    TEST({name}),\n" for name in names)
    file.write("};\n")
    if "\nint main(" not in source:
        file.write("\nint main(void) {\n    return RUN(tests);\n}\n")
