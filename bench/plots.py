# SPDX-License-Identifier: MIT
"""
A column of a result file as horizontal bars in SVG, with an interval where the figures have one.

    label |=================|--+--| 29.4
           bar to the median  low to high
"""

from xml.sax.saxutils import escape

WIDTH, ROW, LABEL, VALUE, TOP = 720, 24, 240, 90, 40


def figures(result, column):
    """[(row, median, low, high)] of the rows that have the column as a number."""
    found = []
    for row in result["rows"]:
        value = row["cells"].get(column["name"])
        if isinstance(value, dict):
            found.append((row["name"], value["median"], value.get("low"), value.get("high")))
        elif isinstance(value, (int, float)):
            found.append((row["name"], value, None, None))
    return found


def bar(y, scale, one, text):
    name, median, low, high = one
    parts = [f'<text x="{LABEL - 8}" y="{y + 15}" text-anchor="end">{escape(name)}</text>',
             f'<rect x="{LABEL}" y="{y + 4}" width="{median * scale:.1f}" height="{ROW - 8}" fill="#3b6ea5"/>']
    end = median
    if low is not None and high > low:
        end = high
        left, right, middle = LABEL + low * scale, LABEL + high * scale, y + ROW / 2
        parts.append(f'<path d="M{left:.1f} {middle}H{right:.1f}M{left:.1f} {y + 7}v10M{right:.1f} {y + 7}v10" stroke="#c0392b"/>')
    parts.append(f'<text x="{LABEL + end * scale + 6:.1f}" y="{y + 15}">{escape(text)}</text>')
    return parts


def bars(result, column, shown):
    """The SVG text. `shown` makes the text of a figure."""
    found = figures(result, column)
    most = max([high if high is not None else median for _, median, _, high in found], default=1) or 1
    scale = (WIDTH - LABEL - VALUE) / most
    height = TOP + ROW * len(found) + 10
    title = escape(f"{result['title']}: {column['name']}" + (f", {column['unit']}" if column["unit"] else ""))
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13" '
             f'role="img" aria-label="{title}">', "<!-- SPDX-License-Identifier: MIT -->",
             f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>', f'<text x="12" y="22" font-size="14">{title}</text>']
    for number, one in enumerate(found):
        parts += bar(TOP + ROW * number, scale, one, shown(one[1]))
    return "\n".join([*parts, "</svg>"]) + "\n"
