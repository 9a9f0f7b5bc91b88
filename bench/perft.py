# SPDX-License-Identifier: MIT
"""
The speed of perft, as a table that any machine with Debian's Stockfish can print for itself.

    bench/perft.py TABIA [--quick] [--rounds N] [--json] [--stockfish PROGRAM] [--only plain|table|equal]

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
import re
import shutil
import statistics
import subprocess
import sys

import recipes
import result_file
import tables

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
# With equal tables: MPerft, which knows no castling of Chess960, and Tabia.
EQUAL_RUNS = [
    ("pos3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {8: 3009794393, 10: 860322602309}),
    ("French, closed", "r1bqkb1r/1p1n1ppp/p1n1p3/2ppP3/3P1P2/P1N1BN2/1PP3PP/R2QKB1R w KQkq - 0 1", {6: 2580367806, 7: 102077394285}),
    ("locked pawns", "8/1kp5/1p1p1p2/pP1PpPp1/P1P1P1Pp/3K3P/3N1B2/8 w - - 0 1", {10: 14708715239, 12: 1704655707712}),
    ("bishops and pawns", "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 1", {9: 42737056201, 11: 9902996808031}),
    ("queen and pawn", "8/8/4k3/3q4/8/1P6/2Q1K3/8 w - - 0 1", {8: 31096989282, 9: 622983676070}),
    ("Chess960", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w - - 0 9", {7: 5916207807, 8: 170991590109}),
]
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


def count_in(output):
    """None if it prints no count."""
    found = re.search(r"^(?:Nodes searched:|perft +\d+ :) +(\d+)(?: leaves.*)?$", output, re.MULTILINE)
    return int(found[1]) if found else None


class Contender:
    """A program that counts, by its words or by what it reads; {fen} and {depth} in them are filled in."""

    def __init__(self, name, words, core, stdin=""):
        self.name, self.words, self.core, self.stdin, self.start_up = name, words, core, stdin, None

    def measure(self, fen, depth, expected):
        """CPU seconds for one count, the start-up included. Raises Missing."""
        *words, stdin = (text.replace("{depth}", str(depth)).replace("{fen}", fen) for text in (*self.words, self.stdin))
        try:
            output, cpu = run(words, stdin, {self.core})
        except (Missing, OSError) as error:
            raise Missing(f"{self.name}: {error}; perft {depth} of {fen}") from None
        if count_in(output) != expected:
            sys.exit(f"{self.name} counted {count_in(output)} instead of {expected}: perft {depth} of {fen}")
        return cpu

    def net(self, fen, depth, expected):
        if self.start_up is None:
            self.start_up = statistics.median(self.measure(START, 1, 20) for _ in range(5))
        return max(self.measure(fen, depth, expected) - self.start_up, 1e-4)


def stockfish_of(program, core):
    name = run([program], "quit\n")[0].splitlines()[0].split(" by ")[0]
    return Contender(name, [program], core, "position fen {fen}\ngo perft {depth}\nquit\n")


def mperft_of(program, core):
    """Abulmo's, which counts the last ply in bulk when asked, as the others do."""
    version = re.search(r"version (\S+)", run([program, "-d", "1"])[0])[1]
    return Contender(f"MPerft {version}", [program, "-f", "{fen}", "-d", "{depth}", "-b"], core)


def tabia_of(program, core, table="off", more=()):
    return Contender("tabia", [program, "perft", "{depth}", "--fen", "{fen}", "--threads", "1", "--hash", table, "--quiet", *more], core)


def geometric_mean(numbers):
    return math.exp(statistics.fmean(map(math.log, numbers)))


def kernels_of(program, core, result):
    """A contender for each kernel that this CPU can run; the others are noted with the program's own words."""
    found = {}
    for kernel in KERNELS:
        one = tabia_of(program, core, more=["--kernel", kernel])
        try:
            one.net(START, 1, 20)
            found[kernel] = one
        except Missing as lack:
            result["left_out"].append(f"kernel {kernel}: {lack}")
    return found


def compare(contenders, positions, seconds_of, rounds, quick):
    """Every contender counts each position, by turns: rows of {position, depth, nodes, seconds, median}."""
    rows = []
    for name, fen, counts in positions:
        depth = min(counts) if quick else max(counts)
        times = {who: [] for who in contenders}
        for number in range(rounds):
            note(f"  {name} depth {depth}, round {number + 1} of {rounds}")
            for who, one in contenders.items():
                times[who].append(seconds_of(one, fen, depth, counts[depth]))
        medians = {who: statistics.median(t) for who, t in times.items()}
        rows.append({"position": name, "depth": depth, "nodes": counts[depth], "seconds": times, "median": medians})
    return rows


def bench_plain(kernels, stockfish, rounds, quick, result):
    """One thread, no table: every kernel against Stockfish on the six positions."""
    rows = compare({**({"stockfish": stockfish} if stockfish else {}), **kernels}, POSITIONS, Contender.net, rounds, quick)
    ratios = {k: geometric_mean([r["median"]["stockfish"] / r["median"][k] for r in rows]) for k in kernels if stockfish}
    result["plain"] = {"rows": rows, "kernels": list(kernels), "ratios": ratios}


def bench_equal(tabia, mperft, rounds, quick, result):
    """One thread and a table of 1 GiB each: Tabia against MPerft, start-up and all."""
    peer = Contender(mperft.name, [*mperft.words, "-h", "1024"], mperft.core)
    rows = compare({"stockfish": peer, "tabia": tabia}, EQUAL_RUNS, Contender.measure, rounds, quick)
    ratio = geometric_mean([r["median"]["stockfish"] / r["median"]["tabia"] for r in rows])
    result["plain"] = {"rows": rows, "kernels": ["tabia"], "ratios": {"tabia": ratio}, "table": TABLE}


