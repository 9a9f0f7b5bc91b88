# SPDX-License-Identifier: MIT
"""
How long a stop takes: `go infinite` in many positions, a stop at a random moment, the time until the bestmove. Not part of
`make test`, which times nothing; `make stops` runs it, on a machine that has a processor left.

    stop_times.py TABIA [STOPS] [HASH]
"""

import random
import subprocess
import sys
import time

POSITIONS = (
    "startpos", "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "fen 8/8/8/4k3/8/8/8/3K4 w - - 0 1",
    "fen 8/8/8/4k3/8/8/8/3K3R w - - 100 120", "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "fen 7k/8/8/8/8/8/r7/K7 w - - 0 1",
    "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    "fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "fen 8/4kp2/2Bp1p2/b1pP1P1p/P1P4P/6P1/8/6K1 b - - 19 57",
)
GOAL = 10.0  # milliseconds


class Engine:
    def __init__(self, binary):
        self.process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.rest = b""

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())

    def until(self, start):
        """Reads as it comes: a thread between would add its own waiting."""
        while True:
            line, newline, rest = self.rest.partition(b"\n")
            if not newline:
                more = self.process.stdout.read(65536)
                assert more, "the engine ended"
                self.rest += more
                continue
            self.rest = rest
            if line.startswith(start):
                return


def measure(binary, threads, stops, size):
    e = Engine(binary)
    rng = random.Random(threads)
    e.send(f"setoption name Hash value {size}", f"setoption name Threads value {threads}", "isready")
    e.until(b"readyok")
    times = []
    for i in range(stops):
        e.send(f"position {POSITIONS[i % len(POSITIONS)]}", "go infinite", "isready")
        e.until(b"readyok")
        time.sleep(rng.expovariate(1 / 0.03))
        begin = time.perf_counter()
        e.send("stop")
        e.until(b"bestmove")
        times.append(1000 * (time.perf_counter() - begin))
    e.send("quit")
    e.process.wait(20)
    times.sort()
    print(f"{threads} thread{'s' if threads > 1 else ''}, Hash {size}: {stops} stops, median {times[stops // 2]:.2f} ms, "
          f"99 % {times[stops * 99 // 100]:.2f} ms, most {times[-1]:.2f} ms", flush=True)
    return times[-1]


def main(binary, stops=200, size=1024):
    worst = max(measure(binary, threads, int(stops), int(size)) for threads in (1, 2))
    print(f"{'good' if worst <= GOAL else 'too slow'}: the slowest answer took {worst:.2f} ms, the goal is {GOAL:.0f} ms")
    return worst > GOAL


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
