# SPDX-License-Identifier: MIT
"""
From what the programs print to the rows of a result file. A reader gets the runs of each command, {label: [Run]}, and returns
(rows, notes); bench/recipes.py says which reader belongs to which command.
"""

import json
import math
import re
import statistics

from result_file import cell

MIB = 1 << 20


def row(name, **cells):
    """A row; the names of its columns are given as a dictionary where they are no identifiers."""
    return {"name": name, "cells": {c: v for c, v in cells.items() if v is not None}}


def rows_of(named):
    return [row(name, **cells) for name, cells in named]


def document(runs, label=""):
    """The JSON that the last run of a command printed."""
    return json.loads(runs[label][-1].output)


def size(n):
    return f"{n // (1 << 30)} GiB" if n >= 1 << 30 else f"{n // MIB} MiB" if n >= MIB else f"{n // 1024} KiB"


def stockfish_peer(runs):
    found = document(runs).get("stockfish")
    return [{"name": "Stockfish", "version": found["name"].split()[-1]}] if found else []


def perft_plain(runs):
    plain, rows, ratios = document(runs)["plain"], [], {}
    for r in plain["rows"]:
        seconds, cells = r["seconds"], {}
        for who, times in seconds.items():
            if times:
                cells["Stockfish" if who == "stockfish" else who] = cell([r["nodes"] / t / 1e6 for t in times])
            if who != "stockfish" and times and seconds["stockfish"]:
                pairs = [a / b for a, b in zip(seconds["stockfish"], times)]
                cells[who + " ratio"] = cell(pairs)
                ratios.setdefault(who, []).append(pairs)
        rows.append(row(f"{r['position']} d{r['depth']}", **cells))
    means = {who + " ratio": cell([math.exp(statistics.fmean(map(math.log, one))) for one in zip(*many)])
             for who, many in ratios.items()}
    return rows + ([row("geometric mean", **means)] if means else []), []


def perft_table(runs):
    rows = []
    for r in document(runs)["table"]:
        cells = {"time": cell(r["seconds"]), "rate": cell([r["nodes"] / s / 1e9 for s in r["seconds"]])}
        if "unit" in r:
            cells.update({"Stockfish": f"d{r['unit_depth']}: {r['unit']:.2f} s", "ratio": cell([s / r["unit"] for s in r["seconds"]])})
        rows.append(row(f"{r['position']} d{r['depth']}", **cells))
    return rows, []


def perft_threads(runs):
    rows = []
    for r in document(runs)["threads"]:
        one, two = r["seconds"]["1"], r["seconds"]["2"]
        name = f"{r['position']} d{r['depth']}, {'no table' if r['hash'] == 'off' else r['hash'] + 'iB'}"
        rows.append(row(name, **{"one thread": cell(one), "two threads": cell(two),
                                 "ratio": cell([a / b for a, b in zip(one, two)])}))
    return rows, []


def perft_count(runs):
    rows = []
    for label, many in runs.items():
        found = [json.loads(run.output) for run in many]
        rows.append(row(label, **{"leaves": found[0]["nodes"], "time": cell([f["seconds"] for f in found]),
                                  "CPU time": cell([f["cpu_seconds"] for f in found]),
                                  "rate": cell([f["nodes"] / f["seconds"] / 1e9 for f in found]),
                                  "hits": cell([100 * f["hit_rate"] for f in found])}))
    return rows, []


def perft_replacement(runs):
    """A label is `position, size: rule`. One thread expands the same positions on every run."""
    rows = {}
    for label in runs:
        name, rule = label.split(": ")
        rows.setdefault(name, {})[rule] = document(runs, label)
    found = []
    for name, rules in rows.items():
        counted = {rule: f["probes"] - f["hits"] for rule, f in rules.items()}
        cells = {rule: n / counted["always"] for rule, n in counted.items() if rule != "always"}
        found.append(row(name, expanded=counted["always"] / 1e6, hits=100 * rules["always"]["hit_rate"], **cells))
    return found, ["Expanded: positions that the table did not know, and hits, by the rule always; ratios are to these."]


