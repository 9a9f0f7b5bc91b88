#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tabia-lab from outside. `simulate`: a perft is counted by simulated ranks, always alike, and never passed off as measured; what is wrong is refused.

lab.py TABIA-LAB
"""
import json
import subprocess
import sys

LAB = sys.argv[1]
GOOD, USAGE = 0, 2


def run(status, *words):
    done = subprocess.run([LAB, "simulate", *words], capture_output=True, text=True, timeout=120)
    if done.returncode != status:
        sys.exit(f"{words}: status {done.returncode} instead of {status}: {done.stdout}{done.stderr}")
    if status != GOOD and (done.stdout or done.stderr.count("\n") != 1):
        sys.exit(f"{words}: one line on standard error is wanted, not {done.stdout!r} {done.stderr!r}")
    return done.stdout


def simulate():
    found = json.loads(run(GOOD, "7", "--ranks", "1,2,8", "--json"))
    rows = found["simulated"]
    if found["measured"] or found["leaves"] != 3195901860 or [row["ranks"] for row in rows] != [1, 2, 8]:
        sys.exit(f"not what was asked for: {found}")
    if rows[0]["speedup"] != 1 or rows[0]["messages"] or not all(a["messaging"] < b["messaging"] for a, b in zip(rows, rows[1:])):
        sys.exit(f"one rank sends nothing, and more ranks send more: {rows}")
    if json.loads(run(GOOD, "7", "--ranks", "8", "--json"))["simulated"] != rows[2:]:
        sys.exit("the same ranks do something else")
    dear = json.loads(run(GOOD, "7", "--ranks", "2", "--costs", "message=10000", "--json"))["simulated"][0]
    if dear["seconds"] < 2 * rows[0]["seconds"]:
        sys.exit(f"dear messages must cost much: {dear}")
    if not run(GOOD, "5", "--ranks", "2").startswith("simulated, not measured"):
        sys.exit("it does not say that it is simulated")
    for words in ([], ["--ranks", "2,x", "6"], ["--costs", "speed=1", "6"], ["4"], ["6", "--fen", "8/8"]):
        run(USAGE, *words)


simulate()
