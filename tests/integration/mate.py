#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Problems whose mates are known, solved on one thread and on two: each result is as it should be, and each length that is said to
be the shortest; on one thread all of them are, found with so many nodes on every processor. Bad lines are named, and cost no other
line.

mate.py TABIA TABIA_SHOGI
"""
import json
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

# Plies of the shortest mate by checks; None: there is none.
CHESS = (
    ("6k1/5ppp/8/8/8/8/8/KR5R w - - 0 1", 1),
    ("3r3k/6pp/8/6N1/2Q5/8/8/K7 w - - 0 1", 7),
    ("2Q5/8/2K5/8/8/5k2/8/8 w - - 0 1", None),  # king and queen: loops without end
    ("8/8/8/8/8/1k6/7R/K5R1 w - - 0 1", None),
    # The last plies before the 50-move rule: the sixth of the seven is a capture.
    ("3r3k/6pp/8/6N1/2Q5/8/8/K7 w - - 93 1", 7),
    ("3r3k/6pp/8/6N1/2Q5/8/8/K7 w - - 94 1", 7),
    ("3r3k/6pp/8/6N1/2Q5/8/8/K7 w - - 95 1", None),
    ("6k1/5ppp/8/8/8/8/8/KR5R w - - 99 1", 1),
    ("6k1/5ppp/8/8/8/8/8/KR5R w - - 100 1", None),
)
SHOGI = (
    ("4k4/9/9/9/3+PP4/9/9/9/9 b 4G2r2b4s4n4l16p 1", 9),
    ("8k/7p1/1r7/5bS2/7N1/9/9/9/9 b RSNLb4g2s2n3l17p 1", 7),
    ("5n1k1/5p3/5s1p1/8N/7P1/9/9/9/9 b R2Br4g3s2n4l15p 1", 13),
    ("3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1", 3),
    ("8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", None),
    ("R7g/2K1S1SSk/4B4/5B3/9/9/9/9/1L1L1L3 b P 3", 1),  # but not by the dropped pawn
    ("4k4/9/4P4/4r4/9/9/9/9/4K4 b GS 1", None),  # in check itself
    # With interpositions that change nothing, which are not counted: 15, 3, 5 and 7 plies.
    ("8k/8p/9/9/9/9/9/9/R6L1 b r2b4g4s4n3l17p 1", 1),
    ("5k3/4P1p1p/5S3/9/3R5/9/9/9/9 b Lr2b4g3s4n3l15p 1", 1),
    ("7s1/4G2kS/9/4P4/9/9/9/9/2R6 b Gr2b2g2s4n4l17p 1", 3),
    ("7k1/7g1/4SnGnP/1R7/9/9/9/9/9 b 2BGrg3s2n4l17p 1", 5),
)
CHESS_NODES, SHOGI_NODES = 53314, 9628  # of one thread; who changes the solver on purpose changes them as well


def solve(program, problems, *more):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "problems")
        path.write_text("\ufeff# known\n" + "".join(f"{position}\n" for position, _ in problems), encoding="utf-8")
        done = subprocess.run([program, "mate", str(path), "--json", "--quiet", "--hash", "64M", "--nodes", "5000000", *more],
                              check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["problems"]


def check(program, problems, threads, nodes):
    both = solve(program, problems * 2, "--threads", str(threads))
    found, again = both[:len(problems)], both[len(problems):]
    assert threads > 1 or [p["nodes"] for p in found] == [p["nodes"] for p in again], (found, again)  # each begins anew
    assert threads > 1 or sum(p["nodes"] for p in found) == nodes, (sum(p["nodes"] for p in found), nodes)
    for (position, plies), problem in zip(problems, found, strict=True):
        assert problem["result"] == ("none" if plies is None else "mate"), (position, problem)
        length = problem["plies"]
        assert problem["nodes"] and len(problem["moves"]) <= length and len(problem["moves"]) % 2 == length % 2, (position, problem)
        is_exact = problem["shortest"] or plies is None
        assert length == (plies or 0) if is_exact else length >= plies, (position, problem)
        assert is_exact or threads > 1 or " 94 " in position, (position, problem)  # how far two threads get with the same nodes varies


def bad_lines(program, problem):
    """A line that is no position is named, and costs no other line; one without an end can be stopped."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "problems")
        path.write_text(f"{problem}\0\n{problem}\n\0\n{problem} moves a1a2\n{'a' * 10000}\n{problem}")
        done = subprocess.run([program, "mate", str(path), "--hash", "1M"], capture_output=True, text=True)
        wrong = [line.removeprefix(f"{path}:") for line in done.stderr.splitlines()]
        assert wrong == ["1: a zero byte in the line", "3: a zero byte in the line", "4: moves after a position are not read",
                         "5: a line of more than 4094 characters"], done
        assert done.returncode == 2 and [line[:3] for line in done.stdout.splitlines()] == ["2: ", "6: ", "2 p"], done
    with subprocess.Popen([program, "mate", "-", "--hash", "1M"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, bufsize=0) as endless:
        endless.stdin.write(f"{problem}\n".encode())
        endless.stdout.read(2)  # the first problem is solved
        endless.send_signal(signal.SIGINT)
        try:
            assert endless.wait(30) == 130, endless.returncode
        finally:
            endless.kill()


# What Kifu for Windows and ShogiGUI write of the same moves.
KIF_PROBLEM = "l2gkg2l/2s3s2/p1nppp1pp/2p3p2/P4P1P1/4n3P/1PPPG1N2/1BKS2+s2/LN3+r3 w RBgl3p 1"
KIF = """\
#KIF version=2.0 encoding=UTF-8
後手の持駒：金　香　歩三\u3000
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香 ・ ・v金v玉v金 ・ ・v香|一
| ・ ・v銀 ・ ・ ・v銀 ・ ・|二
|v歩 ・v桂v歩v歩v歩 ・v歩v歩|三
| ・ ・v歩 ・ ・ ・v歩 ・ ・|四
| 歩 ・ ・ ・ ・ 歩 ・ 歩 ・|五
| ・ ・ ・ ・v桂 ・ ・ ・ 歩|六
| ・ 歩 歩 歩 金 ・ 桂 ・ ・|七
| ・ 角 玉 銀 ・ ・v全 ・ ・|八
| 香 桂 ・ ・ ・v龍 ・ ・ ・|九
+---------------------------+
先手の持駒：飛　角\u3000
後手番
先手：
後手：
手数----指手---------消費時間--
   1 ６八桂成(56) ( 0:00/00:00:00)
   2 同　玉(78)   ( 0:00/00:00:00)
   3 ５九銀打     ( 0:00/00:00:00)
   4 ６九玉(68)   ( 0:00/00:00:00)
   5 ６八金打     ( 0:00/00:00:00)
   6 詰み         ( 0:00/00:00:00)
まで5手で詰み
"""


def kif(program):
    """The solutions are read back move by move, the last of each being the attacker's; a file that is there stays as it is."""
    problems = ((KIF_PROBLEM, 5), *SHOGI)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "solutions.kifu")
        solved = [p for p in solve(program, problems, "--threads", "1", "--verify", "--kif", str(path)) if p["result"] == "mate"]
        assert path.read_bytes().startswith(KIF.encode()) and all(p["walk"]["result"] == "verified" for p in solved), path.read_text()
        moves = [move for p in solved for move in p["moves"]]
        done = subprocess.run([program, "data", "view", str(path), "--json", "--count", str(len(moves))], check=True, capture_output=True)
        records = json.loads(done.stdout)["records"]
        assert [r["move"] for r in records] == moves, records
        assert [r["result"] for r in records] == [1 - i % 2 * 2 for p in solved for i in range(len(p["moves"]))], records
        assert sum(r.get("starts_game", False) for r in records) == len(solved) == 10, records
        before = path.read_bytes()
        done = subprocess.run([program, "mate", __file__, "--kif", str(path)], capture_output=True, text=True)
        assert done.returncode == 2 and "exists already; name a new file" in done.stderr and path.read_bytes() == before, done


def main(tabia, tabia_shogi):
    for threads in (1, 2):
        check(tabia, CHESS, threads, CHESS_NODES)
        check(tabia_shogi, SHOGI, threads, SHOGI_NODES)
    bad_lines(tabia, CHESS[0][0])
    kif(tabia_shogi)
    print(f"{len(CHESS) + len(SHOGI)} problems are solved on one thread and on two")


if __name__ == "__main__":
    main(*sys.argv[1:])
