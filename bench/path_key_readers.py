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


def share(form, zones, results=("wins", "draws", "losses")):
    """Percent wrong of the questions with these results at these clocks."""
    asked = [form[zone][r] for zone in zones for r in results]
    return 100 * sum(r["wrong"] for r in asked) / sum(r["asked"] for r in asked)


def path_keys_repetitions(runs):
    """Shares of the questions with each result, of all, and of those whose result the moves before them change."""
    found = document(runs)
    rows, zones, results = [], ("clock_below_80", "clock_from_80"), ("wins", "draws", "losses")
    zones = [z for z in zones if any(found["forms"][0][z][r]["asked"] for r in results)]
    for f in found["forms"]:
        asked = sum(f[zone][r]["asked"] for zone in zones for r in results)
        cells = {r: share(f, zones, (r,)) for r in results}
        cells.update({"all": share(f, zones), "by history": 100 * f["by_history_wrong"] / f["by_history_asked"],
                      "empty table": 100 * f["cold_wrong"] / f["cold_asked"], "better": f["better_than_first"],
                      "worse": f["worse_than_first"], "moves": 100 * f["points_lost"] / asked})
        rows.append(row(f"{f['form']}, {f['threshold']}" if "threshold" in f else f["form"], **cells))
    first = found["forms"][0]
    counts = {r: sum(first[zone][r]["asked"] for zone in zones) for r in results}
    return rows, [f"{sum(counts.values()):,} questions: {counts['wins']:,} won, {counts['draws']:,} drawn, {counts['losses']:,} lost; "
                  f"{first['by_history_asked']:,} with another result by the moves before them. {found['nodes']:,} nodes for an answer."]


def path_keys_exact(runs):
    """Shares of the questions with each result, and of all; points lost for a hundred questions and games."""
    found = document(runs)
    rows, zones = [], ("clock_below_80", "clock_from_80")

    for f in found["forms"]:
        asked = sum(f[zone][r]["asked"] for zone in zones for r in ("wins", "draws", "losses"))
        cells = {r: share(f, zones, (r,)) for r in ("wins", "draws", "losses")}
        cells.update({"all": share(f, zones), "clock from 80": share(f, zones[1:]), "empty table": 100 * f["cold_wrong"] / f["cold_asked"],
                      "better": f["better_than_first"], "worse": f["worse_than_first"], "moves": 100 * f["points_lost"] / asked,
                      "play-outs": 100 * f["playout_points_lost"] / found["games"]})
        rows.append(row(f"{f['form']}, {f['threshold']}" if "threshold" in f else f["form"], **cells))
    first = found["forms"][0]
    counts = {r: sum(first[zone][r]["asked"] for zone in zones) for r in ("wins", "draws", "losses")}
    edge = sum(first["clock_from_80"][r]["asked"] for r in counts)
    return rows, [f"{sum(counts.values()):,} questions: {counts['wins']:,} won, {counts['draws']:,} drawn, {counts['losses']:,} lost; "
                  f"{edge:,} at a halfmove clock of 80 and more. {found['nodes']:,} nodes for an answer."]


def path_keys_cost(runs):
    found = document(runs)
    rows = [row(r["rule"], nodes=r["nodes"] / 1e6, **{"nodes, ratio": r["nodes_ratio"], "time a node, ratio": r["node_time_ratio"]})
            for r in found["rows"]]
    return rows, [f"{found['positions']} positions of {found['games']} games to depth {found['depth']}; means over games, ratios to off."]
