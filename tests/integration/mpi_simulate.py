#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tabia-mpi simulate --check: the model against 2 and 4 ranks. What does not depend on time must be as predicted: how many positions
are counted, and how many are sent. How many messages they take does, since a rank sends a batch half full when it has nothing
else to do: that, bytes and seconds are judged where nothing else runs, by the command itself. Here its report must be whole, and
its exit status that of its figures (tests/unit/test_forecast.c has it say yes and no). What cannot be checked is refused in one
line.

mpi_simulate.py KIND TABIA-MPI TABIA        KIND: openmpi or mpich
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import mpi_jobs as mpi
import schema

kind, program, tabia = sys.argv[1:4]
if not shutil.which(f"mpirun.{kind}"):
    print(f"skipped: no mpirun.{kind} on this machine")
    sys.exit(77)
COUNTED = {"counted": 0.02, "sibling_sets": 0.05}
FIGURES = ["counted", "sibling_sets", "messages", "bytes", "calls_seconds", "cpu_seconds", "wall_seconds"]


def check(ranks, net, *options):
    return mpi.finish(mpi.start([*mpi.launcher(kind, net), "-n", str(ranks), program, "simulate", *options]))


def as_foretold(trace, ranks, net):
    status, out, errors = check(ranks, net, trace, "--check", "--rounds", "1", "--json")
    mpi.check(status in (0, 1), f"{ranks} ranks, {net}: status {status}, {out}{errors}")
    found = json.loads(out)
    mpi.check(not schema.faults(found), f"{ranks} ranks, {net}: {schema.faults(found)}")
    ratios = {figure["name"]: figure["ratio"] for figure in found["figures"]}
    mpi.check(found["ranks"] == ranks and list(ratios) == FIGURES, f"{ranks} ranks, {net}: {found}")
    for name, error in COUNTED.items():
        mpi.check(abs(ratios[name] - 1) <= error, f"{ranks} ranks, {net}: {name} is {ratios[name]} of what was measured; {found}")
    far = any(figure["judged"] and abs(figure["ratio"] - 1) > 0.2 for figure in found["figures"])
    mpi.check(found["holds"] == (not far) and status == far, f"{ranks} ranks, {net}: status {status}, {found}")


def says_so_in_text(trace):
    status, out, errors = check(2, "shm", trace, "--check", "--rounds", "1", "--quiet")
    rows = [line for line in out.splitlines() if re.fullmatch(r"\D+\d[\d.]* +\d[\d.]* +\d[\d.]*( .*)?", line)]
    far = any(line.endswith("beyond 20 %") for line in rows)
    mpi.check(status == far and len(rows) == len(FIGURES) and "overhead: " in out, f"status {status}: {out}{errors}")


def refused(words, *options, ranks=2):
    status, out, errors = check(ranks, "shm", *options)
    said = [line for line in errors.splitlines() if line.startswith("tabia-mpi simulate:")]
    mpi.check(status != 0 and not out and len(said) == 1 and words in said[0], f"{options}: status {status}, said {said}, {errors}")


with tempfile.TemporaryDirectory() as folder:
    start, shallow = os.path.join(folder, "start.trace"), os.path.join(folder, "shallow.trace")
    for depth, path in (("7", start), ("5", shallow)):
        subprocess.run([tabia, "simulate", "--record", depth, "--owners", "2,4", "--out", path, "--quiet"], check=True,
                       stdout=subprocess.DEVNULL, timeout=120)
    # What the model foretells is the same with each MPI: one is enough, the second shows that it gets through.
    first = "openmpi" if shutil.which("mpirun.openmpi") else kind
    for ranks, net in ((2, "shm"), (4, "shm"), (2, "tcp")) if kind == first else ((4, "shm"),):
        as_foretold(start, ranks, net)
    says_so_in_text(start)
    refused("partitions", start, "--check", ranks=3)
    refused("depth 5", shallow, "--check")
    refused("TRACE", "--check")
    refused("--rounds", start, "--check", "--rounds", "0")
    refused("--fixed", start, "--check", "--fixed")
print(f"{kind}: counted as foretold on 2 and 4 ranks; what cannot be checked is refused")
