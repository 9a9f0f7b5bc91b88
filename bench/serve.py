#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
What it costs a search that a page shows it, and what the server costs while nothing is asked.

    bench/serve.py TABIA [--depth 20] [--rounds 5] [--positions 6] [--idle SECONDS] [--json]

The search of `tabia serve`, whose events a client reads, against the same search by UCI, whose lines a client reads: each with one
thread and a new table of 16 MiB, both at once on one processor, which gives them slices of a few milliseconds by turns, so that
what else the machine does slows both alike. Both search the same nodes until the depth is told, which is checked; what is compared
is the processor time of the whole process, with all its threads. The ratio is formed on a position and round. Idle is the processor
time of a server after the page was loaded and an analysis has ended. Beginning an analysis takes the server some milliseconds, so
that a search of a tenth of a second shows that, not what a search loses: the default depth takes seconds.
"""

import argparse
import concurrent.futures
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "integration"))
import uci_engine  # noqa: E402
from engine_runs import mean, positions, searched_nodes  # noqa: E402
from serve_client import Server  # noqa: E402

uci_engine.TIMEOUT = 300.0
HASH = 16
MATED = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"


def processor_time(pid):
    """Seconds of all threads of a process, to the nanosecond: /proc has hundredths."""
    return time.clock_gettime(((~pid) << 3) | 2)  # CPUCLOCK_SCHED of that process


class Engine:
    """A search by UCI."""

    def __init__(self, tabia):
        self.engine = uci_engine.Engine(tabia)
        self.process = self.engine.process
        self.engine.send(f"setoption name Hash value {HASH}", f"position fen {MATED}", "go depth 1")  # as the page's: a new generation
        self.engine.until("bestmove")

    def search(self, fen, depth):
        """Nodes, when the depth is told."""
        self.engine.send(f"position fen {fen}", "go infinite")
        while True:
            lines = self.engine.until(f"info depth {depth} seldepth")
            if "bound" not in lines[-1]:
                return searched_nodes(lines)

    def end(self):
        self.engine.send("stop")
        self.engine.end()


class Page:
    """The search of a server."""

    def __init__(self, tabia):
        self.server = Server(tabia, "--threads", "1", "--hash", f"{HASH}M")
        self.process = self.server.process
        self.server.get("")
        answer, events = self.server.events("analysis", fen=MATED)  # gets it its table, as `isready` does
        next(events), next(events)
        answer.close()

    def search(self, fen, depth):
        answer, events = self.server.events("analysis", fen=fen)
        nodes = next(line["nodes"] for event, line in events if event == "line" and line["depth"] == depth and line["bound"] == "exact")
        self.answer = answer  # while it is open, the search goes on
        return nodes

    def end(self):
        self.answer.close()
        self.server.end()


def timed(side, fen, depth):
    """(nodes, seconds of processor time)"""
    before = processor_time(side.process.pid)
    nodes = side.search(fen, depth)
    return nodes, processor_time(side.process.pid) - before


def searches(o):
    """[(nodes, seconds by UCI, seconds of the page)] of each position and round."""
    found = []
    for fen in positions(o.positions) * o.rounds:
        sides = Engine(o.tabia), Page(o.tabia)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            (nodes, uci), (nodes_page, page) = pool.map(lambda side: timed(side, fen, o.depth), sides)
        for side in sides:
            side.end()
        if nodes != nodes_page:
            sys.exit(f"bench/serve.py: {fen}: {nodes} nodes by UCI, {nodes_page} on the page")
        found.append((nodes, uci, page))
    return found


def idle_share(o):
    """Processor time by elapsed time, of a server whose page is open and asks for nothing."""
    server = Server(o.tabia, "--threads", "1", "--hash", f"{HASH}M")
    server.get("")
    answer, events = server.events("analysis")
    next(events)
    answer.close()
    while server.threads() > 1:
        time.sleep(0.1)
    before, began = processor_time(server.process.pid), time.monotonic()
    time.sleep(o.idle)
    share = (processor_time(server.process.pid) - before) / (time.monotonic() - began)
    server.end()
    return share


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tabia", metavar="TABIA")
    parser.add_argument("--depth", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--positions", type=int, default=6)
    parser.add_argument("--idle", type=float, default=20.0, metavar="SECONDS")
    parser.add_argument("--json", action="store_true")
    o = parser.parse_args()
    o.tabia = os.path.abspath(o.tabia)
    return o


def main():
    o = options()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # and what is started here
    found = searches(o)
    result = {"depth": o.depth, "positions": o.positions, "rounds": o.rounds, "uci": [n / s for n, s, _ in found],
              "page": [n / s for n, _, s in found], "ratio": mean([uci / page for _, uci, page in found]), "idle": idle_share(o)}
    if o.json:
        print(json.dumps(result))
        return
    r = result["ratio"]
    for name in ("uci", "page"):
        print(f"{name:4} {sorted(result[name])[len(found) // 2] / 1e6:.3f} M nodes a second of processor time (median of {len(found)})")
    print(f"the page's by UCI's: {r['median']:.4f} ({r['low']:.4f} .. {r['high']:.4f}, 95 %)")
    print(f"idle: {100 * result['idle']:.3f} % of a processor over {o.idle:g} s")


if __name__ == "__main__":
    main()
