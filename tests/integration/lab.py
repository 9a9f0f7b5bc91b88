#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tabia-lab from outside. `simulate`: a perft is counted by simulated ranks, always alike, and never passed off as measured.
`table bench`: each experiment has a row for each of its contenders.

lab.py TABIA-LAB
"""
import json
import subprocess
import sys

LAB = sys.argv[1]


def run(line):
    return subprocess.run([LAB, *line.split()], capture_output=True, text=True, timeout=120, check=True).stdout


def simulate():
    found = json.loads(run("simulate 7 --ranks 1,2,8 --json"))
    rows = found["simulated"]
    if found["measured"] or found["leaves"] != 3195901860 or [row["ranks"] for row in rows] != [1, 2, 8]:
        sys.exit(f"not what was asked for: {found}")
    if rows[0]["speedup"] != 1 or rows[0]["messages"] or not all(a["messaging"] < b["messaging"] for a, b in zip(rows, rows[1:])):
        sys.exit(f"one rank sends nothing, and more ranks send more: {rows}")
    if abs(rows[0]["counting"] + rows[0]["messaging"] - 1) > 1e-3 or rows[0]["counting"] < 0.9:
        sys.exit(f"one rank counts: {rows[0]}")
    if json.loads(run("simulate 7 --ranks 8 --json"))["simulated"] != rows[2:]:
        sys.exit("the same ranks do something else")
    dear = json.loads(run("simulate 7 --ranks 2 --costs message=10000 --json"))["simulated"][0]
    if dear["seconds"] < 2 * rows[0]["seconds"]:
        sys.exit(f"dear messages must cost much: {dear}")
    if not run("simulate 5 --ranks 2").startswith("simulated, not measured"):
        sys.exit("it does not say that it is simulated")


simulate()
if [len(table["rows"]) for table in json.loads(run("table bench --quick --only modes --rounds 1 --threads 1 --size 1M --json"))["tables"]] != [5, 5]:
    sys.exit("a row of the bench of modes is missing")
