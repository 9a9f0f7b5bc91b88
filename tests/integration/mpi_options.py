# SPDX-License-Identifier: MIT
"""
Every option of every command of tabia-mpi does something, and its help and manual page name it, or it is refused: as options.py, on
one rank or two. No row is timed.

    mpi_options.py KIND TABIA-MPI TABIA
"""

import json
import os
import sys
import tempfile

import mpi_jobs as mpi
import options
from option_rows import KIWIPETE, own_figures, with_fen
from options import Program, changes, says

COMMANDS = ("uci", "perft")
SEARCH = b"position startpos\ngo depth 9\n"
# Options of tabia perft that tabia-mpi perft knows and refuses, with what it says.
REFUSED = {"suite": "suites and comparisons", "against": "suites and comparisons", "table": "--table:", "mates": "--mates is for",
           "kinds": "--kinds is for",
           "max-nodes": "belongs to --suite", "protocol": "belongs to --against", "timeout": "belongs to --against"}


class Ranks(Program):
    """The program on so many ranks."""

    def __init__(self, program, kind, ranks):
        super().__init__(program.binary, program.files)
        # A single rank needs no mpirun, which takes longer to start than it.
        self.command = [*mpi.launcher(kind), "-n", str(ranks), self.binary] if ranks > 1 else [self.binary]
        self.environment = mpi.environment()


def on(ranks, check):
    """A check of options.py on so many ranks."""
    return lambda jobs: check(jobs[ranks])


def figure(line, more, name, ranks=1):
    """A figure of the JSON document, the same in two runs, is another with the option."""
    return on(ranks, own_figures(line, more, lambda document: document[name]))


def refused(line, text, ranks=1):
    """Status 2, and one line that says why."""
    def check(jobs):
        status, out, errors, _ = jobs[ranks].run(line)
        return status == 2 and not out and text in errors
    return check


def sets_sent(jobs):
    def sent(more):
        return json.loads(jobs[2].run("perft 6 --quiet --hash 4M --json" + more)[1])["sibling_sets_sent"]
    return sent("") > 0 == sent(" --private")


def forgets_more(jobs):
    """By 2 %: the order of units changes the figure by less."""
    def unknown(more):
        return json.loads(jobs[1].run("perft 6 --quiet --hash 64K --json" + more)[1])["unknown_positions"]
    return unknown(" --replacement always") > 1.01 * unknown("")


def told_of_ledger(jobs):
    """What it took from a ledger is reported, and not with --quiet."""
    line = "perft 4 --ledger {four.ledger}"
    jobs[1].run(line)
    return "units taken from ledger" in jobs[1].run(line)[2] and not jobs[1].run(line + " --quiet")[2]


def searched(jobs, more):
    """What the ranks exchanged in a search, as the engine tells it."""
    status, out, errors, _ = jobs[2].run("uci" + more, stdin=None, input=SEARCH)
    reported = [line for line in out.splitlines() if " ranks: " in line]
    assert status == 0 and len(reported) == 1, (more, status, out, errors)
    return reported[0]


def exchanges(more, nothing):
    """With the option none of these is sent, without it some are."""
    def check(jobs):
        plain, other = searched(jobs, ""), searched(jobs, more)
        return all(f" 0 {what}" not in plain and f" 0 {what}" in other for what in nothing)
    return check


def unserved(jobs):
    """With the option searching threads receive no message. Where processors are scarce they do not in every search."""
    def received(more):
        return int(searched(jobs, more).split(" received by searching")[0].split()[-1])
    return any(received("") for _ in range(50)) and not received(" --unserved")


def other_evaluation(jobs):
    """Of the start position."""
    def reported(more):
        status, out, errors, _ = jobs[2].run("uci" + more, stdin=None, input=b"eval\n")
        return status, [line for line in out.splitlines() if line.startswith("Evaluation")]
    plain, other = reported(""), reported(" --network {other.network}")
    return plain[0] == other[0] == 0 and len(plain[1]) == len(other[1]) == 1 and plain[1] != other[1] and reported(" --network {none}")[0] == 2


