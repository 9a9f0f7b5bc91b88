#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/plot.py draws what commands print with --json, logs of a training and result files; what it cannot draw is refused in one line.

plot.py PLOT.PY TABIA
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

plot, tabia = map(os.path.abspath, sys.argv[1:])
ROOT = os.path.dirname(os.path.dirname(plot))


def made(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True)
    assert done.returncode == 0, (words, done)
    return done.stdout


def drawn(*words, **more):
    return subprocess.run([sys.executable, plot, *words], capture_output=True, text=True, **more)


def script_of(*words, **more):
    """The script that is written where the name ends with .gp; gnuplot takes it if it is here."""
    done = drawn(*words, "--out", "x.gp", **more)
    assert done.returncode == 0 and not done.stdout, (words, done)
    with open("x.gp", encoding="utf-8") as file:
        script = file.read()
    if shutil.which("gnuplot"):
        run = subprocess.run(["gnuplot", "x.gp"], capture_output=True)
        assert run.returncode == 0 and run.stdout.rstrip().endswith(b"</svg>") and not run.stderr, (words, run.stderr)
    os.remove("x.gp")
    return script


def draws_statistics():
    stats = made(tabia, "data", "stats", "games.viri", "--json", "--quiet")
    script = script_of("-", input=stats)
    assert script.count("\nplot ") == 8 and "points by score" in script, script
    histogram = json.loads(stats)["pieces"]
    share = 100 * histogram["bins"][-1] / sum(histogram["bins"])
    assert f"\n32 {share:.6g}\n" in script, "no share of the positions with all pieces"
    for ending, head in ((".svg", b"<?xml"), (".png", b"\x89PNG")):
        if shutil.which("gnuplot"):
            assert drawn("-", "--out", "y" + ending, input=stats).returncode == 0
            with open("y" + ending, "rb") as file:
                assert file.read(5).startswith(head[:5])
            os.remove("y" + ending)


def draws_a_training():
    made(tabia, "train", "games.viri", "--out", "net", "--validation", "other.viri", "--epochs", "3", "--synthetic-epochs", "1", "--quiet")
    with open("net.log", encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    script = script_of("net.log")
    assert all(text in script for text in ("net: training", "net: validation", "learning rate", "; trained on ")), script
    last = json.loads(lines[-1])
    assert f"\n{last['all_samples'] / 1e6:.6g} {last['validation_error']:.6g}\n" in script, script
    first = json.loads(lines[0])
    assert first["synthetic"] and f"\n{first['all_samples'] / 1e6:.6g} " not in script, "epochs on synthetic samples are drawn"
    with open("growing.log", "w", encoding="utf-8") as file:  # its last line is still being written
        file.write("".join(lines) + lines[-1][:20])
    assert "growing: training" in script_of("net.log", "growing.log")
    if shutil.which("gnuplot"):
        done = drawn("net.log")
        assert done.returncode == 0 and "learning rate" in done.stdout, done
        assert max(line.count("*") for line in done.stdout.splitlines()) < 60, done.stdout  # of curves, not of a grid


def draws_a_result():
    with open(os.path.join(ROOT, "docs/results/perft-plain.json"), encoding="utf-8") as file:
        result = json.load(file)
    script = script_of(os.path.join(ROOT, "docs/results/perft-plain.json"))
    row = result["rows"][0]
    assert f"'{row['name']}' 0" in script and result["title"] in script, script
    rows = [{"name": "a `b`", "cells": {"time": {"median": 2, "low": 1, "high": 3}}}, {"name": "it's", "cells": {"time": 4}}]
    script = script_of("-", input=json.dumps({"title": "t", "columns": [{"name": "time", "unit": "ns"}], "rows": rows}))
    assert '\n0 2 1 3 "2"\n1 4 4 4 "4"\n' in script and "'a `b`' 0, 'it''s' 1" in script, script


def refuses():
    with open("no.json", "w", encoding="utf-8") as file:
        file.write('{"tabia": {"command": "perft"}}\n')
    with open("text", "w", encoding="utf-8") as file:
        file.write("no JSON\nat all\n")
    for words, text in ((["none.log"], "none.log: cannot be read: No such file"), (["text"], "text: is no JSON"),
                        (["no.json"], "no.json: is no log of a training, and no document of data stats"),
                        (["net.log", "--out", "/none/x.gp"], "plot: --out /none/x.gp: there is no such folder")):
        done = drawn(*words)
        assert done.returncode == 1 and text in done.stderr and done.stderr.count("\n") == 1, (words, done)
    assert drawn("net.log", "--out", "x.pdf").returncode == 2
    with open("full.gp", "w", encoding="utf-8") as file:
        file.write("as it was")
    done = drawn("net.log", "--out", "full.gp", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
    assert done.returncode == 1 and "plot: --out full.gp: File too large" in done.stderr, done
    with open("full.gp", encoding="utf-8") as file:
        assert file.read() == "as it was"


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    made(tabia, "gensfen", "--positions", "6000", "--depth", "1", "--hash", "64K", "--out", "games.viri", "--quiet")
    made(tabia, "gensfen", "--positions", "3000", "--depth", "1", "--seed", "9", "--hash", "64K", "--out", "other.viri", "--quiet")
    draws_statistics()
    draws_a_training()
    draws_a_result()
    refuses()
    left = [name for name in os.listdir() if name.endswith((".part", ".svg"))]
    assert not left, left
