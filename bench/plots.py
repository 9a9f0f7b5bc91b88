# SPDX-License-Identifier: MIT
"""
Columns of a result file as scripts for gnuplot (gnuplot.py).

    bars      one column: a bar to the median for each row, a whisker from low to high where the figure has an interval
    lines     columns against one or several others, a panel for each of these. A number: a line through the rows. A figure with an
              interval: a point with a whisker; where it is 0, an arrow down from high: on a logarithmic axis there is no 0
    stacked   columns that add up, as areas
"""

import math
import re

import gnuplot
from gnuplot import COLOURS, EDGE, rounded, text

WIDTH, PANEL, PLOT, AXIS, ROW, FIGURE, LEFT = 720, 270, 250, 52, 24, 70, 72
CHARACTER = 7.0  # pixels of one, at most
TICKS_MOST = 11


def value_of(cell):
    return cell["median"] if isinstance(cell, dict) else cell


def interval(cell):
    """(low, high), or None."""
    return (cell["low"], cell["high"]) if isinstance(cell, dict) and cell.get("low") is not None else None


def with_unit(column):
    return column["name"] + (f", {column['unit']}" if column["unit"] else "")


# ---- bars ----

def bars(result, column, caption, shown):
    """`shown` makes the text of a figure."""
    found = [(r["name"], r["cells"][column["name"]]) for r in result["rows"]
             if isinstance(value_of(r["cells"].get(column["name"])), (int, float))]
    page = gnuplot.Page(f"{result['title']}: {with_unit(column)}", caption, WIDTH, ROW * len(found) + 40)
    left = EDGE + 8 + CHARACTER * max(len(name) for name, _ in found)
    ends = [(interval(cell) or (0, value_of(cell)))[1] for _, cell in found]
    script = [*page.head(), *page.margins(left, WIDTH - FIGURE, page.top + 4, page.top + 4 + ROW * len(found)),
              "unset key", f"set yrange [{len(found) - 0.5}:-0.5]", f"set xrange [0:{rounded(max(ends) or 1)}]", "set grid xtics noytics",
              "set ytics scale 0 (" + ", ".join(f"{text(name.replace('%', '%%'))} {at}" for at, (name, _) in enumerate(found)) + ")",
              "set style fill solid 1 noborder"]
    whiskers = [(value_of(cell), at, *interval(cell)) for at, (_, cell) in enumerate(found) if interval(cell)]
    script += [f"set label {text(shown(value_of(cell)))} at first {rounded(end)}, first {at} left offset character 0.6, 0"
               for at, ((_, cell), end) in enumerate(zip(found, ends))]
    script += gnuplot.block("bars", [(0, value_of(cell), at - 0.35, at + 0.35) for at, (_, cell) in enumerate(found)])
    script += gnuplot.block("whiskers", whiskers) if whiskers else []
    over = ", $whiskers using 1:2:3:4 with xerrorbars linecolor '#000000' pointtype 0" if whiskers else ""
    script.append(f"plot $bars using 2:3:1:2:3:4 with boxxyerror linecolor '{COLOURS[0]}'{over}")
    return "\n".join(script) + "\n"


# ---- lines and areas ----

def usual(rows, column):
    """The value that most rows have: that of the base which the others vary."""
    values = [r["cells"].get(column) for r in rows]
    return max(values, key=values.count)


def rows_of_panel(rows, against, x):
    """The rows that differ from the base in x only, each x once, in its order."""
    base = {c["name"]: usual(rows, c["name"]) for c in against}
    found = {r["cells"][x["name"]]: r for r in reversed(rows)
             if all(r["cells"].get(c) == v for c, v in base.items() if c != x["name"])}
    return [found[k] for k in sorted(found)]


def named_x(result, what):
    """The result with a column that holds the number a row's name begins with: of ranks in `4 ranks`."""
    rows = [{**r, "cells": {**r["cells"], what: int(re.match(r"\d+", r["name"])[0])}} for r in result["rows"]]
    return {**result, "rows": rows, "columns": [*result["columns"], {"name": what, "unit": "", "digits": 0}]}


def is_power_of_two(value):
    return value > 0 and math.log2(value).is_integer()


class Axis:
    """What gnuplot is told of the x axis, and where marks of several columns lie beside each other."""

    def __init__(self, values):
        self.low, self.high = min(values), max(values)
        ratio = self.high / self.low if self.low > 0 else 0
        self.logarithmic = ratio >= 7 and (len(values) <= TICKS_MOST or all(map(is_power_of_two, values)))
        self.ticks = values if len(values) <= TICKS_MOST else None

    def beside(self, value, steps):
        """Moved by so many hundredths of the axis."""
        if self.logarithmic:
            return value * (self.high / self.low) ** (0.012 * steps)
        return value + (self.high - self.low) * 0.012 * steps

    def apart(self, pixels):
        """The ticks whose numbers do not touch the one before, on an axis of so many pixels."""
        kept, place = [], (math.log if self.logarithmic else float)
        span = place(self.high) - place(self.low) or 1
        for value in self.ticks or ():
            room = CHARACTER * (len(f"{value:g}") + 0.5)
            if not kept or (place(value) - place(kept[-1])) / span * pixels >= room:
                kept.append(value)
        return kept

    def script(self, pixels):
        words = ["set logscale x 2" if self.logarithmic else "unset logscale x",
                 f"set xrange [{rounded(self.beside(self.low, -2))}:{rounded(self.beside(self.high, 2))}]"]
        ticks = ", ".join(f"'{v:g}' {rounded(v)}" for v in self.apart(pixels))
        return [*words, f"set xtics ({ticks})" if ticks else "set xtics autofreq"]


