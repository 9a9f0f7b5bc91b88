#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Asks a USI engine for the mates of a file with an SFEN on each line, on one thread and with 64 MiB, and prints how many it
finds, its nodes and its time as JSON; null without an engine. Lines that begin with { are passed over.

    KOMORINGHEIGHTS=PROGRAM bench/usi_mates.py FILE
"""
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


def main(path):
    program = os.environ.get("KOMORINGHEIGHTS")
    if not program:
        return None
    with open(path, encoding="utf-8") as file:
        problems = [line.strip() for line in file if not line.startswith("{")]
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=os.path.dirname(program)) as engine:
        name = next(line[8:] for line in ask(engine, "usi", "usiok") if line.startswith("id name"))
        ask(engine, "setoption name USI_Hash value 64\nsetoption name Threads value 1\nisready", "readyok")
        right, nodes, began = 0, 0, time.monotonic()
        for problem in problems:
            lines = ask(engine, f"usinewgame\nposition sfen {problem}\ngo mate 60000", "checkmate")
            right += lines[-1].split()[1] not in ("nomate", "timeout", "notimplemented")
            nodes += max((int(n) for line in lines for n in re.findall(r" nodes (\d+)", line)), default=0)
        seconds = time.monotonic() - began
        engine.stdin.write("quit\n")
        engine.stdin.flush()
    return {"version": " ".join(name.split()[1:]), "problems": len(problems), "right": right, "nodes": nodes, "seconds": round(seconds, 3)}


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
