# SPDX-License-Identifier: MIT
"""
Every option of every command does something, and its help names it; the manual page names these and no others. The list is the
program's own, of the rows that it reads its words by (--list-options). Each of it needs a row in option_rows.py that sets it and sees another behaviour, so that a new
option without a row fails. No row is timed: what is compared repeats, and is run twice to see that it does.

    options.py TABIA TABIA-LAB
"""

import concurrent.futures
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[2])
TIMEOUT = 120.0
CLOCK = re.compile(r"second|_per_|per second|nanos|version|peak|time|date")  # members of JSON that differ from run to run


def without_clock(value):
    if isinstance(value, dict):
        return {k: without_clock(v) for k, v in value.items() if not CLOCK.search(k)}
    return [without_clock(v) for v in value] if isinstance(value, list) else value


def text_or_json(text):
    try:
        return json.dumps(without_clock(json.loads(text)))
    except ValueError:
        pass
    try:  # or a value a line
        return "\n".join(json.dumps(without_clock(json.loads(line))) for line in text.splitlines())
    except ValueError:
        return text


class Program:
    """Runs the program in empty folders, beside which the files lie that rows read."""

    def __init__(self, binary, folder):
        self.binary, self.files = os.path.abspath(binary), folder
        self.command, self.environment = [self.binary], None  # mpi_options.py starts it on ranks
        self.done, self.lock = {}, threading.Lock()

    def words(self, line):
        """The words of a line; {NAME} stands for a file that was made before, {TABIA} for the program."""
        words = line if isinstance(line, (list, tuple)) else line.split()
        return [w.replace("{TABIA}", self.binary).replace("{", self.files + "/").replace("}", "") for w in words]

    def run(self, line, **more):
        """Exit status, output, messages and the files that it made."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([*self.command, *self.words(line)], cwd=folder, capture_output=True, timeout=TIMEOUT,
                                  env=self.environment, **{"stdin": subprocess.DEVNULL, **more})
            made = {p.name: p.read_bytes() for p in sorted(Path(folder).iterdir()) if p.is_file()}
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), made

    def start(self, line, **more):
        return subprocess.Popen([self.binary, *self.words(line)], stdin=subprocess.DEVNULL, **more)

    def twice(self, line):
        """What two runs of the line give. They serve all rows that begin with that line."""
        words = tuple(self.words(line))
        with self.lock:
            mine = words not in self.done
            runs = self.done.setdefault(words, concurrent.futures.Future())
        if mine:
            try:
                runs.set_result([self.run(words) for _ in range(2)])
            except BaseException as fault:
                runs.set_exception(fault)
                raise
        return runs.result()


def no_mask(text):
    return text


def seen(run, mask):
    """Of a run: its output and messages by the mask, and its files without their times."""
    status, out, err, made = run
    made = {name: text_or_json(b.decode(errors="replace")) for name, b in made.items()}
    return status, mask(text_or_json(out)), mask(err), made


def no_numbers(text):
    """What is left of a table of figures: its words, without units and the dash that stands for no figure."""
    return re.sub(r"\s+", " ", re.sub(r"[-+]?[0-9][0-9.,]*|\b[kMGTun]?(?:B|s|ns|us|ms)\b|\b[kMGTun]\b|(?<= )-(?=\s)", "", text))


def changes(line, more, mask=no_mask):
    """With `more` behind it the line does something else, which is no error."""
    def check(program):
        plain = [seen(run, mask) for run in program.twice(line)]
        assert plain[0] == plain[1], f"'{line}' does not repeat: {plain[0]} {plain[1]}"
        other = seen(program.run(program.words(line) + program.words(more)), mask)
        assert "not understood" not in other[2], other[2]
        return other != plain[0]
    return check


def says(line, text):
    """Its output or its messages have the text."""
    def check(program):
        done = program.run(line)
        return text in done[1] + done[2]
    return check


def games(line, more):
    """Other games are written. The sidecar repeats the options, so it proves nothing."""
    def check(program):
        runs = [*program.twice(line), program.run(program.words(line) + program.words(more))]
        made = [[bytes for name, bytes in run[3].items() if not name.endswith((".json", ".sums"))] for run in runs]
        assert made[0] == made[1] and made[0], f"'{line}' does not repeat"
        return made[2] and made[2] != made[0]
    return check


def files_of(line, more):
    """Other files are written."""
    return lambda program: set(program.twice(line)[0][3]) != set(program.run(program.words(line) + program.words(more))[3])


def same_result(line, more, mask=no_mask):
    """Nothing that is printed may depend on it: that it is read is all that is seen from outside."""
    def check(program):
        return seen(program.twice(line)[0], mask)[:2] == seen(program.run(program.words(line) + program.words(more)), mask)[:2]
    return check


def end(process):
    process.kill()
    process.wait()


def threads(line, wanted=2 * (os.cpu_count() or 1) + 3):
    """As many threads run as are asked for, by default more than anybody would take unasked."""

    def check(program):
        with tempfile.TemporaryDirectory() as folder:
            process = program.start(program.words(line) + ["--threads", str(wanted)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            until = time.monotonic() + TIMEOUT
            most = 0
            while most < wanted and process.poll() is None and time.monotonic() < until:
                most = max(most, len(os.listdir(f"/proc/{process.pid}/task")))
            end(process)
        return most >= wanted
    return check


def rest(process):
    """It is stopped for most of the two seconds that work without progress may take: only its clock runs."""
    time.sleep(0.3)
    process.send_signal(signal.SIGSTOP)
    time.sleep(1.7)
    process.send_signal(signal.SIGCONT)


def shown_on_terminal(program, words, seconds):
    """Does it write on a terminal within so many seconds? And after how many."""
    ours, its = pty.openpty()
    began, text = time.monotonic(), b""
    with tempfile.TemporaryDirectory() as folder:
        process = program.start(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=its, env=dict(os.environ, TERM="xterm"))
        os.close(its)

        def read():
            nonlocal text
            try:
                text += os.read(ours, 100)
            except OSError:
                pass
        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        rest(process)
        reader.join(max(0.0, began + seconds - time.monotonic()))
        end(process)
        reader.join()
    os.close(ours)
    return text, time.monotonic() - began


def writes_progress(line, *more, pattern=r"\d[\d.]*( [kMGT])? nodes, .* s passed, "):
    """A line of it comes within the second that is asked for, into a pipe."""
    def check(program):
        process = program.start(program.words(line) + list(more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        limit = threading.Timer(TIMEOUT, process.kill)
        limit.start()
        line_read = process.stderr.readline()
        limit.cancel()
        end(process)
        process.stderr.close()
        assert re.match(pattern, line_read), line_read
        return True
    return check


def quiet(line):
    """Long work shows its progress on a terminal, and with --quiet it does not in half as much time again. It cannot fail by being
    slow: then less is shown."""
    def check(program):
        words = program.words(line)
        shown, seconds = shown_on_terminal(program, words, TIMEOUT)
        return shown and not shown_on_terminal(program, words + ["--quiet"], 1.5 * seconds)[0]
    return check


# ---- the list ----

def takes(program, command, name):
    """The first word that is wrong is named: this option, or what stands behind it."""
    return f"'--{name}' is not understood" not in program.run(f"{command} --{name} --zzz --zzz")[2]


def options_of(program, command, help_of=None):
    """(the options it takes, those of them that its help does not name)"""
    status, listed, errors, _ = program.run(command + " --list-options")
    names = {line[2:] for line in listed.split("\n") if line.startswith("--")} - {"help"}
    assert status == 0 and names and all(takes(program, command, name) for name in names), (command, listed, errors)
    text = program.run((help_of or command) + " --help")[1]
    for topic in re.findall(rf" help {command} (\w+) ", text):
        text += program.run(f"{command} {topic} --help")[1]
    return names, {name for name in names if not re.search(rf"--{name}(?![a-z0-9-])", text)}


def options_named_in(roff):
    """The options that a text of a manual page names."""
    return set(re.findall(r"(?<![\w-])--([a-z][a-z0-9-]*)", re.sub(r"\\f.", "", roff).replace("\\-", "-")))


def sections_of(text, kind):
    """[(title, text)] of what begins with .SH or .SS."""
    parts = re.split(rf"^\.{kind} (.*)\n", text, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2]))


def manual_faults(taken):
    """Options that the sections of tabia(1) tell of and their commands do not take, and those it leaves out; `taken` has each command's."""
    with open(os.path.join(ROOT, "docs", "tabia.1"), encoding="utf-8") as file:
        sections = dict(sections_of(file.read(), "SH"))
    faults = []
    for name in sorted({command.split()[0] for command in taken} - {"uci"}):  # of whose section other commands' options are a part
        known = {word for command, words in taken.items() if command.split()[0] == name for word in ["help", *words]}
        own = [text for title, text in sections_of(sections["OPTIONS"], "SS") if re.match(rf"tabia {name}\b", title)]
        reported = options_named_in("".join(own))
        faults += [] if own else [f"docs/tabia.1: no section of {name}"]
        faults += [f"docs/tabia.1: {name} --{word}: no such option" for word in sorted(reported - known)]
        faults += [f"docs/tabia.1: {name} --{word}: left out" for word in sorted(known - reported - {"help"})]
    return faults


