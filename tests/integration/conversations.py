#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Conversations with an engine that a grammar makes from a seed: lines that are right and wrong, positions without a move, searches
with and without an end, quit and the end of input at any moment. What must hold of each: every go is answered once, in order, and not
before it may end; what is shown is legal by the reference, which shares no code with the engine; each isready is answered; the
program ends with status 0, and writes nothing on standard error.

    conversations.py TABIA REFERENCE_LIBRARY COUNT SEED

With WHOLE_TESTS=1 forty times as many. COUNT 1 with the seed that a failure names makes it again.
"""
import ctypes
import os
import random
import re
import subprocess
import sys

from uci_engine import Engine

TIMEOUT = 300.0
MOVES_ROOM = 6 * 1024


class Chess:
    """Boards of the reference, and moves as the engine writes them."""
    hello, new_game, word, over, no_move, clear, hash = "uci", "ucinewgame", "fen", None, "(none)", "Clear Hash", "Hash"
    times = ("wtime", "btime", "winc", "binc")
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    roots = ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
             "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "8/8/8/4k3/8/8/3K4/8 w - - 0 1", "7k/8/6K1/8/8/8/8/R7 w - - 99 100",
             "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "r1k4r/pppppppp/8/8/8/8/PPPPPPPP/R1K4R w HAha - 0 1",
             "8/P6k/8/8/8/8/7p/K7 w - - 0 1", "6k1/5ppp/8/8/8/8/8/K2R3R w - - 0 1", "8/8/8/4k3/8/8/3K3R/8 w - - 100 120",
             "8/8/8/1p4k1/1Pp3p1/2P3P1/3K4/8 w - - 94 80",
             "7k/8/8/8/8/8/r7/K7 w - - 0 1", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "4k3/8/8/8/8/8/8/RK5R w HA - 0 1")
    no_roots = ("8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", "x y z", "", "////// w KQkq - - -")
    options = (("MultiPV", "1 2 4"), ("UCI_Chess960", "true false"), ("UCI_ShowWDL", "true false"), ("UCI_LimitStrength", "true false"),
               ("UCI_Elo", "1000 2000 3200"), ("PathKey", "off fifty-count last-3"), ("Move Overhead", "0 10"))

    def __init__(self, library):
        self.library = library

    def board(self, fen):
        b = ctypes.create_string_buffer(512)
        return b if self.library.reference_read(b, fen.encode()) else None

    def moves(self, b, chess960):
        """{as the engine writes it: as the reference does}; castling is e1h1 there."""
        room = ctypes.create_string_buffer(MOVES_ROOM)
        found = {}
        for i in range(self.library.reference_moves(b, room)):
            text = room.raw[6 * i:6 * i + 6].split(b"\0")[0].decode()
            at, to = (b.raw[ord(text[j]) - 97 + 8 * (int(text[j + 1]) - 1)] for j in (0, 2))
            short = {"h": "g", "a": "c"}.get(text[2])
            castles = chr(at) + chr(to) in ("KR", "kr") and text[0] == "e" and short and not chess960
            found[text[:2] + short + text[3] if castles else text] = text
        return found

    def after(self, b, move):
        next_board = ctypes.create_string_buffer(512)
        assert self.library.reference_make_move(b, move.encode(), next_board)
        return next_board

    def wins(self, b):
        return False


class ShogiBoard(ctypes.Structure):
    _fields_ = [("piece", ctypes.c_char * 81), ("promoted", ctypes.c_bool * 81), ("hand", ctypes.c_int * 14), ("white", ctypes.c_bool)]


class Shogi:
    hello, new_game, word, over, no_move, clear, hash = "usi", "usinewgame", "sfen", "gameover draw", "resign", "Clear_Hash", "USI_Hash"
    times = ("btime", "wtime", "binc", "winc", "byoyomi")
    start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
    roots = ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
             "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2", "1+R+B1K1+B+R1/PPPPPPP2/9/9/9/9/9/9/4k4 b P 1", "1+R+B1K1+B+R1/PPPPPPP2/9/9/9/9/9/9/4k4 b - 1",
             "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", "7nk/7np/9/9/9/9/9/9/4K4 b N 1", "9/9/4k4/9/6N2/9/9/9/9 b 2GRB 1",
             "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124", "4k4/9/9/9/9/9/9/9/4K4 b 2G2S2N4P 1")
    no_roots = ("9/9/9/9/9/9/9/9/9 b - 1", "4k4/9/9/9/9/9/9/9/4K4 x - 1", "x y", "", "PP2k4/P8/9/9/9/9/9/9/4K4 b - 1", "9/9/5k3/9/6N2/9/9/9/9 b 2GRB 1",
                "//////// b 3G9P - - -")
    options = (("MultiPV", "1 2 4"), ("USI_ShowWDL", "true false"), ("USI_LimitStrength", "true false"), ("USI_Elo", "1000 2000 3200"),
               ("Move_Overhead", "0 10"), ("Evaluation", "material network x"))

    def __init__(self, library):
        self.library = library
        library.shogi_reference_after.restype = ShogiBoard

    def board(self, sfen):
        b = ShogiBoard()
        return b if self.library.shogi_reference_read(ctypes.byref(b), sfen.encode()) else None

    def moves(self, b, _):
        room = ctypes.create_string_buffer(MOVES_ROOM)
        n = self.library.shogi_reference_moves(ctypes.byref(b), room)
        texts = [room.raw[6 * i:6 * i + 6].split(b"\0")[0].decode() for i in range(n)]
        return dict(zip(texts, texts))

    def after(self, b, move):
        return self.library.shogi_reference_after(ctypes.byref(b), move.encode())

    def wins(self, b):
        """By declaration: the king in the camp and not in check, ten more pieces there, 28 points or, for white, 27."""
        pieces, white = ctypes.string_at(ctypes.addressof(b), 81).decode(), b.white
        camp = [p.upper() for p in (pieces[54:] if white else pieces[:27]) if p != "." and p.islower() == white]
        points = sum(5 if p in "BR" else 1 for p in camp if p != "K") + sum((1, 1, 1, 1, 1, 5, 5)[i] * b.hand[7 * white + i] for i in range(7))
        return "K" in camp and len(camp) > 10 and points >= 28 - white and not self.library.shogi_reference_in_check(ctypes.byref(b), white)

    def mated(self, b):
        """An interposition is left out where its capture is mate as well."""
        replies = [(reply[2:4], self.after(b, reply)) for reply in self.moves(b, False)]
        return self.library.shogi_reference_in_check(ctypes.byref(b), b.white) and all(
            any(move[2:4] == to and self.mated(self.after(board, move)) for move in self.moves(board, False)) for to, board in replies)


class Go:
    """A go that is to be answered: where, by which moves, and whether it may have ended."""

    def __init__(self, board, allowed, chess960, kind, may_end):
        self.board, self.allowed, self.chess960, self.kind, self.may_end = board, allowed, chess960, kind, may_end
        self.scored = self.stopped = False


class Conversation:
    INFO = re.compile(r"info depth (\d+)( seldepth \d+)?( multipv \d+)? score (cp|mate) -?\d+( lowerbound| upperbound)?( wdl \d+ \d+ \d+)? nodes \d+ "
                      r"nps \d+ hashfull (\d+) time \d+( pv( \S+)+)?$")
    OTHERS = re.compile(r"info depth \d+ currmove \S+ currmovenumber \d+$|info nodes \d+ nps \d+ hashfull \d+ time \d+$|info string \S|"
                        r"[a-i1-9A-Z*+]{4,5}[qrn]?: \d+$|$")

    def __init__(self, binary, game, seed):
        self.game, self.random, self.seed = game, random.Random(seed), seed
        self.engine = Engine(binary, stderr=subprocess.PIPE)
        self.talk, self.due, self.ready, self.shown = [], [], 0, False
        self.chess960, self.board, self.ponders, self.weak = False, game.board(game.start), None, False

    # ---- what it says ----

    def check(self, good, why):
        if not good:
            self.engine.process.kill()
            print("\n".join(self.talk[-400:]))
            sys.exit(f"seed {self.seed}: {why}")

    def play(self, words, go):
        board = go.board
        for move in words:
            found = self.game.moves(board, go.chess960)
            self.check(move in found, f"{move} is not legal there")
            board = self.game.after(board, found[move])
        return board

    def answer(self, kind):
        go = self.due.pop(0) if self.due else None
        self.check(go and go.kind == kind and go.may_end, "an answer before its time, or to nothing")
        return go

    def best(self, words):
        go = self.answer("best")
        wins = self.game.wins(go.board)
        if wins or not go.allowed:
            self.check(words == ["win" if wins else self.game.no_move], "a move where there is none")
        else:
            self.check(words[0] in go.allowed and (len(words) == 1 or len(words) == 3 and words[1] == "ponder"), "not what was asked for")
            self.play(words[::2], go)
        self.check(go.scored, "no score before it")

    def mate(self, words):
        go = self.answer("mate")
        self.check(words in (["nomate"], ["timeout"]) or words[0] in go.allowed and self.game.mated(self.play(words, go)), "no mate")

    def info(self, found, words):
        go = self.due[0] if self.due else None
        self.check(go and go.kind != "count", "info of no search")
        go.scored = True
        wdl = [int(n) for n in (found[6] or " wdl 1000").split()[1:]]
        self.check(bool(go.allowed) <= int(found[1]) < 256 and int(found[7]) <= 1000 and sum(wdl) == 1000, "a number out of range")
        self.play(words[words.index("pv") + 1:] if "pv" in words else (), go)

    def receive(self, line):
        self.talk.append("< " + line)
        words = line.split()
        found = self.INFO.match(line)
        if line == "readyok":
            self.ready -= 1
        elif words[:1] == ["bestmove"]:
            self.best(words[1:])
        elif words[:1] == ["checkmate"]:
            self.mate(words[1:])
        elif found:
            self.info(found, words)
        elif words[:2] == ["Nodes", "searched:"]:
            self.check(int(words[2]) == len(self.answer("count").allowed), "another number of moves")
        elif line.startswith("info string go perft: stopped after "):
            self.check(self.answer("count").stopped, "not asked to stop")
        else:
            self.check(self.OTHERS.match(line) or self.shown, "what is that?")

    def receive_until(self, done):
        while not done() and (line := self.engine.lines.get(timeout=TIMEOUT)) is not None:
            self.receive(line)

    # ---- what it is asked ----

    def send(self, line):
        self.talk.append("> " + line)
        self.engine.send(line)

    def end_searches(self, stops=False):
        """What is sent next ends those that run."""
        for go in self.due:
            go.may_end, go.stopped = True, go.stopped or stops
        self.ponders = None

    def pick(self, *of):
        return self.random.choice(of)

    def wait_line(self, line):
        """One that waits for a search with an end, and ends one without."""
        self.end_searches()
        self.send(line)

    def position(self):
        game, words = self.game, []
        root = game.start if self.random.random() < 0.3 else self.pick(*game.roots)
        text = "startpos" if root == game.start else f"{game.word} {root}"
        board = game.board(root)
        for _ in range(self.pick(0, 0, 0, 1, 7, 40)):
            moves = game.moves(board, self.chess960)
            if not moves:
                break
            text_of_move = self.pick(*moves)
            words.append(self.pick(text_of_move, text_of_move, text_of_move, text_of_move.upper(), moves[text_of_move]))
            board = game.after(board, moves[text_of_move])
        if self.random.random() < 0.15:
            words += [self.pick("0000", "e2e5x", "K*5e", "xyzzy", "a1a1"), *words]
        if self.random.random() < 0.15:  # it stays where it was
            self.wait_line(f"position {self.pick(game.word + ' ' + self.pick(*game.no_roots), '', 'moves', 'xyzzy')}")
        else:
            self.board = board
            self.wait_line(f"position {text}{' moves ' if words or self.random.random() < 0.1 else ''}{' '.join(words)}")

    def ask(self, line, allowed, kind="best", may_end=True):
        self.end_searches()
        self.due.append(Go(self.board, allowed, self.chess960 and kind != "count", kind, may_end))
        self.send(line)

    def go(self):
        game, r = self.game, self.random
        legal = allowed = list(game.moves(self.board, self.chess960))
        number = self.pick("1", "2", "3", "0", "-1", "x", "")
        limit = self.pick(f"depth {number}", f"nodes {self.pick('1', '300', '3000', number)}", f"movetime {self.pick('1', '20', number)}", "xyzzy",
                          " ".join(f"{name} {self.pick('1', '0', '50', '300', 'x')}" for name in r.sample(game.times, r.randint(1, len(game.times)))))
        endless = self.pick("infinite", "", "ponder", f"infinite {limit}", f"ponder {limit}", f"{limit} ponder")
        long = self.pick("depth 100", "nodes 1000000000000", "movetime 900000", "mate 3")
        words = self.pick(limit, limit, endless, long)
        line = f"go {words}"
        if r.random() < 0.2:
            named = [self.pick("e2e5x", "xyzzy", *legal) for _ in range(r.randint(0, 3))]
            allowed = [move for move in named if move in legal] or legal
            line += f" searchmoves {' '.join(named)}"
        self.ask(line, allowed, "mate" if game.over and words == "mate 3" else "best",
                 words != endless or not words and self.weak)  # a limited strength is a limit of nodes
        self.ponders = self.due[-1] if "ponder" in words else None
        if words == endless and r.random() < 0.5:
            self.sync()

    def count(self):
        self.ask("go perft 1", self.game.moves(self.board, False), "count")

    def ponderhit(self):
        if self.ponders:
            self.ponders.may_end = True
        self.send(f"ponderhit {self.pick('', '', 'btime 20 wtime 20', 'xyzzy', 'btime x')}")

    def option(self):
        name, values = self.pick((self.game.hash, "1 2 8"), ("Threads", "1 2 3"), ("Replacement", "always depth-and-age"), ("SMPMode", "split lazy"),
                                 ("nodestime", "0 1 10"), *self.game.options)
        value = self.pick(*values.split())
        if self.random.random() < 0.15:
            value = self.pick("-1", "x", "", "99999999999999999999")
        elif name == "UCI_Chess960":
            self.chess960 = value == "true"
        elif name.endswith("LimitStrength"):
            self.weak = value == "true"
        self.wait_line(f"setoption name {self.pick(name, name.lower(), name.upper()) if self.random.random() < 0.3 else name} value {value}")

    def stop(self):
        self.end_searches(True)
        self.send(self.pick("stop", "stop", self.game.over or "stop"))

    def sync(self):
        self.ready += 1
        self.send("isready")
        self.receive_until(lambda: self.ready <= 0)
        self.check(not self.ready, "as many readyok as isready are due")

    def other(self):
        line = self.pick("d", "eval", "help", self.game.hello, self.game.new_game, f"setoption name {self.game.clear}", "setoption", "setoption name",
                         "xyzzy", "", "\t", "debug on", "register later", "setoption name Nothing value 1")
        self.shown |= line in ("d", "eval", "help", self.game.hello)
        if line.strip() and line.split()[0] not in (self.game.hello, "debug", "register"):
            self.end_searches()
        self.send(line)

    def hold(self):
        for _ in range(self.random.randint(1, 30)):
            step = self.pick(self.position, self.position, self.go, self.go, self.go, self.count, self.ponderhit, self.option, self.stop, self.sync,
                             self.sync, self.other)
            step()
        how = self.pick("quit", "quit", "stop", "input")
        if how == "stop" or how == "input" and self.due:
            self.stop()
        self.end_searches(how == "quit")
        self.receive_until(lambda: how != "stop" or not self.due)
        if how != "input":
            self.send("quit")
        self.engine.process.stdin.close()
        self.receive_until(lambda: False)
        errors, status = self.engine.process.stderr.read(), self.engine.process.wait(TIMEOUT)
        self.check(not (status or errors or self.due or self.ready),
                   f"ended by {how} with status {status}, {len(self.due)} go and {self.ready} isready not answered: {errors}")


def main(binary, library, count, seed):
    rules = ctypes.CDLL(library)
    game = (Shogi if "shogi" in os.path.basename(binary) else Chess)(rules)
    count = int(count) * (40 if "WHOLE_TESTS" in os.environ else 1)
    goes = 0
    for i in range(count):
        conversation = Conversation(binary, game, int(seed) + i)
        conversation.hold()
        goes += sum(line.startswith("> go") for line in conversation.talk)
    print(f"{count} conversations with {goes} go: all answered")


if __name__ == "__main__":
    main(*sys.argv[1:])