def heights(rows, columns):
    cells = [r["cells"].get(c["name"]) for r in rows for c in columns]
    values = [v for c in cells for v in ([*(interval(c) or ()), value_of(c)] if isinstance(c, dict) else [c])]
    return [v for v in values if v is not None]


def y_range(values, logarithmic):
    """From 0, but where all values lie far above it."""
    if logarithmic:
        over = [v for v in values if v > 0]
        return 10 ** math.floor(math.log10(min(over))), 10 ** math.ceil(math.log10(max(over)) - 1e-9)
    low, high = min(values), max(values)
    return (low if low < 0 else 0 if low < 0.6 * high else low - 0.1 * (high - low)), high + 0.04 * (high - low)


def curve(name, axis, rows, column, number, most):
    """(script, elements of `plot`) of one column: points with whiskers and arrows, or a line."""
    colour, cells = COLOURS[number % len(COLOURS)], [r["cells"].get(column["name"]) for r in rows]
    shift = number - (most - 1) / 2
    at = [axis.beside(r["cells"][axis.name], shift) for r in rows]
    marks = [(x, value_of(c), *interval(c)) for x, c in zip(at, cells) if interval(c) and c["median"] > 0]
    arrows = [(x, interval(c)[1], 0, axis.bottom - interval(c)[1]) for x, c in zip(at, cells) if interval(c) and c["median"] <= 0]
    line = [(r["cells"][axis.name], c) for r, c in zip(rows, cells) if c is not None and not interval(c)]
    script, drawn = [], []
    for part, points, style in (("line", line, "with linespoints linewidth 2 pointtype 7 pointsize 0.4"),
                                ("marks", marks, "with yerrorbars linewidth 1.5 pointtype 7 pointsize 0.5"),
                                ("arrows", arrows, "with vectors head filled size screen 0.008, 20 linewidth 1.5")):
        if points:
            script += gnuplot.block(name + part, points)
            drawn.append(f"${name}{part} {style} linecolor '{colour}' notitle")
    return script, drawn


def areas(name, axis, rows, columns):
    """(script, elements of `plot`) of columns on each other."""
    table, script, drawn = [], [], []
    for row in rows:
        sums = [0]
        for column in columns:
            sums.append(sums[-1] + value_of(row["cells"][column["name"]]))
        table.append((row["cells"][axis.name], *sums))
    script = gnuplot.block(name, table)
    for number in range(len(columns)):
        drawn.append(f"${name} using 1:{number + 2}:{number + 3} with filledcurves fillstyle solid 0.85 noborder "
                     f"linecolor '{COLOURS[number % len(COLOURS)]}' notitle")
    return script, drawn, [sums[-1] for sums in table]


def legend(page, columns):
    """Squares and names in rows above the panels, and their height."""
    script, x, y = [], EDGE, page.top + 10
    for number, column in enumerate(columns):
        width = 34 + CHARACTER * len(column["name"])
        if x + width > page.width and x > EDGE:
            x, y = EDGE, y + 18
        script += [f"set object rectangle from screen {page.x(x)}, screen {page.y(y - 5)} to screen {page.x(x + 11)}, screen {page.y(y + 6)} "
                   f"fillcolor '{COLOURS[number % len(COLOURS)]}' fillstyle solid noborder",
                   f"set label {text(column['name'])} at screen {page.x(x + 17)}, screen {page.y(y)} left"]
        x += width
    return script, y + 14 - page.top


def panel(number, rows, x, columns, options):
    """The script of the axes and curves of one panel."""
    axis = Axis([r["cells"][x["name"]] for r in rows])
    axis.name, (axis.bottom, top) = x["name"], options["range"]
    script, drawn = [], []
    if options["stacked"]:
        script, drawn, sums = areas(f"p{number}", axis, rows, columns)
        axis.bottom, top = 0, max(sums)
    for order, column in enumerate(() if options["stacked"] else columns):
        words, elements = curve(f"p{number}c{order}", axis, rows, column, order, len(columns))
        script, drawn = script + words, drawn + elements
    return [*script, *axis.script(options["pixels"]), "set logscale y" if options["logarithmic"] else "unset logscale y",
            f"set yrange [{rounded(axis.bottom)}:{rounded(top)}]", f"set xlabel {text(with_unit(x))}", "plot " + ", ".join(drawn)]


def lines(result, against, columns, caption, options):
    """The script. `options`: a set of "logarithmic" and "stacked"."""
    unit = f", {columns[0]['unit']}" if columns[0]["unit"] else ""
    width = max(WIDTH, PANEL * len(against))
    page = gnuplot.Page(result["title"] + unit, caption, width, PLOT + AXIS + 18 * (2 + len(columns) // 4))
    words, down = legend(page, columns)
    span, top = (width - EDGE) / len(against), page.top + down
    chosen = {"stacked": "stacked" in options, "logarithmic": "logarithmic" in options,
              "pixels": span - LEFT - 4, "range": y_range(heights(result["rows"], columns), "logarithmic" in options)}
    script = [*page.head(), *words, "unset key", "set format y '%.10g'" if chosen["logarithmic"] else "set format y '%g'", "set multiplot"]
    for number, x in enumerate(against):
        left = span * number + LEFT
        script += page.margins(left, span * (number + 1) - 4, top, top + PLOT)
        script += panel(number, rows_of_panel(result["rows"], against, x), x, columns, chosen)
        script += ["unset label", "unset object"]
    return "\n".join([*script, "unset multiplot"]) + "\n"
