# SPDX-License-Identifier: MIT
"""
Conversations with the shogi engine over pipes, as clients hold them, and a game against itself that the referee follows.
Every answer must come within a hard time-out; none is timed.

    usi.py TABIA-SHOGI
"""

import subprocess
import sys

from uci_engine import TIMEOUT, Engine

GOLD_MATES = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
MATED = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2"
MAY_DECLARE = "1+R+B1K1+B+R1/PPPPPPP2/9/9/9/9/9/9/4k4 b P 1"
ONE_POINT_SHORT = "1+R+B1K1+B+R1/PPPPPPP2/9/9/9/9/9/9/4k4 b - 1"


def greets(e):
    lines = e.ask("usiok", "usi")
    names = [line.split(" type ")[0][len("option name "):] for line in lines if line.startswith("option name ")]
    for wanted in ("USI_Ponder", "Clear_Hash", "Evaluation", "EvalFile", "EvalDir"):
        assert wanted in names, f"no option {wanted}"
    for row in ("USI_Hash 16 1 33554432", "Threads 1 1 1024", "MultiPV 1 1 256", "Move_Overhead 10 0 10000", "USI_Elo 2400 1000 3200",
                "nodestime 0 0 100000", "FV_SCALE 16 1 128"):
        assert "option name {} type spin default {} min {} max {}".format(*row.split()) in lines, row
    assert not any(" " in name for name in names), names  # clients read a name up to a blank
    assert any(line.startswith("id name ") for line in lines)


def takes_options(e):
    e.send("setoption name USI_Hash value 32", "setoption name USI_Ponder value true", "setoption name MultiPV value 1",
           "setoption name Move_Overhead value 20", "setoption name Clear_Hash", "usinewgame")
    assert e.ready() == ["readyok"]
    e.send("setoption name USI_Ponder value false", "setoption name Hash value 16")
    assert any("there is no option 'Hash'" in line for line in e.ready())


def shows_the_position(e):
    sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"
    assert f"Sfen: {sfen}" in e.ask("Key: ", "position startpos moves 7g7f 3c3d", "d")
    e.send(f"position sfen {sfen} moves 8h2b+ 7g7f", "d")  # the second is not legal, and left out
    lines = e.until("Key: ")
    assert " 9 8 7 6 5 4 3 2 1" in lines and " . r . . . . .+B .  b" in lines, lines
    assert any("move 2, 7g7f, is not legal" in line for line in lines)
    assert any(line.startswith("Sfen: lnsgkgsnl/1r5+B1/") for line in lines), lines
    assert any(line.startswith("info string position: ") for line in e.ask("Nodes searched", "position sfen 9/9/9/9/9/9/9/9/9 b - 1", "go perft 1"))


def finds_mates(e):
    lines = e.ask("bestmove", f"position sfen {GOLD_MATES}", "go depth 3")
    assert lines[-1] == "bestmove G*5b" and any("score mate 1 " in line for line in lines), lines
    assert e.ask("checkmate", "go mate 60000")[-1] == "checkmate G*5b"
    for sfen, plies in ((GOLD_MATES, 1), ("4k4/9/9/4P4/9/9/9/9/4K4 b 2GS 1", 5), ("3gkg3/9/9/4N4/9/9/9/9/9 b GNR 1", 3)):
        moves = e.ask("checkmate", f"position sfen {sfen}", "go mate infinite")[-1].split()[1:]
        assert len(moves) == plies, (sfen, moves)
        e.send(f"position sfen {sfen} moves {' '.join(moves)}", "go depth 1")  # mate it is
        assert e.best() == "resign", (sfen, moves)
    quiet = "k8/9/2P6/9/9/9/9/9/4K4 b G 1"  # mated by quiet moves only: none of the kind, which is proven
    endless = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2G2S2N4P 1"
    for position, answer in ((f"position sfen {quiet}", "nomate"), (endless, "timeout")):
        for limits, named in (("mate 1", None), ("mate 20.5", None), ("mate", "mate: a number is missing, so 1 is taken"),
                              ("mate x", "mate: 'x' is not a number from 1 to "), ("mate btime 1000 wtime 1000", "mate: a number is missing"),
                              ("mate -1", "mate: '-1' is not"), ("mate 1 now", "what is 'now'?"), ("nodes 1000 mate infinite", None)):
            lines = e.ask("checkmate", position, f"go {limits}")
            strings = [line for line in lines if line.startswith("info string go: ")]
            assert lines[-1] == f"checkmate {answer}" and (strings[0].startswith(f"info string go: {named}") if named else not strings), (limits, lines)
    words = e.ask("info nodes ", endless, "go mate infinite")[-1].split()
    assert words[3::2] == ["nps", "hashfull", "time"] and int(words[-1]) >= 1000, words  # no report in the first second
    assert not any(line.startswith("checkmate") for line in e.ready())
    assert e.ask("checkmate", "stop")[-1] == "checkmate timeout"
    e.send("go depth 1")  # by all of the memory again
    assert e.best() and e.ready()
    for last in ("3b3c", "3b3a"):  # the check would bring a position for the fourth time: a draw. By 3b3a no move after it does
        for rounds, limits, answer in ((1, "", "5f5b 3b3a 4c4b+"), (2, "", "nomate"), (1, "depth 1", "timeout"), (1, "depth 3", "5f5b 3b3a 4c4b+"),
                                       (1, "searchmoves 5f5b", "5f5b 3b3a 4c4b+"), (1, "searchmoves 5f3f 5f5g", "timeout")):
            e.send(f"position sfen 9/4+R1k1+B/5P3/7p1/9/5N2G/9/9/4K4 w - 1 moves {'3b3c 5b5f 3c3b 5f5b ' * rounds}{last} 5b5f {last[2:]}3b",
                   f"go mate infinite {limits}")
            assert e.until("checkmate")[-1] == f"checkmate {answer}", (last, rounds, limits)
    # Where not all moves may be played at the root, no result is taken over from a board with other hands.
    e.send("position sfen 5n1k1/5p3/5s1p1/8N/7P1/9/9/9/9 b R2Br4g3s2n4l15p 1", "go mate infinite searchmoves B*3b")
    assert "score mate 13 nodes 1243 " in e.until("checkmate")[-2]
    e.send("go ponder mate infinite")
    assert e.ready() == ["readyok"]
    e.ask("checkmate", "ponderhit")
    e.send(endless, "go checkmate")  # no word of the protocol
    assert "info string go: what is 'checkmate'?" in e.until("bestmove")
    assert e.ask("checkmate", f"position sfen {MATED}", "go mate infinite")[-1] == "checkmate nomate"


