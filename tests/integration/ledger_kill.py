#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills a perft with a ledger again and again: the total must be exact all the same.

ledger_kill.py TABIA [SEED]

The moment of a kill is drawn as a number of records, so that every machine, fast or slow, is killed all along the way;
after them a random part of a millisecond passes. A run that ends before its turn must be right, and another begins.
"""
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import time

from programs import check, seeded

KILLS = 20
DEPTH, NODES = 7, 3195901860
RECORD_BYTES = 32  # about; only the moments of the kills depend on it
tabia = sys.argv[1]
seed, draw = seeded(2)


def start(ledger, depth=DEPTH, table="16M"):
    command = [tabia, "perft", str(depth), "--threads", "2", "--hash", table, "--ledger", ledger, "--quiet"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(run):
    """Exit status, total (None if there is none), what was said on stderr."""
    out, errors = run.communicate()
    lines = out.splitlines()
    counted = lines and lines[-1].startswith("Nodes searched: ")
    return run.returncode, int(lines[-1].split()[-1]) if counted else None, errors


def check_total(run, what):
    status, total, errors = finish(run)
    check(status == 0 and total == NODES, f"{what}: status {status}, {total} and not {NODES}; {errors}")
    return errors


def size(ledger):
    return os.path.getsize(ledger) if os.path.exists(ledger) else 0


def records(ledger):
    """Unit numbers of the whole lines below the first."""
    with open(ledger) as file:
        lines = [line for line in file if line.endswith("\n")]
    return [int(line.split()[0]) for line in lines[1:]]


def kill_somewhere(ledger):
    """Starts a run and kills it after some more records. False if it came to its end before that."""
    enough = size(ledger) + RECORD_BYTES * draw.choice([0, 1, 10, 100, draw.randrange(2000)])
    run = start(ledger)
    while run.poll() is None and size(ledger) < enough:
        time.sleep(0.0005)
    time.sleep(draw.random() / 1000)
    run.send_signal(signal.SIGKILL)
    status, total, errors = finish(run)
    if status == -signal.SIGKILL:
        return True
    check(status == 0 and total == NODES, f"a run that was not killed: status {status}, {total}; {errors}")
    return False


def killed_at_random(ledger):
    kills, runs = 0, 1
    known = set()
    while kills < KILLS:
        if kill_somewhere(ledger):
            kills += 1
            now = set(records(ledger)) if size(ledger) else set()
            check(known <= now, f"records were lost by kill {kills}")
            known = now
        else:
            os.remove(ledger)
            known = set()
            runs += 1
            check(runs < 1000, "the runs are too short to be killed")
    before = len(known)
    check_total(start(ledger), f"after {kills} kills")
    units = records(ledger)
    check(len(units) == len(set(units)), "a unit was counted twice")
    print(f"seed {seed}: {kills} kills in {runs} runs; {before} of {len(units)} units were there for the last one")


def others_are_refused(ledger):
    with open(ledger, "rb") as file:
        before = file.read()
    status, total, errors = finish(start(ledger, depth=DEPTH - 1))
    check(status != 0 and total is None and ledger in errors, f"a ledger of another depth was taken: {errors}")
    status, total, errors = finish(start(ledger, table="off"))
    check(status != 0 and total is None and "it was begun without --hash off, which this run has" in errors, f"what differs was not reported: {errors}")
    with open(ledger, "rb") as file:
        check(file.read() == before, "a refused ledger was changed")


def says_how_far(ledger):
    """tabia ledger: of a whole one, of half of one with a damaged line, and of one in use."""
    def reported():
        done = subprocess.run([tabia, "ledger", ledger], capture_output=True, text=True)
        check(done.returncode == 0 and not done.stderr, f"tabia ledger: {done}")
        return done.stdout.splitlines()

    with open(ledger, "rb") as file:
        lines = file.read().splitlines(keepends=True)
    units = len(lines) - 1
    check(reported()[0] == f"perft {DEPTH} of rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" and reported()[1].startswith(f"{units} of {units} units, 100.0 %"), reported())
    half = lines[:1 + units // 2] + [b"5 5 5\n"]
    with open(ledger, "wb") as file:
        file.write(b"".join(half))
    check(reported()[1].startswith(f"{units // 2} of {units} units") and reported()[1].endswith("not in use"), reported())
    check(reported()[2].startswith("6 bytes hold no good record"), reported())
    with open(ledger, "rb") as file:
        check(file.read() == b"".join(half), "a ledger was changed by a look")
        fcntl.flock(file, fcntl.LOCK_EX)
        check(reported()[1].endswith("in use by a process"), reported())
        errors = finish(start(ledger))[2]
        check("in use by another process" in errors, f"a ledger in use was not refused for that: {errors}")


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "ledger")
    killed_at_random(path)
    others_are_refused(path)
    whole = os.path.join(folder, "whole")
    check_total(start(whole), "for tabia ledger")
    says_how_far(whole)
