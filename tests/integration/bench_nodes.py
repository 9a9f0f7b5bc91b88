# SPDX-License-Identifier: MIT
"""
The number of nodes of `tabia bench`: one thread searches the same tree on every processor, and any change of the search
changes it. A commit that changes the search on purpose changes NODES as well and says so in its message ("Bench: N").

    bench_nodes.py TABIA
"""

import re
import subprocess
import sys

NODES = 408040


def main():
    done = subprocess.run([sys.argv[1], "bench"], capture_output=True, text=True, timeout=500, stdin=subprocess.DEVNULL)
    found = re.search(r"^(\d+) nodes$", done.stdout, re.MULTILINE)
    if done.returncode or not found:
        sys.exit(f"tabia bench: status {done.returncode}, stdout {done.stdout!r}, stderr {done.stderr!r}")
    if int(found[1]) != NODES:
        sys.exit(f"tabia bench: {found[1]} nodes, {NODES} are expected: the search has changed")
    print(f"{NODES} nodes")


main()
