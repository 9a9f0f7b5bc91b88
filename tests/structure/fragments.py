# SPDX-License-Identifier: MIT
"""
What the documents show as C compiles: the blocks of a document, one after the other, are one source file.

    fragments.py ROOT
"""

import re
import shutil
import subprocess
import sys

import tree

DOCUMENTS = ("README.md", "docs/table.md", "docs/from-your-table.md")
BLOCK = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = ["-std=c17", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-function", "-Iinclude"]


def source_of(root, document):
    """The blocks, with #line so that a fault is told at its place in the document."""
    text = tree.read(root, document)
    parts = [f'#line {text.count(chr(10), 0, m.start(1)) + 1} "{document}"\n{m.group(1)}' for m in BLOCK.finditer(text)]
    return "".join(parts), len(parts)


def main(root):
    compilers = [c for c in ("clang", "gcc") if shutil.which(c)] or ["cc"]
    faults, count = [], 0
    for document in DOCUMENTS:
        source, blocks = source_of(root, document)
        count += blocks
        if not blocks:
            faults.append(f"{document}: no fragment of C in it")
        for compiler in compilers:
            run = subprocess.run([compiler, "-x", "c", *FLAGS, "-"], cwd=root, input=source, capture_output=True, text=True)
            if run.returncode:
                faults.append(f"a fragment of {document} does not compile with {compiler}:\n{run.stderr}")
    tree.close(faults, f"{count} fragments compile with {' and '.join(compilers)}")


if __name__ == "__main__":
    main(sys.argv[1])
