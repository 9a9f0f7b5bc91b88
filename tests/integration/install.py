#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs the library into an empty folder and uses it as others will: by pkg-config, from C and C++, outside the tree.

install.py ROOT BUILD VERSION [cluster]        cluster: an MPI was there, so its header is installed as well

The examples are built against the shared and against the static library and run.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from installed import Outside, check, find, install, run, skip

ROOT, BUILD, VERSION = sys.argv[1:4]
HEADERS = {"counts.h", "entry.h", "error.h", "options.h", "record.h", "stats.h", "table.h", "versions.h"}
CLUSTER_HEADERS = {"cluster.h", "cluster_options.h", "cluster_table.h", "transport.h"}
FUNCTION = re.compile(r"^TABIA_(?:CLUSTER_)?API\b[^;]*?\b(\w+)\(", re.MULTILINE)


# ---- what was installed ----

def check_shape(target, outside):
    headers = os.path.dirname(find(target, "entry.h"))
    wanted = HEADERS | (CLUSTER_HEADERS if "cluster" in sys.argv[4:] else set())
    check(set(os.listdir(headers)) == wanted, f"headers installed: {sorted(os.listdir(headers))}")
    check_pages(target, [os.path.join(headers, name) for name in sorted(wanted)])
    for name in ("libtabia.a", "libtabia.3", "tabia.1", "table.md", "connect4.c", "shared_table.cpp"):
        find(target, name)
    check(run("pkg-config", "--modversion", "tabia", env=outside.environment).strip() == VERSION, "tabia.pc: version")
    check(os.path.realpath(outside.library).endswith("libtabia.so." + VERSION), "the library's file lacks the version")
    if shutil.which("objdump"):
        soname = re.search(r"SONAME\s+(\S+)", run("objdump", "-p", outside.library)).group(1)
        check(soname == "libtabia.so." + VERSION.split(".")[0], f"soname {soname}")


def check_pages(target, headers):
    """Every public function has a manual page, which man finds where there is one."""
    functions = []
    for header in headers:
        with open(header, encoding="utf-8") as file:
            functions += FUNCTION.findall(file.read())
    check(len(functions) > 20, f"{len(functions)} public functions found: are these the headers?")
    place = os.path.dirname(find(target, "libtabia.3"))
    missing = [name for name in functions if not os.path.isfile(os.path.join(place, name + ".3"))]
    check(not missing, f"no manual page for {' '.join(missing)}")
    if shutil.which("man"):
        text = run("man", "-M", os.path.dirname(place), "3", "tabia_table_create")
        check("creates a table" in text and "EXAMPLE" in text, f"man 3 tabia_table_create:\n{text}")


def check_cpp(outside, cpp):
    source = os.path.join(ROOT, "examples/shared_table.cpp")
    flags = ("-std=c++20", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
    for static in (False, True):
        out = outside.run(outside.build(cpp, source, f"shared_table_{static}", *flags, static=static))
        wanted = f"libtabia {VERSION}: of 2000 positions 2000 moves are known, 1000 scores are usable, 0 are wrong\n"
        check(out == wanted, f"shared_table with {cpp}: {out}")


# ---- an example ----

# Moves of a game of Connect Four, and what a plain search over lists, which shared no idea with the example, said of it.
SOLVED = (("4716766173447347232716413143", "a draw"), ("3165162144672253472226764734737416351355", "a draw"),
          ("546671751563333731354716772", "o wins in 1 plies"), ("74422625523334613754135227773", "x wins in 2 plies"),
          ("566566437251251323523765612743", "x wins in 3 plies"), ("321256676323213657755512362767547311", "o wins in 4 plies"),
          ("63112551226426157527733167435715726", "o wins in 5 plies"), ("477773732531656746264254644122", "o wins in 6 plies"),
          ("272752321773715123751665666", "o wins in 7 plies"), ("5554152626436321134456644165327", "x wins in 8 plies"),
          ("326277342345564744231274371372", "o wins in 10 plies"), ("2154552717327757171655611364", "x wins in 13 plies"),
          ("651236623327223476672461134", "x wins in 14 plies"), ("232631517512414464515567433", "o wins in 15 plies"))


def check_solver(outside, c):
    source = os.path.join(ROOT, "examples/connect4.c")
    flags = ("-O2", "-Wall", "-Wextra", "-Werror")
    programs = [outside.build(c, source, f"connect4_{s}", *flags, static=s) for s in (False, True)]
    for number, (moves, wanted) in enumerate(SOLVED):
        threads = str(1 + number % 3)
        out = outside.run(programs[number % 2], moves, "--table", "1M", "--threads", threads)
        check(f"\n{wanted}; " in out, f"connect4 {moves} with {threads} threads: {out}, and not {wanted}")
    out = outside.run(programs[0], "4444412", "--compare", "--table", "16M")
    check(out.count("o wins in 31 plies") == 2 and "times as fast" in out, f"connect4 --compare: {out}")
    for bad, said in (("44444444", "column 4 is full"), ("48", "a digit, 1 to 7"), ("1212121", "wins")):
        done = subprocess.run([programs[0], bad], capture_output=True, text=True, env=outside.environment, timeout=60)
        check(done.returncode == 1 and said in done.stderr, f"connect4 {bad}: {done.returncode}, {done.stderr}")


def main():
    for tool in ("meson", "pkg-config"):
        if not shutil.which(tool):
            skip(f"no {tool} on this machine")
    c = next((name for name in ("cc", "clang", "gcc") if shutil.which(name)), None)
    cpp = next((name for name in ("g++", "clang++", "c++") if shutil.which(name)), None)
    with tempfile.TemporaryDirectory() as target, tempfile.TemporaryDirectory() as folder:
        install(BUILD, target)
        outside = Outside(target, folder)
        check_shape(target, outside)
        check_solver(outside, c)
        if cpp:
            check_cpp(outside, cpp)
    print(f"installed and used from C{' and C++' if cpp else '; no C++ compiler: that part skipped'}")


if __name__ == "__main__":
    main()
