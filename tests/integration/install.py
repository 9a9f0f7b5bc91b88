#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs the library into an empty folder and uses it as others will: by pkg-config, from C and C++, outside the tree.

install.py ROOT BUILD VERSION [cluster]        cluster: an MPI was there, so its header is installed as well

The examples are built against the shared and against the static library and run; the solver's answers are compared with
those of a plain search over lists, below, that shares no idea with it.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

from installed import Outside, check, find, install, run, skip

ROOT, BUILD, VERSION = sys.argv[1:4]
SEED = 20020625
HEADERS = {"counts.h", "entry.h", "error.h", "options.h", "record.h", "stats.h", "table.h",
           "versions.h"}
CLUSTER_HEADERS = {"cluster.h", "cluster_options.h", "cluster_table.h", "transport.h"}
FUNCTION = re.compile(r"^TABIA_(?:CLUSTER_)?API\b[^;]*?\b(\w+)\(", re.MULTILINE)
USE = """
#include <stdio.h>
#include <tabia/entry.h>
int main(void) { return puts(tabia_version()) < 0; }
"""


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


def check_use(outside, c):
    source = os.path.join(outside.folder, "use_version.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(USE)
    os.makedirs(os.path.join(outside.folder, "copy"))
    outside.folder = os.path.join(outside.folder, "copy")
    for static in (False, True):
        program = outside.build(c, source, f"use_{static}", static=static)
        check(outside.run(program).strip() == VERSION, f"tabia_version of the {'static' if static else 'shared'} library")
        if shutil.which("objdump"):
            needs = "NEEDED" in (text := run("objdump", "-p", program)) and "libtabia.so.0" in text
            check(needs != static, f"linked {'statically' if static else 'by the shared library'}: needs it: {needs}")


def check_cpp(outside, cpp):
    source = os.path.join(ROOT, "examples/shared_table.cpp")
    flags = ("-std=c++20", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
    for static in (False, True):
        out = outside.run(outside.build(cpp, source, f"shared_table_{static}", *flags, static=static))
        wanted = f"libtabia {VERSION}: of 2000 positions 2000 moves are known, 1000 scores are usable, 0 are wrong\n"
        check(out == wanted, f"shared_table with {cpp}: {out}")


# ---- Connect Four, plainly ----

def wins(columns, column):
    """Does the last stone of a column stand in a line of four?"""
    row = len(columns[column]) - 1
    mine = columns[column][row]

    def run_length(dx, dy):
        length, x, y = 0, column + dx, row + dy
        while 0 <= x < 7 and 0 <= y < len(columns[x]) and columns[x][y] == mine:
            length, x, y = length + 1, x + dx, y + dy
        return length

    return any(run_length(dx, dy) + run_length(-dx, -dy) >= 3 for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)))


def plain_score(columns, player, known):
    """Plies to the end, for the best play of both: + for the player's win, - for his loss, 0 for a draw; as a key that
    grows with the player's liking."""
    key = tuple(map(tuple, columns))
    if key in known:
        return known[key]
    best = None
    for column in range(7):
        if len(columns[column]) == 6:
            continue
        columns[column].append(player)
        value = 1000 if wins(columns, column) else -plain_score(columns, 1 - player, known)
        columns[column].pop()
        value -= (value > 0) - (value < 0)  # a ply further away
        best = value if best is None else max(best, value)
    known[key] = best or 0
    return known[key]


def plain_answer(moves):
    columns = [[] for _ in range(7)]
    for ply, move in enumerate(moves):
        columns[int(move) - 1].append(ply % 2)
    value = plain_score(columns, len(moves) % 2, {})
    if value == 0:
        return "a draw"
    winner = "xo"[len(moves) % 2 if value > 0 else 1 - len(moves) % 2]
    return f"{winner} wins in {1000 - abs(value)} plies"


def random_game(draw, plies):
    """Moves of a game that is not over after so many plies; None if it was."""
    columns, moves = [[] for _ in range(7)], ""
    for ply in range(plies):
        column = draw.choice([c for c in range(7) if len(columns[c]) < 6])
        columns[column].append(ply % 2)
        if wins(columns, column):
            return None
        moves += str(column + 1)
    return moves


def check_solver(outside, c):
    source = os.path.join(ROOT, "examples/connect4.c")
    flags = ("-O2", "-Wall", "-Wextra", "-Werror")
    shared, static = (outside.build(c, source, f"connect4_{s}", *flags, static=s) for s in (False, True))
    draw, games = random.Random(SEED), 0
    while games < 60:
        moves = random_game(draw, draw.randrange(27, 41))
        if moves is None:
            continue
        program, threads = (shared, static)[games % 2], str(1 + games % 3)
        out = outside.run(program, moves, "--table", "1M", "--threads", threads)
        wanted = plain_answer(moves)
        check(f"\n{wanted}; " in out, f"connect4 {moves} with {threads} threads: {out}, and not {wanted}")
        games += 1
    out = outside.run(shared, "4444412", "--compare", "--table", "16M")
    check(out.count("o wins in 31 plies") == 2 and "times as fast" in out, f"connect4 --compare: {out}")
    for bad, said in (("44444444", "column 4 is full"), ("48", "a digit, 1 to 7"), ("1212121", "wins")):
        done = subprocess.run([shared, bad], capture_output=True, text=True, env=outside.environment, timeout=60)
        check(done.returncode == 1 and said in done.stderr, f"connect4 {bad}: {done.returncode}, {done.stderr}")
    return games


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
        check_use(outside, c)
        games = check_solver(outside, c)
        if cpp:
            check_cpp(outside, cpp)
    print(f"installed and used from C{' and C++' if cpp else '; no C++ compiler: that part skipped'}; seed {SEED}: "
          f"{games} positions of Connect Four solved as by plain search")


if __name__ == "__main__":
    main()
