#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills ranks of a perft on four ranks, again and again: the total must be exact all the same.

mpi_kill.py KIND TABIA-MPI LIBRARY [KILLS [SEED]]        LIBRARY: tests/helpers/stopped_rank.c

Stops a worker, or rank 0, for ever; or a rank that is about to end, which goes on then.
A worker, under Open MPI's --enable-recovery --continuous: the others go on. Rank 0, or the launcher with all ranks, as when
a machine goes down: the next start resumes from the ledger. The moment is drawn as a number of records in the ledger.
"""
import os
import signal
import sys
import tempfile

import mpi_jobs as mpi
from programs import seeded

DEPTH, NODES, RANKS = "8", 84998978956, 4
kind, program, library = sys.argv[1:4]
kills = int(sys.argv[4]) if len(sys.argv) > 4 else 6
seed, draw = seeded(5)
UNITS = 72078
mpi.skip_without(kind)


def start(ledger):
    survive = mpi.SURVIVE if kind == "openmpi" else []
    return mpi.start([*mpi.launcher(kind, draw.choice(["shm", "tcp"]), survive), "-n", str(RANKS), program, "perft", DEPTH,
                      "--hash", "16M", "--rank-timeout", "1", "--ledger", ledger])


def records(ledger):
    """Whole lines below the first."""
    if not os.path.exists(ledger):
        return 0
    with open(ledger, "rb") as file:
        return max(0, file.read().count(b"\n") - 1)


def wait_for_records(ledger, job):
    """Some more than there are: then the ranks have met, and are counting."""
    enough = records(ledger) + draw.choice([1, 10, 100, draw.randrange(1, UNITS // 2)])
    return mpi.wait_until(lambda: records(ledger) >= enough, job)


def check_total(what, status, out, errors):
    mpi.check(mpi.total(out) == NODES, f"seed {seed}: {what}: status {status}, {mpi.total(out)} and not {NODES}; {errors}")
    return errors


def right(job, what):
    return check_total(what, *mpi.finish(job))


def go_on(ledger, what):
    """The next start, to the end. Open MPI's launcher may crash by itself (seen once, 4.1.4: a segmentation fault while it
    passed a message of MPI's on): then the one after it, which resumes from the ledger as well."""
    job = start(ledger)
    status, out, errors = mpi.finish(job)
    if status >= 0 or mpi.total(out) is not None:
        return check_total(what, status, out, errors)
    mpi.check("orte" in errors, f"seed {seed}: {what}: status {status}, and not in the launcher; {errors}")
    mpi.end_session(job)
    return right(start(ledger), f"{what}, and once more after the launcher crashed")


def kill_worker(ledger):
    """The run continues; or Open MPI, which over TCP does not always bear that a peer is gone, ends it, and the next start
    resumes. True if the kill came before its end."""
    job = start(ledger)
    came = wait_for_records(ledger, job)
    ranks = mpi.ranks_of(job)
    victim = draw.randrange(1, RANKS)
    if not came or victim not in ranks or not mpi.kill(ranks[victim]):
        right(job, "a run that was not killed")
        return False
    status, out, errors = mpi.finish(job)
    if mpi.total(out) is None:
        mpi.check("rank 0 has been silent" in errors or status != 0, f"seed {seed}: no total and no word: {errors}")
        restarted.append(victim)
        mpi.end_ranks(ranks)  # Open MPI's launcher was seen to end before a rank 0 that waits for the dead one
        go_on(ledger, f"started again after worker {victim} was killed")
    else:
        mpi.check(mpi.total(out) == NODES, f"seed {seed}: worker {victim} killed: {mpi.total(out)} and not {NODES}; {errors}")
    return True


def kill_rest(ledger, whole_job):
    """Rank 0, or everything; then the next start. True if the kill came before the end."""
    job = start(ledger)
    came = wait_for_records(ledger, job)
    ranks = mpi.ranks_of(job)
    if not came or 0 not in ranks:
        right(job, "a run that was not killed")
        return False
    before = records(ledger)
    if whole_job:
        mpi.end_all(job)
    else:
        mpi.kill(ranks[0])
    _, out, _ = mpi.finish(job)  # the status is the launcher's affair: under --enable-recovery it may be 0
    if mpi.total(out) is not None:  # it was quicker
        return False
    errors = go_on(ledger, "started again after a kill")
    mpi.check(not before or "taken from ledger" in errors, f"seed {seed}: the ledger was not used: {errors}")
    return True


