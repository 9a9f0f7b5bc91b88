# SPDX-License-Identifier: MIT
"""
tools/match against a program: which options each side gets, how the result is reported, and what is refused. The other engine and
the match runner are small scripts written here; nothing is played.

    match.py TABIA TOOL
"""

import os
import runpy
import subprocess
import sys
import tempfile

# A UCI engine. BY_NODES: one that keeps to a number of nodes; the other ends without a move.
ENGINE = """#!/usr/bin/env python3
import sys
for line in sys.stdin:
    if line == "uci\\n":
        print("id name Old Engine 1.0\\noption name Hash type spin default 1")
        print("option name OwnBook type check default true\\nuciok")
    elif line.startswith("go nodes"):
        if BY_NODES:
            print("bestmove e2e4")
        break
    sys.stdout.flush()
"""
RUNNER = """#!/usr/bin/env python3
import sys
open("words", "w").write("\\n".join(sys.argv[1:]))
print("Elo: 12.50 +/- 30.00, nElo: 20.00 +/- 40.00\\nGames: 2, Wins: 1, Losses: 0, Draws: 1, Points: 1.5 (75.00 %)")
"""


def script(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    os.chmod(path, 0o755)
    return path


def main(tabia, tool):
    with tempfile.TemporaryDirectory() as folder:
        engine = script(folder, "engine", ENGINE.replace("BY_NODES", "True"))
        endless = script(folder, "endless", ENGINE.replace("BY_NODES", "False"))
        silent = script(folder, "silent", "#!/bin/sh\nexit 0\n")
        book = script(folder, "book.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n")
        surroundings = dict(os.environ, FASTCHESS=script(folder, "runner", RUNNER))

        def match(against, *more):
            done = subprocess.run([sys.executable, tool, tabia, "--against", against, "--book", book, "--games", "2", *more],
                                  capture_output=True, text=True, cwd=folder, env=surroundings, timeout=120)
            return done.returncode, done.stdout, done.stderr

        status, reported, faults = match(engine, "--threads", "3", "--options", "SMPMode=split,MultiPV=2", "--against-options", "Old Style=on")
        result = "this against Old Engine 1.0, 10000 nodes a move: Elo 12.50 +- 30.00\n"
        assert status == 0 and reported.endswith(result), (reported, faults)
        with open(os.path.join(folder, "words"), encoding="ascii") as file:
            words = file.read().split("\n")
        first, second = words.index("-engine"), words.index("-engine", words.index("-engine") + 1)
        ours = {word for word in words[first:second] if word.startswith("option.")}
        others = {word for word in words[second:words.index("-each")] if word.startswith("option.")}
        assert ours == {"option.Hash=16", "option.Threads=3", "option.SMPMode=split", "option.MultiPV=2"}, ours
        assert others == {"option.Hash=16", "option.OwnBook=false", "option.Old Style=on"}, others
        assert "nodes=10000" in words

        # by the clock: a quarter of the games by nodes first, if the other engine keeps to them, and the load beside the games
        status, reported, faults = match(engine, "--tc", "1+0.01", "--games", "8")
        lines = reported.splitlines()
        assert status == 0 and len(lines) == 5, (reported, faults)
        assert lines[1] + "\n" == result and lines[2].startswith("load: of ") and lines[4] == result[:-1].replace("10000 nodes a move", "1+0.01"), lines
        for more in ([endless, "--tc", "1+0.01"], [engine, "--tc", "1+0.01", "--nodes", "0"]):
            status, reported, faults = match(*more, "--games", "8")
            assert status == 0 and len(reported.splitlines()) == 3, (reported, faults)
            assert ("all games need a clock" in faults) == (more[0] == endless), faults
        load = runpy.run_path(tool)["load"]
        quiet, disturbed, stolen = (load((5, 1, 2, 0), (15, 10, 11 + others, host), 2) for others, host in ((0.9, 0), (1.1, 0), (0, 1.1)))
        assert quiet == "load: of 2 processors the match had 0.90, other programs 0.09, the host 0.00", quiet
        assert disturbed.endswith("0.11, the host 0.00: the games by the clock are disturbed") and stolen.endswith("0.11: the games by the clock are disturbed")
        wrong = (endless, "does not end a search"), (silent, "no UCI engine"), (book + "x", "neither a commit")
        for refused, reason in wrong:
            status, reported, faults = match(refused)
            assert status == 2 and reason in faults and not reported, (status, reported, faults)
        status, reported, faults = match(engine, "--options", "SMPMode")
        assert status == 2 and "NAME=VALUE" in faults, faults


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
