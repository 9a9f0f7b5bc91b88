# SPDX-License-Identifier: MIT
"""
Measures `tabia data filter` beside the filters of viriformat and of nnue-pytorch, and one made with sfbinpack; their sources are given
by path as compare.py takes them. All run by turns on one thread; the figures are processor seconds.

    filters.py TABIA RANDOM_GAMES [--nnue-pytorch FOLDER] [--viriformat FOLDER] [--sfbinpack FOLDER]
               [--records N] [--rounds N] [--json 1]

viriformat: games of viri are filtered by one file of rules and written as bullet; the bytes have to be equal. nnue-pytorch: binpack,
no captures, promotions, checks, early plies; written as bin; positions, scores and results have to be equal. Then with an even share of all piece
counts: it draws by piece counts that it estimates as it goes, Tabia by those of the whole file, so that the
records differ. sfbinpack: as the former, written as binpack.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from compare import HERE, build_crate, compare_all, run
from use import spread, use_of

RULES = "min_ply = 16\nmin_pieces = 4\nmax_eval = 3000\nfilter_tactical = true\nfilter_check = true\nfilter_castling = true\n"
LIKE_NNUE = ("--min-ply", "16", "--filter-check", "--filter-tactical")
CURVE = ("--piece-curve", "1,1,1,1,1")
MEASURED = []


def peer_of(folder):
    """Name and version as the sources say them: those of a crate, or the name and commit of a clone."""
    crate = Path(folder, "Cargo.toml")
    if crate.exists():
        return [re.search(rf'^{what} = "(.*)"', crate.read_text(), re.MULTILINE).group(1) for what in ("name", "version")]
    clone = subprocess.run(["git", "-C", folder, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return Path(folder).name, clone.stdout.strip() or "a copy without its commit"


def measure(c, what, folder, theirs, ours, rounds):
    """Both by turns, so that what else the machine does meets both."""
    pairs = [(use_of(theirs), use_of(ours)) for _ in range(rounds)]
    name, version = peer_of(folder)
    found = {"name": what, "peer": name, "version": version, "records": c.records, "their_seconds": [a.seconds for a, _ in pairs],
             "seconds": [b.seconds for _, b in pairs], "ratios": [a.seconds / b.seconds for a, b in pairs],
             "their_peak": max(a.peak for a, _ in pairs), "peak": max(b.peak for _, b in pairs)}
    print(f"{what}, {c.records} records: {name} {spread(found['their_seconds'])} s and {found['their_peak']:.3g} MiB, "
          f"tabia {spread(found['seconds'])} s and {found['peak']:.3g} MiB, ratio {spread(found['ratios'])}", file=sys.stderr, flush=True)
    MEASURED.append(found)


def same_positions(c, form):
    """Compares as bullet, which has neither clocks, others with sfbinpack 0.6.4 behind a capture, nor the fullmove number, which
    nnue-pytorch derives from the ply in its own way."""
    for name in ("theirs", "ours"):
        c.convert(f"{name}.{form}", f"{name}.bullet")
    c.same_file(f"kept {Path('ours.bullet').stat().st_size // 32}, positions, scores and results", "theirs.bullet", "ours.bullet")


def with_viriformat(c, folder, rounds):
    reader = build_crate("viriformat", {"viriformat": folder})
    Path("rules.toml").write_text(RULES)
    c.games("v.viri", False)
    ours = (c.tabia, "data", "filter", "v.viri", "--out", "ours.bullet", "--rules", "rules.toml", "--quiet")
    measure(c, "viri to bullet", folder, (reader, "bullet", "v.viri", "theirs.bullet", "rules.toml"), ours, rounds)
    c.same_file(f"kept {Path('ours.bullet').stat().st_size // 32}, the bytes", "theirs.bullet", "ours.bullet")


def with_nnue_pytorch(c, folder, rounds):
    cpp = Path(folder, "data_loader", "cpp")
    run("g++", "-std=c++20", "-O3", "-DNDEBUG", "-march=native", "-w", "-pthread", "-I", cpp, HERE / "nnue_filter.cpp",
        cpp / "training_data_loader.cpp", "-o", "nnue_filter")
    c.games("a.viri", False)
    c.convert("a.viri", "a.binpack")
    ours = (c.tabia, "data", "filter", "a.binpack", *LIKE_NNUE, "--quiet", "--out")
    measure(c, "binpack to bin", folder, ("./nnue_filter", "quiet", "a.binpack", "theirs.bin"), (*ours, "ours.bin"), rounds)
    same_positions(c, "bin")
    measure(c, "binpack to bin, with the curve", folder, ("./nnue_filter", "curve", "a.binpack", "theirs.bin"),
            (*ours, "ours.bin", *CURVE), rounds)
    print(f"kept: theirs {Path('theirs.bin').stat().st_size // 40}, tabia {Path('ours.bin').stat().st_size // 40}")


def with_sfbinpack(c, folder, rounds):
    reader = build_crate("sfbinpack", {"sfbinpack": folder})
    c.games("b.viri", False)
    c.convert("b.viri", "b.binpack")
    ours = (c.tabia, "data", "filter", "b.binpack", *LIKE_NNUE, "--quiet", "--out", "ours.binpack")
    measure(c, "binpack to binpack", folder, (reader, "quiet", "b.binpack", "theirs.binpack"), ours, rounds)
    same_positions(c, "binpack")


def main():
    os.environ.setdefault("RUSTFLAGS", "-C target-cpu=native")
    readers = {"viriformat": with_viriformat, "nnue_pytorch": with_nnue_pytorch, "sfbinpack": with_sfbinpack}
    compare_all(readers, __doc__, {"records": 1000000, "rounds": 5, "json": 0}, lambda given: given.rounds,
                lambda given: given.json and print(json.dumps(MEASURED)))


main()
