#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tabia-lab from outside. `simulate`: a trace is recorded, simulated, drawn, and never passed off as measured; what is wrong is refused.

lab.py TABIA-LAB
"""
import json
import os
import subprocess
import sys
import tempfile

LAB = sys.argv[1]
GOOD, USAGE, OUTSIDE = 0, 2, 3


def run(status, *words):
    done = subprocess.run([LAB, "simulate", *words], capture_output=True, text=True, timeout=120)
    if done.returncode != status:
        sys.exit(f"{words}: status {done.returncode} instead of {status}: {done.stdout}{done.stderr}")
    if status != GOOD and (done.stdout or done.stderr.count("\n") != 1):
        sys.exit(f"{words}: one line on standard error is wanted, not {done.stdout!r} {done.stderr!r}")
    return done.stdout


def damage(path, at):
    """Another byte than was there: the trace holds times, which may be any."""
    with open(path, "r+b") as file:
        file.seek(at)
        was = file.read(1)[0]
        file.seek(at)
        file.write(bytes([was ^ 1]))


def simulate(folder):
    trace, plot = os.path.join(folder, "start6.trace"), os.path.join(folder, "plot.gp")
    made = json.loads(run(GOOD, "--record", "7", "--owners", "2,8", "--out", trace, "--json"))
    if (made["leaves"], made["units"], made["probes"]) != (3195901860, 68, 0):
        sys.exit(f"not the perft it should be: {made}")
    if [partition["owners"] for partition in made["partitions"]] != [1, 2, 8]:
        sys.exit(f"not the partitions that it should record: {made}")

    found = json.loads(run(GOOD, trace, "--json", "--plot", plot))
    rows = found["simulated"]
    if found["measured"] or [row["ranks"] for row in rows] != [2, 8]:
        sys.exit(f"not what was asked for: {found}")
    if not all(a["overhead"] < b["overhead"] for a, b in zip(rows, rows[1:])):
        sys.exit(f"more ranks must cost more: {rows}")
    if "simulated" not in open(plot, encoding="utf-8").read() or not run(GOOD, trace).startswith("simulated, not measured"):
        sys.exit("it does not say that it is simulated")
    alone, dear = (json.loads(run(GOOD, trace, "--json", "--ranks", ranks, "--costs", "message=1000000"))["simulated"][0]
                   for ranks in ("1", "2"))
    if alone["overhead"] != 0 or dear["overhead"] < 10:
        sys.exit(f"one rank costs nothing, and dear messages much: {alone} {dear}")
    fixed = json.loads(run(GOOD, trace, "--json", "--ranks", "2,8", "--fixed"))["simulated"]
    if abs(fixed[0]["work_seconds"] - fixed[1]["work_seconds"]) > 1e-9:
        sys.exit(f"the work is not the same: {fixed}")

    least = os.path.join(folder, "start5.trace")
    made = json.loads(run(GOOD, "--record", "5", "--owners", "2,4", "--out", least, "--json"))
    if made["leaves"] != 4865609 or {partition["counted"] for partition in made["partitions"]} != {8902}:
        sys.exit(f"owners that count two plies: {made}")
    os.remove(least)

    run(USAGE, trace, "--ranks", "3")
    damage(trace, 5000)
    run(USAGE, trace)
    run(USAGE, os.path.join(folder, "none"))
    for words in ([], [trace, trace], [trace, "--ranks", "0"], [trace, "--ranks", ""], [trace, "--costs", "speed=1"], ["--record", "6"],
                  [trace, "--nonsense"], ["--record", "3", "--out", trace], ["--record", "6", "--out", trace, trace],
                  ["--record", "6", "--leaf-parents", "5", "--out", trace], ["--record", "6", "--owners", "1", "--out", trace],
                  ["--record", "6", "--fen", "8/8", "--out", trace]):
        run(USAGE, *words)
    if sorted(os.listdir(folder)) != ["plot.gp", "start6.trace"]:
        sys.exit(f"left behind: {os.listdir(folder)}")


with tempfile.TemporaryDirectory() as place:
    simulate(place)
