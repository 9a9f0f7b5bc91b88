# SPDX-License-Identifier: MIT
"""
The mutation tester: the sites that it finds in a text, the sample that a seed gives, and a whole run on a tree of two functions,
where a weak test lets mutants survive and a better one catches them.

    mutate.py ROOT COMPILER
"""

import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT, COMPILER = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(ROOT, "tests", "mutate"))
import mutate_report  # noqa: E402
import mutate_sites  # noqa: E402

FOUND = [
    # a text, and each change that must be found in it: (operator, the line with the change)
    ("int f(int a) { return a <= 4; }", [
        ("return", "int f(int a) { return !(a <= 4); }"), ("comparison", "int f(int a) { return a < 4; }"),
        ("comparison", "int f(int a) { return a > 4; }"), ("constant", "int f(int a) { return a <= 5; }")]),
    ("x = a + b * c - 0x1f;", [
        ("arithmetic", "x = a - b * c - 0x1f;"), ("term", "x = a - 0x1f;"), ("arithmetic", "x = a + b * c + 0x1f;"),
        ("term", "x = a + b * c ;"), ("constant", "x = a + b * c - 0x20;")]),
    ("x = a && !b << c;", [
        ("logic", "x = a || !b << c;"), ("term", "x = a ;"), ("sign", "x = a && b << c;"), ("shift", "x = a && !b >> c;")]),
    ("x = (Type)-y | -(z) ^ *p & m;", [
        ("sign", "x = (Type) y | -(z) ^ *p & m;"), ("bits", "x = (Type)-y & -(z) ^ *p & m;"), ("term", "x = (Type)-y ;"),
        ("sign", "x = (Type)-y | (z) ^ *p & m;"), ("bits", "x = (Type)-y | -(z) | *p & m;"), ("term", "x = (Type)-y | -(z) ;"),
        ("bits", "x = (Type)-y | -(z) ^ *p | m;"), ("term", "x = (Type)-y | -(z) ^ *p ;")]),
    ("{ if (a) put(&a, *b); free(c); show_progress(); }", [
        ("condition", "{ if ((a) && 0) put(&a, *b); free(c); show_progress(); }"),
        ("condition", "{ if ((a) || 1) put(&a, *b); free(c); show_progress(); }"),
        ("call", "{ if (a) ; free(c); show_progress(); }")]),
    ("{ return true; }", [("return", "{ return false; }")]),
    # Nothing is found in comments, texts, preprocessor lines, assertions, prefetches, attributes and sizes of arrays.
    ('/* a < b */ // 1 + 1\n#define A(x) ((x) < \\\n 1)\nconst char *s = "a < 1", c = \'<\';', []),
    ("{ assert(a < 1 && -b); static_assert(1 == 1, x); __builtin_prefetch(a + 1); int a[64], *b[2]; }", []),
    ("static void units_prefetch(int n) { if (n < 1) go(n + 1); }\nint x __attribute__((aligned(64)));", []),
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
    "src/table/clamp.h": SPDX + "#pragma once\ntypedef struct {\n    int n;\n} Same;\nint clamp(int n, int limit);\nSame same(Same s);\n",
    # Six mutants that count: half of them only a number above the limit shows, and >= is the same function.
    "src/table/clamp.c": SPDX + '#include "table/clamp.h"\nint clamp(int n, int limit) {\n    if (n > limit) return limit;\n    return n;\n}\n',
    # One that does not compile, and three that change no object code.
    "src/table/same.c": SPDX + '#include "table/clamp.h"\nSame same(Same s) {\n    (void)(s.n < 0);\n    return s;\n}\n',
    # Two that nothing is built of.
    "src/table/other_system.c": SPDX + "int other(void);\nint other(void) {\n    return 7;\n}\n",
}
WEAK = SPDX + '#include "table/clamp.h"\nint main(void) {\n    return clamp(1, 5) != 1 || same((Same){1}).n != 1;\n}\n'
# The better test is started in another way, so that the copy's meson files change too.
STRONG = WEAK.replace("(void) {\n    return clamp(1, 5) != 1", "(int n, char **words) {\n    return n != 2 || *words[1] != '7' || clamp(1, 5) != 1 || clamp(7, 5) != 5")
STRONG_MESON = MESON.replace("suite: 'unit'", "args: ['7'], suite: 'unit'")
FAILING = WEAK.replace("!= 1", "!= 2")
REASON = "src/table/clamp.c\n- if (n > limit) return limit;\n+ if (n >= limit) return limit;\n= a number at the limit is the limit\n"


def check(good, text):
    if not good:
        sys.exit("mutate.py: " + text)


