#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
What the shells complete: commands, names below them and options, from the program's own lists. bash is asked; zsh and fish, where
they are installed, read their files.

    completion.py TABIA SOURCE-FOLDER
"""
import os
import re
import shutil
import subprocess
import sys

import programs

ASK = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tabia "$1"; printf "%s\\n" "${COMPREPLY[@]}"'
PROGRAMS = {"tabia", "tabia-mpi", "tabia-shogi", "tabia-shogi-mpi", "tabia-lab", "tabia-shogi-lab"}
# The words of a line, the last one unfinished, and what must be among, and must not be among, what is offered.
LINES = (
    (["pe"], ["perft"], ["data"]),
    ([""], ["perft", "gensfen", "data", "help", "uci"], ["--help"]),
    (["perft", "--mo"], ["--moves"], ["--mates", "--threads"]),
    (["perft", "6", "--"], ["--fen", "--hash", "--help"], ["perft"]),
    (["perft", ""], [""], ["--fen", "perft"]),  # files, which the shell offers by itself
    (["data", "st"], ["stats"], ["shuffle"]),
    (["data", "stats", "x.bin", "--j"], ["--json"], ["--out"]),
    (["help", "da"], ["data"], ["perft"]),
    (["help", "data", "ve"], ["verify"], ["stats"]),
    (["lab", "table", "bench", "--o"], ["--only"], []),
    (["none-such", "--x"], [""], ["--help"]),
)


def main(tabia, source):
    folder = os.path.join(source, "packaging", "completion")
    for words, wanted, unwanted in LINES:
        done = subprocess.run(["bash", "-c", ASK, "bash", os.path.join(folder, "tabia.bash"), *programs.command(tabia, words)],
                              capture_output=True, text=True, timeout=60)
        offered = done.stdout.split("\n")[:-1]
        assert done.returncode == 0 and not done.stderr, (words, done)
        assert set(wanted) <= set(offered) and not set(unwanted) & set(offered), (words, offered)
    for shell, name, says in (("bash", "tabia.bash", "^complete.*"), ("zsh", "_tabia", "^#compdef.*"), ("fish", "tabia.fish", "^complete.*")):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            named = {word for line in re.findall(says, file.read(), re.MULTILINE) for word in line.split()}
        assert PROGRAMS <= named, (shell, PROGRAMS - named)
    for shell, name in (("zsh", "_tabia"), ("fish", "tabia.fish")):
        if not shutil.which(shell):
            print(f"no {shell} on this machine: its file is not read")
            continue
        done = subprocess.run([shell, "-n", os.path.join(folder, name)], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and not done.stderr, (shell, done)
    print(f"{len(LINES)} lines completed")


main(os.path.abspath(sys.argv[1]), sys.argv[2])
