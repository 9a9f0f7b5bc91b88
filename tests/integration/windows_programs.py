# SPDX-License-Identifier: MIT
"""
tabia.exe, tabia-shogi.exe and the page under wine, in a folder with a blank and Japanese letters in its name: what they print, and each byte that
they write, is what the programs of this system print and write.

    windows_programs.py ROOT FOLDER WINE_FOLDER      FOLDER: with the programs of this system; wine keeps its files in the other
"""
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

import serve
from installed import check, skip
from serve_client import Server

ROOT, HERE, PREFIX = (os.path.abspath(word) for word in sys.argv[1:])
WINDOWS = os.path.join(ROOT, "build-windows")
WINE = {"WINEPREFIX": PREFIX, "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml=", "PATH": os.environ["PATH"] + ":/usr/lib/wine"}
GENSFEN = "gensfen --positions 2000 --seed 7 --nodes 500 --threads 2 --quiet --out"
# What no two runs have in common: times, and how large the pages are.
TAKES_TIME = re.compile(r"^(time |info string Hash).*|.*( seconds|nps)$|(nps|hashfull|time) \d+|[\d.]+ (s\b|[kM]?/s)", re.M)


def command(system, program, line):
    words = [os.path.join(WINDOWS, program + ".exe")] if system == "windows" else [os.path.join(HERE, program)]
    return [*(["wine64"] if system == "windows" else []), *words, *line.split(" ")]


def run(system, program, line, folder, text="", more=()):
    for _ in range(3):
        done = subprocess.run([*command(system, program, line), *more], input=text.encode(), capture_output=True,
                              cwd=os.path.join(folder, system), timeout=200, check=False)
        if not done.stderr.startswith(b"wine client error") and (done.returncode != 1 or done.stdout or done.stderr):
            break  # else wine's server ended just as this began, or wine failed in silence, which no program of ours does
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def same(program, line, folder, text="", files=()):
    """Both systems print the same, but for times, and write the same files."""
    here, there = (run(system, program, line, folder, text) for system in ("linux", "windows"))
    check(here[0] == there[0], f"{program} {line}: status {there}")
    shown = [TAKES_TIME.sub("", out) for _, out, _ in (here, there)]
    check(shown[0] == shown[1], f"{program} {line}:\n{shown[0][-1500:]}\nby Windows:\n{shown[1][-1500:]}{there[2]}")
    for name in files:
        read = [open(os.path.join(folder, system, name), "rb").read() for system in ("linux", "windows")]
        check(read[0] == read[1] and read[0], f"{program} {line}: {name} differs, {len(read[0])} and {len(read[1])} bytes")


def data(folder):
    same("tabia", f"{GENSFEN} games.viri", folder, files=["games.viri", "games.viri.sums"])
    same("tabia", "data convert games.viri --out 棋譜.binpack", folder, files=["棋譜.binpack"])
    same("tabia", "data shuffle games.viri --out mixed.bin --seed 3 --memory 1M", folder, files=["mixed.bin"])
    same("tabia", "data dedupe mixed.bin --out once.bin", folder, files=["once.bin"])
    same("tabia", "data stats once.bin", folder)
    same("tabia", "data verify games.viri", folder)
    same("tabia", "data view 棋譜.binpack --count 3", folder)
    same("tabia", "data stats ない.bin", folder)
    same("tabia", "train mixed.bin --out net.bin --epochs 1 --batch 256 --threads 1 --quiet", folder)
    same("tabia-shogi", f"{GENSFEN} games.psv", folder, files=["games.psv"])
    same("tabia-shogi", "data convert games.psv --out games.hcpe", folder, files=["games.hcpe"])


def talk(program, folder):
    """A search to a depth, whose end is waited for."""
    protocol, said = "usi" if "shogi" in program else "uci", []
    for system in ("linux", "windows"):
        engine = subprocess.Popen(command(system, program, protocol), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder, encoding="utf-8")
        engine.stdin.write(f"{protocol}\nisready\nposition startpos\ngo depth 8\n")
        engine.stdin.flush()
        lines = []
        while not lines or not lines[-1].startswith("bestmove"):
            lines.append(engine.stdout.readline())
            check(lines[-1], f"{system} {protocol}: {lines}")
        engine.communicate("quit\n", timeout=60)
        said.append(TAKES_TIME.sub("", "".join(lines)))
    check(said[0] == said[1], f"{protocol}: {said}")


