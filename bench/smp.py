#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Time and nodes to a depth by each SMP mode, of two threads, two processes that share a named table, and two ranks, against one
thread.

    bench/smp.py TABIA TABIA-MPI [--depth 15] [--rounds 1] [--positions N] [--only threads,processes,ranks] [--json]

The positions are those of `tabia bench --threads`. On each all variants take turns, each with empty tables of the same size
together. Two processes begin at once; the time ends when one of them, or the threads or ranks, report their move, and the other is
stopped. Nodes are those of all together: what is above one thread's was searched twice, or in vain. Ratios are formed on a
position; means over positions are geometric, with an interval of 95 %. Of processes only `table` and `abdada`: none knows the depth
that another is on, so `lazy` would be `table`, and `both` `abdada`.
"""

import argparse
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "integration"))
import mpi_jobs as mpi  # noqa: E402
import uci_engine  # noqa: E402
from engine_runs import mean, positions, searched_nodes  # noqa: E402

MODES = {"threads": ("table", "abdada", "lazy", "both", "split"), "processes": ("table", "abdada"), "ranks": ("table", "abdada", "lazy", "both")}
HASH = 64
uci_engine.TIMEOUT = 300.0


class Engines:
    """One engine, or several that search the same position at once."""

    def __init__(self, commands, options):
        self.engines = [uci_engine.Engine(*command, env=mpi.environment(), stderr=subprocess.DEVNULL) for command in commands]
        self.send(*[f"setoption name {option}" for option in options])
        self.ready()

    def send(self, *lines):
        for engine in self.engines:
            engine.send(*lines)

    def ready(self):
        for engine in self.engines:
            engine.ready()

    def first_to_end(self):
        """Until one has said its move: the lines of each so far."""
        said = [[] for _ in self.engines]
        while True:
            for engine, lines in zip(self.engines, said):
                while not engine.lines.empty():
                    line = engine.lines.get()
                    assert line is not None, "an engine has ended"
                    lines.append(line)
                    if line.startswith("bestmove"):
                        return said
            time.sleep(0.0002)

    def search(self, fen, depth):
        """(seconds, nodes) of all together."""
        self.send("ucinewgame", f"position fen {fen}")
        self.ready()
        began = time.monotonic()
        self.send(f"go depth {depth}")
        said = self.first_to_end()
        seconds = time.monotonic() - began
        for engine, lines in zip(self.engines, said):
            if not lines or not lines[-1].startswith("bestmove"):
                engine.send("stop")
                lines += engine.until("bestmove")
        return seconds, sum(map(searched_nodes, said))

    def end(self):
        for engine in self.engines:
            engine.end()


def variants(o):
    """{name: (engines, mode)}"""
    whole, half = f"Hash value {HASH}", f"Hash value {HASH // 2}"
    name = f"Table Name value bench-smp-{os.getpid()}"
    made = {"threads": lambda: Engines([[o.tabia]], [whole, "Threads value 2"]),
            "processes": lambda: Engines([[o.tabia]] * 2, [whole, name]),
            "ranks": lambda: Engines([[*mpi.launcher("openmpi"), "-n", "2", o.tabia_mpi, "uci"]], [half])}
    found = {"one thread": (Engines([[o.tabia]], [whole]), "lazy")}
    for kind in o.only.split(","):
        engines = made[kind]()
        found.update({f"2 {kind}, {mode}": (engines, mode) for mode in MODES[kind]})
    return found


def measure(o):
    """{variant: [(seconds, nodes) of each position and round]}"""
    contenders = variants(o)
    found = {name: [] for name in contenders}
    for number, fen in enumerate(positions(o.positions) * o.rounds):
        turn = number % len(contenders)
        for name in [*contenders, *contenders][turn:turn + len(contenders)]:
            engines, mode = contenders[name]
            engines.send(f"setoption name SMPMode value {mode}")
            found[name].append(engines.search(fen, o.depth))
    for engines in {id(e): e for e, _ in contenders.values()}.values():
        engines.end()
    return found


def summary(found):
    one = found["one thread"]
    return [{"variant": name, "seconds": sum(s for s, _ in samples), "nodes": sum(n for _, n in samples),
             "speedup": mean([a[0] / b[0] for a, b in zip(one, samples)]), "nodes_ratio": mean([b[1] / a[1] for a, b in zip(one, samples)]),
             "nps_ratio": mean([b[1] / b[0] / (a[1] / a[0]) for a, b in zip(one, samples)])} for name, samples in found.items()]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("tabia")
    options.add_argument("tabia_mpi")
    options.add_argument("--depth", type=int, default=15)
    options.add_argument("--rounds", type=int, default=1)
    options.add_argument("--positions", type=int, default=50)
    options.add_argument("--only", default="threads,processes,ranks")
    options.add_argument("--json", action="store_true")
    o = options.parse_args()
    mpi.GENERAL["openmpi"] = ["--oversubscribe", "--bind-to", "none"]
    found = summary(measure(o))
    if o.json:
        print(json.dumps({"depth": o.depth, "positions": o.positions, "rounds": o.rounds, "variants": found}, indent=1))
        return
    for row in found:
        print(f"{row['variant']:22} {row['seconds']:8.2f} s", *(f"{name} {row[key]['median']:.2f} ({row[key]['low']:.2f} to "
              f"{row[key]['high']:.2f})" for name, key in (("speedup", "speedup"), ("nodes", "nodes_ratio"), ("nodes a second", "nps_ratio"))))


main()
