# SPDX-License-Identifier: MIT
"""
Text that is no record, and input that never ends: each is a clear fault with file, record, byte and line, or a prompt end
at the first SIGTERM.

    data_endless.py TABIA
"""

import os
import signal
import subprocess
import sys
import time

from programs import catches, in_folder

TABIA = os.path.abspath(sys.argv[1])
FORMATS = ("viri", "marlin", "bin", "bullet", "binpack", "plain", "text", "monty", "pgn")
HANGS = 60  # seconds after which a program that should have ended is said to hang
FEN = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
RECORD = f"{FEN}\nmove e2e4\nscore 10\nply 0\nresult 1\ne\n"


def tabia(*words, **more):
    """Status and what was said; status None: it hangs."""
    with subprocess.Popen([TABIA, "data", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more) as run:
        try:
            out, err = run.communicate(timeout=HANGS)
        except subprocess.TimeoutExpired:
            run.kill()
            return None, "", ""
        return run.returncode, out, err


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def text_faults():
    """One line that names file, record, byte and line; what stands behind is read on."""
    end = RECORD.replace("\ne\n", "\n")
    short = RECORD.replace(" 0 1\n", "\n")
    long = "x" * 256
    cases = [
        ("without its end", end + RECORD, "record 1, byte 0: line 6: another 'fen'", 1),
        ("without its last end", RECORD + end, "record 2, byte 97: line 11: truncated", 1),
        ("a field twice", RECORD.replace("ply 0\n", "ply 0\nscore 20\n") + RECORD, "line 5: a second 'score'", 1),
        ("a move twice", RECORD + RECORD.replace("ply", "move e2e3\nply"), "record 2, byte 97: line 10: a second 'move'", 1),
        ("a FEN without move counters", RECORD + short, "record 2, byte 97: line 7: the FEN has 4 of its 6 fields", 1),
        ("a long line", RECORD + long + "\n" + RECORD + RECORD, "record 2, byte 97: line 7: it is longer than 255", 2),
        ("a zero byte", RECORD + "score\0 1\ne\n" + RECORD, "record 2, byte 97: line 7: it contains a zero byte", 2),
        ("no field", RECORD + "colour 7\ne\n" + RECORD, "line 7: 'colour 7' begins with none of fen", 2),
        ("a long record", FEN + 5000 * "\n" + "e\n" + RECORD, "the record is longer than 4096 bytes", 1),
        ("a wrong number", RECORD.replace("score 10", "score 1x"), "line 3: the score '1x'", 0),
        ("something missing", RECORD.replace("score 10\n", ""), "line 5: the record ends without 'score'", 0),
    ]
    for name, text, words, good in cases:
        write("t.plain", text)
        status, _, err = tabia("convert", "t.plain", "--out", "t.bin")
        assert status == 2 and err.count("\n") == 1 and "t.plain: record " in err and words in err, (name, status, err)
        status, out, _ = tabia("verify", "t.plain")
        assert status == 1 and words in out and f"{good} records" in out and ": 1 fault\n" in out, (name, status, out)


def endless():
    """What never ends is refused at its first fault, not read for ever."""
    for name in FORMATS:
        status, _, err = tabia("convert", "/dev/zero", "--from", name, "--out", "x.bin")
        assert status == 2 and err.count("\n") == 1 and "/dev/zero: record 1, byte 0: " in err, (name, status, err)
        for text in ("yes a", "yes ''", "yes score 1", "yes | tr -d '\\n'", "cat head.bin; yes"):
            with subprocess.Popen(["sh", "-c", text], stdout=subprocess.PIPE) as source:
                status, _, err = tabia("convert", "-", "--from", name, "--out", "x.bin", stdin=source.stdout)
                source.kill()
            assert status == 2 and err.count("\n") == 1 and "record 1, " in err, (name, text, status, err)
    # In text, even with faults passed over: no line, and no record, is a megabyte long, and no game of PGN without a move 64.
    for source, name in (("yes | tr -d '\\n'", "plain"), ("yes", "plain"), ("yes ''", "plain"), ("yes | tr -d '\\n'", "text"), ("yes ''", "text"),
                         ("yes", "pgn"), ("yes | tr -d '\\n'", "pgn"), ("yes ''", "pgn"), ("echo {; yes", "pgn")):
        with subprocess.Popen(["sh", "-c", source], stdout=subprocess.PIPE) as pipe:
            status, out, _ = tabia("verify", "-", "--from", name, stdin=pipe.stdout)
            pipe.kill()
        assert status == 1 and f"{1 << (26 if name == 'pgn' else 20)} bytes" in out, (source, status, out)


def settle(pid):
    """Until it sleeps, or for a while if it never does. The thread sanitizer loses a signal that comes while sigaction returns."""
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            if file.read().rsplit(")", 1)[1].split()[0] == "S":
                return
        time.sleep(0.001)


def stops(name, words, **more):
    """The first SIGTERM ends it with status 130."""
    with subprocess.Popen([TABIA, "data", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more) as run:
        while run.poll() is None and not catches(run.pid, signal.SIGTERM):
            time.sleep(0.001)
        assert run.poll() is None, f"{name}: it ended by itself with status {run.returncode}"
        settle(run.pid)
        run.send_signal(signal.SIGTERM)
        try:
            run.wait(HANGS)
        except subprocess.TimeoutExpired:
            run.kill()
            raise AssertionError(f"{name}: it goes on after SIGTERM") from None
    assert run.returncode == 130, (name, run.returncode)


def signals():
    os.mkfifo("pipe")
    for name in FORMATS:
        silent, kept = os.pipe()
        for form in (["verify", "-"], ["convert", "-", "--out", "x.bin", "--to", "viri" if name == "monty" else name], ["info", "-"]):
            stops(f"{form[0]} of silence as {name}", [*form, "--from", name], stdin=silent)
        os.close(silent)
        os.close(kept)
        stops(f"a pipe that nobody writes as {name}", ["stats", "pipe", "--from", name])
    for name in ("viri", "marlin", "bin", "bullet"):
        stops(f"zeros as {name}", ["stats", "/dev/zero", "--from", name, "--skip-bad"])
        stops(f"zeros as {name}", ["verify", "/dev/zero", "--from", name])
    stops("a pipe whose format nobody says", ["verify", "pipe"])


def once_only():
    """What can be read once is not read twice, by which its beginning was lost."""
    write("t.plain", 50 * RECORD)
    for words in (["convert", "/dev/stdin", "--out", "x.bin"], ["sample", "/dev/stdin", "--count", "3", "--out", "x.bin"]):
        with subprocess.Popen(["cat", "t.plain"], stdout=subprocess.PIPE) as source:
            status, _, err = tabia(*words, stdin=source.stdout)
        assert status == 2 and "name its format with --from" in err, (words, status, err)
    with subprocess.Popen(["cat", "t.plain"], stdout=subprocess.PIPE) as source:
        status, _, err = tabia("convert", "/dev/stdin", "--from", "plain", "--out", "y.bin", stdin=source.stdout)
    assert status == 0 and os.path.getsize("y.bin") == 50 * 40, (status, err)


def main():
    with open("head.bin", "wb") as file:
        file.write(b"BINP\xff\xff\xff\xff" + bytes(60))
    for test in (text_faults, endless, signals, once_only):
        test()


in_folder(main)
