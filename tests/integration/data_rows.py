# SPDX-License-Identifier: MIT
"""Rows of option_rows.py: `tabia data`, without `data rescore`."""

import contextlib
import os
import tempfile
import threading
from pathlib import Path

from options import TIMEOUT, changes, same_result, says, shown_on_terminal, writes_progress

SPLIT = "--out z.viri"


@contextlib.contextmanager
def endless(program, line):
    """The line with a pipe without an end as its file. The pipe is new for each run: what one reader leaves in it would be the
    middle of a record to the next."""
    path = Path(tempfile.mkdtemp(dir=program.files), "endless.bin")
    os.mkfifo(path)
    records, done = Path(program.files, "games.bin").read_bytes(), threading.Event()

    def feed():
        try:
            with open(path, "wb", buffering=0) as out:
                while not done.is_set():
                    out.write(records)
        except OSError:  # who reads has been ended
            pass
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


def told(line, unit="records"):
    """--progress of such a command."""
    def check(program):
        with endless(program, line) as words:
            return writes_progress(words + " --progress 1", pattern=rf"\d[\d.]*( [kMG])? {unit}, ")(program)
    return check


def writes(form, more=""):
    """What the forms of `tabia data` that write have in common."""
    line = f"data {form} {{games.viri}} --out x.viri {more}".strip()
    bad = f"data {form} {{bad.bin}} --out x.bin {more}".strip()
    return {
        "out": changes(line, "--out y.viri") if form == "split" else says(f"data {form} {{games.viri}} {more} --out y.viri", "y.viri"),
        "to": changes(line, "--to plain"),
        "from": changes(f"data {form} {{nameless}} --out x.bin {more}".strip(), "--from plain"),
        "checksums": changes(line, "--checksums"),
        "skip-bad": changes(bad, "--skip-bad"),
        "json": changes(line, "--json"),
        "quiet": changes(line, "--quiet"),
        "progress": told(f"data {form} ENDLESS --from bin --out x.bin {more}".strip()),
    }


def filter_rows():
    """Each rule alters what is left, alone or together with the one that it belongs to."""
    def rule(more, *before):
        return changes(["data", "filter", "{many.bin}", "--out", "x.bin", *before], more)
    model, halves = "--wdl-filtered", ",".join(33 * ["0.5"])
    return {
        **writes("filter", "--min-ply 12"),
        "rules": rule("--rules {quiet.toml}"),
        "seed": rule("--seed 2", "--random-fen-skip-probability", "0.5"),
        "min-ply": rule("--min-ply 20"),
        "max-eval": rule("--max-eval 200"),
        "min-pieces": rule("--min-pieces 20"),
        "max-pieces": rule("--max-pieces 20"),
        "min-material-difference": rule("--min-material-difference 2"),
        "max-eval-incorrectness": rule("--max-eval-incorrectness 100"),
        "filter-tactical": rule("--filter-tactical"),
        "filter-check": rule("--filter-check"),
        "filter-castling": rule("--filter-castling"),
        "filter-skip": rule("--filter-skip", "{marked.bin}"),
        "random-fen-skip-probability": rule("--random-fen-skip-probability 0.5"),
        "random-fen-skipping": rule("--random-fen-skipping=false", "--random-fen-skip-probability", "0.5"),
        "material-count-probabilities": rule("--material-count-probabilities " + halves),
        "material-count-filtered": rule("--material-count-filtered=false", "--material-count-probabilities", halves),
        "wdl-filtered": rule(model),
        "wdl-by-ply": rule("--wdl-by-ply"),
        "wdl-heuristic-scale": rule("--wdl-heuristic-scale 3", model),
        "wdl-model-params-a": rule("--wdl-model-params-a 0,0,0,400", model),
        "wdl-model-params-b": rule("--wdl-model-params-b 0,0,0,30", model),
        "material-min": rule("--material-min 60", model),
        "material-max": rule("--material-max 30", model),
        "mom-target": rule("--mom-target 100", model),
    }


DATA_ROWS = {
    "data info": {
        "from": changes("data info {nameless}", "--from plain"),
        "json": changes("data info {games.viri}", "--json"),
    },
    "data verify": {
        "faults": changes("data verify {bad.bin} --quiet", "--faults 0"),
        "ignore": changes("data verify {bad.bin} --quiet", "--ignore record"),
        "from": changes("data verify {nameless} --quiet", "--from viri"),
        "json": changes("data verify {games.viri} --quiet", "--json"),
        "quiet": fed("data verify ENDLESS"),
        "progress": told("data verify ENDLESS"),
    },
    "data convert": writes("convert"),
    "data shuffle": {
        **writes("shuffle"),
        "seed": changes("data shuffle {games.bin} --out x.bin", "--seed 2"),
        "memory": same_result("data shuffle {games.bin} --out - --quiet", "--memory 1M"),
        "by": changes("data shuffle {games.bin} --out x.bin", "--by games"),
    },
    "data dedupe": {**writes("dedupe"), "memory": same_result("data dedupe {twice.plain} --out - --quiet", "--memory 1M")},
    "data filter": filter_rows(),
    "data split": {
        **writes("split", SPLIT),
        "weights": changes("data split {games.bin} --out x.bin --out y.bin", "--weights 90,10"),
        "seed": changes("data split {games.bin} --out x.bin --out y.bin", "--seed 2"),
        "by": changes("data split {games.bin} --out x.bin --out y.bin", "--by records"),
    },
    "data sample": {
        **writes("sample", "--fraction 0.5"),
        "count": says("data sample {games.bin} --out x.bin --count 17", "17 records"),
        "fraction": changes("data sample {games.bin} --out x.bin --fraction 0.5", "--fraction 0.2"),
        "seed": changes("data sample {games.bin} --out x.bin --fraction 0.5", "--seed 2"),
        "by": changes("data sample {games.bin} --out x.bin --fraction 0.5", "--by games"),
    },
    "data stats": {
        "json": changes("data stats {games.viri} --quiet", "--json"),
        "from": changes("data stats {nameless} --quiet", "--from viri"),
        "skip-bad": changes("data stats {bad.bin} --quiet", "--skip-bad"),
        "quiet": fed("data stats ENDLESS"),
        "progress": told("data stats ENDLESS"),
    },
    "data view": {
        "record": changes("data view {games.viri}", "--record 7"),
        "count": changes("data view {games.viri}", "--count 2"),
        "from": changes("data view {nameless}", "--from viri"),
        "json": changes("data view {games.viri}", "--json"),
    },
}
