# SPDX-License-Identifier: MIT
"""
A test that cannot fail proves nothing. Builds small broken trees and checks that each structure test finds what is
wrong with them, in the expected words, and that it finds nothing wrong with a sound one.

    can_fail.py
"""

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SPDX = "/* SPDX-License-Identifier: MIT */\n"
SOUND = {"src/base/low.h": SPDX + "#pragma once\ntypedef int Low;\n",
         "src/table/mid.h": SPDX + '#pragma once\n#include "base/low.h"\ntypedef Low Mid;\n'}
LONG = SPDX + "int f(void) {\n" + "    (void)0;\n" * 90 + "}\n"

# A public header as it should be; one line of code and one of comment more than it needs.
PUBLIC = SPDX + """/*
 * A thing.
 *
 * Caveats first. There are none.
 * Errors: none.
 * Threads: any number.
 */
#ifndef TABIA_THING_H
#define TABIA_THING_H

/*
 * Returns a thing.
 *
 * Errors: none.
 * Threads: any number.
 *
 * Example:
 *
 *     const int thing = tabia_thing();
 *     if (thing) return 1;
 */
static inline int tabia_thing(void) {
    return 0;
}

#endif
"""
FRAGMENT = "```c\nint f(void);\n```\n"
THING = "include/tabia/thing.h"

WORDS = {"tests/structure/retired_words.txt": "kinship\tlocality\ttree\ttext\n"}
WIDE = SPDX + "typedef struct {\n" + "".join(f"    int m{n};\n" for n in range(21)) + "} Wide;\n"
USER = SPDX + '#include "base/wide.h"\nint f(Wide *w) {\n    return w->m3;\n}\n'

# A result file and a document with the table that is made from it.
RESULT = {"name": "speed", "title": "speed", "source": "recorded", "date": "2026-11-24", "command": "run", "commit": None,
          "compiler": None, "flags": None, "processor": "any", "processors": None, "load": None, "unit": "s", "repetitions": None,
          "spread": "none", "peers": [], "columns": [{"name": "time", "unit": "s", "digits": 1}],
          "rows": [{"name": "one", "cells": {"time": 1.5}}], "notes": []}
FIGURES = {"docs/results/speed.json": json.dumps(RESULT)}
DRAWN = ("<!-- results: speed -->\n|  | time, s |\n|--|--|\n| one | 1.5 |\n\n[Recorded 2026-11-24, any](results/speed.json)\n<!-- end -->\n")
TWICE = ("<!-- results: speed as a; speed as b -->\n|  | time, s |\n|--|--|\n| a: one | 1.5 |\n| b: one | 1.5 |\n\n"
         "[a: Recorded 2026-11-24, any](results/speed.json), [b: Recorded 2026-11-24, any](results/speed.json)\n<!-- end -->\n")
PLOTTED = "<!-- results: speed | plot: time -->\n![speed: time](results/speed.svg)\n<!-- end -->\n"

CLAIM = {"name": "one", "document": "README.md", "sentence": "One holds.", "result": "speed", "figure": {"seconds": ""},
         "unit": "s", "holds": "== 0", "command": "one", "mechanism": "one", "ablation": "two"}
CLAIMED = {**FIGURES, "README.md": "**One\nholds**. Then two.\n", "docs/claims.json": json.dumps({"claims": [CLAIM]})}

