# SPDX-License-Identifier: MIT
"""Rows of option_rows.py: `tabia train` and `tabia network`."""

from options import changes, files_of, no_numbers, says, threads

TRAIN = "train {games.bin} --out x --epochs 1 --synthetic-epochs 0 --threads 1 --seed 2"


TRAINING_ROWS = {
    "train": {
        "out": lambda program: "y" in program.run(TRAIN + " --out y")[3],
        "from": changes(TRAIN, "--from {other.network}", no_numbers),
        "epochs": changes(TRAIN, "--epochs 2", no_numbers),
        "synthetic-epochs": changes(TRAIN, "--synthetic-epochs 1", no_numbers),
        "synthetic": changes(TRAIN + " --epochs 1 --synthetic-epochs 1", "--synthetic 80", no_numbers),
        "wdl": changes(TRAIN, "--wdl 90", no_numbers),
        "rate": changes(TRAIN, "--rate 100", no_numbers),
        "finetune-rate": changes(TRAIN + " --synthetic-epochs 1", "--finetune-rate 5", no_numbers),
        "threads": threads("train {games.bin} --out x --epochs 100000 --synthetic-epochs 0"),
        "seed": changes(TRAIN, "--seed 5", no_numbers),
    },
    "network info": {"json": changes("network info {other.network}", "--json")},
    "network export": {"out": files_of("network export {other.network} --out x", "--out y")},
    "network import": {
        "out": files_of("network import {other.quantised} --outputs 8 --out x", "--out y"),
        "outputs": says("network import {other.quantised} --out x --outputs 1", "--outputs says"),
        "mirrored": changes("network import {other.quantised} --outputs 8 --out x", "--mirrored"),
    },
}
