# SPDX-License-Identifier: MIT
"""Measures one claim of docs/claims.json, and its ablation: the figures, and the verdict on them."""

import collections
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import tempfile

from claims_file import HOLDS, Fault

TURNS = 3  # of figures in seconds, by turns; the others are counts, and one run is enough
STEP = re.compile(r"(\w+)(?:\[(.*)\])?\Z")

Measured = collections.namedtuple("Measured", "verdict figure ablated")


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
    """
    kept: the figure holds, and that of the ablation does not. broken: the figure does not hold. unproven: it holds
    without the mechanism as well, so that the claim says nothing about it.
    """
    arms = ((claim["command"], claim["figure"], []), (claim["ablation"], claim.get("ablation_figure", claim["figure"]), []))
    for _ in range(TURNS if "seconds" in claim["figure"] else 1):
        for command, figure, values in arms:
            values.append(figure_of(figure, *run(command, words, folder)))
    with_it, without = (statistics.median(values) for _, _, values in arms)
    if not true_of(claim["holds"], with_it, without):
        return Measured("broken", with_it, without)
    return Measured("unproven" if true_of(claim["holds"], without, without) else "kept", with_it, without)
