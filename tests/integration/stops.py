#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ctrl-C: every command that can run for long is sent SIGINT once while it works. It must say so in a word, and end by itself with
exit status 130. How long that takes is not judged, but that it ends at all.

stops.py TABIA RANDOM_GAMES
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

import programs

TABIA, RANDOM_GAMES = (os.path.abspath(path) for path in sys.argv[1:3])
STOPPED, TIMEOUT, OFTEN = 130, 120, 2000
WORD = ": stopping; the same signal again ends it at once\n"
SUITE = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D10 69352859712417\n"

# What would run for minutes at least, for many hours where it can. {} is the folder, {often} a file many times over.
COMMANDS = """
perft 11
perft 11 --threads 1 --hash off --json
perft 11 --divide --quiet
perft 11 --ledger {}/ledger
perft --suite {}/suite.epd
perft 11 --against {tabia}
perft --suite {}/suite.epd --against {tabia}
unique 12
unique 12 --threads 1 --json
mate {}/endless.epd --all-moves
mate {}/endless.epd --all-moves --json
bench 40
lab hazard
lab simulate 9
lab table audit
lab table stress --probes 100000000000
lab table bench --only line --size 64M
lab table bench --only modes --size 64M --json
gensfen --positions 1000000000 --out {}/a.viri
gensfen --positions 1000000000 --depth 40 --out {}/b.viri --json
data verify {often}
data stats {often}
data convert {often} --out {}/o.binpack
data shuffle {often} --out {}/o.viri
data dedupe {often} --out {}/o.viri
data split {often} --out {}/o.viri --out {}/p.viri --weights 9,1
data sample {often} --fraction 0.5 --out {}/o.viri
data rescore {often} --out {}/r.viri --depth 3
data rescore {}/games.viri --out {}/s.viri --depth 40
train {often} --out {}/o.bin
train {}/games.viri --out {}/o.bin --epochs 100000
"""


def fail(text):
    sys.exit(f"stops: {text}")


def cpu_ticks(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return int(words[11]) + int(words[12])


def at_work(process):
    """Waits until it has begun to work: it takes a signal, and has used the processor for some hundredths of a second."""
    while process.poll() is None and not (programs.catches(process.pid) and cpu_ticks(process.pid) >= 5):
        time.sleep(0.005)


def stop(words, folder):
    errors = os.path.join(folder, "errors")
    with open(errors, "w", encoding="utf-8") as err:
        process = subprocess.Popen(programs.command(TABIA, words), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err, cwd=folder)
    try:
        at_work(process)
        process.send_signal(signal.SIGINT)
        status = process.wait(TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        fail(f"{words[:6]}: no end within {TIMEOUT} s of a SIGINT")
    with open(errors, encoding="utf-8") as file:
        said = file.read()
    if status != STOPPED or WORD not in said or said.count("stopp") > 2:
        fail(f"{words[:6]}: status {status} instead of {STOPPED}, said {said!r}")


def main(folder):
    games = os.path.join(folder, "games.viri")
    subprocess.run([RANDOM_GAMES, games, "200000", "1"], check=True, timeout=TIMEOUT)
    with open(os.path.join(folder, "endless.epd"), "w", encoding="ascii") as file:
        file.write(SUITE)
    with open(os.path.join(folder, "suite.epd"), "w", encoding="ascii") as file:
        file.write(SUITE)
    lines = COMMANDS.strip().splitlines()
    for name in lines:
        line = name.replace("{often}", " ".join([games] * OFTEN)).replace("{}", folder).replace("{tabia}", TABIA)
        stop(line.split(), folder)
    print(f"{len(lines)} commands answer a SIGINT and end")


with tempfile.TemporaryDirectory() as place:
    main(place)
