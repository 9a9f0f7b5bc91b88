# SPDX-License-Identifier: MIT
"""Rows of option_rows.py for the server of the page: what it answers is other with the option."""

import json
import os
import socket
import subprocess
import urllib.request

from options import TIMEOUT, end


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def served(program, options, name):
    """(the port it listens on, the JSON at that name: of a stream its first event)"""
    server = program.start(["serve", *program.words(options)], stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().strip()
        with urllib.request.urlopen(address + name, timeout=TIMEOUT) as answer:
            is_stream = answer.headers["Content-Type"] == "text/event-stream"
            text = answer.read() if not is_stream else next(line for line in answer if line.startswith(b"data: "))[6:]
        return int(address.split(":")[2].split("/")[0]), json.loads(text)
    finally:
        end(server)
        server.stdout.close()


def is_served(options, name, pick):
    """What `pick` takes from the answer is true with the options. Nothing is asked where no server was built."""
    def check(program):
        return not os.path.exists(program.binary + "-serve") or pick(served(program, options, name)[1])
    return check


def listens_on_port(program):
    if not os.path.exists(program.binary + "-serve"):
        return True
    port = free_port()
    return served(program, f"--port {port}", "plots")[0] == port


SERVE_ROWS = {
    "port": listens_on_port,
    "threads": is_served("--threads 3 --hash 1M", "analysis", lambda ready: ready["threads"] == 3),
    "hash": is_served("--threads 1 --hash 3M", "analysis", lambda ready: ready["hash_bytes"] == 3 << 20),
    "ledger": is_served("--ledger {five.ledger}", "ledger", lambda ledger: ledger["depth"] == 5),
    "against": is_served("--against {TABIA}", "opponent", lambda told: told["program"].endswith("tabia")),
    "protocol": is_served("--against {TABIA} --protocol perftree", "against", lambda told: "error" in told),
    "timeout": is_served(["--against", "sleep 1000", "--timeout", "1"], "against", lambda told: "within 1 s" in told["error"]),
    "plots": is_served("--plots {plots}", "plots", lambda names: names == {"plots": ["one.svg"]}),
}
