# SPDX-License-Identifier: MIT
"""
Every name that a library shows to others begins with tabia_: a program that links it keeps its own names.

    symbols.py LIBRARY...
"""

import shutil
import subprocess
import sys

import tree


def shown(library):
    """The names with external linkage that a library defines; `__` is the compiler's own."""
    listing = subprocess.run(["nm", "-g", "--defined-only", "-P", library], capture_output=True, text=True, check=True)
    lines = (line.split() for line in listing.stdout.splitlines())
    return [line[0] for line in lines if len(line) >= 2 and not line[0].startswith("__")]


def main(libraries):
    if not shutil.which("nm"):
        tree.skip("no nm on this machine (binutils)")
    faults, count = [], 0
    for library in libraries:
        names = shown(library)
        count += len(names)
        faults += [f"{library} shows the name {n}, which does not begin with tabia_" for n in names
                   if not n.startswith("tabia_")]
        if not names:
            faults.append(f"{library} shows no name at all: is it the right file?")
    tree.close(faults, f"{count} names, all beginning with tabia_")


if __name__ == "__main__":
    main(sys.argv[1:])
