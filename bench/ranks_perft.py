#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
A perft on 2 ranks of one thread against 2 threads in one process: processor time.

    bench/ranks_perft.py TABIA TABIA-MPI [--depth 8] [--fen FEN] [--hash MIB] [--rounds N] [--mpich] [--json]

Each round runs all of them in a random order, each behind another run of its own kind, so that the memory it gets was in use a
moment ago: a virtual machine gives back what is idle, and clearing that anew costs as much as counting. And each round takes
other memory away, up to --shuffle GIB, because which memory a process gets decides how fast it is. --hash is the memory of the
tables together. All counts must be the same.
"""

import argparse
import json
import math
import mmap
import os
import random
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "integration"))
import mpi_jobs as mpi  # noqa: E402

PAGE = 2 << 20
WHAT = "cpu_seconds"


def ballast(gib):
    """Memory that is in use until it is closed."""
    held = mmap.mmap(-1, PAGE * random.randint(1, max(1, int(gib * 512))))
    held.madvise(mmap.MADV_HUGEPAGE)
    for at in range(0, len(held), 4096):
        held[at] = 1
    return held


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, env=mpi.environment(), check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def contenders(o):
    work = [str(o.depth), *(["--fen", o.fen] if o.fen else []), "--json", "--quiet"]
    kind = "mpich" if o.mpich else "openmpi"
    each = [*work, "--hash", f"{o.hash // 2}M"]
    ranks = {f"2 ranks, {net}": [*mpi.launcher(kind, net), "-n", "2", o.tabia_mpi, "perft", *each] for net in ("shm", "tcp")}
    return {"2 threads": [o.tabia, "perft", *work, "--threads", "2", "--hash", f"{o.hash}M"], **ranks}


def report(name, found, first):
    ratios = [a[WHAT] / b[WHAT] for a, b in zip(found, first)]
    error = 2 * statistics.stdev(ratios) / math.sqrt(len(ratios)) if len(ratios) > 1 else 0
    print(f"{name:14} {statistics.median(one[WHAT] for one in found):8.3f} s   ratio: median {statistics.median(ratios):.3f}, "
          f"mean {statistics.mean(ratios):.3f} +- {error:.3f}   idle steps {found[-1].get('idle_steps', 0)}, "
          f"messages {found[-1].get('messages', 0)}")


def report_json(found, first):
    """Every sample, and the ratios to the first contender within rounds."""
    contenders = [{"name": name, "samples": [run[WHAT] for run in runs], "ratios": [a[WHAT] / b[WHAT] for a, b in zip(runs, first)],
                   "idle_steps": runs[-1].get("idle_steps", 0), "messages": runs[-1].get("messages", 0)} for name, runs in found.items()]
    print(json.dumps({"measure": WHAT, "contenders": contenders}, indent=1))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("tabia")
    options.add_argument("tabia_mpi")
    options.add_argument("--depth", type=int, default=8)
    options.add_argument("--fen")
    options.add_argument("--hash", type=int, default=256, help="MiB, of all together")
    options.add_argument("--rounds", type=int, default=11)
    options.add_argument("--shuffle", type=float, default=4, help="GiB at most that a round takes away")
    options.add_argument("--mpich", action="store_true")
    options.add_argument("--json", action="store_true")
    o = options.parse_args()
    if o.rounds < 1 or o.hash < 2:
        options.error("--rounds is at least 1, --hash at least 2")
    mpi.GENERAL["openmpi"] = ["--bind-to", "core"]
    commands = contenders(o)
    found = {name: [] for name in commands}
    for number in range(o.rounds):
        held = ballast(o.shuffle)
        for name in random.sample(list(commands), len(commands)):
            run(commands[name])
            found[name].append(run(commands[name]))
        held.close()
        if sys.stderr.isatty():
            print(f"\rround {number + 1} of {o.rounds}", end="\n" if number + 1 == o.rounds else "", file=sys.stderr, flush=True)
    if len({one["nodes"] for runs in found.values() for one in runs}) != 1:
        sys.exit("the counts differ")
    first = next(iter(found.values()))
    if o.json:
        report_json(found, first)
        return
    print("processor time")
    for name, runs in found.items():
        report(name, runs, first)


main()
