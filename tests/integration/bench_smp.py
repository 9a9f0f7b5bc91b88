# SPDX-License-Identifier: MIT
"""
bench/smp.py: the nodes of one thread are those of a search by itself, the ratios belong to the figures they are of, and the positions are
fifty different ones, each with a move to search. Nothing is judged by the clock.

    bench_smp.py ROOT TABIA
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT, TABIA = map(os.path.abspath, sys.argv[1:])
SMP, POSITIONS = (os.path.join(ROOT, "bench", name) for name in ("smp.py", "smp_positions.epd"))
DEPTH, ROUNDS = 6, 2


def smp(*words, tabia=TABIA):
    return subprocess.run([sys.executable, SMP, tabia, *words], capture_output=True, text=True)


def nodes_alone(fen):
    words = ["setoption name Hash value 1", "setoption name Threads value 1", f"position fen {fen}", f"go depth {DEPTH}", "quit"]
    return int(re.findall(r" nodes (\d+) ", subprocess.run([TABIA, *words], capture_output=True, text=True, check=True).stdout)[-1])


with open(POSITIONS, encoding="ascii") as file:
    fens = [line.strip() for line in file if not line.startswith("#")]
assert len(set(fens)) == len(fens) == 50
for one in fens:
    moves = subprocess.run([TABIA, "perft", "1", "--quiet", "--fen", one], capture_output=True, text=True, check=True).stdout
    assert int(moves.split()[-1]) > 1, one
with tempfile.TemporaryDirectory() as folder:
    few = os.path.join(folder, "few.epd")
    with open(few, "w", encoding="ascii") as file:
        file.write("# two\n" + "\n".join(fens[:2]) + "\n")
    options = ("--positions", few, "--depth", str(DEPTH), "--rounds", str(ROUNDS), "--hash", "1")
    found = json.loads(smp(*options, "--json").stdout)
    assert (found["threads"], found["positions"], found["depth"], found["rounds"]) == (2, 2, DEPTH, ROUNDS), found
    rows = {row["variant"]: row for row in found["variants"]}
    assert list(rows) == ["one thread", "lazy", "split", "independent"], rows
    single = rows["one thread"]
    assert single["nodes"] == ROUNDS * sum(map(nodes_alone, fens[:2])) and single["speedup"] == single["nodes_ratio"] == 1, single
    assert rows["independent"]["nodes"] == 2 * single["nodes"] and abs(rows["independent"]["nodes_ratio"] - 2) < 1e-9, rows
    for row in rows.values():
        assert row["nodes"] > 0 and row["speedup_least"] <= row["speedup"] <= row["speedup_most"], row
        assert abs(row["nodes_ratio_of_sums"] * single["nodes"] - row["nodes"]) < 1, row
        assert abs(row["speedup_of_sums"] * row["seconds"] - single["seconds"]) < 1e-6, row
        assert abs(row["nps_ratio"] - row["nodes_ratio_of_sums"] * row["speedup_of_sums"]) < 1e-9, row
    table = smp(*options).stdout.splitlines()
    assert [line.split("  ")[0] for line in table[3:]] == list(rows), table
    ended = smp(*options, tabia="true")
    assert ended.returncode == 1 and "ended" in ended.stderr and "Traceback" not in ended.stderr, ended.stderr
print("one thread's nodes are a search's, ratios fit their figures")
