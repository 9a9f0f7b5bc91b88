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

import programs

READERS = (
    "data info {}", "data verify {}", "data stats {}", "data view {} --count 1000", "data convert {} --out out.bin", "data shuffle {} --out out.bin",
    "data dedupe {} --out out.bin", "data split {} --out out.bin --out out2.bin", "data sample {} --fraction 0.5 --out out.bin",
    "data rescore {} --out out3.bin --depth 1", "data rescore good.viri --out out4.viri --depth 1 --network {}",
    "train {} --out out.net", "train good.viri --from {} --out out.net", "train good.viri --validation {} --out out.net",
    "network info {}", "network export {} --out out.net", "network import {} --out out.net",
    "uci --network {}", "gensfen --positions 10 --out out2.viri --network {}",
    "perft --suite {}", "gensfen --positions 10 --out out.viri --quiet --book {}",
)
WRONG = ("missing.xyz", "unknown.xyz", "empty.xyz", "folder.xyz")


def pipes(program, folder):
    """A suite, which is read twice, may come through a pipe; a ledger may not, and nobody waits for its writer."""
    suite = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 {}\n"
    faults = []
    for count, more, status in ((400, [], 0), (401, [], 1), (400, ["--against", program], 0)):
        done = subprocess.run([program, "perft", "--suite", "/dev/stdin", *more], capture_output=True, text=True, timeout=60,
                              input=suite.format(count))
        if done.returncode != status or not ("1 position, 2 depths" in done.stdout or more and "1 position, " in done.stdout):
            faults.append(f"a suite through a pipe: {done}")
    done = subprocess.run([program, *"gensfen --positions 10 --out x.viri --book /dev/stdin".split()], cwd=folder, capture_output=True,
                          text=True, timeout=60, input=suite)
    if done.returncode != 2 or "/dev/stdin: no regular file" not in done.stderr or done.stderr.count("\n") != 1:
        faults.append(f"a book through a pipe: {done}")
    os.mkfifo(os.path.join(folder, "pipe"))
    done = subprocess.run([program, "ledger", "pipe"], cwd=folder, capture_output=True, text=True, timeout=60)
    if done.returncode != 2 or done.stderr != "tabia ledger: ledger pipe: not a regular file\n":
        faults.append(f"a ledger that is a pipe: {done}")
    return faults


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
                done = subprocess.run(programs.command(program, words.format(wrong).split()), cwd=folder, capture_output=True, text=True,
                                      timeout=60, stdin=subprocess.DEVNULL)
                if done.returncode != 2 or done.stderr.count("\n") != 1 or wrong not in done.stderr:
                    faults.append(f"{words.format(wrong)}: status {done.returncode}, {done.stderr!r}")
        faults += pipes(program, folder)
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(READERS)} readers refuse {len(WRONG)} kinds of wrong files with status 2")


main()
