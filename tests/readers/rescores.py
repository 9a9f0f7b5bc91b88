# SPDX-License-Identifier: MIT
"""
Measures `tabia data rescore` to a fixed depth: its processor time, elapsed time and memory, by numbers of records and of threads; and
beside it `transform rescore` of Stockfish's branch `tools`, a program built from it given by path. Both evaluate by their own means,
Stockfish by its sum of terms, so that the searches are not the same: what is compared is what a record costs.

    rescores.py TABIA RANDOM_GAMES [--stockfish-tools PROGRAM] [--records N] [--threads N,N] [--depth N] [--rounds N]

The bytes have to be the same for all numbers of threads, and all records have to be there. A line of JSON in the end.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from compare import run
from use import spread, use_of


def records_of(tabia, name):
    return json.loads(run(tabia, "data", "stats", name, "--json"))["records"]


def rescore(given, threads):
    """Ours: what it used. The file is new each time; the last one of another number of threads has to be equal."""
    for name in Path().glob("ours.viri*"):
        name.unlink()
    used = use_of((given.tabia, "data", "rescore", "a.viri", "--out", "ours.viri", "--depth", given.depth, "--threads", threads, "--quiet"))
    found, before = Path("ours.viri"), Path("before.viri")
    if before.exists() and before.read_bytes() != found.read_bytes():
        sys.exit(f"{threads} threads: other bytes than before")
    found.rename(before)
    return used


def rescore_theirs(given, threads):
    Path("theirs.binpack").unlink(missing_ok=True)
    used = use_of((given.stockfish_tools,), f"setoption name Use NNUE value false\nsetoption name Threads value {threads}\n"
                  f"setoption name Hash value {threads}\nisready\ntransform rescore depth {given.depth} input_file a.binpack "
                  "output_file theirs.binpack\nquit\n")
    found = records_of(given.tabia, "theirs.binpack")
    if not 0.9 * given.records < found <= given.records:
        sys.exit(f"{given.stockfish_tools}: {found} records of {given.records}")
    return used


def measure(given):
    """All by turns, so that what else the machine does meets all; Stockfish, which is slow, in the first round only."""
    programs = {"tabia": rescore, **({"Stockfish's tools": rescore_theirs} if given.stockfish_tools else {})}
    uses = {(name, threads): [] for threads in given.threads for name in programs}
    for number in range(given.rounds):
        for name, threads in uses:
            if number == 0 or programs[name] is rescore:
                uses[name, threads].append(programs[name](given, threads))
    for (name, threads), many in uses.items():
        found = {"program": name, "records": given.records, "threads": threads, "seconds": [u.seconds for u in many],
                 "elapsed": [u.elapsed for u in many], "peak": max(u.peak for u in many)}
        print(f"{name}, {given.records} records, {threads} threads: {spread(found['seconds'])} s of processor time, "
              f"{spread(found['elapsed'])} s, {found['peak']:.3g} MiB", file=sys.stderr, flush=True)
        yield found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tabia", type=os.path.abspath)
    parser.add_argument("random_games", type=os.path.abspath)
    parser.add_argument("--stockfish-tools", type=lambda path: path and os.path.abspath(path), metavar="PROGRAM")
    parser.add_argument("--records", type=int, default=100000)
    parser.add_argument("--threads", type=lambda text: [*map(int, text.split(","))], default=[1, 2])
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tabia-rescores-") as folder:
        os.chdir(folder)
        run(given.random_games, "a.viri", given.records, 7)
        run(given.tabia, "data", "convert", "a.viri", "--out", "a.binpack", "--quiet")
        measured = [*measure(given)]
        os.chdir("/")
    print(json.dumps(measured))


main()
