#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Draws the tables and plots of figures in README.md, docs/*.md and docs/experiments/*.md from the result files, in place.

    bench/tables.py [ROOT]

A table stands between two comments, which say what it is made of:

    <!-- results: NAME -->                                  all of docs/results/NAME.json, and below it a link to the file
    <!-- results: NAME | columns: a; b | rows: c; d -->             some columns, some rows
    <!-- results: NAME as word; NAME as word | columns: a -->       several files, rows with the word before their name
    <!-- results: NAME | plot: column -->                   one column as bars: docs/results/NAME.svg, drawn by gnuplot
    <!-- results: NAME | plot: a; b -->                     columns that add up, as areas, over the number that a row's name begins with
    <!-- results: figures                                   one row for each line below: text, and the file, row and column
    text | NAME | row | column | peer                       that hold its figure; the peer may be left out
    -->
    ... what is here is replaced ...
    <!-- end -->
"""

import glob
import hashlib
import os
import re
import sys
from xml.sax.saxutils import escape

import recipes
import result_file

sys.path.insert(0, os.path.join(result_file.ROOT, "tools"))
import plot  # noqa: E402

BLOCK = re.compile(r"(<!-- results: (.*?) ?-->\n)(.*?)(<!-- end -->)", re.DOTALL)
PLOT = re.compile(r"\| *plot:[^|\n]+\Z")
STAMP = re.compile(r"<!-- drawn from ([0-9a-f]{64}) as ([0-9a-f]{64}) -->\n")
ERRORS = {"95 %": "; error: 95 %", "standard error": "; error: one standard error of the mean"}
INTERVALS = {"min..max": "; in brackets: minimum and maximum", "95 % limits": "; in brackets: 95 % limits", "none": "", **ERRORS}


class Fault(Exception):
    """What is wrong with a marker, in words."""


def number(value, column):
    digits = column["digits"]
    text = f"{value:,.{digits}f}" if digits is not None else f"{value:.3g}"
    return "+" + text if column.get("sign") and value > 0 else text


def shown(value, column, spread, bare):
    """A figure as it stands in a table: the median, and its interval where it has one."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        return number(value, column)
    middle = number(value["median"], column)
    if bare or "low" not in value or spread == "none":
        return middle
    if spread in ERRORS:
        return f"{middle} ± {number((value['high'] - value['low']) / 2, {**column, 'sign': False})}"
    low, high = number(value["low"], column), number(value["high"], column)
    return middle if low == high else f"{middle} ({low} to {high})"


def lines_of(rows):
    """A table; the first row is its head."""
    head, *body = ["| " + " | ".join(cells) + " |" for cells in rows]
    return "\n".join([head, "|" + "--|" * len(rows[0]), *body]) + "\n"


def read(root, name):
    try:
        result = result_file.read(root, name)
    except OSError:
        raise Fault(f"there is no {result_file.FOLDER}/{name}.json") from None
    except ValueError as error:
        raise Fault(f"{result_file.FOLDER}/{name}.json: {error}") from None
    faults = result_file.faults(result)
    if faults:
        raise Fault(f"{result_file.FOLDER}/{name}.json: {faults[0]}")
    return result


def names_of(text):
    """What is separated by semicolons."""
    return [n.strip() for n in text.split(";") if n.strip()]


def picked(kind, wanted, there):
    """The rows or columns that a marker names, or all."""
    if not wanted:
        return there
    found = {one["name"]: one for one in there}
    lacking = [name for name in wanted if name not in found]
    if lacking:
        raise Fault(f"no {kind} '{lacking[0]}'")
    return [found[name] for name in wanted]


def machine(result):
    parts = [result["processor"]]
    if result["processors"]:
        parts.append(f"{result['processors']} processors" if result["processors"] > 1 else "1 processor")
    if result["load"] is not None:
        parts.append(f"load {result['load']}")
    return ", ".join(parts)


def peers(result):
    return ", ".join(f"{p['name']} {p['version']}" for p in result["peers"])


def again(result):
    """The command that measures it, as short as it can be."""
    return f"bench/record {result['name']}" if result["name"] in recipes.RECIPES else result["command"]


def caption(result, drawn):
    """The text of the link below a table, which leads to all that is known of its figures; `drawn`, whether a cell shows an interval."""
    n = result["repetitions"]
    limits = result["spread"] == "95 % limits"
    runs = "" if limits or not n else f"; medians of {n}" if n > 1 else "; one run"
    return f"{result['source'].capitalize()} {result['date']}, {result['processor']}{runs}{INTERVALS[result['spread']] if drawn else ''}"


def table_of(root, document, words):
    files, *options = [w.strip() for w in words.split("|")]
    chosen = dict(o.split(":", 1) for o in options if ":" in o)
    wanted = names_of(chosen.get("columns", ""))
    table, captions = [], []
    for file in names_of(files):
        name, _, prefix = (part.strip() for part in file.partition(" as "))
        rows, heads, text = part_of(read(root, name), names_of(chosen.get("rows", "")), wanted)
        link = os.path.relpath(f"{result_file.FOLDER}/{name}.json", os.path.dirname(document) or ".")
        table = table or [["", *heads]]
        if table[0][1:] != heads:
            raise Fault(f"the columns of '{name}' are not those of the file before")
        table += [[f"{prefix}: {row[0]}" if prefix else row[0], *row[1:]] for row in rows]
        captions.append(f"[{prefix + ': ' if prefix else ''}{text}]({link})")
    return lines_of(table) + "\n" + ", ".join(captions) + "\n"


