# SPDX-License-Identifier: MIT
"""
tabia-shogi data: games of gensfen through psv, hcpe, plain, csa, kif and all commands. Known bytes: test_shogi_vectors.c.

    shogi_data.py TABIA-SHOGI
"""

import json
import re
import sys
import tempfile

from programs import Program


def without_numbers(text):
    """The records without the numbers of their moves, which hcpe does not store."""
    return re.sub(rb"(sfen .*) \d+\n|ply \d+\n", rb"\1\n", text)


def formats(program):
    made = json.loads(program.run("gensfen", "--positions", "400", "--depth", "1", "--out", "games.plain", "--quiet", "--json"))
    text = program.read("games.plain")
    n, games = text.count(b"\ne\n"), made["games"]
    assert n == made["positions"] >= 400 and games > 1, made
    for first, second in (("psv", "hcpe"), ("hcpe", "psv")):
        program.run("data", "convert", "games.plain", "--out", "games." + first, "--quiet")
        program.run("data", "convert", "games." + first, "--out", "again." + second, "--quiet")
        program.run("data", "convert", "again." + second, "--out", "back.plain", "--force", "--quiet")
        assert without_numbers(program.read("back.plain")) == without_numbers(text), (first, second)
    program.run("data", "convert", "games.psv", "--out", "back.plain", "--force", "--quiet")
    assert program.read("back.plain") == text
    for name in ("games.csa", "games.kif"):
        program.run("data", "convert", "games.plain", "--out", name, "--quiet")
        assert "exists already" in program.run("data", "convert", "games.psv", "--out", name, status=2)
        program.run("data", "convert", name, "--out", "back.plain", "--force", "--quiet")
        assert without_numbers(program.read("back.plain")) == without_numbers(text), name
    for name in ("games.plain", "games.psv", "games.hcpe", "games.csa", "games.kif"):
        reported = json.loads(program.run("data", "verify", name, "--json"))
        report = json.dumps(reported)
        assert f'"records": {n}' in report and f'"games": {games}' in report, reported
        assert name.split(".")[1] in program.run("data", "info", name)
        stats = json.loads(program.run("data", "stats", name, "--json"))
        assert stats["records"] == n, stats
    # Damage: a record in the middle, and a tail cut off.
    psv = bytearray(program.read("games.psv"))
    psv[40 * 7] ^= 0xfe
    program.write("games.psv", bytes(psv[:-3]))
    reported = program.run("data", "verify", "games.psv", status=1)
    assert "record 8, byte 280" in reported and "truncated" in reported, reported


def rescored(program):
    """Only scores change, and no thread changes them."""
    for threads in "12":
        words = ("data", "rescore", "a.psv", "--out", f"rescored{threads}.psv", "--depth", "1", "--threads", threads)
        program.run(*words, "--quiet")
    old, new = program.read("a.psv"), program.read("rescored1.psv")
    assert new == program.read("rescored2.psv") != old
    program.run("data", "rescore", "a.psv", "--out", "both.dual", "--depth", "1")
    both = program.read("both.dual")
    assert len(both) == len(old)
    for i in range(0, len(both), 40):  # position and first score, the second in the place of the move, the rest
        assert both[i:i + 40] == old[i:i + 34] + new[i + 32:i + 34] + old[i + 36:i + 39] + b"\0", i
    assert "lost: deeper score" in program.run("data", "convert", "both.dual", "--out", "one-score.psv")
    assert "without a deeper score" in program.run("data", "convert", "a.psv", "--out", "none.dual", status=2)
    assert all(old[at] == new[at] for at in range(len(old)) if at % 40 not in (32, 33))


def commands(program):
    n = program.read("games.plain").count(b"\ne\n")
    program.run("data", "convert", "games.plain", "games.plain", "--out", "twice.psv", "--quiet")
    program.run("data", "dedupe", "twice.psv", "--out", "once.psv", "--quiet")
    assert 40 * n // 2 < len(program.read("once.psv")) <= 40 * n
    program.run("data", "shuffle", "games.plain", "--out", "a.psv", "--quiet", "--by", "records")
    program.run("data", "shuffle", "games.plain", "--out", "b.psv", "--quiet", "--by", "records", "--memory", "1M")
    assert program.read("a.psv") == program.read("b.psv") != program.read("twice.psv")[:40 * n]
    program.run("data", "sample", "games.plain", "--out", "s.psv", "--count", "10", "--by", "records", "--quiet")
    assert len(program.read("s.psv")) == 400
    program.run("data", "split", "games.plain", "--out", "x.psv", "--out", "y.psv", "--quiet")
    assert len(program.read("x.psv")) + len(program.read("y.psv")) == 40 * n
    program.run("data", "filter", "games.plain", "--out", "f.psv", "--filter-drop", "--filter-check", "--quiet")
    assert 0 < len(program.read("f.psv")) < 40 * n
    rescored(program)
    board, _, move = program.read("games.plain").decode().split()[1:6:2]
    shown = program.run("data", "view", "twice.psv")
    assert board in shown and move in shown, shown
    assert "tabia-shogi data convert FILE" in program.run("data", "convert", "--help")
    assert "tabia-shogi data convert FILE" in program.run("data", "help", "convert")
    assert "psv" in program.run("data", "--help")
    assert "tabia-shogi data convert --help" in program.run("data", "convert", status=2)


def main(binary):
    with tempfile.TemporaryDirectory() as folder:
        program = Program(binary, folder)
        for test in (formats, commands):
            test(program)
    print("games of shogi went through every format and command")


if __name__ == "__main__":
    main(sys.argv[1])
