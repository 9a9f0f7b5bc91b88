#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Mutation test: do the tests notice when the sources are wrong?

A mutant is the tree with one small change: an operator turned, a constant, a sign or an offset changed, a condition negated, a length
unchecked, a call left out, a file not brought to the disk, an atomic order relaxed.
Each is compiled in a private copy of the tree and tested until a test fails:

    caught            a test failed, or passed a limit of time
    survived          all tests passed: a test is missing, or no test can tell
    did not compile   refused by the compiler; not counted
    equal             no tested program changes; not counted

    tests/mutate.py --mutants 300                  a sample of 300 that count, as many of each layer
    tests/mutate.py --mutants 300                  again after Ctrl-C or new tests: resumes, and tests survivors anew
    tests/mutate.py --mutants 10 --layers src/data  one layer only
    tests/mutate.py --report                       prints what is known of the sources as they are, and runs nothing

The seed and the sources decide the sample. Tests run in the order in which they catch soonest: that of the mutated file, those that
include a header of its layer, all other unit tests, then whole programs. A test whose program is the same with and without the change
is not run. The tree itself must pass first. Verdicts are in FOLDER/state.jsonl, one line for each mutant; they hold while the mutated
file is as it was.
"""

import argparse
import collections
import concurrent.futures
import fcntl
import hashlib
import itertools
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from typing import NamedTuple

LAYERS = ["src/base", "src/cluster", "src/data", "src/datagen", "src/distributed", "src/games", "src/mate", "src/network", "src/perft",
          "src/search", "src/serve", "src/table", "src/train", "src/uci"]
CAUGHT, SURVIVED, BROKEN, EQUAL = "caught", "survived", "did not compile", "equal"
COUNTED = (CAUGHT, SURVIVED)
SKIPPED = 77  # what meson takes for a skipped test
COMPILE_SECONDS, TEST_SECONDS = 1800, 120
# Low optimisation: a kernel of perft takes minutes otherwise. Assertions are on, as in make sanitize.
MESON_OPTIONS = ("-Dbuildtype=release", "-Doptimization=1", "-Db_ndebug=false", "-Dportable=false")
# Tests of whole programs that are worth their time. Unit tests are all run.
WHOLE = ("bench_nodes", "uci", "uci_bugs", "usi", "shogi_perft", "named_perft", "bad_input", "data_tools_outside", "shogi_data",
         "data_endless", "gensfen", "rescore", "table_stress", "ledger_kill", "mate", "train_outside", "serve", "mpi_perft_openmpi",
         "mpi_uci_openmpi", "model", "fuzz rules", "fuzz last_two", "fuzz shogi_rules", "fuzz shogi_last_two")
MUTATED = re.compile(r"(?<!/weights)\.[ch]$")  # fitted numbers have no right value
INCLUDE = re.compile(r'^#include "(?:tabia/)?([\w/]+)', re.MULTILINE)


class Stopped(Exception):
    """The run was interrupted."""


# ---- where a source can be mutated ----

# What is not code of the program, or what no test can or should notice: comments, texts, preprocessor lines, assertions, prefetches.
BLANK = re.compile(r"/\*.*?\*/|//[^\n]*|^\#(?:\\\n|[^\n])*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
                   r"|\b(?:\w*assert|\w*prefetch\w*|__attribute__|_Alignas)\b\s*\([^;{]*\)", re.DOTALL | re.MULTILINE)
SWAPS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",), "&&": ("||",),
         "||": ("&&",), "+": ("-",), "-": ("+",), "+=": ("-=",), "-=": ("+=",), "/": ("*",), "%": ("/",), "<<": (">>",), ">>": ("<<",),
         "&": ("|",), "|": ("&",), "^": ("|",), "&=": ("|=",), "|=": ("&=",), "^=": ("|=",)}
# clang-format puts spaces on both sides of a binary operator, and none behind a unary one.
BINARY = re.compile(r"(?<= )(?:<<|>>|[<>=!&|+\-^]=|&&|\|\||[-+/%&|^<>])(?=[ \n])")
SIGN = re.compile(r"(?<=[(\[ ,])[-!](?=[\w(])")
CONSTANT = re.compile(r"(?<![\w.\[])(?:0x[0-9a-fA-F]+|[1-9]\d*|0)(?=[uUlL]*(?![\w.\]]))")
CONDITION = re.compile(r"\bif (\()")
# What the machine seldom punishes: an order, a call that brings bytes to the disk or cuts them off, an offset, a length unchecked.
ORDER = re.compile(r"\bmemory_order_(?:acquire|release|acq_rel|seq_cst)\b")
SAFE = re.compile(r"(?:(?<=[(!])|(?<=&& )|(?<=\|\| )|(?<== )|(?<=return ))(?:\w*(?<!re)sync(?:_now)?|tabia_file_truncate)(\()")
OFFSET = re.compile(r"\btabia_file_(?:pread|pwrite|write_all|truncate)(\()(?!int )")
UNCHECKED = re.compile(r"\bif (\()(?=[^{;\n]* [<>]=? [^{;\n]*\) return\b)")
CALL = re.compile(r"^ +(?!free|(?:\w+_)?progress|return)\w+(\()", re.MULTILINE)


class Site(NamedTuple):
    path: str
    start: int
    end: int
    new: str
    line: int
    before: str  # the line, without the space around it, and the same with the change
    after: str
    identity: str
    file: str  # of which a verdict holds


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def closing(code, opening):
    """The place of the parenthesis that closes this one; the end of the text if none does."""
    depth = 0
    for at in range(opening, len(code)):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        if depth == 0:
            return at
    return len(code) - 1


def changes(text, code):
    """(start, end, new text) of each change; `code` is the text with blanks for what is none."""
    for m in BINARY.finditer(code):
        yield from ((m.start(), m.end(), new) for new in SWAPS.get(m.group(), ()))
    for m in SIGN.finditer(code):
        yield m.start(), m.end(), " "
    for m in CONSTANT.finditer(code):
        yield m.start(), m.end(), str(int(m.group(), 0) + 1)
    for m in CONDITION.finditer(code):
        end = closing(code, m.start(1)) + 1
        yield m.start(1), end, f"(!{text[m.start(1):end]})"
    for m in UNCHECKED.finditer(code):
        end = closing(code, m.start(1)) + 1
        yield m.start(1), end, f"(0 && {text[m.start(1):end]})"
    for m in ORDER.finditer(code):
        yield m.start(), m.end(), "memory_order_relaxed"
    for m in SAFE.finditer(code):
        yield m.start(), closing(code, m.start(1)) + 1, str(int("tabia" in m.group() or "now" in m.group() or "log" in m.group()))
    for m in OFFSET.finditer(code):
        end = closing(code, m.start(1))
        yield end, end, " + 1"
    for m in CALL.finditer(code):
        end = closing(code, m.start(1)) + 1
        if code[end:end + 1] == ";":
            yield m.start(), end, " "


def sites(path, text):
    """All sites of a text. Each is known by its line and its change, so that a change elsewhere leaves the order of the rest."""
    code = BLANK.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    found, seen, file = [], collections.Counter(), digest(text)
    for start, end, new in sorted(set(changes(text, code))):
        first, last = text.rfind("\n", 0, start) + 1, (text + "\n").find("\n", end)
        before, after = " ".join(text[first:last].split()), " ".join((text[first:start] + new + text[end:last]).split())
        seen[before, after, start - first] += 1
        identity = digest(f"{path} {before} {after} {start - first} {seen[before, after, start - first]}")
        found.append(Site(path, start, end, new, text.count("\n", 0, start) + 1, before, after, identity, file))
    return found


def mutated(text, site):
    """With as many lines as before."""
    lines = text.count("\n", site.start, site.end) - site.new.count("\n")
    return text[:site.start] + site.new + "\n" * lines + text[site.end:]


def sample(root, layers, seed):
    """The sites of each layer in the seed's order: {layer: [site]}."""
    order = {}
    for layer in layers:
        if not os.path.isdir(os.path.join(root, layer)):
            give_up(f"there is no folder '{layer}': --layers are folders of sources such as src/table", 2)
        order[layer] = []
        for path in sorted(p for p in files_of(root) if p.startswith(layer.rstrip("/") + "/") and MUTATED.search(p)):
            order[layer] += sites(path, read(root, path))
        order[layer].sort(key=lambda site: digest(f"{seed} {site.identity}"))
    return order


