# SPDX-License-Identifier: MIT
"""The file of claims, docs/claims.json: reading it, and what is wrong with it."""

import json
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PATH = "docs/claims.json"
FIELDS = {"name": str, "document": str, "sentence": str, "result": (str, type(None)), "figure": dict, "unit": str, "holds": str,
          "command": str, "mechanism": str, "ablation": str}
OPTIONAL = {"ablation_figure": dict}  # where both stand in what one command prints
FIGURES = ("sum", "lines", "seconds")
HOLDS = re.compile(r"(==|<=|>=) ([0-9.]+)( of the ablation's)?\Z")


class Fault(Exception):
    """What is wrong with the file, in words."""


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            claims = json.load(file)["claims"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Fault(f"{path}: an object with a list `claims` is wanted: {error}") from None
    wrong = faults(claims)
    if wrong:
        raise Fault(f"{path}: {wrong[0]}")
    return claims


def faults(claims):
    found = [fault for claim in claims for fault in faults_of(claim)]
    names = [claim.get("name") for claim in claims]
    return found + [f"there are two claims of the name '{name}'" for name in sorted(set(names), key=str) if names.count(name) > 1]


def faults_of(claim):
    name = claim.get("name", "a claim without a name")
    found = [f"{name}: no field `{field}`, or not of its type" for field, kind in FIELDS.items()
             if not isinstance(claim.get(field), kind)]
    found += [f"{name}: there is no field `{field}`" for field in claim if field not in {**FIELDS, **OPTIONAL}]
    if found:
        return found
    ablated = claim.get("ablation_figure", claim["figure"])
    if any(not isinstance(f, dict) or len(f) != 1 or next(iter(f)) not in FIGURES for f in (claim["figure"], ablated)):
        found.append(f"{name}: `figure` is one of {', '.join(FIGURES)}")
    if not HOLDS.match(claim["holds"]):
        found.append(f"{name}: `holds` is not like '== 0' or '<= 0.9 of the ablation's'")
    if claim["command"] == claim["ablation"] and claim["figure"] == ablated:
        found.append(f"{name}: the ablation is the claim's own command")
    return found


def plain(text):
    """Without line breaks and marks of emphasis: how sentences are compared."""
    return re.sub(r"\s+", " ", re.sub(r"[*`]", "", text))


def document_faults(root, claims):
    """A sentence that its document does not contain, and a result file that is not there."""
    found = []
    for claim in claims:
        path = os.path.join(root, claim["document"])
        text = ""
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                text = file.read()
        if plain(claim["sentence"]) not in plain(text):
            found.append(f"{PATH}: {claim['name']}: {claim['document']} does not say '{claim['sentence']}'")
        if claim["result"] and not os.path.isfile(os.path.join(root, "docs/results", claim["result"] + ".json")):
            found.append(f"{PATH}: {claim['name']}: there is no docs/results/{claim['result']}.json")
    return found
