#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/record measures and writes a result file that is whole, and knows the commands of all names.

record.py ROOT BUILD
"""
import json
import os
import subprocess
import sys
import tempfile

from programs import check

ROOT, BUILD = map(os.path.abspath, sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "bench"))
import recipes  # noqa: E402
import result_file  # noqa: E402


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


with tempfile.TemporaryDirectory() as place:
    commands_of_all()
    one_result(place)
    wrong_names()
