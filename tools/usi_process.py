# SPDX-License-Identifier: MIT
"""USI engines and the referee as processes: for tools/usi_match."""

import os
import selectors
import shlex
import subprocess
import time

START_SECONDS = 60
# Set where an engine declares them: no book, no time kept for a network. USI_Hash may be set undeclared.
QUIET = {"USI_OwnBook": "false", "OwnBook": "false", "BookFile": "no_book", "BookDepth": "0", "NetworkDelay": "0",
         "NetworkDelay2": "0", "MinimumThinkingTime": "0", "RoundUpToFullSecond": "false", "USI_Ponder": "false"}


class Fault(Exception):
    """Something outside failed, in one line."""


class Process:
    """Lines to and from another program, with a time limit for each answer."""

    def __init__(self, command):
        self.command = command
        self.buffer = b""
        self.start()

    def start(self):
        try:
            self.process = subprocess.Popen(shlex.split(self.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, start_new_session=True)
        except OSError as error:
            raise Fault(f"{self.command}: {error.strerror}") from None
        self.buffer = b""
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    def alive(self):
        return self.process.poll() is None

    def send(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            pass  # it has ended; whoever waits for its answer will see

    def line(self, until):
        """The next line, or None at the end or when the time is over."""
        while b"\n" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not self.selector.select(left):
                return None
            got = os.read(self.process.stdout.fileno(), 1 << 16)
            if not got:
                return None
            self.buffer += got
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.decode(errors="replace").strip()

    def quit(self):
        self.send("quit")
        try:
            self.process.stdin.close()
        except OSError:
            pass  # what it did not read
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.kill()
        self.process.stdout.close()

    def kill(self):
        self.process.kill()
        self.process.wait()


class Referee(Process):
    """The rules of this tree."""

    def __init__(self, command):
        super().__init__(f"{shlex.quote(command)} referee")

    def ask(self, game):
        self.send(game)
        answer = self.line(time.monotonic() + START_SECONDS)
        if answer is None:
            raise Fault(f"{self.command}: no answer to '{game}'")
        return answer

    def verdict(self, game):
        answer = self.ask(game)
        if answer.startswith("bad"):
            raise Fault(f"{self.command}: '{game}': {answer}")
        return answer

    def legal_moves(self, game):
        return self.ask("list " + game).split()[1:]


class Engine(Process):
    """A USI engine, set up, and started anew when it breaks."""

    def __init__(self, command, hash_mib, threads, more):
        super().__init__(command)
        self.name = command
        self.settings = {"USI_Hash": str(hash_mib), "Threads": str(threads), "Thread": str(threads), **QUIET}
        self.more = more
        self.set_up()

    def wait_for(self, word):
        until, lines = time.monotonic() + START_SECONDS, []
        while True:
            line = self.line(until)
            if line is None:
                raise Fault(f"{self.command}: no {word}")
            if line.split()[:1] == [word]:
                return lines
            lines.append(line)

    def set_up(self):
        self.send("usi")
        lines = self.wait_for("usiok")
        names = [line[8:] for line in lines if line.startswith("id name ")]
        self.name = names[0] if names else self.command
        declared = {line.split()[2] for line in lines if line.startswith("option name ")}
        for name, value in self.settings.items():
            if name in declared or name == "USI_Hash":
                self.send(f"setoption name {name} value {value}")
        for name, value in self.more.items():
            if name not in declared:
                raise Fault(f"{self.command}: there is no option {name}")
            self.send(f"setoption name {name} value {value}")
        self.send("isready")
        self.wait_for("readyok")

    def new_game(self):
        """Ready for a game, as a new process if the last one broke."""
        if self.alive():
            self.send("isready")
            try:
                self.wait_for("readyok")
            except Fault:
                self.kill()
        if not self.alive():
            self.start()
            self.set_up()
        self.send("usinewgame")

    def best_move(self, go, seconds):
        """What it plays, and the milliseconds it took; or None, and what came in the place of it: time, or broken."""
        began = time.monotonic()
        self.send(go)
        while True:
            line = self.line(began + seconds)
            if line is None:
                hung = time.monotonic() >= began + seconds
                self.kill()
                return None, "time" if hung else "broken"
            words = line.split()
            if words[:1] == ["bestmove"]:
                return (words[1] if len(words) > 1 else "none"), 1000 * (time.monotonic() - began)
