#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
The engine along games by each replacement rule of its table, or by each value of another option: nodes to a depth, and processor
time, of which the time for a node follows.

    bench/replacement.py TABIA [--games N] [--plies N] [--depth N] [--hash MIB,...] [--json]
    bench/replacement.py TABIA --option PathKey --values off,fifty-count ...

The games are the engine's own, a few random moves and then 20,000 nodes a move. Of each game one side's positions are searched one
after the other, to the same depth, with the table that the searches before left behind, as in a match. One thread: the nodes are the
same on every run. The values take turns game by game; ratios are of one game, by a value to that by the first.
"""

import argparse
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "integration"))
import uci_engine  # noqa: E402
from engine_runs import mean, processor_seconds, searched_nodes  # noqa: E402

RULES = "always,depth-and-age"
NODES_A_MOVE = 20000
uci_engine.TIMEOUT = 600.0


def make_games(binary, games, plies):
    """For each game the lines `position ...` of every second ply."""
    engine = uci_engine.Engine(binary)
    engine.send(f"genfens {games} seed 1 book None")
    openings = [re.sub(r"^info string genfens ", "", line) for line in engine.ready() if "genfens " in line]
    found = []
    for fen in openings:
        moves, lines = [], []
        engine.send("ucinewgame")
        while len(moves) < 2 * plies:
            line = f"position fen {fen}" + (" moves " + " ".join(moves) if moves else "")
            engine.send(line, f"go nodes {NODES_A_MOVE}")
            best = engine.best()
            if best == "(none)":
                break
            if len(moves) % 2 == 0:
                lines.append(line)
            moves.append(best)
        found.append(lines)
    engine.end()
    return found


class Player:
    """An engine with one value of the option and one size of table."""

    def __init__(self, binary, option, value, size):
        self.engine = uci_engine.Engine(binary)
        self.engine.send(f"setoption name Hash value {size}", f"setoption name {option} value {value}")
        assert not any("info string" in line for line in self.engine.ready())
        self.nodes, self.seconds = [], []

    def play(self, lines, depth):
        self.engine.send("ucinewgame")
        self.engine.ready()
        before, nodes = processor_seconds(self.engine.process.pid), 0
        for line in lines:
            self.engine.send(line, f"go depth {depth}")
            said = self.engine.until("bestmove")
            nodes += searched_nodes(said)
        self.engine.ready()
        self.nodes.append(nodes)
        self.seconds.append(processor_seconds(self.engine.process.pid) - before)


def measure(o, games, size):
    values = o.values.split(",")
    players = {value: Player(o.tabia, o.option, value, size) for value in values}
    for number, lines in enumerate(games):
        turn = number % len(values)
        for value in values[turn:] + values[:turn]:
            players[value].play(lines, o.depth)
    for player in players.values():
        player.engine.end()
    first = players[values[0]]
    return [{"rule": value, "hash": size, "nodes": sum(p.nodes), "seconds": sum(p.seconds),
             "nodes_ratio": mean([a / b for a, b in zip(p.nodes, first.nodes)]),
             "seconds_ratio": mean([a / b for a, b in zip(p.seconds, first.seconds)]),
             "node_time_ratio": mean([(a / c) / (b / d) for a, b, c, d in zip(p.seconds, first.seconds, p.nodes, first.nodes)])}
            for value, p in players.items()]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("tabia")
    options.add_argument("--games", type=int, default=24)
    options.add_argument("--plies", type=int, default=10, help="of one side")
    options.add_argument("--depth", type=int, default=13)
    options.add_argument("--hash", default="1,4,16")
    options.add_argument("--option", default="Replacement")
    options.add_argument("--values", default=RULES)
    options.add_argument("--json", action="store_true")
    o = options.parse_args()
    games = make_games(o.tabia, o.games, o.plies)
    found = [row for size in o.hash.split(",") for row in measure(o, games, int(size))]
    if o.json:
        print(json.dumps({"games": len(games), "depth": o.depth, "positions": sum(map(len, games)), "rows": found}, indent=1))
        return
    for r in found:
        ratios = (f"{what} {r[key]['median']:.3f} ({r[key]['low']:.3f} to {r[key]['high']:.3f})" for what, key in
                  (("nodes", "nodes_ratio"), ("time", "seconds_ratio"), ("time a node", "node_time_ratio")))
        print(f"{r['hash']:4} MiB {r['rule']:14} {r['nodes']:12} nodes, ratios: {', '.join(ratios)}")


main()
