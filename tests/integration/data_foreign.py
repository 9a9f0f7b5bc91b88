# SPDX-License-Identifier: MIT
"""
Training data as other programs write and read it, from outside: what Stockfish marks to be skipped.

    data_foreign.py TABIA RANDOM_GAMES
"""

import json
import os
import struct
import subprocess
import sys
import tempfile

TABIA, RANDOM_GAMES = (os.path.abspath(path) for path in sys.argv[1:3])
RECORDS = 2000
SKIP = 32002  # VALUE_NONE


def tabia(*words, status=0, **more):
    run = subprocess.run([TABIA, "data", *words], capture_output=True, text=True, **more)
    assert run.returncode == status, f"tabia data {' '.join(words)}: status {run.returncode}, not {status}\n{run.stderr}"
    return run.stdout, run.stderr


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def skip_marks():
    """Every fifth record has the score 32002, as Stockfish's tools mark records to be skipped."""
    subprocess.run([RANDOM_GAMES, "a.bin", str(RECORDS), "1"], check=True)
    data = bytearray(read("a.bin"))
    marked = range(4, RECORDS, 5)
    for record in marked:
        data[40 * record + 32:40 * record + 34] = struct.pack("<h", SKIP)
    write("m.bin", data)
    for target in ("bullet", "viri", "marlin"):
        _, err = tabia("convert", "m.bin", "--out", "m." + target)
        assert f"left out: {len(marked)} records marked to be skipped (score 32002)" in err, (target, err)
        out, _ = tabia("stats", "m." + target, "--json")
        stats = json.loads(out)
        assert stats["records"] == RECORDS - len(marked), (target, stats["records"])
        assert stats["score"]["most"] < SKIP, (target, stats["score"]["most"])
    tabia("convert", "m.bin", "--out", "m.binpack")
    tabia("convert", "m.binpack", "--out", "m.plain")
    tabia("convert", "m.plain", "--out", "back.bin")
    assert read("back.bin") == read("m.bin"), "bin -> binpack -> plain -> bin loses marks"
    for source in ("m.bin", "m.binpack", "m.plain"):
        stats = json.loads(tabia("stats", source, "--json")[0])
        assert stats["skip_marks"] == len(marked) and stats["score"]["most"] < SKIP, (source, stats)
        assert sum(stats["score"]["bins"]) == RECORDS - len(marked), (source, stats["score"])
        assert f"{len(marked)} marked to be skipped" in tabia("stats", source)[0]
        assert f"{len(marked)} marked to be skipped" in tabia("verify", source)[0]
    out, _ = tabia("convert", "m.bin", "--out", "m.viri", "--json")
    told = json.loads(out)["written"][0]
    assert told["left_out"] == len(marked) == sum(told["left_out_by_reason"].values()), told


def main():
    with tempfile.TemporaryDirectory(prefix="tabia-data-") as folder:
        os.chdir(folder)
        failed = 0
        for test in (skip_marks, ):
            try:
                test()
            except AssertionError as error:
                failed += 1
                print(f"{test.__name__}: {error}")
        os.chdir("/")
    sys.exit(failed != 0)


main()
