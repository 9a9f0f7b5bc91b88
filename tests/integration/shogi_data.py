# SPDX-License-Identifier: MIT
"""
tabia-shogi data: random games, played by the rules of tabia-shogi referee, through all formats and commands; known bytes.

    shogi_data.py TABIA-SHOGI
"""

import json
import os
import random
import subprocess
import sys
import tempfile

GAMES, PLIES = 6, 60
START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
# YaneuraOu's bytes of the start position, then score 7, 7g7f, move 1, lost, padding.
PSV = "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c" "0700" "3b1e" "0100" "ff" "00"
HCPE = "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c" "0700" "3b1e" "02" "00"
KNOWN = f"sfen {START}\nmove 7g7f\nscore 7\nply 1\nresult -1\ne\n"


class Program:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder

    def run(self, *words, status=0, given=None):
        done = subprocess.run([self.binary, *words], cwd=self.folder, input=given, capture_output=True, timeout=120)
        assert done.returncode == status, (words, done)
        return done.stdout + done.stderr

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)


def random_games(program):
    """The moves of games."""
    rng = random.Random(5)
    referee = subprocess.Popen([program.binary, "referee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def moves_of(game):
        referee.stdin.write("list " + game + "\n")
        return referee.stdout.readline().split()[1:]

    games = []
    for _ in range(GAMES):
        moves = []
        while len(moves) < PLIES:
            legal = moves_of("startpos" + (" moves " + " ".join(moves) if moves else ""))
            if not legal:
                break
            moves.append(rng.choice(legal))
        games.append(moves)
    referee.stdin.close()
    referee.wait()
    return games


def records(program, games):
    """Their records as text; the engine's line d gives the SFEN after each move."""
    lines = []
    for moves in games:
        for ply in range(len(moves)):
            lines += ["position startpos moves " + " ".join(moves[:ply]), "d"]
    reported = program.run("usi", given=("\n".join(lines) + "\nquit\n").encode()).decode()
    sfens = [line.split(":", 1)[-1].strip() for line in reported.splitlines() if line.startswith("Sfen: ")]
    assert len(sfens) == sum(map(len, games)), (len(sfens), reported[:600])
    text, at = "", 0
    for number, moves in enumerate(games):
        white = number % 3 - 1
        for ply, move in enumerate(moves):
            result = white if ply % 2 else -white
            text += f"sfen {sfens[at]}\nmove {move}\nscore {ply - 30}\nply {ply + 1}\nresult {result}\ne\n"
            at += 1
    return text.encode()


def known_bytes(program):
    program.write("known.plain", KNOWN.encode())
    for name, bytes_ in (("known.psv", PSV), ("known.hcpe", HCPE)):
        program.run("data", "convert", "known.plain", "--out", name, "--quiet")
        assert program.read(name).hex() == bytes_, program.read(name).hex()
        program.run("data", "convert", name, "--out", name + ".plain", "--quiet")
        assert program.read(name + ".plain").decode() == KNOWN
    # Apery's bits in a psv: refused, and named.
    bad = bytearray.fromhex(PSV)
    bad[34:36] = (0x4000 | 0x1e3b).to_bytes(2, "little")
    program.write("bad.psv", bytes(bad))
    assert b"no legal move" in program.run("data", "verify", "bad.psv", "--from", "psv", status=1)


def formats(program, text):
    program.write("games.plain", text)
    n = text.count(b"\ne\n")
    for first, second in (("psv", "hcpe"), ("hcpe", "psv")):
        program.run("data", "convert", "games.plain", "--out", "games." + first, "--quiet")
        program.run("data", "convert", "games." + first, "--out", "again." + second, "--quiet")
        program.run("data", "convert", "again." + second, "--out", "back.plain", "--quiet")
        assert program.read("back.plain") == text, (first, second)
    for name in ("games.plain", "games.psv", "games.hcpe"):
        reported = json.loads(program.run("data", "verify", name, "--json"))
        report = json.dumps(reported)
        assert f'"records": {n}' in report and f'"games": {GAMES}' in report, reported
        assert name.split(".")[1].encode() in program.run("data", "info", name)
        stats = json.loads(program.run("data", "stats", name, "--json"))
        assert stats["records"] == n, stats
    # Damage: a record in the middle, and a tail cut off.
    psv = bytearray(program.read("games.psv"))
    psv[40 * 7] ^= 0xfe
    program.write("games.psv", bytes(psv[:-3]))
    reported = program.run("data", "verify", "games.psv", status=1).decode()
    assert "record 8, byte 280" in reported and "truncated" in reported, reported


def rescored(program):
    """Only scores change, and no thread changes them."""
    for threads in "12":
        words = ("data", "rescore", "a.psv", "--out", f"rescored{threads}.psv", "--depth", "1", "--threads", threads)
        program.run(*words, "--quiet")
    old, new = program.read("a.psv"), program.read("rescored1.psv")
    assert new == program.read("rescored2.psv") != old
    assert all(old[at] == new[at] for at in range(len(old)) if at % 40 not in (32, 33))


def commands(program, text):
    n = text.count(b"\ne\n")
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
    shown = program.run("data", "view", "known.psv").decode()
    assert "7g7f" in shown and START in shown, shown
    assert b"tabia-shogi data convert FILE" in program.run("data", "convert", "--help")
    assert b"tabia-shogi data convert FILE" in program.run("data", "help", "convert")
    assert b"psv" in program.run("data", "--help")
    assert b"tabia-shogi data convert --help" in program.run("data", "convert", status=2)


def main(binary):
    with tempfile.TemporaryDirectory() as folder:
        program = Program(binary, folder)
        known_bytes(program)
        text = records(program, random_games(program))
        formats(program, text)
        commands(program, text)
    print("random games of shogi went through every format and command")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
