#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tabia-mpi as a UCI engine on 1 to 3 ranks: conversations as clients hold them, every answer within a hard time-out; ranks
that die. The legal moves come from `tabia`.

mpi_uci.py KIND TABIA-MPI TABIA        KIND: openmpi or mpich
"""
import atexit
import os
import re
import signal
import subprocess
import sys
import time

import mpi_jobs as mpi
from uci_engine import Engine

kind, program, tabia = sys.argv[1:4]
mpi.skip_without(kind)


def begin(ranks, *options, net="shm", more=()):
    command = [*mpi.launcher(kind, net, more), "-n", str(ranks), program, *options]
    e = Engine(*command, env=mpi.environment(), stderr=subprocess.DEVNULL, start_new_session=True)
    atexit.register(lambda: e.process.poll() is None and mpi.end_all(e.process))
    return e


class Referee:
    """Says which moves are legal."""

    def __init__(self):
        self.engine = Engine(tabia)
        atexit.register(self.engine.process.kill)

    def check(self, position, best):
        legal = [line.split(":")[0] for line in self.engine.ask("Nodes searched", f"position {position}", "go perft 1") if re.match(r"\w+: 1$", line)]
        mpi.check(best in legal, f"{best} is no legal move of {position}")


referee = Referee()


def search(e, position, go, *then, wait=0.0):
    """All lines of a search; the best move is legal."""
    e.send(f"position {position}", go)
    time.sleep(wait)
    lines = e.ask("bestmove", *then)
    referee.check(position, lines[-1].split()[1])
    mpi.check(any(" score " in line for line in lines), f"{go}: no score in {lines}")
    mpi.check(not any(line.startswith("bestmove") for line in e.ready()), f"{go}: two answers")
    return lines


def together(lines):
    """(ranks that answered, probes, percent found, messages received by searching threads) of the line that sums up; None if there
    is none."""
    for line in lines:
        found = re.match(r"info string (\d+) of \d+ ranks: (\d+) remote probes, ([\d.]+) % hits.* (\d+) received by searching", line)
        if found:
            return int(found[1]), int(found[2]), float(found[3]), int(found[4])
    return None


def end(e, ranks):
    """Quits well, and leaves nobody behind."""
    left = mpi.children(e.process.pid)
    e.send("quit")
    mpi.check(e.process.wait(60) == 0, f"{ranks} ranks: a status after quit")
    mpi.check(mpi.are_gone(left), "processes are left after quit")


def begins_to_search(e):
    """Not until a given depth: a rank leaves out depths that another is on."""
    e.ask("info depth ", "position startpos", "go infinite")
    time.sleep(0.3)


def greets(ranks, net):
    e = begin(ranks, net=net)
    greeting = e.ask("uciok", "uci")
    mpi.check(any(line.startswith("option name Hash ") for line in greeting), f"no options in {greeting}")
    e.ready()
    return e


def answers(ranks, net):
    """What is new with another number of ranks or another way between them; converses() asks for all the rest."""
    e = greets(ranks, net)
    for go in ("depth 1", "depth 9", "nodes 1", "movetime 1"):
        search(e, "startpos", f"go {go}")
    search(e, "startpos moves e2e4 e7e5", "go infinite", "stop", wait=0.2)
    shares(e, ranks)
    e.send("setoption name Hash value 33", "setoption name Threads value 2", "ucinewgame")
    search(e, "startpos", "go nodes 3000")
    end(e, ranks)


def converses(ranks, net):
    e = greets(ranks, net)
    for go in ("movetime 200", "wtime 300 btime 300", "mate 1 depth 3", "depth 6 searchmoves a2a3 h2h4"):
        search(e, "startpos", f"go {go}")
    search(e, f"fen {mpi.KIWI}", "go ponder wtime 400 btime 400", "ponderhit", wait=0.3)
    search(e, f"fen {mpi.KIWI}", "go ponder wtime 400 btime 400", "stop", wait=0.1)
    e.send("stop", "ponderhit", "stop")
    e.ready()
    shares(e, ranks)
    for options in (["Hash value 1"], ["Hash value 33"], ["Threads value 2"], ["MultiPV value 3"], ["Clear Hash"],
                    ["MultiPV value 1", "Threads value 1", "UCI_LimitStrength value true", "UCI_Elo value 1200"]):
        e.send(*[f"setoption name {o}" for o in options])
        lines = search(e, "startpos", "go movetime 100")
    mpi.check(not together(lines), "a weakened engine searches on one rank")
    for option in ("Table Name value mpi-uci", "Replacement value depth-and-age"):
        e.send(f"setoption name {option}")
        mpi.check(any("has no effect: the table is spread over ranks" in line for line in e.ready()), option)
    e.send("setoption name Hash value 2048")
    e.ready()
    with open(f"/proc/{rank_of(e, 0)}/status", encoding="ascii") as file:
        mpi.check(int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) < 1 << 20, "memory that quit would wait for")
    end(e, ranks)


def shares(e, ranks):
    """All ranks answer, know something that another does not, and receive messages while they search. Where processors are scarce,
    not in every search: as often as it takes, up to the time-out of all."""
    if ranks == 1:
        return
    for _ in range(200):
        said = together(search(e, f"fen {mpi.KIWI}", "go movetime 500"))
        if said and said[0] == ranks and min(said) > 0:
            return
    mpi.check(False, f"{ranks} ranks never answered together: {said}")


def from_a_pipe():
    """Lines out of a file are all answered before the end."""
    command = [*mpi.launcher(kind), "-n", "2", program]
    text = "uci\nposition startpos\ngo depth 6\nposition startpos moves e2e4\ngo nodes 2000\n"
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, env=mpi.environment(), check=False)
    mpi.check(done.returncode == 0 and done.stdout.count("bestmove") == 2, f"from a pipe: {done}")


def rank_of(e, rank):
    mpi.check(mpi.wait_until(lambda: rank in mpi.ranks_of(e.process), e.process), f"rank {rank} has not started: {mpi.ranks_of(e.process)}")
    return mpi.ranks_of(e.process)[rank]


def dies(rank, ranks=2, by=signal.SIGKILL):
    """Without recovery the job ends: a client sees an engine that is gone, and nothing stays behind."""
    e = begin(ranks, "uci", "--rank-timeout", "3")
    e.ready()
    pids = mpi.children(e.process.pid)
    begins_to_search(e)
    os.kill(rank_of(e, rank), by)
    mpi.check(e.process.wait(60) != 0, f"status 0 after rank {rank} died")
    mpi.check(mpi.are_gone(pids), f"processes are left after rank {rank} died")


def goes_on_without(rank, ranks, by=signal.SIGKILL, more=mpi.SURVIVE):
    """Open MPI with --enable-recovery, or where a rank stops for ever: the others go on."""
    e = begin(ranks, "uci", "--rank-timeout", "3", more=more)
    e.ready()
    pids = mpi.children(e.process.pid)
    begins_to_search(e)
    os.kill(rank_of(e, rank), by)
    e.ask("bestmove", "stop")
    for go in ("go depth 8", "go movetime 200", "go nodes 5000"):
        search(e, "startpos moves d2d4", go)
    time.sleep(4)
    search(e, "startpos", "go movetime 300")
    e.send("quit")
    mpi.check(e.process.wait(60) == 0, f"quit without rank {rank}")
    mpi.check(mpi.are_gone(pids), "processes are left")


def takes_lines_as_arguments():
    for words in (["uci", "go", "depth", "5"], ["go", "depth", "5"], ["position startpos moves d2d4", "go depth 5"]):
        status, out, errors = mpi.finish(mpi.start([*mpi.launcher(kind), "-n", "2", program, *words]))
        best = [line.split()[1] for line in out.splitlines() if line.startswith("bestmove")]
        mpi.check(status == 0 and len(best) == 1 and " depth 5 " in out, f"{words}: {status}, {out}, {errors}")
        referee.check("startpos moves d2d4" if "d2d4" in words[0] else "startpos", best[0])


def refused():
    for options, words in ((["uci", "--store-depth"], "--store-depth"), (["uci", "--what"], "'--what' is not understood")):
        status, _, errors = mpi.finish(mpi.start([*mpi.launcher(kind), "-n", "2", program, *options]))
        said = [line for line in errors.splitlines() if line.startswith("tabia-mpi uci:")]
        mpi.check(status != 0 and len(said) == 1 and words in said[0], f"{options}: {status}, {errors}")


answers(1, "shm")
converses(2, "shm")
answers(3, "shm")
answers(2, "tcp")
from_a_pipe()
takes_lines_as_arguments()
refused()
dies(1)
dies(0)
dies(0, 3, signal.SIGSTOP)
goes_on_without(1, 3, signal.SIGSTOP, ())
if kind == "openmpi":
    goes_on_without(1, 2)
    goes_on_without(1, 3)
    goes_on_without(1, 3, signal.SIGSTOP)
referee.engine.end()
print(f"{kind}: converses on 1, 2 and 3 ranks; ends or goes on when a rank dies")
