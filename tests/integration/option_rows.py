# SPDX-License-Identifier: MIT
"""One row for each option of each command: what sets it, and what is other then (options.py). {NAME} is a file of
make_files, {TABIA} the program."""

import json
import os
import re
import subprocess
import threading
import time
from pathlib import Path

from data_rows import DATA_ROWS, told
from options import changes, end, files_of, games, instead_of, no_numbers, quiet, same_result, says, threads, writes_progress
from serve_rows import SERVE_ROWS
from training_rows import TRAINING_ROWS

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def make_files(program):
    """Small files that the rows read, those of lab_rows.py too."""
    folder = Path(program.files)
    (folder / "suite.epd").write_text(f"{KIWIPETE} ;D1 48 ;D2 2039 ;D3 97862\n")
    (folder / "long.epd").write_text(f"{KIWIPETE} ;D5 193690690\n" * 1000)
    (folder / "two.epd").write_text(f"{KIWIPETE}\n8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\n")
    (folder / "draw.epd").write_text("8/8/1p2k1p1/3p1p1p/1P1P1P1P/2K3P1/8/8 w - - 90 145 expect draw;\n")
    for line in ("gensfen --positions 24000 --depth 1 --threads 2 --quiet --out {many.bin}",
                 "gensfen --positions 2000 --depth 1 --threads 1 --seed 3 --quiet --out {games.viri}",
                 "data convert {games.viri} --out {games.bin} --quiet", "data convert {games.viri} --out {games.plain} --quiet",
                 "perft 5 --threads 1 --ledger {five.ledger}",
                 "train {games.bin} --out {other.network} --epochs 1 --synthetic-epochs 0 --threads 1",
                 "network export {other.network} --out {other.quantised}"):
        done = program.run(line)
        assert done[0] == 0, (line, done)
    plain = (folder / "games.plain").read_bytes()
    (folder / "nameless").write_bytes((folder / "games.bin").read_bytes())
    (folder / "bad.bin").write_bytes(b"\xff" * 40 + (folder / "games.bin").read_bytes())
    (folder / "twice.plain").write_bytes(plain + plain)
    marked = bytearray((folder / "games.bin").read_bytes())
    marked[32:34] = (32002).to_bytes(2, "little")
    (folder / "marked.bin").write_bytes(marked)
    (folder / "plots").mkdir()
    (folder / "plots" / "one.svg").write_text("<svg/>")
    (folder / "quiet.toml").write_text("min_ply = 20 # opening\nfilter_check = true\n")


def with_fen(line, fen, more=()):
    return [*line.split(), "--fen", fen, *more]


def own_figures(line, option, pick):
    """What `pick` takes from the JSON document is other with the option, and the same without it once more."""
    def check(program):
        runs = [*program.twice(line + " --json"), program.run(f"{line} --json {option}")]
        seen = [pick(json.loads(run[1])) for run in runs]
        assert seen[0] == seen[1], (line, seen)
        return seen[2] != seen[0]
    return check


def makes_named_table(program):
    name = f"test-options-{os.getpid()}-{threading.get_ident()}"
    path = Path("/dev/shm/tabia-" + name)
    process = program.start(f"perft 12 --quiet --hash 1M --table {name}", stdout=subprocess.DEVNULL)
    try:
        while not path.exists() and process.poll() is None:
            time.sleep(0.01)
        return path.exists()
    finally:
        end(process)
        path.unlink(missing_ok=True)


PERFT = "perft 5 --threads 1 --hash 64K --json"
GENERATE = "gensfen --positions 400 --out x.viri --threads 1 --quiet"
SHALLOW = GENERATE + " --depth 1"


def blocks(line, more):
    """Checksums of other blocks."""
    return lambda program: program.run(line)[3]["x.viri.sums"] != program.run(line + " " + more)[3]["x.viri.sums"]


def resumes(program):
    line = SHALLOW.replace("x.viri", "{resumed.viri}")
    done = [program.run(line + more)[0] for more in ("", "", " --resume")]
    return done[0] == 0 != done[1] and done[2] == 0