def stops(folder):
    """Ctrl-C ends a count, which says so."""
    count = subprocess.Popen(command("windows", "tabia", "perft 12 --hash 16M --progress 1"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder)
    count.stderr.readline()  # it counts
    count.send_signal(signal.SIGINT)
    out, err = count.communicate(timeout=60)
    check(b"stopping" in err, f"Ctrl-C: {count.returncode} {out!r} {err!r}")


def compares(folder):
    """Another program over pipes: one that counts, one that answers something else, and none."""
    there = os.path.join(WINDOWS, "tabia.exe").replace("/", "\\")
    for program, status, words in ((there, 0, "no difference"), ("cmd.exe /c echo", 3, "perftree"), ("nowhere.exe", 3, "no program")):
        code, out, err = run("windows", "tabia", "perft 3 --timeout 5 --against", folder, more=[program])
        check(code == status and words in out + err, f"--against {program}: {code} {out} {err}")


def script(folder, program):
    """The program under wine, as a command of this system."""
    path = os.path.join(folder, "windows", program)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec wine64 {WINDOWS}/{program}.exe "$@"\n')
    os.chmod(path, 0o755)
    return path


def game_of(system, folder):
    """The moves of tabia against itself, at most 120."""
    engines = [subprocess.Popen(command(system, "tabia", "uci"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder) for _ in range(2)]
    moves = []
    while len(moves) < 120 and "(none)" not in moves:
        engine, line = engines[len(moves) % 2], ""
        engine.stdin.write(f"position startpos moves {' '.join(moves)}\ngo nodes 500\n")
        engine.stdin.flush()
        while not line.startswith("bestmove"):
            line = engine.stdout.readline()
            check(line, f"{system}: no answer after {moves}")
        moves.append(line.split()[1])
    for engine in engines:
        engine.communicate("quit\n", timeout=60)
    return moves


def plays(folder):
    """A game of chess is that of this system; of two games of shogi by tools/usi_match, each ends by the rules."""
    games = [game_of(system, folder) for system in ("linux", "windows")]
    check(games[0] == games[1] and len(games[0]) > 20, games)
    engine = script(folder, "tabia-shogi")
    done = subprocess.run(["tools/usi_match", shlex.quote(engine), "--against", shlex.quote(engine), "--referee", engine, "--nodes", "200", "--games", "2"],
                          cwd=ROOT, capture_output=True, text=True, timeout=400, check=False)
    check(done.returncode == 0 and "lost of 2: score 50.0" in done.stdout and not re.search("illegal|broken|time", done.stdout), done)


def serves(folder):
    """The page, as on Linux; not a crowd of connections, whose sockets wine looks at one by one. Ctrl-C reaches all of a console."""
    games, ledger = (os.path.join(folder, "windows", name) for name in ("served.viri", "count.ledger"))
    tabia = script(folder, "tabia")
    run("windows", "tabia", f"{GENSFEN} served.viri --write-max-ply 80".replace("2000", "300"), folder)
    server = Server(tabia, games, "--threads", "2", "--hash", "32M", "--ledger", ledger, "--against", f"{WINDOWS}/tabia.exe")
    for test, *more in ((serve.is_served,), (serve.strangers_get_nothing,), (serve.odd_requests_are_refused,), (serve.lines_are_read,),
                        (serve.pipelined_requests_are_answered,), (serve.analysis_runs,), (serve.counts_come, tabia),
                        (serve.records_are_read, tabia, games), (serve.ledger_is_told, tabia, ledger)):
        test(server, *more)
    client, events = server.events("against", depth=2)
    check([event for event, _ in events] == ["done"], "against")
    client.close()
    for pid in serve.live_processes():
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            if b"tabia-serve.exe" in file.read() and pid != server.process.pid:
                os.kill(pid, signal.SIGINT)
    server.end()


def main():
    os.environ.update(WINE)
    if not shutil.which("x86_64-w64-mingw32-gcc") or not shutil.which("wine64") or not shutil.which("apt-get"):
        skip("no mingw-w64, no wine64, or no apt-get for the sources of libraries")
    subprocess.run(["tools/static", "x86_64-w64-mingw32", "build-windows"], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    os.makedirs(PREFIX, exist_ok=True)
    with tempfile.TemporaryDirectory(suffix=" 将棋") as folder:
        for system in ("linux", "windows"):
            os.mkdir(os.path.join(folder, system))
        try:
            for program, depth in (("tabia", 6), ("tabia-shogi", 4)):
                same(program, f"perft {depth}", folder)
                same(program, f"perft {depth} --divide --hash 1M --threads 2 --ledger count.ledger", folder)
                same(program, "bench", folder)
                talk(program, folder)
            same("tabia", "perft 4 --table windows-test --hash 4M", folder)
            same("tabia", "mate -", folder, "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\n")
            compares(folder)
            plays(folder)
            if os.path.exists(os.path.join(HERE, "tabia-serve")):  # what it needs is here
                serves(folder)
            data(folder)
            stops(folder)
        finally:
            subprocess.run(["wineserver", "-k"], capture_output=True, check=False)
    print("tabia.exe and tabia-shogi.exe do and write what the programs of this system do and write")


if __name__ == "__main__":
    main()