def stop(ledger, victim, recovery):
    """A rank stops for ever: without a worker the others count all, without rank 0 the job ends; none of it is left. False if all
    was counted before."""
    job = mpi.start([*mpi.launcher(kind, draw.choice(["shm", "tcp"]), mpi.SURVIVE if recovery else []), "-n", str(RANKS), program,
                     "perft", DEPTH, "--hash", "16M", "--rank-timeout", "3", "--ledger", ledger])
    came = wait_for_records(ledger, job)
    ranks = mpi.ranks_of(job)
    if not came or victim not in ranks:
        right(job, "a run that was not stopped")
        return False
    os.kill(ranks[victim], signal.SIGSTOP)
    status, out, errors = mpi.finish(job)
    said = [line for line in errors.splitlines() if line.startswith("tabia-mpi perft: rank")]
    what = f"seed {seed}: rank {victim} stopped, recovery {recovery}: status {status}, {said}; {errors}"
    if victim and not said and mpi.total(out) is not None:  # it was stopped on its way to the end, where nothing is missing
        check_total(what, status, out, errors)
        return False
    if status < 0 and "orte" in errors:  # Open MPI's launcher crashed by itself (go_on)
        mpi.end_session(job)
        return False
    if kind == "mpich" and status == 3 and not (victim or said):  # its launcher may lose what a rank wrote right before MPI_Abort
        mpi.check("waiting for rank 0, silent for" in errors and mpi.are_gone(ranks.values()), what)
        return False
    mpi.check(f"waiting for rank {victim}, silent for" in errors and f"rank {victim} has been silent for" in "".join(said[:1]), what)
    if victim:
        check_total(what, status, out, errors)
        mpi.check(status == 0 and sum(f"rank {victim} has" in line for line in said) == 1, what)  # the launcher wakes it to end it: it misses rank 0
    else:  # each worker may say it, where the end that one asks for takes longer than its turn
        mpi.check(mpi.total(out) is None and (recovery or (status != 0 and len(set(said)) == 1)), what)
    mpi.check(mpi.are_gone(ranks.values()), what)
    return True


def stop_at_end(victim, when, words, said):
    """In MPI_Finalize, where all wait for it, or behind it, when the others are gone."""
    job = mpi.start([*mpi.launcher(kind), "-n", "3", "env", f"LD_PRELOAD={library}", f"STOP_RANK={victim}", f"STOP_WHEN={when}", program, *words])
    status, out, errors = mpi.finish(job)
    mpi.check(status == 0 and said in out and errors.count("was stopped at its end, and continues") == 1,
              f"rank {victim} stopped {when} MPI_Finalize of {words}: status {status}, {out}; {errors}")


restarted = []  # workers whose death ended the job
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "ledger")
    done = {"worker": 0, "coordinator": 0, "node": 0}
    attempts = 0
    while sum(done.values()) < kills:
        attempts += 1
        mpi.check(attempts < 10 * kills + 20, f"seed {seed}: the runs are too short to be killed; {done}")
        what = ["worker", "coordinator", "node"][attempts % 3]
        if what == "worker" and kind != "openmpi":
            continue  # MPICH ends the whole job
        if os.path.exists(path):
            os.remove(path)
        killed = kill_worker(path) if what == "worker" else kill_rest(path, what == "node")
        done[what] += killed
    for case in [(1, False), (0, False)] + [(2, True), (0, True)] * (kind == "openmpi"):
        for _ in range(20):
            if os.path.exists(path):
                os.remove(path)
            if stop(path, *case):
                break
        else:
            mpi.check(False, f"seed {seed}: the runs are too short to be stopped")
    for victim in (0, 1):
        stop_at_end(victim, "before", ["perft", "5"], "Nodes searched: 4865609")
        stop_at_end(victim, "after", ["go", "depth", "3"], "bestmove ")
    print(f"{kind}, seed {seed}: exact after the kill of {done['worker']} workers, {done['coordinator']} coordinators and "
          f"{done['node']} whole jobs; {len(restarted)} jobs did not survive a worker and were started again")
