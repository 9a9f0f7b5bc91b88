# SPDX-License-Identifier: MIT
"""What programs share that let engines search and compare them: positions, an engine's nodes and processor time, and means of ratios."""

import math
import os
import re
import statistics


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def searched_nodes(lines):
    """By the last line of a search that tells them."""
    return [int(found[1]) for found in (re.search(r" nodes (\d+)", line) for line in lines) if found][-1]


def mean(ratios):
    """Geometric mean and its interval of 95 %."""
    logs = [math.log(r) for r in ratios]
    middle = statistics.fmean(logs)
    error = 1.96 * statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else 0
    return {"median": math.exp(middle), "low": math.exp(middle - error), "high": math.exp(middle + error), "n": len(logs)}


def positions(most):
    """Those of `tabia-lab smp`."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "lab", "search", "smp_positions.c"), encoding="utf-8") as file:
        found = re.findall(r'^    "(\S+ [wb] \S+ \S+ \d+ \d+)",$', file.read(), re.MULTILINE)
    return found[:most]