def gensfen_rows():
    rows = {name: games(SHALLOW, f"--{name} {value}") for name, value in (
        ("seed", 2), ("format", "bin"), ("book", "{two.epd}"), ("random-move-max-ply", 12),
        ("random-move-count", 3), ("random-move-like-apery", 2), ("random-multipv", 3), ("opening-limit", 30), ("resign", "300,2"),
        ("draw", "50,2,10"), ("eval-limit", 500), ("write-max-ply", 30), ("write-min-ply", 20), ("filter", "check"),
        ("positions", 900))}
    rows.update({name: games(SHALLOW, f"--{name}") for name in ("chess960", "dfrc")})
    rows.update({
        "out": files_of(SHALLOW, "--out y.viri"),
        "json": lambda program: json.loads(program.run(SHALLOW + " --json")[1])["positions"] >= 400,
        "depth": games(GENERATE + " --nodes 100", "--depth 2"),
        "depth2": games(SHALLOW, "--depth2 3"),
        "nodes": games(GENERATE + " --depth 4", "--nodes 60"),
        "soft-nodes": games(GENERATE + " --depth 6", "--soft-nodes 60"),
        "random-move-minply": games(SHALLOW + " --random-move-count 3", "--random-move-minply 5"),
        "random-move-maxply": games(SHALLOW, "--random-move-maxply 12"),
        "write-minply": games(SHALLOW, "--write-minply 20"),
        "write-maxply": games(SHALLOW, "--write-maxply 30"),
        "random-move-min-ply": games(SHALLOW + " --random-move-count 3", "--random-move-min-ply 5"),
        "random-multipv-diff": games(SHALLOW + " --random-multipv 5", "--random-multipv-diff 5"),
        "random-multipv-depth": games(SHALLOW + " --random-multipv 3", "--random-multipv-depth 2"),
        "hash": games(GENERATE + " --depth 6", "--hash 64K"),
        "network": games(SHALLOW, "--network {other.network}"),
        "evaluation": games(SHALLOW, "--evaluation material"),
        "insufficient": games(SHALLOW + " --positions 20000 --draw off --resign off --eval-limit 0", "--insufficient 0"),
        "save-every": blocks(SHALLOW, "--save-every 100"),
        "resume": resumes,
        "threads": threads("gensfen --positions 100000000 --out x.viri --depth 3 --quiet"),
        "quiet": quiet("gensfen --positions 100000000 --out x.viri --depth 3 --threads 1"),
        "progress": writes_progress("gensfen --positions 100000000 --out {told.viri} --depth 3 --progress 1", pattern=r"\d+/100000000 positions, "),
    })
    return rows


ROWS = {
    "perft": {
        "fen": lambda program: "Nodes searched: 2039" in program.run(with_fen("perft 2", KIWIPETE))[1],
        "moves": says("perft 2 --moves e2e4", "Nodes searched: 600"),
        "chess960": lambda program: program.run(with_fen("perft 1 --divide --quiet", KIWIPETE, ["--chess960"]))
        != program.run(with_fen("perft 1 --divide --quiet", KIWIPETE)),
        "threads": threads("perft 12 --hash 16M --quiet"),
        "hash": changes(PERFT, "--hash 128K"),
        "replacement": changes(PERFT, "--replacement always"),
        "table": makes_named_table,
        "private": own_figures("perft 3 --threads 2 --hash 8M --quiet", "--private", lambda d: d["table_bytes"]),
        "keys": changes(PERFT, "--keys 2"),
        "kernel": says("perft 3 --json --kernel portable", '"portable"'),
        "ledger": lambda program: "x" in program.run("perft 5 --threads 1 --ledger x")[3],
        "divide": changes("perft 2 --quiet", "--divide"),
        "mates": says("perft 4 --quiet --mates", "Mates: 8"),
        "json": changes("perft 2 --quiet", "--json"),
        "quiet": quiet("perft 12 --hash 16M --threads 1"),
        "progress": lambda program: writes_progress("perft 12 --hash 16M --progress 1")(program) and all(
            writes_progress(f"perft --suite {{long.epd}} {more} --hash off --progress 1", pattern=r".* s passed, \d+ (depths|positions)")(program)
            for more in ("", "--against {TABIA}")),
        "suite": says("perft --suite {suite.epd}", "3 depths"),
        "max-nodes": changes("perft --suite {suite.epd} --quiet --json", "--max-nodes 2039"),
        "against": changes("perft 2 --quiet", "--against {TABIA}"),
        "protocol": changes("perft 2 --quiet --against {TABIA}", "--protocol perftree", no_numbers),
        "timeout": says(["perft", "2", "--against", "sleep 1000", "--timeout", "1"], "within 1 s"),
    },
    "ledger": {"json": changes("ledger {five.ledger}", "--json", no_numbers)},
    "unique": {
        "fen": lambda program: program.run(with_fen("unique 2", KIWIPETE)) != program.run("unique 2"),
        "moves": changes("unique 2", "--moves e2e4"),
        "threads": threads("unique 9 --quiet"),
        "keys": same_result("unique 4", "--keys 2"),
        "json": changes("unique 2", "--json"),
        "quiet": quiet("unique 9 --threads 1"),
        "progress": writes_progress("unique 9 --progress 1", pattern=r"\d[\d.]*( [kMG])? positions, "),
    },
    **DATA_ROWS,
    "gensfen": gensfen_rows(),
    **TRAINING_ROWS,
    "serve": SERVE_ROWS,
    "uci": {"network": changes(["uci", "eval"], "--network {other.network}")},
}
