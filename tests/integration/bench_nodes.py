# SPDX-License-Identifier: MIT
"""
The number of nodes of `tabia bench` and `tabia-shogi bench`: one thread searches the same tree on every processor, and any change of the search
changes it. A commit that changes the search on purpose changes NODES as well and says so in its message ("Bench: N").

The bench has no position whose halfmove clock matters. One number more is of positions near the end of the 50-move rule, from a
table that knows them with other halfmove clocks.

    bench_nodes.py TABIA TABIA-SHOGI TABIA-LAB
"""

import json
import re
import subprocess
import sys

NODES, SHOGI_NODES = 408040, 114841
# Nodes of the questions of six games.
PATH_KEYS_EXACT = ("path-keys-exact --form fifty-count --endings KRK --games 6 --play-outs 0 --nodes 4000", [230432])


def run(words, program=sys.argv[3]):
    done = subprocess.run([program, *words.split()], capture_output=True, text=True, timeout=500,
                          stdin=subprocess.DEVNULL)
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


def main():
    check("bench", nodes(sys.argv[1]), NODES)
    check("bench of shogi", nodes(sys.argv[2]), SHOGI_NODES)
    words, expected = PATH_KEYS_EXACT
    check(words, [json.loads(run(words + " --json"))["forms"][0]["nodes"]], expected)


main()
