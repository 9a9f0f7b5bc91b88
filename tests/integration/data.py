# SPDX-License-Identifier: MIT
"""
tabia data from outside: round trips to the byte, reports of what is lost, exit status and words for damaged files, no
half-written file after a failure or Ctrl-C.

    data.py TABIA RANDOM_GAMES
"""

import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile

from programs import read, write

TABIA, RANDOM_GAMES = (os.path.abspath(path) for path in sys.argv[1:3])
RECORDS = 6000


def tabia(*words, status=0, **more):
    run = subprocess.run([TABIA, "data", *words], capture_output=True, **more)
    out, err = run.stdout, run.stderr.decode()
    assert run.returncode == status, f"tabia data {' '.join(words)}: status {run.returncode}, not {status}\n{err}"
    return out, err


def round_trips():
    way = ["a.bin", "b.viri", "c.binpack", "d.plain", "e.bin"]
    for source, target in zip(way, way[1:]):
        tabia("convert", source, "--out", target)
    assert read("a.bin") == read("e.bin"), "bin -> viri -> binpack -> plain -> bin changes bytes"
    tabia("convert", "c.binpack", "--out", "f.viri", "--checksums")
    assert read("b.viri") == read("f.viri"), "viri -> binpack -> viri changes bytes"
    out, _ = tabia("convert", "a.bin", "--out", "-", "--to", "plain")
    assert out == read("d.plain"), "standard output differs from a file"
    tabia("convert", "-", "--from", "plain", "--out", "g.bin", stdin=open("d.plain", "rb"))
    assert read("g.bin") == read("a.bin"), "standard input differs from a file"
    tabia("convert", "h.viri", "--out", "h.plain", "--checksums")
    tabia("convert", "h.plain", "--out", "h2.viri")
    assert read("h.viri") == read("h2.viri"), "Chess960: viri -> plain -> viri changes bytes"
    for path in way + ["f.viri", "h.viri", "h.plain"]:
        out, _ = tabia("verify", path)
        assert b"no fault" in out and f"{RECORDS} records".encode() in out, out


def piped():
    """Of a pipe nobody knows how many records come: the same bytes as of the file, or one line that says what memory lacks."""
    for words in (["dedupe"], ["shuffle"], ["shuffle", "--memory", "1M"]):
        tabia(*words, "a.bin", "--out", "p1.bin")
        tabia(*words, "-", "--from", "bin", "--out", "p2.bin", stdin=open("a.bin", "rb"))
        assert read("p1.bin") == read("p2.bin"), f"{words}: other bytes of a pipe"
    subprocess.run([RANDOM_GAMES, "many.bin", "60000", "1"], check=True)
    _, err = tabia("dedupe", "-", "--from", "bin", "--memory", "1M", "--out", "p3.bin", stdin=open("many.bin", "rb"), status=3)
    assert err.count("\n") == 1 and "more positions than --memory holds" in err and not os.path.exists("p3.bin"), err


def marked_and_compressed():
    """A byte order mark in front of a text changes nothing; what a program compressed is named."""
    for name in ("plain", "text", "pgn"):
        tabia("convert", "a.bin", "--out", f"mark.{name}")
        before = tabia("convert", f"mark.{name}", "--out", "-", "--to", "plain")[0]
        write(f"mark.{name}", b"\xef\xbb\xbf" + read(f"mark.{name}"))
        assert tabia("convert", f"mark.{name}", "--out", "-", "--to", "plain")[0] == before, name
        write("unnamed", read(f"mark.{name}"))
        assert json.loads(tabia("info", "unnamed", "--json")[0])["files"][0]["format"] == name
    for name in ("a.bin.gz", "misnamed.bin"):
        write(name, gzip.compress(read("a.bin")))
        assert f"{name}: is compressed by gzip" in tabia("verify", name, status=2)[1]
    write("a.bin.zst", b"\x28\xb5\x2f\xfd" + bytes(60))
    assert "a.bin.zst: is compressed by zstd: decompress it first" in tabia("verify", "a.bin.zst", status=2)[1]


def what_is_lost():
    out, _ = tabia("convert", "a.bin", "--out", "a.bullet", "--json")
    written = json.loads(out)["written"][0]
    assert written["records"] == RECORDS and written["lost"]["move"] == RECORDS, written
    _, err = tabia("convert", "a.bin", "--out", "a.bullet")
    assert f"lost: move, of {RECORDS} records" in err, err
    _, err = tabia("convert", "a.bullet", "--out", "x.viri", status=2)
    assert err.count("\n") == 1 and "viri needs moves" in err, err
    _, err = tabia("convert", "h.viri", "--out", "x.binpack")
    assert "lost: castling rights, of " in err and "rejected: " in err and "castling move of Chess960" in err, err
    os.remove("x.binpack")
    _, err = tabia("convert", "h.viri", "--out", "h.bin")
    assert "lost" not in err, err


