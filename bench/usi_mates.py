#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Asks a USI engine for the mates of a file with an SFEN on each line, on one thread and with 64 MiB, and prints how many it
finds, its nodes and its time as JSON; null without an engine. Lines that begin with { are passed over.

    KOMORINGHEIGHTS=PROGRAM bench/usi_mates.py FILE
"""
import contextlib
import json
import os
import re
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "integration"))
from uci_engine import Engine  # noqa: E402


@contextlib.contextmanager
def ready(program, **options):
    """The engine, ready to be asked on one thread, and its version."""
    engine = Engine(program, cwd=os.path.dirname(program))
    engine.send("usi")
    name = next(line[8:] for line in engine.until("usiok") if line.startswith("id name"))
    engine.send(*(f"setoption name {k} value {v}" for k, v in {"Threads": 1, **options}.items()))
    engine.ready()
    yield engine, " ".join(name.split()[1:])
    engine.end()


def mate_of(engine, sfen):
    """The moves of the mate, or none; and the nodes. After a minute the engine gives up."""
    engine.send("usinewgame", f"position sfen {sfen}", "go mate 60000")
    lines = engine.until("checkmate", 120)
    moves = lines[-1].split()[1:]
    nodes = max((int(n) for line in lines for n in re.findall(r" nodes (\d+)", line)), default=0)
    return [] if moves[0] in ("nomate", "timeout", "notimplemented") else moves, nodes


def main(path):
    program = os.environ.get("KOMORINGHEIGHTS")
    if not program:
        return None
    with open(path, encoding="utf-8") as file:
        problems = [line.strip() for line in file if not line.startswith("{")]
    with ready(program, USI_Hash=64) as (engine, version):
        began = time.monotonic()
        found = [mate_of(engine, problem) for problem in problems]
        seconds = time.monotonic() - began
    return {"version": version, "problems": len(problems), "right": sum(bool(moves) for moves, _ in found),
            "nodes": sum(nodes for _, nodes in found), "seconds": round(seconds, 3)}


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
