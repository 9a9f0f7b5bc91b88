# SPDX-License-Identifier: MIT
"""
Every header compiles alone, without warnings: whoever includes it need not know what it needs. Done with one compiler of the
machine, or with `all`, as `make lint` calls it, with each; for the plainest CPU and, where it asks which CPU it is compiled for, for
the kinds that the counting kernels are compiled for.

A header that holds the text of one kind of CPU says so in a line `Needs: avx512` or `Needs: avx2`, and is then compiled
for that kind and better ones only.

The public headers are compiled as others will do it besides: as strict C17 and as C++20, with nothing of ours on the
include path but include/.

    headers.py ROOT [all]
"""

import concurrent.futures
import os
import platform
import re
import shutil
import subprocess
import sys

import tree

CHECK = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
OURS = ["-std=gnu17", "-Wno-unused-function", "-Wno-psabi"]
PATH = ["src", "include", "programs", "tests", "tests/reference", "tests/fuzz/words/chess"]
AVX512 = ["-march=x86-64-v4", "-mavx512vbmi", "-mavx512vbmi2", "-mavx512bitalg", "-mavx512vpopcntdq", "-mgfni"]
KINDS = {"plain": [], "avx2": ["-march=x86-64-v3"], "avx512": AVX512}
PUBLIC = {"C17": (("clang", "gcc"), ["-x", "c", "-std=c17"]), "C++20": (("clang++", "g++"), ["-x", "c++", "-std=c++20"])}
NEEDS = re.compile(r"\bNeeds: (avx2|avx512)\b")
# A text that may come out differently for another kind of CPU: a macro of the compiler, an intrinsic, assembly.
ASKS = re.compile(r"\b__[A-Z]\w*|\b_mm|__builtin_ia32|\b(__)?asm\b|intrin\.h>|\btarget *\(")


def path_of(header):
    """Where a header's own are searched: the layers of its game, or of the first one for what every game has."""
    parts = header.split("/")
    if parts[2:3] == ["graph_game"]:  # a game of the tests
        return ["/".join(parts[:3]), *PATH]
    of_game = parts[:2] in (["src", "games"], ["tests", "unit"]) and len(parts) > 3 and parts[2] != "common"
    game = parts[2] if of_game else "chess"
    return [f"src/games/{game}", "src/games/common", *PATH]


def kinds_for(text):
    """The kinds of CPU that a header is compiled for on this machine."""
    if platform.machine() != "x86_64" or not ASKS.search(text):
        return ["plain"]
    found, order = NEEDS.search(text), list(KINDS)
    return order[order.index(found.group(1)) if found else 0:]


def our_jobs(root, headers, of_all):
    """(what is said of it, command, the line to compile) for every header, compiler and kind."""
    compilers = [c for c in ("clang", "gcc") if shutil.which(c)] or ["cc"]
    return [(f"{h} does not compile alone with {c} for {kind}", [c, "-x", "c", *CHECK, *OURS, *("-I" + place for place in path_of(h)), *KINDS[kind]],
             f'#include "{os.path.abspath(os.path.join(root, h))}"')
            for h in headers for kind in kinds_for(tree.read(root, h)) for c in (compilers if of_all else compilers[:1])]


def public_jobs(headers):
    """The same for the public headers, compiled as others do it."""
    return [(f"{h} does not compile alone with {c} as {language}", [c, *flags, *CHECK, "-Wpedantic", "-Iinclude"],
             f"#include <{h.removeprefix('include/')}>")
            for h in headers if h.startswith("include/")
            for language, (compilers, flags) in PUBLIC.items() for c in compilers if shutil.which(c)]


def compile_alone(root, job):
    """One line on what the compiler said, or None."""
    fault, command, line = job
    run = subprocess.run([*command, "-"], cwd=root, input=line + "\n", capture_output=True, text=True)
    return f"{fault}:\n{run.stderr}" if run.returncode else None


def main(root, extent="quick"):
    headers = tree.sources(root, endings=(".h",))
    jobs = our_jobs(root, headers, extent == "all") + public_jobs(headers)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = list(filter(None, pool.map(lambda job: compile_alone(root, job), jobs)))
    compilers = sorted({command[0] for _, command, _ in jobs})
    tree.close(faults, f"{len(headers)} headers compile alone with {', '.join(compilers)}, {len(jobs)} times")


if __name__ == "__main__":
    main(*sys.argv[1:])
