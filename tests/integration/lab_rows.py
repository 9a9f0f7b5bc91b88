# SPDX-License-Identifier: MIT
"""One row for each option of each command of tabia-lab, as option_rows.py has those of tabia."""

from option_rows import KIWIPETE, own_figures, with_fen
from options import changes, no_numbers, quiet, threads, writes_progress

AUDIT = "table audit --quick --threads 1 --quiet --json"
STRESS = "table stress --threads 1 --way calls --type entries --payload small --probes 20000"
BENCH = "table bench --quick --rounds 1 --size 1M --threads 1 --only modes"
SIMULATE = "simulate 5 --ranks 2"
HAZARD = "hazard --nodes 20000 --seeds 1 --threads 1 --quiet"


def bench_rows(document):
    return [(t["experiment"], t["rounds"], [(no_numbers(r["name"]), r.get("threads"), len(r["samples"])) for r in t["rows"]])
            for t in document["tables"]]


def cases(document):
    """What was tried, and what came of it."""
    return [{k: v for k, v in case.items() if "second" not in k} for case in document["cases"]]


def false_hits(document):
    return document["false"]


def forecast(document):
    return document["simulated"]


ROWS = {
    "table bench": {
        "only": changes(BENCH, "--only line", no_numbers),
        "size": lambda program: "tables of 4 MiB" in program.run(BENCH.replace("1M", "4M"))[1],
        "threads": own_figures("table bench --quick --rounds 1 --size 1M --only line --threads 1", "--threads 2", bench_rows),
        "rounds": own_figures(BENCH, "--rounds 2", bench_rows),
        "quick": own_figures("table bench --rounds 1 --size 1M --threads 1 --only modes", "--quick", lambda d: d["quick"]),
        "json": changes(BENCH, "--json", no_numbers),
        "progress": writes_progress("table bench --size 64M --threads 1 --progress 1", pattern=r"\w+ \d+/\d+: \w"),
    },
    "table audit": {
        "probes": own_figures(AUDIT + " --bits 64", "--probes 5000", false_hits),
        "bits": own_figures(AUDIT + " --probes 1000 --bits 64", "--bits 48", false_hits),
        "threads": threads("table audit --bits 64 --quiet"),
        "quick": own_figures("table audit --bits 16 --threads 2 --quiet --json", "--quick", false_hits),
        "seed": own_figures(AUDIT + " --probes 1000 --bits 24", "--seed 2", false_hits),
        "json": changes("table audit --quick --threads 1 --quiet --bits 64", "--json", no_numbers),
        "quiet": quiet("table audit --bits 64 --threads 1"),
        "progress": writes_progress("table audit --bits 64 --threads 1 --progress 1", pattern=r"\d+ bits, .*: \d+ %"),
    },
    "table stress": {
        "type": own_figures(STRESS, "--type counts", cases),
        "words": own_figures(STRESS + " --type records --words 2", "--words 3", cases),
        "payload": own_figures(STRESS, "--payload random", cases),
        "way": own_figures(STRESS, "--way paused", cases),
        "threads": threads("table stress --way calls --type entries --quiet"),
        "processes": own_figures(STRESS, "--processes 2", cases),
        "probes": own_figures(STRESS, "--probes 200000", cases),
        "quick": own_figures(STRESS.replace("--probes", "--quick --probes"), "--probes 1000000", cases),
        "seed": own_figures(STRESS, "--seed 2", cases),
        "json": changes(STRESS, "--json", no_numbers),
        "quiet": quiet("table stress --threads 2 --way calls --type entries --payload small --probes 100000000000"),
        "progress": writes_progress("table stress --threads 2 --way calls --type entries --probes 100000000000 --progress 1",
                                    pattern=r"\d+/\d+ cases, .* left, "),
    },
    "hazard": {
        **{name: own_figures(HAZARD, f"--{name} {value}", lambda d: d["fixes"])
           for name, value in (("depth", 2), ("bits", 9), ("size", "128K"), ("limit", 200), ("nodes", 30000), ("seeds", 2), ("seed", 2))},
        "threads": threads("hazard --quiet"),
        "json": changes(HAZARD, "--json", no_numbers),
        "quiet": quiet("hazard --threads 1"),
        "progress": writes_progress("hazard --threads 1 --progress 1", pattern=r"\d[\d.]*( [kM])? nodes, .* left"),
    },
    "simulate": {
        "ranks": own_figures(SIMULATE, "--ranks 4", forecast),
        "costs": own_figures(SIMULATE, "--costs latency=500", lambda d: d["constants"]),
        "fen": lambda program: "193690690" in program.run(with_fen(SIMULATE, KIWIPETE))[1],
        "hash": own_figures(SIMULATE.replace("5", "7"), "--hash 64K", forecast),
        "json": changes(SIMULATE, "--json"),
        "quiet": quiet("simulate 9"),
        "progress": writes_progress("simulate 9 --progress 1", pattern=r"counting: \d+ %, .*\d left"),
    },
}
