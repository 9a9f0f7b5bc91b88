# SPDX-License-Identifier: MIT
"""
Every header compiles alone, without warnings: whoever includes it need not know what it needs. Done with each compiler
on the machine, for the plainest CPU and for the kinds that the counting paths are compiled for.

A header that holds the text of one kind of CPU says so in a line `Needs: avx512` or `Needs: avx2`, and is then compiled
for that kind and better ones only.

    headers.py ROOT
"""

import concurrent.futures
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import tree

COMMON = ["-std=gnu17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-psabi",
          "-Isrc", "-Isrc/games/chess", "-Iinclude", "-Iprograms", "-Itests", "-Itests/reference"]
AVX512 = ["-march=x86-64-v4", "-mavx512vbmi", "-mavx512vbmi2", "-mavx512bitalg", "-mavx512vpopcntdq", "-mgfni"]
KINDS = {"plain": [], "avx2": ["-march=x86-64-v3"], "avx512": AVX512}
NEEDS = re.compile(r"\bNeeds: (avx2|avx512)\b")


def kinds_for(text):
    """The kinds of CPU that a header is compiled for on this machine."""
    if platform.machine() != "x86_64":
        return ["plain"]
    order = list(KINDS)
    found = NEEDS.search(text)
    return order[order.index(found.group(1)):] if found else order


def compile_alone(root, scratch, job):
    """One line on what the compiler said, or None."""
    number, (compiler, kind, header) = job
    source = os.path.join(scratch, f"{number}.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(f'#include "{os.path.join(os.path.abspath(root), header)}"\n')
    run = subprocess.run([compiler, *COMMON, *KINDS[kind], source], cwd=root, capture_output=True, text=True)
    return f"{header} does not compile alone with {compiler} for {kind}:\n{run.stderr}" if run.returncode else None


def main(root):
    compilers = [c for c in ("clang", "gcc") if shutil.which(c)] or ["cc"]
    headers = tree.sources(root, endings=(".h",))
    jobs = [(c, k, h) for c in compilers for h in headers for k in kinds_for(tree.read(root, h))]
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = list(filter(None, pool.map(lambda job: compile_alone(root, scratch, job), enumerate(jobs))))
    tree.close(faults, f"{len(headers)} headers compile alone with {' and '.join(compilers)}, {len(jobs)} times")


if __name__ == "__main__":
    main(sys.argv[1])
