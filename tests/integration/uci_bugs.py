# SPDX-License-Identifier: MIT
"""
What went wrong in other engines, asked of this one: each conversation names where it was seen. Nothing is timed but by the
hard time-out of every answer.

    uci_bugs.py TABIA
"""

import sys

from uci_engine import Engine


def silent(e):
    """Nothing is answered before it is asked for."""
    assert not any(line.startswith("bestmove") for line in e.ready())


def forgets_a_stop(e):
    """arasan-chess 21: a stop leaked into the next search; Patricia 15: a second stop crashed."""
    for _ in range(20):
        assert any(line.startswith("info depth 5 ") for line in e.ask("bestmove", "stop", "ponderhit", "position startpos", "go depth 5", "isready"))
        e.ask("bestmove", "go infinite", "stop", "stop", "stop", "ponderhit", "go depth 4")
        assert any(line.startswith("info depth 4 ") for line in e.until("bestmove"))
        e.send("ponderhit", "go ponder depth 1")
        silent(e)
        e.ask("bestmove", "stop", "stop")
        silent(e)


LONGEST = f"fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {0:0230} {1:0227}"


def plays_games_of_any_length(e):
    """More than 6,000 moves were not taken, and the answer was one for another position: the longer side's turn."""
    for start in ("startpos", LONGEST):
        for plies in (6001, 20001):
            e.send(f"position {start} moves {' '.join(('g1f3 g8f6 f3g1 f6g8 ' * plies).split()[:plies])}", "d", "go depth 2", "go movetime 1")
            lines = e.until("bestmove") + e.until("bestmove")
            assert any(line.startswith("Fen: rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b") for line in lines), lines
            assert not any(line.startswith("info string position: ") for line in lines), lines
            black = {line.split()[1] for line in lines if line.startswith("bestmove")}
            assert black <= set(moves_of(e, "startpos moves g1f3")), black


def reads_a_position_or_keeps_its_own(e):
    """A line that is no position is named, and the last one stands; so does the position before an illegal move."""
    for line, why in (("fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"), ("fen", ""), (LONGEST.replace("- 0", "- 00") + " moves e2e4", "more than 511 bytes"),
                      ("", "startpos or fen is missing"), ("moves e2e4", "")):
        lines = e.ask("Key:", "position startpos moves d2d4", f"position {line}", "d")
        assert any(x.startswith("info string position: ") and why in x and x.endswith("; the position stays as it was") for x in lines), (line, lines)
        assert any("/PPP1PPPP/" in x and x.startswith("Fen: ") for x in lines), lines
    lines = e.ask("Key:", "position startpos moves E2E4 e7e6 e7e5 d2d4", "d")
    assert "info string position: move 3, e7e5, is not legal (there is no piece on e7); it and all after it are left out" in lines, lines
    assert any(line.startswith("Fen: rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w") for line in lines), lines


def moves_of(e, position):
    e.send(f"position {position}", "go perft 1")
    return [line.split(":")[0] for line in e.until("Nodes searched") if ": 1" in line and not line.startswith("Nodes")]


def claims_no_false_mate(e):
    """Stockfish 2370, 2381, 2451 (a mate that needs more plies than the clock has), 2707 (a mate left in the table for a
    perpetual check), 925 (a move back to a position that was on the board once was taken for a draw)."""
    e.send("setoption name Hash value 8", "position fen 8/1p2KP2/1p4q1/1Pp5/2P5/N1Pp1k2/3P4/1N6 b - - 76 40", "go nodes 200000")
    assert not any("score mate" in line for line in e.until("bestmove"))
    e.ask("bestmove", "ucinewgame", "position fen 1q3rk1/2R3p1/5p2/5P1Q/3ppP1P/4n3/6PK/2R5 b - - 2 41", "go nodes 200000")
    e.send("position fen 1q3rk1/6R1/5p2/3n1P1Q/3ppP1P/8/6PK/2R5 b - - 0 42", "go depth 10")
    assert not any("score mate" in line for line in e.until("bestmove")[-3:])
    e.send("ucinewgame", "position fen 8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1 moves a1a2 a7a8 a2a1", "go depth 12 searchmoves a8a7")
    assert int(e.until("bestmove")[-2].split(" score cp ")[1].split()[0]) < -50
    e.send("setoption name Hash value 16", "ucinewgame")


