# SPDX-License-Identifier: MIT
"""
The number of nodes of `tabia bench` and `tabia-shogi bench`: one thread searches the same tree on every processor, and any change of the search
changes it. A commit that changes the search on purpose changes NODES as well and says so in its message ("Bench: N").

The bench has no position whose halfmove clock matters. One number more is of positions near the end of the 50-move rule, from a
table that knows them with other halfmove clocks.

    bench_nodes.py TABIA TABIA-SHOGI
"""

import re
import subprocess
import sys

from uci_engine import Engine

NODES, SHOGI_NODES = 350254, 224490
# A mate with a rook, a blocked ending and a mate in four, at clocks that come nearer to the end and go back.
CLOCKS, CLOCK_NODES = (60, 96, 88, 94, 52, 91), 145270
ENDINGS = ("8/8/8/4k3/8/8/3K4/7R w - - {} 120", "8/8/8/1p4k1/1Pp3p1/2P3P1/3K4/8 w - - {} 80", "3r3k/6pp/8/6N1/2Q5/8/8/K7 w - - {} 80")


def run(words, program):
    done = subprocess.run([program, *words.split()], capture_output=True, text=True, timeout=500, stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"{program} {words}: status {done.returncode}, stdout {done.stdout!r}, stderr {done.stderr!r}")
    return done.stdout


def check(words, seen, expected):
    if seen != expected:
        sys.exit(f"{words}: {seen}, {expected} expected: the search has changed")
    print(f"{words}: {seen}")


def nodes(program):
    found = re.search(r"^(\d+) nodes$", run("bench", program), re.MULTILINE)
    return int(found[1]) if found else None


def nodes_by_clock(program):
    engine, found = Engine(program), 0
    for fen in (ending.format(clock) for ending in ENDINGS for clock in CLOCKS):
        found += int(engine.ask("bestmove", f"position fen {fen}", "go depth 12")[-2].split(" nodes ")[1].split()[0])
    engine.end()
    return found


def main():
    check("bench", nodes(sys.argv[1]), NODES)
    check("bench of shogi", nodes(sys.argv[2]), SHOGI_NODES)
    check("clocks", nodes_by_clock(sys.argv[1]), CLOCK_NODES)


main()
