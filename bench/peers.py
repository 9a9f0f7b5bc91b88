# SPDX-License-Identifier: MIT
"""
Other programs that count perft, beside which bench/perft.py measures: --peer NAME=COMMAND.

COMMAND is a template of words as a shell would part them, with {fen} and {depth} in it, and {threads} and {hash} (1 and "off") if
wanted:

    --peer 'gigantua=./Gigantua "{fen}" {depth}'
    --peer 'other=sh -c "printf \\"position fen {fen}\\ngo perft {depth}\\nquit\\n\\" | ./other"'

Its count is the last number on the last line with the word nodes, or with the word total; else the last number that it prints.
Points, commas and the like within a number are passed over. A wrong count ends the run.
"""
import re
import shlex
import shutil

NUMBER = re.compile(r"\d+(?:[,._' ]\d{3})*(?!\d)")
FIELDS = {"{fen}", "{depth}", "{threads}", "{hash}"}


class BadPeer(Exception):
    """What is wrong with --peer, in words for the user."""


def parse(text, places):
    """(name, words of the template). places: as PATH."""
    name, equals, template = text.partition("=")
    if not equals or not name.strip():
        raise BadPeer(f"--peer '{text}': NAME=COMMAND is expected, such as 'other=./other \"{{fen}}\" {{depth}}'")
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise BadPeer(f"--peer {name}: {error}: {template}") from error
    for field in ("{fen}", "{depth}"):
        if not any(field in word for word in words):
            raise BadPeer(f"--peer {name}: the command has no {field}: {template}")
    unknown = set(re.findall(r"\{\w+\}", template)) - FIELDS
    if unknown:
        raise BadPeer(f"--peer {name}: {' '.join(sorted(unknown))} means nothing; there are {' '.join(sorted(FIELDS))}")
    if not shutil.which(words[0], path=places):
        raise BadPeer(f"--peer {name}: there is no program {words[0]}")
    return name.strip(), words


def filled_in(words, fen, depth):
    values = {"{fen}": fen, "{depth}": str(depth), "{threads}": "1", "{hash}": "off"}
    return [re.sub(r"\{\w+\}", lambda field: values.get(field.group(), field.group()), word) for word in words]


def count_in(output):
    """The count that a program prints; None if it prints no number."""
    lines = output.splitlines()
    printed = [line for line in lines if re.search(r"\b(nodes|total)\b", line, re.IGNORECASE) and NUMBER.search(line)]
    for line in reversed(printed or lines):
        numbers = NUMBER.findall(line)
        if numbers:
            return int(re.sub(r"\D", "", numbers[-1]))
    return None
