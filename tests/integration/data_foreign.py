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
    for target in ("bullet", "viri", "marlin"):
        _, err = tabia("convert", "m.bin", "--out", "m." + target)
        assert f"rejected: {len(marked)} records marked to be skipped (score 32002)" in err, (target, err)
        out, _ = tabia("stats", "m." + target, "--json")
        stats = json.loads(out)
        assert stats["records"] == RECORDS - len(marked), (target, stats["records"])
        assert stats["score"]["max"] < SKIP, (target, stats["score"]["max"])
    tabia("convert", "m.bin", "--out", "m.binpack")
    tabia("convert", "m.binpack", "--out", "m.plain")
    tabia("convert", "m.plain", "--out", "back.bin")
    assert Path("back.bin").read_bytes() == Path("m.bin").read_bytes(), "bin -> binpack -> plain -> bin loses marks"
    for source in ("m.bin", "m.binpack", "m.plain"):
        stats = json.loads(tabia("stats", source, "--json")[0])
        assert stats["skipped"] == len(marked) and stats["score"]["max"] < SKIP, (source, stats)
        assert sum(stats["score"]["bins"]) == RECORDS - len(marked), (source, stats["score"])
        assert f"{len(marked)} marked to be skipped" in tabia("stats", source)[0]
        assert f"{len(marked)} marked to be skipped" in tabia("verify", source)[0]
    out, _ = tabia("convert", "m.bin", "--out", "m.viri", "--json")
    told = json.loads(out)["written"][0]
    assert told["rejected"] == len(marked) == sum(told["rejected_by_reason"].values()), told


def greatest_scores():
    """-32768 of white is no 16 bits of black's: from viri to viri it stays, elsewhere its loss is told."""
    subprocess.run([RANDOM_GAMES, "s.viri", "100", "4"], check=True)
    data = bytearray(Path("s.viri").read_bytes())
    data[34:36] = data[38:40] = struct.pack("<h", -32768)  # of the first two moves
    Path("s.viri").write_bytes(data)
    tabia("shuffle", "s.viri", "--out", "shuffled.viri")
    for source in ("s.viri", "shuffled.viri"):
        tabia("convert", source, "--out", "s2.viri")
        assert Path("s2.viri").read_bytes() == Path(source).read_bytes(), "-32768 changes from viri to viri"
        _, err = tabia("convert", source, "--out", "s.bin")
        assert "lost: score, of 1 records" in err, err


def usual_castling(line):
    """Has the position of this `fen` line rights of standard chess only?"""
    board, _, rights = line.split()[1:4]
    rows = board.split("/")
    for row, letters in ((rows[7], "KQ"), (rows[0], "kq")):
        squares = "".join("." * int(c) if c.isdigit() else c for c in row)
        king, rook = ("K", "R") if letters == "KQ" else ("k", "r")
        for letter in rights:
            if letter.isalpha() and letter.isupper() == (letters == "KQ"):
                corner = {letters[0]: 7, letters[1]: 0}.get(letter)
                if corner is None or squares[4] != king or squares[corner] != rook:
                    return False
    return True


def fens(path):
    out, _ = tabia("convert", path, "--out", "-", "--to", "plain", "--quiet")
    return [line for line in out.splitlines() if line.startswith("fen ")]


def chess960_in_binpack():
    """As Stockfish's tools write it, with a count."""
    subprocess.run([RANDOM_GAMES, "h.viri", str(10 * RECORDS), "2", "chess960"], check=True)
    assert not all(map(usual_castling, fens("h.viri")))
    _, err = tabia("convert", "h.viri", "--out", "h.binpack")
    unusual = [fen for fen in fens("h.binpack") if not usual_castling(fen)]
    assert not unusual, f"{len(unusual)} positions that other readers crash on; the first: {unusual[0]}"
    assert "lost: castling rights, of " in err and "rejected: " in err and "castling move of Chess960" in err, err


def generated_chess960():
    """gensfen writes binpack so too, and says how many positions lost their rights."""
    def generate(name, *more):
        run = subprocess.run([TABIA, "gensfen", "--positions", "600", "--depth", "1", "--dfrc", "--hash", "64K", "--seed",
                              "3", "--threads", "1", "--out", name, "--quiet", *more], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        return run.stdout

    told = generate("g.binpack")
    unusual = [fen for fen in fens("g.binpack") if not usual_castling(fen)]
    assert not unusual, f"{len(unusual)} positions that other readers crash on; the first: {unusual[0]}"
    assert "without their castling rights" in told, told


def misleading_names():
    """The bytes tell the format, and what differs from the name is said; --from has the last word."""
    subprocess.run([RANDOM_GAMES, "n.viri", str(RECORDS), "1"], check=True)
    for form, name in (("viri", "thread_0.bin"), ("viri", "games.binpack"), ("marlin", "boards.bin"), ("bullet", "none")):
        tabia("convert", "n.viri", "--out", name, "--to", form, "--quiet")
        out, err = tabia("verify", name)
        assert f"{RECORDS} records" in out and "no fault" in out, out
        named = name.split(".")[-1]
        assert (f"{form} (not {named} as its name says; --from {named})" in out) == ("." in name), out
        told = json.loads(tabia("info", name, "--json")[0])["files"][0]
        assert told["format"] == form and told.get("named") == (named if "." in name else None), told
        _, err = tabia("convert", name, "--out", "n.bullet")
        assert (f"its bytes are {form}, not {named} as its name says; --from {named} reads it as that" in err) == ("." in name), err
        assert "its bytes are" not in tabia("convert", name, "--out", "n.bullet", "--quiet")[1]
    _, err = tabia("convert", "thread_0.bin", "--from", "bin", "--out", "n.bullet", status=2)
    assert "record 1, byte 0" in err, err
    _, err = tabia("sample", "thread_0.bin", "--count", "10", "--by", "records", "--out", "n.plain")
    assert err.count("its bytes are") == 1, err
    for form in ("plain", "text"):  # .txt is both
        tabia("convert", "n.viri", "--out", "n.txt", "--to", form, "--quiet")
        told = json.loads(tabia("info", "n.txt", "--json")[0])["files"][0]
        assert told["format"] == form and "named" not in told, told


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
    told = json.loads(tabia("verify", "g.bin", "--ignore", "unused", "--json", status=1)[0])["files"][0]
    assert told["ignored_count"] == 10 and told["fault_count"] == 12 == len(told["faults"]), told
    _, err = tabia("verify", "g.bin", "--ignore", "typo", status=2)
    assert "--ignore" in err and "typo" in err and err.count("\n") == 1, err
    _, err = tabia("convert", "g.bin", "--out", "g.viri")
    assert "unused: bits that the format leaves unused are set in 10 records, and not written" in err, err


def main():
    with tempfile.TemporaryDirectory(prefix="tabia-data-") as folder:
        os.chdir(folder)
        failed = 0
        for test in (marked_records, greatest_scores, chess960_in_binpack, generated_chess960, misleading_names, forgiven_faults):
            try:
                test()
            except AssertionError as error:
                failed += 1
                print(f"{test.__name__}: {error}")
        os.chdir("/")
    sys.exit(failed != 0)


main()
