# SPDX-License-Identifier: MIT
"""
The speed of perft, as a table that any machine with Debian's Stockfish can print for itself.

    bench/perft.py TABIA [--quick] [--rounds N] [--json] [--stockfish PROGRAM] [--only plain|table]
                   [--peer NAME=COMMAND]...         other programs in the first part (peers.py says how)

Method. The unit is Stockfish's `go perft` on this machine in this run, so that the figures can be compared between
machines. For each position the programs run one after the other, round after round, so that what else the machine does
falls on all of them alike; the median of the rounds counts. Time is CPU time (user and system, from wait4) of one thread,
with the process pinned to one core. What a program needs to start is measured by the same command at depth 1 and taken off, for both sides; where a table is
used, filling its pages is part of the work and nothing is taken off Tabia's time. Every count is compared with the
known one; a wrong count ends the run.

Progress goes to standard error, the table to standard output. What cannot be measured here is named, with the reason.
"""

import argparse
import json
import math
import os
import platform
import shutil
import statistics
import subprocess
import sys

import peers

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWI = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

# Name, FEN, {depth: count}; the shallower depth is the quick one.
POSITIONS = [
    ("start", START, {6: 119060324, 7: 3195901860}),
    ("kiwi", KIWI, {5: 193690690, 6: 8031647685}),
    ("pos3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {7: 178633661, 8: 3009794393}),
    ("pos4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", {6: 706045033}),
    ("pos5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", {5: 89941194, 6: 3048196529}),
    ("pos6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", {5: 164075551, 6: 6923051137}),
]
# With a table: name, FEN, depth, count, the depth Stockfish goes to, its count.
TABLE_RUNS = [("start", START, 9, 2439530234167, 7, 3195901860), ("kiwi", KIWI, 7, 374190009323, 6, 8031647685)]
KERNELS = ["avx512", "avx2"]
TABLE = "1G"


class Missing(Exception):
    """Something that this machine or program lacks, in words for the reader."""


def note(text):
    print(text, file=sys.stderr, flush=True)


def run(command, stdin="", cores=None):
    """Runs a program to its end. Returns what it printed, and its CPU seconds."""
    pin = (lambda: os.sched_setaffinity(0, cores)) if cores and hasattr(os, "sched_setaffinity") else None
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, preexec_fn=pin)
    child.stdin.write(stdin)
    child.stdin.close()
    output = child.stdout.read()
    words = child.stderr.read().strip()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise Missing(words.splitlines()[-1] if words else f"{command[0]}: exit status {child.returncode}")
    return output, usage.ru_utime + usage.ru_stime


class Other:
    """Another program, by its command (peers.py) or, as Stockfish, by what it reads."""

    def __init__(self, name, words, core, stdin=""):
        self.name, self.words, self.core, self.stdin = name, words, core, stdin
        self.start_up = statistics.median(self.measure(START, 1, 20) for _ in range(5))

    def measure(self, fen, depth, expected):
        """CPU seconds for one count, the start-up included."""
        try:
            output, cpu = run(peers.filled_in(self.words, fen, depth), *peers.filled_in([self.stdin], fen, depth), {self.core})
        except (Missing, OSError) as error:
            sys.exit(f"{self.name}: {error}; perft {depth} of {fen}")
        check(self.name, fen, depth, peers.count_in(output), expected)
        return cpu

    def net(self, fen, depth, expected):
        return max(self.measure(fen, depth, expected) - self.start_up, 1e-4)


def stockfish_of(program, core):
    name = run([program], "quit\n")[0].splitlines()[0].split(" by ")[0]
    return Other(name, [program], core, "position fen {fen}\ngo perft {depth}\nquit\n")


class Tabia:
    def __init__(self, program, core):
        self.program, self.core = program, core

    def measure(self, fen, depth, expected, table="off", kernel=None):
        """CPU seconds for one count, the start-up included."""
        command = [self.program, "perft", str(depth), "--fen", fen, "--threads", "1", "--hash", table, "--quiet"]
        if kernel:
            command += ["--kernel", kernel]
        output, cpu = run(command, cores={self.core})
        check("tabia", fen, depth, peers.count_in(output), expected)
        return cpu

    def start_up(self, kernel):
        """Raises Missing where this CPU cannot run the kernel."""
        return statistics.median(self.measure(START, 1, 20, kernel=kernel) for _ in range(5))


def check(who, fen, depth, got, expected):
    if got != expected:
        sys.exit(f"{who} counted {got} instead of {expected}: perft {depth} of {fen}")


def geometric_mean(numbers):
    return math.exp(statistics.fmean(map(math.log, numbers)))


def pace(nodes, seconds):
    return f"{nodes / seconds / 1e6:.0f}"


