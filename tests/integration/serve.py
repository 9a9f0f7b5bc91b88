#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
tabia serve, asked by a client of its own and by hostile ones: who does not know the token gets nothing, nothing that is sent
stops it, and between requests it does nothing.

    serve.py TABIA [FAULTY_ENGINE]
"""
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

from serve_client import TIMEOUT, Server

HOSTILE_CONNECTIONS = 600  # more than the server holds
RECORDS = 200


def is_served(server):
    began = time.monotonic()
    status, headers, body = server.get("")
    assert status == 200 and b"<!DOCTYPE html>" in body
    assert "default-src 'none'" in headers["Content-Security-Policy"] and headers["Referrer-Policy"] == "no-referrer"
    for name in set(re.findall(rb'(?:src|href)="([^"]+)"', body)):
        assert server.get(name.decode())[0] == 200, name
    assert time.monotonic() - began < TIMEOUT / 4


def strangers_get_nothing(server):
    port, token = server.port, server.token
    others = [token[:at] + ("0" if token[at] != "0" else "1") + token[at + 1:] for at in (0, 16, 31)]
    other = others[2]
    host = f"Host: 127.0.0.1:{port}\r\n\r\n"
    lines = [f"GET / HTTP/1.1\r\n{host}", f"GET /{token} HTTP/1.1\r\n{host}",
             f"GET /{token}x/ HTTP/1.1\r\n{host}", f"GET /{other}/line HTTP/1.1\r\n{host}", f"GET //{token}/ HTTP/1.1\r\n{host}",
             f"GET /{token}/ HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n", f"GET /{token}/ HTTP/1.0\r\n\r\n",
             *(f"GET /{wrong}/ HTTP/1.1\r\n{host}" for wrong in others)]
    for path in ("../../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "..%2fserve.py", "/etc/passwd", "web/index.html", "./index.html", "a" * 4000,
                 "%00", "%00x", "line%00", "index.html%00.js", "line?moves=e4%00"):
        lines.append(f"GET /{token}/{path} HTTP/1.1\r\n{host}")
    for line in lines:
        answer = server.raw(line.encode())
        head, _, body = answer.partition(b"\r\n\r\n")
        assert b" 404 " in head.split(b"\r\n")[0] and not body and token.encode() not in answer, (line[:200], answer[:500])
    with socket.socket() as elsewhere:  # the loopback has other addresses too
        elsewhere.settimeout(TIMEOUT)
        assert elsewhere.connect_ex(("127.0.0.2", port)) != 0


def odd_requests_are_refused(server):
    token, host = server.token, f"Host: 127.0.0.1:{server.port}\r\n"
    status = [(f"POST /{token}/ HTTP/1.1\r\n{host}Content-Length: 5\r\n\r\nhello", 405), (f"DELETE /{token}/ HTTP/1.1\r\n{host}\r\n", 405),
              (f"GET /{token}/ HTTP/1.1\r\n{host}Content-Length: 99999999\r\n\r\n", 413),
              (f"GET /{token}/ HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\nfffffff\r\n", 413),
              (f"GET /{token}/ HTTP/1.1\r\n{host}Content-Length: 0\r\nContent-Length: 5\r\n\r\nhello", 413),
              (f"GET /{token}/ HTTP/1.1\r\n\r\n", 400), (f"GET /{token}/ HTTP/1.1\r\n{host}{host}\r\n", 400),
              (f"GET /{token}/ HTTP/1.1\r\n{host}host: evil.example\r\n\r\n", 400)]
    for request, wanted in status:
        answer = server.raw(request.encode())
        assert answer.split(b" ")[1:2] == [str(wanted).encode()], (request[:100], answer[:200])
    large = [f"GET /{token}/{'x' * 100000} HTTP/1.1\r\n{host}\r\n", f"GET /{token}/ HTTP/1.1\r\n{host}X: {'x' * 100000}\r\n\r\n",
             f"GET /{token}/ HTTP/1.1\r\n{host}" + "X: y\r\n" * 20000 + "\r\n", "x" * 300000]
    for request in large:
        answer = server.raw(request.encode())
        assert not answer or re.match(rb"HTTP/1\.[01] (4\d\d|501|505) ", answer), (request[:100], answer[:200])
    server.raw(b"\0\r\n\r\n" * 1000, wait=False)  # which the library leaves to time out
    for cut in (1, 10, 40):
        server.raw(f"GET /{token}/ HTTP/1.1\r\n{host}\r\n".encode()[:cut], wait=False)
    is_served(server)


def pipelined_requests_are_answered(server):
    """In their order, up to the one that closes the connection."""
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    line = "GET /{}/line?moves={} HTTP/1.1\r\n" + host
    asked = [f"{a}{b}" for a in "abcdefgh" for b in "34"] * 12 + ["e4"]
    answer = server.raw("".join(line.format(server.token, move) + "\r\n" for move in asked[:-1]).encode() +
                        (line.format(server.token, asked[-1]) + "Connection: close\r\n\r\n").encode() + b"GET / HTTP/1.1\r\n\r\n")
    sans = [json.loads(body.split(b"\r\n\r\n")[1])["line"][1]["san"] for body in answer.split(b"HTTP/1.1 200 OK\r\n")[1:]]
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n") and sans == asked, (len(sans), answer[-300:])


def crowd_stops_nothing(server):
    """Silent connections, half requests, and those that send a byte at a time: more than may be open, and all of them kept alive."""
    request = f"GET /{server.token}/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX: ".encode()
    crowd = [socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT) for _ in range(HOSTILE_CONNECTIONS)]
    for number, client in enumerate(crowd):
        if number % 2:
            client.sendall(request)
    ended = threading.Event()

    def drip():
        while not ended.wait(0.02):
            for client in crowd[1::2]:
                try:
                    client.send(b"x")
                except OSError:  # others took its place
                    pass
    slow = threading.Thread(target=drip)
    slow.start()
    for _ in range(3):
        is_served(server)
    ended.set()
    slow.join()
    for client in crowd:
        client.close()
    is_served(server)


def lines_are_read(server):
    found = server.ask("line", moves="e4 e7e5 Nf3")
    assert [step.get("san") for step in found["line"]] == [None, "e4", "e5", "Nf3"] and len(found["moves"]) == 29
    mate = server.ask("line", moves="f3 e5 g4 Qh4#")
    assert not mate["moves"] and mate["line"][-1]["check"]
    for values, words in (({"moves": "e5"}, "e5"), ({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "king"), ({"fen": "x" * 5000}, ""),
                          ({"moves": "Nf3 Nf6 Ng1 Ng8 " * 300}, "move 1001: at most 1000")):
        status, _, body = server.get("line", **values)
        assert status == 400 and words in json.loads(body)["error"], (values, body)


def quiet_again(server):
    """Nothing runs: no thread but the server's, and no time goes by."""
    wait_for("threads without a request", lambda: server.threads() == 1)
    before, wakes = server.ticks(), server.wakes()
    time.sleep(1.5)
    assert server.ticks() - before <= 1, f"{server.ticks() - before} hundredths of a second went by idle"
    assert server.wakes() - wakes <= 2, f"it woke {server.wakes() - wakes} times without a request"


