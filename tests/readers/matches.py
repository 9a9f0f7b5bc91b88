# SPDX-License-Identifier: MIT
"""
Games that fastchess and cutechess-cli have played and written as PGN, read by tabia and by python-chess: the same positions, moves,
scores and results. Programs and python-chess (a clone) are given by path; nothing is fetched.

    matches.py TABIA --python-chess FOLDER [--fastchess PROGRAM] [--cutechess PROGRAM] [--rounds N]

Each plays rounds of two games of standard chess and of Chess960, from openings of a book, some of them to mate. Then tabia writes
what it has read as PGN again, and that says the same.
"""

import argparse
import importlib
import os
import re
import sys
import tempfile
from pathlib import Path

from compare import SKIPPED, plain_rows, run

MATE = 32000
COMMENT = re.compile(r"([-+]?)(M?)([\d.]+)/\d+")
OPENINGS = {"standard": ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                         "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", "8/8/8/4k3/8/8/8/4KQ2 w - - 0 1"],
            "fischerandom": ["bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", "rkbnqnbr/pppppppp/8/8/8/8/PPPPPPPP/RKBNQNBR w KQkq - 0 1"]}


def play(name, program, tabia, variant, rounds):
    """NAME-VARIANT.pgn"""
    openings, out = f"{variant}.epd", f"{name}-{variant}.pgn"
    Path(openings).write_text("".join(fen + "\n" for fen in OPENINGS[variant]))
    sides = [word for side in "ab" for word in ("-engine", f"cmd={tabia}", f"name={side}")]
    each = ["-each", "proto=uci", "tc=inf", "nodes=3000", "option.Hash=8", "-rounds", rounds, "-games", 2, "-repeat"]
    book = ["-openings", f"file={openings}", "format=epd", "order=sequential", "-variant", variant]
    run(program, *sides, *each, *book, *(["-pgnout", f"file={out}"] if name == "fastchess" else ["-pgnout", out]),
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    return out


def score_of(comment):
    """Of the comment behind a move, for the side that moved; None: a move of a book."""
    found = COMMENT.match(comment)
    if not found:
        return None
    sign = -1 if found[1] == "-" else 1
    return sign * (MATE - int(found[3]) if found[2] else round(float(found[3]) * 100))


def rows_of(chess, pgn):
    """The records as python-chess reads them, a line each like compare.plain_rows."""
    results = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}
    with open(pgn, encoding="ascii") as file:
        while game := chess.pgn.read_game(file):
            board, result = game.board(), results[game.headers["Result"]]
            for node in game.mainline():
                score = score_of(" ".join(node.comments))
                fen = board.fen(en_passant="legal")
                if score is not None:
                    yield "|".join((fen.rsplit(" ", 1)[0], node.move.uci(), str(score), str(board.ply()), str(result if board.turn else -result)))
                board.push(node.move)


def compare(chess, tabia, pgn):
    run(tabia, "data", "convert", pgn, "--out", "read.plain", "--quiet")
    ours, theirs = list(plain_rows(Path("read.plain").read_text())), list(rows_of(chess, pgn))
    run(tabia, "data", "convert", pgn, "--out", "again.pgn", "--quiet")
    again = list(rows_of(chess, "again.pgn"))
    for found, expected in zip(ours, theirs):
        if found != expected:
            print(f"tabia        {found}\npython-chess {expected}")
            break
    mates = sum(abs(int(row.split("|")[2])) > MATE - 300 for row in theirs)
    good = ours == theirs and again == theirs
    print(f"{pgn}: {len(theirs)} records, {mates} scores of mates, read by both and written again: {'equal' if good else 'DIFFERENT'}", flush=True)
    return good and len(theirs) > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tabia", type=os.path.abspath)
    for name in ("python-chess", "fastchess", "cutechess"):
        parser.add_argument("--" + name, type=os.path.abspath)
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    programs = {name: vars(given)[name] for name in ("fastchess", "cutechess") if vars(given)[name]}
    if not given.python_chess or not programs:
        print("python-chess, or a program that plays, is not given: nothing is compared")
        sys.exit(SKIPPED)
    sys.path.insert(0, given.python_chess)
    chess = importlib.import_module("chess")
    importlib.import_module("chess.pgn")
    with tempfile.TemporaryDirectory(prefix="tabia-matches-") as folder:
        os.chdir(folder)
        good = [compare(chess, given.tabia, play(name, program, given.tabia, variant, given.rounds))
                for name, program in programs.items() for variant in OPENINGS]
        os.chdir("/")
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
