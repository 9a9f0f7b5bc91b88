#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What commands print with --json has the form of docs/schema.json: every command that the schema knows, each with runs that
show what may be there and what may not. A member that the schema does not describe is a fault.

schema.py TABIA FAULTY_ENGINE
"""
import copy
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

import programs

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "schema.json").read_text())
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

# Made first, without --json.
PREPARE = ("gensfen --positions 400 --nodes 40 --threads 1 --out games.viri --quiet",
           "data convert games.viri --out games.bin --quiet",
           "data convert games.viri --out games.plain --quiet",
           "train games.viri --out net.bin --synthetic-epochs 0 --epochs 1 --quiet")
LINES = (
    "perft 0", "perft 3", "perft 4 --hash off --divide", "perft 2 --kinds", "perft 5 --explain", "perft 3 --ledger units.ledger", "ledger units.ledger", "perft --suite suite.epd",
    "perft 2 --against TABIA", "perft --suite suite.epd --against ENGINE", "perft 4 --against ENGINE --fen FEN", "unique 3",
    "mate mates.epd --hash 1M --quiet --verify --plies 20",
    "gensfen --positions 400 --nodes 40 --threads 1 --out games2.viri --quiet",
    "gensfen --positions 400 --nodes 40 --threads 1 --out games2.plain --quiet",
    "lab hazard --nodes 2000 --seeds 1 --quiet",
    "lab table audit --quick --quiet --bits 16", "lab table bench --quick --size 1M --rounds 1",
    "lab table stress --probes 1000 --words 2 --quiet", "data info games.viri games.bin games.plain",
    "data verify games.viri cut.viri games.bin", "data convert games.plain --to binpack --out x.binpack",
    "data convert games.viri --out x.bullet", "data shuffle games.viri --out m.viri", "data dedupe games.viri --out o.viri", "data filter games.viri --out f.viri --min-ply 20 --filter-check",
    "data split games.viri --out a.viri --out b.viri", "data sample games.viri --fraction 0.5 --out s.viri",
    "data view games.viri --count 3", "data stats games.viri", "data stats games.bin",
    "lab simulate 5 --ranks 1,2,4 --quiet",
    "network info net.bin", "data rescore games.viri --out r.viri --depth 1",
)


def faults(document):
    """One line for each fault."""
    return [f"{e.json_path}: {e.message[:300]}" for e in jsonschema.Draft202012Validator(SCHEMA).iter_errors(document)]


def can_fail(document):
    """A member too many, one too few and one of another type are found."""
    for change in (lambda d: d.update(more=1), lambda d: d.pop("nodes"), lambda d: d.update(nodes=1.5),
                   lambda d: d["tabia"].pop("commit"), lambda d: d["tabia"].update(command="perfd")):
        wrong = copy.deepcopy(document)
        change(wrong)
        if not faults(wrong):
            sys.exit(f"no fault is found in {wrong}")


def main():
    program, engine = (str(Path(path).resolve()) for path in sys.argv[1:3])
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    stand_for = {"TABIA": program, "ENGINE": engine + " no-ep", "FEN": KIWIPETE}
    seen = set()
    with tempfile.TemporaryDirectory() as folder:
        def run(line):
            words = [stand_for.get(word, word) for word in line.split()]
            return subprocess.run(programs.command(program, words), cwd=folder, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)

        Path(folder, "mates.epd").write_text("6k1/5ppp/8/8/8/8/8/KR5R w - - 0 1\n8/8/8/8/8/1k6/8/K5R1 w - - 0 1\n")
        Path(folder, "suite.epd").write_text(f"{START} ;D1 20 ;D2 401\n{KIWIPETE} ;D1 48 ;D4 4085603\n")
        for line in PREPARE:
            run(line).check_returncode()
        Path(folder, "cut.viri").write_bytes(Path(folder, "games.viri").read_bytes() + b"xyzw")
        for line in LINES:
            done = run(line + " --json")
            if done.returncode not in (0, 1):
                sys.exit(f"tabia {line}: status {done.returncode}, {done.stderr}")
            document = json.loads(done.stdout)
            if faults(document):
                sys.exit(f"tabia {line} --json is not as docs/schema.json has it:\n" + "\n".join(faults(document)[:5]))
            seen.add(document["tabia"]["command"])
            if line == "perft 3":
                can_fail(document)
    described = set(SCHEMA["$defs"]["tabia"]["properties"]["command"]["enum"])
    if seen != described:
        sys.exit(f"not seen: {sorted(described - seen)}; not described: {sorted(seen - described)}")
    print(f"{len(LINES)} documents of {len(seen)} commands are as docs/schema.json describes them")


if __name__ == "__main__":
    main()
