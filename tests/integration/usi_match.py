# SPDX-License-Identifier: MIT
"""
tabia-shogi referee, and tools/usi_match, which plays engines by its verdicts. The engines are scripts that follow a line of
moves and then do what the case is about; each way for a game to end is seen, and who has won it.

    usi_match.py TABIA-SHOGI TOOL
"""

import os
import subprocess
import sys
import tempfile

REPETITION = "2h3h 8b7b 3h2h 7b8b " * 3
# Plays MOVES[number of moves so far], behind the opening; at the end does END: a word of bestmove, hangs, or dies.
ENGINE = """#!/usr/bin/env python3
import sys, time
MOVES, END, NAME = {moves!r}.split(), {end!r}, {name!r}
played = 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "usi":
        print("id name " + NAME + "\\noption name USI_OwnBook type check default true\\noption name Speed type spin\\nusiok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "position":
        played = len(words) - words.index("moves") - 1 if "moves" in words else 0
    elif words[0] == "go":
        open("words", "a").write(line)
        if played < len(MOVES):
            print("info score cp 0\\nbestmove " + MOVES[played])
        elif END == "hang":
            time.sleep(60)
        elif END == "late":
            time.sleep(0.4)
            print("bestmove 1g1f")
        elif END == "die":
            break
        else:
            print("bestmove " + END)
    elif words[0] in ("setoption", "gameover"):
        open("words", "a").write(line)
    elif words[0] == "quit":
        break
    sys.stdout.flush()
"""
CHECKS = "5k3/9/9/9/9/9/9/9/R3K4 b - 1"
DECLARES = "KGGSSSSGG/PP7/9/9/9/9/9/9/8k b RB8P 1"
MATES = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
# opening, moves of both, what both do at the end, how it ends, who wins: black or white
CASES = (
    ("startpos", REPETITION, "resign", "repetition", "draw"),
    (CHECKS, "9i9a " + "4a4b 9a9b 4b4a 9b9a " * 3, "resign", "perpetual_check", "white"),
    ("startpos", "7g7f", "resign", "resignation", "black"),
    ("startpos", "7g7f", "7g7f", "illegal_move", "black"),
    ("startpos", "7g7f 3c3d", "none", "illegal_move", "white"),
    ("startpos", "7g7f", "hang", "time", "black"),
    ("startpos", "7g7f", "late", "time", "black"),
    ("startpos", "7g7f 3c3d", "die", "broken", "white"),
    ("startpos", "", "win", "wrong_declaration", "white"),
    (DECLARES, "", "win", "declaration", "black"),
    (MATES, "G*5b", "resign", "mate", "black"),
    ("startpos", "7g7f 3c3d 6g6f 4c4d", "resign", "max_plies", "draw"),
)
VERDICTS = (
    ("\ufeffstartpos", "play black"),
    ("startpos moves 7g7f", "play white"),
    ("startpos moves 7g7f 7g7f", 'illegal 2 "7g7f": white has no piece on 7g'),
    ("sfen " + DECLARES, "play black may-declare"),
    ("sfen " + MATES + " moves G*5b", "end black mate"),
    ("sfen " + CHECKS + " moves 9i9a " + "4a4b 9a9b 4b4a 9b9a " * 3, "end white perpetual_check"),
    ("startpos moves " + REPETITION, "end draw repetition"),
    ("sfen K7k/2+r6/1+r7/9/9/9/9/9/9 b - 1", "end white no_move"),
    ("list sfen 8k/9/9/9/9/9/9/9/K8 b - 1", "moves 9i8h 9i9h 9i8i"),
    ("fen x", "bad a game begins with startpos or sfen"),
    ("sfen x", "bad SFEN field 1"),
    ("startpos moves " + "x" * 20000, "bad the line is longer"),
)


