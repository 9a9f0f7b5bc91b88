# SPDX-License-Identifier: MIT
"""
Measures `tabia data filter` beside the filters of viriformat and of nnue-pytorch, whose sources are given by path as compare.py
takes them. All run by turns on one thread; the figures are processor seconds.

    filters.py TABIA RANDOM_GAMES [--nnue-pytorch FOLDER] [--viriformat FOLDER] [--records N] [--rounds N]

viriformat: games of viri are filtered by one file of rules and written as bullet; the bytes have to be equal. nnue-pytorch: binpack,
no captures, no checks, no early plies, an even share of all piece counts; written as bin. It draws by piece counts that it estimates
as it goes, Tabia by those of the whole file, which it reads twice for that, so that the records differ; without the curve once.
"""

import os
import statistics
import subprocess
import sys
from pathlib import Path

from compare import HERE, build_crate, compare_all, run

RULES = "min_ply = 16\nmin_pieces = 4\nmax_eval = 3000\nfilter_tactical = true\nfilter_check = true\nfilter_castling = true\n"
LIKE_NNUE = ("--min-ply", "16", "--filter-check", "--filter-tactical")
CURVE = ("--piece-curve", "1,1,1,1,1")


def seconds(words):
    """Processor seconds."""
    child = subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{words}: status {status}")
    return usage.ru_utime + usage.ru_stime


def spread(values):
    return f"{statistics.median(values):.3g} ({min(values):.3g} to {max(values):.3g})"


def measure(what, theirs, ours, rounds):
    """Both by turns, so that what else the machine does meets both."""
    pairs = [(seconds(theirs), seconds(ours)) for _ in range(rounds)]
    ratios = [a / b for a, b in pairs]
    print(f"{what}: theirs {spread([a for a, _ in pairs])} s, tabia {spread([b for _, b in pairs])} s, ratio {spread(ratios)}", flush=True)


def with_viriformat(c, folder, rounds):
    reader = build_crate("viriformat", folder)
    Path("rules.toml").write_text(RULES)
    c.games("v.viri", False)
    ours = (c.tabia, "data", "filter", "v.viri", "--out", "ours.bullet", "--rules", "rules.toml", "--quiet")
    measure(f"viri to bullet, {c.records} records", (reader, "bullet", "v.viri", "theirs.bullet", "rules.toml"), ours, rounds)
    c.same_file(f"kept {Path('ours.bullet').stat().st_size // 32}, the bytes", "theirs.bullet", "ours.bullet")


def with_nnue_pytorch(c, folder, rounds):
    cpp = Path(folder, "data_loader", "cpp")
    run("g++", "-std=c++20", "-O3", "-DNDEBUG", "-march=native", "-w", "-pthread", "-I", cpp, HERE / "nnue_filter.cpp",
        cpp / "training_data_loader.cpp", "-o", "nnue_filter")
    c.games("a.viri", False)
    c.convert("a.viri", "a.binpack")
    theirs, ours = ("./nnue_filter", "a.binpack", "theirs.bin"), (c.tabia, "data", "filter", "a.binpack", *LIKE_NNUE, "--quiet", "--out")
    measure(f"binpack to bin, {c.records} records, tabia without the curve", theirs, (*ours, "x.bin"), rounds)
    measure(f"binpack to bin, {c.records} records", theirs, (*ours, "ours.bin", *CURVE), rounds)
    print(f"kept: theirs {Path('theirs.bin').stat().st_size // 40}, tabia {Path('ours.bin').stat().st_size // 40}")


compare_all({"viriformat": with_viriformat, "nnue_pytorch": with_nnue_pytorch}, __doc__, {"records": 1000000, "rounds": 5},
            lambda given: given.rounds)
