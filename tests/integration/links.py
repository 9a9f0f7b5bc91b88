#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every link of every document leads somewhere: in the tree, and where `make install` puts the documents.

links.py ROOT BUILD

Links within a document are held against its headings, others against the files, and their #parts against the headings
there. What begins with http is left alone. A link out of what is installed is dead, whatever lies there by chance.
"""
import os
import re
import subprocess
import sys
import tempfile

from installed import check, install

ROOT, BUILD = sys.argv[1:3]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def prose(path):
    """A document without its fragments of code."""
    with open(path, encoding="utf-8") as file:
        return re.sub(r"^```.*?^```", "", file.read(), flags=re.M | re.S)


def anchors(path):
    """What #parts the headings make: lower case, no punctuation, hyphens for spaces."""
    heads = re.findall(r"^#+ (.*)", prose(path), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def fault_of(path, link, root):
    """What is wrong with a link of a document, or None."""
    name, _, part = link.partition("#")
    there = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
    if os.path.relpath(there, root).startswith(".."):
        return "leads out of the documents"
    if not os.path.exists(there):
        return "leads to nothing"
    if part and (not there.endswith(".md") or part not in anchors(there)):
        return f"has no heading #{part} where it leads"
    return None


def dead_links(root, documents):
    links = [(path, link) for path in documents for link in LINK.findall(prose(path)) if not link.startswith("http")]
    check(len(links) > 20, f"{root}: {len(links)} links found: are these the documents?")
    faults = [(path, link, fault_of(path, link, root)) for path, link in links]
    return [f"{os.path.relpath(path, root)}: ({link}) {fault}" for path, link, fault in faults if fault]


def in_the_tree():
    if not os.path.exists(os.path.join(ROOT, ".git")):
        return []
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return dead_links(ROOT, [os.path.join(ROOT, name) for name in listed.split()])


def installed():
    with tempfile.TemporaryDirectory() as target:
        install(BUILD, target)
        places = [place for place, _, names in os.walk(target) if "README.md" in names and "CHANGELOG.md" in names]
        check(len(places) == 1, f"the documents are installed in {len(places)} places")
        documents = [os.path.join(place, name) for place, _, names in os.walk(places[0]) for name in names if name.endswith(".md")]
        return ["installed " + line for line in dead_links(places[0], documents)]


dead = in_the_tree() + installed()
check(not dead, "\n".join(dead))
