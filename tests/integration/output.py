#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a program could not write to standard output it says: one line on stderr, exit status 3, whatever the command.

Every command that the program's own help lists needs a case here, so that a new one cannot be forgotten. Each is run with
standard output on a full device; its help, too. A pipe that is closed at the other end stops a program without a word.

output.py TABIA|TABIA-LAB|TABIA-MPI
"""
import os
import re
import signal
import subprocess
import sys
import tempfile

import mpi_jobs

FULL = "/dev/full"
SAYS = "cannot write to standard output: No space left on device"

# Arguments that make the command print to standard output. What a case reads is made first, by PREPARE.
PREPARE = {"tabia-mpi": (), "tabia-lab": (), "tabia": (
    ["gensfen", "--positions", "400", "--nodes", "40", "--threads", "1", "--out", "games.viri", "--quiet"],
    ["train", "games.viri", "--out", "net.bin", "--synthetic-epochs", "0", "--epochs", "1", "--quiet"],
    ["network", "export", "net.bin", "--out", "net.quantised"],
    ["perft", "4", "--ledger", "start.ledger", "--quiet"],
)}
# More command lines, without a command.
OTHERS = {"tabia-mpi": (), "tabia-lab": (["--version"], ["table", "--help"]),
          "tabia": (["--version"], ["data", "--help"], [], ["go nodes 10", "quit"])}
CASES = {
    "tabia": {
        "perft": (["3"], ["3", "--divide"], ["3", "--json"], ["--suite", "suite.epd"], ["--suite", "suite.epd", "--json"],
                  ["2", "--against", "{program}"], ["2", "--against", "{program}", "--json"]),
        "gensfen": (["--positions", "10", "--nodes", "40", "--out", "more.viri", "--json", "--quiet"],),
        "bench": (["1"],),
        "train": (["games.viri", "--force", "--out", "net.bin", "--synthetic-epochs", "0", "--epochs", "1"],),
        "network": (["info", "net.bin"], ["info", "net.bin", "--json"], ["export", "net.bin", "--force", "--out", "net.quantised"],
                    ["import", "net.quantised", "--outputs", "8", "--out", "other.bin"]),
        "uci": ([],),
        "ledger": (["start.ledger"], ["start.ledger", "--json"]),
        "unique": (["3"], ["3", "--json"]),
        "mate": (["suite.epd", "--hash", "1M"], ["suite.epd", "--hash", "1M", "--json"]),
        "data info": (["games.viri"], ["games.viri", "--json"]),
        "data verify": (["games.viri"], ["games.viri", "--json"]),
        "data convert": (["games.viri", "--out", "games.bin", "--json"], ["games.viri", "--to", "bin", "--out", "-"]),
        "data shuffle": (["games.viri", "--out", "mixed.viri", "--json"],),
        "data dedupe": (["games.viri", "--out", "once.viri", "--json"],),
        "data filter": (["games.viri", "--min-ply", "12", "--out", "left.viri", "--json"],),
        "data split": (["games.viri", "--out", "a.viri", "--out", "b.viri", "--json"],),
        "data sample": (["games.viri", "--fraction", "0.5", "--out", "some.viri", "--json"],),
        "data rescore": (["games.viri", "--out", "scores.viri", "--depth", "1", "--json"],),
        "data stats": (["games.viri"], ["games.viri", "--json"]),
        "data view": (["games.viri"], ["games.viri", "--json"]),
        "serve": ([],),
    },
    "tabia-lab": {
        "table bench": (["--quick", "--only", "modes", "--size", "1M", "--rounds", "1"],),
        "table audit": (["--quick", "--bits", "16", "--quiet"],),
        "table stress": (["--probes", "1000", "--words", "2", "--quiet"],),
        "hazard": (["--nodes", "2000", "--seeds", "1", "--quiet"],),
        "simulate": (["5", "--ranks", "2", "--quiet"], ["5", "--ranks", "2", "--json", "--quiet"]),
    },
    "tabia-mpi": {
        "uci": ([],),
        "perft": (["3"], ["3", "--divide"], ["3", "--json"]),
    },
}


def fail(words, done, why):
    sys.exit(f"{' '.join(words)}: {why}; status {done.returncode}, stderr {done.stderr!r}")


def run(words, folder, out, status):
    """Runs a command with its standard output on `out`; a UCI engine gets a few lines."""
    with open(out, "wb") as to:
        done = subprocess.run(words, stdout=to, stderr=subprocess.PIPE, input="uci\ngo nodes 100\nquit\n", text=True, cwd=folder, timeout=300)
    if done.returncode != status:
        fail(words, done, f"status {status} is due with standard output on {out}")
    return done


def check_full(words, folder):
    done = run(words, folder, FULL, 3)
    # Reports on stderr are no complaints; those begin with the program's name.
    complaints = [line for line in done.stderr.splitlines() if line.startswith("tabia")]
    written = [line for line in complaints if "No space left on device" in line]
    if len(complaints) != 1 or len(written) != 1:
        fail(words, done, f"one line like {SAYS!r} is due")


def listed(program, words):
    """The commands that a help lists, those of groups (`tabia data`) as two words."""
    text = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout
    names = re.findall(r"^  ([a-z-]+) +[a-z]", text.split("\nFormats")[0], re.M)
    all_names = []
    for name in names:
        own = subprocess.run([program, *words, name, "--help"], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL).stdout
        is_group = re.match(r"usage: \S+ \S+ (COMMAND|EXPERIMENT) ", own)
        all_names += [f"{name} {command}" for command in listed(program, [*words, name])] if is_group else [name]
    return all_names


def check_closed_pipe(words, folder):
    """As `| head -1` ends: by the signal, without a word."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(words, stdout=write, stderr=subprocess.PIPE, text=True, cwd=folder, timeout=300,
                          stdin=subprocess.DEVNULL, restore_signals=True)
    os.close(write)
    if done.returncode != -signal.SIGPIPE or done.stderr:
        fail(words, done, "an end by SIGPIPE and silence are due")


def prepare(program, lines, folder):
    with open(os.path.join(folder, "suite.epd"), "w") as suite:
        suite.write("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n")
    for words in lines:
        subprocess.run([program, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=300)


def main():
    program = os.path.abspath(sys.argv[1])
    name = re.match("tabia(-mpi|-lab)?", os.path.basename(program))[0]
    cases, others = CASES[name], (["--help"], *OTHERS[name])
    names = listed(program, [])
    missing, gone = set(names) - set(cases), set(cases) - set(names)
    if not os.path.exists(program + "-serve"):  # built without the page
        cases = {name: words for name, words in cases.items() if name != "serve"}
    if missing or gone:
        sys.exit(f"commands without a case in output.py: {sorted(missing)}; cases without a command: {sorted(gone)}")
    if name == "tabia-mpi":
        os.environ.update(mpi_jobs.environment())
    with tempfile.TemporaryDirectory() as folder:
        prepare(program, PREPARE[name], folder)
        checked = 0
        for command in cases:
            for words in [*cases[command], ["--help"]]:
                check_full([program, *command.split(), *[w.format(program=program) for w in words]], folder)
                checked += 1
        for words in others:
            check_full([program, *words], folder)
        if name == "tabia":
            check_closed_pipe([program, "perft", "3", "--divide"], folder)
            check_closed_pipe([program, "--help"], folder)
            run([program, "perft", "3"], folder, os.devnull, 0)
    print(f"{checked + len(others)} command lines of {len(names)} commands say that their output is lost")


main()
