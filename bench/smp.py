#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
The speedup of a search to a fixed depth by N threads over one, for each SMP mode:

    lazy         threads meet in the table only, and leave out depths that others are on
    split        threads search one tree, and share the moves of a node after its first
    independent  N searches of one thread at once that share nothing: what these lose is contention
    ranks        N ranks of one thread, started by the command of --ranks; then without `independent`

    bench/smp.py TABIA [--threads 2] [--depth 13] [--rounds 3] [--hash 64] [--first N] [--ranks COMMAND] [--json]

They and one thread alternate on each of the positions, each with empty tables. The engine is used as any UCI engine is. Columns:

    seconds     to the depth, all positions and rounds together
    speedup     over one thread: the geometric mean over positions of the median of the rounds; then min, max, and the number of
                positions with a speedup above 1 (of `independent` it says nothing)
    of sums     the speedup of the sums of all seconds
    nodes       to the depth against one thread's, geometric mean and of the sums: what is above 1 was searched in vain
    nps         nodes a second against one thread's, as the clock saw them
    nps cpu     the same by the processor time that the threads had: as if each had a processor for itself

Of the sums, the speedup is nps / nodes. Where other programs run, a thread that has to wait for its processor spoils all of them but nps
cpu. Threads race, so nodes and seconds differ from run to run; those of one thread's nodes do not.
"""

import argparse
import collections
import json
import math
import os
import re
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "integration"))
import mpi_jobs  # noqa: E402

POSITIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "smp_positions.epd")
NODES = re.compile(r"info depth (\d+) .*\bnodes (\d+) ")
COLUMNS = {"variant": "", "nodes": "nodes", "seconds": "seconds", "speedup": "speedup", "speedup_least": "min", "speedup_most": "max",
           "positions_faster": "faster", "speedup_of_sums": "of sums", "nodes_ratio": "nodes, ratio", "nodes_ratio_of_sums": "of sums",
           "nps_ratio": "nps", "nps_cpu_ratio": "nps cpu"}
Sample = collections.namedtuple("Sample", "seconds cpu nodes")


class Engine:
    """One process, with these options."""

    def __init__(self, program, values):
        self.process = subprocess.Popen(program.split(), env=mpi_jobs.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.send(*(f"setoption name {name} value {value}" for name, value in values.items()))

    def send(self, *lines):
        try:
            self.process.stdin.write("".join(line + "\n" for line in lines))
        except OSError:
            pass  # it has ended; whoever waits for its answer will see

    def until(self, word):
        """The lines up to one that begins with the word."""
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(word):
                return lines
        sys.exit(f"bench/smp.py: the engine ended without {word}")

    def cpu(self):
        """Processor seconds so far, of all its threads and ranks."""
        ticks = 0
        for pid in [self.process.pid, *mpi_jobs.children(self.process.pid)]:
            with open(f"/proc/{pid}/stat", encoding="ascii") as file:
                fields = file.read().rsplit(") ", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")


def search(engines, fen, depth):
    """A sample of the engines of a variant at once, until the last has ended."""
    for engine in engines:
        engine.send("ucinewgame", f"position fen {fen}", "isready")
        engine.until("readyok")
    cpu, began = sum(e.cpu() for e in engines), time.monotonic()
    for engine in engines:
        engine.send(f"go depth {depth}")
    ends = [[m for m in map(NODES.match, engine.until("bestmove")) if m][-1] for engine in engines]
    seconds = time.monotonic() - began
    if any(int(end[1]) < depth for end in ends):
        sys.exit(f"bench/smp.py: a search to depth {depth} ended before it: {fen}")
    return Sample(seconds, sum(e.cpu() for e in engines) - cpu, sum(int(end[2]) for end in ends))


def measure(o, positions):
    """{variant: [[sample of each round] of each position]}. The first variant changes from round to round."""
    single, several = {"Hash": o.hash, "Threads": 1}, {"Hash": o.hash, "Threads": o.threads}
    variants = {"one thread": [single], **{mode: [{**several, "SMPMode": mode}] for mode in ("lazy", "split")},
                **({"ranks": [single]} if o.ranks else {"independent": [single] * o.threads})}
    engines = {name: [Engine(o.ranks if name == "ranks" else o.tabia, values) for values in each] for name, each in variants.items()}
    samples = {name: [[] for _ in positions] for name in engines}
    names = list(engines)
    for number in range(o.rounds):
        for at, fen in enumerate(positions):
            first = (number + at) % len(names)
            for name in names[first:] + names[:first]:
                samples[name][at].append(search(engines[name], fen, o.depth))
        print(f"  round {number + 1} of {o.rounds}", file=sys.stderr, flush=True)
    for each in engines.values():
        for engine in each:
            engine.send("quit")
            engine.process.wait()
    return samples


def geometric_mean(numbers):
    return math.exp(statistics.fmean(map(math.log, numbers)))


def sums(rounds):
    return Sample(*(sum(values) for values in zip(*(sample for position in rounds for sample in position))))


def result(name, own, one, threads):
    """A row; ratios are to one thread."""
    speedups = [statistics.median(b.seconds / a.seconds for a, b in zip(*pair)) for pair in zip(own, one)]
    nodes = [sum(a.nodes for a in mine) / sum(b.nodes for b in theirs) for mine, theirs in zip(own, one)]
    all_own, all_one = sums(own), sums(one)
    of_sums, nodes_of_sums = all_one.seconds / all_own.seconds, all_own.nodes / all_one.nodes
    return {"variant": name, "nodes": all_own.nodes, "seconds": all_own.seconds, "cpu_seconds": all_own.cpu, "speedup": geometric_mean(speedups),
            "speedup_least": min(speedups), "speedup_most": max(speedups), "positions_faster": sum(s > 1 for s in speedups),
            "speedup_of_sums": of_sums, "nodes_ratio": geometric_mean(nodes), "nodes_ratio_of_sums": nodes_of_sums,
            "nps_ratio": nodes_of_sums * of_sums, "nps_cpu_ratio": nodes_of_sums * all_one.cpu * threads / max(all_own.cpu, 1e-9)}


def print_table(rows):
    cells = [list(COLUMNS.values()), *([f"{row[name]:.3f}" if isinstance(row[name], float) else str(row[name]) for name in COLUMNS] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    for line in cells:
        print("   ".join(cell.rjust(width) if at else cell.ljust(width) for at, (cell, width) in enumerate(zip(line, widths))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tabia", metavar="TABIA")
    for name, initial in (("threads", 2), ("depth", 13), ("rounds", 3), ("hash", 64), ("first", 1000)):
        parser.add_argument("--" + name, type=int, default=initial)
    parser.add_argument("--positions", default=POSITIONS, metavar="FILE", help="a FEN a line; default: fifty of our own")
    parser.add_argument("--ranks", metavar="COMMAND", help="mpirun ... tabia-mpi")
    parser.add_argument("--json", action="store_true")
    o = parser.parse_args()
    with open(o.positions, encoding="ascii") as file:
        positions = [line.strip() for line in file if line.strip() and not line.startswith("#")][:o.first]
    samples = measure(o, positions)
    rows = [result(name, own, samples["one thread"], 1 if name == "one thread" else o.threads) for name, own in samples.items()]
    if o.json:
        print(json.dumps({"threads": o.threads, "positions": len(positions), "depth": o.depth, "rounds": o.rounds, "variants": rows}))
    else:
        print(f"{o.threads} threads against one, {len(positions)} positions to depth {o.depth}, {o.rounds} rounds\n")
        print_table(rows)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