def search_replacement(runs):
    found = document(runs)
    rows = [row(f"{r['hash']} MiB, {r['rule']}", nodes=r["nodes"] / 1e6, **{"nodes, ratio": r["nodes_ratio"], "time, ratio": r["seconds_ratio"]})
            for r in found["rows"]]
    return rows, [f"{found['positions']} positions of {found['games']} games to depth {found['depth']}; means over games, ratios to the rule always."]


def perft_unique(runs):
    last = document(runs)["plies"][-1]
    return [row(f"unique {last['ply']}", positions=last["unique"], paths=last["paths"],
                **{"CPU time": cell([run.cpu for run in runs[""]])})], []


def bench(runs):
    found = [re.search(r"(\d+) nodes\s+(\d+) nps", run.output) for run in runs[""]]
    return [row("depth 12", nodes=int(found[0][1]), speed=cell([int(f[2]) / 1e6 for f in found]))], []


def figure(samples, scale=1):
    return cell([scale * s for s in samples])


def ratio_of(one):
    """table bench forms ratios within its rounds and prints their median, least and most."""
    ratio = one.get("ratio")
    return ratio and {"median": ratio["median"], "low": ratio["least"], "high": ratio["most"], "n": len(one["samples"])}


def place(title):
    """The size, which differs between the tables of one experiment."""
    found = re.search(r"table of ([\d]+ [KMG]iB)$", title)
    return found[1] + ": " if found else ""


def table_threads(runs):
    """Rates and their ratio to the row they are held against, on one thread and on two."""
    rows, notes = {}, []
    for table in document(runs)["tables"]:
        notes += [n[0].upper() + n[1:] + "." for n in table["notes"] if n not in notes]
        for one in table["rows"]:
            name = place(table["title"]) + re.sub(r", \d+ ahead$", "", one["name"])
            head = {1: "one thread", 2: "two threads"}[one["threads"]]
            cells = {head: cell(one["samples"])}
            if "ratio" in one:
                cells[head + ", ratio"] = ratio_of(one)
            rows.setdefault(name, {}).update(cells)
    return rows_of(rows.items()), notes


def table_plain(unit_columns):
    """A reader of rows of one thread: a column for the figure of each unit, and the ratio."""
    def read(runs):
        rows, notes = [], []
        for table in document(runs)["tables"]:
            notes += [n[0].upper() + n[1:] + "." for n in table["notes"] if n not in notes]
            for one in table["rows"]:
                cells = {unit_columns[table["unit"]]: cell(one["samples"])}
                rows.append(row(one["name"], **cells, **({"ratio": ratio_of(one)} if "ratio" in one else {})))
        return rows, notes
    return read


def false_hits(runs):
    rows = []
    for r in document(runs)["false"]:
        cells = {"probes": r["probes"], "false hits": r["false_hits"], "of the formula": r["of_formula"],
                 "less than (95 %)": r["below_95"] and f"{r['below_95']:.0e}"}
        rows.append(row(f"{r['key']}, {r['signature_bits']} bits, {size(r['bytes'])}", **cells))
    return rows, []


def smp_depth(runs):
    return [row(v["variant"], speedup=v["speedup"], nodes=v["nodes_ratio"], **{
        "speedup of sums": v["speedup_of_sums"], "nodes a second": v["nps_ratio"], "by processor time": v["nps_cpu_ratio"]})
        for v in document(runs)["variants"]], []


def ranks_perft(runs):
    """Ratios to the first contender, formed within rounds; their error is twice the standard error of the mean."""
    return [row(c["name"], time=cell(c["samples"]), ratio=cell(c["ratios"]), messages=c["messages"] or None)
            for c in document(runs)["contenders"]], []


def ranks_search(runs):
    rows = []
    for label in runs:
        found = document(runs, label)
        if not rows:
            rows.append(row("2 threads", speed=cell([s / 1e6 for s in found["threads"]])))
        rows.append(row(label, speed=cell([s / 1e6 for s in found["ranks"]]), ratio=cell(found["ratios"])))
    return rows, []


