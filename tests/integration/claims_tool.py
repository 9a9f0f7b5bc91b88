#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
tools/claims.py: its verdicts, on claims whose figures are known; what is refused, and that nothing is left running after Ctrl-C.

    claims_tool.py TOOL BUILD
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from programs import check

TOOL, BUILD = sys.argv[1:3]
ONE = {"name": "one", "document": "README.md", "sentence": "One.", "result": None, "figure": {"sum": "rows[kind=a b and n=1].hits"},
       "unit": "hits", "holds": "== 3", "command": """echo '{"rows": [{"kind": "a b", "n": 1, "hits": 3}]}'""",
       "mechanism": "two hits", "ablation": """echo '{"rows": [{"kind": "a b", "n": 1, "hits": 1}]}'"""}
LINES = {"figure": {"lines": "^sum [0-9]+"}, "command": "echo sum 5; echo sum 5", "ablation": "echo sum 5; echo sum 6", "holds": "== 1"}
SECONDS = {"figure": {"seconds": ""}, "command": "true", "holds": "<= 0.5 of the ablation's",
           "ablation": "i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done"}
# Fields of a claim, and the verdict.
VERDICTS = [
    ({}, "kept"), ({"holds": "== 4"}, "broken"), ({"holds": ">= 1"}, "unproven"),
    ({"holds": ">= 2 of the ablation's"}, "kept"),
    ({"holds": ">= 4 of the ablation's"}, "broken"),
    ({"figure": {"sum": "rows[].hits"}}, "kept"),
    ({"ablation_figure": {"sum": "rows[].n"}, "ablation": ONE["command"]}, "kept"),
    (LINES, "kept"), (SECONDS, "kept"),
]
# Fields of a claim, and a part of the one line that refuses it.
WRONG = [
    ({"unit": 3}, "no field `unit`, or not of its type"), ({"more": 1}, "there is no field `more`"),
    ({"holds": "about 3"}, "`holds` is not like '== 0'"),
    ({"figure": {"product": "hits"}}, "`figure` is one of sum, lines, seconds"),
    ({"ablation": ONE["command"]}, "the ablation is the claim's own command"),
    ({"figure": {"sum": "rows[].misses"}}, "there is no number at 'rows[].misses'"),
    ({"figure": {"lines": "^total"}}, "no line like '^total'"),
    ({"command": "echo gone >&2; exit 2"}, "exit status 2: gone"),
]


def tool(*words):
    return subprocess.run([sys.executable, TOOL, *words], capture_output=True, text=True)


def with_claims(folder, *claims):
    path = os.path.join(folder, "claims.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"claims": claims}, file)
    return path


def verdicts(folder):
    for fields, verdict in VERDICTS:
        path = with_claims(folder, {**ONE, **fields})
        said = tool(BUILD, "--claims", path, "--json")
        check(said.stdout, f"{fields}: {said.stderr}")
        report = json.loads(said.stdout)
        check(report["claims"][0]["verdict"] == verdict and report[verdict] == 1, f"{fields}: not {verdict}: {said.stdout}")
        check(said.returncode == (0 if verdict == "kept" else 1), f"{fields}: exit status {said.returncode}")
    path = with_claims(folder, ONE, {**ONE, "name": "two", "holds": "== 4"})
    said = tool(BUILD, "--claims", path)
    check(said.stdout.splitlines()[-1] == "1 kept, 1 broken, 0 unproven" and said.returncode == 1, said.stdout)
    check(tool(BUILD, "one", "--claims", path).returncode == 0, "a claim by its name")


def refused(folder):
    for fields, words in WRONG:
        said = tool(BUILD, "--claims", with_claims(folder, {**ONE, **fields}))
        check(said.returncode == 2 and words in said.stderr and said.stderr.count("\n") == 1, f"{fields}: {said.stderr}")
    path = with_claims(folder, ONE, ONE)
    check("two claims of the name 'one'" in tool(BUILD, "--claims", path).stderr, "two of a name")
    check("there is no claim 'none'" in tool(BUILD, "none", "--claims", with_claims(folder, ONE)).stderr, "an unknown name")
    check("is no build folder" in tool(folder).stderr, "no build folder")
    with open(path, "w", encoding="utf-8") as file:
        file.write("[")
    check("a list `claims` is wanted" in tool(BUILD, "--claims", path).stderr, "no JSON")


def interrupted(folder):
    """A sleep of an odd number of seconds, so that it is found among all processes."""
    sleep = f"{1000 + os.getpid()}.125"
    path = with_claims(folder, {**ONE, "command": f"sleep {sleep}"})

    def sleeping():
        return subprocess.run(["pgrep", "-f", f"^sleep {sleep}$"], capture_output=True).returncode == 0

    job = subprocess.Popen([sys.executable, TOOL, BUILD, "--claims", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not sleeping():
        check(job.poll() is None, "the tool ended before it was interrupted")
        time.sleep(0.01)
    job.send_signal(signal.SIGINT)
    errors = job.communicate()[1]
    check(job.returncode == 130 and errors == "tools/claims.py: interrupted\n", f"exit status {job.returncode}: {errors}")
    check(not sleeping(), "a command is left running")


with tempfile.TemporaryDirectory() as temporary:
    verdicts(temporary)
    refused(temporary)
    interrupted(temporary)
    listed = tool("--list")
    check("torn-entries" in listed.stdout and "ablation:" in listed.stdout, listed.stdout + listed.stderr)
    short = ("torn-entries", "torn-processes")
    real = tool(BUILD, *short)
    check(real.returncode == 0 and f"{len(short)} kept, 0 broken" in real.stdout, real.stdout + real.stderr)
