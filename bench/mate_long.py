#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Long mates of shogi, one process for each, on one thread: the first mate found and the walk through its proof, and beside it
what a USI engine finds, as JSON. MATE_PROBLEMS is a file outside the tree with a problem on each line: name, published plies (or
nothing), source, SFEN, separated by tabs; lines that begin with # are passed over.

    MATE_PROBLEMS=FILE [KOMORINGHEIGHTS=PROGRAM] bench/mate_long.py TABIA_SHOGI
"""
import json
import os
import subprocess
import sys
import tempfile
import time

from usi_mates import mate_of, ready

HASH_MIB, NODES = 1024, 4000000


def solve(program, sfen):
    with tempfile.NamedTemporaryFile("w", suffix=".sfen") as file:
        file.write(sfen + "\n")
        file.flush()
        done = subprocess.run([program, "mate", file.name, "--first", "--verify", "--json", "--quiet", "--hash", f"{HASH_MIB}M",
                               "--nodes", str(NODES), "--threads", "1"], stdout=subprocess.PIPE, text=True)
    if done.returncode > 1:
        sys.exit(f"mate_long.py: {program}: exit status {done.returncode}")
    return json.loads(done.stdout)["problems"][0]


def ask_engine(program, sfen):
    """Its version, plies of its mate (None: it has none), nodes and seconds."""
    with ready(program, USI_Hash=HASH_MIB, PostSearchLevel="None") as (engine, version):
        began = time.monotonic()
        moves, nodes = mate_of(engine, sfen)
        return {"version": version, "plies": len(moves) or None, "nodes": nodes, "seconds": time.monotonic() - began}


def main(program):
    path, engine, found = os.environ.get("MATE_PROBLEMS"), os.environ.get("KOMORINGHEIGHTS"), []
    if not path:
        sys.exit("mate_long.py: MATE_PROBLEMS names no file of problems; the head of mate_long.py describes it")
    with open(path, encoding="utf-8") as file:
        problems = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    for name, published, source, sfen, *_ in problems:
        print(f"    {name}", file=sys.stderr, flush=True)
        found.append({"name": name, "published": int(published) if published else None, "source": source, **solve(program, sfen),
                      "engine": ask_engine(engine, sfen) if engine else None})
    print(json.dumps({"problems": found}))


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) == 2 else sys.exit(__doc__.strip())
