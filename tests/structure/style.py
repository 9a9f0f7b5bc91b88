# SPDX-License-Identifier: MIT
"""
The code has the layout that clang-format gives. Skipped, with a word, where that is missing.

    style.py ROOT
"""

import shutil
import subprocess
import sys

import tree


def main(root):
    if not shutil.which("clang-format"):
        tree.skip("no clang-format on this machine")
    paths = tree.sources(root)
    run = subprocess.run(["clang-format", "--dry-run", "-Werror", *paths], cwd=root, capture_output=True, text=True)
    tree.close([run.stderr] if run.returncode else [], f"{len(paths)} files are as clang-format leaves them")


if __name__ == "__main__":
    main(sys.argv[1])
