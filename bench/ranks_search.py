#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
The engine on 2 ranks of one thread against 2 threads in one process: nodes by processor second.

    bench/ranks_search.py TABIA TABIA-MPI [--rounds N] [--ms TIME] [--net shm|tcp] [--mpich] [--private] [--json]

The two search each position one after the other, round after round, so that what else the machine does falls on both alike.
Processor time is that of the processes that search, from /proc. The table is 64 MiB in all.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "integration"))
import mpi_jobs as mpi  # noqa: E402
from engine_runs import processor_seconds, searched_nodes  # noqa: E402
from uci_engine import Engine  # noqa: E402

POSITIONS = (
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/P1NBBN2/1P3PPP/R2Q1RK1 b - - 3 13",
    "2r2rk1/pp1bqppp/4pn2/3p4/3P4/1P1QPN2/PB3PPP/2R2RK1 w - - 4 17",
    "r4rk1/1pp1q1pp/p2b1p2/3Pp3/4P1b1/2N1BN2/PP2QPPP/R4RK1 w - - 0 15",
    "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2K1P1/2r5/R7 b - - 1 38",
)


class Contender:
    def __init__(self, name, options, *command):
        self.name, self.rates, self.said = name, [], ""
        self.engine = Engine(*command, env=mpi.environment(), stderr=subprocess.DEVNULL)
        self.engine.send(*[f"setoption name {o}" for o in options])
        self.engine.ready()
        time.sleep(0.3)
        self.pids = list(mpi.ranks_of(self.engine.process).values()) or [self.engine.process.pid]

    def search(self, position, ms):
        self.engine.send("ucinewgame", f"position fen {position}")
        self.engine.ready()
        before = sum(map(processor_seconds, self.pids))
        self.engine.send(f"go movetime {ms}")
        lines = self.engine.until("bestmove")
        time.sleep(0.05)
        seconds = sum(map(processor_seconds, self.pids)) - before
        self.rates.append(searched_nodes(lines) / max(seconds, 0.01))
        self.said = next((line for line in lines if line.startswith("info string")), self.said)


def report_json(threads, ranks):
    """Every sample, and the ratios of pairs."""
    for contender in (threads, ranks):
        contender.engine.end()
    print(json.dumps({"threads": threads.rates, "ranks": ranks.rates, "ratios": [b / a for a, b in zip(threads.rates, ranks.rates)],
                      "said": ranks.said}, indent=1))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("tabia")
    options.add_argument("tabia_mpi")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--ms", type=int, default=1000)
    options.add_argument("--net", choices=("shm", "tcp"), default="shm")
    options.add_argument("--mpich", action="store_true")
    options.add_argument("--private", action="store_true")
    options.add_argument("--json", action="store_true")
    o = options.parse_args()
    kind = "mpich" if o.mpich else "openmpi"
    mpi.GENERAL["openmpi"] = ["--oversubscribe", "--bind-to", "none"]
    ranks = [*mpi.launcher(kind, o.net), "-n", "2", o.tabia_mpi, "uci", *(["--private"] if o.private else [])]
    both = [Contender("2 threads", ["Hash value 64", "Threads value 2"], o.tabia),
            Contender(f"2 ranks, {kind}, {o.net}", ["Hash value 32"], *ranks)]
    for _ in range(o.rounds):
        for position in POSITIONS:
            for contender in both:
                contender.search(position, o.ms)
    if o.json:
        report_json(*both)
        return
    for contender in both:
        print(f"{contender.name:24} {statistics.median(contender.rates):9.0f} nodes by processor second (median)")
        contender.engine.end()
    ratios = [math.log(b / a) for a, b in zip(both[0].rates, both[1].rates)]
    error = statistics.stdev(ratios) / math.sqrt(len(ratios)) if len(ratios) > 1 else 0
    print(f"ratio {math.exp(statistics.mean(ratios)):.3f} +- {error:.3f}\n{both[1].said}")


main()
