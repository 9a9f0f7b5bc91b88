#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`tabia data rescore` from outside: scores are those of the engine, all else stays, the bytes are the same for any number of
threads and after kills, and what does not fit is refused.

rescore.py TABIA
"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile

from programs import read, write

TABIA = os.path.abspath(sys.argv[1])
SKIPPED = 32002


def run(*words, status=0):
    done = subprocess.run([TABIA, *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == status, (words, done)
    return done


def plain(path):
    """The records of a file as text, each without its score; and the scores."""
    text = run("data", "convert", path, "--to", "plain", "--out", "-", "--quiet").stdout
    records = [record.strip().splitlines() for record in text.split("\ne\n") if record.strip()]
    rest = [[line for line in record if not line.startswith("score ")] for record in records]
    return rest, [int(line.split()[1]) for record in records for line in record if line.startswith("score ")]


def rescore(source, out, *more, status=0):
    for name in (out, out + ".json", out + ".sums"):
        if os.path.exists(name):
            os.unlink(name)
    return run("data", "rescore", source, "--out", out, "--quiet", *more, status=status)


def keeps_all_else(source, format_name):
    """Only scores change, in each format; and they do."""
    out = f"again.{format_name}"
    rescore(source, out, "--depth", "2")
    (before, old), (after, new) = plain(source), plain(out)
    assert before == after and len(old) == len(new) and len(old) > 2000, (len(before), len(after))
    assert sum(a != b for a, b in zip(old, new)) > len(old) // 2


def unscored_moves_get_scores():
    """A game without scores has none to train on until it is rescored; a mark of another file stays."""
    with open("game.pgn", "w") as file:
        file.write('[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n')
    said = run("data", "convert", "game.pgn", "--out", "game.viri", status=2).stderr
    assert "viri takes none of the 5 records (marked to be skipped, since they have no score; data rescore gives one); no file is written" in said, said
    assert not os.path.exists("game.viri")
    rescore("game.pgn", "game.viri", "--depth", "3")
    said = run("data", "rescore", "game.pgn", "--out", "scored.bin", "--depth", "3").stderr
    assert "5 positions had no score\n" in said and "scores changed" not in said, said
    assert plain("game.viri")[1] == plain("scored.bin")[1] and plain("game.viri")[1][4] > 30000, plain("game.viri")
    with open("marked.bin", "wb") as file:
        file.write(read("scored.bin")[:32] + SKIPPED.to_bytes(2, "little") + read("scored.bin")[34:])
    run("data", "rescore", "game.pgn", "marked.bin", "--out", "both.bin", "--depth", "3", "--quiet")
    scores = plain("both.bin")[1]
    assert scores[0] != SKIPPED == scores[5] and SKIPPED not in scores[6:], scores


def threads_change_nothing(source):
    """Nor does what a full table holds of the games before."""
    run("data", "sample", source, "--by", "games", "--count", "5", "--out", "five.viri", "--quiet")
    for some, more in ((source, ("--nodes", "60")), ("five.viri", ("--nodes", "2000", "--hash", "64K"))):
        rescore(some, "one.viri", *more, "--threads", "1")
        for threads in ("2", "5"):
            rescore(some, "more.viri", *more, "--threads", threads)
            assert read("one.viri") == read("more.viri") and read("one.viri.sums") == read("more.viri.sums") and read("one.viri.sums").count(b"\n") < 5, threads


def scores_are_the_engines(source):
    """Of the first position of a file, which knows no other."""
    for seed in range(1, 5):
        run("data", "sample", source, "--count", "1", "--by", "records", "--seed", str(seed), "--out", "first.bin", "--force", "--quiet")
        rescore("first.bin", "first_again.bin", "--depth", "6")
        records, scores = plain("first_again.bin")
        fen = records[0][0][len("fen "):]
        said = subprocess.run([TABIA, "setoption name Hash value 1", f"position fen {fen}", "go depth 6", "quit"], capture_output=True,
                              text=True, timeout=60).stdout
        cp = [line for line in said.splitlines() if " depth 6 " in line and " score cp " in line]
        assert cp and int(cp[-1].split(" score cp ")[1].split()[0]) == scores[0], (fen, cp, scores)


def games_are_known():
    """The game before a position counts: where a check was given twice, giving it again is a draw."""
    moves = ("e8h5", "h7g8", "h5e8", "g8h7")
    boards = ("4Q3/6pk/8/8/8/1r6/1q3PPP/6K1 w", "8/6pk/8/7Q/8/1r6/1q3PPP/6K1 b", "6k1/6p1/8/7Q/8/1r6/1q3PPP/6K1 w", "4Q1k1/6p1/8/8/8/1r6/1q3PPP/6K1 b")
    with open("checks.plain", "w") as file:
        for ply in range(8):
            file.write(f"fen {boards[ply % 4]} - - {ply} {1 + ply // 2}\nmove {moves[ply % 4]}\nscore 0\nply {ply}\nresult 0\ne\n")
    run("data", "convert", "checks.plain", "--out", "checks.marlin", "--quiet")
    rescore("checks.plain", "checks.viri", "--depth", "1"), rescore("checks.marlin", "alone.marlin", "--depth", "1")
    (_, game), (_, alone) = plain("checks.viri"), plain("alone.marlin")
    assert game[:4] == alone[:4] and game[6] == 0 and alone[6] < -200, (game, alone)


def long_games_stay_whole():
    """A game of more records than a block has: the block ends behind it."""
    moves = ("g1f3", "g8f6", "f3g1", "f6g8")
    boards = ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b",
              "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w", "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b")
    with open("long.plain", "w") as file:
        for ply in range(5200):
            file.write(f"fen {boards[ply % 4]} KQkq - {ply} {1 + ply // 2}\nmove {moves[ply % 4]}\nscore 0\nply {ply}\nresult 0\ne\n")
    rescore("long.plain", "long.viri", "--depth", "1")
    games = json.loads(run("data", "stats", "long.viri", "--json").stdout)["games"]
    assert games == 1, games


def keeps_marks(source):
    """Records that trainers are to skip are not searched and keep their mark."""
    text = run("data", "convert", source, "--to", "plain", "--out", "-", "--quiet").stdout.splitlines()
    scores = [i for i, line in enumerate(text) if line.startswith("score ")]
    for i in scores[::3]:
        text[i] = f"score {SKIPPED}"
    with open("marked.plain", "w") as file:
        file.write("\n".join(text) + "\n")
    rescore("marked.plain", "marked_again.bin", "--depth", "2")
    new = plain("marked_again.bin")[1]
    assert all((score == SKIPPED) == (i % 3 == 0) for i, score in enumerate(new)), new[:20]


def another_network(source):
    run("gensfen", "--positions", "300", "--depth", "1", "--out", "few.viri", "--quiet")
    run("train", "few.viri", "--epochs", "1", "--synthetic-epochs", "0", "--out", "other.network", "--quiet")
    rescore(source, "by_other.viri", "--depth", "2", "--network", "other.network")
    rescore(source, "by_ours.viri", "--depth", "2")
    assert read("by_other.viri") != read("by_ours.viri")
    reported = run("data", "rescore", source, "--out", "by_other.viri", "--depth", "2", "--resume", status=2)
    assert 'was written with network' in reported.stderr and reported.stderr.count("\n") == 1, reported


def survives_kills(source):
    """Killed again and again, at any moment, in a format of games and one of chunks."""
    chance = random.Random(3)
    for name in ("viri", "binpack"):
        usual = ["data", "rescore", source, "--nodes", "300", "--quiet", "--out"]
        rescore(source, f"whole.{name}", "--nodes", "300")
        out, kills, done = f"killed.{name}", 0, None
        for tries in range(100):
            job = subprocess.Popen([TABIA, *usual, out, "--resume", "--threads", str(1 + tries % 3)], stderr=subprocess.PIPE, text=True)
            try:
                done = job.wait(chance.uniform(0.05, 0.2 + 0.1 * tries))
                break
            except subprocess.TimeoutExpired:
                job.send_signal(signal.SIGINT if tries % 2 else signal.SIGKILL)
                kills += 1
                said = job.communicate()[1]
                assert job.returncode in (130, -9, 0) and (job.returncode != 130 or "--resume continues" in said), (job.returncode, said)
        assert done == 0 and kills > 1, (done, kills)
        assert read(out) == read(f"whole.{name}") and read(out + ".sums") == read(f"whole.{name}.sums")
        assert run(*usual, out, "--resume").stderr == "" and read(out) == read(f"whole.{name}")  # it was done


def refuses(source):
    rescore(source, "there.viri", "--depth", "1")
    write("short.bin", read("first.bin")[:39]), write("alone.viri.json", b"{}"), write("sums.viri.sums", b"mine")
    for words, said in (
            (("there.viri", "--depth", "1"), "there.viri: exists already; --resume continues it"),
            (("alone.viri", "--depth", "1"), "alone.viri.json: exists already; --resume continues it"),
            (("sums.viri", "--depth", "1"), "sums.viri.sums: exists already; --resume continues it"),
            (("there.viri", "--depth", "2", "--resume"), 'was written with depth 1, not 2'),
            ((source, "--depth", "1"), "--out: games.viri is read as well"),
            (("new.viri",), "--depth N, --nodes N or --soft-nodes N is missing"),
            (("new.viri", "--depth", "1", "--network", source), "no network"),
            (("new.viri", "--depth", "0"), "--depth: '0' is not a whole number"),
            (("new.gif", "--depth", "1", "--to", "gif"), "there is no format 'gif'"),
            (("new.viri", "--depth", "1", "--hash", "off"), "--hash: a search needs a table")):
        reported = run("data", "rescore", source, "--out", *words, status=2)
        assert reported.stderr.count("\n") == 1 and said in reported.stderr, (words, reported)
    assert "short.bin: record 1" in run("data", "rescore", "short.bin", "--out", "new.bin", "--depth", "1", status=2).stderr
    assert "2 bad" in rescore("bad.bin", "good.bin", "--depth", "1", "--skip-bad", "--json").stdout.replace('"bad": 2', "2 bad")
    write("bad.bin", read("bad.bin")[::-1])
    assert "with content" in run("data", "rescore", "bad.bin", "--out", "good.bin", "--depth", "1", "--skip-bad", "--resume", status=2).stderr


with tempfile.TemporaryDirectory() as temporary:
    os.chdir(temporary)
    run("gensfen", "--positions", "9000", "--depth", "1", "--hash", "64K", "--threads", "1", "--out", "games.viri", "--quiet")
    run("data", "convert", "games.viri", "--out", "games.bin", "--quiet")
    run("data", "shuffle", "games.bin", "--out", "mixed.bin", "--by", "records", "--quiet")
    write("bad.bin", b"\xff" * 40 + read("games.bin")[:4000] + b"\xff" * 40)
    unscored_moves_get_scores()
    keeps_all_else("games.viri", "viri"), keeps_all_else("games.bin", "binpack"), keeps_all_else("mixed.bin", "bin")
    threads_change_nothing("games.viri")
    scores_are_the_engines("games.viri")
    games_are_known()
    long_games_stay_whole()
    keeps_marks("games.viri")
    another_network("games.viri")
    survives_kills("games.viri")
    refuses("games.viri")
