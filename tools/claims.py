#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Measures the claims of the documents, each beside its ablation.

    tools/claims.py FOLDER [NAME...]   of a build folder; default: all claims of docs/claims.json
    tools/claims.py --list             what they say
    --json                             one JSON object
    --claims FILE                      another file of claims

Each entry of docs/claims.json is a sentence of a document, a command of a minute at most that prints a figure, a condition on
the figure, and the same command without the mechanism: the ablation. A claim is

    kept       the figure meets the condition, and that of the ablation does not
    broken     the figure does not meet it
    unproven   the ablation meets it as well: the mechanism is not what makes it true

Exit status: 0 if all are kept, 1 if not, 2 for a wrong command line or file, 130 after Ctrl-C.
"""

import argparse
import collections
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests", "integration"))
import mpi_jobs  # noqa: E402

PATH = "docs/claims.json"
FIELDS = {"name": str, "document": str, "sentence": str, "result": (str, type(None)), "figure": dict, "unit": str, "holds": str,
          "command": str, "mechanism": str, "ablation": str}
OPTIONAL = {"ablation_figure": dict}  # where both stand in what one command prints
FIGURES = ("sum", "lines", "seconds")
HOLDS = re.compile(r"(==|<=|>=) ([0-9.]+)( of the ablation's)?\Z")
TURNS = 3  # of figures in seconds, by turns; the others are counts, and one run is enough
STEP = re.compile(r"(\w+)(?:\[(.*)\])?\Z")


class Fault(Exception):
    """What is wrong with the file, or with what a command printed, in words."""


# ---- the file of claims ----

def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            claims = json.load(file)["claims"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Fault(f"{path}: an object with a list `claims` is wanted: {error}") from None
    wrong = [fault for claim in claims for fault in faults_of(claim)]
    names = [claim.get("name") for claim in claims]
    wrong += [f"there are two claims of the name '{name}'" for name in sorted(set(names), key=str) if names.count(name) > 1]
    if wrong:
        raise Fault(f"{path}: {wrong[0]}")
    return claims


def faults_of(claim):
    name = claim.get("name", "a claim without a name")
    found = [f"{name}: no field `{field}`, or not of its type" for field, kind in FIELDS.items()
             if not isinstance(claim.get(field), kind)]
    found += [f"{name}: there is no field `{field}`" for field in claim if field not in {**FIELDS, **OPTIONAL}]
    if found:
        return found
    ablated = claim.get("ablation_figure", claim["figure"])
    if any(not isinstance(f, dict) or len(f) != 1 or next(iter(f)) not in FIGURES for f in (claim["figure"], ablated)):
        found.append(f"{name}: `figure` is one of {', '.join(FIGURES)}")
    if not HOLDS.match(claim["holds"]):
        found.append(f"{name}: `holds` is not like '== 0' or '<= 0.9 of the ablation's'")
    if claim["command"] == claim["ablation"] and claim["figure"] == ablated:
        found.append(f"{name}: the ablation is the claim's own command")
    return found


def plain(text):
    """Without line breaks and marks of emphasis: how sentences are compared."""
    return re.sub(r"\s+", " ", re.sub(r"[*`]", "", text))


def document_faults(root, claims):
    """A sentence that its document does not contain, and a result file that is not there."""
    found = []
    for claim in claims:
        path, text = os.path.join(root, claim["document"]), ""
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                text = file.read()
        if plain(claim["sentence"]) not in plain(text):
            found.append(f"{PATH}: {claim['name']}: {claim['document']} does not say '{claim['sentence']}'")
        if claim["result"] and not os.path.isfile(os.path.join(root, "docs/results", claim["result"] + ".json")):
            found.append(f"{PATH}: {claim['name']}: there is no docs/results/{claim['result']}.json")
    return found


# ---- the figures ----

def run(command, words, folder):
    """What the command printed, and its processor seconds. It is a command of a shell, in an empty folder."""
    for word, text in words.items():
        command = command.replace("{" + word + "}", text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        child = subprocess.Popen(["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True, cwd=place, start_new_session=True)
        try:
            out, errors = child.communicate()
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            raise
    # 1 is a verdict of the command itself: an ablation is expected to be found wrong.
    if child.returncode not in (0, 1):
        raise Fault(f"{command}: exit status {child.returncode}: {errors.strip()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return out, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def parts(values, step):
    """One step of a path in JSON: `name`, `name[]` for each of a list, `name[key=value and ...]` for those of it."""
    name, chosen = STEP.match(step).groups()
    inner = [value[name] for value in values]
    if chosen is None:
        return inner
    wanted = [pair.split("=") for pair in chosen.split(" and ") if pair]
    return [item for each in inner for item in each if all(str(item[key]) == value for key, value in wanted)]


def number_at(text, path):
    """The sum of all numbers at a path."""
    try:
        values = [json.loads(text)]
        for step in re.findall(r"\w+(?:\[[^]]*\])?", path):
            values = parts(values, step)
        if values:
            return sum(values)
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise Fault(f"there is no number at '{path}' of what the command printed")


def figure_of(figure, output, seconds):
    kind, what = next(iter(figure.items()))
    if kind == "seconds":
        return seconds
    if kind == "sum":
        return number_at(output, what)
    found = re.findall(what, output, re.MULTILINE)
    if not found:
        raise Fault(f"no line like '{what}' in what the command printed")
    return len(set(found))


def true_of(holds, figure, ablated):
    relation, limit, relative = HOLDS.match(holds).groups()
    limit = float(limit) * (ablated if relative else 1)
    return {"==": figure == limit, "<=": figure <= limit, ">=": figure >= limit}[relation]


def measure(claim, words, folder):
    """(verdict, figure, that of the ablation)"""
    arms = ((claim["command"], claim["figure"], []), (claim["ablation"], claim.get("ablation_figure", claim["figure"]), []))
    for _ in range(TURNS if "seconds" in claim["figure"] else 1):
        for command, figure, values in arms:
            values.append(figure_of(figure, *run(command, words, folder)))
    with_it, without = (statistics.median(values) for _, _, values in arms)
    if not true_of(claim["holds"], with_it, without):
        return "broken", with_it, without
    return "unproven" if true_of(claim["holds"], without, without) else "kept", with_it, without


# ---- the report ----

def print_list(claims):
    for claim in claims:
        print(f"{claim['name']:22} {claim['document']}: {claim['sentence']}")
        print(f"{'':22} {claim['unit']} {claim['holds']}; ablation: {claim['mechanism']}")


def shown(figure):
    return f"{figure:,}" if isinstance(figure, int) else f"{figure:,.4g}"


def measured(claim, words, folder, quiet):
    """One claim, as a row of the report."""
    began = time.monotonic()
    try:
        verdict, figure, ablated = measure(claim, words, folder)
    except Fault as fault:
        raise Fault(f"{claim['name']}: {fault}") from None
    seconds = time.monotonic() - began
    if not quiet:
        print(f"{verdict:9} {claim['name']:22} {shown(figure):>14} {shown(ablated):>14}  {claim['unit']} {claim['holds']} "
              f"({seconds:.0f} s)", flush=True)
    return {"name": claim["name"], "verdict": verdict, "figure": figure, "ablation": ablated, "seconds": round(seconds, 1)}


def report(claims, build, as_json):
    if not as_json:
        print(f"{'':9} {'claim':22} {'figure':>14} {'ablation':>14}  it holds if", flush=True)
    words = {"tabia": os.path.join(build, "tabia"), "lab": os.path.join(build, "tabia-lab"), "mpi": os.path.join(build, "tabia-mpi"),
             "root": ROOT, "build": build, "mpirun": " ".join(mpi_jobs.launcher("openmpi"))}
    with tempfile.TemporaryDirectory() as folder:
        rows = [measured(claim, words, folder, as_json) for claim in claims]
    count = collections.Counter(row["verdict"] for row in rows)
    if as_json:
        print(json.dumps({"claims": rows, **{verdict: count[verdict] for verdict in ("kept", "broken", "unproven")}}, indent=2))
    else:
        print(f"{count['kept']} kept, {count['broken']} broken, {count['unproven']} unproven")
    return 0 if count["kept"] == len(rows) else 1


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="of a build: build")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--claims", default=os.path.join(ROOT, PATH), metavar="FILE")
    o = parser.parse_args()
    if not o.list and not os.access(os.path.join(o.folder or "", "tabia"), os.X_OK):
        parser.error(f"'{o.folder or ''}' is no build folder: there is no tabia in it; `make` makes one")
    return o


def main():
    o = options()
    os.environ.update({name: value for name, value in mpi_jobs.environment().items() if name.startswith("OMPI_")})
    try:
        claims = read(o.claims)
        unknown = [name for name in o.names if name not in {claim["name"] for claim in claims}]
        if unknown:
            raise Fault(f"there is no claim '{unknown[0]}'; --list names them")
        if o.list:
            print_list(claims)
            return 0
        return report([claim for claim in claims if not o.names or claim["name"] in o.names], os.path.abspath(o.folder), o.json)
    except Fault as fault:
        print(f"tools/claims.py: {fault}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("tools/claims.py: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
