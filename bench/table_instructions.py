#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Counts the instructions of probes and stores, by valgrind's callgrind: counts, which no load of the machine changes.

    bench/table_instructions.py [--cc gcc] [--march haswell] [--library FILE.a] [--peer NAME=FILE.c...] [--json]

A pair is a probe and a store of the same position, with what makes its key and entry and reads what was found (bench/call_loop.c);
probe and store are the calls alone. Of libtabia's two files (tools/amalgamate.py): the standard layout, the same with inline calls,
and what leaves the default; of a built library (--library build/src/libtabia.a) all but inline calls. --peer may be given again:
another program's table, by a C file such as bench/call_tabia.c, which includes that program's sources; words behind the file's name
are flags of its compiler.

    --peer 'other=other.c -I/src/other /src/other/memory.c'
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent
VARIANTS = ("standard", "exact bonus", "user bits", "refresh, none due", "refresh")
INLINE = ("standard", "user bits", "refresh")
CALLS = {"probe": "tabia_entry_probe", "store": "tabia_entry_store"}
PAIRS = 200000


def run(words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, words))}\n{done.stdout}{done.stderr[-2000:]}")
    return done


def counted(program, variant, function):
    """Instructions of a pair that ran within the function, and the part of probes that hit."""
    done = run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--toggle-collect={function}", program, variant])
    collected = re.search(r"Collected : (\d+)", done.stderr)
    hits, pairs = map(int, re.match(r"(\d+) of (\d+)", done.stdout).groups())
    if pairs != PAIRS or not collected:
        sys.exit(f"{program} {variant}: {done.stdout}{done.stderr}")
    return int(collected[1]) / pairs, hits / pairs


def row(name, program, variant, calls):
    pair, hits = counted(program, variant, "counted_pair")
    cells = {call: counted(program, variant, function)[0] for call, function in calls.items()}
    return {"name": name, **cells, "pair": pair, "hits": hits}


def compiled(options, folder, name, *words):
    program = folder / name
    run([options.cc, "-O3", f"-march={options.march}", "-DNDEBUG", f"-I{BENCH}", BENCH / "call_loop.c", *words, "-o", program, "-pthread", "-lm", "-lrt"])
    return program


def library_rows(options, folder):
    """Of a library as it was built: --cc and --march are for the program that calls it."""
    (folder / "tabia.h").write_text('#include "tabia/entry.h"\n#include "tabia/table.h"\n')
    words = [f"-I{folder}", f"-I{BENCH.parent / 'include'}", BENCH / "call_tabia.c", options.library]
    program = compiled(options, folder, "linked", *words)
    return [row(v, program, v, CALLS) for v in VARIANTS]


def own_rows(options, folder):
    if options.library:
        return library_rows(options, folder)
    run([sys.executable, BENCH.parent / "tools/amalgamate.py", folder])
    words = [f"-I{folder}", BENCH / "call_tabia.c", folder / "tabia.c"]
    plain = compiled(options, folder, "plain", *words)
    inline = compiled(options, folder, "inline", "-DTABIA_INLINE", *words)
    return [row(v, plain, v, CALLS) for v in VARIANTS] + [row(f"inline, {v}", inline, v, {}) for v in INLINE]


def peer_row(options, folder, number, peer):
    name, _, words = peer.partition("=")
    return row(name, compiled(options, folder, f"peer{number}", *shlex.split(words)), "standard", {})


def shown(rows):
    print(f"{'instructions':18} {'probe':>7} {'store':>7} {'pair':>7} {'hits':>6}")
    for r in rows:
        figures = (f"{r[c]:7.0f}" if c in r else 7 * " " for c in (*CALLS, "pair"))
        print(f"{r['name']:18} {' '.join(figures)} {100 * r['hits']:4.0f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--march", default="haswell", help="a processor that valgrind knows: none with AVX-512")
    parser.add_argument("--library", type=pathlib.Path, metavar="FILE.a", help="a built libtabia, instead of the two files")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=FILE.c")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for program in ("valgrind", options.cc):
        if not shutil.which(program):
            parser.error(f"there is no {program}")
    for peer in options.peer:
        file = (shlex.split(peer.partition("=")[2]) or [""])[0]
        if not os.path.isfile(file):
            parser.error(f"--peer '{peer}': NAME=FILE.c is expected, and the file '{file}' is not there")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = own_rows(options, folder) + [peer_row(options, folder, i, p) for i, p in enumerate(options.peer)]
    version = run([options.cc, "--version"]).stdout.splitlines()[0]
    if options.json:
        print(json.dumps({"compiler": version, "march": options.march, "rows": rows}))
    else:
        shown(rows)


if __name__ == "__main__":
    main()
