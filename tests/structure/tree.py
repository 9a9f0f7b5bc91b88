# SPDX-License-Identifier: MIT
"""What the structure tests share: finding the sources, and saying what is wrong with them."""

import os
import sys

FOLDERS = ("include", "src", "programs", "tests", "bench", "examples")
SKIPPED = 77  # what meson takes for a skipped test


def sources(root, folders=FOLDERS, endings=(".c", ".h")):
    """The paths of the source files, from the root, in order."""
    found = []
    for folder in folders:
        for place, _, names in os.walk(os.path.join(root, folder)):
            found += [os.path.relpath(os.path.join(place, n), root) for n in names if n.endswith(endings)]
    return sorted(found)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def close(faults, good):
    """Prints the faults and ends the test; without any, says what was found good."""
    for fault in faults:
        print(fault)
    if not faults:
        print(good)
    sys.exit(1 if faults else 0)


def skip(reason):
    print("skipped: " + reason)
    sys.exit(SKIPPED)
