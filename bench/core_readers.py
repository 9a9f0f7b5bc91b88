# SPDX-License-Identifier: MIT
"""
Commands and readers of what is measured by the number of threads: 1, 2, 4, ... to as many as the machine has processors, at
most 16.
"""

import json
import os

from readers import document, place, row
from result_file import cell

COUNTS, SEARCHED = (1, 2, 4, 8, 16), (4, 16)  # of threads; of those of a search
KINDS = {"shared": "", "private": " --private"}


def thread_counts():
    return [n for n in COUNTS if n <= len(os.sched_getaffinity(0))]


def threads(n):
    return f"{n} thread{'s' * (n > 1)}"


def perft_commands(name, words, kinds=tuple(KINDS)):
    """One thread alone has no private table that differs from the shared one."""
    return {f"{name}, {threads(n)}: {kind}": f"{{tabia}} perft {words} --threads {n} --hash 1G{KINDS[kind]} --json --quiet"
            for n in thread_counts() for kind in kinds if n > 1 or kind != "private"}


def search_commands():
    return {threads(n): f"{{lab}} smp --threads {n} --rounds 1 --depth 17 --hash 256M --json" for n in thread_counts() if n in SEARCHED}


def by_kind(runs):
    """{(position, threads): {kind: what its runs printed}}, from labels `position, threads: kind`."""
    found = {}
    for label, many in runs.items():
        name, kind = label.split(": ")
        found.setdefault(tuple(name.rsplit(", ", 1)), {})[kind] = [json.loads(run.output) for run in many]
    return found


def ratios(some, others):
    """Of the seconds of two contenders, formed within rounds."""
    return cell([a["seconds"] / b["seconds"] for a, b in zip(some, others)])


def cores_perft(runs):
    found, rows, counts = by_kind(runs), [], {}
    for (position, many), kinds in found.items():
        nodes = {one["nodes"] for ones in kinds.values() for one in ones}
        if nodes != counts.setdefault(position, nodes) or len(nodes) != 1:
            raise ValueError(f"{position}: the counts differ")
        cells = {"time": cell([one["seconds"] for one in kinds["shared"]]),
                 "speedup": ratios(found[position, threads(1)]["shared"], kinds["shared"])}
        if "private" in kinds:
            cells["private, time"] = ratios(kinds["private"], kinds["shared"])
        rows.append(row(f"{position}, {many}", **cells))
    return rows, ["Speedup: of the shared table over one thread. Private: its time by that of the shared table, the same memory in all."]


def cores_table(runs):
    rows = {}
    for table in document(runs)["tables"]:
        for one in table["rows"]:
            rows.setdefault(place(table["title"]) + one["name"], {})[threads(one["threads"])] = cell(one["samples"])
    return [row(name, **cells) for name, cells in rows.items() if not name.endswith(": again")], []


def cores_search(runs):
    """The label is the number of threads."""
    if not runs:
        raise ValueError(f"a machine of at least {SEARCHED[0]} processors is needed")
    rows = []
    for label in runs:
        found = document(runs, label)
        rows += [row(f"{label}, {v['variant']}", speedup=v["speedup"], nodes=v["nodes_ratio"], **{"nodes a second": v["nps_ratio"]})
                 for v in found["variants"] if v["variant"] != "one thread"]
    return rows, []
