# SPDX-License-Identifier: MIT
"""
bench/perft.py --peer: commands are filled in, counts are found in what programs print, and what is wrong is said in a line. All
programs here, Tabia's place included, are scripts that know the counts; nothing is judged by the clock.

    bench_peers.py ROOT
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
import peers  # noqa: E402
import perft  # noqa: E402

# Of a line that says nodes or total the last number; so a program should end that line with its count.
PRINTED = {"Nodes searched: 4865609": 4865609, "Perft 5: nodes 4,865,609 in 12 ms\nbye 7": 12, "total 4'865'609": 4865609,
           "a2a3: 20\n\n400": 400, "Total nodes = 4 865 609": 4865609, "": None, "no number": None, "x 12.345.678": 12345678,
           "Nodes: 20\nNodes: 400\ntime 3": 400}
WRONG = {"x": "NAME=COMMAND is expected", "=y {fen} {depth}": "NAME=COMMAND is expected", "x=sh {fen}": "has no {depth}",
         "x=sh {depth}": "has no {fen}", "x=/none {fen} {depth}": "there is no program /none", "x=sh '{fen} {depth}": "quotation",
         "x=sh {fen} {depth} {ply}": "{ply} means nothing", "stockfish=sh {fen} {depth}": "a name may not be"}


def script(folder, name, body):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\n" + body)
    os.chmod(path, 0o755)
    return path


def counting(fen, depth, text):
    """A script that prints the counts of all positions by their FEN and depth, each in that text."""
    known = {(perft.START, 1): 20}
    for _, position, counts in perft.POSITIONS:
        known.update({(position, d): n for d, n in counts.items()})
    cases = "".join(f'"{f} {d}") n={n} ;;\n' for (f, d), n in known.items())
    return f'case "{fen} {depth}" in\n{cases}esac\n{text}\n'


def run(tabia, *options):
    done = subprocess.run([sys.executable, BENCH, tabia, "--quick", "--only", "plain", "--stockfish", "/none", "--json", *options],
                          capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def main():
    for text, count in PRINTED.items():
        check(peers.count_in(text) == count, f"'{text}': {peers.count_in(text)}")
    words = peers.parse('one=sh -c "echo {fen}; {depth}" {threads} {hash}', os.environ["PATH"])[1]
    check(peers.filled_in(words, "8/8 w {depth}", 3) == ["sh", "-c", "echo 8/8 w {depth}; 3", "1", "off"], "filled in wrongly")
    with tempfile.TemporaryDirectory() as folder:
        tabia = script(folder, "tabia", '[ "$1" = --version ] && { echo tabia 0; exit; }\n' +
                       counting("$4", "$2", 'echo "Nodes searched: $n"'))
        right = script(folder, "right", counting("$1", "$2", 'echo "nodes $n"'))
        wrong = script(folder, "wrong", counting("$1", "$2", '[ $n = 20 ] || n=$((n + 1)); echo "nodes $n"'))
        fails = script(folder, "fails", "echo no such thing >&2; exit 3\n")
        for text, said in WRONG.items():
            status, _, errors = run(tabia, "--peer", text)
            check(status == 2 and said in errors.splitlines()[-1], f"--peer '{text}': status {status}, {errors}")
        status, out, errors = run(tabia, "--peer", f'one={right} "{{fen}}" {{depth}}', "--peer", f'two={right} "{{fen}}" {{depth}}')
        check(status == 0, f"status {status}: {errors}")
        plain = json.loads(out)["plain"]
        check(set(plain["ratios"]) == {"one", "two"} and all(r["median"]["one"] > 0 for r in plain["rows"]), f"peers: {plain}")
        check(len(plain["rows"]) == len(perft.POSITIONS) and all(len(r["seconds"]["two"]) == 3 for r in plain["rows"]), f"rows: {plain}")
        status, out, errors = run(tabia, "--peer", f'wrong={wrong} "{{fen}}" {{depth}}')
        check(status == 1 and not out and "peer wrong counted 119060325 instead of 119060324" in errors, f"wrong: {status}, {errors}")
        status, out, errors = run(tabia, "--peer", f'fails={fails} "{{fen}}" {{depth}}')
        check(status == 1 and not out and "peer fails: no such thing" in errors, f"fails: {status}, {errors}")
    print(f"{len(PRINTED)} outputs read, {len(WRONG)} commands refused, two peers measured, a wrong count and a failure reported")


main()
