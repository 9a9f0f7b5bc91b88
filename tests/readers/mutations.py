# SPDX-License-Identifier: MIT
"""
Gives damaged files to `tabia data verify` and to the readers of trainers, whose sources are given by path as compare.py has them:
verify must accept none that a reader refuses, crashes on or hangs at. Prints for each reader and format how
many files both accept, both refuse, and one of them alone.

    mutations.py TABIA RANDOM_GAMES [--nnue-pytorch FOLDER] [--stockfish-tools FOLDER] [--sfbinpack FOLDER] [--viriformat FOLDER]
                 [--bulletformat FOLDER] [--records N] [--mutations N] [--seed N]

Crates are compiled with their own asserts on. A damaged file has one byte changed, a piece taken out, or its end cut off, at a place
that the seed chooses.
"""

import collections
import random
import subprocess
import tempfile
from pathlib import Path

from compare import build_cpp, build_crate, compare_all

LONGEST = 20  # seconds that a reader may take for a small file


def damaged(data, chance):
    """One small fault, or a piece missing."""
    at = chance.randrange(len(data))
    kind = chance.randrange(8)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[at + chance.randrange(1, 40):]
    return data[:at] + bytes([data[at] ^ chance.randrange(1, 256)]) + data[at + 1:]


def accepts(words):
    """Does the program read the file to its end?"""
    try:
        return subprocess.run(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LONGEST).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def compare_mutations(c, settings, who, name, command):
    """Damaged forms of one file, each given to both."""
    mutations, seed = settings
    data, chance, seen = Path(name).read_bytes(), random.Random(f"{seed} {who} {name}"), collections.Counter()
    mutant = Path("mutant." + name.rsplit(".", 1)[1])
    assert accepts(command(name)), f"{who} refuses {name} as it was made"
    for number in range(mutations):
        mutant.write_bytes(damaged(data, chance))
        ours, theirs = accepts([c.tabia, "data", "verify", mutant, "--quiet"]), accepts(command(mutant))
        seen[ours, theirs] += 1
        if ours and not theirs:
            kept = Path(tempfile.gettempdir(), f"tabia-accepted-{who}-{number}{mutant.suffix}")
            kept.write_bytes(mutant.read_bytes())
            print(f"accepted by tabia, not by {who}: {kept}", flush=True)
    c.failed |= seen[True, False] > 0
    print(f"{name}, {who}: both accept {seen[True, True]}, both refuse {seen[False, False]}, tabia alone refuses {seen[False, True]}, "
          f"{who} alone refuses {seen[True, False]}", flush=True)


def with_nnue_pytorch(c, folder, settings):
    reader = build_cpp("nnue_pytorch", Path(folder, "data_loader", "cpp"))
    c.binpack(False)
    for name in ("a.binpack", "a.bin"):
        compare_mutations(c, settings, "nnue-pytorch", name, lambda file: [reader, "text", file])


def with_stockfish_tools(c, folder, settings):
    tool = build_cpp("stockfish_tools", Path(folder, "src"))
    c.binpack(False)
    for name in ("a.binpack", "a.bin"):
        compare_mutations(c, settings, "stockfish-tools", name, lambda file: [tool, file, "theirs.plain"])
    compare_mutations(c, settings, "stockfish-tools", "a.plain", lambda file: [tool, file, "theirs.bin"])


def with_sfbinpack(c, folder, settings):
    reader = build_crate("sfbinpack", {"sfbinpack": folder}, asserts=True)
    c.binpack(False)
    compare_mutations(c, settings, "sfbinpack", "a.binpack", lambda file: [reader, "text", file])


def with_viriformat(c, folder, settings):
    reader = build_crate("viriformat", {"viriformat": folder}, asserts=True)
    c.games("v.viri", False)
    compare_mutations(c, settings, "viriformat", "v.viri", lambda file: [reader, "marlin", file, "made.marlin"])
    c.convert("v.viri", "v.marlin")
    compare_mutations(c, settings, "viriformat", "v.marlin", lambda file: [reader, "check", file])


def with_bulletformat(c, folder, settings):
    reader = build_crate("bulletformat", {"bulletformat": folder}, asserts=True)
    c.games("v.viri", False)
    c.convert("v.viri", "v.bullet")
    compare_mutations(c, settings, "bulletformat", "v.bullet", lambda file: [reader, file])


if __name__ == "__main__":
    compare_all({"nnue_pytorch": with_nnue_pytorch, "stockfish_tools": with_stockfish_tools, "sfbinpack": with_sfbinpack,
                 "viriformat": with_viriformat, "bulletformat": with_bulletformat}, __doc__, {"records": 2000, "mutations": 200, "seed": 1},
                lambda given: (given.mutations, given.seed))
