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
import subprocess
import sys
import time


def answer(engine, end):
    """The lines up to one that begins so."""
    lines = []
    for line in engine.stdout:
        lines.append(line.rstrip())
        if line.startswith(end):
            return lines
    sys.exit("usi_mates.py: the engine has ended")


def ask(engine, text, end):
    engine.stdin.write(text + "\n")
    engine.stdin.flush()
    return answer(engine, end)


@contextlib.contextmanager
def ready(program, **options):
    """The engine, ready to be asked on one thread, and its version."""
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=os.path.dirname(program)) as engine:
        name = next(line[8:] for line in ask(engine, "usi", "usiok") if line.startswith("id name"))
        ask(engine, "".join(f"setoption name {k} value {v}\n" for k, v in {"Threads": 1, **options}.items()) + "isready", "readyok")
        yield engine, " ".join(name.split()[1:])
        engine.stdin.write("quit\n")
        engine.stdin.flush()


def mate_of(engine, sfen):
    """The moves of the mate, or none; and the nodes. After a minute the engine gives up."""
    lines = ask(engine, f"usinewgame\nposition sfen {sfen}\ngo mate 60000", "checkmate")
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