# ---- a copy of the tree, in which mutants are compiled and tested ----

def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def files_of(root):
    """All but version control and build folders."""
    for place, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in (".git", "__pycache__") and not (place == root and f.startswith("build"))]
        yield from (os.path.relpath(os.path.join(place, name), root) for name in names if name != ".git")


class Workplace:
    """FOLDER/NUMBER/tree, built once with the unmutated sources."""

    def __init__(self, folder, number, stopping):
        self.place = os.path.join(os.path.abspath(folder), str(number))
        self.tree, self.build = os.path.join(self.place, "tree"), os.path.join(self.place, "tree/build")
        self.stopping, self.usual, self.digests = stopping, {}, {}

    def run(self, command, seconds, **more):
        """(status, or None where it was killed at that time; what it printed)"""
        with open(os.path.join(self.place, "log"), "w+b") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **more)
            status, end = None, time.monotonic() + seconds
            while status is None and time.monotonic() < end and not self.stopping.is_set():
                try:
                    status = process.wait(0.2)
                except subprocess.TimeoutExpired:
                    pass
            try:
                os.killpg(process.pid, signal.SIGKILL)  # and what it has left behind
            except ProcessLookupError:
                pass
            process.wait()
            if self.stopping.is_set():
                raise Stopped
            log.seek(0)
            return status, log.read().decode(errors="replace")[-3000:]

    def must(self, what, command, **more):
        status, said = self.run(command, COMPILE_SECONDS, **more)
        if status != 0:
            give_up(f"{what}:\n{said}")

    def prepare(self, root, compiler):
        """Brings the copy to the tree's state and builds it; sets self.tests."""
        for path in set(files_of(self.tree)) - set(files_of(root)):
            os.remove(os.path.join(self.tree, path))
        for path in files_of(root):
            copy = os.path.join(self.tree, path)
            if not os.path.exists(copy) or read_bytes(copy) != read_bytes(os.path.join(root, path)):
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copy(os.path.join(root, path), copy)
        os.makedirs(self.place, exist_ok=True)
        self.must("the copy could not be set up", ["tools/configure", "build", compiler, *MESON_OPTIONS], cwd=self.tree)
        self.must("the copy could not be set up anew", ["ninja", "-C", self.build, "build.ninja"])
        programs = {t["id"]: os.path.relpath(t["filename"][0], self.build) for t in self.ask("targets")}
        self.tests = [t for t in self.ask("tests") if t["name"] in WHOLE or any(s.endswith(":unit") for s in t["suite"])]
        for test in self.tests:
            test["needs"] = [programs[target] for target in test["depends"]]
            source = f"tests/unit/test_{test['name']}.c"
            test["headers"] = INCLUDE.findall(read(self.tree, source)) if os.path.exists(os.path.join(self.tree, source)) else []
        self.must("the unmutated tree could not be compiled", ["ninja", "-C", self.build, "-j", "1", *sorted(self.needs())])
        self.digests = {path: self.digest(path) for path in self.needs()}

    def ask(self, what):
        return json.loads(subprocess.run(["meson", "introspect", self.build, "--" + what], capture_output=True, check=True).stdout)

    def needs(self):
        return {path for test in self.tests for path in test["needs"]}

    def digest(self, path):
        return hashlib.sha256(read_bytes(os.path.join(self.build, path))).digest()

    def compile(self, needs):
        return self.run(["ninja", "-C", self.build, "-j", "1", *needs], COMPILE_SECONDS)[0]

    def test(self, test, seconds):
        def limits():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 30, 4 << 30))
            with open("/proc/self/oom_score_adj", "w") as file:
                file.write("1000")  # where memory runs out, it is this process that ends
        folder = os.path.join(self.place, "tmp")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return self.run(test["cmd"], seconds, cwd=test["workdir"] or self.build, preexec_fn=limits,
                        env={**os.environ, "MALLOC_PERTURB_": "165", **test["env"], "TMPDIR": folder})

    def time_tests(self):
        """The unmutated tree must pass; what takes too long or is skipped is left out."""
        for test in list(self.tests):
            began = time.monotonic()
            status, said = self.test(test, TEST_SECONDS)
            self.usual[test["name"]] = time.monotonic() - began
            if status in (None, SKIPPED):
                self.tests.remove(test)
            elif status:
                give_up(f"the tree without a mutation fails the test '{test['name']}':\n{said}")

    def ordered(self, path):
        """The tests, the nearest to the mutated file first, and of equals the shortest."""
        stem, header = os.path.basename(path).rsplit(".", 1)[0], path.rsplit(".", 1)[0].removeprefix("src/")
        layer = header.rsplit("/", 1)[0]

        def nearness(test):
            if test["name"] == stem or any(header.endswith(h) for h in test["headers"]):
                return 0
            return 1 if any(layer.endswith(os.path.dirname(h) or "table") for h in test["headers"]) else 2 if test["headers"] else 3
        return sorted(self.tests, key=lambda test: (nearness(test), self.usual.get(test["name"], 0)))

    def verdict(self, path):
        """(verdict, by which test) of the mutated tree."""
        ran = False
        for test in self.ordered(path):
            if self.compile(test["needs"]) != 0:
                return BROKEN, ""
            if all(self.digest(need) == self.digests[need] for need in test["needs"]):
                continue
            ran = True
            if self.test(test, 10 * self.usual[test["name"]] + 30)[0] not in (0, SKIPPED):
                return CAUGHT, test["name"]
        return (SURVIVED if ran else EQUAL), ""

    def judge(self, site):
        text, full = read(self.tree, site.path), os.path.join(self.tree, site.path)
        try:
            with open(full, "w", encoding="utf-8") as file:
                file.write(mutated(text, site))
            return self.verdict(site.path)
        finally:
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


