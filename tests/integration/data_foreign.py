# SPDX-License-Identifier: MIT
"""
Training data as other programs write and read it, from outside: what Stockfish marks to be skipped; Chess960 in binpack;
names that mislead.

    data_foreign.py TABIA RANDOM_GAMES
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

TABIA, RANDOM_GAMES = (os.path.abspath(path) for path in sys.argv[1:3])
RECORDS = 2000
SKIP = 32002  # VALUE_NONE


def tabia(*words, status=0, **more):
    run = subprocess.run([TABIA, "data", *words], capture_output=True, text=True, **more)
    assert run.returncode == status, f"tabia data {' '.join(words)}: status {run.returncode}, not {status}\n{run.stderr}"
    return run.stdout, run.stderr


def marked_records():
    """Every fifth record has the score 32002, as Stockfish's tools mark records to be skipped."""
    subprocess.run([RANDOM_GAMES, "a.bin", str(RECORDS), "1"], check=True)
    data = bytearray(Path("a.bin").read_bytes())
    marked = range(4, RECORDS, 5)
    for record in marked:
        data[40 * record + 32:40 * record + 34] = struct.pack("<h", SKIP)
    Path("m.bin").write_bytes(data)
    tabia("convert", "m.bin", "--out", "m.binpack")
    tabia("convert", "m.binpack", "--out", "m.plain")
    for source in ("m.bin", "m.binpack", "m.plain"):
        stats = json.loads(tabia("stats", source, "--json")[0])
        assert stats["skipped"] == len(marked) and stats["score"]["max"] < SKIP, (source, stats)
        assert sum(stats["score"]["bins"]) == RECORDS - len(marked), (source, stats["score"])
        assert f"{len(marked)} marked to be skipped" in tabia("stats", source)[0]
        assert f"{len(marked)} marked to be skipped" in tabia("verify", source)[0]
    out, _ = tabia("convert", "m.bin", "--out", "m.viri", "--json")
    err = tabia("convert", "m.bin", "--out", "m.bullet")[1]
    assert f"rejected: {len(marked)} records marked to be skipped (score 32002)" in err, err
    reported = json.loads(out)["written"][0]
    assert reported["rejected"] == len(marked) == sum(reported["rejected_by_reason"].values()), reported


def generated_chess960():
    """gensfen writes binpack so too, and says how many positions lost their rights."""
    run = subprocess.run([TABIA, "gensfen", "--positions", "600", "--depth", "1", "--dfrc", "--hash", "64K", "--seed", "3", "--threads", "1",
                          "--out", "g.binpack", "--quiet"], capture_output=True, text=True)
    assert run.returncode == 0 and "without their castling rights" in run.stdout, run


def misleading_names():
    """The bytes tell the format, and what differs from the name is said; --from has the last word."""
    subprocess.run([RANDOM_GAMES, "n.viri", str(RECORDS), "1"], check=True)
    for form, name in (("viri", "thread_0.bin"), ("viri", "games.binpack"), ("marlin", "boards.bin"), ("bullet", "none")):
        tabia("convert", "n.viri", "--out", name, "--to", form, "--quiet")
        out, err = tabia("verify", name)
        assert f"{RECORDS} records" in out and "no fault" in out, out
        named = name.split(".")[-1]
        assert (f"{form} (not {named} as its name says; --from {named})" in out) == ("." in name), out
        reported = json.loads(tabia("info", name, "--json")[0])["files"][0]
        assert reported["format"] == form and reported.get("named") == (named if "." in name else None), reported
        _, err = tabia("convert", name, "--out", "n.bullet")
        assert (f"its bytes are {form}, not {named} as its name says; --from {named} reads it as that" in err) == ("." in name), err
        assert "its bytes are" not in tabia("convert", name, "--out", "n.bullet", "--quiet")[1]
    _, err = tabia("convert", "thread_0.bin", "--from", "bin", "--out", "n.bullet", status=2)
    assert "record 1, byte 0" in err, err
    _, err = tabia("sample", "thread_0.bin", "--count", "10", "--by", "records", "--out", "n.plain")
    assert err.count("its bytes are") == 1, err
    for form in ("plain", "text"):  # .txt is both
        tabia("convert", "n.viri", "--out", "n.txt", "--to", form, "--quiet")
        reported = json.loads(tabia("info", "n.txt", "--json")[0])["files"][0]
        assert reported["format"] == form and "named" not in reported, reported


def forgiven_faults():
    """What other programs write and read without a word is counted, and forgiven by --ignore."""
    subprocess.run([RANDOM_GAMES, "g.bin", str(RECORDS), "3"], check=True)
    data = bytearray(Path("g.bin").read_bytes())
    for record in range(0, 100, 10):
        data[40 * record + 31] |= 0x80  # behind the position
    for record in range(5, 100, 10):
        data[40 * record + 32:40 * record + 34] = struct.pack("<h", 32317)  # a mate
    data[40 * 7 + 38] = {0: 1, 1: 255, 255: 0}[data[40 * 7 + 38]]  # another result in the midst of a game
    Path("g.bin").write_bytes(data)
    out, _ = tabia("verify", "g.bin", status=1)
    assert "10 score, 10 unused, 2 continuity: 22 faults" in out, out
    assert "record 6, byte 200: the score is 32317" in out and "record 1, byte 0: bits are set that" in out, out
    out, _ = tabia("verify", "g.bin", "--ignore", "score,unused", status=1)
    assert "2 continuity: 2 faults; ignored: 10 score, 10 unused" in out and "32317" not in out, out
    out, _ = tabia("verify", "g.bin", "--ignore", "score,unused,continuity")
    assert "no fault; ignored: 10 score, 10 unused, 2 continuity" in out, out
    reported = json.loads(tabia("verify", "g.bin", "--ignore", "unused", "--json", status=1)[0])["files"][0]
    assert reported["ignored_count"] == 10 and reported["fault_count"] == 12 == len(reported["faults"]), reported
    _, err = tabia("verify", "g.bin", "--ignore", "typo", status=2)
    assert "--ignore" in err and "typo" in err and err.count("\n") == 1, err
    _, err = tabia("convert", "g.bin", "--out", "g.viri")
    assert "unused: bits that the format leaves unused are set in 10 records, and not written" in err, err


def main():
    with tempfile.TemporaryDirectory(prefix="tabia-data-") as folder:
        os.chdir(folder)
        failed = 0
        for test in (marked_records, generated_chess960, misleading_names, forgiven_faults):
            try:
                test()
            except AssertionError as error:
                failed += 1
                print(f"{test.__name__}: {error}")
        os.chdir("/")
    sys.exit(failed != 0)


main()
