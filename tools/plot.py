#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Draws by gnuplot what Tabia's commands print with --json, and the logs of a training.

    plot FILE ...                  in the terminal
    plot FILE ... --out FILE.svg   as SVG; .png: as PNG; .gp: only the script, for which gnuplot need not be there
    plot FILE ... --watch          again whenever a file has grown, up to Ctrl-C

    tabia data stats --json games.viri | plot - --out games.svg
    plot mine.network.log --watch

FILE is a log of `tabia train` (errors of training and validation, and the learning rate, over positions; several logs are drawn
over each other, and epochs on synthetic samples are left out where others follow), or one JSON document of `data stats`, or a result
file of docs/results (its first column as bars). `-` is standard input.
"""

import argparse
import collections
import json
import os
import shlex
import shutil
import subprocess
import sys
import textwrap
import time

# Distinct for people who see no red or no green, too (Masataka Okabe and Kei Ito, 2008).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#8c6d1f")
WIDTH, LEFT, RIGHT, ABOVE, BELOW, FRAME, BAR, LINE = 860, 90, 830, 40, 60, 300, 24, 15  # pixels
NAME_WIDTH = 7  # pixels of a letter
WATCH_SECONDS = 2

# curves: [(name, points)]. A point is (x, y); of bars (name, y, low, high, text).
# style: "lines"; "boxes" of one curve; "areas" on each other, which have the same x; "bars" of one curve, from top to bottom.
Panel = collections.namedtuple("Panel", "title x y style curves logarithmic", defaults=(False,))


# What the histograms of `data stats` count.
COUNTED = {"phase": "24 at the start, 0 without pieces", "pieces": "on the board", "hands": "pieces in both hands",
           "promoted": "promoted pieces on the board", "material": "of the side to move over the other's, in pawns",
           "legal_moves": "of the side to move", "score": "for the side to move", "ply": "since the game began", "length": "records of a game"}


class Fault(Exception):
    """What is wrong, in words."""


# ---- the script ----

def quoted(text):
    """In single quotes: gnuplot runs what stands between backquotes in double ones."""
    return ' . "\\n" . '.join("'" + line.replace("'", "''") + "'" for line in text.split("\n"))


def block(name, rows):
    return [f"${name} << EOD", *(" ".join(f"{v:.6g}" if isinstance(v, (int, float)) else f'"{v}"' for v in row) for row in rows), "EOD"]


def colour(number):
    return f"linecolor '{COLOURS[number % len(COLOURS)]}'"


def sums(curves):
    """Of areas: rows of x, 0, the first value, the sum of the first two, ..."""
    rows = []
    for points in zip(*(points for _, points in curves)):
        rows.append([points[0][0], 0])
        for point in points:
            rows[-1].append(rows[-1][-1] + point[1])
    return rows


def areas(name, panel):
    return block(name, sums(panel.curves)), [
        f"${name} using 1:{n + 2}:{n + 3} with filledcurves fillstyle solid 0.85 noborder {colour(n)} title {quoted(title)}"
        for n, (title, _) in enumerate(panel.curves)]


def bars(name, panel):
    points = panel.curves[0][1]
    ticks = ", ".join(f"{quoted(p[0])} {at}" for at, p in enumerate(points))
    script = [*block(name, [(at, *p[1:4], p[4]) for at, p in enumerate(points)]), f"set ytics scale 0 ({ticks})",
              f"set yrange [{len(points) - 0.5}:-0.5]", "set xrange [0:*]", "set offsets 0, graph 0.12, 0, 0", "set grid xtics noytics"]
    drawn = [f"${name} using 2:1:(0):2:($1-0.35):($1+0.35) with boxxyerror fillstyle solid 1 noborder {colour(0)} notitle"]
    if any(p[2] != p[3] for p in points):
        drawn.append(f"${name} using 2:1:3:4 with xerrorbars linecolor '#000000' pointtype 0 notitle")
    return script, [*drawn, f"${name} using 4:1:5 with labels left offset character 0.6, 0 notitle"]


def lines(name, panel):
    script, drawn = [], []
    for n, (title, points) in enumerate(panel.curves):
        script += block(f"{name}c{n}", points)
        title = quoted(title) if len(panel.curves) > 1 else "''"
        if panel.style == "boxes":
            drawn.append(f"${name}c{n} using 1:2 with boxes fillstyle solid 1 noborder {colour(n)} title {title}")
            continue
        drawn.append(f"${name}c{n} using 1:2 with linespoints linewidth 1.5 pointtype 7 pointsize 0.4 {colour(n)} title {title}")
    values = [p[1] for _, points in panel.curves for p in points]
    from_zero = min(values) == max(values) or min(values) < 0.6 * max(values)
    return [*script, "set yrange [0:*]" if min(values) >= 0 and from_zero else "set yrange [*:*]"], drawn


def panel_script(number, panel):
    draw = {"areas": areas, "bars": bars}.get(panel.style, lines)
    script, drawn = draw(f"p{number}", panel)
    return ["reset", "set tics nomirror out", "set border 3 linecolor '#555555'", "set grid back linetype 1 linewidth 1 linecolor rgb '#dddddd'",
            "set key outside right top vertical Left reverse samplen 2", "set xrange [*:*] noextend", f"set title {quoted(panel.title)}",
            f"set xlabel {quoted(panel.x)}", f"set ylabel {quoted(panel.y)}", *(["set logscale x 2"] if panel.logarithmic else []),
            *script, "plot " + ", ".join(drawn)]


def frame_height(panel):
    return BAR * len(panel.curves[0][1]) if panel.style == "bars" else FRAME


def margins(panel, top, height):
    """The frame of a panel that begins so many pixels below the page's top."""
    left = max(LEFT, 20 + NAME_WIDTH * max(len(p[0]) for p in panel.curves[0][1])) if panel.style == "bars" else LEFT
    legend = 40 + NAME_WIDTH * max(len(name) for name, _ in panel.curves) if len(panel.curves) > 1 else 0
    at = (left / WIDTH, (RIGHT - legend) / WIDTH, 1 - (top + ABOVE) / height, 1 - (top + ABOVE + frame_height(panel)) / height)
    return [f"set {side} at screen {value:.5f}" for side, value in zip(("lmargin", "rmargin", "tmargin", "bmargin"), at)]