def row(cells, widths):
    return "  ".join(str(c).rjust(w) if i else str(c).ljust(w) for i, (c, w) in enumerate(zip(cells, widths)))


def usable_kernels(tabia, result):
    """The kernels this CPU can run with their start-up times; the others are noted with the program's own words."""
    found = {}
    for kernel in KERNELS:
        try:
            found[kernel] = tabia.start_up(kernel)
        except Missing as lack:
            result["left_out"].append(f"kernel {kernel}: {lack}")
    return found


def bench_plain(tabia, others, rounds, quick, result):
    """One thread, no table: every kernel against Stockfish and other programs on the six positions."""
    kernels = usable_kernels(tabia, result)
    rows = []
    for name, fen, counts in POSITIONS:
        depth = min(counts) if quick else max(counts)
        times = {who: [] for who in ["stockfish", *others, *kernels]}
        for number in range(rounds):
            note(f"  {name} depth {depth}, round {number + 1} of {rounds}")
            for who, other in others.items():
                times[who].append(other.net(fen, depth, counts[depth]))
            for kernel, start_up in kernels.items():
                cpu = tabia.measure(fen, depth, counts[depth], kernel=kernel)
                times[kernel].append(max(cpu - start_up, 1e-4))
        medians = {who: statistics.median(t) for who, t in times.items() if t}
        rows.append({"position": name, "depth": depth, "nodes": counts[depth], "seconds": times, "median": medians})
    result["plain"] = {"rows": rows, "kernels": list(kernels)}
    ratios = {who: {p: geometric_mean([r["median"][who] / r["median"][p] for r in rows]) for p in kernels} for who in others}
    if "stockfish" in ratios:
        result["plain"]["ratio"] = ratios.pop("stockfish")
    if ratios:
        result["plain"]["peers"] = ratios


def print_peers(plain, kernels):
    """How many times as fast as each other program, by position: the median of the rounds, the least and the largest."""
    for peer, means in plain.get("peers", {}).items():
        print(f"Times the speed of {peer}" + " " * 4 + "(least and largest of the rounds)")
        for r in plain["rows"]:
            cells = []
            for p in kernels:
                rounds = sorted(theirs / ours for theirs, ours in zip(r["seconds"][peer], r["seconds"][p]))
                cells.append(f"{r['median'][peer] / r['median'][p]:.2f} ({rounds[0]:.2f} to {rounds[-1]:.2f})")
            print(row([f"{r['position']} d{r['depth']}", pace(r["nodes"], r["median"][peer]), *cells], [12, 9] + [22] * len(kernels)))
        print(row(["geom. mean", "1", *(f"{means[p]:.2f} x" for p in kernels)], [12, 9] + [22] * len(kernels)))


def print_plain(plain, has_stockfish):
    kernels, ratios = plain["kernels"], plain.get("ratio", {})
    print("One thread, no table: million positions a second of CPU time" +
          (", and how many times Stockfish's" if has_stockfish else ""))
    widths = [12, 9] + [16] * len(kernels)
    print(row(["", "Stockfish", *kernels], widths))
    for r in plain["rows"]:
        m, cells = r["median"], []
        for p in kernels:
            times = f" ({m['stockfish'] / m[p]:5.1f} x)" if has_stockfish else ""
            cells.append(pace(r["nodes"], m[p]) + times)
        unit = pace(r["nodes"], m["stockfish"]) if has_stockfish else "-"
        print(row([f"{r['position']} d{r['depth']}", unit, *cells], widths))
    if ratios:
        print(row(["geom. mean", "1", *(f"{ratios[p]:.1f} x" for p in kernels)], widths))
    print_peers(plain, kernels)
    print()


