# SPDX-License-Identifier: MIT
"""The engine as a client holds it: its lines are collected by a thread, and each answer has a hard time-out."""

import queue
import subprocess
import threading

TIMEOUT = 20.0


class Engine:
    """The program, with a thread that collects its lines."""

    def __init__(self, *command, **more):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, **more)
        self.lines = queue.Queue()
        threading.Thread(target=self._collect, daemon=True).start()

    def _collect(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, start, seconds=TIMEOUT):
        """All lines up to the first that begins so."""
        seen = []
        while True:
            line = self.lines.get(timeout=seconds)
            assert line is not None, f"the engine ended while '{start}' was awaited; last words: {seen[-3:]}"
            seen.append(line)
            if line.startswith(start):
                return seen

    def ask(self, start, *lines):
        """Sends the lines; returns the answer up to a line that begins so."""
        self.send(*lines)
        return self.until(start)

    def best(self):
        return self.until("bestmove")[-1].split()[1]

    def ready(self):
        return self.ask("readyok", "isready")

    def end(self):
        self.send("quit")
        assert self.process.wait(TIMEOUT) == 0