def keeps_its_table(e):
    """RubiChess 486, Bit-Genie 190: a hash that cannot be had left a wrong size, or no engine. What was learnt stays."""
    position = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

    def nodes_to(depth):
        return int(e.ask("bestmove", position, f"go depth {depth}")[-2].split(" nodes ")[1].split()[0])

    e.send("ucinewgame")
    cold = nodes_to(8)
    e.send("ucinewgame")
    nodes_to(12)
    warm = nodes_to(8)
    assert 3 * warm < cold, (warm, cold)
    e.send("ucinewgame")
    nodes_to(12)
    for size in ("33554432", "33554433", "-1", "0", "many", ""):
        e.send(f"setoption name Hash value {size}")
        assert any("info string" in line for line in e.ready()), size
    assert nodes_to(8) == warm
    e.send("ucinewgame")
    assert nodes_to(8) == cold


def says_what_it_cannot(e):
    """No endgame tables: asked to use some, it says so and continues. Nor does it lose its network to a file that is none."""
    e.send("setoption name EvalFile value /nowhere")
    assert any("/nowhere" in line and "stays as it was" in line for line in e.ready())
    for name, value, none in (("SyzygyPath", "/nowhere", "<empty>"), ("syzygypath", "/nowhere", "<empty>"), ("UCI_AnalyseMode", "true", "false")):
        e.send(f"setoption name {name} value {value}")
        assert any("no effect" in line for line in e.ready()), name
        e.send(f"setoption name {name} value {none}")
        assert not any("info string" in line for line in e.ready()), name


def ends_by_a_limit_it_cannot_read(e):
    """It is the least of its kind, alone and with others, and the next keyword is no number."""
    bad = ("abc", "-1", "99999999999999999999", "1e6", "+5", "0x10", "1,000", "ff", "5x", ".5", "1.2.3")
    for name in ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes", "mate"):
        for limits, expected in [(f"{name} {x}", f"'{x}' is not a number from ") for x in bad] + [
                (f"{name} 0", "'0' is not a number from 1 to "), (name, "a number is missing, so "), (f"{name} nodes 2000", "a number is missing, so "),
                (f"searchmoves e2e4 {name} abc movetime 100", "'abc' is not a number from "), (f"nodes 2000 {name}", "a number is missing, so ")]:
            strings = [line for line in e.ask("bestmove", "position startpos", f"go {limits}") if line.startswith("info string go: ")]
            zero = limits.endswith(" 0") and name in ("wtime", "btime", "winc", "binc", "movestogo")
            assert strings == [] if zero else len(strings) == 1 and strings[0].startswith(f"info string go: {name}: {expected}"), (limits, strings)
    for limits in ("checkmate", "depht 5", "mate 2", "mate 3", "movestogo 40"):  # nor does a word that is none
        e.send("position startpos", f"go {limits}")
        assert any(line.startswith("info string go: what is") for line in e.until("bestmove")) == (limits[0] in "cd"), limits
    e.send("setoption name nodestime value 10")
    for limits in ("wtime 1 btime 1", "wtime 0", "btime 9"):
        e.ask("bestmove", f"go {limits}")
    e.send("setoption name nodestime value 0")


def reads_lines_with_any_blanks(e):
    """Tabs, carriage returns, NULs and a byte order mark part words; lines of nothing else are none."""
    for line in ("go depth 2", "\tgo\tdepth  2 ", "go depth 2\r", "go\0depth 2\0", "\0\0go depth\0002", "\ufeffgo depth 2"):
        lines = e.ask("bestmove", "", " \r", "\0", line)
        assert any(x.startswith("info depth 2 ") for x in lines) and not any("what is" in x or "unknown" in x for x in lines), (line, lines)
    e.ask("bestmove", "go infinite", "\0stop\0")


CONVERSATIONS = (forgets_a_stop, claims_no_false_mate, keeps_its_table, says_what_it_cannot, ends_by_a_limit_it_cannot_read,
                 plays_games_of_any_length, reads_lines_with_any_blanks, reads_a_position_or_keeps_its_own)


def main(binary):
    for talk in CONVERSATIONS:
        print(talk.__name__, flush=True)
        e = Engine(binary)
        talk(e)
        e.ready()
        e.end()


if __name__ == "__main__":
    main(sys.argv[1])
