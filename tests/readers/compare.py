# SPDX-License-Identifier: MIT
"""
Compares `tabia data` with the readers of trainers, whose sources are given by path. Nothing is fetched: crates that a reader
needs must be there for `cargo --offline`. Without any source it is skipped; no part of `make test`.

    compare.py TABIA RANDOM_GAMES [--nnue-pytorch FOLDER] [--stockfish-tools FOLDER] [--sfbinpack FOLDER] [--viriformat FOLDER]
               [--records N]

nnue-pytorch (a clone; g++ with C++20)         reads our bin and binpack, and writes a binpack that we read
Stockfish's tools (its branch `tools`; g++)    the same, and plain in both directions
sfbinpack (a clone; cargo)                     reads our binpack and writes it again
viriformat (a clone, and bulletformat; cargo)  reads our viri, writes it again, and makes marlin and bullet of it

Each with games of standard chess and of Chess960. Castling rights of Chess960 crash readers of binpack: `convert` writes it
without them (docs/data.md), and bin and plain are made of that binpack.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77


def run(*words, **more):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def plain_rows(text):
    """The records of plain as nnue_pytorch.cpp prints them: without the fullmove number, which is derived from the ply."""
    for record in text.split("\ne\n"):
        fields = dict(line.split(" ", 1) for line in record.splitlines())
        if fields:
            fen = fields["fen"].rsplit(" ", 1)[0]
            yield "|".join((fen, fields["move"], fields["score"], fields["ply"], fields["result"]))


class Comparison:
    def __init__(self, tabia, random_games, records):
        self.tabia, self.random_games, self.records, self.failed = tabia, random_games, records, False

    def convert(self, source, target, *more):
        return run(self.tabia, "data", "convert", source, "--out", target, "--quiet", *more)

    def rows(self, name):
        """What we read, a line a record."""
        found = list(plain_rows(self.convert(name, "-", "--to", "plain")))
        assert found, name
        return found

    def games(self, name, chess960):
        run(self.random_games, name, self.records, 7, *(["chess960"] if chess960 else []))

    def binpack(self, chess960):
        """a.viri, and of it a.binpack, a.bin and a.plain."""
        self.games("a.viri", chess960)
        self.convert("a.viri", "a.binpack")
        self.convert("a.binpack", "a.bin")
        self.convert("a.binpack", "a.plain")

    def say(self, what, good):
        self.failed |= not good
        print(f"{what}: {'equal' if good else 'DIFFERENT'}", flush=True)

    def same_file(self, what, one, other):
        self.say(what, Path(one).read_bytes() == Path(other).read_bytes())

    def same_records(self, what, name):
        """The file that another program has written is read as what was given to it."""
        self.convert(name, "back.bin")
        self.same_file(what, "back.bin", "a.bin")


def build_cpp(name, *folders):
    run("g++", "-std=c++20", "-O2", "-w", *(word for folder in folders for word in ("-I", folder)), HERE / f"{name}.cpp", "-o", name)
    return Path(name).resolve()


def build_crate(name, crates, asserts=False):
    """The program NAME.rs, with crates by name and folder."""
    Path(name, "src").mkdir(parents=True, exist_ok=True)
    Path(name, "src", "main.rs").write_text((HERE / f"{name}.rs").read_text())
    Path(name, "Cargo.toml").write_text('[package]\nname = "compared"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n'
                                        + "".join(f'{crate} = {{ path = "{folder}" }}\n' for crate, folder in crates.items())
                                        + f"[profile.release]\ndebug-assertions = {str(asserts).lower()}\n")
    told = run("cargo", "build", "--offline", "--release", "--jobs", "1", "--message-format", "json-render-diagnostics", cwd=name)
    return next(found for line in told.splitlines() if (found := json.loads(line).get("executable")))


def with_nnue_pytorch(c, folder, games):
    reader = build_cpp("nnue_pytorch", Path(folder, "data_loader", "cpp"))
    for chess, chess960 in games:
        c.binpack(chess960)
        for name in ("a.binpack", "a.bin"):
            ours = c.rows(name)
            c.say(f"{chess}: {name[2:]}, read by nnue-pytorch, {len(ours)} records", run(reader, "text", name).splitlines() == ours)
        run(reader, "binpack", "a.bin", "theirs.binpack")
        c.same_records(f"{chess}: binpack, written by nnue-pytorch and read by tabia", "theirs.binpack")


def with_stockfish_tools(c, folder, games):
    tool = build_cpp("stockfish_tools", Path(folder, "src"))
    for chess, chess960 in games:
        c.binpack(chess960)
        for name in ("a.binpack", "a.bin"):
            ours = c.rows(name)
            run(tool, name, "theirs.plain")
            theirs = list(plain_rows(Path("theirs.plain").read_text()))
            c.say(f"{chess}: {name[2:]}, read by Stockfish's tools, {len(ours)} records", theirs == ours)
        for name in ("theirs.binpack", "theirs.bin"):
            run(tool, "a.plain", name)
            c.same_records(f"{chess}: {name[7:]}, written by Stockfish's tools from plain and read by tabia", name)


def without_clock(row):
    """Behind a capture sfbinpack 0.6.4 counts from 1, not from 0 (its do_move sets the clock and then adds one)."""
    fen, rest = row.split("|", 1)
    return fen.rsplit(" ", 1)[0] + "|" + rest


def with_sfbinpack(c, folder, games):
    reader = build_crate("sfbinpack", {"sfbinpack": folder})
    for chess, chess960 in games:
        c.binpack(chess960)
        ours = c.rows("a.binpack")
        theirs = run(reader, "text", "a.binpack").splitlines()
        clocks = sum(a != b for a, b in zip(ours, theirs))
        c.say(f"{chess}: binpack, read by sfbinpack, {len(ours)} records but for the clocks of {clocks}",
              [*map(without_clock, theirs)] == [*map(without_clock, ours)])
        run(reader, "binpack", "a.binpack", "theirs.binpack")
        c.same_records(f"{chess}: binpack, written by sfbinpack and read by tabia", "theirs.binpack")


def with_viriformat(c, folder, games):
    reader = build_crate("viriformat", {"viriformat": folder})
    for chess, chess960 in games:
        c.games("v.viri", chess960)
        run(reader, "viri", "v.viri", "again.viri")
        c.same_file(f"{chess}: viri, read and written by viriformat", "again.viri", "v.viri")
        for form in ("bullet", "marlin"):
            run(reader, form, "v.viri", "theirs." + form)
            c.convert("v.viri", "ours." + form)
        c.same_file(f"{chess}: bullet, made by viriformat", "theirs.bullet", "ours.bullet")
        dead, theirs = without_dead_en_passant(Path("theirs.marlin").read_bytes(), Path("ours.marlin").read_bytes())
        c.say(f"{chess}: marlin, made by viriformat, but for {dead} en passant squares without a legal capture",
              theirs == Path("ours.marlin").read_bytes())


def without_dead_en_passant(theirs, ours):
    """How many records of marlin, as the crate makes it, have an en passant square where we have none, and these records without
    it. Tabia keeps the square where a capture there is legal, the crate where an enemy pawn stands beside."""
    theirs, dead = bytearray(theirs), 0
    for at in range(24, min(len(theirs), len(ours)), 32):
        if ours[at] & 127 == 64 and theirs[at] & 127 != 64:
            theirs[at] = theirs[at] & 128 | 64
            dead += 1
    return dead, bytes(theirs)


def compare_all(readers, description, numbers, last, finish=lambda given: None):
    """The whole of a script that takes the sources of readers by path: each whose source is given is called with the comparison, its
    source and last(given), and in the end finish(given). numbers: options and their defaults."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tabia", type=os.path.abspath)
    parser.add_argument("random_games", type=os.path.abspath)
    for name in readers:
        parser.add_argument("--" + name.replace("_", "-"), type=os.path.abspath, metavar="FOLDER")
    for name, default in numbers.items():
        parser.add_argument("--" + name, type=int, default=default)
    given = parser.parse_args()
    sources = {name: vars(given)[name] for name in readers if vars(given)[name]}
    if not sources:
        print("no source of a reader is given: nothing is compared")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(prefix="tabia-readers-") as folder:
        os.chdir(folder)
        c = Comparison(given.tabia, given.random_games, given.records)
        for name, source in sources.items():
            readers[name](c, source, last(given))
        os.chdir("/")
    finish(given)
    sys.exit(1 if c.failed else 0)


def main():
    readers = {"nnue_pytorch": with_nnue_pytorch, "stockfish_tools": with_stockfish_tools, "sfbinpack": with_sfbinpack,
               "viriformat": with_viriformat}
    compare_all(readers, __doc__, {"records": 100000}, lambda given: (("standard", False), ("Chess960", True)))


if __name__ == "__main__":
    main()
