#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A disk that is full is called full: whatever writes a file names the reason of the system, in one line, exit status 3.

Each writer of files is run twice: under a limit on the size of files (setrlimit: "File too large"), and on a file system
without a free block ("No space left on device"), which is left out where no file system may be mounted.

full_disk.py TABIA
"""
import os
import resource
import shutil
import subprocess
import sys
import tempfile

import programs

LIMIT = 512  # bytes; less than any of the files below
FORMATS = ("viri", "marlin", "bin", "bullet", "binpack", "plain", "text", "pgn")

PREPARE = (
    ["gensfen", "--positions", "12000", "--nodes", "20", "--threads", "1", "--out", "games.viri", "--quiet"],
    ["train", "games.viri", "--synthetic-epochs", "0", "--epochs", "1", "--quiet", "--out", "net.bin"],
)
WRITERS = (
    [["data", "convert", "games.viri", "--to", name, "--out", "{full}"] for name in FORMATS] +
    [
        ["data", "convert", "games.viri", "--checksums", "--out", "{full}.viri"],
        ["data", "shuffle", "games.viri", "--memory", "1M", "--out", "{full}.viri"],
        ["data", "split", "games.viri", "--out", "{full}.viri", "--out", "{full}b.viri"],
        ["data", "rescore", "games.viri", "--depth", "1", "--quiet", "--out", "{full}.viri"],
        ["gensfen", "--positions", "100", "--nodes", "40", "--quiet", "--out", "{full}.viri"],
        ["perft", "5", "--quiet", "--ledger", "{full}"],
        ["train", "games.viri", "--synthetic-epochs", "0", "--epochs", "1", "--out", "{full}"],
        ["network", "export", "net.bin", "--out", "{full}"],
    ])
LOG = "setoption name Debug Log File value {full}\nuci\nisready\nquit\n"
SAVE = "setoption name Hash File value {full}\ngo nodes 1000\nsetoption name Save Hash\nquit\n"


def limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))


def check(words, reason, status=3, **how):
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, **how)
    lines = [line for line in done.stderr.splitlines() if line.startswith("tabia")]
    if done.returncode != status or len(lines) != 1 or reason not in lines[0]:
        sys.exit(f"{' '.join(words)}: status {status} and one line with {reason!r} are due; status {done.returncode}, stderr {done.stderr!r}")


def check_engine(program, full, reason, **how):
    """The button that saves the table, and the log: a line for the client, and the engine goes on."""
    for name, lines, words in (("Save Hash", SAVE, full), ("Debug Log File", LOG, "Debug Log File: cannot be written")):
        done = subprocess.run([program], input=lines.format(full=full), capture_output=True, text=True, timeout=300, **how)
        said = [line for line in done.stdout.splitlines() if line.startswith("info string") and words in line]
        if done.returncode or len(said) != 1 or reason not in said[0]:
            sys.exit(f"{name}: one line with {reason!r} is due; status {done.returncode}, stdout {done.stdout!r}")


def check_writers(program, writers, full, reason, **how):
    for number, words in enumerate(writers):
        check(programs.command(program, [w.format(full=f"{full}{number}") for w in words]), reason, **how)


def may_mount():
    return shutil.which("unshare") and subprocess.run(
        ["unshare", "-rm", "mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", "/mnt"], capture_output=True).returncode == 0


def check_full_disk(program, folder):
    """Run by main in a mount namespace of its own: `place` becomes a file system, and is filled."""
    reason, place = "No space left on device", os.path.join(folder, "place")
    os.mkdir(place)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", place], check=True)
    with open(os.path.join(place, "filler"), "wb", buffering=0) as filler:
        try:
            while filler.write(bytes(4096)):
                pass
        except OSError:
            pass
    full = os.path.join(place, "full")
    check_writers(program, WRITERS, full, reason, cwd=folder)
    check_engine(program, full, reason, cwd=folder)


def main():
    program = os.path.abspath(sys.argv[1])
    if len(sys.argv) > 2:
        return check_full_disk(program, sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        for words in PREPARE:
            subprocess.run(programs.command(program, words), cwd=folder, check=True, capture_output=True, timeout=300)
        full = os.path.join(folder, "full")
        check_writers(program, WRITERS, full, "File too large", cwd=folder, preexec_fn=limit_files)
        check_engine(program, full, "File too large", cwd=folder, preexec_fn=limit_files)
        mounted = may_mount()
        if mounted:
            done = subprocess.run(["unshare", "-rm", sys.executable, __file__, program, folder], timeout=600)
            if done.returncode:
                sys.exit(done.returncode)
    print(f"{len(WRITERS) + 2} writers of files name the reason" + ("" if mounted else "; no file system may be mounted here"))


main()
