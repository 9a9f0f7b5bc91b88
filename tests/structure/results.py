# SPDX-License-Identifier: MIT
"""
Results are data. Fails where

  - a result file (docs/results/NAME.json) lacks a field, or has other columns than bench/record writes;
  - a table or plot of README.md, docs/*.md or docs/experiments/*.md was not made from its file, or names a file that is not
    there (bench/tables.py draws them). A plot says by which script gnuplot drew it, and the script follows from the file:
    gnuplot is not needed here;
  - a table with measured figures stands there by hand. `<!-- not measured: why -->` before a table says that its figures
    are none of ours;
  - a table has more than six columns. The last two do not hold in docs/experiments/.

    results.py ROOT
"""

import os
import re
import sys

import tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))
import recipes  # noqa: E402
import result_file  # noqa: E402
import tables  # noqa: E402

COLUMNS = 6
TABLE = re.compile(r"(?:^ *\|.*\n?)+", re.MULTILINE)
EXCUSE = re.compile(r"<!-- not measured: [^\n]+ -->\n\Z")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
UNIT = r"(?:s|ms|us|ns|%|M|G|k|nps|times|Elo|games|positions|nodes|hits|[MG]i?B/s|[MGk]/s)"
# A decimal, a number in thousands, a number with a unit of measurement, or an error.
MEASURED = re.compile(rf"(?<![\w.])\d+\.\d+(?![\w.])|\b\d{{1,3}}(?:,\d{{3}})+\b|\b\d+ ?{UNIT}(?![\w/])|\+-|±|\b\d+e-?\d+\b")


def file_faults(root, name):
    path = f"{result_file.FOLDER}/{name}.json"
    try:
        result = result_file.read(root, name)
    except ValueError as error:
        return [f"{path}: {error}"]
    found = [f"{path}: {fault}" for fault in result_file.faults(result)]
    if not found and result["name"] != name:
        found.append(f"{path}: its name is {result['name']}")
    recipe = recipes.RECIPES.get(name)
    if not found and recipe and [c["name"] for c in result["columns"]] != [c["name"] for c in recipe.columns]:
        found.append(f"{path}: its columns are not those that bench/record {name} writes")
    return found


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def tables_by_hand(document, text):
    """A fault for each table with figures outside of markers."""
    found = []
    plain = tables.BLOCK.sub(blank, text)
    for match in TABLE.finditer(plain):
        figure = MEASURED.search(CODE.sub(blank, match.group()))
        if figure and not EXCUSE.search(plain[: match.start()]):
            line = plain.count("\n", 0, match.start() + figure.start()) + 1
            found.append(f"{document}:{line}: '{figure.group()}' is a figure in a table that no result file made")
    return found


def document_faults(root, document):
    text = tree.read(root, document)
    found = tables_by_hand(document, text)
    found += [f"{document}: a table of more than {COLUMNS} columns: {head}" for head in re.findall(r"^\|.*\n(?=\|--)", text, re.MULTILINE)
              if head.count("|") - 1 > COLUMNS]
    if "experiments" in document:
        found = []
    if text.count("<!-- results: ") != len(tables.BLOCK.findall(text)):
        found.append(f"{document}: a marker of results without its end")
    for match in tables.BLOCK.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        try:
            if tables.drawn(root, document, match[2]) != match[3]:
                found.append(f"{document}:{line}: not as its file makes it; run bench/tables.py")
            for path, (script, _) in tables.plots_of(root, document, match[0]).items():
                if not tables.is_drawn_by(script, tables.text_at(root, path)):
                    found.append(f"{path}: not as its file makes it; run bench/tables.py")
        except tables.Fault as fault:
            found.append(f"{document}:{line}: {fault}")
    return found


def main(root):
    names, documents = result_file.names(root), tables.documents(root)
    faults = [f for name in names for f in file_faults(root, name)]
    faults += [f for document in documents for f in document_faults(root, document)]
    tree.close(faults, f"{len(names)} result files, and {len(documents)} documents with the tables they make")


if __name__ == "__main__":
    main(sys.argv[1])
