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
    """Small files that the rows read."""
    folder = Path(program.files)
    (folder / "suite.epd").write_text(f"{KIWIPETE} ;D1 48 ;D2 2039 ;D3 97862\n")
    (folder / "long.epd").write_text(f"{KIWIPETE} ;D5 193690690\n" * 1000)
    (folder / "two.epd").write_text(f"{KIWIPETE}\n8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\n")
    (folder / "draw.epd").write_text("8/8/1p2k1p1/3p1p1p/1P1P1P1P/2K3P1/8/8 w - - 90 145 expect draw;\n")
    for line in ("gensfen --positions 24000 --depth 1 --threads 2 --quiet --out {many.bin}",
                 "gensfen --positions 2000 --depth 1 --threads 1 --seed 3 --quiet --out {games.viri}",
                 "data convert {games.viri} --out {games.bin} --quiet", "data convert {games.viri} --out {games.plain} --quiet",
                 "table record 5 --threads 1 --out {five.stream}", "perft 5 --threads 1 --ledger {five.ledger}", "simulate --record 6 --out {six.trace} --units 1000",
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
AUDIT = "table audit {five.stream} --quick --threads 1 --quiet"
FALSE = "table audit --only false --quick --threads 1 --quiet --json"
STRESS = "table stress --threads 1 --way calls --integrity xor --type entries --payload small --probes 20000"
RECORD = "table record 5 --threads 1 --out x"
EXACT = "bench --path-keys-exact --endings KQK --games 3 --nodes 100 --form off"
HISTORY = "bench --path-keys --form off --nodes 300 --depth 3"
SPEED = "bench --threads 2 --depth 2 --rounds 1 --hash 1M"
BENCH = "table bench --quick --rounds 1 --size 1M --threads 1 --only calls"
TUNE = "tune --data {games.bin} --out x --epochs 2 --threads 1"
SIMULATE = "simulate {six.trace}"
TRACE = "simulate --record 6 --out x --units 5 --owners 2,4"
GENERATE = "gensfen --positions 400 --out x.viri --threads 1 --quiet"
SHALLOW = GENERATE + " --depth 1"
REPEATING = SHALLOW + " --positions 2000 --random-move-max-ply 2 --random-move-count 1"


def bench_rows(document):
    return [(t["experiment"], t["rounds"], [(no_numbers(r["name"]), r.get("threads"), len(r["samples"])) for r in t["rows"]])
            for t in document["tables"]]


def cases(document):
    """What was tried, and what came of it."""
    return [{k: v for k, v in case.items() if "second" not in k} for case in document["cases"]]


def fit_errors(text):
    """Of each epoch: the weights are whole numbers, and may come out the same."""
    return re.findall(r"error [0-9.]+", text)


def one_thread(document):
    return document["variants"][0]["nodes"]


def false_hits(document):
    return document["false"]


def counts(document):
    """Of a trace: all but times."""
    return document["units"], document["sibling_sets"], document["partitions"], document["of"]


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
        "random-file-name": files_of(SHALLOW, "--random-file-name"),
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
        "evaluation": games(SHALLOW, "--evaluation terms"),
        "strict-generation": games(SHALLOW, "--strict-generation off"),
        "table": games(SHALLOW, "--table shared"),
        "signature-bits": games(GENERATE + " --depth 5 --hash 64K", "--signature-bits 8"),
        "dedupe": games(REPEATING, "--dedupe"),
        "dedupe-slots": games(REPEATING + " --dedupe", "--dedupe-slots 1"),
        "insufficient": games(SHALLOW + " --positions 20000 --draw off --resign off --eval-limit 0", "--insufficient 0"),
        "exact-endings": games(SHALLOW + " --positions 20000 --draw off --resign off --eval-limit 0", "--exact-endings 3"),
        "save-every": blocks(SHALLOW, "--save-every 100"),
        "resume": resumes,
        "threads": threads("gensfen --positions 100000000 --out x.viri --depth 3 --quiet"),
        "quiet": quiet("gensfen --positions 100000000 --out x.viri --depth 3 --threads 1"),
        "progress": writes_progress("gensfen --positions 100000000 --out {told.viri} --depth 3 --progress 1", pattern=r"\d+/100000000 positions, "),
        "demonstrate-collisions": says("gensfen --demonstrate-collisions --run-nodes 2000 --quiet", "partition, narrow, strict"),
        "run-nodes": changes("gensfen --demonstrate-collisions --run-nodes 20000 --quiet --json", "--run-nodes 30000"),
        "hazard": says("gensfen --hazard --run-nodes 2000 --seeds 1 --quiet", "cure: strict"),
        "series": changes("gensfen --hazard --run-nodes 2000 --seeds 1 --quiet --json", "--series cures"),
        "seeds": changes("gensfen --hazard --series depth --run-nodes 2000 --seeds 1 --quiet --json", "--seeds 2"),
        "plot": files_of("gensfen --demonstrate-collisions --run-nodes 20000 --quiet", "--plot x.gp"),
        "seconds": says("gensfen --demonstrate-collisions --seconds 1 --quiet", "partition, narrow, strict"),
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
        "replacement": changes(PERFT, "--replacement two-tier"),
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
            writes_progress(f"perft --suite {{long.epd}} {more} --hash off --progress 1", pattern=r"\d+\.\d s passed, \d+/1000 units")(program)
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
    "table bench": {
        "only": changes(BENCH, "--only line", no_numbers),
        "size": lambda program: "tables of 4 MiB" in program.run(BENCH.replace("1M", "4M") + ",line")[1],
        "threads": own_figures("table bench --quick --rounds 1 --size 1M --only line --threads 1", "--threads 2", bench_rows),
        "rounds": own_figures(BENCH, "--rounds 2", bench_rows),
        "dir": says("table bench --quick --rounds 1 --size 1M --threads 1 --only file --dir /nowhere", "/nowhere"),
        "plot": changes("table bench --quick --rounds 1 --size 1M --threads 1 --only line", "--plot x.gp", no_numbers),
        "quick": own_figures("table bench --rounds 1 --size 1M --threads 1 --only calls", "--quick", lambda d: d["quick"]),
        "json": changes(BENCH, "--json", no_numbers),
        "progress": writes_progress("table bench --size 64M --threads 1 --progress 1", pattern=r"\w+ \d+/\d+: \w"),
    },
    "table audit": {
        "only": changes(AUDIT + " --json --only size", "--only path"),
        "probes": own_figures(FALSE + " --bits 64", "--probes 5000", false_hits),
        "bits": own_figures(FALSE + " --probes 1000 --bits 64", "--bits 48", false_hits),
        "threads": threads("table audit --only false --bits 64 --quiet"),
        "quick": own_figures("table audit {five.stream} --threads 1 --quiet --only sharing", "--quick", lambda d: len(d["sharing"])),
        "seed": own_figures(FALSE + " --probes 1000 --bits 24", "--seed 2", false_hits),
        "json": changes(AUDIT + " --only size", "--json"),
        "plot": changes(AUDIT + " --only size --json", "--plot x.gp"),
        "quiet": quiet("table audit --only false --bits 64 --threads 1"),
        "progress": writes_progress("table audit --only false --bits 64 --threads 1 --progress 1", pattern=r"\w.*: \d+ %"),
    },
    "table stress": {
        "integrity": own_figures(STRESS, "--integrity locked", cases),
        "type": own_figures(STRESS, "--type counts", cases),
        "words": own_figures(STRESS + " --type records --words 2", "--words 3", cases),
        "payload": own_figures(STRESS, "--payload random", cases),
        "way": own_figures(STRESS, "--way paused", cases),
        "threads": threads("table stress --way calls --type entries --integrity xor --quiet"),
        "processes": own_figures(STRESS, "--processes 2", cases),
        "probes": own_figures(STRESS, "--probes 200000", cases),
        "quick": own_figures(STRESS.replace("--probes", "--quick --probes"), "--probes 1000000", cases),
        # its length shows in nothing but time: only that it is read
        "pause": own_figures(STRESS.replace("calls", "paused"), "--pause 5", lambda d: d["pause"]),
        "lines": own_figures(STRESS, "--lines 2", cases),
        "keys": own_figures(STRESS, "--keys 32", cases),
        "seed": own_figures(STRESS, "--seed 2", cases),
        "json": changes(STRESS, "--json", no_numbers),
        "quiet": quiet("table stress --threads 2 --way calls --type entries --integrity xor --payload small --probes 100000000000"),
        "progress": writes_progress("table stress --threads 2 --way calls --type entries --integrity xor --probes 100000000000 --progress 1",
                                    pattern=r"\d+/\d+ cases, .* left, "),
    },
    "table record": {
        "out": changes(RECORD, "--out y"),
        "fen": lambda program: program.run(with_fen(RECORD, KIWIPETE))[3] != program.run(RECORD)[3],
        "moves": changes(RECORD, "--moves e2e4"),
        "game": changes(RECORD, "--game e2e4"),
        "deepen": changes(RECORD, "--deepen"),
        "floor": changes(RECORD, "--floor 3"),
        "threads": threads("table record 9 --out x --quiet"),
        "keys": changes(RECORD, "--keys 2"),
        "json": changes(RECORD, "--json"),
        "quiet": quiet("table record 9 --out x --threads 1"),
        "progress": writes_progress("table record 9 --out x --threads 1 --progress 1", pattern=r"\d[\d.]*( [kMG])? records, "),
    },
    "bench --path-keys": {
        "positions": changes(HISTORY, "--positions {draw.epd}"),
        "form": changes(HISTORY, "--form fifty"),
        "nodes": changes(HISTORY + " --json", "--nodes 3000"),
        "answer-depth": changes("bench --path-keys --form off --depth 3 --json --positions {draw.epd}", "--answer-depth 2"),
        "depth": changes(HISTORY, "--depth 4"),
        "hash": changes("bench --path-keys --form off --nodes 300 --depth 10 --hash 16M", "--hash 1M"),
        "json": changes(HISTORY, "--json"),
        "progress": writes_progress("bench --path-keys --nodes 1000000 --progress 1", pattern=r"\d+ positions, .*form 1 of "),
    },
    "bench --path-keys-exact": {
        "form": changes(EXACT, "--form guard"),
        "threshold": changes(EXACT.replace("off", "guard"), "--threshold 80"),
        "games": changes(EXACT, "--games 4"),
        "nodes": changes(EXACT + " --json", "--nodes 300"),
        "depth": changes(EXACT.replace("--nodes 100 ", "") + " --json", "--depth 2"),
        "endings": changes(EXACT, "--endings KRK"),
        "repetitions": instead_of(EXACT.replace("--endings KQK ", ""), "--endings KPK", "--repetitions"),
        "threads": threads(EXACT.replace("--games 3 --nodes 100 --form off", f"--depth 40 --hash 1M --threshold {','.join(map(str, range(1, 100)))}")),
        "seed": changes(EXACT, "--seed 2"),
        "hash": changes(EXACT.replace("--games 3 --nodes 100", "--games 20 --depth 12") + " --json", "--hash 1M"),
        "json": changes(EXACT, "--json"),
        "progress": lambda program: all(
            writes_progress(f"bench --path-keys-exact {more} --progress 1", pattern=pattern)(program)
            for more, pattern in (("", r"\d+ endings solved, "), ("--endings KQK --games 100000", r"\d[\d.]*( [kM])? (endings solved|games), "))),
    },
    "bench --threads": {
        "depth": own_figures(SPEED, "--depth 3", one_thread),
        "rounds": own_figures(SPEED, "--rounds 2", one_thread),
        "positions": own_figures(SPEED, "--positions {two.epd}", one_thread),
        "hash": own_figures("bench --threads 2 --depth 12 --rounds 1 --positions {two.epd}", "--hash 1M", one_thread),
        "json": changes(SPEED, "--json", no_numbers),
        "progress": writes_progress("bench --threads 2 --progress 1", pattern=r"\d+ searches, "),
    },
    **DATA_ROWS,
    "tune": {
        "data": changes(TUNE, "--data {twice.plain}", no_numbers),
        "out": changes(TUNE, "--out y", no_numbers),
        "log": changes(TUNE, "--log x.log", no_numbers),
        "epochs": changes(TUNE, "--epochs 3", no_numbers),
        "wdl": changes(TUNE, "--wdl 90", no_numbers),
        "regularization": changes(TUNE, "--regularization 50", no_numbers),
        "threads": threads("tune --data {games.bin} --out x --epochs 100000"),
        "seed": changes("tune --data {many.bin} --out x --epochs 2 --threads 1", "--seed 5", fit_errors),
        "progress": told("tune --data ENDLESS --out x", "positions"),
    },
    "simulate": {
        "ranks": changes(SIMULATE, "--ranks 2"),
        "fixed": changes(SIMULATE, "--fixed"),
        "costs": changes(SIMULATE, "--costs latency=500"),
        "plot": changes(SIMULATE, "--plot x.gp"),
        "json": changes(SIMULATE, "--json"),
        "record": says("simulate --record 5 --out x", "leaves"),
        "out": lambda program: "y" in program.run("simulate --record 5 --out y")[3],
        "fen": lambda program: program.run(with_fen("simulate --record 5 --out x", KIWIPETE))[1].startswith("perft 5 of " + KIWIPETE),
        "leaf-parents": own_figures(TRACE, "--leaf-parents 3", counts),
        "owners": own_figures(TRACE, "--owners 2", counts),
        "units": own_figures(TRACE, "--units 1000", counts),
        "hash": own_figures(TRACE, "--hash 64K", counts),
        "quiet": quiet("simulate --record 9 --out x"),
        "progress": writes_progress("simulate --record 9 --out x --progress 1", pattern=r"recording: \d+ %, .*\d left"),
    },
    "gensfen": gensfen_rows(),
    **TRAINING_ROWS,
    "serve": SERVE_ROWS,
    "uci": {"network": changes(["uci", "eval"], "--network {other.network}")},
}
