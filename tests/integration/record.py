#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/record measures and writes a result file that is whole, and knows the commands of all names.

record.py ROOT BUILD
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile

ROOT, BUILD = map(os.path.abspath, sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "bench"))
import hazard_law  # noqa: E402
import plots  # noqa: E402
import recipes  # noqa: E402
import result_file  # noqa: E402


def check(good, what):
    if not good:
        sys.exit(what)


def record(*words):
    run = subprocess.run([sys.executable, os.path.join(ROOT, "bench", "record"), *words], capture_output=True, text=True)
    return run.returncode, run.stdout, run.stderr


def commands_of_all():
    status, out, errors = record(*recipes.RECIPES, "--dry-run")
    check(status == 0 and len(out.splitlines()) == len(recipes.RECIPES), f"not a line for each name: {errors}")
    check("{" not in out and ROOT not in out, "a word of a command is not filled in, or names this machine")


def one_result(folder):
    """The quickest: does the file hold all fields, and the rows that the program printed?"""
    path = os.path.join(folder, "bench.json")
    status, _, errors = record("search-bench", "--repetitions", "1", "--out", path, "--build", BUILD)
    check(status == 0, errors)
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    faults = result_file.faults(result)
    check(not faults, "; ".join(faults))
    check(result["source"] == "measured" and result["repetitions"] == 1, "not as it was measured")
    check(result["rows"][0]["cells"]["nodes"] > 0, "no nodes")


def wrong_names():
    status, _, errors = record("no-such-name")
    check(status == 2 and "no result no-such-name; --list names them" in errors, errors)


def hazard_is_read():
    """What it prints becomes rows without a fault, and a plot with a point or an arrow for each row and rate."""
    run = subprocess.run([os.path.join(BUILD, "tabia-lab"), "hazard", "--series", "size,cures", "--seeds", "2", "--run-nodes",
                          "20000", "--json", "--quiet"], capture_output=True, text=True)
    recipe = recipes.RECIPES["gensfen-hazard"]
    rows, notes = recipe.read({"": [argparse.Namespace(output=run.stdout)]})
    result = {"name": "x", "title": "x", "source": "measured", "rows": rows, "columns": recipe.columns, "notes": notes}
    faults = result_file.row_faults(result)
    check(run.returncode == 0 and not faults and len(rows) == 12, f"{run.stderr}{faults}")
    named = {c["name"]: c for c in recipe.columns}
    sizes = {**result, "rows": rows[:7]}
    script = plots.lines(sizes, [named["size"]], [named["falls"], named["incidents"]], "x", {"logarithmic"})
    drawn = re.findall(r"^\$p0c\d(?:marks|arrows) << EOD\n(.*?)^EOD", script, re.MULTILINE | re.DOTALL)
    check(sum(block.count("\n") for block in drawn) == 14, "not two marks for each size")


def law_is_found():
    """Of counts that follow a law exactly, with its error and no deviance."""
    fit = hazard_law.fitted([(bits, 2.0 ** (20 - bits), 1e6) for bits in (8, 10, 12, 14, 16)])
    check(abs(fit.slope + math.log(2)) < 1e-9 and fit.deviance < 1e-9 and 0 < fit.error < 0.1 and fit.freedom == 3, f"{fit}")


with tempfile.TemporaryDirectory() as place:
    commands_of_all()
    one_result(place)
    wrong_names()
    hazard_is_read()
    law_is_found()
