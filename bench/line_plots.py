# SPDX-License-Identifier: MIT
"""
Columns of a result file against one or several others, as panels side by side in SVG.

    a number            a line through the rows
    a figure with an    a point with a whisker from low to high; where it is 0, an arrow down from high: on a
    interval            logarithmic axis there is no 0
"""

import math
from xml.sax.saxutils import escape

PANEL, ALONE, LEFT, RIGHT, TOP, HEIGHT, BELOW = 250, 640, 70, 14, 64, 230, 52
COLOURS = ("#d55e00", "#0072b2", "#009e73", "#8c6d1f")
TICKS_MOST, TICK_WIDTH = 8, 30


def value_of(cell):
    return cell["median"] if isinstance(cell, dict) else cell


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


class Axis:
    """Values to pixels."""

    def __init__(self, values, ends, logarithmic):
        self.log, self.ends = logarithmic, ends
        self.low, self.high = min(values), max(values)
        if self.low == self.high:
            self.high = self.low + 1
        if logarithmic:
            self.low, self.high = 10 ** math.floor(math.log10(self.low)), 10 ** math.ceil(math.log10(self.high))

    def at(self, value):
        scale = math.log10 if self.log else float
        part = (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low))
        return self.ends[0] + part * (self.ends[1] - self.ends[0])


def round_ticks(low, high):
    """Multiples of 1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10((high - low) / 5))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= (high - low) / 5)
    return [n * step for n in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def decades(axis):
    return [10.0 ** d for d in range(round(math.log10(axis.low)), round(math.log10(axis.high)) + 1)]


def apart(x, ticks):
    """Those whose numbers do not touch the one before."""
    kept = []
    for value in ticks:
        if not kept or x.at(value) - x.at(kept[-1]) >= TICK_WIDTH:
            kept.append(value)
    return kept


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{escape(words)}</text>'


def grid(x, y, ticks):
    """The frame, the lines and the numbers of both axes."""
    left, right, top, bottom = x.ends[0], x.ends[1], y.ends[1], y.ends[0]
    parts = [f'<rect x="{left - 8}" y="{top}" width="{right - left + 16}" height="{bottom - top}" fill="none" stroke="#333"/>']
    for value in decades(y) if y.log else round_ticks(y.low, y.high):
        parts.append(f'<path d="M{left - 8} {y.at(value):.1f}H{right + 8}" stroke="#ddd"/>')
        parts.append(text(left - 12, y.at(value) + 4, f"{value:,.10g}", ' text-anchor="end"'))
    return parts + [text(x.at(v), bottom + 16, f"{v:g}", ' text-anchor="middle"') for v in apart(x, ticks)]


def point(x, y, cell, colour):
    low, high, median = cell["low"], cell["high"], cell["median"]
    bottom = y.at(max(low, y.low))
    if median <= 0:
        tip = y.ends[0] - 4
        return f'<path d="M{x:.1f} {y.at(high):.1f}V{tip:.1f}m-4 -7l4 7l4 -7M{x - 4:.1f} {y.at(high):.1f}h8" stroke="{colour}" fill="none"/>'
    return (f'<path d="M{x:.1f} {y.at(high):.1f}V{bottom:.1f}M{x - 4:.1f} {y.at(high):.1f}h8M{x - 4:.1f} {bottom:.1f}h8" stroke="{colour}"/>'
            f'<circle cx="{x:.1f}" cy="{y.at(median):.1f}" r="3.5" fill="{colour}"/>')


def curve(axes, column, cells, number):
    """One column, [(x, cell)]: points beside those of the other columns, or a line."""
    x, y = axes
    colour = COLOURS[number % len(COLOURS)]
    parts = [point(x.at(v) + 5 * number - 2.5, y, c, colour) for v, c in cells if isinstance(c, dict)]
    line = [(x.at(v), y.at(c)) for v, c in cells if isinstance(c, (int, float)) and (c > 0 or not y.log)]
    if line:
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in line)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
    return parts


def heights(result, columns, logarithmic):
    """All values that a plot must have room for."""
    cells = [r["cells"].get(c["name"]) for r in result["rows"] for c in columns]
    values = [v for c in cells for v in ([c["low"], c["median"], c["high"]] if isinstance(c, dict) else [c])]
    return [v for v in values if v is not None and (v > 0 or not logarithmic)] + ([] if logarithmic else [0])


def panel(rows, x_column, columns, y, ends):
    xs = [r["cells"][x_column["name"]] for r in rows]
    x = Axis(xs, ends, False)
    if min(xs) > 0 and max(xs) / min(xs) >= 7 and len(xs) <= TICKS_MOST:
        x.log, x.low, x.high = True, min(xs), max(xs)
    parts = grid(x, y, xs if len(xs) <= TICKS_MOST else round_ticks(x.low, x.high))
    for number, column in enumerate(columns):
        parts += curve((x, y), column, [(v, r["cells"].get(column["name"])) for v, r in zip(xs, rows)], number)
    label = x_column["name"] + (f", {x_column['unit']}" if x_column["unit"] else "")
    return [*parts, text((x.ends[0] + x.ends[1]) / 2, TOP + HEIGHT + 38, label, ' text-anchor="middle"')]


def legend(columns, left):
    parts = []
    for number, column in enumerate(columns):
        colour = COLOURS[number % len(COLOURS)]
        parts.append(f'<rect x="{left}" y="36" width="12" height="12" fill="{colour}"/>')
        parts.append(text(left + 18, 46, column["name"]))
        left += 34 + 7 * len(column["name"])
    return parts


def lines(result, against, columns, logarithmic):
    """The SVG text: a panel for each column of `against`."""
    span = PANEL if len(against) > 1 else ALONE
    width, height = span * len(against), TOP + HEIGHT + BELOW
    title = escape(result["title"] + (f", {columns[0]['unit']}" if columns[0]["unit"] else ""))
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" '
             f'role="img" aria-label="{title}">', "<!-- SPDX-License-Identifier: MIT -->",
             f'<rect width="{width}" height="{height}" fill="#ffffff"/>', f'<text x="12" y="22" font-size="14">{title}</text>',
             *legend(columns, 12)]
    for number, x_column in enumerate(against):
        y = Axis(heights(result, columns, logarithmic), (TOP + HEIGHT, TOP), logarithmic)
        rows = rows_of_panel(result["rows"], against, x_column)
        parts += panel(rows, x_column, columns, y, (span * number + LEFT, span * (number + 1) - RIGHT - 8))
    return "\n".join([*parts, "</svg>"]) + "\n"