def memory_for_table(table):
    """Raises Missing where the machine has not the memory for a table of that many GiB, "8G"."""
    size = int(table.removesuffix("G")) << 30
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            free = next(int(line.split()[1]) << 10 for line in file if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return
    if free < 1.2 * size:
        raise Missing(f"a table of {table}iB: only {free >> 20} MiB of memory are free")


def stockfish_unit(stockfish, result, name, fen, depth, nodes, rounds):
    """Stockfish's seconds for the unit of the table runs: those of the first part where it went as deep, else measured."""
    for r in result.get("plain", {}).get("rows", []):
        if r["position"] == name and r["depth"] == depth:
            return r["median"]["stockfish"]
    return statistics.median(stockfish.net(fen, depth, nodes) for _ in range(rounds))


def bench_table(tabia, stockfish, rounds, result):
    """One thread and a table, in units of what Stockfish takes two plies (one ply) less deep."""
    memory_for_table(TABLE)
    rows = []
    for name, fen, depth, nodes, unit_depth, unit_nodes in TABLE_RUNS:
        seconds = []
        for number in range(rounds):
            note(f"  {name} depth {depth} with {TABLE}iB, round {number + 1} of {rounds}")
            seconds.append(tabia.measure(fen, depth, nodes, table=TABLE))
        r = {"position": name, "depth": depth, "nodes": nodes, "seconds": seconds, "median": statistics.median(seconds)}
        if stockfish:
            note(f"  {name} depth {unit_depth} by Stockfish")
            unit = stockfish_unit(stockfish, result, name, fen, unit_depth, unit_nodes, rounds)
            r.update(unit_depth=unit_depth, unit=unit, ratio=r["median"] / unit)
        rows.append(r)
    result["table"] = rows


def print_table(rows):
    print("One thread, a table of 1 GiB: seconds of CPU time")
    for r in rows:
        unit = (f"; Stockfish needs {r['unit']:.2f} s for d{r['unit_depth']}: {r['ratio']:.3f} times that"
                if "unit" in r else "")
        print(f"{r['position']} d{r['depth']}  {r['median']:.2f} s, {r['nodes'] / r['median'] / 1e9:.1f} G/s{unit}")
    print()


def cpu_name():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
            return names[0] if names else platform.machine()
    except OSError:
        return platform.machine()


def search_path():
    return os.environ.get("PATH", "") + ":/usr/games"


def find_stockfish(wanted, core, result):
    program = shutil.which(wanted, path=search_path())
    if not program:
        result["left_out"].append(f"every comparison: {wanted} is not on this machine (apt-get install stockfish)")
        return None
    stockfish = stockfish_of(program, core)
    result["stockfish"] = {"name": stockfish.name, "start_up": stockfish.start_up}
    return stockfish


def options():
    parser = argparse.ArgumentParser(description="the speed of tabia perft against Stockfish's")
    parser.add_argument("tabia", help="the program to measure")
    parser.add_argument("--quick", action="store_true", help="one ply less deep, one round: two minutes, and coarse")
    parser.add_argument("--rounds", type=int, help="how often each measurement is made (3; 1 with --quick)")
    parser.add_argument("--json", action="store_true", help="one JSON object with every measurement")
    parser.add_argument("--stockfish", default="stockfish", help="the program to compare with")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND",
                        help="another program: 'NAME=./program \"{fen}\" {depth}'; may be given several times")
    parser.add_argument("--only", choices=["plain", "table"], help="one part of the two")
    args = parser.parse_args()
    try:
        args.peer = dict(peers.parse(text, search_path()) for text in args.peer)
        if {"stockfish", *KERNELS} & set(args.peer):
            raise peers.BadPeer(f"--peer: a name may not be stockfish or that of a kernel ({', '.join(KERNELS)})")
        if args.peer and args.only not in (None, "plain"):
            raise peers.BadPeer("--peer: other programs are measured in the part plain only")
    except peers.BadPeer as error:
        parser.error(str(error))
    return args


def measure_all(args, result):
    core = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    rounds = args.rounds or (1 if args.quick else 3)
    tabia = Tabia(args.tabia, core)
    stockfish = find_stockfish(args.stockfish, core, result)
    others = {"stockfish": stockfish} if stockfish else {}
    others.update((name, Other(f"peer {name}", words, core)) for name, words in args.peer.items())
    parts = {
        "plain": lambda: bench_plain(tabia, others, max(rounds, 3) if args.quick else rounds, args.quick, result),
        "table": lambda: bench_table(tabia, stockfish, rounds, result),
    }
    for name, measure in parts.items():
        if args.only in (None, name):
            note(f"measuring: {name}")
            try:
                measure()
            except Missing as lack:
                result["left_out"].append(str(lack))


def print_all(result):
    stockfish = result.get("stockfish")
    print(f"{result['tabia']} on {result['cpu']}, {result['cores']} cores")
    if stockfish:
        print(f"compared with {stockfish['name']}; its start-up, {stockfish['start_up']:.3f} s, is taken off")
    print()
    if "plain" in result:
        print_plain(result["plain"], bool(stockfish))
    if "table" in result:
        print_table(result["table"])
    for reason in result["left_out"]:
        print("left out: " + reason)


def main():
    args = options()
    args.tabia = os.path.abspath(args.tabia)
    result = {"tabia": run([args.tabia, "--version"])[0].strip(), "cpu": cpu_name(), "cores": os.cpu_count(),
              "left_out": []}
    measure_all(args, result)
    if args.json:
        print(json.dumps(result, indent=1))
    else:
        print_all(result)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        note("stopped; nothing is printed of what was measured")
        sys.exit(130)
