# SPDX-License-Identifier: MIT
"""
From what the programs print to the rows of a result file. A reader gets the runs of each command, {label: [Run]}, and returns
(rows, notes); bench/recipes.py says which reader belongs to which command.
"""

import json
import math
import os
import re
import statistics

import result_file
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
    return [{"name": found["name"].split()[0], "version": found["name"].split()[-1]}] if found else []


def perft_plain(runs):
    plain, rows, ratios = document(runs)["plain"], [], {}
    peer = (document(runs).get("stockfish") or {"name": "Stockfish"})["name"].split()[0]
    for r in plain["rows"]:
        seconds, cells = r["seconds"], {}
        for who, times in seconds.items():
            if times:
                cells[peer if who == "stockfish" else who] = cell([r["nodes"] / t / 1e6 for t in times])
            if who != "stockfish" and times and seconds.get("stockfish"):
                pairs = [a / b for a, b in zip(seconds["stockfish"], times)]
                cells[who + " ratio"] = cell(pairs)
                ratios.setdefault(who, []).append(pairs)
        rows.append(row(f"{r['position']} d{r['depth']}", **cells))
    means = {who + " ratio": cell([math.exp(statistics.fmean(map(math.log, one))) for one in zip(*many)])
             for who, many in ratios.items()}
    return rows + ([row("geometric mean", **means)] if means else []), []


def perft_limits(runs):
    """Positions two plies above the leaves, and the time of each. With a table, the limit is that time of the first row for each
    position that was counted, and a bare read of a line for each probe."""
    read = next(r for r in document(runs, "line")["tables"][0]["rows"] if r["name"].startswith("bare"))
    rows, each = [], None
    for label in [n for n in runs if n != "line" and not n.endswith(" parents")]:
        found = [json.loads(run.output) for run in runs[label]]
        seconds, probes = [f["cpu_seconds"] for f in found], found[0]["probes"]
        positions = probes - found[0]["hits"] if probes else document(runs, label + " parents")["nodes"]
        cells = {"positions": positions / 1e6, "leaves each": None if probes else found[0]["nodes"] / positions,
                 "CPU time": cell(seconds)}
        if probes:
            limit = positions * each + probes / statistics.median(read["samples"]) / 1e6
            cells.update({"probes": probes / 1e6, "limit": limit, "CPU time, limit": cell([s / limit for s in seconds])})
        else:
            cells["time each"] = cell([s / positions * 1e9 for s in seconds])
            each = each or statistics.median(seconds) / positions
        rows.append(row(label, **cells))
    return rows, [f"A bare read of a line: {1e3 / statistics.median(read['samples']):.2f} ns."]


def perft_table(runs):
    rows = []
    for r in document(runs)["table"]:
        cells = {"time": cell(r["seconds"]), "rate": cell([r["nodes"] / s / 1e9 for s in r["seconds"]])}
        if "unit" in r:
            cells.update({"Stockfish": f"d{r['unit_depth']}: {r['unit']:.2f} s", "ratio": cell([s / r["unit"] for s in r["seconds"]])})
        rows.append(row(f"{r['position']} d{r['depth']}", **cells))
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


def false_hits(runs):
    rows = []
    for r in document(runs)["false"]:
        cells = {"probes": r["probes"], "false hits": r["false_hits"], "of the formula": r["of_formula"],
                 "less than (95 %)": r["below_95"] and f"{r['below_95']:.0e}"}
        rows.append(row(f"{r['key']}, {r['signature_bits']} bits, {size(r['bytes'])}", **cells))
    return rows, []


def mate_loops(runs):
    """Of all seeds together; what is wrong depends on the table, the positions do not."""
    found = [document(runs, label) for label in runs]
    total = {k: sum(f[k] for f in found) for k in found[0]}
    both = {"positions": total["positions"], "won": total["won"], "longest, plies": max(f["longest"] for f in found)}
    return [row(name, **both, wrong=total[k + "wrong"], unknown=total[k + "unknown"])
            for name, k in (("path keys", ""), ("plain table", "plain_"))], []


def komoring_peer(runs):
    found = document(runs, "KomoringHeights")
    return [{"name": "KomoringHeights", "version": found["version"]}] if found else []


