# SPDX-License-Identifier: MIT
"""One row for each option of each command: what sets it, and what is other then (options.py). {NAME} is a file of
make_files, {TABIA} the program."""

import contextlib
import json
import os
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from options import (TIMEOUT, changes, end, files_of, games, no_mask, no_numbers, quiet, same_result, says, shown_on_terminal, threads, writes_progress)

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def make_files(program):
    """Small files that the rows read, those of lab_rows.py too."""
    folder = Path(program.files)
    (folder / "suite.epd").write_text(f"{KIWIPETE} ;D1 48 ;D2 2039 ;D3 97862\n")
    (folder / "long.epd").write_text(f"{KIWIPETE} ;D5 193690690\n" * 1000)
    (folder / "two.epd").write_text(f"{KIWIPETE}\n8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\n")
    # Mates in one and in four by checks; one that begins with another move; and none that is found soon.
    (folder / "mates.epd").write_text("6k1/5ppp/8/8/8/8/8/KR5R w - - 0 1\n3r3k/6pp/8/6N1/2Q5/8/8/K7 w - - 0 1\n")
    (folder / "quiet.epd").write_text("7k/8/5K2/8/8/8/8/6R1 w - - 0 1\n")
    (folder / "endless.epd").write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")
    for line in ("gensfen --positions 24000 --depth 1 --threads 2 --quiet --out {many.bin}",
                 "gensfen --positions 2000 --depth 1 --threads 1 --seed 3 --quiet --out {games.viri}",
                 "data convert {games.viri} --out {games.bin} --quiet", "data convert {games.viri} --out {stale.bin} --checksums --quiet", "data convert {games.viri} --out {games.plain} --quiet",
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
    (folder / "stale.bin").write_bytes(marked)  # other data than its checksums are of


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


def appears(program, line, path):
    """Does the file appear while the line runs, which would take for ever?"""
    process = program.start(line, stdout=subprocess.DEVNULL)
    try:
        while not path.exists() and process.poll() is None:
            time.sleep(0.01)
        return path.exists()
    finally:
        end(process)
        path.unlink(missing_ok=True)


def makes_named_table(program):
    name = f"test-options-{os.getpid()}-{threading.get_ident()}"
    return appears(program, f"perft 12 --quiet --hash 1M --table {name}", Path("/dev/shm/tabia-" + name))


def explains(program):
    """Nothing is counted; and the count is done as was said, in a table that it fills neither at once nor hardly."""
    for line in ("perft 7 --json", "perft 5 --threads 3 --hash 64K --private --json", "perft 4 --hash off --json --kernel portable"):
        plan, count = (json.loads(program.run(f"{line} {more}")[1]) for more in ("--explain", "--quiet"))
        assert all(plan[name] == count[name] for name in ("kernel", "threads", "units", "table_bytes")), (plan, count)
        assert line != "perft 7 --json" or 0.2 < count["table_full"] < 0.6, count["table_full"]
    return all(says("perft 9 --explain --hash 1M", text)(program) for text in ("72078 unique positions on 197281 paths", "from ply 5 to ply 7"))


PERFT = "perft 5 --threads 1 --hash 64K --json"
GENERATE = "gensfen --positions 400 --out x.viri --threads 1 --quiet"
SHALLOW = GENERATE + " --depth 1"


def each(line, *options, mask=no_mask):
    """With each of these options the line does something else."""
    return {option.split()[0]: changes(line, "--" + option, mask) for option in options}


def blocks(line, more):
    """Checksums of other blocks."""
    return lambda program: program.run(line)[3]["x.viri.sums"] != program.run(line + " " + more)[3]["x.viri.sums"]


def again(line, more):
    """A file that is there is refused, but for this option."""
    def check(program):
        done = [program.run(f"{line} {added}".strip())[0] for added in ("", "", more)]
        return done[0] == 0 != done[1] and done[2] == 0
    return check


def gensfen_rows():
    rows = {name: games(SHALLOW, f"--{name} {value}") for name, value in (
        ("seed", 2), ("format", "bin"), ("book", "{two.epd}"), ("random-move-max-ply", 12),
        ("random-move-count", 3), ("random-move-like-apery", 2), ("random-multipv", 3), ("opening-limit", 30), ("resign", "300,2"),
        ("draw", "50,2,10"), ("eval-limit", 500), ("write-max-ply", 30), ("write-min-ply", 20), ("filter", "check"),
        ("positions", 900), ("depth2", 3), ("random-move-maxply", 12), ("write-minply", 20), ("write-maxply", 30),
        ("network", "{other.network}"), ("evaluation", "material"))}
    rows.update({name: games(SHALLOW, f"--{name}") for name in ("chess960", "dfrc")})
    rows.update({
        "out": files_of(SHALLOW, "--out y.viri"),
        "json": lambda program: json.loads(program.run(SHALLOW + " --json")[1])["positions"] >= 400,
        "depth": games(GENERATE + " --nodes 100", "--depth 2"),
        "nodes": games(GENERATE + " --depth 4", "--nodes 60"),
        "soft-nodes": games(GENERATE + " --depth 6", "--soft-nodes 60"),
        "random-move-minply": games(SHALLOW + " --random-move-count 3", "--random-move-minply 5"),
        "random-move-min-ply": games(SHALLOW + " --random-move-count 3", "--random-move-min-ply 5"),
        "random-multipv-diff": games(SHALLOW + " --random-multipv 5", "--random-multipv-diff 5"),
        "random-multipv-depth": games(SHALLOW + " --random-multipv 3", "--random-multipv-depth 2"),
        "hash": games(GENERATE + " --depth 8", "--hash 64K"),
        "insufficient": games(SHALLOW + " --positions 100000 --draw off --resign off --eval-limit 0", "--insufficient 0"),
        "save-every": blocks(SHALLOW, "--save-every 100"),
        **{name: again(SHALLOW.replace("x.viri", f"{{{name}.viri}}"), "--" + more) for name, more in (
            ("resume", "resume"), ("from-block", "resume --from-block 2"), ("restart", "restart"), ("force", "force"))},
        "threads": threads("gensfen --positions 100000000 --out x.viri --depth 3 --quiet"),
        "quiet": quiet("gensfen --positions 100000000 --out x.viri --depth 3 --threads 1"),
        "progress": writes_progress("gensfen --positions 100000000 --out {reported.viri} --depth 3 --progress 1", pattern=r"\d+/100000000 positions, "),
    })
    return rows


# ---- data ----

SPLIT = "--out z.viri"


@contextlib.contextmanager
def endless(program, line):
    """The line with a pipe without an end as its file. The pipe is new for each run: what one reader leaves in it would be the
    middle of a record to the next. So is its folder: the next writer would report the file that a killed one has begun."""
    path = Path(tempfile.mkdtemp(dir=program.files), "endless.bin")
    os.mkfifo(path)
    records, done = Path(program.files, "games.bin").read_bytes(), threading.Event()

    def feed():  # until it has no reader
        with contextlib.suppress(OSError), open(path, "wb") as out:  # buffered: all of a block is written, in parts if need be
            while not done.is_set():
                out.write(records)
    threading.Thread(target=feed, daemon=True).start()
    try:
        yield line.replace("ENDLESS", str(path))
    finally:
        done.set()


def shown_when_fed(program, line, seconds):
    """What the command shows, and after how many seconds."""
    with endless(program, line) as words:
        return shown_on_terminal(program, words.split(), seconds)


def fed(line):
    """--quiet of a command that reads a file without an end."""
    def check(program):
        shown, seconds = shown_when_fed(program, line, TIMEOUT)
        return shown and not shown_when_fed(program, line + " --quiet", 1.5 * seconds)[0]
    return check


def reported(line, unit="records"):
    """--progress of such a command."""
    def check(program):
        with endless(program, line) as words:
            return writes_progress(words + " --progress 1", pattern=rf"\d[\d.]*( [kMG])? {unit}, ")(program)
    return check


def writes(form, more=""):
    """What the forms of `tabia data` that write have in common."""
    line = f"data {form} {{games.viri}} --out x.viri {more}".strip()
    twice = f"data {form} {{games.viri}} --out {{{form}_again.viri}} {more}".strip()
    to_bin = f"--out x.bin {more.replace('viri', 'bin')}".strip()
    return {
        "out": changes(line, "--out y.viri") if form == "split" else says(f"data {form} {{games.viri}} {more} --out y.viri", "y.viri"),
        "from": changes(f"data {form} {{nameless}} {to_bin}", "--from plain"),
        "force": again(twice, "--force"),
        **each(line, "to plain", "checksums", "json", "quiet"),
        "skip-bad": changes(f"data {form} {{bad.bin}} {to_bin}", "--skip-bad"),
        "no-checksums": changes(f"data {form} {{stale.bin}} {to_bin}", "--no-checksums"),
        "progress": reported(f"data {form} ENDLESS --from bin --out ENDLESS.bin {more}".strip().replace("z.viri", "ENDLESSz.bin")),
    }


def filter_rows():
    """Each rule alters what is left, alone or together with the one that it belongs to."""
    def rule(more, *before):
        return changes(["data", "filter", "{many.bin}", "--out", "x.bin", *before], more)
    model, halves = "--wdl-filtered", ",".join(33 * ["0.5"])
    return {
        **writes("filter", "--min-ply 12"),
        "seed": rule("--seed 2", "--random-fen-skip-probability", "0.5"),
        "filter-skip": rule("--filter-skip", "{marked.bin}"),
        "wdl-filtered": rule(model),
        **{name: rule(f"--{name} {value}") for name, value in (
            ("min-ply", 20), ("max-eval", 200), ("min-pieces", 20), ("max-pieces", 20), ("min-material-difference", 2),
            ("max-eval-incorrectness", 100), ("random-fen-skip-probability", 0.5), ("material-count-probabilities", halves))},
        **{name: rule("--" + name) for name in ("filter-tactical", "filter-check", "filter-castling", "wdl-by-ply")},
        **{name: rule(f"--{name} {value}", model) for name, value in (
            ("wdl-heuristic-scale", 3), ("wdl-model-params-a", "0,0,0,400"), ("wdl-model-params-b", "0,0,0,30"),
            ("material-min", 60), ("material-max", 30), ("mom-target", 100))},
    }


DATA_ROWS = {
    "data info": {
        "from": changes("data info {nameless}", "--from plain"),
        "json": changes("data info {games.viri}", "--json"),
    },
    "data verify": {
        **each("data verify {bad.bin} --quiet", "faults 0", "ignore record"),
        "from": changes("data verify {nameless} --quiet", "--from viri"),
        "json": changes("data verify {games.viri} --quiet", "--json"),
        "quiet": fed("data verify ENDLESS"),
        "progress": reported("data verify ENDLESS"),
    },
    "data convert": writes("convert"),
    "data shuffle": {
        **writes("shuffle"),
        **each("data shuffle {games.bin} --out x.bin", "seed 2", "by games"),
        "memory": same_result("data shuffle {games.bin} --out - --quiet", "--memory 1M"),
    },
    "data dedupe": {**writes("dedupe"), "memory": same_result("data dedupe {twice.plain} --out - --quiet", "--memory 1M")},
    "data filter": filter_rows(),
    "data split": {
        **writes("split", SPLIT),
        **each("data split {games.bin} --out x.bin --out y.bin", "weights 90,10", "seed 2", "by records"),
    },
    "data sample": {
        **writes("sample", "--fraction 0.5"),
        "count": says("data sample {games.bin} --out x.bin --count 17", "17 records"),
        **each("data sample {games.bin} --out x.bin --fraction 0.5", "fraction 0.2", "seed 2", "by games"),
    },
    "data stats": {
        "json": changes("data stats {games.viri} --quiet", "--json"),
        "from": changes("data stats {nameless} --quiet", "--from viri"),
        "skip-bad": changes("data stats {bad.bin} --quiet", "--skip-bad"),
        "no-checksums": changes("data stats {stale.bin} --quiet", "--no-checksums"),
        "quiet": fed("data stats ENDLESS"),
        "progress": reported("data stats ENDLESS"),
    },
    "data view": {
        **each("data view {games.viri}", "record 7", "count 2", "json"),
        "from": changes("data view {nameless}", "--from viri"),
        "no-checksums": changes("data view {stale.bin}", "--no-checksums"),
    },
}


# ---- training ----

TRAIN = "train {games.bin} --out x --epochs 1 --synthetic-epochs 0 --threads 1 --seed 2"
RESCORE = "data rescore {games.viri} --out x.viri --quiet"


def resumes_training(program):
    """What stands there is read with the option, and not overwritten without it."""
    Path(program.files, "spoilt.checkpoint").write_bytes(b"?" * 3000)
    line = TRAIN + " --out {spoilt}"
    return all(text in program.run(line + more)[2] for more, text in (("", "--resume continues it"), (" --resume", "is not a checkpoint")))


def writes_checkpoints(program):
    """In the middle of an epoch of hours."""
    line = "train {games.bin} --out {kept} --synthetic-epochs 0 --epoch-positions 1000000000000 --checkpoint-every 1 --quiet"
    return appears(program, line, Path(program.files, "kept.checkpoint"))


TRAINING_ROWS = {
    "data rescore": {
        "out": files_of(RESCORE + " --depth 1", "--out y.viri"),
        "depth": games(RESCORE + " --nodes 300", "--depth 2"),
        "nodes": games(RESCORE + " --depth 5", "--nodes 30"),
        "soft-nodes": games(RESCORE + " --depth 5", "--soft-nodes 30"),
        "network": games(RESCORE + " --depth 2", "--network {other.network}"),
        "hash": games(RESCORE + " --depth 6", "--hash 64K"),
        "threads": threads("data rescore {many.bin} {many.bin} {many.bin} --out x.bin --depth 6 --quiet"),
        "resume": again("data rescore {games.viri} --out {resumed_scores.viri} --depth 1", "--resume"),
        "from-block": again("data rescore {games.viri} --out {scores_from.viri} --depth 1", "--resume --from-block 1"),
        "restart": again("data rescore {games.viri} --out {scores_anew.viri} --depth 1", "--restart"),
        "force": again("data rescore {games.viri} --out {scores_forced.viri} --depth 1", "--force"),
        "no-checksums": changes("data rescore {stale.bin} --out x.bin --depth 1", "--no-checksums", no_numbers),
        "to": changes(RESCORE + " --depth 1", "--to plain", no_numbers),
        "from": changes("data rescore {nameless} --out x.bin --depth 1", "--from plain", no_numbers),
        "skip-bad": changes("data rescore {bad.bin} --out x.bin --depth 1", "--skip-bad", no_numbers),
        "json": changes("data rescore {games.viri} --out x.viri --depth 1", "--json", no_numbers),
        "quiet": quiet("data rescore {many.bin} {many.bin} {many.bin} --out x.bin --depth 8"),
        "progress": writes_progress("data rescore {many.bin} --out {rescored.bin} --depth 9 --progress 1", pattern=r"\d[\d.]*( [kMG])? records, "),
    },
    "train": {
        "out": lambda program: "y" in program.run(TRAIN + " --out y")[3],
        **each(TRAIN, "from {other.network}", "epochs 2", "synthetic-epochs 1", "wdl 90", "rate 100", "seed 5", "validation {twice.plain}",
               "epoch-positions 500", "batch 300", "width 16", "outputs 1", "mirrored off", mask=no_numbers),
        "no-checksums": changes(TRAIN.replace("{games.bin}", "{stale.bin}"), "--no-checksums", no_numbers),
        "td-lambda": changes(TRAIN.replace("{games.bin}", "{games.viri}"), "--td-lambda 50", no_numbers),
        "synthetic": changes(TRAIN + " --epochs 1 --synthetic-epochs 1", "--synthetic 80", no_numbers),
        "evaluation": changes(TRAIN + " --synthetic-epochs 1", "--evaluation material", no_numbers),
        "finetune-rate": changes(TRAIN + " --synthetic-epochs 1", "--finetune-rate 5", no_numbers),
        "threads": threads("train {games.bin} --out x --epochs 100000 --synthetic-epochs 0"),
        "resume": resumes_training,
        "force": again(TRAIN.replace("--out x", "--out {anew.net}"), "--force"),
        "checkpoint-every": writes_checkpoints,
        "shuffle": changes(TRAIN + " --batch 300", "--shuffle 200", no_numbers),
        "quiet": quiet("train {many.bin} --out x --epochs 100000 --threads 1"),
        "progress": writes_progress("train {many.bin} --out {reported} --epochs 100000 --progress 1", pattern=r"\d[\d.]*( [kMG])? positions, "),
    },
    "network info": {"json": changes("network info {other.network}", "--json")},
    "network export": {
        "out": files_of("network export {other.network} --out x", "--out y"),
        "force": again("network export {other.network} --out {again.quantised}", "--force"),
    },
    "network import": {
        "out": files_of("network import {other.quantised} --outputs 8 --out x", "--out y"),
        "force": again("network import {other.quantised} --outputs 8 --out {again.network}", "--force"),
        "outputs": says("network import {other.quantised} --out x --outputs 1", "--outputs says"),
        "mirrored": changes("network import {other.quantised} --outputs 8 --out x", "--mirrored"),
    },
}


# ---- the page ----

def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def served(program, options, name):
    """(the port it listens on, the JSON at that name: of a stream its first event)"""
    server = program.start(["serve", *program.words(options)], stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().strip()
        with urllib.request.urlopen(address + name, timeout=TIMEOUT) as answer:
            is_stream = answer.headers["Content-Type"] == "text/event-stream"
            text = answer.read() if not is_stream else next(line for line in answer if line.startswith(b"data: "))[6:]
        return int(address.split(":")[2].split("/")[0]), json.loads(text)
    finally:
        end(server)
        server.stdout.close()


def is_served(options, name, pick):
    """What `pick` takes from the answer is true with the options. Nothing is asked where no server was built."""
    def check(program):
        return not os.path.exists(program.binary + "-serve") or pick(served(program, options, name)[1])
    return check


def listens_on_port(program):
    if not os.path.exists(program.binary + "-serve"):
        return True
    port = free_port()
    return served(program, f"--port {port}", "rules")[0] == port


SERVE_ROWS = {
    "port": listens_on_port,
    "threads": is_served("--threads 3 --hash 1M", "analysis", lambda ready: ready["threads"] == 3),
    "hash": is_served("--threads 1 --hash 3M", "analysis", lambda ready: ready["hash_bytes"] == 3 << 20),
    "ledger": is_served("--ledger {five.ledger}", "ledger", lambda ledger: ledger["depth"] == 5),
    "against": is_served("--against {TABIA}", "opponent", lambda reported: reported["program"].endswith("tabia")),
    "protocol": is_served("--against {TABIA} --protocol perftree", "against", lambda reported: "error" in reported),
    "timeout": is_served(["--against", "sleep 1000", "--timeout", "1"], "against", lambda reported: "within 1 s" in reported["error"]),
}


ROWS = {
    "perft": {
        "fen": lambda program: "Nodes searched: 2039" in program.run(with_fen("perft 2", KIWIPETE))[1],
        "moves": says("perft 2 --moves e2e4", "Nodes searched: 600"),
        "chess960": lambda program: program.run(with_fen("perft 1 --divide --quiet", KIWIPETE, ["--chess960"]))
        != program.run(with_fen("perft 1 --divide --quiet", KIWIPETE)),
        "threads": threads("perft 12 --hash 16M --quiet"),
        **each(PERFT, "hash 128K", "replacement always", "keys 2"),
        "table": makes_named_table,
        "private": own_figures("perft 3 --threads 2 --hash 8M --quiet", "--private", lambda d: d["table_bytes"]),
        "kernel": says("perft 3 --json --kernel portable", '"portable"'),
        "ledger": lambda program: "x" in program.run("perft 5 --threads 1 --ledger x")[3],
        **each("perft 2 --quiet", "divide", "json", "against {TABIA}"),
        "mates": says("perft 4 --quiet --mates", "Mates: 8"),
        "kinds": says("perft 3 --kinds", "Captures: 34"),
        "explain": explains,
        "quiet": quiet("perft 12 --hash 16M --threads 1"),
        "progress": lambda program: writes_progress("perft 12 --hash 16M --progress 1")(program) and all(
            writes_progress(f"perft --suite {{long.epd}} {more} --hash off --progress 1", pattern=r".* s passed, \d+ (depths|positions)")(program)
            for more in ("", "--against {TABIA}")),
        "suite": says("perft --suite {suite.epd}", "3 depths"),
        "max-nodes": changes("perft --suite {suite.epd} --quiet --json", "--max-nodes 2039"),
        "protocol": changes("perft 2 --quiet --against {TABIA}", "--protocol perftree", no_numbers),
        "timeout": says(["perft", "2", "--against", "sleep 1000", "--timeout", "1"], "within 1 s"),
    },
    "ledger": {"json": changes("ledger {five.ledger}", "--json", no_numbers)},
    "unique": {
        "fen": lambda program: program.run(with_fen("unique 2", KIWIPETE)) != program.run("unique 2"),
        **each("unique 2", "moves e2e4", "json"),
        "threads": threads("unique 6 --quiet"),
        "keys": same_result("unique 4", "--keys 2"),
        "quiet": quiet("unique 9 --threads 1"),
        "progress": writes_progress("unique 9 --progress 1", pattern=r"\d[\d.]*( [kMG])? positions, "),
        "en-passant": changes("unique 3", "--en-passant"),
        "work-dir": lambda program: {"ply-3.positions", "unique.ledger"} <= set(program.run("unique 4 --work-dir .")[3]),
        "memory": same_result("unique 4", "--memory 64M"),
    },
    "mate": {
        "threads": threads("mate {endless.epd} --all-moves --hash 64M --quiet"),
        "hash": same_result("mate {mates.epd} --quiet --threads 1", "--hash 1M", no_numbers),
        "all-moves": changes("mate {quiet.epd} --threads 1 --quiet --plies 3 --nodes 100000", "--all-moves", no_numbers),
        **each("mate {mates.epd} --threads 1 --quiet", "plies 1", "first", "json", mask=no_numbers),
        "nodes": says("mate {endless.epd} --all-moves --threads 1 --quiet --nodes 500", "1 unknown"),
        "seconds": says("mate {endless.epd} --all-moves --threads 1 --quiet --seconds 1", "1 unknown"),
        "verify": says("mate {mates.epd} --threads 1 --quiet --verify", "verified: "),
        "quiet": quiet("mate {endless.epd} --all-moves --threads 1 --seconds 4"),
        "progress": writes_progress("mate {endless.epd} --all-moves --threads 1 --progress 1", pattern=r"line 1, \d[\d.]*( [kMG])? nodes"),
    },
    **DATA_ROWS,
    "gensfen": gensfen_rows(),
    **TRAINING_ROWS,
    "serve": SERVE_ROWS,
    "uci": {"network": changes(["uci", "eval"], "--network {other.network}")},
}
