# SPDX-License-Identifier: MIT
"""
The form of the code: one SPDX line at the head of each file, files of at most 600 lines, functions of at most 80, and the
layout that clang-format gives (skipped, with a word, where it is missing).

    style.py form|sizes ROOT
"""

import os
import re
import shutil
import subprocess
import sys

import tree

FILE_LINES, FUNCTION_LINES, README_LINES = 600, 80, 120
SPDX = "SPDX-License-Identifier: MIT"


def long_functions(path, lines):
    """
    A fault for each function over the limit, in code that clang-format has laid out: there a function begins with a
    line in the first column and ends with a brace in the first column.
    """
    faults, start = [], None
    for number, line in enumerate(lines, 1):
        if re.match(r"[A-Za-z_]", line) and "(" in line and not line.endswith(";"):
            start = number
        elif line == "}" and start:
            if number - start + 1 > FUNCTION_LINES:
                faults.append(f"{path}:{start}: a function of {number - start + 1} lines (limit {FUNCTION_LINES})")
            start = None
    return faults


def sizes(root):
    paths = tree.sources(root) + tree.sources(root, ("tests", "bench", "tools"), (".py", ".sh"))
    faults = []
    for path in paths:
        lines = tree.read(root, path).splitlines()
        if not any(SPDX in line for line in lines[:2]):
            faults.append(f"{path}: no SPDX line at its head")
        if len(lines) > FILE_LINES:
            faults.append(f"{path}: {len(lines)} lines (limit {FILE_LINES})")
        faults += [f"{path}:{n}: white space at the end of the line" for n, line in enumerate(lines, 1)
                   if line != line.rstrip()]
        if path.endswith((".c", ".h")):
            faults += long_functions(path, lines)
    readme = os.path.join(root, "README.md")
    if os.path.exists(readme) and len(tree.read(root, "README.md").splitlines()) > README_LINES:
        faults.append(f"README.md: more than {README_LINES} lines")
    tree.close(faults, f"{len(paths)} files within their limits")


def form(root):
    if not shutil.which("clang-format"):
        tree.skip("no clang-format on this machine")
    paths = tree.sources(root)
    run = subprocess.run(["clang-format", "--dry-run", "-Werror", *paths], cwd=root, capture_output=True, text=True)
    tree.close([run.stderr] if run.returncode else [], f"{len(paths)} files are as clang-format leaves them")


if __name__ == "__main__":
    {"form": form, "sizes": sizes}[sys.argv[1]](sys.argv[2])