def analysis_runs(server):
    client, events = server.events("analysis", moves="e4 e5", lines=3)
    assert next(events) == ("ready", {"threads": 2, "hash_bytes": 32 << 20})
    depths = {1: 0, 2: 0, 3: 0}
    for event, line in events:
        assert event == "line" and sum(line["chances"]) == 1000 and ("score" in line) != ("mate" in line), (event, line)
        depths[line["number"]] = line["depth"]
        assert line["moves"] and 0 <= line["hashfull"] <= 1000
        if min(depths.values()) >= 4:
            break
    other, others_events = server.events("analysis", fen="7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")  # takes the place of the first
    assert [event for event, _ in events][-1] == "done"
    assert any(line.get("mate") == 1 for _, line in others_events)
    assert server.get("analysis", lines="11")[0] == 400
    client.close()
    other.close()
    gone, _ = server.events("analysis")
    assert server.ask("state")["analysing"]
    gone.close()
    wait_for("it ends with its reader", lambda: not server.ask("state")["analysing"])


def counts_come(server, tabia):
    client, events = server.events("divide", moves="e4 c5", depth=5)
    reported = list(events)
    client.close()
    event, counts = reported[-1]
    divide = subprocess.run([tabia, "perft", "5", "--moves", "e4 c5", "--divide", "--json"], capture_output=True, text=True, check=True)
    theirs = json.loads(divide.stdout)
    assert event == "done" and counts["part"] == 1 and counts["nodes"] == theirs["nodes"], (reported[-1], theirs)
    assert {move["move"]: move["count"] for move in counts["moves"]} == theirs["divide"]
    endless, events = server.events("divide", depth=15)
    assert next(events)[0] == "counts"
    other, its_events = server.events("divide", depth=2)
    assert [event for event, _ in its_events][-1] == "done" and "done" not in [event for event, _ in events]
    endless.close()
    other.close()
    assert server.get("divide", depth="0")[0] == 400
    gone, events = server.events("divide", depth=15)
    next(events)
    gone.close()


