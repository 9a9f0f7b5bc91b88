# SPDX-License-Identifier: MIT
"""
bench/perft.py: both programs take turns, their seconds and ratios are printed, and a wrong count or a program that fails ends the
run. All programs here, Tabia and Stockfish included, are scripts that know the counts; nothing is judged by the clock.

    bench_perft.py ROOT
"""
import json
import os
import subprocess
import sys
import tempfile

from programs import check

ROOT = sys.argv[1]
BENCH = os.path.join(ROOT, "bench", "perft.py")
sys.path.insert(0, os.path.dirname(BENCH))
import perft  # noqa: E402


def counting(text):
    """A case of a shell, over the FEN and the depth, that sets n to the known count; then the text."""
    known = {(perft.START, 1): 20, **{(fen, d): n for _, fen, counts in perft.POSITIONS + perft.EQUAL_RUNS for d, n in counts.items()}}
    cases = "".join(f'"{fen} {d}") n={n} ;;\n' for (fen, d), n in known.items())
    return f'case "$fen $depth" in\n{cases}esac\n{text}\n'


def script(folder, name, body):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\n" + body)
    os.chmod(path, 0o755)
    return path


def stockfish(folder, name, text):
    """One that reads its commands: the position, then go perft."""
    return script(folder, name, """echo 'Stockfish 0 by its authors'
while read -r line; do case $line in position*) fen=${line#position fen } ;; go*) depth=${line#go perft } ;; esac; done
[ -n "$depth" ] || exit 0
""" + counting(text))


def run(tabia, peer, part="plain"):
    done = subprocess.run([sys.executable, BENCH, tabia, "--quick", "--only", part, "--stockfish", peer, "--json"],
                          capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        tabia = script(folder, "tabia", '[ "$1" = --version ] && { echo tabia 0; exit; }\nfen=$4 depth=$2\n' +
                       counting('echo "a2a3: 7"; echo "Nodes searched: $n"'))
        right = stockfish(folder, "right", 'echo "a2a3: 7"; echo "Nodes searched: $n"')
        status, out, errors = run(tabia, right)
        check(status == 0, f"status {status}: {errors}")
        plain = json.loads(out)["plain"]
        check(list(plain["ratios"]) == perft.KERNELS and len(plain["rows"]) == len(perft.POSITIONS), f"rows: {plain}")
        check(all(len(r["seconds"][who]) == 3 for r in plain["rows"] for who in ("stockfish", *perft.KERNELS)), f"rounds: {plain}")
        shown = subprocess.run([sys.executable, BENCH, tabia, "--quick", "--only", "plain", "--stockfish", right], capture_output=True, text=True, timeout=120)
        check("\ngeometric mean" in shown.stdout and "avx512 ratio, times" in shown.stdout, f"no table: {shown}")
        mperft = script(folder, "mperft", 'echo version 2.0; fen=$2 depth=$4\n[ "$6" != -h ] || [ "$7" = 1024 ] || exit 1\n' +
                        counting('echo "perft $depth : $n leaves"'))
        equal = json.loads(run(tabia, mperft, "equal")[1])["plain"]
        check(len(equal["rows"]) == len(perft.EQUAL_RUNS) and equal["ratios"]["tabia"] > 0, f"equal tables: {equal}")
        status, out, errors = run(tabia, os.path.join(folder, "none"))
        check(status == 0 and json.loads(out)["plain"]["ratios"] == {} and "none is not on this machine" in out, f"alone: {out}, {errors}")
        for text, fault in (('[ $n = 20 ] || n=$((n + 1)); echo "Nodes searched: $n"', "counted 119060325 instead of 119060324"),
                            ("echo nothing", "counted None instead of 20"), ("echo no such thing >&2; exit 3", "no such thing")):
            status, out, errors = run(tabia, stockfish(folder, "wrong", text))
            check(status == 1 and not out and fault in errors, f"{text}: {status}, {errors}")
    print(f"{len(perft.POSITIONS)} positions measured, with a peer and without; two wrong counts and a failure reported")


main()