def ends_games(e):
    e.send(f"position sfen {MATED}", "go depth 3")
    assert e.best() == "resign"
    e.send(f"position sfen {MAY_DECLARE}", "go btime 0 wtime 0 byoyomi 60000")
    assert e.best() == "win"
    e.send(f"position sfen {MAY_DECLARE.replace(' b ', ' w ')}", "go depth 3")  # whatever white does, black declares
    assert "score mate -2 " in e.until("bestmove")[-2]
    e.send(f"position sfen {ONE_POINT_SHORT}", "go depth 2")
    assert e.best() != "win"


def judges_the_fourth_occurrence(e):
    """A draw, or lost for who gave all the checks; asked of a table that knows the position from a shorter game."""
    even, bare = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "4k4/9/9/9/9/9/9/5R3/4K4 b G2S 1"
    four, checks = "2h3h 5a4b 3h2h 4b5a ", "4h5h 5a4a 5h4h 4a5a "
    for sfen, cycle, rest, holds in ((even, four, "2h3h 5a4b 3h2h", lambda cp, best: abs(cp) <= 50),
                                     (even, four, "2h3h 5a4b", lambda cp, best: cp > 150 and best != "3h2h"),
                                     (bare, checks, "4h5h 5a4a 5h4h", lambda cp, best: cp > 150 and best == "4a5a"),
                                     (bare, checks, "4h5h 5a4a", lambda cp, best: best != "5h4h")):
        for times in (1, 2):
            lines = e.ask("bestmove", f"position sfen {sfen} moves {cycle * times}{rest}", "go nodes 5000")
        score = [line.split(" score ")[1].split() for line in lines if " score " in line][-1]
        assert holds(int(score[1]) if score[0] == "cp" else 30000 * (1 if "-" not in score[1] else -1), lines[-1].split()[1]), lines[-2:]


def keeps_to_the_clock(e):
    """Every form of a clock has one answer."""
    e.send("position startpos")
    for limits in ("btime 0 wtime 0 byoyomi 50", "btime 100 wtime 100 byoyomi 20", "btime 50 wtime 50 binc 20 winc 20", "btime 1 wtime 1",
                   "nodes 200", "depth 1", "movetime 10", "depth 2 searchmoves 7g7f 2g2f", "byoyomi 1", "byoyomi 0", "btime 0 wtime 0 byoyomi 0"):
        lines = e.ask("bestmove", f"go {limits}")
        assert not any(line.startswith("info string go:") for line in lines), lines
        assert not any(line.startswith("bestmove") for line in e.ready())
    for limits, expected in (("byoyomi", "byoyomi: a number is missing, so 0 is taken"), ("btime 0 byoyomi x", "byoyomi: 'x' is not a number from 0 to "),
                         ("byoyomi btime 100", "byoyomi: a number is missing"), ("depth 0", "depth: '0' is not a number from 1 to ")):
        assert any(line.startswith("info string go: " + expected) for line in e.ask("bestmove", f"go {limits}")), limits


