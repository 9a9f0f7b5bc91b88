# SPDX-License-Identifier: MIT
"""
libtabia for macOS, FreeBSD and NetBSD, as far as that can be seen here: `zig cc`, which has the headers and libraries of these systems,
compiles the two files of the amalgamation and the library's sources without a warning, and links programs with both. Nothing is run.
Without zig in PATH it is skipped.

    systems.py ROOT
"""
import os
import re
import shutil
import sys
import tempfile

from installed import check, run, skip

ROOT = os.path.abspath(sys.argv[1])
HELPERS = os.path.join(ROOT, "tests/helpers")
FLAGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"]
MACH_O, ELF = b"\xcf\xfa\xed\xfe", b"\x7fELF"  # how programs begin
TARGETS = (("aarch64-macos", MACH_O), ("x86_64-macos", MACH_O), ("x86_64-freebsd", ELF), ("aarch64-freebsd", ELF), ("x86_64-netbsd", ELF))


def is_program(path, begins):
    with open(path, "rb") as file:
        check(file.read(4) == begins, f"{path} is no program of its system")


def amalgamation(cc, target, folder):
    user, library = os.path.join(HELPERS, "amalgamation_user.c"), os.path.join(folder, "tabia.c")
    for number, more in enumerate(([], ["-DNDEBUG"])):
        program = os.path.join(folder, f"user{number}-{target[0]}")
        run(*cc, *FLAGS, *more, "-I" + folder, user, library, "-o", program, "-pthread")
        is_program(program, target[1])


def library(cc, target, folder):
    """Its sources, file by file. The header of the checksum is that of this system, which needs nothing of it."""
    with open(os.path.join(folder, "tabia.c"), encoding="utf-8") as file:
        named = re.findall(r"^/\* (\w+/\w+)\.c \*/$", file.read(), re.M)
    sources = [os.path.join(ROOT, "src", name + ".c") for name in named if not name.endswith("_windows")]
    check(len(sources) > 25, f"{len(sources)} sources only")
    program, here = os.path.join(folder, "platform-" + target[0]), [os.path.join(ROOT, where) for where in ("src", "include")]
    run(*cc, *FLAGS, "-std=gnu17", '-DTABIA_VERSION="0"', "-I" + folder, *("-I" + where for where in here), *sources,
        os.path.join(HELPERS, "platform_use.c"), "-o", program, "-pthread")
    is_program(program, target[1])


def main():
    zig = shutil.which("zig")
    if not zig or not os.path.exists("/usr/include/xxhash.h"):
        skip("no zig, or no xxhash.h in /usr/include")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy("/usr/include/xxhash.h", folder)
        run(sys.executable, os.path.join(ROOT, "tools/amalgamate.py"), folder)
        for target in TARGETS:
            cc = [zig, "cc", "-target", target[0]]
            amalgamation(cc, target, folder)
            library(cc, target, folder)
    print("libtabia links for", ", ".join(target[0] for target in TARGETS))


main()