def list_faults(program, rows):
    faults = []
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda command: options_of(program, command), rows))
    for command, (taken, unnamed) in zip(rows, answers):
        faults += [f"{command} --{name}: taken, but not in --help" for name in sorted(unnamed)]
        faults += [f"{command} --{name}: no row in option_rows.py" for name in sorted(taken - set(rows[command]))]
        faults += [f"{command} --{name}: a row for nothing" for name in sorted(set(rows[command]) - taken)]
    return faults, {command: taken for command, (taken, _) in zip(rows, answers)}


def row_fault(program, command, name, check):
    try:
        return None if check(program) else f"{command} --{name}: taken and ignored"
    except (AssertionError, OSError, subprocess.SubprocessError) as fault:
        return f"{command} --{name}: {fault}"


def main(binary, lab_binary):
    import lab_rows
    import option_rows
    with tempfile.TemporaryDirectory() as folder:
        program, lab = Program(binary, folder), Program(lab_binary, folder)
        option_rows.make_files(program)
        faults, taken = list_faults(program, option_rows.ROWS)
        faults += manual_faults(taken) + list_faults(lab, lab_rows.ROWS)[0]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            checks = [pool.submit(row_fault, one, command, name, check)
                      for one, rows in ((program, option_rows.ROWS), (lab, lab_rows.ROWS))
                      for command, row in rows.items() for name, check in row.items()]
            faults += [done.result() for done in checks if done.result()]
    print("\n".join(faults) or f"{len(checks)} options have an effect")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    sys.modules["options"] = sys.modules["__main__"]
    main(*sys.argv[1:])