# The test, the files added to the sound tree, and words that must be said; no words: nothing may be found.
CASES = [
    (["layers.py"], {}, ""),
    (["layers.py"], {"src/base/up.h": SPDX + '#include "table/mid.h"\n'}, "the arrow points up"),
    (["layers.py"], {"src/games/chess/rules/g.h": SPDX, "src/perft/p.c": '#include "games/chess/rules/g.h"\n'}, "names a game"),
    (["layers.py"], {"src/games/chess/eval/g.h": SPDX, "src/perft/p.c": '#include "eval/g.h"\n'}, "perft may not see games/eval"),
    (["layers.py"], {"src/attic/a.h": SPDX + '#include "base/low.h"\n'}, "no known layer"),
    (["layers.py"], {"src/base/a.h": '#include "b.h"\n', "src/base/b.h": '#include "a.h"\n'}, "include cycle"),
    (["layers.py"], {"src/base/m.c": "#include <mpi.h>\n"}, "mpi.h"),
    (["layers.py"], {"docs/architecture.md": "    src/base/  bits\n"}, "does not show src/table/"),
    (["headers.py"], {}, ""),
    (["headers.py"], {"src/base/needy.h": SPDX + "#pragma once\nuint64_t f(void);\n"}, "does not compile alone"),
    (["headers.py"], {"include/tabia/c.h": SPDX + "int tabia_f(int class);\n"}, "as C++20"),
    (["headers.py"], {"src/base/wide.h": SPDX + "#ifdef __AVX2__\nint f(Missing m);\n#endif\n"}, "for avx2"),
    (["manual.py"], {THING: PUBLIC}, ""),
    (["manual.py"], {THING: PUBLIC.replace("#endif", "int a;\nint b;\nint c;\nint d;\n#endif")}, "19 lines of comment for 10 of code"),
    (["manual.py"], {THING: PUBLIC.replace("Errors: none.\n * Threads: any number.\n *\n * E", "E")}, "says nothing under `Errors:`"),
    (["manual.py"], {THING: PUBLIC.replace("Example:", "For instance")}, "says nothing under `Example:`"),
    (["manual.py"], {THING: PUBLIC.replace("#endif", "TABIA_API int tabia_bare(void);\n#endif")}, "tabia_bare has no comment of its own"),
    (["examples.py"], {THING: PUBLIC, "README.md": FRAGMENT}, ""),
    (["examples.py"], {"docs/table.md": "```c\nmissing n;\n```\n"}, "docs/table.md:2:"),
    (["examples.py"], {"README.md": "No block.\n"}, "no fragment of C"),
    (["examples.py"], {THING: PUBLIC.replace("const int thing", "missing thing")}, "example of tabia_thing in thing.h:1"),
    (["shape.py"], {}, ""),
    (["shape.py"], {"src/base/bare.h": "typedef int Bare;\n"}, "no SPDX line"),
    (["shape.py"], {"tests/unit/long.c": LONG}, "f has 92 lines (limit 80)"),
    (["shape.py"], {"src/base/tail.h": SPDX + "typedef int T; \n"}, "white space"),
    (["shape.py"], {"README.md": "a line\n" * 121}, "README.md: more than 120 lines"),
    (["shape.py"], {"src/base/long.c": LONG}, "f has 92 lines"),
    (["shape.py"], {"src/base/many.h": SPDX + "static int f(int a, int b, int c, int d, int e, int g, int h) {\n    return a;\n}\n"},
     "f has 7 parameters"),
    (["shape.py"], {"src/base/tall.h": SPDX + "\n" * 600}, "601 lines"),
    (["shape.py"], {"src/base/wide.h": WIDE, **{f"src/base/u{n}.c": USER for n in range(4)}}, "struct Wide has 21 members"),
    (["words.py"], WORDS, ""),
    (["words.py"], {**WORDS, "src/base/a.h": SPDX + "int kinship_of(int p);\n"}, "kinship_of: the field says locality"),
    (["words.py"], {**WORDS, "docs/a.md": "Units go out by kinship.\n"}, "docs/a.md:1: the field says locality"),
    (["words.py"], {**WORDS, "src/base/a.h": "typedef int Low;\n"}, "a type Low in each"),
    (["words.py"], {"tests/structure/retired_words.txt": "kinship locality\n"}, "not `old<TAB>new"),
    (["results.py"], {**FIGURES, "docs/a.md": DRAWN}, ""),
    (["results.py"], {**FIGURES, "docs/a.md": DRAWN.replace("1.5", "1.4")}, "docs/a.md:1: not as its file makes it"),
    (["results.py"], {"docs/a.md": DRAWN}, "there is no docs/results/speed.json"),
    (["results.py"], {**FIGURES, "docs/a.md": TWICE}, ""),
    (["results.py"], {**FIGURES, "docs/a.md": DRAWN.replace("<!-- end -->", "")}, "a marker of results without its end"),
    (["results.py"], {**FIGURES, "docs/a.md": DRAWN + "\n| a | b |\n|--|--|\n| run | 1.5 s |\n"}, "docs/a.md:11: '1.5'"),
    (["results.py"], {**FIGURES, "docs/a.md": PLOTTED}, "docs/results/speed.svg: not as its file makes it"),
    (["results.py"], {**FIGURES, "docs/a.md": PLOTTED.replace("| plot", "| against: time | plot")}, "'against: time' is not understood"),
    (["results.py"], {**FIGURES, "docs/a.md": PLOTTED.replace("plot: time", "plot: time; size")}, "no column 'size'"),
    (["results.py"], {"docs/a.md": "|a|b|c|d|e|f|g|\n|--|--|--|--|--|--|--|\n"}, "docs/a.md: a table of more than 6 columns"),
    (["results.py"], {"docs/a.md": "<!-- not measured: versions -->\n| a | b |\n|--|--|\n| Open MPI | 4.1 |\n"}, ""),
    (["results.py"], {"docs/results/speed.json": json.dumps({k: v for k, v in RESULT.items() if k != "commit"})}, "lacks commit"),
    (["results.py"], {"docs/results/speed.json": json.dumps({**RESULT, "source": "measured"})}, "commit is null in a measured"),
    (["documented_claims.py"], CLAIMED, ""),
    (["documented_claims.py"], {**CLAIMED, "README.md": "One fails.\n"}, "README.md does not say 'One holds.'"),
    (["documented_claims.py"], {**CLAIMED, "docs/results/speed.json": None}, "there is no docs/results/speed.json"),
    (["documented_claims.py"], {**CLAIMED, "docs/claims.json": "{}"}, "a list `claims` is wanted"),
    (["style.py"], {"src/base/bent.h": SPDX + "typedef   int Bent;\n"}, "clang-format"),
]