def page(panels, caption, kind):
    """The script of a picture; kind: "svg" or "pngcairo fontscale 0.75"."""
    lines = textwrap.wrap(caption, (WIDTH - 20) // 6)
    height = sum(ABOVE + frame_height(p) + BELOW for p in panels) + LINE * len(lines)
    script = [f"set terminal {kind} noenhanced size {WIDTH},{height} font 'sans-serif,12' background '#ffffff'", "set encoding utf8", "set multiplot"]
    top = 0
    for number, panel in enumerate(panels):
        words = panel_script(number, panel)
        label = f"set label {quoted(chr(10).join(lines))} at screen 0.012, screen {(LINE * len(lines) - 4) / height:.5f} left font 'sans-serif,11' textcolor '#555555'"
        script += [words[0], *margins(panel, top, height), *([label] if lines and not number else []), *words[1:]]
        top += ABOVE + frame_height(panel) + BELOW
    return "\n".join([*script, "unset multiplot"]) + "\n"


def terminal_page(panels):
    """In letters: the panels below each other, without a grid, which would be as dark as the curves."""
    columns, rows = shutil.get_terminal_size((100, 32))
    script = []
    for number, panel in enumerate(panels):
        words = [word for word in panel_script(number, panel) if not word.startswith("set grid")]
        script += [f"set terminal dumb noenhanced size {columns - 1}, {max(14, (rows - 2) // len(panels))}", *words]
    return "\n".join(script) + "\n"


def run(script):
    """What gnuplot makes of it. Raises Fault."""
    if not shutil.which("gnuplot"):
        raise Fault("gnuplot is missing: apt-get install gnuplot-nox")
    done = subprocess.run(["gnuplot"], input=script.encode(), capture_output=True)
    if done.returncode or not done.stdout:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise Fault(f"gnuplot: {lines[-1] if lines else 'failed'}")
    return done.stdout


# ---- what is drawn ----

def log_panels(logs):
    """logs: {name: lines}."""
    errors, rates = [], []
    for name, found in logs.items():
        found = [line for line in found if not line["synthetic"]] or found
        name = os.path.basename(name).removesuffix(".log")
        parts = [line for line in found if line["kind"] == "part"] or found
        checked = [line for line in found if line["kind"] == "epoch" and "validation_error" in line]
        errors.append((f"{name}: training", [(line["all_samples"] / 1e6, line["error"]) for line in parts]))
        errors.append((f"{name}: validation", [(line["all_samples"] / 1e6, line["validation_error"]) for line in checked]))
        rates.append((name, [(line["all_samples"] / 1e6, line["rate"]) for line in parts]))
    x = "positions, millions"
    return [Panel("error", x, "", "lines", [c for c in errors if c[1]]), Panel("learning rate", x, "", "lines", [c for c in rates if c[1]])]


def stats_panels(document):
    """Each histogram without its empty ends, in percent; and the points got by score."""
    panels = []
    for name, h in document.items():
        if not isinstance(h, dict) or "bins" not in h:
            continue
        middle = h["bin_width"] / 2 if h["bin_width"] > 1 else 0
        points = [(h["first_bin"] + i * h["bin_width"] + middle, 100 * n / max(1, sum(h["bins"]))) for i, n in enumerate(h["bins"])]
        full = [i for i, n in enumerate(h["bins"]) if n]
        if full:
            panels.append(Panel(name.replace("_", " "), COUNTED.get(name, ""), "percent", "boxes", [(name, points[full[0]:full[-1] + 1])]))
    h = document["score"]
    points = [(h["first_bin"] + (i + 0.5) * h["bin_width"], 50 * got / n)
              for i, (n, got) in enumerate(zip(h["bins"], document["half_points_by_score_bin"])) if n]
    return [*panels, Panel("points by score", "score for the side to move", "percent of the points", "lines", [("points", points)])]


def middle_of(cell):
    return cell["median"] if isinstance(cell, dict) else cell


def result_panels(result, column, text="{:.4g}".format):
    """One column of a result file as bars."""
    points = []
    for r in result["rows"]:
        cell = r["cells"].get(column["name"])
        value = middle_of(cell)
        if isinstance(value, (int, float)):
            ends = (cell["low"], cell["high"]) if isinstance(cell, dict) and cell.get("low") is not None else (value, value)
            points.append((r["name"], value, *ends, text(value)))
    unit = f", {column['unit']}" if column["unit"] else ""
    return [Panel(result["title"], column["name"] + unit, "", "bars", [("", points)])]


def panels_of(document, path):
    command = document.get("tabia", {}).get("command") if isinstance(document.get("tabia"), dict) else None
    if "columns" in document and "rows" in document:
        return result_panels(document, document["columns"][0])
    if command != "data stats":
        raise Fault(f"{path}: is no log of a training, and no document of data stats")
    return stats_panels(document)


# ---- the command ----

def read(path):
    """[document], or the lines of a log; a last line that is still being written is left out."""
    try:
        text = sys.stdin.read() if path == "-" else open(path, encoding="utf-8").read()
    except (OSError, UnicodeDecodeError) as error:
        raise Fault(f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}") from None
    try:
        return [json.loads(text)] if text.count("\n") <= 1 else [json.loads(line) for line in text[:text.rfind("\n") + 1].splitlines()]
    except ValueError:
        pass
    try:
        return [json.loads(text)]
    except ValueError as error:
        raise Fault(f"{path}: is no JSON: {error}") from None


def is_log(found):
    members = {"kind", "error", "all_samples", "rate", "synthetic"}
    return all(isinstance(line, dict) and members <= set(line) for line in found)


def all_panels(paths):
    """The panels of all files, and the processors that logs name."""
    files = {path: read(path) for path in paths}
    logs = {path: found for path, found in files.items() if is_log(found)}
    processors = dict.fromkeys(line["processor"] for found in logs.values() for line in found if "processor" in line)
    panels = log_panels(logs) if logs else []
    for path, found in files.items():
        if path not in logs:
            panels += panels_of(found[0] if len(found) == 1 and isinstance(found[0], dict) else {}, path)
    panels = [p for p in panels if p.curves and p.curves[0][1]]
    if not panels:
        raise Fault(f"{paths[0]}: has nothing to draw yet")
    return panels, ", ".join(processors)


def write(out, content):
    """Whole or not at all."""
    folder = os.path.dirname(out) or "."
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Fault(f"--out {out}: {'no file can be written there' if os.path.isdir(folder) else 'there is no such folder'}")
    try:
        with open(out + ".part", "wb") as file:
            file.write(content)
        os.replace(out + ".part", out)
    except OSError as error:
        if os.path.exists(out + ".part"):
            os.remove(out + ".part")
        raise Fault(f"--out {out}: {error.strerror}") from None


def draw(paths, out):
    panels, processors = all_panels(paths)
    if not out:
        sys.stdout.buffer.write(run(terminal_page(panels)))
        sys.stdout.flush()
        return
    command = " ".join(["plot", *map(shlex.quote, sys.argv[1:])]) + ("; trained on " + processors if processors else "")
    script = page(panels, command, "pngcairo fontscale 0.75" if out.endswith(".png") else "svg")
    write(out, script.encode() if out.endswith(".gp") else run(script))


def options():
    parser = argparse.ArgumentParser(prog="plot", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--out", metavar="FILE.svg")
    parser.add_argument("--watch", action="store_true")
    o = parser.parse_args()
    if o.out and not o.out.endswith((".svg", ".png", ".gp")):
        parser.error(f"--out {o.out}: its name ends with none of .svg, .png, .gp")
    return o


def main():
    o = options()
    drawn = None
    while True:
        sizes = [os.path.getsize(path) if os.path.exists(path) else -1 for path in o.files]
        if sizes != drawn:
            draw(o.files, o.out)
            drawn = sizes
        if not o.watch:
            return
        time.sleep(WATCH_SECONDS)


if __name__ == "__main__":
    try:
        main()
    except Fault as fault:
        sys.exit(f"plot: {fault}")
    except KeyboardInterrupt:
        sys.exit(130)
