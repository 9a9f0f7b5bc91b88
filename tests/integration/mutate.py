# SPDX-License-Identifier: MIT
"""
The mutation tester: the sites that it finds in a text, and a whole run on a tree of two functions, where a weak test lets mutants
survive and a better one catches them.

    mutate.py ROOT COMPILER
"""

import os
import shutil
import subprocess
import sys
import tempfile

from programs import check

sys.dont_write_bytecode = True
ROOT, COMPILER = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests"))
import mutate  # noqa: E402

# A text, and each line with a change that must be found in it.
FOUND = [
    ("int f(int a) { return a <= 4; }", ["int f(int a) { return a < 4; }", "int f(int a) { return a > 4; }", "int f(int a) { return a <= 5; }"]),
    ("x = a + b * c - 0x1f;", ["x = a - b * c - 0x1f;", "x = a + b * c + 0x1f;", "x = a + b * c - 32;"]),
    ("x = (a && !b) << c;", ["x = (a || !b) << c;", "x = (a && b) << c;", "x = (a && !b) >> c;"]),
    ("    if (a) put(&a, *b);\n    drop(b);\n    free(c);", ["if (!(a)) put(&a, *b);", ";"]),
    ("    if (n > 1) return n;", ["if (n >= 1) return n;", "if (n <= 1) return n;", "if (n > 2) return n;", "if (!(n > 1)) return n;", "if (0 && (n > 1)) return n;"]),
    ("x = atomic_load_explicit(&a, memory_order_acquire);", ["x = atomic_load_explicit(&a, memory_order_relaxed);"]),
    ("bool tabia_file_sync(int f) {\n    good = fsync(f) == b && tabia_file_truncate(f, at);", [
        "good = 0 == b && tabia_file_truncate(f, at);", "good = fsync(f) == b && 1;", "good = fsync(f) != b && tabia_file_truncate(f, at);",
        "good = fsync(f) == b || tabia_file_truncate(f, at);", "good = fsync(f) == b && tabia_file_truncate(f, at + 1);"]),
    # Nothing is found in comments, texts, preprocessor lines, assertions, prefetches and sizes of arrays.
    ('/* a < b */ // 1 + 1\n#define A(x) ((x) < \\\n 1)\nconst char *s = "a < 1", c = \'<\';', []),
    ("{ assert(a < 1 && -b); _Static_assert(1 == 1, x); __builtin_prefetch(a + 1); int a[64], *b[2]; }", []),
]

MESON = """project('tabia', 'c', version: '1')
includes = include_directories('src')
half = static_library('half', 'src/table/clamp.c', 'src/table/same.c', include_directories: includes)
test('clamp', executable('test_clamp', 'tests/unit/test_clamp.c', include_directories: includes, link_with: half), suite: 'unit')
"""
SPDX = "/* SPDX-License-Identifier: MIT */\n"
TREE = {
    "meson.build": MESON,
    "meson_options.txt": "option('mpi', type: 'string', value: '')\noption('portable', type: 'boolean', value: false)\n",
    "src/table/clamp.h": SPDX + "#pragma once\nint clamp(int n, int limit);\nint same(int n);\n",
    # Four mutants, of which a number at the limit shows none; >= is the same function.
    "src/table/clamp.c": SPDX + '#include "table/clamp.h"\nint clamp(int n, int limit) {\n    if (n > limit) return limit;\n    return n;\n}\n',
    # Two that change no object code, and one that does not compile.
    "src/table/same.c": SPDX + '#include "table/clamp.h"\nint same(int n) {\n    (void)(n < n);\n    int *at = 0, m;\n    (void)at;\n'
                               "    (void)sizeof(char[1 - 1 + sizeof m]);\n    return n;\n}\n",
}
WEAK = SPDX + '#include "table/clamp.h"\nint main(void) {\n    return clamp(5, 5) != 5 || same(1) != 1;\n}\n'
STRONG = WEAK.replace("!= 5 ||", "!= 5 || clamp(7, 5) != 5 || clamp(1, 5) != 1 ||")


def check_sites():
    for text, wanted in FOUND:
        found = [s.after for s in mutate.sites("src/a.c", text)]
        check(sorted(found) == sorted(wanted), f"in '{text}' there is\n{sorted(found)}\nand not\n{sorted(wanted)}")
    text = "if (a &&\n    b) c();"
    for site in mutate.sites("src/a.c", text):
        check(mutate.mutated(text, site).count("\n") == 1, f"the change '{site.after}' moves the lines below it")
    twice = mutate.sites("src/a.c", "a = 1;\na = 1;\n")
    check(len({s.identity for s in twice}) == 2, "two equal lines are one site")


def write(tree, path, text):
    full = os.path.join(tree, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as file:
        file.write(text)


def run(tree, *more):
    command = [os.path.join(ROOT, "tests/mutate.py"), "--layers", "src/table", "--compiler", COMPILER, *more]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=280)


def expect(tree, words, *more):
    done = run(tree, *more)
    for word in words:
        check(done.returncode == 0 and word in done.stdout, f"'{word}' is not said:\n{done.stdout}{done.stderr}")


def check_run(tree):
    """A weak test, a better one after a part of the state was lost, and one that fails without a mutant."""
    state = os.path.join(tree, "build-mutate", "state.jsonl")
    write(tree, "tests/unit/test_clamp.c", WEAK)
    expect(tree, ["0 of 4 mutants caught", "+ if (!(n > limit)) return limit;", "5 equal", "1 did not compile"], "--jobs", "2")
    with open(state, encoding="utf-8") as file:
        lines = file.readlines()
    write(tree, "build-mutate/state.jsonl", "".join(lines) + lines[0][:20])
    write(tree, "tests/unit/test_clamp.c", STRONG)
    expect(tree, ["3 of 4 mutants caught", "+ if (n >= limit) return limit;"], "--jobs", "1")
    with open(state, encoding="utf-8") as file:
        check(len(file.readlines()) == len(lines) + 4, "more than the survivors, or less, has been tested again")
    for _ in range(2):  # what is judged outlives the folder
        expect(tree, ["3 of 4 mutants caught"], "--judged", "judged", "--report")
        write(tree, "build-mutate/state.jsonl", "")
    write(tree, "tests/unit/test_clamp.c", WEAK.replace("same(1) != 1", "same(1) != 2"))
    done = run(tree, "--jobs", "1")
    check(done.returncode == 1 and "fails the test 'clamp'" in done.stderr, "a tree that fails is mutated:\n" + done.stderr)
    done = run(tree, "--layers", "src/attic")
    check(done.returncode == 2 and "no folder 'src/attic'" in done.stderr, "a folder that is not there is taken:\n" + done.stderr)


def main():
    check_sites()
    with tempfile.TemporaryDirectory() as tree:
        for path, text in TREE.items():
            write(tree, path, text)
        os.makedirs(os.path.join(tree, "tools"))
        shutil.copy(os.path.join(ROOT, "tools", "configure"), os.path.join(tree, "tools"))
        check_run(tree)
    print("sites and verdicts are as they should be")


if __name__ == "__main__":
    main()