# ---- the run ----

class Run:
    """What is known, and what comes next: of each layer its first site that is not known, until so many of the layer count."""

    def __init__(self, asked, order):
        self.asked, self.order, self.lock = asked, order, threading.Lock()
        self.state = os.path.join(asked.folder, "state.jsonl")
        here, self.known = {site.identity: site.file for layer in order.values() for site in layer}, {}
        for record in self.whole_lines():
            if record["file"] == here.get(record["id"]) and (asked.report or record["verdict"] != SURVIVED):
                self.known[record["id"]] = record
        self.shares = dict.fromkeys(order, -(-asked.mutants // len(order)))
        self.waiting = {layer: iter([s for s in found if s.identity not in self.known]) for layer, found in order.items()}
        self.counted = collections.Counter(r["layer"] for r in self.known.values() if r["verdict"] in COUNTED)

    def whole_lines(self):
        """The records of the state. A line that was cut off is removed, and its mutant tested again."""
        with open(self.state, "a+b") as file:
            file.seek(0)
            lines = [line for line in file if line.endswith(b"}\n")]
            file.truncate(sum(map(len, lines)))
        return map(json.loads, lines)

    def next(self):
        with self.lock:
            for layer in sorted(self.order, key=lambda layer: self.counted[layer] / self.shares[layer]):
                if self.counted[layer] < self.shares[layer] and (site := next(self.waiting[layer], None)):
                    self.counted[layer] += 1  # until it turns out not to count
                    return layer, site
        return None

    def end(self, layer, site, verdict, by):
        record = {"id": site.identity, "file": site.file, "layer": layer, "path": site.path, "line": site.line, "before": site.before,
                  "after": site.after, "verdict": verdict, "by": by}
        with self.lock:
            self.counted[layer] -= verdict not in COUNTED
            self.known[site.identity] = record
            with open(self.state, "a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
            print(f"[{sum(self.counted.values())}/{self.asked.mutants}] {verdict} {by}: {site.path}:{site.line}: {site.after}", flush=True)

    def report(self):
        for layer in [*self.order, "all"]:
            number = collections.Counter(r["verdict"] for r in self.known.values() if layer in (r["layer"], "all"))
            print(f"{layer:14} " + ", ".join(f"{number[verdict]} {verdict}" for verdict in (CAUGHT, SURVIVED, BROKEN, EQUAL)))
        left = sorted((r["path"], r["line"], r["before"], r["after"]) for r in self.known.values() if r["verdict"] == SURVIVED)
        for path, line, before, after in left:
            print(f"\n{path}:{line}:\n  - {before}\n  + {after}")
        counted = sum(r["verdict"] in COUNTED for r in self.known.values())
        print(f"\n{counted - len(left)} of {counted} mutants caught, {100 * (counted - len(left)) / max(counted, 1):.1f} %")


def give_up(text, status=1):
    print(f"mutate: {text}", file=sys.stderr)
    os._exit(status)  # from any thread


def options():
    parser = argparse.ArgumentParser(prog="tests/mutate.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=300, help="how many that count, as many of each layer (300)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="mutants at a time, each in its own copy (2)")
    parser.add_argument("--layers", nargs="+", default=LAYERS, metavar="LAYER", help="folders of sources (%(default)s)")
    parser.add_argument("--folder", default="build-mutate", help="copies and state, a gigabyte for each job (%(default)s)")
    parser.add_argument("--compiler", default=os.environ.get("CC") or "clang", help="(CC, or else clang)")
    parser.add_argument("--report", action="store_true", help="print the report and end")
    return parser.parse_args()


def work(run, place, root):
    place.prepare(root, run.asked.compiler)
    place.time_tests()
    while (job := run.next()) is not None:
        run.end(*job, *place.judge(job[1]))


def main():
    asked, root, stopping = options(), os.getcwd(), threading.Event()
    os.makedirs(asked.folder, exist_ok=True)
    run = Run(asked, sample(root, asked.layers, asked.seed))
    if not asked.report:
        lock = open(os.path.join(asked.folder, "lock"), "w", encoding="utf-8")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # until this process ends
        except OSError:
            give_up(f"another run is at work in {asked.folder}: wait for its end, or name another --folder", 2)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stopping.set())
        places = [Workplace(asked.folder, n, stopping) for n in range(asked.jobs)]
        try:
            with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
                list(pool.map(work, itertools.repeat(run), places, itertools.repeat(root)))
        except Stopped:
            give_up(f"stopped; the same command goes on from {run.state}", 130)
    run.report()


if __name__ == "__main__":
    main()
