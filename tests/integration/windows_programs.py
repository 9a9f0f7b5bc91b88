# SPDX-License-Identifier: MIT
"""
tabia.exe and tabia-shogi.exe under wine, in a folder with a blank and Japanese letters in its name: what they print, and each byte that
they write, is what the programs of this system print and write.

    windows_programs.py ROOT FOLDER WINE_FOLDER      FOLDER: with the programs of this system; wine keeps its files in the other
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from installed import check, skip

ROOT, HERE, PREFIX = (os.path.abspath(word) for word in sys.argv[1:])
WINDOWS = os.path.join(ROOT, "build-windows")
WINE = {"WINEPREFIX": PREFIX, "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}
GENSFEN = "gensfen --positions 2000 --seed 7 --nodes 500 --threads 2 --quiet --out"
# What no two runs have in common: times, and how large the pages are.
TAKES_TIME = re.compile(r"^(time |info string Hash).*|.*( seconds|nps)$|(nps|hashfull|time) \d+|[\d.]+ (s\b|[kM]?/s)", re.M)


def command(system, program, line):
    words = [os.path.join(WINDOWS, program + ".exe")] if system == "windows" else [os.path.join(HERE, program)]
    return [*(["wine64"] if system == "windows" else []), *words, *line.split(" ")]


def run(system, program, line, folder, text=""):
    done = subprocess.run(command(system, program, line), input=text.encode(), capture_output=True, cwd=os.path.join(folder, system),
                          timeout=200, check=False)
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


def main():
    os.environ.update(WINE)
    os.environ["PATH"] += ":/usr/lib/wine"
    if not shutil.which("x86_64-w64-mingw32-gcc") or not shutil.which("wine64") or not shutil.which("apt-get"):
        skip("no mingw-w64, no wine64, or no apt-get for the source of jansson")
    subprocess.run(["tools/windows", "build-windows"], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    os.makedirs(PREFIX, exist_ok=True)
    with tempfile.TemporaryDirectory(suffix=" 将棋") as folder:
        for system in ("linux", "windows"):
            os.mkdir(os.path.join(folder, system))
        try:
            for program, depth in (("tabia", 5), ("tabia-shogi", 4)):
                same(program, f"perft {depth}", folder)
                same(program, f"perft {depth} --divide --hash 1M --threads 2 --ledger count.ledger", folder)
                same(program, "bench", folder)
                talk(program, folder)
            same("tabia", "perft 4 --table windows-test --hash 4M", folder)
            same("tabia", "mate -", folder, "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\n")
            data(folder)
            stops(folder)
        finally:
            subprocess.run(["wineserver", "-k"], capture_output=True, check=False)
    print("tabia.exe and tabia-shogi.exe do and write what the programs of this system do and write")


if __name__ == "__main__":
    main()
