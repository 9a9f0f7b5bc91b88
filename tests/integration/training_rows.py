# SPDX-License-Identifier: MIT
"""Rows of option_rows.py: `tabia train`, `tabia network` and `tabia data rescore`."""

import time
from pathlib import Path

from options import changes, end, files_of, games, no_numbers, quiet, says, threads, writes_progress

TRAIN = "train {games.bin} --out x --epochs 1 --synthetic-epochs 0 --threads 1 --seed 2"
RESCORE = "data rescore {games.viri} --out x.viri --quiet"


def resumes_training(program):
    """What stands there is read with the option, and not overwritten without it."""
    Path(program.files, "spoilt.checkpoint").write_bytes(b"?" * 3000)
    line = TRAIN + " --out {spoilt}"
    return all(text in program.run(line + more)[2] for more, text in (("", "--resume continues it"), (" --resume", "is no checkpoint")))


def writes_checkpoints(program):
    """In the middle of an epoch of hours."""
    path = Path(program.files, "kept.checkpoint")
    process = program.start("train {games.bin} --out {kept} --synthetic-epochs 0 --epoch-positions 1000000000000 --checkpoint-every 1 --quiet")
    try:
        while not path.exists() and process.poll() is None:
            time.sleep(0.05)
        return path.exists()
    finally:
        end(process)


def resumes_rescoring(program):
    line = "data rescore {games.viri} --out {resumed_scores.viri} --depth 1"
    done = [program.run(line + more)[0] for more in ("", "", " --resume")]
    return done[0] == 0 != done[1] and done[2] == 0


TRAINING_ROWS = {
    "data rescore": {
        "out": files_of(RESCORE + " --depth 1", "--out y.viri"),
        "depth": games(RESCORE + " --nodes 300", "--depth 2"),
        "nodes": games(RESCORE + " --depth 5", "--nodes 30"),
        "soft-nodes": games(RESCORE + " --depth 5", "--soft-nodes 30"),
        "network": games(RESCORE + " --depth 2", "--network {other.network}"),
        "hash": games(RESCORE + " --depth 6", "--hash 64K"),
        "threads": threads("data rescore {many.bin} {many.bin} {many.bin} --out x.bin --depth 6 --quiet"),
        "resume": resumes_rescoring,
        "to": changes(RESCORE + " --depth 1", "--to plain", no_numbers),
        "from": changes("data rescore {nameless} --out x.bin --depth 1", "--from plain", no_numbers),
        "skip-bad": changes("data rescore {bad.bin} --out x.bin --depth 1", "--skip-bad", no_numbers),
        "json": changes("data rescore {games.viri} --out x.viri --depth 1", "--json", no_numbers),
        "quiet": quiet("data rescore {many.bin} {many.bin} {many.bin} --out x.bin --depth 8"),
        "progress": writes_progress("data rescore {many.bin} --out {rescored.bin} --depth 9 --progress 1", pattern=r"\d[\d.]*( [kMG])? records, "),
    },
    "train": {
        "out": lambda program: "y" in program.run(TRAIN + " --out y")[3],
        "from": changes(TRAIN, "--from {other.network}", no_numbers),
        "epochs": changes(TRAIN, "--epochs 2", no_numbers),
        "synthetic-epochs": changes(TRAIN, "--synthetic-epochs 1", no_numbers),
        "synthetic": changes(TRAIN + " --epochs 1 --synthetic-epochs 1", "--synthetic 80", no_numbers),
        "evaluation": changes(TRAIN + " --synthetic-epochs 1", "--evaluation material", no_numbers),
        "wdl": changes(TRAIN, "--wdl 90", no_numbers),
        "rate": changes(TRAIN, "--rate 100", no_numbers),
        "finetune-rate": changes(TRAIN + " --synthetic-epochs 1", "--finetune-rate 5", no_numbers),
        "threads": threads("train {games.bin} --out x --epochs 100000 --synthetic-epochs 0"),
        "seed": changes(TRAIN, "--seed 5", no_numbers),
        "validation": changes(TRAIN, "--validation {twice.plain}", no_numbers),
        "resume": resumes_training,
        "checkpoint-every": writes_checkpoints,
        "epoch-positions": changes(TRAIN, "--epoch-positions 500", no_numbers),
        "batch": changes(TRAIN, "--batch 300", no_numbers),
        "final-rate": changes(TRAIN + " --batch 300", "--final-rate 900", no_numbers),
        "shuffle": changes(TRAIN + " --batch 300", "--shuffle 200", no_numbers),
        "width": changes(TRAIN, "--width 16", no_numbers),
        "outputs": changes(TRAIN, "--outputs 1", no_numbers),
        "mirrored": changes(TRAIN, "--mirrored off", no_numbers),
        "quiet": quiet("train {many.bin} --out x --epochs 100000 --threads 1"),
        "progress": writes_progress("train {many.bin} --out {told} --epochs 100000 --progress 1", pattern=r"\d[\d.]*( [kMG])? positions, "),
    },
    "network info": {"json": changes("network info {other.network}", "--json")},
    "network export": {"out": files_of("network export {other.network} --out x", "--out y")},
    "network import": {
        "out": files_of("network import {other.quantised} --outputs 8 --out x", "--out y"),
        "outputs": says("network import {other.quantised} --out x --outputs 1", "--outputs says"),
        "mirrored": changes("network import {other.quantised} --outputs 8 --out x", "--mirrored"),
    },
}