def write(root, files):
    for path, text in files.items():
        if text is None:
            continue
        os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(text)


def verdict(command, words):
    """None if the test said what it should, else what it said."""
    run = subprocess.run(command, capture_output=True, text=True)
    good = run.returncode == 1 and words in run.stdout if words else run.returncode == 0
    return None if good else f"{command}: exit {run.returncode}, wanted '{words}':\n{run.stdout}{run.stderr}"


def check_tree(test, files, words):
    with tempfile.TemporaryDirectory() as root:
        shutil.copy(os.path.join(HERE, "../../.clang-format"), root)
        for folder in ("include", "src") if test[0] == "examples.py" else ():
            only_headers = lambda place, names: [n for n in names if "." in n and not n.endswith(".h")]
            shutil.copytree(os.path.join(HERE, "../..", folder), os.path.join(root, folder), ignore=only_headers)
        write(root, {**SOUND, **files})
        return verdict([sys.executable, os.path.join(HERE, test[0]), *test[1:], root], words)


# A library of one file, its public header, the mode of symbols.py, and the words that must be said.
HEADER = ("#define TABIA_API\n/* tabia_old(): gone */\nTABIA_API int *tabia_good(\n    int n);\n"
          "TABIA_CLUSTER_API void tabia_far(void);\n")
GOOD = "static const char *const names[] = {\"a\"};\nconst char *tabia_good(int n) { return names[n]; }\n"
LIBRARIES = [
    ("names", GOOD, ""),
    ("names", GOOD + "int stray(void) { return 2; }\n", "shows the name stray"),
    ("api", GOOD, ""),
    ("api", GOOD + "int tabia_more(void) { return 2; }\n", "shows tabia_more, which no public header declares"),
    ("api", GOOD.replace("good", "other"), "lacks tabia_good, which a public header declares"),
    ("api of the cluster", "void tabia_far(void) {}\n", ""),
    ("api of the cluster", "void tabia_far(void) {}\n" + GOOD, "shows tabia_good, which no public header declares"),
    ("state", GOOD, ""),
    ("state", GOOD + "int tabia_next(void) { static int n; return n++; }\n", "bytes of state in .bss"),
    ("state", GOOD + "int tabia_n = 3;\n", "bytes of state in tabia_n"),
    ("state", GOOD + "int tabia_own(void) { static _Thread_local int n; return n++; }\n", "bytes of state in .tbss"),
]


def check_calls(compiler, called, words):
    """layers.py with a build folder in which base calls that function; b is the table's."""
    with tempfile.TemporaryDirectory() as root:
        write(root, {**SOUND, "src/base/a.c": f"void {called}(void);\nvoid a(void) {{\n    {called}();\n}}\n",
                     "src/table/b.c": "void b(void);\nvoid b(void) {\n}\n"})
        commands = [{"directory": root, "file": f"src/{path}.c", "output": path.replace("/", "_") + ".o"} for path in ("base/a", "table/b")]
        for c in commands:
            subprocess.run([compiler, "-c", os.path.join(root, c["file"]), "-o", os.path.join(root, c["output"])], check=True)
        write(root, {"compile_commands.json": json.dumps(commands)})
        return verdict([sys.executable, os.path.join(HERE, "layers.py"), root, root], words)


def check_symbols(compiler, mode, text, words):
    with tempfile.TemporaryDirectory() as root:
        write(root, {"a.c": text, "headers/a.h": HEADER})
        library, part, headers = (os.path.join(root, n) for n in ("liba.so", "a.o", "headers"))
        subprocess.run([compiler, "-c", "-fPIC", os.path.join(root, "a.c"), "-o", part], check=True)
        subprocess.run([compiler, "-shared", part, "-o", library], check=True)
        arguments = {"names": [part], "api": [library, headers, "TABIA_API"], "state": [part, library],
                     "api of the cluster": [library, headers, "TABIA_CLUSTER_API"]}[mode]
        return verdict([sys.executable, os.path.join(HERE, "symbols.py"), mode.split()[0], *arguments], words)


def main():
    lacking = [] if shutil.which("clang-format") else [["style.py"]]
    foreign = [] if platform.machine() == "x86_64" else ["for avx2"]
    plain_c = [] if shutil.which("g++") or shutil.which("clang++") else ["as C++20"]
    cases = [c for c in CASES if c[0] not in lacking and c[2] not in foreign + plain_c]
    compiler = next((c for c in ("cc", "clang", "gcc") if shutil.which(c)), None)
    libraries = LIBRARIES if compiler and shutil.which("nm") and shutil.which("objdump") else []
    faults = [check_tree(*case) for case in cases] + [check_symbols(compiler, *case) for case in libraries]
    faults += [check_calls(compiler, "c", ""), check_calls(compiler, "b", "base calls b of table")] if libraries else []
    faults = [f for f in faults if f]
    print("\n".join(faults) or f"{len(cases) + len(libraries)} broken and sound trees distinguished")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
