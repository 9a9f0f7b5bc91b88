#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Requests for memory or for a thread are refused once, in runs of their own: the first, the second, and so on until a run asks for no
more; of those behind the hundredth, which are most often for members of a JSON document, each fifth. A run either does without, with
the same answer, or ends with one line that says what it had no memory for. None crashes, none gives another answer.

no_memory.py TABIA LIBRARY        LIBRARY: tests/helpers/refused_memory.c, which refuses the request of number REFUSE_AT
"""

import os
import re
import subprocess
import sys
import tempfile

NUMBERS = (*range(100), *range(100, 1000, 5))
PREPARE = ["gensfen", "--positions", "300", "--nodes", "40", "--threads", "1", "--quiet", "--out", "games.viri"]
ONE = ["--threads", "1", "--quiet"]
# The words, and how often a run of them must be refused and end in an error at the least: fewer would mean that it asks elsewhere.
COMMANDS = (
    (["perft", "3", "--hash", "1M", "--threads", "2", "--quiet"], 8),
    (["perft", "3", "--divide", "--ledger", "out", *ONE], 8),
    (["unique", "2", *ONE], 4),
    (["mate", "mates.epd", "--hash", "1M", "--threads", "2", "--quiet"], 8),
    (["gensfen", "--positions", "1", "--nodes", "20", "--out", "out.viri", *ONE], 8),
    (["data", "convert", "games.viri", "--out", "out.bin", "--quiet"], 4),
    (["data", "convert", "games.viri", "--checksums", "--out", "out.viri", "--quiet"], 4),
    (["data", "shuffle", "games.viri", "--out", "out.viri", "--quiet"], 4),
    (["data", "dedupe", "games.viri", "--out", "out.viri", "--quiet"], 4),
    (["data", "split", "games.viri", "--out", "out.viri", "--out", "outer.viri", "--quiet"], 4),
    (["data", "verify", "games.viri", "--quiet"], 3),
    (["data", "stats", "games.viri", "--quiet"], 2),
)
GAME = "setoption name Hash value 1\nsetoption name Threads value 2\nposition startpos\ngo depth 2\nquit\n"
LATER = "setoption name Hash value 2\nsetoption name Hash File value out\nsetoption name Save Hash\nsetoption name Load Hash\n"
ENGINE = (GAME, LATER + "position startpos moves e2e4\ngo depth 2\nquit\n")
VARIES = re.compile(r"^.* (seconds|s|k/s|M/s)\b.*$|[\d.,]+ (m?s|k/s|M/s|seconds)\b")


def fail(words, number, done, due):
    sys.exit(f"REFUSE_AT={number} {' '.join(words)}: {due}; status {done.returncode}, stdout {done.stdout!r}, stderr {done.stderr!r}")


def run(program, library, words, number, text=None):
    """(the run, was a request refused)"""
    environment = {**os.environ, "LD_PRELOAD": library, "REFUSE_AT": str(number)}
    done = subprocess.run([program, *words], input=text, capture_output=True, text=True, timeout=120, env=environment)
    return done, "refused\n" in done.stderr


def written():
    """The bytes of the files of training data, all of which are removed; a ledger holds the time."""
    found = {}
    for name in sorted(n for n in os.listdir(".") if n.startswith("out")):
        if name.endswith((".viri", ".bin", ".plain")):
            with open(name, "rb") as file:
                found[name] = file.read()
        os.remove(name)
    return found


def check_command(program, library, words, refusals_min):
    wanted, refusals = None, 0
    for number in NUMBERS:  # nothing is refused in the run 0
        done, refused = run(program, library, words, number)
        lines = done.stderr.replace("refused\n", "").splitlines()
        answer = ([VARIES.sub("", line) for line in done.stdout.splitlines()], written())
        if not number:
            wanted = answer
        if done.returncode == 0 and answer != wanted:
            fail(words, number, done, "the answer is another")
        if done.returncode and (not refused or done.returncode not in (2, 3) or len(lines) != 1 or not lines[0].startswith("tabia ")):
            fail(words, number, done, "a refusal ends with one line and status 2 or 3")
        refusals += done.returncode != 0
        if number and not refused:
            break
    else:
        sys.exit(f"{' '.join(words)}: more than {NUMBERS[-1]} requests")
    if refusals < refusals_min:
        sys.exit(f"{' '.join(words)}: {refusals} runs ended by a refusal, {refusals_min} are due")


def check_engine(program, library, text):
    """It may end at its start with one line, or find no input to read; later it says what it lacks, or plays on."""
    for number in NUMBERS[1:]:
        done, refused = run(program, library, [], number, text)
        if not refused:
            return
        lines = done.stderr.replace("refused\n", "").splitlines()
        if done.returncode == 0:
            if done.stdout and "bestmove " not in done.stdout and "info string" not in done.stdout:
                fail(["uci"], number, done, "a move is due, or what is missing")
        elif done.returncode != 3 or len(lines) != 1 or not lines[0].startswith("tabia uci: "):
            fail(["uci"], number, done, "a refusal ends with one line and status 3")
    sys.exit(f"uci: more than {NUMBERS[-1]} requests")


def main(program, library):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([program, *PREPARE], check=True, capture_output=True, timeout=120)
        with open("mates.epd", "w", encoding="ascii") as file:
            file.write("6k1/5ppp/8/8/8/8/8/KR5R w - - 0 1\n")
        for words, refusals_min in COMMANDS:
            check_command(program, library, words, refusals_min)
        for text in ENGINE:
            check_engine(program, library, text)
    print(f"{len(COMMANDS) + len(ENGINE)} commands end well without memory")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
