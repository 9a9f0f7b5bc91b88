# SPDX-License-Identifier: MIT
"""
What is known of mutants: the state of a run in a file with one JSON object for each mutant, the reasons of those that no test can
catch, and the report of both.
"""

import collections
import datetime
import hashlib
import json
import os
import sys

REASONS = "tests/mutate_reasons.txt"
CAUGHT, SURVIVED, BROKEN, EQUAL, UNUSED = "caught", "survived", "did not compile", "equal", "in no program"
COUNTED = (CAUGHT, SURVIVED)


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def read_state(path):
    """The last verdict of each mutant. A line that was cut off in the middle is left out: its mutant is tested again."""
    verdicts = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                try:
                    record = json.loads(line)
                except ValueError:
                    continue
                verdicts[record["id"]] = record
    return verdicts


def append(path, record):
    """One line, written at once and brought to the disk."""
    with open(path, "a+b") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            torn = file.read(1) != b"\n"
        else:
            torn = False
        file.write((b"\n" if torn else b"") + json.dumps(record, ensure_ascii=False).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


class BadReasons(Exception):
    """What is wrong with the file of reasons."""


def read_reasons(root):
    """
    {(path, line, changed line): reason}. A reason is a block of four lines, with an empty line or the end of the file after it:

        src/table/move.c
        - if (a < b)
        + if (a <= b)
        = why no test can tell the two apart
    """
    path, reasons = os.path.join(root, REASONS), {}
    if not os.path.exists(path):
        return reasons
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if not line.startswith("#")]
    for block in "\n".join(lines).split("\n\n"):
        rows = [row for row in block.splitlines() if row.strip()]
        if not rows:
            continue
        if len(rows) != 4 or [row[:2] for row in rows[1:]] != ["- ", "+ ", "= "]:
            raise BadReasons(f"{REASONS}: '{rows[0]}' is not followed by one line each of '- ', '+ ' and '= '")
        source = os.path.join(root, rows[0])
        if not os.path.exists(source):
            raise BadReasons(f"{REASONS}: there is no file {rows[0]}")
        with open(source, encoding="utf-8") as file:
            if rows[1][2:] not in " ".join(file.read().split()):
                raise BadReasons(f"{REASONS}: {rows[0]} has no line '{rows[1][2:]}' any more: take the block out")
        reasons[rows[0], rows[1][2:], rows[2][2:]] = rows[3][2:]
    return reasons


def reason_of(record, reasons):
    return reasons.get((record["path"], record["before"], record["after"]))


def percentage(caught, counted):
    return f"{100 * caught / counted:5.1f} %" if counted else "    - "


def table(title, records, key, reasons):
    """One row for each value of a field: counted, caught, share, survivors with and without a reason."""
    groups = collections.defaultdict(list)
    for record in records:
        groups[record[key]].append(record)
    rows = [f"{title:14} counted  caught   share  survived  with a reason  did not compile  equal  in no program"]
    for name, group in [*sorted(groups.items()), ("all", records)]:
        number = collections.Counter(r["verdict"] for r in group)
        given = sum(r["verdict"] == SURVIVED and reason_of(r, reasons) is not None for r in group)
        counted = number[CAUGHT] + number[SURVIVED]
        rows.append(f"{name:14} {counted:7} {number[CAUGHT]:7} {percentage(number[CAUGHT], counted)} {number[SURVIVED]:9} "
                    f"{given:14} {number[BROKEN]:16} {number[EQUAL]:6} {number[UNUSED]:14}")
    return rows


def survivor(record, reasons):
    reason = reason_of(record, reasons)
    rows = [f"{record['path']}:{record['line']}: {record['operator']}", f"  - {record['before']}", f"  + {record['after']}"]
    if record.get("by"):
        rows.append(f"  ({record['by']})")
    return rows + ([f"  = {reason}"] if reason else [])


def report(records, reasons):
    """The tables, the tests that caught the most, and the survivors: first those without a reason."""
    rows = [*table("room", records, "room", reasons), "", *table("operator", records, "operator", reasons), ""]
    by = collections.Counter(r["by"] for r in records if r["verdict"] == CAUGHT)
    rows.append("caught by: " + ", ".join(f"{name} {n}" for name, n in by.most_common()))
    late = sum(bool(r.get("late")) for r in records if r["verdict"] == CAUGHT)
    rows.append(f"of these {late} at a limit of time or memory")
    survivors = sorted((r for r in records if r["verdict"] == SURVIVED), key=lambda r: (r["path"], r["line"]))
    for title, given in (("survivors", False), ("survivors with a reason", True)):
        some = [r for r in survivors if (reason_of(r, reasons) is not None) == given]
        rows += ["", f"{title}: {len(some)}"] + [row for r in some for row in survivor(r, reasons)]
    return "\n".join(rows)


def result(records, reasons, command, context):
    """The figures in the form of docs/results."""
    rows = []
    for room in [*sorted({r["room"] for r in records}), "all"]:
        group = [r for r in records if room in (r["room"], "all")]
        number = collections.Counter(r["verdict"] for r in group)
        counted = number[CAUGHT] + number[SURVIVED]
        given = sum(r["verdict"] == SURVIVED and reason_of(r, reasons) is not None for r in group)
        share = 100 * number[CAUGHT] / counted if counted else 0
        rows.append({"name": room, "cells": {"mutants": counted, "caught": number[CAUGHT], "share": round(share, 1),
                                             "survived": number[SURVIVED], "with a reason": given,
                                             "did not compile": number[BROKEN], "equal": number[EQUAL],
                                             "in no program": number[UNUSED]}})
    columns = [{"name": name, "unit": "%" if name == "share" else "", "digits": 1 if name == "share" else 0}
               for name in rows[0]["cells"]]
    return {"name": "mutants", "title": "mutants of the sources that the tests catch", **context, "command": command,
            "unit": "mutants", "repetitions": 1, "spread": "none", "peers": [], "columns": columns, "rows": rows,
            "notes": ["Not counted: mutants that did not compile, whose object code is that of the unmutated source, or that are in no "
                      "program of this system."]}


def write_result(root, records, reasons, command, compiler):
    """Writes docs/results/mutants.json by the module that all results are written by."""
    sys.path.insert(0, os.path.join(root, "bench"))
    import result_file
    context = {"source": "measured", "date": datetime.date.today().isoformat(), "commit": result_file.commit_of(root),
               "compiler": result_file.said([*compiler.split(), "--version"]) or compiler, "flags": "-O1",
               "processor": result_file.processor(), "processors": len(os.sched_getaffinity(0)), "load": round(os.getloadavg()[0], 2)}
    result_file.write(root, result(records, reasons, command, context))