def live_processes():
    """{number: that of the process that started it}"""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                state, parent = file.read().rsplit(")", 1)[1].split()[:2]
        except OSError:  # it has ended
            continue
        if state != "Z":
            parents[int(name)] = int(parent)
    return parents


def processes_below(pid):
    """Those that it started, and those started by them."""
    children = {}
    for one, parent in live_processes().items():
        children.setdefault(parent, []).append(one)
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found[1:]


def wait_for(what, condition):
    until = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.02)


def another_program_counts(server, tabia):
    """It starts with the first question, and answers as it does by itself."""
    assert server.ask("opponent") == {"program": tabia} and not processes_below(server.process.pid)
    kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    for values in ({"fen": kiwipete, "depth": 2}, {"moves": "e4 c5 Nf3", "depth": 3}):
        client, events = server.events("divide", **values)
        ours = list(events)[-1][1]
        client.close()
        client, events = server.events("against", **values)
        (event, theirs), = list(events)
        client.close()
        assert event == "done" and theirs["total"] == ours["nodes"], (event, theirs)
        assert {move["move"]: move["count"] for move in theirs["moves"]} == {move["move"]: move["count"] for move in ours["moves"]}
    started = processes_below(server.process.pid)
    opened = [os.readlink(f"/proc/{pid}/fd/{fd}") for pid in started for fd in os.listdir(f"/proc/{pid}/fd")]
    assert started and not [name for name in opened if name.startswith("socket:")], opened  # no connection is the program's too
    for values in ({"depth": 21}, {"fen": "x\nquit"}, {"moves": "e4 e4"}):
        assert server.get("against", **values)[0] == 400, values


def hanging_program_is_ended(tabia, faulty):
    server = Server(tabia, "--against", f"{faulty} hang", "--threads", "1")
    client, events = server.events("against", depth=1)
    assert [event for event, _ in events] == ["done"]
    client.close()
    gone, _ = server.events("against", depth=2)
    assert processes_below(server.process.pid)
    gone.close()  # nobody waits for it any more
    wait_for("a program that nobody waits for goes on", lambda: not processes_below(server.process.pid))
    client, _ = server.events("against", depth=2)
    other, events = server.events("against", depth=1)  # takes its place
    assert [event for event, _ in events] == ["done"]
    other.close()
    client.close()
    waiting, _ = server.events("against", depth=2)
    started = processes_below(server.process.pid)
    server.end()
    waiting.close()
    assert started, "no program was started"
    wait_for("it outlives the server", lambda: not set(started) & set(live_processes()))  # SIGKILL is sent, not waited for