def mate_problems(runs):
    rows = []
    for name in runs:
        f = document(runs, name)
        if f:
            small = {f"2 KiB{words}, {k}": f[rule][k] if rule in f else None
                     for words, rule in (("", "small"), (", key chooses", "key_chooses")) for k in ("right", "nodes")}
            rows.append(row(name, problems=f["problems"], right=f["right"], nodes=f["nodes"], time=f["seconds"], **small, **{
                key: f.get(of) for key, of in (("longest, plies", "longest"), ("lines verified", "lines"), ("shortest proven", "shortest"))}))
    return rows, []


def mate_hash(runs):
    solved = {size: document(runs, size)["problems"] for size in runs}
    return [row(size, problems=len(p), solved=sum(one["result"] == "mate" for one in p), nodes=sum(one["nodes"] for one in p))
            for size, p in solved.items()], []


def mate_long_peer(runs):
    engines = [p["engine"] for p in document(runs)["problems"] if p["engine"]]
    return [{"name": "KomoringHeights", "version": engines[0]["version"]}] if engines else []


def mate_long(runs):
    """What is not solved has no plies; what the engine does not find none of the engine's."""
    rows = []
    for p in document(runs)["problems"]:
        walk, engine, solved = p.get("walk", {}), p["engine"] or {}, p["result"] == "mate"
        if solved and walk.get("result") == "refuted":
            raise ValueError(f"{p['name']}: the walk refutes the proof")
        rows.append((p["name"], {
            "published, plies": p["published"], "plies": p["plies"] if solved else None, "nodes": p["nodes"], "time": p["seconds"],
            "walked": walk["positions"] if walk.get("result") == "verified" else None, "solved again": walk.get("solved_again"),
            **{f"KomoringHeights, {k}": engine.get(v) for k, v in (("plies", "plies"), ("nodes", "nodes"), ("time", "seconds"))}}))
    return rows_of(rows), sorted({f"Positions from {p['source']}." for p in document(runs)["problems"]})


def mate_threads(runs):
    """The problems of 1,000 nodes or more that both solve."""
    rows = []
    rounds = [list(zip(*(json.loads(run.output)["problems"] for run in both), strict=True)) for both in zip(runs["1"], runs["2"])]
    for name, result in (("with a mate", "mate"), ("without a mate", "none")):
        found = [[(a, b) for a, b in one if a["result"] == b["result"] == result and a["nodes"] >= 1000] for one in rounds]
        if not all(found):
            continue
        sums = [[sum(pair[i][of] for pair in pairs) for of in ("seconds", "nodes") for i in (0, 1)] for pairs in found]
        rows.append((name, {"problems": len(found[-1]), "one thread": cell([s[0] for s in sums]), "two threads": cell([s[1] for s in sums]),
                            "speedup": cell([s[0] / s[1] for s in sums]), "nodes": cell([s[3] / s[2] for s in sums]),
                            "median speedup": cell([statistics.median(a["seconds"] / b["seconds"] for a, b in pairs) for pairs in found])}))
    return rows_of(rows), []


def mate_random(runs):
    return [row(name, interposed=f["interposed"], wrong=f["wrong"], **{"by a plain search": f["plain"], "by graphs": f["graphs"]})
            for name, f in ((name, document(runs, name)) for name in runs)], []


def smp_depth(runs):
    return [row(v["variant"], speedup=v["speedup"], nodes=v["nodes_ratio"], **{
        "speedup of sums": v["speedup_of_sums"], "nodes a second": v["nps_ratio"], "by processor time": v["nps_cpu_ratio"]})
        for v in document(runs)["variants"]], []


def ranks_perft(runs):
    """Ratios to the first contender, formed within rounds."""
    found = {label: [json.loads(run.output) for run in many] for label, many in runs.items()}
    if len({one["nodes"] for many in found.values() for one in many}) != 1:
        raise ValueError("the counts differ")
    first = next(iter(found.values()))
    return [row(label, time=cell([one["cpu_seconds"] for one in many]), messages=many[-1].get("messages"),
                ratio=cell([one["cpu_seconds"] / two["cpu_seconds"] for one, two in zip(many, first)])) for label, many in found.items()], []


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
    shares = ("counting", "messaging", "waiting", "recounted")
    return [row(f"{r['ranks']} ranks", time=r["seconds"], speedup=r["speedup"], positions=r["positions"], messages=r["messages"],
                **{c: 100 * r[c] for c in shares}) for r in document(runs)["simulated"]], ["Simulated, not measured."]