def stockfish_unit(stockfish, result, name, fen, depth, nodes, rounds):
    """Stockfish's seconds for the unit of the table runs: those of the first part where it went as deep, else measured."""
    for r in result.get("plain", {}).get("rows", []):
        if r["position"] == name and r["depth"] == depth:
            return r["median"]["stockfish"]
    return statistics.median(stockfish.net(fen, depth, nodes) for _ in range(rounds))


def bench_table(tabia, stockfish, rounds, result):
    """One thread and a table, in units of what Stockfish takes two plies (one ply) less deep."""
    rows = []
    try:
        tabia.measure(START, 1, 20)
    except Missing as lack:  # of the memory
        result["left_out"].append(str(lack))
        return
    for name, fen, depth, nodes, unit_depth, unit_nodes in TABLE_RUNS:
        seconds = []
        for number in range(rounds):
            note(f"  {name} depth {depth} with {TABLE}iB, round {number + 1} of {rounds}")
            seconds.append(tabia.measure(fen, depth, nodes))
        r = {"position": name, "depth": depth, "nodes": nodes, "seconds": seconds, "median": statistics.median(seconds)}
        if stockfish:
            note(f"  {name} depth {unit_depth} by Stockfish")
            unit = stockfish_unit(stockfish, result, name, fen, unit_depth, unit_nodes, rounds)
            r.update(unit_depth=unit_depth, unit=unit, ratio=r["median"] / unit)
        rows.append(r)
    result["table"] = rows


def find_stockfish(wanted, core, result):
    program = shutil.which(wanted, path=os.environ.get("PATH", "") + ":/usr/games")
    if not program:
        result["left_out"].append(f"every comparison: {wanted} is not on this machine (apt-get install stockfish)")
        return None
    stockfish = (mperft_of if "mperft" in os.path.basename(program) else stockfish_of)(program, core)
    stockfish.net(START, 1, 20)
    result["stockfish"] = {"name": stockfish.name, "start_up": stockfish.start_up}
    return stockfish


def options():
    parser = argparse.ArgumentParser(description="the speed of tabia perft against Stockfish's")
    parser.add_argument("tabia", help="the program to measure")
    parser.add_argument("--quick", action="store_true", help="one ply less deep, one round: two minutes, and coarse")
    parser.add_argument("--rounds", type=int, help="how often each measurement is made (3; 1 with --quick)")
    parser.add_argument("--json", action="store_true", help="one JSON object with every measurement")
    parser.add_argument("--stockfish", default="stockfish", help="the program to compare with: a UCI engine with go perft, or mperft")
    parser.add_argument("--only", choices=["plain", "table", "equal"],
                        help="one part; equal: MPerft and Tabia, tables of 1 GiB each")
    return parser.parse_args()


def measure_all(args, result):
    core = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    rounds = args.rounds or (1 if args.quick else 3)
    stockfish = find_stockfish(args.stockfish, core, result)
    parts = {
        "plain": lambda: bench_plain(kernels_of(args.tabia, core, result), stockfish, max(rounds, 3) if args.quick else rounds, args.quick, result),
        "table": lambda: bench_table(tabia_of(args.tabia, core, TABLE), stockfish, rounds, result),
        "equal": lambda: bench_equal(tabia_of(args.tabia, core, TABLE), stockfish, rounds, args.quick, result),
    }
    for name, measure in parts.items():
        if args.only == name or (not args.only and name != "equal"):
            note(f"measuring: {name}")
            measure()


def print_part(name, result):
    """As the documents show it: medians, and the least and the largest of the rounds."""
    recipe = recipes.RECIPES[name]
    rows, _ = recipe.read({"": [argparse.Namespace(output=json.dumps(result))]})
    bare = dict.fromkeys(("date", "source", "processor", "repetitions"), "")  # what the text of one run does not repeat
    body, heads, _ = tables.part_of({**recipe._asdict(), **bare, "rows": rows}, [], [])
    widths = [max(map(len, cells)) for cells in zip(["", *heads], *body)]
    print(f"{recipe.title}; {recipe.unit}")
    for first, *cells in (["", *heads], *body):
        print("  ".join([first.ljust(widths[0]), *(c.rjust(w) for c, w in zip(cells, widths[1:]))]))
    print()


def print_all(result, peer):
    print(f"{result['tabia']} on {result['cpu']}, {result['cores']} cores")
    if stockfish := result.get("stockfish"):
        taken_off = "" if "table" in result.get("plain", {}) else f"; its start-up, {stockfish['start_up']:.3f} s, is taken off"
        print(f"compared with {stockfish['name']}{taken_off}")
    print()
    for part in filter(result.get, ("plain", "table")):
        print_part("perft-equal" if "table" in result[part] else "perft-mperft" if "mperft" in peer else f"perft-{part}", result)
    for reason in result["left_out"]:
        print("left out: " + reason)


def main():
    args = options()
    args.tabia = os.path.abspath(args.tabia)
    result = {"tabia": run([args.tabia, "--version"])[0].strip(), "cpu": result_file.processor(), "cores": os.cpu_count(),
              "left_out": []}
    try:
        measure_all(args, result)
    except Missing as lack:
        sys.exit(str(lack))
    if args.json:
        print(json.dumps(result, indent=1))
    else:
        print_all(result, args.stockfish)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        note("stopped; nothing is printed of what was measured")
        sys.exit(130)