def records_are_read(server, tabia, path):
    assert server.ask("files") == {"files": [os.path.basename(path)]}
    found = server.ask("records", file=0, count=400)
    shown = subprocess.run([tabia, "data", "view", path, "--count", "400", "--json"], capture_output=True, text=True, check=False)
    theirs = json.loads(shown.stdout)["records"]
    assert len(found["records"]) == found["all"] == len(theirs) >= RECORDS and found["format"] == "viri", (found["all"], len(theirs))
    for ours, other in zip(found["records"], theirs):
        assert [ours[name] for name in ("fen", "move", "score", "result")] == [other[name] for name in ("fen", "move", "score", "result")]
    second = next(record["number"] for record in found["records"][1:] if record["starts_game"])
    assert server.ask("records", **{"from": 2, "next_game": 1, "count": 1})["records"][0]["number"] == second
    assert server.ask("records", **{"from": 10 ** 12, "count": 1})["records"] == []
    assert server.ask("records", **{"from": 7, "count": 1})["records"][0] == found["records"][6]
    client, events = server.events("statistics", file=0)
    event, all_counts = list(events)[-1]
    client.close()
    assert event == "done" and all_counts["records"] == sum(all_counts["results"]) == len(theirs)
    rules = {"min_ply": 40, "filter_tactical": "true"}
    kept = [record["number"] for record in server.ask("records", count=400, **rules)["records"] if "removed" not in record]
    assert 0 < len(kept) < len(theirs) and server.ask("records", next_kept=1, count=1, **rules)["records"][0]["number"] == kept[0]
    client, events = server.events("statistics", file=0, **rules)
    event, some_counts = list(events)[-1]
    client.close()
    assert event == "done" and (some_counts["records"], some_counts["removed"]) == (len(kept), len(theirs) - len(kept)), some_counts
    assert {"min_ply", "filter_tactical"} <= {rule["name"] for rule in server.ask("rules")["rules"]}
    for values in ({"min_ply": -1}, {"min_ply": "x"}, {"filter_tactical": 2}, {"file": 1}, {"file": "../serve.py"}, {"file": -1}, {"from": 0}, {"count": 100000}):
        assert server.get("records", **values)[0] == 400, values


def ledger_is_told(server, tabia, path):
    reported = server.ask("ledger")
    theirs = json.loads(subprocess.run([tabia, "ledger", path, "--json"], capture_output=True, text=True, check=True).stdout)
    assert all(reported[name] == theirs[name] for name in ("count", "depth", "position", "units", "units_done", "in_use")) and reported["units"], (reported, theirs)


def main(folder, tabia, faulty=None):
    games = os.path.join(folder, "games.viri")
    subprocess.run([tabia, "gensfen", "--positions", str(RECORDS), "--out", games, "--depth", "2", "--write-max-ply", "80", "--threads", "1", "--quiet"], check=True, capture_output=True)
    ledger = os.path.join(folder, "five.ledger")
    subprocess.run([tabia, "perft", "5", "--ledger", ledger, "--quiet"], check=True, capture_output=True)
    server = Server(tabia, games, "--threads", "2", "--hash", "32M", "--ledger", ledger, "--against", tabia)
    assert server.threads() == 1
    is_served(server)
    strangers_get_nothing(server)
    odd_requests_are_refused(server)
    pipelined_requests_are_answered(server)
    crowd_stops_nothing(server)
    lines_are_read(server)
    analysis_runs(server)
    counts_come(server, tabia)
    another_program_counts(server, tabia)
    if faulty:
        hanging_program_is_ended(tabia, faulty)
    records_are_read(server, tabia, games)
    ledger_is_told(server, tabia, ledger)
    quiet_again(server)
    other = Server(tabia)
    status, _, body = other.get("against", depth=1)
    assert status == 400 and "--against" in json.loads(body)["error"] and other.ask("opponent") == {"program": None}
    other.end()
    second = subprocess.run([tabia, "serve", "--port", str(server.port)], capture_output=True, text=True, timeout=TIMEOUT)
    assert second.returncode == 3 and f"port {server.port}: cannot listen there" in second.stderr, second
    gone, events = server.events("analysis")
    next(events)
    server.end()  # also while it works
    gone.close()
    print("served, and nothing else")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        main(made, *map(os.path.abspath, sys.argv[1:]))
