# SPDX-License-Identifier: MIT
"""
Every header compiles alone, without warnings: whoever includes it need not know what it needs. Done with one compiler of the
machine, for the plainest CPU and, where it asks which CPU it is compiled for, for the kinds that the counting paths are
compiled for. With `all`, as `make lint` calls it: with each compiler, and for these kinds also where only what the header
includes of ours asks.

A header that holds the text of one kind of CPU says so in a line `Needs: avx512` or `Needs: avx2`, and is then compiled
for that kind and better ones only.

A header that another one includes before anything else is compiled alone there, and not once more. Nor is one that a C file
of the build includes first: the build compiles it alone. With `all` it is compiled here too.

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
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
# What a text says that may come out differently for a better kind of CPU, and for the best: a macro of the compiler, an
# intrinsic, assembly.
ASKS = re.compile(r"\b__[A-Z]\w*|\b_mm|__builtin_ia32|\b(__)?asm\b|intrin\.h>|\btarget *\(")
ASKS_BEST = re.compile(r"AVX512|GFNI|512|\b__mmask")


def path_of(header):
    """Where a header's own are searched: the rooms of its game, or of the first one for what every game has."""
    parts = header.split("/")
    game = parts[2] if parts[:2] == ["src", "games"] and parts[2] != "common" else "chess"
    return [f"src/games/{game}", "src/games/common", *PATH]


def first_included(root, header, texts):
    """The header of ours that stands in front of all other text of this one; None: there is none."""
    texts.setdefault(header, tree.read(root, header))
    lines = [line.strip() for line in COMMENT.sub("", texts[header]).splitlines()]
    first = INCLUDE.match(next((line for line in lines if line and line != "#pragma once"), ""))
    places = [os.path.dirname(header), *path_of(header)] if first else []
    found = [path for path in (os.path.normpath(os.path.join(p, first.group(1))) for p in places)
             if os.path.isfile(os.path.join(root, path))]
    return found[0] if found else None


def closure(root, header, texts):
    """The header's text and that of all that it includes of ours, however far down; texts grows by what was read."""
    waiting, done = [header], set()
    while waiting:
        path = waiting.pop()
        if path in done or not os.path.isfile(os.path.join(root, path)):
            continue
        done.add(path)
        texts.setdefault(path, tree.read(root, path))
        places = [os.path.dirname(path), *path_of(header)]
        waiting += [os.path.normpath(os.path.join(p, n)) for n in INCLUDE.findall(texts[path]) for p in places]
    return "\n".join(texts[path] for path in done)


def kinds_for(root, header, texts):
    """The kinds of CPU that a header is compiled for on this machine, and those of them that one compiler is enough for."""
    text, order = closure(root, header, texts), list(KINDS)
    if platform.machine() != "x86_64" or not ASKS.search(text):
        return ["plain"], []
    found = NEEDS.search(texts[header])
    first = order.index(found.group(1)) if found else 0
    kinds = order[first:] if ASKS_BEST.search(text) else order[first:2]
    # It asks through what it includes: its own text is the same for all kinds, and the best one shows it all that there is.
    return (kinds, []) if ASKS.search(texts[header]) else (kinds[:1] + kinds[1:][-1:], kinds[1:])


def compiled_by_build(root, texts):
    """The headers that stand in front of all other text of a C file that a meson.build names."""
    described = "".join(tree.read(root, path) for path in tree.sources(root, endings=("meson.build",)))
    files = [path for path in tree.sources(root, endings=(".c",)) if re.search(rf"\b{re.escape(os.path.basename(path))}'", described)]
    return {first_included(root, path, texts) for path in files}


def our_jobs(root, headers, of_all):
    """(what is said of it, command, the line to compile) for every header, compiler and kind."""
    found = [c for c in ("clang", "gcc") if shutil.which(c)] or ["cc"]
    compilers, by_include = (found, found[-1:]) if of_all else (found[:1], [])
    texts, wanted = {}, []
    for h in headers:
        kinds, by_one = kinds_for(root, h, texts)
        wanted += [(h, c, k) for k in kinds for c in (by_include if k in by_one else compilers)]
    in_front = {(first_included(root, h, texts), c, k) for h, c, k in wanted}
    if not of_all:  # what a header's own text says is the same for all kinds
        in_front |= {(h, compilers[0], "plain") for h in compiled_by_build(root, texts) if h and not ASKS.search(texts.get(h, ""))}
    return [(f"{h} does not compile alone with {c} for {k}", [c, "-x", "c", *CHECK, *OURS, *("-I" + place for place in path_of(h)), *KINDS[k]],
             f'#include "{os.path.abspath(os.path.join(root, h))}"')
            for h, c, k in wanted if (h, c, k) not in in_front]


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
