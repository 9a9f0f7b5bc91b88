# SPDX-License-Identifier: MIT
"""What the results of path keys are read from: the programs' JSON to rows of a result file."""

from readers import document, row


def path_keys(runs):
    found = document(runs)
    first, rows = found["forms"][0]["nodes"], []
    for f in found["forms"]:
        cells = {"nodes": f["nodes"], "of off": f["nodes"] / first}
        for kind in ("draws", "wins"):
            cells.update({f"{kind}, cold": f[kind]["correct_cold"], f"{kind}, warm": f[kind]["correct_warm"]})
        cells["false mates"] = f["false_mates_cold"] + f["false_mates_warm"]
        rows.append(row(f["form"], **cells))
    totals = found["forms"][0]
    return rows, [f"{totals['draws']['total']} draws and {totals['wins']['total']} wins."]


RESULTS = ("wins", "draws", "losses")
ZONES = ("clock_below_80", "clock_from_80")


def share(form, zones=ZONES, results=RESULTS):
    """Percent wrong of the questions with these results at these clocks, of which there are some."""
    questions = [form[zone][r] for zone in zones for r in results]
    return 100 * sum(r["wrong"] for r in questions) / sum(r["asked"] for r in questions)


def asked(form, zones=ZONES, results=RESULTS):
    return sum(form[zone][r]["asked"] for zone in zones for r in results)


def judged(found, more, note):
    """Of each form the shares of the questions with each result, and of all; what more(form) adds; points lost for a hundred questions."""
    rows, first = [], found["forms"][0]
    for f in found["forms"]:
        cells = {**{r: share(f, results=(r,)) for r in RESULTS}, "all": share(f), **more(f),
                 "empty table": 100 * f["cold_wrong"] / f["cold_asked"], "better": f["better_than_first"],
                 "worse": f["worse_than_first"], "moves": 100 * f["points_lost"] / asked(f)}
        rows.append(row(f["form"], **cells))
    won, drawn, lost = (asked(first, results=(r,)) for r in RESULTS)
    return rows, [f"{asked(first):,} questions: {won:,} won, {drawn:,} drawn, {lost:,} lost; {note}. {found['nodes']:,} nodes for an answer."]


def path_keys_exact(runs):
    """With the share at late clocks, and points lost for a hundred games."""
    found = document(runs)
    return judged(found, lambda f: {"clock from 80": share(f, ZONES[1:]), "play-outs": 100 * f["playout_points_lost"] / found["games"]},
                  f"{asked(found['forms'][0], ZONES[1:]):,} at a halfmove clock of 80 and more")


def path_keys_cost(runs):
    found = document(runs)
    rows = [row(r["rule"], nodes=r["nodes"] / 1e6, **{"nodes, ratio": r["nodes_ratio"], "time a node, ratio": r["node_time_ratio"]})
            for r in found["rows"]]
    return rows, [f"{found['positions']} positions of {found['games']} games to depth {found['depth']}; means over games, ratios to off."]