def gensfen_rate(runs):
    """The sidecar FILE.json holds the counts; processor time is that of the run."""
    rows = []
    for label, many in runs.items():
        counts = json.loads(many[-1].output)["counts"][-1]
        rows.append(row(label, positions=counts["positions"], games=counts["games"],
                        **{"nodes a search": counts["nodes"] / counts["searched"],
                           "positions a second": cell([counts["positions"] / run.cpu for run in many])}))
    return rows, []


def hazard(runs):
    """A row for each fix; the rate of falls has the 95 % limits of a Poisson count."""
    rows = []
    for c in document(runs)["fixes"]:
        rate = {"median": c["falls_per_million_games"], "low": c["low"], "high": c["high"], "n": c["seeds"]}
        rows.append(row(c["fix"], games=c["games"], blocked=c["blocked_games"], incidents=c["incidents"], falls=c["falls"],
                        **{"falls a million games": rate, "seeds fallen": c["seeds_fallen"]}))
    return rows, [f"Sums of {document(runs)['fixes'][0]['seeds']} seeds. No count depends on the load of the machine."]


def cpu_seconds(runs):
    return [row(label, **{"CPU time": cell([run.cpu for run in many])}) for label, many in runs.items()], []


def stress(runs):
    """Of each record type and payload: mixed slots seen, and what the table, no check and plain XOR accepted."""
    rows = {}
    columns = {"paused": "xor", "none": "none", "plain": "plain xor"}
    for c in document(runs)["cases"]:
        name = c["type"] + (f" of {c['words']} words" if c["type"] == "records" else "") + f", {c['payload']}"
        if c["way"] in columns:
            rows.setdefault(name, {})[columns[c["way"]]] = c["accepted"]
        if c["way"] == "paused":
            rows[name]["mixed"] = 100 * c["slots_mixed"] / max(1, c["slots_looked_into"])
    probes = sum(c["probes"] for c in document(runs)["cases"] if c["way"] in ("paused", "calls"))
    return rows_of(rows.items()), [f"{probes / 1e9:.1f}e9 probes under protection."]


def stress_plain(runs):
    return [row(c["type"] + (f" of {c['words']} words" if c["type"] == "records" else ""),
                **{"mixed": 100 * c["slots_mixed"] / max(1, c["slots_looked_into"]), "accepted": c["accepted"]})
            for c in document(runs)["cases"]], []


def mutants(runs):
    rows = []
    for name, *numbers in re.findall(r"^(\S+) +(\d+) caught, (\d+) survived, (\d+) with a reason", runs[""][-1].output, re.M):
        caught, survived, reasons = map(int, numbers)
        if caught + survived:
            rows.append(row(name, mutants=caught + survived, caught=caught, share=100 * caught / (caught + survived), survived=survived,
                            **{"with a reason": reasons}))
    return rows, ["The file of the same name with the ending .jsonl has the verdicts of all runs, one for each mutant, with the reasons."]


def fuzz_hours(runs):
    """What the file of earlier runs says, and what these add."""
    try:
        rows = {r["name"]: r["cells"] for r in result_file.read(result_file.ROOT, "fuzz-hours")["rows"]}
    except FileNotFoundError:
        rows = {}
    for name, verdict, seconds, inputs in re.findall(r"^(\S.*?) +(passed|failed) +(\d+) s +(\d+) inputs$", "\n".join(r.output for r in runs[""]), re.M):
        more = {"time": int(seconds), "inputs": int(inputs), "findings": int(verdict == "failed"), "runs": 1}
        rows[name] = {k: n + rows.get(name, {}).get(k, 0) for k, n in more.items()}
    rows.pop("all", None)
    return rows_of([*sorted(rows.items()), ("all", {k: sum(cells[k] for cells in rows.values()) for k in ("time", "inputs", "findings")})]), [
        "Sums of all runs, of this commit and of earlier ones, in seconds of a processor, before 2026-11-29 of the clock; a finding is "
        "repaired before the next run."]


