# SPDX-License-Identifier: MIT
"""
Dependencies point one way. Reads every #include line of src/, include/ and programs/ and fails where

  - a layer sees one that it may not see, or lies in none (the table below);
  - a game is named: the layers above reach it by include path alone, so that another can take its place;
  - files include each other, however far around;
  - docs/architecture.md does not show a layer;
  - anything but the cluster sees mpi.h;
  - with a build folder named: an object calls a function of a layer that is not below its own (nm says so). Below a layer is all that
    it may see, all that lies below that, and what is provided to it: PROVIDED.

    layers.py ROOT [BUILD]
"""

import collections
import json
import os
import re
import subprocess
import sys

import tree

# Each layer and those it may see besides itself. The layers of every game are the same: games/GAME/rules is "games/rules",
# and what lies in games/GAME itself, the game as a search sees it, is "games".
RULES = ["include", "base", "table", "games/rules", "games/notation"]
MAY_SEE = {
    "include": [],
    "base": ["include"],
    "table": ["include", "base"],
    "cluster": ["include", "base", "table"],
    "games/rules": ["include", "base"],
    "games/notation": ["include", "base", "games/rules"],
    "games/features": ["base", "games/rules"],
    "network": ["include", "base", "games/rules", "games/features"],
    "games/eval": ["include", "base", "games/rules", "games/features", "network"],
    "games/count/delta": ["base", "games/rules"],
    "games/count/simd": ["base", "games/rules"],
    "games/count": ["base", "games/rules", "games/count/delta", "games/count/simd"],
    "games": ["include", "base", "games/rules", "games/eval"],
    "games/records": ["base", "games/rules", "games/notation"],
    "games/formats": ["base", "games/rules", "games/notation", "games/records", "data"],
    "perft": [*RULES, "games/count"],
    "compare": [*RULES, "perft"],
    "search": ["include", "base", "table", "games/rules", "games/eval", "games"],
    "mate": ["include", "base", "table", "games/rules", "games/eval", "games"],
    "games/protocol": ["base", "games/rules", "games/notation"],
    "games/selfplay": ["base", "games/rules", "games/notation", "games/eval", "games"],
    "data": [*RULES, "games/records"],
    "datagen": [*RULES, "games/records", "games/selfplay", "games/eval", "games", "network", "data", "search"],
    "train": [*RULES, "games/records", "games/features", "games/eval", "games", "network", "data"],
    "uci": [*RULES, "games/protocol", "games/selfplay", "games/eval", "games", "network", "perft", "data", "search",
            "mate", "datagen"],
    "serve": [*RULES, "games/records", "games/eval", "games", "perft", "compare", "data", "search"],
    "distributed/perft": [*RULES, "cluster", "perft"],
    "distributed/engine": ["include", "base", "cluster", "search", "uci"],
    "lab/table": [*RULES, "games/selfplay", "games", "perft", "search", "data", "datagen"],
    "lab/cluster_simulation": [*RULES, "cluster", "perft", "distributed/perft"],
}
MAY_SEE["programs"] = [layer for layer in MAY_SEE if not layer.startswith("lab/")]
MAY_SEE["programs/lab"] = list(MAY_SEE)
# Layers that define what a header of another declares: the functions of include/, and the formats of a game's training data.
PROVIDED = {"include": ["table", "cluster"], "data": ["games/formats"]}
MAP = "docs/architecture.md"
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)


def layer_of(path):
    """The layer a file lies in: its folder below src/, without the name of a game; outside src/, the first folder."""
    parts = os.path.dirname(path).split("/")
    if parts[0] != "src":
        return "programs/lab" if parts[:2] == ["programs", "lab"] else parts[0]
    return "/".join(parts[1:2] + parts[3:] if parts[1] == "games" else parts[1:])


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
    if layer not in MAY_SEE:
        return f"{path}: the folder is no known layer; give it a place in tests/structure/layers.py"
    if target is None:
        return f'{path}: no file of ours is meant by "{named}"' if bracket == '"' else None
    below = layer_of(target)
    if below != layer and below not in MAY_SEE[layer]:
        return f"{path}: {layer} may not see {below}, but includes {named}: the arrow points up"
    if not layer.startswith("games") and named.startswith("games/"):
        return f"{path}: names a game ({named}); reach it by include path: {'/'.join(named.split('/')[2:])}"
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


def undrawn(root, files):
    """A fault for each layer that the map of the sources does not show."""
    if not os.path.exists(os.path.join(root, MAP)):
        return []
    drawn = tree.read(root, MAP)
    folders = {os.path.dirname(path) for path in files if path.startswith("src/")}
    # A game's layers stand indented below the game, by their last name.
    shown = {folder: folder if not folder.startswith("src/games/") else os.path.basename(folder) for folder in folders}
    return [f"{MAP}: does not show {folder}/" for folder in sorted(folders) if f"{shown[folder]}/ " not in drawn]


def objects(root, build):
    """{object of the build, from its folder: layer}"""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    paths = {c["output"]: os.path.relpath(os.path.join(c["directory"], c["file"]), root) for c in commands}
    return {output: layer_of(path) for output, path in paths.items()
            if path.startswith("src/") and layer_of(path) in MAY_SEE and os.path.exists(os.path.join(build, output))}


def below(layer):
    """The layers below this one, and itself."""
    found = [layer]
    for one in found:
        provided = PROVIDED.get(one, []) if layer not in PROVIDED["include"] + ["base"] else []  # which include/ is built on
        found += [other for other in MAY_SEE[one] + provided if other not in found]
    return set(found)


def calls_up(root, build):
    """A fault for each function that an object calls of layers that are not below its own."""
    layers = objects(root, build)
    run = subprocess.run(["nm", "-A", "-P", "-g", *layers], cwd=build, capture_output=True, text=True, check=True)
    defined, called = collections.defaultdict(set), collections.defaultdict(set)
    for line in run.stdout.splitlines():
        output, name, kind = line.split()[:3]
        layer = layers[output.rstrip(":")]
        (called if kind == "U" else defined)[name].add(layer)
    return [f"{layer} calls {name} of {', '.join(sorted(defined[name]))}: the arrow points up"
            for name in sorted(called) if defined[name] for layer in sorted(called[name]) if not defined[name] & below(layer)]


def main(root, build=None):
    files = tree.sources(root, ("include", "src", "programs"))
    faults, graph = [], {}
    for path, bracket, named, target in arrows(root, files):
        fault = fault_of(path, bracket, named, target)
        if fault:
            faults.append(fault)
        elif target:
            graph.setdefault(path, []).append(target)
    faults += cycles(graph) + undrawn(root, files) + (calls_up(root, build) if build else [])
    count = sum(len(targets) for targets in graph.values())
    tree.close(faults, f"{len(files)} files, {count} arrows, all pointing down")


if __name__ == "__main__":
    main(*sys.argv[1:])
