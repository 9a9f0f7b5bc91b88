# SPDX-License-Identifier: MIT
"""
Readers, as those of readers.py, of what is measured with a mechanism and without it: what is it worth?
"""

import json

from readers import document, row
from result_file import cell


def expanded(found):
    """Positions that the table did not know."""
    return found["probes"] - found["hits"]


def perft_private(runs):
    """A label is `position, size: shared` or `position, size: private`. Ratios are formed within rounds."""
    tables = {}
    for label in runs:
        name, kind = label.split(": ")
        tables.setdefault(name, {})[kind] = [json.loads(run.output) for run in runs[label]]
    found = []
    for name, kinds in tables.items():
        if len({f["nodes"] for many in kinds.values() for f in many}) != 1:
            raise ValueError(f"{name}: the counts differ")
        cells = {"hits": [100 * f["hit_rate"] for f in kinds["shared"]], "private hits": [100 * f["hit_rate"] for f in kinds["private"]]}
        pairs = list(zip(kinds["private"], kinds["shared"]))
        for column, figure in (("expanded, ratio", expanded), ("CPU time, ratio", lambda f: f["cpu_seconds"])):
            cells[column] = [figure(a) / figure(b) for a, b in pairs]
        cells["CPU time"] = [f["cpu_seconds"] for f in kinds["shared"]]
        found.append(row(name, **{k: cell(v) for k, v in cells.items()}))
    return found, ["CPU time and hits: of the shared table; ratios: private tables by the shared one. Expanded: positions that no table knew."]


def ranks_wait(runs):
    """The first label is two threads of one process; ratios to it are formed within rounds."""
    rows, first = [], None
    for label, many in runs.items():
        found = [json.loads(run.output) for run in many]
        first = first or found
        if {f["nodes"] for f in found} != {first[0]["nodes"]}:
            raise ValueError(f"{label}: the counts differ")
        ratios = {name: cell([a[figure] / b[figure] for a, b in zip(found, first)])
                  for name, figure in (("ratio", "seconds"), ("CPU ratio", "cpu_seconds"))}
        rows.append(row(label, **{"keys requested": found[-1].get("remote_probes"), "messages": found[-1].get("messages"),
                                  "time": cell([f["seconds"] for f in found]), **ratios}))
    return rows, []


def serve_cost(runs):
    """The ratio is a geometric mean over positions and rounds, with its interval; speeds are medians."""
    found = document(runs)
    speeds = {name: cell([n / 1e6 for n in found[key]]) for name, key in (("by UCI", "uci"), ("shown by a page", "page"))}
    rows = [row("search", **speeds, ratio=found["ratio"]), row("server", idle=100 * found["idle"])]
    return rows, [f"{found['positions']} positions to depth {found['depth']}, {found['rounds']} rounds. Of the ratio: 95 %."]
