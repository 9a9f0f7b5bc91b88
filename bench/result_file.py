# SPDX-License-Identifier: MIT
"""
Result files, docs/results/NAME.json: what was measured, where, with what, and how far the figures spread. bench/record writes
them, bench/tables.py draws the tables of the documents from them. docs/results/README.md describes the format.
"""

import datetime
import json
import os
import re
import shlex
import statistics
import subprocess

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
FOLDER = "docs/results"
SOURCES = ("measured", "recorded")
SPREADS = ("min..max", "95 %", "95 % limits", "standard error", "none")
TEXTS = ("name", "title", "source", "date", "command", "processor", "unit", "spread")
# Recorded figures are older than these files: what their documents did not say is null.
MAY_BE_NULL = ("commit", "compiler", "flags", "processors", "load", "repetitions")
LISTS = ("peers", "columns", "rows", "notes")
KEPT_FLAGS = re.compile(r"-O\w+|-march=\S+|-mtune=\S+|-flto\S*|-fprofile-use\S*|-DNDEBUG|-fsanitize=\S+")


def path_of(root, name):
    return os.path.join(root, FOLDER, name + ".json")


def read(root, name):
    with open(path_of(root, name), encoding="utf-8") as file:
        return json.load(file)


def write(root, result):
    """Writes a result under its name; the file appears when it is whole."""
    found = faults(result)
    if found:
        raise ValueError("; ".join(found))
    path = path_of(root, result["name"])
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(text_of(rounded(result)))
    os.replace(path + ".part", path)


def rounded(value):
    """Numbers with seven digits that count: more are noise."""
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    if isinstance(value, list):
        return [rounded(v) for v in value]
    return float(f"{value:.7g}") if isinstance(value, float) else value


def text_of(result):
    """One line for each field and each row, so that a difference between two versions can be read."""
    lines = []
    for key, value in result.items():
        if key in ("rows", "columns", "notes", "peers") and value:
            rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in value)
            lines.append(f" {json.dumps(key)}: [\n  {rows}\n ]")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def names(root):
    folder = os.path.join(root, FOLDER)
    return sorted(f[:-5] for f in os.listdir(folder) if f.endswith(".json")) if os.path.isdir(folder) else []


def cell(samples):
    """The figure of a row: median, least, most and number of repetitions."""
    return {"median": statistics.median(samples), "low": min(samples), "high": max(samples), "n": len(samples)}


def cell_faults(row, column, value, measured):
    place = f"row '{row}', column '{column}'"
    if isinstance(value, dict):
        lacks = [k for k in ("median", "low", "high", "n") if k not in value] if measured else [k for k in ("median",) if k not in value]
        if lacks:
            return [f"{place} lacks {', '.join(lacks)}"]
        if "low" in value and not value["low"] <= value["median"] <= value["high"]:
            return [f"{place}: the median is not between low and high"]
        return []
    return [] if isinstance(value, (int, float, str)) and not isinstance(value, bool) else [f"{place} holds no figure"]


def row_faults(result):
    columns = [c.get("name") for c in result["columns"]]
    found = [f"column {n} lacks name, unit or digits" for n, c in enumerate(result["columns"], 1)
             if not {"name", "unit", "digits"} <= set(c)]
    if not result["rows"]:
        found.append("has no rows")
    for row in result["rows"]:
        if not {"name", "cells"} <= set(row):
            found.append("a row lacks name or cells")
            continue
        found += [f"row '{row['name']}': there is no column '{c}'" for c in row["cells"] if c not in columns]
        for column, value in row["cells"].items():
            found += cell_faults(row["name"], column, value, result["source"] == "measured")
    rows = [r.get("name") for r in result["rows"]]
    return found + [f"two rows '{r}'" for r in sorted(set(r for r in rows if rows.count(r) > 1))]


def faults(result):
    """What is wrong with a result, in words."""
    lacks = [f for f in (*TEXTS, *MAY_BE_NULL, *LISTS) if f not in result]
    if lacks:
        return [f"lacks {', '.join(lacks)}"]
    found = [f"{f} is no text" for f in TEXTS if not isinstance(result[f], str) or not result[f]]
    found += [f"{f} is no list" for f in LISTS if not isinstance(result[f], list)]
    if found:
        return found
    if result["source"] not in SOURCES:
        found.append(f"source is {result['source']}, not one of {', '.join(SOURCES)}")
    if result["spread"] not in SPREADS:
        found.append(f"spread is {result['spread']}, not one of {', '.join(SPREADS)}")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", result["date"]):
        found.append(f"date is {result['date']}, not YYYY-MM-DD")
    if result["source"] == "measured":
        found += [f"{f} is null in a measured result" for f in MAY_BE_NULL if result[f] is None]
    found += ["a peer lacks name or version" for p in result["peers"] if not {"name", "version"} <= set(p)]
    return found + row_faults(result)


def named(program, word):
    """What `--version` says after this word."""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    found = re.search(rf"^{word} (.+)$", done.stdout, re.MULTILINE)
    return found[1] if found else "unknown"


def cpu_fields():
    """The first processor's fields of /proc/cpuinfo."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            lines = file.read().split("\n\n")[0].splitlines()
    except OSError:
        return {}
    return {k.strip(): v.strip() for k, v in (line.split(":", 1) for line in lines if ":" in line)}


def generation(fields):
    """The names of server processors by family and model: virtual ones do not tell theirs."""
    family, model = int(fields.get("cpu family", 0)), int(fields.get("model", 0))
    if fields.get("vendor_id") == "GenuineIntel" and family == 6:
        return {0x6A: " (Ice Lake)", 0x8F: " (Sapphire Rapids)", 0xCF: " (Emerald Rapids)"}.get(model, "")
    if fields.get("vendor_id") != "AuthenticAMD":
        return ""
    zen4 = 0x10 <= model <= 0x1F or 0x60 <= model <= 0xAF
    return {23: " (Zen 2)" if model >= 0x30 else " (Zen)", 25: " (Zen 4)" if zen4 else " (Zen 3)", 26: " (Zen 5)"}.get(family, "")


def processor():
    fields = cpu_fields()
    virtual = ", virtual" if "hypervisor" in fields.get("flags", "").split() else ""
    return fields.get("model name", os.uname().machine) + generation(fields) + virtual


def flags_of(program):
    """From the build folder it lies in."""
    try:
        with open(os.path.join(os.path.dirname(program), "compile_commands.json"), encoding="utf-8") as file:
            command = next(c["command"] for c in json.load(file) if c["file"].endswith("programs/tabia.c"))
    except (OSError, StopIteration):
        return "unknown"
    return " ".join(w for w in shlex.split(command) if KEPT_FLAGS.fullmatch(w))


def context(program):
    """Where and with what something is about to be measured."""
    return {"source": "measured", "date": datetime.date.today().isoformat(), "commit": named(program, "commit"),
            "compiler": named(program, "compiler"), "flags": flags_of(program), "processor": processor(),
            "processors": len(os.sched_getaffinity(0)), "load": round(os.getloadavg()[0], 2)}