def kills(runs):
    found = re.search(r"seed (\d+): exact after the kill of (\d+) workers, (\d+) coordinators and (\d+) whole jobs; (\d+) jobs",
                      runs[""][-1].output)
    count = sum(map(int, found.groups()[1:4]))
    return [row(f"seed {found[1]}", kills=count, **{"exact totals": count, "jobs lost by a worker's death": int(found[5])})], []


# ---- with a mechanism and without it ----

def expanded(found):
    """Positions that the table did not know."""
    return found["probes"] - found["hits"]


def perft_private(runs):
    """A label is `position, size: shared` or `position, size: private`. Ratios are formed within rounds."""
    tables = {}
    for label in runs:
        name, kind = label.split(": ")
        tables.setdefault(name, {})[kind] = [json.loads(run.output) for run in runs[label]]
    found = []
    for name, kinds in tables.items():
        if len({f["nodes"] for many in kinds.values() for f in many}) != 1:
            raise ValueError(f"{name}: the counts differ")
        cells = {"hits": [100 * f["hit_rate"] for f in kinds["shared"]], "private hits": [100 * f["hit_rate"] for f in kinds["private"]]}
        pairs = list(zip(kinds["private"], kinds["shared"]))
        for column, figure in (("expanded, ratio", expanded), ("CPU time, ratio", lambda f: f["cpu_seconds"])):
            cells[column] = [figure(a) / figure(b) for a, b in pairs]
        cells["CPU time"] = [f["cpu_seconds"] for f in kinds["shared"]]
        found.append(row(name, **{k: cell(v) for k, v in cells.items()}))
    return found, ["CPU time and hits: of the shared table; ratios: private tables by the shared one. Expanded: positions that no table knew."]


# ---- by the number of threads ----

COUNTS = (1, 2, 4, 8, 16)  # of threads: up to as many as the machine has processors
KINDS = {"shared": "", "private": " --private"}


def thread_counts():
    return [n for n in COUNTS if n <= len(os.sched_getaffinity(0))]


def threads(n):
    return f"{n} thread{'s' * (n > 1)}"


def perft_commands(name, words, kinds=tuple(KINDS)):
    """One thread alone has no private table that differs from the shared one."""
    return {f"{name}, {threads(n)}: {kind}": f"{{tabia}} perft {words} --threads {n} --hash 1G{KINDS[kind]} --json --quiet"
            for n in thread_counts() for kind in kinds if n > 1 or kind != "private"}


def by_kind(runs):
    """{(position, threads): {kind: what its runs printed}}, from labels `position, threads: kind`."""
    found = {}
    for label, many in runs.items():
        name, kind = label.split(": ")
        found.setdefault(tuple(name.rsplit(", ", 1)), {})[kind] = [json.loads(run.output) for run in many]
    return found


def ratios(some, others):
    """Of the seconds of two contenders, formed within rounds."""
    return cell([a["seconds"] / b["seconds"] for a, b in zip(some, others)])


def cores_perft(runs):
    found, rows, counts = by_kind(runs), [], {}
    for (position, many), kinds in found.items():
        nodes = {one["nodes"] for ones in kinds.values() for one in ones}
        if nodes != counts.setdefault(position, nodes) or len(nodes) != 1:
            raise ValueError(f"{position}: the counts differ")
        cells = {"time": cell([one["seconds"] for one in kinds["shared"]]),
                 "speedup": ratios(found[position, threads(1)]["shared"], kinds["shared"])}
        if "private" in kinds:
            cells["private, time"] = ratios(kinds["private"], kinds["shared"])
        rows.append(row(f"{position}, {many}", **cells))
    return rows, ["Speedup: of the shared table over one thread. Private: its time by that of the shared table, the same memory in all."]


def cores_table(runs):
    rows = {}
    for table in document(runs)["tables"]:
        for one in table["rows"]:
            rows.setdefault(place(table["title"]) + one["name"], {})[threads(one["threads"])] = cell(one["samples"])
    return [row(name, **cells) for name, cells in rows.items() if not name.endswith(": again")], []