def referee(binary):
    asked = "\n\n".join(game for game, _ in VERDICTS) + "\n"
    done = subprocess.run([binary, "referee"], input=asked, capture_output=True, encoding="utf-8", timeout=60)
    answers = done.stdout.splitlines()
    assert done.returncode == 0 and len(answers) == len(VERDICTS), done
    for (game, expected), answer in zip(VERDICTS, answers):
        same = sorted(answer.split()) == sorted(expected.split()) if answer.startswith("moves") else answer.startswith(expected)
        assert same, (game, answer, expected)
    for more, text in ((["x"], "standard input"), (["--x"], "not understood")):
        done = subprocess.run([binary, "referee", *more], capture_output=True, text=True, timeout=60)
        assert done.returncode == 2 and text in done.stderr, done


class Match:
    def __init__(self, binary, tool, folder):
        self.binary, self.tool, self.folder = binary, tool, folder

    def engine(self, name, moves, end):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(ENGINE.format(moves=moves, end=end, name=name))
        os.chmod(path, 0o755)
        return path

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        return path

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def play(self, *more, status=0):
        done = subprocess.run([sys.executable, self.tool, os.path.join(self.folder, "first"), "--against",
                               os.path.join(self.folder, "second"), "--referee", self.binary, "--out", "games", *more],
                              capture_output=True, text=True, timeout=120, cwd=self.folder)
        assert done.returncode == status, done
        return done.stdout + done.stderr


def endings(match):
    for opening, moves, end, reason, winner in CASES:
        for name in ("first", "second"):
            match.engine(name, moves, end)
        match.write("openings", "\ufeff" + opening)
        limit = ["--byoyomi", "200", "--margin", {"late": "50", "hang": "150"}.get(end, "10000")]
        reported = match.play("--games", "2", "--openings", "openings", "--max-plies", str(max(4, len(moves.split()))), *limit)
        result = "0 won, 2 drawn, 0 lost" if winner == "draw" else "1 won, 0 drawn, 1 lost"
        assert result in reported and f"  {reason}: " in reported, (opening, moves, end, reported)
        games = match.read("games").splitlines()
        assert len(games) == 2 and all(f"result {winner} by {reason}" in game for game in games), games
        assert "first black" in games[0] and "first white" in games[1], games


def settings(match):
    """What engines are sent, and that random openings are the seed's."""
    for name in ("first", "second"):
        match.engine(name, "", "resign")
    os.remove(os.path.join(match.folder, "words"))
    match.play("--games", "2", "--tc", "10+0.5", "--options", "Speed=3", "--hash", "32")
    words, first = match.read("words"), match.read("games")
    for expected in ("setoption name USI_Hash value 32", "setoption name USI_OwnBook value false", "setoption name Speed value 3",
                     "go btime 10000 wtime 10000 binc 500 winc 500", "gameover win", "gameover lose"):
        assert expected in words, (expected, words)
    assert words.count("Speed value 3") == 2 == words.count("USI_Hash value 32") / 2 and "Threads" not in words, words
    match.play("--games", "2", "--nodes", "5")
    assert "go nodes 5\n" in match.read("words") and match.read("games") == first
    match.play("--games", "2", "--nodes", "5", "--seed", "2", "--concurrency", "2")
    assert match.read("games") != first


def refusals(match):
    match.write("bad", "startpos moves 2h2b")
    for more, text in ((["--openings", "bad"], "2h2b"), (["--openings", "none-such"], "none-such"), (["--tc", "x"], "no clock"),
                       (["--games", "0"], "at least 1"), (["--referee", "/none-such"], "/none-such")):
        assert text in match.play(*more, status=2), more
    assert "there is no option Sped" in match.play("--options", "Sped=3", status=1)


def main(binary, tool):
    with tempfile.TemporaryDirectory() as folder:
        referee(binary)
        match = Match(binary, tool, folder)
        endings(match)
        settings(match)
        refusals(match)
    print(f"{len(VERDICTS)} verdicts and {len(CASES)} ways for a game to end are as they should be")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
