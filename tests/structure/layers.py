# SPDX-License-Identifier: MIT
"""
Dependencies point one way. Reads every #include line of src/, include/ and programs/ and fails where

  - a layer sees one that it may not see (the table below);
  - a game is named: the layers above reach it by include path alone, so that another can take its place;
  - files include each other, however far around;
  - anything but the cluster sees mpi.h.

    layers.py ROOT
"""

import os
import re
import sys

import tree

# Each layer and those it may see besides itself.
MAY_SEE = {
    "include": [],
    "base": ["include"],
    "table": ["include", "base"],
    "cluster": ["include", "base", "table"],
    "games": ["include", "base", "table"],
    "perft": ["include", "base", "table", "cluster", "games"],
    "search": ["include", "base", "table", "cluster", "games"],
    "data": ["include", "base", "table", "games"],
    "generate": ["include", "base", "table", "games", "data", "search"],
    "protocol": ["include", "base", "table", "games", "perft", "data", "search", "generate"],
    "ensemble": ["include", "base", "table", "cluster", "games", "search", "protocol"],
    "tuning": ["include", "base", "table", "games", "data"],
    "lab": ["include", "base", "table", "games", "perft", "data", "search", "generate"],
    "programs": ["include", "base", "table", "cluster", "games", "perft", "data", "search", "generate", "protocol", "ensemble", "tuning", "lab"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)


def layer_of(path):
    parts = path.split("/")
    return parts[1] if parts[0] == "src" and len(parts) > 2 else parts[0]


def resolve(path, named, files, games):
    """The file that an #include line means: beside the includer, or on the include path; None if not ours."""
    for place in [os.path.dirname(path), "src", "include", *games]:
        candidate = os.path.normpath(os.path.join(place, named))
        if candidate in files:
            return candidate
    return None


def arrows(root, files):
    """Every (file, bracket, name, file meant or None) of an #include line."""
    games = sorted({"/".join(f.split("/")[:3]) for f in files if f.startswith("src/games/")})
    for path in files:
        for bracket, named in INCLUDE.findall(tree.read(root, path)):
            yield path, bracket, named, resolve(path, named, files, games)


def fault_of(path, bracket, named, target):
    """What is wrong with one #include line, or None."""
    layer = layer_of(path)
    if named == "mpi.h":
        return None if layer == "cluster" else f"{path}: only src/cluster may see mpi.h"
    if target is None:
        return f'{path}: no file of ours is meant by "{named}"' if bracket == '"' else None
    below = layer_of(target)
    if layer not in MAY_SEE:
        return f"{path}: the folder is no known layer; give it a place in tests/structure/layers.py"
    if below != layer and below not in MAY_SEE[layer]:
        return f"{path}: {layer} may not see {below}, but includes {named}: the arrow points up"
    if layer != "games" and named.startswith("games/"):
        return f"{path}: names a game ({named}); reach it by include path: {os.path.basename(named)}"
    return None


def cycles(graph):
    """One line for each include cycle found by walking depth first."""
    faults, state = [], {}

    def visit(node, trail):
        if state.get(node) == "open":
            faults.append("include cycle: " + " -> ".join(trail[trail.index(node):] + [node]))
        if node in state:
            return
        state[node] = "open"
        for target in graph.get(node, []):
            visit(target, trail + [node])
        state[node] = "done"

    for node in sorted(graph):
        visit(node, [])
    return faults


def main(root):
    files = tree.sources(root, ("include", "src", "programs"))
    faults, graph = [], {}
    for path, bracket, named, target in arrows(root, files):
        fault = fault_of(path, bracket, named, target)
        if fault:
            faults.append(fault)
        elif target:
            graph.setdefault(path, []).append(target)
    faults += cycles(graph)
    count = sum(len(targets) for targets in graph.values())
    tree.close(faults, f"{len(files)} files, {count} arrows, all pointing down")


if __name__ == "__main__":
    main(sys.argv[1])