def damage():
    data = bytearray(read("a.bin"))
    data[40 * 16:40 * 16 + 2] = b"\0\0"
    write("bad.bin", data)
    out, _ = tabia("verify", "bad.bin", status=1)
    assert b"bad.bin: record 17, byte 640: both kings are on a1" in out, out
    out, _ = tabia("verify", "bad.bin", "a.bin", "--json", status=1)
    bad, good = json.loads(out)["files"]
    assert bad["fault_count"] == 1 and bad["faults"][0]["kind"] == "record" and good["fault_count"] == 0, (bad, good)
    _, err = tabia("convert", "bad.bin", "--out", "x.viri", status=2)
    assert err.count("\n") == 1 and "record 17, byte 640" in err, err
    for command in (("stats", "bad.bin"), ("convert", "bad.bin", "--out", "x.viri")):
        _, err = tabia(*command, "--skip-bad")
        assert "skipped: 1 bad" in err, err
    os.remove("x.viri")
    write("none.pgn", b'[Event "a"]\n[Variant "Atomic"]\n[Result "1-0"]\n\n1. e4 1-0\n' * 3)
    for command in (("convert", "none.pgn", "--out", "x.viri"), ("stats", "none.pgn"), ("dedupe", "none.pgn", "--out", "x.viri")):
        _, err = tabia(*command, "--skip-bad", status=2)
        assert err.count("\n") == 1 and "no good record, and 3 bad; the first: none.pgn: record 1, byte 0: line 2: the variant 'Atomic'" in err, err
    assert not os.path.exists("x.viri")
    _, err = tabia("convert", "none.pgn", "a.bin", "--out", "x.viri", "--skip-bad")
    assert "skipped: 3 bad" in err, err
    os.remove("x.viri")
    write("short.viri", read("b.viri")[:-2])
    out, _ = tabia("verify", "short.viri", status=1)
    assert b"truncated" in out, out
    sums = read("f.viri")
    write("f.viri", sums[:70] + bytes([sums[70] ^ 1]) + sums[71:])
    out, _ = tabia("verify", "f.viri", status=1)
    assert b"checksum" in out and b"do not match their checksum" in out, out
    os.remove("f.viri")
    os.remove("f.viri.sums")


def the_other_tools():
    tabia("shuffle", "a.bin", "--out", "s.bin", "--seed", "3")
    shuffled, original = read("s.bin"), read("a.bin")
    assert shuffled != original and sorted(pieces(shuffled)) == sorted(pieces(original)), "a shuffle changed records"
    out, _ = tabia("dedupe", "a.bin", "a.bin", "--out", "s.bin", "--json")
    once, _ = tabia("dedupe", "a.bin", "--out", "s2.bin", "--json")
    assert json.loads(out)["duplicates"] == json.loads(once)["duplicates"] + RECORDS
    assert read("s.bin") == read("s2.bin")
    tabia("sample", "a.bin", "--out", "s.bin", "--count", "123")
    assert len(read("s.bin")) == 123 * 40
    tabia("split", "b.viri", "--out", "s.viri", "--out", "t.viri", "--weights", "80,20")
    out, _ = tabia("verify", "s.viri", "t.viri", "--json")
    assert sum(verdict["records"] for verdict in json.loads(out)["files"]) == RECORDS
    out, _ = tabia("stats", "b.viri", "--json")
    stats = json.loads(out)
    assert stats["records"] == RECORDS and sum(stats["score"]["bins"]) == RECORDS, stats
    out, _ = tabia("stats", "b.viri")
    assert b"Length of games" in out
    out, _ = tabia("info", "a.bin", "c.binpack", "--json")
    assert [info["format"] for info in json.loads(out)["files"]] == ["bin", "binpack"]
    for name in ("s.bin", "s2.bin", "s.viri", "t.viri"):
        os.remove(name)


def pieces(data):
    return [data[at:at + 40] for at in range(0, len(data), 40)]


def words():
    for form in ("info", "verify", "convert", "shuffle", "dedupe", "filter", "split", "sample", "stats"):
        out, _ = tabia(form, "--help")
        assert b"usage: tabia data " + form.encode() in out and b"Example" in out, out
    for wrong, said in (("sample", "either --count N or --fraction X is needed"), ("split", "--out FILE is needed at least twice")):
        assert tabia(wrong, "a.bin", "--out", "x.bin", status=2)[1] == f"tabia data {wrong}: {said}\n"


def interrupted():
    """Ctrl-C while records still come: status 130, and no file."""
    run = subprocess.Popen([TABIA, "data", "convert", "-", "--from", "bin", "--out", "x.bin"], stdin=subprocess.PIPE,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    data, asked = read("a.bin"), False
    try:
        for _ in range(100000):
            run.stdin.write(data)
            if not asked:
                run.send_signal(signal.SIGINT)
                asked = True
    except BrokenPipeError:
        pass
    try:
        run.stdin.close()
    except BrokenPipeError:
        pass
    assert run.wait() == 130, run.returncode


def main():
    with tempfile.TemporaryDirectory(prefix="tabia-data-") as folder:
        os.chdir(folder)
        subprocess.run([RANDOM_GAMES, "a.bin", str(RECORDS), "1"], check=True)
        subprocess.run([RANDOM_GAMES, "h.viri", str(RECORDS), "2", "chess960"], check=True)
        for test in (round_trips, piped, marked_and_compressed, what_is_lost, damage, the_other_tools, words, interrupted):
            test()
        left = [name for name in os.listdir() if "part" in name or "bucket" in name or name.startswith("x.")]
        assert not left, f"left behind: {left}"
        os.chdir("/")
    print("all well")


main()
