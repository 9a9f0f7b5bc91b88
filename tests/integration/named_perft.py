#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Processes of perft that share a table: each counts exactly, and whoever comes later finds what the others have done.
Another game's processes are refused the table: their keys have another meaning. One whose table is cut short says so.

Usage: named_perft.py TABIA TABIA_SHOGI
"""
import fcntl
import json
import os
import subprocess
import sys

TABIA, SHOGI = sys.argv[1:3]
NAME = f"test-perft-{os.getpid()}"
PATH = f"/dev/shm/tabia-{NAME}"
NODES = "3195901860"


def begin(*more):
    command = [TABIA, "perft", "7", "--json", "--table", NAME, "--hash", "64M", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def result(process):
    out, err = process.communicate(timeout=300)
    if process.returncode:
        sys.exit(f"perft ended with {process.returncode}: {err}")
    found = json.loads(out)
    if str(found["nodes"]) != NODES:
        sys.exit(f"{found['nodes']} nodes, not {NODES}")
    return found["hit_rate"]


def hold(process):
    """Keeps the table as another user would, from while the process has it; None if the process was too quick."""
    while process.poll() is None:
        try:
            file = os.open(PATH, os.O_RDWR)
            fcntl.flock(file, fcntl.LOCK_SH)
            if os.fstat(file).st_nlink and os.fstat(file).st_size:
                return file
            os.close(file)
        except FileNotFoundError:
            pass
    return None


def check_cut(program):
    """The table is cut when all of its memory is there: each thread comes to the gap, and one line says so. Once more if the cut came
    in front of the last pages: then memory ran out."""
    command = [program, "perft", "12", "--quiet", "--threads", "2", "--table", NAME, "--hash", "64M"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None:
        if os.path.exists(PATH) and os.stat(PATH).st_blocks * 512 > 64 << 20:
            os.truncate(PATH, 4096)
            break
    out, err = process.communicate(timeout=300)
    if "ran out on the way" in err and not os.path.exists(PATH):
        return check_cut(program)
    os.unlink(PATH)
    if process.returncode != 3 or err != f"{os.path.basename(program)}: {PATH}: another process has cut it short while it was in use\n" or out:
        sys.exit(f"a cut table: status {process.returncode}: {out}{err}")


def main():
    for program in (TABIA, SHOGI):
        check_cut(program)
    alone = result(begin())
    if os.path.exists(PATH):
        sys.exit(f"{PATH} was left behind")

    together = [begin(), begin()]
    print("alone", alone, "two at once", *[result(process) for process in together])
    if os.path.exists(PATH):
        sys.exit(f"{PATH} was left behind by two")

    for _ in range(20):
        first = begin()
        file = hold(first)
        before = result(first)
        if file is not None:
            break
    else:
        sys.exit("every run was over before its table could be held")
    after = result(begin())
    print("first", before, "second", after)
    other = begin("--replacement", "always")
    _, err = other.communicate(timeout=300)
    game = subprocess.run([SHOGI, "perft", "3", "--table", NAME, "--hash", "64M"], capture_output=True, text=True, timeout=300)
    os.unlink(PATH)
    if game.returncode == 0 or "identity" not in game.stderr:
        sys.exit(f"another game ended with {game.returncode}: {game.stdout}{game.stderr}")
    if after <= before:
        sys.exit(f"the second has no more hits: {after}, the first {before}")
    if other.returncode == 0 or "replacement depth-and-age, this one always" not in err:
        sys.exit(f"another shape ended with {other.returncode}: {err}")


main()
