# SPDX-License-Identifier: MIT
"""
Long analysis that switches positions and options all the time, and its resident memory: does it stay flat? `make soak` runs
it; MINUTES=10 HASH=4096.

    soak.py TABIA [MINUTES] [HASH]

Every few seconds the engine is brought back to the same options (Hash as given, 2 threads) and its memory is read, huge pages
included. It is flat when the most of the last third is no more than 4 MiB above the most of the first.
"""

import random
import sys
import time

from uci_engine import Engine

POSITIONS = (
    "startpos", "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5", "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "fen 8/8/8/4k3/8/8/8/3K3R w - - 96 120",
    "fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "fen 8/4kp2/2Bp1p2/b1pP1P1p/P1P4P/6P1/8/6K1 b - - 19 57", "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
)
LEAST_SAMPLES, SLACK = 6, 4.0


def resident(pid):
    """MiB, with huge pages, which the system counts apart."""
    kib = 0
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith(("VmRSS:", "HugetlbPages:")):
                kib += int(line.split()[1])
    return kib / 1024


def option(e, name, value):
    e.send(f"setoption name {name} value {value}")


def change_something(e, rng, size):
    what = rng.randrange(9)
    if what == 0:
        option(e, "Hash", rng.choice((1, size // 2, size)))
    elif what == 1:
        option(e, "Threads", rng.choice((1, 2, 4)))
    elif what == 2:
        option(e, "MultiPV", rng.choice((1, 2, 5)))
    elif what == 3:
        option(e, "PathKey", rng.choice(("off", "guard", "fifty", "fifty-count", "last-2", "game")))
    elif what == 4:
        option(e, "SMPMode", rng.choice(("lazy", "split")))
    elif what == 5:
        e.send(rng.choice(("ucinewgame", "setoption name Clear Hash")))
    elif what == 6:
        option(e, "UCI_Chess960", rng.choice(("true", "false")))
    elif what == 7:
        e.send("position startpos", "go perft 3", "eval", "d", "flip")


def analyse(e, rng):
    e.send(f"position {rng.choice(POSITIONS)}")
    if rng.randrange(3):
        e.send(rng.choice(("go infinite", "go ponder wtime 60000 btime 60000")))
        time.sleep(rng.expovariate(1 / 0.5))
        e.send("stop")
    else:
        e.send(rng.choice(("go nodes 200000", "go depth 8", "go movetime 300", "go wtime 3000 btime 3000")))
    e.until("bestmove")


def same_as_ever(e, size):
    for name, value in (("Hash", size), ("Threads", 2), ("MultiPV", 1), ("SMPMode", "lazy"), ("PathKey", "fifty-count")):
        option(e, name, value)
    said = e.ready()
    assert not any("stays as it was" in line for line in said), said


def main(binary, minutes=10, size=4096):
    seconds, size, rng = 60 * float(minutes), int(size), random.Random(1)
    e = Engine(binary)
    begin, samples, searches, due = time.monotonic(), [], 0, 0.0
    while time.monotonic() - begin < seconds or len(samples) < LEAST_SAMPLES:
        change_something(e, rng, size)
        analyse(e, rng)
        searches += 1
        if time.monotonic() - begin >= due:
            same_as_ever(e, size)
            samples.append(resident(e.process.pid))
            print(f"{time.monotonic() - begin:6.0f} s  {searches:5} searches  {samples[-1]:9.1f} MiB", flush=True)
            due = time.monotonic() - begin + seconds / 30
    e.end()
    third = len(samples) // 3
    growth = max(samples[-third:]) - max(samples[:third])
    print(f"{'flat' if growth <= SLACK else 'grows'}: {searches} searches in {(time.monotonic() - begin) / 60:.1f} minutes, "
          f"Hash {size}; the most of the last third is {growth:+.1f} MiB beside that of the first, {max(samples):.1f} MiB at most")
    return growth > SLACK


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
