#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
The engine in the hands of the programs that people use it with: python-chess, cutechess-cli, fastchess, and xboard through
polyglot. Each plays whole games with it; python-chess analyses too. A program is found in PATH, or given by path; nothing is
fetched, and what is not there is named and left out. Without any it is skipped.

    guis.py TABIA [--python-chess FOLDER] [--cutechess PROGRAM] [--fastchess PROGRAM]

FOLDER is a clone of python-chess. Whatever a program says of the engine beside the course of the games (a warning, a move it calls
illegal, an engine that it had to end) is a fault. Lost on time is none: the machine may be busy.
"""
import argparse
import importlib.util
import logging
import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
TIMEOUT = 300
FAULTS = re.compile(r"warning|illegal|invalid|unknown|disconnect|stall|crash(?!ed: 0)|fatal|terminated|malformed", re.IGNORECASE)
START_960 = 333


def programs(found, names):
    for folder in [*os.environ["PATH"].split(os.pathsep), "/usr/games"]:
        for name in names:
            path = os.path.join(folder, name)
            if os.access(path, os.X_OK):
                found.setdefault(name, path)
    return found


def played(name, command, folder, wanted):
    """Runs a match; its output has what is wanted and nothing that tells of a fault."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=TIMEOUT, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    said = done.stdout + done.stderr
    faults = [line for line in said.splitlines() if FAULTS.search(line) and "opening" not in line]  # that no book is used
    assert done.returncode == 0 and not faults and re.search(wanted, said), f"{name}: status {done.returncode}\n{faults}\n{said[-2000:]}"


def cutechess(program, tabia, folder):
    each = ["-each", "proto=uci", "tc=2+0.05", "timemargin=2000", "option.Hash=8", "-games", "2", "-rounds", "1"]
    sides = ["-engine", "name=a", f"cmd={tabia}", "ponder", "-engine", "name=b", f"cmd={tabia}", "restart=on"]
    for variant in ("standard", "fischerandom"):
        played("cutechess-cli", [program, "-variant", variant, *sides, *each], folder, "Finished game 2.*\n(.*\n)*Finished match")


def fastchess(program, tabia, folder):
    played("fastchess", [program, "--compliance", tabia], folder, "passed all compliance checks")
    sides = ["-engine", f"cmd={tabia}", "name=a", "-engine", f"cmd={tabia}", "name=b", "restart=on"]
    each = ["-each", "proto=uci", "tc=1+0.02", "timemargin=2000", "option.Hash=8", "-rounds", "1", "-games", "2"]
    played("fastchess", [program, *sides, *each], folder, "Games: 2,")


def xboard(program, tabia, folder):
    """One game, each side behind a polyglot of its own; xboard judges it and writes it."""
    with open(os.path.join(folder, "tabia.ini"), "w", encoding="ascii") as file:
        file.write(f"[PolyGlot]\nEngineDir = {folder}\nEngineCommand = {tabia}\nLog = false\n[Engine]\nHash = 8\n")
    side = f"{program['polyglot']} tabia.ini"
    command = [program["xvfb-run"], "-a", program["xboard"], "-fcp", side, "-scp", side, "-fd", folder, "-sd", folder, "-mg", "1", "-tc", "0:10",
               "-inc", "0", "-sgf", "game.pgn", "-popupExitMessage", "false", "-popupMoveErrors", "false"]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, timeout=TIMEOUT, check=True)
    with open(os.path.join(folder, "game.pgn"), encoding="ascii") as file:
        game = file.read()
    assert re.search(r"\b6\. ", game) and re.search(r'\[Result "(1-0|0-1|1/2-1/2)"\]', game), game
    assert not FAULTS.search(game), game


def whole_game(chess, engine, board, limit, **more):
    while not board.is_game_over() and not board.can_claim_fifty_moves() and not board.is_repetition():
        board.push(engine.play(board, limit, **more).move)  # refuses a move that is not legal
    assert len(board.move_stack) > 10, board.fen()


def python_chess(folder, tabia):
    """Games with nodes, with a clock and pondering, and of Chess960; lines; options, and one that is refused."""
    sys.path.insert(0, folder)
    chess = importlib.import_module("chess")
    engines = importlib.import_module("chess.engine")
    said = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: said.append(record.getMessage())
    logging.getLogger().addHandler(handler)
    with engines.SimpleEngine.popen_uci(tabia) as engine:
        engine.configure({"Hash": 8, "Threads": 2})
        whole_game(chess, engine, chess.Board(), engines.Limit(nodes=1000))
        clock = engines.Limit(white_clock=2, black_clock=2, white_inc=0.02, black_inc=0.02)
        whole_game(chess, engine, chess.Board(), clock, ponder=True)
        whole_game(chess, engine, chess.Board.from_chess960_pos(START_960), engines.Limit(nodes=1000))
        lines = engine.analyse(chess.Board(), engines.Limit(depth=6), multipv=4)
        assert len({line["pv"][0] for line in lines}) == 4 and all("score" in line for line in lines), lines
        mate = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"), engines.Limit(mate=1))
        assert mate["score"].white() == engines.Mate(1) and mate["pv"] == [chess.Move.from_uci("a1a8")], mate
        try:
            engine.configure({"Hash": 10 ** 9})
            raise AssertionError("a table of a million GiB was accepted")
        except engines.EngineError:
            pass
    assert not said, said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tabia", type=os.path.abspath)
    for name in ("python-chess", "cutechess", "fastchess"):
        parser.add_argument("--" + name, type=os.path.abspath)
    o = parser.parse_args()
    given = {"cutechess-cli": o.cutechess, "fastchess": o.fastchess}
    found = programs({k: v for k, v in given.items() if v}, ("cutechess-cli", "fastchess", "xboard", "polyglot", "xvfb-run"))
    folder = o.python_chess or ("" if importlib.util.find_spec("chess") else None)
    sides = {"python-chess": folder is not None and (lambda _: python_chess(folder, o.tabia)),
             "cutechess-cli": "cutechess-cli" in found and (lambda at: cutechess(found["cutechess-cli"], o.tabia, at)),
             "fastchess": "fastchess" in found and (lambda at: fastchess(found["fastchess"], o.tabia, at)),
             "xboard": {"xboard", "polyglot", "xvfb-run"} <= set(found) and (lambda at: xboard(found, o.tabia, at))}
    for name, play in sides.items():
        if play:
            with tempfile.TemporaryDirectory() as at:
                play(at)
        print(f"{name}: {'played' if play else 'not here'}")
    sys.exit(0 if any(sides.values()) else SKIPPED)


if __name__ == "__main__":
    main()
