# SPDX-License-Identifier: MIT
"""
tabia-shogi perft from outside: known counts by every kernel, with and without a table, on threads, from a ledger; mates;
unique positions; and the faults of another generator by name.

    shogi_perft.py TABIA-SHOGI SUITE
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = Path(__file__).parents[2] / "docs" / "schema.json"
PAWN_DROP_MATES = "R7g/2K1S1SSk/4B4/5B3/9/9/9/9/1L1L1L3 b RGSNLP2g3n17p 3"
# Another generator, by ours: COMMAND DEPTH SFEN [MOVES], and a move that it lists too many where `extra` names a position.
OTHER = """#!/bin/sh
moves=$3
{binary} perft $1 --sfen "$2" ${{moves:+--moves "$moves"}} --divide --quiet > "{folder}/divide"
case "$2$3" in *"{extra}"*) echo "P*1c: 1" >> "{folder}/divide" ;; esac
grep -v Nodes "{folder}/divide"
grep ": " "{folder}/divide" | grep -v Nodes | awk '{{ sum += $2 }} END {{ print sum }}'
"""


def run(*arguments, status=0):
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=300)
    assert done.returncode == status, (arguments, done)
    return done.stdout + done.stderr


def last(*arguments):
    return run(*arguments, "--quiet").splitlines()[-1]


def kernels(binary):
    line = run(binary, "--version").splitlines()[-1]
    return line.replace("(this CPU also runs ", "").replace(",", "").replace(")", "").split()[1:]


def counts(binary, suite):
    for kernel in kernels(binary):
        for more in (["--hash", "off"], ["--hash", "64K", "--threads", "3"], ["--keys", "7"]):
            reported = last(binary, "perft", "--suite", suite, "--max-nodes", "3000000", "--kernel", kernel, *more)
            assert reported.endswith(" 0 failures"), (kernel, more, reported)
    reported = last(binary, "perft", "--suite", suite, "--max-nodes", "60000000", "--hash", "off")
    assert reported.endswith(" 0 failures"), reported
    assert last(binary, "perft", "5") == "Nodes searched: 19861490"
    assert last(binary, "perft", "1", "--moves", "7g7f 3c3d") == "Nodes searched: 39"
    divide = run(binary, "perft", "2", "--divide", "--quiet").splitlines()
    assert "7g7f: 30" in divide and len(divide) == 32, divide


def mates(binary, suite):
    """A move without a reply mates; so many has each position of the suite, by both ways of counting."""
    with open(suite, encoding="utf-8") as file:
        positions = [line.split(" ;")[0] for line in file if not line.startswith("#")]
    found = 0
    for sfen in positions:
        divide = run(binary, "perft", "2", "--divide", "--quiet", "--sfen", sfen).splitlines()
        expected = sum(line.endswith(": 0") for line in divide)
        reported = last(binary, "perft", "1", "--mates", "--sfen", sfen)
        assert reported == f"Mates: {expected}", (sfen, reported, expected)
        found += expected
    assert found > 10, found
    assert last(binary, "perft", "1", "--mates", "--sfen", PAWN_DROP_MATES) == "Mates: 9"
    kinds = run(binary, "perft", "5", "--kinds", "--quiet").splitlines()  # as published, but for drops
    assert kinds[-5:] == ["Captures: 113680", "Promotions: 57214", "Drops: 2776", "Checks: 71434", "Mates: 0"], kinds
    deep = ["perft", "3", "--mates", "--sfen", positions[1]]
    assert last(binary, *deep) == last(binary, *deep, "--hash", "off", "--kernel", "portable") == "Mates: 2749"


def ledger(binary, folder):
    name = os.path.join(folder, "five.ledger")
    first = run(binary, "perft", "5", "--ledger", name)
    again = run(binary, "perft", "5", "--ledger", name)
    assert "30 of 30 units, 100.0 %" in run(binary, "ledger", name)
    assert "units taken from ledger" in again and "Nodes searched: 19861490\n" in again, (first, again)
    assert "ledger" in run(binary, "perft", "5", "--mates", "--ledger", name, status=3)


def unique(binary):
    reported = run(binary, "unique", "4", "--quiet").splitlines()
    assert reported[-1] == "ply 4: 203803 unique positions, 719731 paths", reported


def document(text):
    """As docs/schema.json has it, where that can be judged."""
    reported = json.loads(text)
    if jsonschema:
        jsonschema.validate(reported, json.loads(SCHEMA.read_text(encoding="utf-8")))
    return reported


def documents(binary, folder):
    assert document(run(binary, "perft", "2", "--json", "--quiet"))["sfen"].startswith("lnsg")
    wrong = os.path.join(folder, "wrong.epd")
    with open(wrong, "w", encoding="utf-8") as file:
        file.write("8k/9/9/9/9/9/9/9/K8 b - 1 ;D1 4\n8k/9/9/9/9/9/9/9/K8 w P ;D1 3\n8k/9/9/9/9/9/9/9/K8 b D1 3\n")
    reported = document(run(binary, "perft", "--suite", wrong, "--json", "--quiet", status=1))
    assert [(f["line"], f["sfen"], f["got"]) for f in reported["failures"]] == [(1, "8k/9/9/9/9/9/9/9/K8 b - 1", 3)], reported


def faults(binary, folder):
    def compare(extra, status, *more):
        script = os.path.join(folder, "other")
        with open(script, "w", encoding="utf-8") as file:
            file.write(OTHER.format(binary=binary, folder=folder, extra=extra))
        os.chmod(script, 0o755)
        return run(binary, "perft", *more, "--against", script, "--protocol", "perftree", status=status)

    assert "no difference" in compare("nowhere", 0, "3")
    reported = compare(PAWN_DROP_MATES, 1, "1", "--sfen", PAWN_DROP_MATES)
    assert "extra    P*1c   P*1c: a dropped pawn may not mate" in reported, reported
    reported = document(compare("7g7f", 1, "1", "--moves", "7g7f", "--json"))
    assert reported["compared"][0]["moves"] == "7g7f" and reported["compared"][0]["extra"][0]["usi"] == "P*1c", reported


def refusals(binary):
    for line, text in ((["perft", "3", "--chess960"], "--chess960"), (["perft", "3", "--fen", "x"], "--fen"),
                       (["perft", "x"], "DEPTH"), (["benches"], "benches"),
                       (["perft", "3", "--moves", "2h2b"], "2h2b"), (["perft", "--suite", "x", "--sfen", "y"], "SFEN")):
        reported = run(binary, *line, status=2)
        assert reported.startswith("tabia-shogi") and text in reported and reported.count("\n") == 1, (line, reported)


def main(binary, suite):
    with tempfile.TemporaryDirectory() as folder:
        counts(binary, suite)
        mates(binary, suite)
        ledger(binary, folder)
        unique(binary)
        documents(binary, folder)
        faults(binary, folder)
        refusals(binary)
    print("counts, mates, ledger, unique positions, faults and refusals are as they should be")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
