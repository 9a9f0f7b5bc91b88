# SPDX-License-Identifier: MIT
"""
The number of nodes of `tabia bench`: one thread searches the same tree on every processor, and any change of the search
changes it. A commit that changes the search on purpose changes NODES as well and says so in its message ("Bench: N").

    bench_nodes.py TABIA
"""

import json
import re
import subprocess
import sys

NODES = 408040
# Nodes to depth 7 of its positions, which are near the end of the 50-move rule, and right answers: draws of a fresh and of a warm
# table, wins.
PATH_KEYS = [11792, 4, 5, 12]


def main():
    done = subprocess.run([sys.argv[1], "bench"], capture_output=True, text=True, timeout=500, stdin=subprocess.DEVNULL)
    found = re.search(r"^(\d+) nodes$", done.stdout, re.MULTILINE)
    if done.returncode or not found:
        sys.exit(f"tabia bench: status {done.returncode}, stdout {done.stdout!r}, stderr {done.stderr!r}")
    if int(found[1]) != NODES:
        sys.exit(f"tabia bench: {found[1]} nodes, {NODES} are expected: the search has changed")
    command = [sys.argv[1], "bench", "--path-keys", "--form", "fifty-count", "--nodes", "3000", "--depth", "7", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, stdin=subprocess.DEVNULL)
    form = json.loads(done.stdout)["forms"][0]
    seen = [form["nodes"], form["draws"]["correct_cold"], form["draws"]["correct_warm"], form["wins"]["correct_warm"]]
    if seen != PATH_KEYS:
        sys.exit(f"tabia bench --path-keys: {seen}, {PATH_KEYS} are expected: the search has changed near the 50-move rule")
    print(f"{NODES} nodes; near the 50-move rule {PATH_KEYS[0]}")


main()
