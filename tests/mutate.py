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
    pending           passed the likeliest tests; will run the others in one tree with others like it

    tests/mutate.py --mutants 300                  a sample of 300 that count, as many of each layer
    tests/mutate.py --mutants 300                  again after Ctrl-C or new tests: resumes, and tests survivors anew
    tests/mutate.py --mutants 10 --layers src/data  one layer only
    tests/mutate.py --mutants 500 --layers src     each place of all sources is as likely
    tests/mutate.py --report                       prints what is known of the sources as they are, and runs nothing

The seed and the sources decide the sample. Tests run in the order in which they catch soonest: first the short ones that are near the
mutated file, or caught others in its folder. A test whose program is the same with and without the change is not run, nor one that a
survivor has passed before. The tree itself must pass first. Verdicts are in FOLDER/state.jsonl, one line for each mutant; they hold
while the mutated file is as it was. --report --judged FILE adds them to those of earlier runs. A survivor with a "reason" there is not run again.
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

LAYERS = ["src/base", "src/cluster", "src/compare", "src/data", "src/datagen", "src/distributed", "src/games", "src/lab", "src/mate",
          "src/network", "src/perft", "src/search", "src/serve", "src/table", "src/train", "src/uci"]
CAUGHT, SURVIVED, BROKEN, EQUAL, PENDING = "caught", "survived", "did not compile", "equal", "pending"
COUNTED, REASON = (CAUGHT, SURVIVED), "with a reason"
SKIPPED = 77  # what meson takes for a skipped test
COMPILE_SECONDS, TEST_SECONDS = 1800, 120
FEW_OBJECTS, LIKELIEST_SECONDS, TOGETHER = 12, 10, 16
# Low optimisation: a kernel of perft takes minutes otherwise. Assertions are on, as in make sanitize.
MESON_OPTIONS = ("-Dbuildtype=release", "-Doptimization=1", "-Db_ndebug=false", "-Dportable=false")
# Tests of whole programs that are worth their time. Unit tests are all run.
WHOLE = ("bench_nodes", "uci", "uci_bugs", "usi", "shogi_perft", "named_perft", "bad_input", "data_tools_outside", "shogi_data", "options",
         "data_endless", "stops", "gensfen", "shogi_gensfen", "rescore", "table_stress", "ledger_kill", "mate", "train_outside", "serve", "lab",
         "mpi_perft_openmpi", "mpi_uci_openmpi", "model", "fuzz rules", "fuzz last_two", "fuzz shogi_rules", "fuzz shogi_last_two")
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

    def __init__(self, root, folder, number, stopping, catches):
        self.root, self.changed = root, set()
        self.place = os.path.join(os.path.abspath(folder), str(number))
        self.tree, self.build = os.path.join(self.place, "tree"), os.path.join(self.place, "tree/build")
        self.stopping, self.catches, self.usual, self.digests, self.versions = stopping, catches, {}, {}, {}

    def run(self, command, seconds, **more):
        """(status, or None where it was killed at that time; what it printed)"""
        with open(os.path.join(self.place, "log"), "w+b") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **more)
            status, ticks = None, 0  # not the clock: it runs on while processes are frozen
            while status is None and ticks < 5 * seconds and not self.stopping.is_set():
                try:
                    status = process.wait(0.2)
                except subprocess.TimeoutExpired:
                    ticks += 1
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

    def prepare(self, compiler):
        """Brings the copy to the tree's state and builds it; sets self.tests."""
        for path in set(files_of(self.tree)) - set(files_of(self.root)):
            os.remove(os.path.join(self.tree, path))
        for path in files_of(self.root):
            copy = os.path.join(self.tree, path)
            if not os.path.exists(copy) or read_bytes(copy) != read_bytes(os.path.join(self.root, path)):
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copy(os.path.join(self.root, path), copy)
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
        self.objects, made = collections.defaultdict(list), ""
        for line in subprocess.check_output(["ninja", "-C", self.build, "-t", "deps"], text=True).split("\n"):
            if line.startswith(" "):
                self.objects[os.path.relpath(os.path.join(self.build, line.strip()), self.tree)].append(made)
            made = made if line.startswith(" ") else line.split(":")[0]
        self.digests = {path: self.digest(path) for path in self.needs().union(*self.objects.values())}
        for test in self.tests:
            commands = subprocess.check_output(["ninja", "-C", self.build, "-t", "commands", *test["needs"]], text=True)
            test["objects"] = set(re.findall(r" -o (\S+\.o) -c", commands)) if test["needs"] else set()

    def ask(self, what):
        return json.loads(subprocess.run(["meson", "introspect", self.build, "--" + what], capture_output=True, check=True).stdout)

    def needs(self):
        return {path for test in self.tests for path in test["needs"]}

    def digest(self, path):
        return hashlib.sha256(read_bytes(os.path.join(self.build, path))).digest()

    def are_same(self, paths):
        return all(self.digest(path) == self.digests[path] for path in paths)

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
        """The unmutated tree must pass; what takes too long or is skipped is left out. A run that resumes keeps what is as it was."""
        known, path = {}, os.path.join(self.place, "usual.json")
        if os.path.exists(path):
            known = json.loads(read(self.place, "usual.json"))
        for test in list(self.tests):
            name, version = test["name"], self.version(test)
            if name not in known or known[name][0] != version:
                began = time.monotonic()
                status, said = self.test(test, TEST_SECONDS)
                if status not in (None, 0, SKIPPED):
                    give_up(f"the tree without a mutation fails the test '{name}':\n{said}")
                known[name] = version, status, time.monotonic() - began
                with open(path + ".part", "w", encoding="utf-8") as file:
                    json.dump(known, file)
                os.replace(path + ".part", path)
            self.versions[name], status, self.usual[name] = known[name]
            if status != 0:
                self.tests.remove(test)

    def version(self, test):
        """Of its programs, its script and what that imports."""
        texts = [self.digests[need] for need in test["needs"]]
        for script in (part for part in test["cmd"] if part.endswith(".py")):
            texts.append(read_bytes(script))
            for name in re.findall(rb"^(?:from|import) (\w+)", texts[-1], re.MULTILINE):
                module = os.path.join(os.path.dirname(script), name.decode() + ".py")
                texts.append(read_bytes(module) if os.path.exists(module) else b"")
        return hashlib.sha256(b"".join(texts)).hexdigest()[:16]

    def ordered(self, path):
        """The tests of what changes, by the chance to catch in a second: what is near, and what has caught in the folder."""
        stem, header = os.path.basename(path).rsplit(".", 1)[0], path.rsplit(".", 1)[0].removeprefix("src/")
        layer, catches, changed = header.rsplit("/", 1)[0], self.catches[os.path.dirname(path)], set(self.objects[path])

        def cost(test):
            near = test["name"] == stem or any(header.endswith(h) for h in test["headers"])
            chance = 8 if near else 2 if any(layer.endswith(os.path.dirname(h) or "table") for h in test["headers"]) else 0.5
            return (self.usual[test["name"]] + len(test["objects"] & changed) / 2) / (chance + catches[test["name"]])
        return sorted((test for test in self.tests if test["objects"] & changed), key=cost)

    def apply(self, sites):
        """Brings the tree to have these changes and no others."""
        wanted = {path: read(self.root, path) for path in self.changed | {site.path for site in sites}}
        self.changed = {site.path for site in sites}
        for site in sorted(sites, key=lambda site: -site.start):
            wanted[site.path] = mutated(wanted[site.path], site)
        for path, text in wanted.items():
            if text != read(self.tree, path):
                with open(os.path.join(self.tree, path), "w", encoding="utf-8") as file:
                    file.write(text)

    def outcome(self, test):
        """A verdict of this test alone."""
        if self.compile(test["needs"]) != 0:
            return BROKEN
        if self.are_same(test["needs"]):
            return EQUAL
        seconds = 10 * self.usual[test["name"]] + 30
        status = self.test(test, seconds)[0]
        if status and not test["headers"]:
            status = self.test(test, seconds)[0]  # whole programs may fail under load
        return SURVIVED if status in (0, SKIPPED) else CAUGHT

    def judge(self, site, passed):
        """(verdict, by which test, what passed). A survivor of the likeliest tests is PENDING."""
        self.apply([site])
        objects, ran, spent = self.objects[site.path], bool(passed), 0
        if not objects or not ran and len(objects) <= FEW_OBJECTS and self.compile(objects) == 0 and self.are_same(objects):
            return EQUAL, "", {}
        for test in self.ordered(site.path):
            name = test["name"]
            if passed.get(name) == self.versions[name]:
                continue
            outcome = self.outcome(test)
            if outcome in (BROKEN, CAUGHT):
                return outcome, name if outcome == CAUGHT else "", {}
            passed = {**passed, name: self.versions[name]}
            if outcome == SURVIVED:
                ran, spent = True, spent + self.usual[name]
                if spent > LIKELIEST_SECONDS:
                    return PENDING, "", passed
        return SURVIVED if ran else EQUAL, "", passed

    def judge_together(self, sites, passed):
        """{identity: (verdict, by which test)} of those in one tree that do not survive all tests."""
        found = {}
        for test in sorted(self.tests, key=lambda test: self.usual[test["name"]]):
            left = [site for site in sites if site.identity not in found]
            if any(passed[site.identity].get(test["name"]) != self.versions[test["name"]] for site in left):
                found |= {site.identity: (outcome, test["name"]) for site, outcome in self.culprits(test, left)}
        return found

    def culprits(self, test, sites):
        """[(site, verdict)] of those that fail the test alone."""
        self.apply(sites)
        outcome = self.outcome(test)
        if outcome in (EQUAL, SURVIVED):
            return []
        half = len(sites) // 2
        return self.culprits(test, sites[:half]) + self.culprits(test, sites[half:]) if half else [(sites[0], outcome)]


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
        self.catches, self.passed = collections.defaultdict(collections.Counter), collections.defaultdict(dict)
        for record in self.whole_lines(self.state):
            self.catches[os.path.dirname(record["path"])][record["by"]] += 1
            if record["file"] == here.get(record["id"]):
                self.passed[record["id"]] = record.get("passed", {})
                if asked.report or record["verdict"] not in (PENDING, SURVIVED):
                    self.known[record["id"]] = record
        self.judged = {record["id"]: record for record in self.whole_lines(asked.judged)} if asked.judged else {}
        self.known = {i: r for i, r in self.judged.items() if asked.report or i not in here or r["verdict"] == CAUGHT or "reason" in r} | self.known
        self.shares = dict.fromkeys(order, -(-asked.mutants // len(order)))
        self.waiting = {layer: iter([s for s in found if s.identity not in self.known]) for layer, found in order.items()}
        self.counted = collections.Counter(r["layer"] for r in self.known.values() if r["verdict"] in COUNTED)

    def whole_lines(self, path):
        """The records of a file. A line that was cut off is removed, and its mutant tested again."""
        with open(path, "a+b") as file:
            file.seek(0)
            lines = [line for line in file if line.endswith(b"}\n")]
            file.truncate(sum(map(len, lines)))
        return list(map(json.loads, lines))

    def next(self):
        with self.lock:
            for layer in sorted(self.order, key=lambda layer: self.counted[layer] / self.shares[layer]):
                if self.counted[layer] < self.shares[layer] and (site := next(self.waiting[layer], None)):
                    self.counted[layer] += 1  # until it turns out not to count
                    return layer, site
        return None

    def end(self, layer, site, verdict, by, passed):
        record = {"id": site.identity, "file": site.file, "layer": layer, "path": site.path, "line": site.line, "before": site.before,
                  "after": site.after, "verdict": verdict, "by": by, "passed": passed if verdict in (PENDING, SURVIVED) else {}}
        with self.lock:
            self.catches[os.path.dirname(record["path"])][by] += 1
            self.counted[layer] -= verdict in (BROKEN, EQUAL)
            self.passed[site.identity] = passed
            self.known[site.identity] = record
            with open(self.state, "a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
            print(f"[{sum(self.counted.values())}/{self.asked.mutants}] {verdict} {by}: {site.path}:{site.line}: {site.after}", flush=True)

    def report(self):
        if self.asked.report and self.asked.judged:
            counted = {i: {**r, "passed": {}} for i, r in self.known.items() if r["verdict"] in COUNTED}
            with open(self.asked.judged, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(record) + "\n" for record in (self.judged | counted).values())
        for folder in [*sorted({folder_of(r["path"]) for r in self.known.values()}), "all"]:
            here = [r for r in self.known.values() if folder in (folder_of(r["path"]), "all")]
            number = collections.Counter([r["verdict"] for r in here] + [REASON for r in here if "reason" in r])
            print(f"{folder:15} " + ", ".join(f"{number[what]} {what}" for what in (CAUGHT, SURVIVED, REASON, BROKEN, EQUAL, PENDING)))
        left = sorted((r["path"], r["line"], r["before"], r["after"], r.get("reason", "")) for r in self.known.values() if r["verdict"] == SURVIVED)
        for path, line, before, after, reason in left:
            print(f"\n{path}:{line}:\n  - {before}\n  + {after}\n  {reason}")
        counted = sum(r["verdict"] in COUNTED for r in self.known.values())
        print(f"\n{counted - len(left)} of {counted} mutants caught, {100 * (counted - len(left)) / max(counted, 1):.1f} %")


def folder_of(path):
    return "/".join(path.split("/")[:2])


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
    parser.add_argument("--judged", metavar="FILE", help="verdicts of earlier runs, of which this one is to be a part")
    parser.add_argument("--report", action="store_true", help="print the report and end")
    return parser.parse_args()


def work(run, place):
    place.prepare(run.asked.compiler)
    place.time_tests()
    pending = []
    while (job := run.next()) is not None:
        verdict, *more = place.judge(job[1], run.passed[job[1].identity])
        run.end(*job, verdict, *more)
        pending += [job] if verdict == PENDING else []
        settle(run, place, pending, TOGETHER)
    while pending:
        settle(run, place, pending, 1)


def settle(run, place, pending, least):
    """Judges those of different files together, if there are so many."""
    group = list({job[1].path: job for job in pending}.values())
    if len(group) >= least:
        found = place.judge_together([site for _, site in group], run.passed)
        for layer, site in group:
            pending.remove((layer, site))
            run.end(layer, site, *found.get(site.identity, (SURVIVED, "")), place.versions)


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
        places = [Workplace(root, asked.folder, n, stopping, run.catches) for n in range(asked.jobs)]
        try:
            with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
                list(pool.map(work, itertools.repeat(run), places))
        except Stopped:
            give_up(f"stopped; the same command goes on from {run.state}", 130)
    run.report()


if __name__ == "__main__":
    main()
