#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each option of each command of both games is named by its --help and by the manual page of its game, or by that of chess; those of
the laboratory by its --help. No manual page names an option that no command has.

helps.py SOURCE-FOLDER TABIA TABIA-SHOGI
"""
import os
import re
import subprocess
import sys


# What a page names besides: options of every program, YaneuraOu's spellings, and mpirun's.
OTHERS = {"--version", "--list-options", "--random-move-minply", "--random-move-maxply", "--write-minply", "--write-maxply",
          "--hostfile", "--map-by", "--bind-to", "--enable-recovery", "--continuous"}


def lines_of(program, command, last):
    done = subprocess.run([program, *command.split(), last], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert done.returncode == 0 and not done.stderr, (program, command, last, done)
    return done.stdout.splitlines()


def commands_of(program):
    """The commands, and those below `data` and `table`."""
    for name in lines_of(program, "", "--list-options"):
        below = [word for word in lines_of(program, name, "--list-options") if word[0] != "-"] if name != "help" else []
        if name != "help":
            yield from (f"{name} {word}" for word in below if word != "help") if below else [name]


def manual(source, *names):
    text = "".join(open(os.path.join(source, "docs", name), encoding="utf-8").read() for name in names)
    return re.sub(r"\\f.", "", text).replace("\\-", "-")


def options_of(program):
    return {option for command in commands_of(program) for option in lines_of(program, command, "--list-options")}


def names(text, option):
    return re.search(rf"{option}(?![a-z0-9-])", text)


def main(source, tabia, shogi):
    faults, seen = [], 0
    for program, pages in ((tabia, ("tabia.1",)), (shogi, ("tabia-shogi.1", "tabia.1")), (tabia + "-lab", ()), (shogi + "-lab", ())):
        reported = manual(source, *pages)
        for command in commands_of(program):
            text = "\n".join(lines_of(program, command, "--help"))
            if not text.startswith(f"usage: {os.path.basename(program)} ") or "{" in text:
                faults.append(f"{os.path.basename(program)} {command}: --help names another program, or no word for a brace")
            for topic in re.findall(rf" help {command} (\w+) ", text):
                text += "\n" + "\n".join(lines_of(program, f"{command} {topic}", "--help"))
            for option in lines_of(program, command, "--list-options"):
                seen += 1
                if option == "--help":
                    continue
                if not names(text, option):
                    faults.append(f"{os.path.basename(program)} {command} {option}: not in --help")
                if pages and not names(reported, option):
                    faults.append(f"{os.path.basename(program)} {command} {option}: not in {' or '.join(pages)}")
    known = OTHERS | options_of(tabia) | options_of(shogi)
    for page in ("tabia.1", "tabia-shogi.1", "tabia-mpi.1"):
        if page == "tabia-mpi.1" and not os.path.exists(tabia + "-mpi"):
            continue
        those = known | (options_of(tabia + "-mpi") if page == "tabia-mpi.1" else set())
        gone = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", manual(source, page))) - those
        faults += [f"{page}: no command has {option}" for option in sorted(gone)]
    print("\n".join(faults) or f"{seen} options are in --help and in the manual")
    sys.exit(1 if faults else 0)


main(*sys.argv[1:])
