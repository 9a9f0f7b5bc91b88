# SPDX-License-Identifier: MIT
"""tabia serve, started, and requests of the user who knows its address."""
import atexit
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import urllib.parse

TIMEOUT = 20


class Server:
    """A running server, and requests of its user."""

    def __init__(self, tabia, *options):
        self.process = subprocess.Popen([tabia, "serve", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.address)
        assert found, (self.address, self.process.stderr.read())
        atexit.register(self.process.kill)  # where the test fails
        self.port, self.token = int(found[1]), found[2]

    def raw(self, data, wait=True):
        """What comes back for these bytes, to the end of the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT) as client:
            try:
                client.sendall(data)
                client.shutdown(socket.SHUT_WR)
                answer = b""
                while wait and (more := client.recv(65536)):
                    answer += more
                return answer
            except OSError:  # it was closed before all was sent
                return b""

    def get(self, name, method="GET", **values):
        """(status, headers, body)"""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        client.request(method, f"/{self.token}/{name}" + (f"?{urllib.parse.urlencode(values)}" if values else ""))
        answer = client.getresponse()
        body = answer.read()
        client.close()
        return answer.status, answer.headers, body

    def ask(self, name, **values):
        status, _, body = self.get(name, **values)
        assert status == 200, (name, values, status, body)
        return json.loads(body)

    def events(self, name, **values):
        """(the answer, which closes the connection, and an iterator of its (event, value))"""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        client.request("GET", f"/{self.token}/{name}?{urllib.parse.urlencode(values)}")
        answer = client.getresponse()
        assert answer.status == 200 and answer.headers["Content-Type"] == "text/event-stream", answer.headers

        def each():
            event = None
            while line := answer.readline().decode():
                if line.startswith("event: "):
                    event = line[7:-1]
                elif line.startswith("data: "):
                    yield event, json.loads(line[6:])
        return answer, each()

    def ticks(self):
        """Processor time so far, in hundredths of a second."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def wakes(self):
        """How often its first thread has slept so far."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)$", file.read(), re.MULTILINE)[1])

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def end(self):
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=TIMEOUT)
        assert self.process.returncode == 0, (self.process.returncode, out, err)