def part_of(result, wanted_rows, wanted_columns):
    """What one file gives to a table: the cells of its rows, the heads of its columns, the text of its link."""
    rows = picked("row", wanted_rows, result["rows"])
    columns = picked("column", wanted_columns, result["columns"])
    columns = [c for c in columns if wanted_columns or any(c["name"] in r["cells"] for r in rows)]
    heads = [f"{c['name']}, {c['unit']}" if c["unit"] else c["name"] for c in columns]
    full, bare = ([[shown(r["cells"].get(c["name"]), c, result["spread"], only) for c in columns] for r in rows] for only in (False, True))
    return [[r["name"], *cells] for r, cells in zip(rows, full)], heads, caption(result, full != bare)


def figure_row(root, document, line):
    parts = [p.strip() for p in line.split("|")]
    if len(parts) not in (4, 5):
        raise Fault(f"'{line}' is not `text | NAME | row | column | peer`")
    what, name, row, column = parts[:4]
    result = read(root, name)
    column = picked("column", [column], result["columns"])[0]
    value = picked("row", [row], result["rows"])[0]["cells"].get(column["name"])
    figure = f"{shown(value, column, result['spread'], False)} {column['unit']}".strip()
    beside = [p for p in result["peers"] if len(result["peers"]) == 1 or p["name"] in row]
    peer = parts[4] if len(parts) == 5 else peers({"peers": beside})
    link = os.path.relpath(f"{result_file.FOLDER}/{name}.json", os.path.dirname(document) or ".")
    return [what, figure, peer or "-", f"[{result['processor']}]({link})"]


# ---- plots ----

def areas(result, columns):
    """The columns over the number that each row's name begins with: of ranks in `4 ranks`."""
    rows = [(int(re.match(r"\d+", r["name"])[0]), r["cells"]) for r in result["rows"]]
    curves = [(c["name"], [(x, plot.middle_of(cells[c["name"]])) for x, cells in rows]) for c in columns]
    word = result["rows"][0]["name"].split(" ", 1)[1]
    return [plot.Panel(result["title"], word, columns[0]["unit"], "areas", curves, True)]


def plot_of(root, document, words):
    """What a marker of a plot wants: the file's path from the root, its script, its text, and the line that shows it."""
    name, *options, last = [w.strip() for w in words.split("|")]
    if options:
        raise Fault(f"'{options[0]}' is not understood: NAME | plot: columns")
    result = read(root, name)
    columns = picked("column", names_of(last.split(":", 1)[1]), result["columns"])
    panels = areas(result, columns) if len(columns) > 1 else plot.result_panels(result, columns[0], lambda value: number(value, columns[0]))
    path = f"{result_file.FOLDER}/{name}.svg"
    alt = f"{result['title']}: {', '.join(c['name'] for c in columns)}"
    line = f"![{alt}]({os.path.relpath(path, os.path.dirname(document) or '.')})\n"
    return path, plot.page(panels, f"{again(result)}; {machine(result)}; {result['date']}", "svg"), alt, line


def plots_of(root, document, text):
    """{path: (script, text)} of all plots of a document. Raises Fault."""
    return {path: (script, alt) for path, script, alt, _ in
            (plot_of(root, document, m[2]) for m in BLOCK.finditer(text) if PLOT.search(m[2]))}


def digest(words):
    return hashlib.sha256(words.encode()).hexdigest()


def picture_of(script, title):
    """The SVG text. It says which script drew it, so that one who has no gnuplot sees whether it belongs to its data."""
    body = plot.run(script).decode().replace("<title>Gnuplot</title>", f"<title>{escape(title)}</title>", 1)
    body = "\n".join(line.rstrip() for line in body.splitlines()) + "\n"
    head, rest = body[:body.index("<svg")], body[body.index("<svg"):]
    return f"{head}<!-- SPDX-License-Identifier: MIT -->\n<!-- drawn from {digest(script)} as {digest(rest)} -->\n{rest}"


def is_drawn_by(script, svg):
    """Is this picture what gnuplot made of the script, and untouched since?"""
    stamp = STAMP.search(svg or "")
    return bool(stamp) and stamp[1] == digest(script) and stamp[2] == digest(svg[stamp.end():])


# ---- documents ----

def drawn(root, document, words):
    """What belongs between the markers of a block."""
    first, *more = words.strip().splitlines()
    if first.strip() == "figures":
        return lines_of([["what", "figure", "compared with", "measured on"], *(figure_row(root, document, line) for line in more)])
    if PLOT.search(words):
        return plot_of(root, document, words)[3]
    return table_of(root, document, words)


def documents(root):
    """README.md and the documents whose tables are drawn, from the root."""
    found = [p for p in [os.path.join(root, "README.md"), *sorted(glob.glob(os.path.join(root, "docs", "*.md"))),
                         *sorted(glob.glob(os.path.join(root, "docs", "experiments", "*.md")))] if os.path.exists(p)]
    return [os.path.relpath(p, root) for p in found]


def redrawn(root, document, text):
    """The document as it has to be. Raises Fault."""
    return BLOCK.sub(lambda m: m[1] + drawn(root, document, m[2]) + m[4], text)


def text_at(root, path):
    """The text of a file, or None."""
    try:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


def put(root, path, text):
    with open(os.path.join(root, path), "w", encoding="utf-8") as file:
        file.write(text)
    print(f"{path}: drawn anew")


def main(root):
    for document in documents(root):
        before = text_at(root, document)
        try:
            text, wanted = redrawn(root, document, before), plots_of(root, document, before)
            pictures = {path: picture_of(*one) for path, one in wanted.items() if not is_drawn_by(one[0], text_at(root, path))}
        except (Fault, plot.Fault) as fault:
            sys.exit(f"{document}: {fault}")
        for path, picture in pictures.items():
            put(root, path, picture)
        if text != before:
            put(root, document, text)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else result_file.ROOT)