ROWS = {
    "uci": {
        "store-depth": exchanges(" --store-depth 100", ["remote stores"]),
        "probe-depth": exchanges(" --probe-depth 100", ["remote probes"]),
        "private": exchanges(" --private", ["remote stores", "remote probes"]),
        "unserved": unserved,
        # These two change times alone: mpi_uci.py sees what they do.
        "network": other_evaluation,
        "batching-delay": refused("uci --batching-delay 0", "--batching-delay"),
        "rank-timeout": refused("uci --rank-timeout 0", "--rank-timeout"),
    },
    "perft": {
        "fen": on(1, lambda program: "Nodes searched: 2039" in program.run(with_fen("perft 2", KIWIPETE))[1]),
        "moves": on(1, says("perft 2 --moves e2e4", "Nodes searched: 600")),
        "chess960": on(1, lambda program: program.run(with_fen("perft 1 --divide --quiet", KIWIPETE, ["--chess960"]))[1]
                       != program.run(with_fen("perft 1 --divide --quiet", KIWIPETE))[1]),
        "threads": figure("perft 4 --quiet", "--threads 2", "threads"),
        "hash": figure("perft 6 --quiet --hash 64K", "--hash 128K", "table_bytes"),
        "replacement": forgets_more,
        "keys": figure("perft 5 --quiet --hash 64K", "--keys 2", "unknown_positions"),
        "kernel": on(1, says("perft 3 --json --kernel portable", '"portable"')),
        "ledger": on(1, lambda program: "x" in program.run("perft 5 --ledger x")[3]),
        "divide": on(1, changes("perft 2 --quiet", "--divide", options.no_numbers)),
        "json": on(1, changes("perft 2 --quiet", "--json", options.no_numbers)),
        "quiet": told_of_ledger,
        "progress": on(1, options.writes_progress("perft 12 --hash 16M --progress 1")),  # MPI starts a single rank by itself
        "rank-timeout": refused("perft 3 --rank-timeout 0", "--rank-timeout"),  # mpi_kill.py sees what it does
        "private": sets_sent,
        **{name: refused(f"perft 3 --{name} 1", text) for name, text in REFUSED.items() if name not in ("mates", "kinds")},
        **{name: refused(f"perft 3 --{name}", REFUSED[name]) for name in ("mates", "kinds")},
    },
}


def main(kind, binary, tabia):
    with tempfile.TemporaryDirectory() as folder:
        program = Program(binary, folder)
        for line in ("gensfen --positions 400 --depth 1 --threads 1 --quiet --out {games.bin}",
                     "train {games.bin} --out {other.network} --epochs 1 --synthetic-epochs 0 --threads 1"):
            done = Program(tabia, folder).run(line)
            assert done[0] == 0, (line, done)
        jobs = {ranks: Ranks(program, kind, ranks) for ranks in (1, 2)}
        faults = []
        with open(os.path.join(options.ROOT, "docs", "tabia-mpi.1"), encoding="utf-8") as file:
            reported = options.options_named_in(file.read())
        for command in COMMANDS:
            taken, unnamed = options.options_of(program, command)
            unnamed -= set(REFUSED)
            faults += [f"{command} --{name}: taken, but not in --help" for name in sorted(unnamed)]
            faults += [f"docs/tabia-mpi.1: {command} --{name}: left out" for name in sorted(taken - set(REFUSED) - reported)]
            faults += [f"{command} --{name}: no row" for name in sorted(taken - set(ROWS[command]))]
            faults += [f"{command} --{name}: a row for nothing" for name in sorted(set(ROWS[command]) - taken)]
        for command, row in ROWS.items():
            faults += [fault for name, check in row.items() if (fault := options.row_fault(jobs, command, name, check))]
    print("\n".join(faults) or f"{sum(len(row) for row in ROWS.values())} options have an effect or are refused")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