def ranks_positions(runs):
    """Positions that no table knew, and what one rank (the first label of a position) counts."""
    rows, one = [], {}
    for label in runs:
        found, position = document(runs, label), label.split(":")[0]
        counted = found["unknown_positions"]
        one.setdefault(position, counted)
        rows.append(row(label, positions=counted, **{
            "more than one rank": 100 * (counted / one[position] - 1), "CPU time": cell([json.loads(r.output)["cpu_seconds"] for r in runs[label]]),
            "sibling sets sent": found.get("sibling_sets_sent"), "messages": found.get("messages")}))
    return rows, []


def model_forecast(runs):
    columns = ("overhead", "recounted", "requesting", "serving", "polling", "efficiency")
    return [row(f"{r['ranks']} ranks", **{c: 100 * r[c] for c in columns}, imbalance=r["imbalance"], **{
        "entries a message": r["entries_per_message"]}) for r in document(runs)["simulated"]], ["Simulated, not measured."]


def gensfen_rate(runs):
    """The sidecar FILE.json holds the counts; processor time is that of the run."""
    rows = []
    for label, many in runs.items():
        counts = json.loads(many[-1].output)["counts"][-1]
        rows.append(row(label, positions=counts["positions"], games=counts["games"],
                        **{"nodes a search": counts["nodes"] / counts["searched"],
                           "positions a second": cell([counts["positions"] / run.cpu for run in many])}))
    return rows, []


def cpu_seconds(runs):
    return [row(label, **{"CPU time": cell([run.cpu for run in many])}) for label, many in runs.items()], []


def stress(runs):
    """Of each record type and payload: mixed slots seen under xor, and what each protection accepted."""
    rows = {}
    for c in document(runs)["cases"]:
        name = c["type"] + (f" of {c['words']} words" if c["type"] == "records" else "") + f", {c['payload']}"
        if c["way"] == "paused":
            rows.setdefault(name, {})[c["integrity"]] = c["accepted"]
            if c["integrity"] == "xor":
                rows[name]["mixed"] = 100 * c["slots_mixed"] / max(1, c["slots_looked_into"])
        elif c["way"] == "plain":
            rows.setdefault(name, {})["plain xor"] = c["accepted"]
    probes = sum(c["probes"] for c in document(runs)["cases"] if c["integrity"] != "none" and c["way"] != "plain")
    return rows_of(rows.items()), [f"{probes / 1e9:.1f}e9 probes under protection."]


def stress_plain(runs):
    return [row(c["type"] + (f" of {c['words']} words" if c["type"] == "records" else ""),
                **{"mixed": 100 * c["slots_mixed"] / max(1, c["slots_looked_into"]), "accepted": c["accepted"]})
            for c in document(runs)["cases"]], []


def soak(runs):
    found = re.search(r"(\d+) searches in ([\d.]+) minutes.*is ([+-][\d.]+) MiB beside .*, ([\d.]+) MiB at most", runs[""][-1].output)
    return [row(f"two threads, {float(found[2]):.0f} minutes", searches=int(found[1]), growth=float(found[3]),
                **{"most memory": float(found[4])})], []


def kills(runs):
    found = re.search(r"seed (\d+): exact after the kill of (\d+) workers, (\d+) coordinators and (\d+) whole jobs; (\d+) jobs",
                      runs[""][-1].output)
    count = sum(map(int, found.groups()[1:4]))
    return [row(f"seed {found[1]}", kills=count, **{"exact totals": count, "jobs lost by a worker's death": int(found[5])})], []


def stops(runs):
    found = re.findall(r"(\d+) threads?, Hash \d+: (\d+) stops, median ([\d.]+) ms, 99 % ([\d.]+) ms, most ([\d.]+) ms",
                       runs[""][-1].output)
    return [row(f"{threads} thread{'s' * (threads != '1')}", **{
        "stops": int(n), "median": float(median), "99 %": float(high), "most": float(most)})
        for threads, n, median, high, most in found], []
