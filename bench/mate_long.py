#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Long mates of shogi, one process for each, on one thread: the first mate found and the walk through its proof, and beside it
what a USI engine finds, as JSON. MATE_PROBLEMS is a file outside the tree with a problem on each line: name, published plies (or
nothing), source, SFEN, separated by tabs; lines that begin with # are passed over.

    MATE_PROBLEMS=FILE [KOMORINGHEIGHTS=PROGRAM] bench/mate_long.py TABIA_SHOGI [--nodes N] [--hash MIB] [--threads N]
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from usi_mates import ask


def solve(o, sfen):
    with tempfile.NamedTemporaryFile("w", suffix=".sfen") as file:
        file.write(sfen + "\n")
        file.flush()
        done = subprocess.run([o.program, "mate", file.name, "--first", "--verify", "--json", "--quiet", "--hash", f"{o.hash}M",
                               "--nodes", str(o.nodes), "--threads", str(o.threads)], stdout=subprocess.PIPE, text=True)
    if done.returncode > 1:
        sys.exit(f"mate_long.py: {o.program}: exit status {done.returncode}")
    return json.loads(done.stdout)["problems"][0]


def ask_engine(program, o, sfen):
    """Its version, plies of its mate (None: it has none), nodes and seconds."""
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=os.path.dirname(program)) as engine:
        name = next(line[8:] for line in ask(engine, "usi", "usiok") if line.startswith("id name"))
        ask(engine, f"setoption name USI_Hash value {o.hash}\nsetoption name Threads value {o.threads}\n"
                    "setoption name PostSearchLevel value None\nisready", "readyok")
        began = time.monotonic()
        lines = ask(engine, f"usinewgame\nposition sfen {sfen}\ngo mate {1000 * o.seconds}", "checkmate")
        seconds = time.monotonic() - began
        engine.stdin.write("quit\n")
        engine.stdin.flush()
    moves = lines[-1].split()[1:]
    nodes = max((int(n) for line in lines for n in re.findall(r" nodes (\d+)", line)), default=0)
    return {"version": " ".join(name.split()[1:]), "plies": len(moves) if re.match(r"\d|[A-Z]\*", moves[0]) else None, "nodes": nodes,
            "seconds": seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--nodes", type=int, default=4000000)
    parser.add_argument("--hash", type=int, default=1024, help="MiB")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=60, help="of the other engine")
    o = parser.parse_args()
    with open(os.environ["MATE_PROBLEMS"], encoding="utf-8") as file:
        problems = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    engine, found = os.environ.get("KOMORINGHEIGHTS"), []
    for name, published, source, sfen, *_ in problems:
        print(f"    {name}", file=sys.stderr, flush=True)
        found.append({"name": name, "published": int(published) if published else None, "source": source, **solve(o, sfen),
                      "engine": ask_engine(engine, o, sfen) if engine else None})
    print(json.dumps({"problems": found}))


if __name__ == "__main__":
    main()
