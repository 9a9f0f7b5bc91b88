#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wrong input ends every command in the same way: exit status 2 and one line on stderr that names the file.

Each command that reads a file is given one that is missing, one of no known format, one that is empty, and a folder.

bad_input.py TABIA
"""
import os
import subprocess
import sys
import tempfile

READERS = (
    "data info {}", "data verify {}", "data stats {}", "data view {} --count 1000", "data manifest {} --out out.json", "data convert {} --out out.bin", "data shuffle {} --out out.bin",
    "data dedupe {} --out out.bin", "data split {} --out out.bin --out out2.bin", "data sample {} --fraction 0.5 --out out.bin",
    "data rescore {} --out out3.bin --depth 1", "data rescore good.viri --out out4.viri --depth 1 --network {}",
    "train {} --out out.net", "train good.viri --from {} --out out.net", "tune --data {} --out out.c",
    "train good.viri --validation {} --out out.net", "network info {}", "network export {} --out out.net", "network import {} --out out.net",
    "uci --network {}", "gensfen --positions 10 --out out2.viri --network {}",
    "perft --suite {}", "table audit {}", "simulate {}", "gensfen --positions 10 --out out.viri --quiet --book {}",
    "bench --path-keys --positions {}", "bench --threads --positions {}",
)
WRONG = ("missing.xyz", "unknown.xyz", "empty.xyz", "folder.xyz")


def main():
    program = os.path.abspath(sys.argv[1])
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "folder.xyz"))
        with open(os.path.join(folder, "unknown.xyz"), "w") as unknown:
            unknown.write("?\n")
        open(os.path.join(folder, "empty.xyz"), "w").close()
        subprocess.run([program, *"gensfen --positions 10 --nodes 20 --out good.viri --quiet".split()], cwd=folder, check=True,
                       capture_output=True, timeout=60)
        for words in READERS:
            for wrong in WRONG:
                done = subprocess.run([program, *words.format(wrong).split()], cwd=folder, capture_output=True, text=True,
                                      timeout=60, stdin=subprocess.DEVNULL)
                if done.returncode != 2 or done.stderr.count("\n") != 1 or wrong not in done.stderr:
                    faults.append(f"{words.format(wrong)}: status {done.returncode}, {done.stderr!r}")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(READERS)} readers refuse {len(WRONG)} kinds of wrong files with status 2")


main()