def check_sites():
    for text, wanted in FOUND:
        found = [(s.operator, s.after) for s in mutate_sites.sites("src/a.c", text)]
        check(sorted(found) == sorted(wanted), f"in '{text}' there is\n{sorted(found)}\nand not\n{sorted(wanted)}")
    check(not mutate_sites.sites("src/eval/weights.c", "int a = 1;"), "fitted numbers are mutated")
    text = "if (a &&\n    b) c();"
    for site in mutate_sites.sites("src/a.c", text):
        check(mutate_sites.mutated(text, site).count("\n") == 1, f"the change '{site.after}' moves the lines below it")


def check_order():
    path, text = "src/a.c", "".join(f"int f{n}(int a) {{\n    return a < {n};\n}}\n" for n in range(20))

    def order(text, seed):
        return [s.after for s in mutate_sites.shuffled(mutate_sites.sites(path, text), seed)]

    check(order(text, 1) == order(text, 1), "one seed gives two samples")
    check(order(text, 1) != order(text, 2), "two seeds give one sample")
    moved = order("int g(int b) {\n    return b > 100;\n}\n" + text, 1)
    check([s for s in moved if "100" not in s and "b" not in s] == order(text, 1), "a function that comes first moves the rest")
    twice = mutate_sites.sites(path, "a = 1;\na = 1;\n")
    check(len({s.identity for s in twice}) == 2, "two equal lines are one site")


def write(tree, path, text):
    full = os.path.join(tree, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as file:
        file.write(text)


def run(tree, *more):
    command = [os.path.join(ROOT, "tests", "mutate", "mutate.py"), "--rooms", "src/table", "--compiler", COMPILER, *more]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=280)


def verdicts(tree):
    state = mutate_report.read_state(os.path.join(tree, "build-mutate", "state.jsonl"))
    return sorted((r["operator"], r["after"], r["verdict"]) for r in state.values())


def expect(tree, words, *more):
    done = run(tree, *more)
    for word in words:
        check(done.returncode == 0 and word in done.stdout, f"'{word}' is not said:\n{done.stdout}{done.stderr}")
    return done.stdout


def check_run(tree):
    """A weak test, the same with a part of its state lost, a better test, a reason, and no more reason."""
    state = os.path.join(tree, "build-mutate", "state.jsonl")
    write(tree, "tests/unit/test_clamp.c", WEAK)
    expect(tree, ["3 of 6 mutants caught, 50.0 %", "survivors: 3", "+ if ((n > limit) && 0) return limit;"], "--jobs", "2")
    weak = verdicts(tree)
    number = {v: sum(w[2] == v for w in weak) for v in (mutate_report.EQUAL, mutate_report.BROKEN, mutate_report.UNUSED)}
    check(number == {mutate_report.EQUAL: 3, mutate_report.BROKEN: 1, mutate_report.UNUSED: 2}, f"of same.c and other_system.c {number}")
    with open(state, encoding="utf-8") as file:
        lines = file.readlines()
    write(tree, "build-mutate/state.jsonl", "".join(lines[:5]) + lines[5][:20])
    expect(tree, ["3 of 6 mutants caught"], "--jobs", "1")
    with open(state, encoding="utf-8") as file:
        again = file.readlines()
    check(again[:5] == lines[:5] and len(again) == len(lines) + 1, "what was known has been tested again")
    check(verdicts(tree) == weak, "the verdicts of the second run are others")
    write(tree, "tests/unit/test_clamp.c", STRONG)
    write(tree, "meson.build", STRONG_MESON)
    expect(tree, ["5 of 6 mutants caught", "survivors: 1", "+ if (n >= limit) return limit;"], "--jobs", "1")
    write(tree, "tests/mutate_reasons.txt", REASON)
    expect(tree, ["survivors: 0", "survivors with a reason: 1", "= a number at the limit is the limit"], "--report")
    write(tree, "tests/mutate_reasons.txt", REASON.replace("- if (n", "- if (m"))
    done = run(tree, "--report")
    check(done.returncode == 1 and "take the block out" in done.stderr, "a reason whose line is gone stays:\n" + done.stderr)
    os.remove(os.path.join(tree, "tests/mutate_reasons.txt"))


def check_refusals(tree):
    write(tree, "tests/unit/test_clamp.c", FAILING)
    done = run(tree, "--jobs", "1")
    check(done.returncode == 1 and "fails the test 'clamp'" in done.stderr, "a tree that fails is mutated:\n" + done.stderr)
    done = run(tree, "--rooms", "src/attic")
    check(done.returncode == 2 and "no folder 'src/attic'" in done.stderr, "a folder that is not there is taken:\n" + done.stderr)


def main():
    check_sites()
    check_order()
    mutate_report.read_reasons(ROOT)
    with tempfile.TemporaryDirectory() as tree:
        for path, text in TREE.items():
            write(tree, path, text)
        os.makedirs(os.path.join(tree, "tools"))
        shutil.copy(os.path.join(ROOT, "tools", "configure"), os.path.join(tree, "tools"))
        check_run(tree)
        check_refusals(tree)
    print("sites, sample and verdicts are as they should be")


if __name__ == "__main__":
    main()
