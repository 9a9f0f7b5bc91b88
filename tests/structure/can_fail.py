# SPDX-License-Identifier: MIT
"""
A test that cannot fail proves nothing. Builds small broken trees and checks that each structure test finds what is
wrong with them, in the expected words, and that it finds nothing wrong with a sound one.

    can_fail.py
"""

import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SPDX = "/* SPDX-License-Identifier: MIT */\n"
SOUND = {"src/base/low.h": SPDX + "#pragma once\ntypedef int Low;\n",
         "src/table/mid.h": SPDX + '#pragma once\n#include "base/low.h"\ntypedef Low Mid;\n'}
LONG = SPDX + "int f(void) {\n" + "    (void)0;\n" * 90 + "}\n"

# The test, the files added to the sound tree, and words that must be said; no words: nothing may be found.
CASES = [
    (["layers.py"], {}, ""),
    (["layers.py"], {"src/base/up.h": SPDX + '#include "table/mid.h"\n'}, "the arrow points up"),
    (["layers.py"], {"src/games/chess/g.h": SPDX, "src/perft/p.c": '#include "games/chess/g.h"\n'}, "names a game"),
    (["layers.py"], {"src/base/a.h": '#include "b.h"\n', "src/base/b.h": '#include "a.h"\n'}, "include cycle"),
    (["layers.py"], {"src/base/m.c": "#include <mpi.h>\n"}, "mpi.h"),
    (["layers.py"], {"src/base/n.c": '#include "nowhere.h"\n'}, "no file of ours"),
    (["headers.py"], {}, ""),
    (["headers.py"], {"src/base/needy.h": SPDX + "#pragma once\nuint64_t f(void);\n"}, "does not compile alone"),
    (["style.py", "sizes"], {}, ""),
    (["style.py", "sizes"], {"src/base/bare.h": "typedef int Bare;\n"}, "no SPDX line"),
    (["style.py", "sizes"], {"src/base/tall.h": SPDX + "\n" * 450}, "451 lines"),
    (["style.py", "sizes"], {"src/base/long.c": LONG}, "a function of 92 lines"),
    (["style.py", "sizes"], {"src/base/tail.h": SPDX + "typedef int T; \n"}, "white space"),
    (["style.py", "form"], {"src/base/bent.h": SPDX + "typedef   int Bent;\n"}, "clang-format"),
]


def write(root, files):
    for path, text in files.items():
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
        write(root, {**SOUND, **files})
        return verdict([sys.executable, os.path.join(HERE, test[0]), *test[1:], root], words)


def check_symbols():
    """A library with a name of another kind, made by the compiler of this machine."""
    compiler = next((c for c in ("cc", "clang", "gcc") if shutil.which(c)), None)
    if not compiler or not shutil.which("nm"):
        return None
    with tempfile.TemporaryDirectory() as root:
        write(root, {"src/a.c": "int tabia_good(void) { return 1; }\nint stray(void) { return 2; }\n"})
        library = os.path.join(root, "a.o")
        subprocess.run([compiler, "-c", os.path.join(root, "src/a.c"), "-o", library], check=True)
        return verdict([sys.executable, os.path.join(HERE, "symbols.py"), library], "shows the name stray")


def main():
    cases = [c for c in CASES if c[0] != ["style.py", "form"] or shutil.which("clang-format")]
    faults = [f for f in [*(check_tree(*case) for case in cases), check_symbols()] if f]
    print("\n".join(faults) or f"{len(cases) + 1} broken and sound trees told apart")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