def searches_only_what_is_asked(e):
    """Drops and promotions, in capitals or not."""
    e.send("position sfen 4k4/9/9/9/9/6R2/9/9/4K4 b P 1")
    for move in ("P*5e", "3f3a+", "3f3a"):
        for spelled in (move, move.lower(), move.upper()):
            lines = e.ask("bestmove", f"go searchmoves 1a1b {spelled} depth 2")
            assert lines[-1].split()[1] == move and sum("'1a1b' is not a legal move" in line for line in lines) == 1, (spelled, lines)


def ends_with_the_game_behind_a_line_that_waits(e):
    e.send("position startpos", "go nodes 1000000000000", "usinewgame")
    assert not any(line.startswith("bestmove") for line in e.ready())
    e.ask("bestmove", "gameover draw")


def takes_times_at_ponderhit(e):
    """As ShogiHome sends them. Those of go would last for days, or there are none."""
    for before in ("", " btime 900000000 wtime 900000000", " btime 0 wtime 0 byoyomi 900000000", " movetime 900000000"):
        for times in ("btime 0 wtime 0 byoyomi 20", "wtime 1 byoyomi 20 btime 1", "btime 50 wtime 50 binc 10 winc 10", "byoyomi 1",
                      "btime 0 wtime 0 byoyomi 0", "btime x", "wtime 50 byoyomi", "byoyomi 20 depth 3", "btime 1 what wtime 1", "movetime 1"):
            e.send("position startpos", f"go ponder{before}")
            assert not any(line.startswith("bestmove") for line in e.ready())
            strings = [line for line in e.ask("bestmove", f"ponderhit {times}") if line.startswith("info string ponderhit: ")]
            expected = {"btime x": "btime: 'x' is not", "wtime 50 byoyomi": "byoyomi: a number is missing", "byoyomi 20 depth 3": "what is 'depth'?",
                        "btime 1 what wtime 1": "what is 'what'?"}.get(times)
            assert expected is None and not strings or strings[0].startswith("info string ponderhit: " + expected), (times, strings)
    e.send("ponderhit btime 1 wtime 1")  # and none without a search, or in one that does not ponder
    assert e.ready() == ["info string ponderhit: no search is pondering", "readyok"]
    e.send("go infinite", "ponderhit btime 1 wtime 1", "ponderhit")
    assert not any(line.startswith("bestmove") for line in e.ready())
    e.ask("bestmove", "stop")
    assert "info string ponderhit: what is 'bioyomi'?" in e.ask("bestmove", "go ponder", "ponderhit bioyomi 10")
    e.send("go ponder", "ponderhit", "position startpos")  # without any limit as `go` alone: until a stop, or a line that waits
    e.until("bestmove")


def plays_a_legal_game(e, binary):
    """The referee follows a game of the engine against itself, to its end or to a limit."""
    referee = Engine(binary, "referee")
    moves = []
    for _ in range(160):
        game = "startpos moves " + " ".join(moves) if moves else "startpos"
        referee.send(game)
        verdict = referee.lines.get(timeout=TIMEOUT)
        assert not verdict.startswith(("illegal", "bad")), (verdict, game)
        e.send(f"position {game}", "go nodes 400")
        move = e.best()
        if verdict.startswith("end"):
            assert move == "resign" or " repetition" in verdict or " perpetual_check" in verdict, (verdict, move)
            break
        assert (move == "win") == verdict.endswith("may-declare"), (verdict, move)
        if move == "win":
            break
        assert move != "resign", game
        moves.append(move)
    referee.process.stdin.close()
    assert referee.process.wait(TIMEOUT) == 0
    return len(moves)


def main():
    binary = sys.argv[1]
    e = Engine(binary)
    for part in (greets, takes_options, shows_the_position, finds_mates, ends_games, judges_the_fourth_occurrence, keeps_to_the_clock,
                 searches_only_what_is_asked, ends_with_the_game_behind_a_line_that_waits, takes_times_at_ponderhit):
        part(e)
    plies = plays_a_legal_game(e, binary)
    e.end()
    openings = subprocess.run([binary, "genfens 2 seed 3 book None"], capture_output=True, text=True, timeout=60, check=True).stdout
    assert openings.count("info string genfens ") == 2, openings
    lines = subprocess.run([binary, "go", "depth", "3"], capture_output=True, text=True, timeout=60, check=True).stdout
    assert "bestmove " in lines
    print(f"usi: all conversations held; a game of {plies} plies is legal")


if __name__ == "__main__":
    main()
