#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# The library as two files: each below 5,000 lines, compiled as C11 and as C++17 without a warning, for vectors and for any processor. All of these do the same as the library of this build, and the files that they
# save are the same. With --all also on a processor of the other byte order, in emulation, and refused by one of 32 bits, where
# their compilers are installed (gcc-s390x-linux-gnu, libc6-dev-s390x-cross, qemu-user; gcc-i686-linux-gnu).
#
#     amalgamation.py tools/amalgamate.py tests/helpers/amalgamation_user.c libtabia.so [--all]
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from installed import run

TOOL, USER, LIBRARY = (os.path.abspath(name) for name in sys.argv[1:4])
LANGUAGES = {"gcc": ["-std=c11"], "clang": ["-std=c11"], "g++": ["-x", "c++", "-std=c++17"], "clang++": ["-x", "c++", "-std=c++17"]}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wvla", "-Wcast-qual", "-Werror"]
LINES_MOST = 5000


def built(folder, compiler, kind, number):
    """A program of the two files."""
    flags = LANGUAGES[compiler] + WARNINGS + ["-O1", "-I" + str(folder)] + kind
    parts = []
    for source in (folder / "tabia.c", USER):
        parts.append(folder / f"{number}.{len(parts)}.o")
        run(compiler, *flags, "-c", source, "-o", parts[-1])
    program = folder / f"user{number}"
    run(compiler, *parts, "-o", program, "-pthread", "-lrt")
    return program


def with_library(folder):
    """The same program with the library of this build."""
    (folder / "linked").mkdir()
    (folder / "linked/tabia.h").write_text("".join(f"#include <tabia/{n}.h>\n" for n in ("entry", "counts", "table")))
    include = pathlib.Path(TOOL).parent.parent / "include"
    program = folder / "linked/user"
    run("gcc", "-std=c11", *WARNINGS, "-I" + str(folder / "linked"), "-I" + str(include), USER, LIBRARY, "-o", program,
        "-Wl,-rpath," + os.path.dirname(LIBRARY))
    return program


def of_other_byte_order(folder, expected):
    """What the program says on a big-endian machine, its table saved and loaded again there."""
    compiler, emulator = "s390x-linux-gnu-gcc", "qemu-s390x"
    if not (shutil.which(compiler) and shutil.which(emulator)):
        return "not tried: no compiler or no emulator for s390x"
    program, table = folder / "user-s390x", folder / "table-s390x"
    run(compiler, "-std=c11", "-O1", "-I" + str(folder), USER, folder / "tabia.c", "-o", program, "-pthread")
    said = run(emulator, "-L", "/usr/s390x-linux-gnu", program, table)
    assert said == expected, f"s390x: {said!r} instead of {expected!r}"
    return "the same"


def of_32_bits(folder):
    compiler = "i686-linux-gnu-gcc"
    if not shutil.which(compiler):
        return "not tried: no compiler for i686"
    done = subprocess.run([compiler, "-std=c11", "-I" + str(folder), "-fsyntax-only", str(folder / "tabia.c")], capture_output=True, text=True)
    assert done.returncode and "libtabia needs a 64-bit processor" in done.stderr, f"i686: {done.stderr[:500]!r}"
    return "refused"


def main():
    everything = sys.argv[4:] == ["--all"]
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = pathlib.Path(name)
        run(TOOL, folder)
        for file in ("tabia.h", "tabia.c"):
            lines = len((folder / file).read_text().splitlines())
            assert lines < LINES_MOST, f"{file} has {lines} lines"
        native, plain = ["-march=native", "-DNDEBUG"], []
        cases = [("gcc", plain), ("g++", native), ("clang", plain), ("clang++", native)]
        cases = cases if everything else cases[:3]
        cases = [case for case in cases if shutil.which(case[0])]
        programs = list(pool.map(lambda i: built(folder, *cases[i], i), range(len(cases))))
        expected = run(with_library(folder), folder / "table")
        saved = [(folder / "table").read_bytes()]
        for case, program in zip(cases, programs):
            said = run(program, folder / "table")
            assert said == expected, f"{case}: {said!r} instead of {expected!r}"
            saved.append((folder / "table").read_bytes())
        assert cases and len(set(saved)) == 1, "saved tables differ"
        if everything:
            print(f"big-endian: {of_other_byte_order(folder, expected)}; 32 bits: {of_32_bits(folder)}")
        print(f"{len(cases)} ways to compile the two files do as the library: {expected.strip()}")


main()
