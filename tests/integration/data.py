# SPDX-License-Identifier: MIT
"""
tabia data from outside: round trips to the byte, reports of what is lost, exit status and words for damaged files, no
half-written file after a failure or Ctrl-C; and what other programs write: records that Stockfish marks to be skipped, Chess960 in
binpack, names that mislead.

    data.py TABIA RANDOM_GAMES
"""

import gzip
import json
import os
import signal
import struct
import subprocess
import sys

from programs import in_folder, read, write

TABIA, RANDOM_GAMES = (os.path.abspath(path) for path in sys.argv[1:3])
RECORDS = 6000
SKIP = 32002  # VALUE_NONE


def tabia(*words, status=0, **more):
    run = subprocess.run([TABIA, "data", *words], capture_output=True, **more)
    out, err = run.stdout, run.stderr.decode()
    assert run.returncode == status, f"tabia data {' '.join(words)}: status {run.returncode}, not {status}\n{err}"
    return out, err


def said(*words, **more):
    """Its output as text, and its messages."""
    out, err = tabia(*words, **more)
    return out.decode(), err


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
        tabia(*words, "a.bin", "--out", "p1.bin", "--force")
        tabia(*words, "-", "--from", "bin", "--out", "p2.bin", "--force", stdin=open("a.bin", "rb"))
        assert read("p1.bin") == read("p2.bin"), f"{words}: other bytes of a pipe"
    assert f" {RECORDS * 40} bytes, {RECORDS} records" in said("info", "-", "--from", "bin", stdin=open("a.bin", "rb"))[0]
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
    before = read("a.bullet")
    _, err = tabia("shuffle", "a.bin", "--out", "a.bullet", status=2)
    assert err == "tabia data shuffle: --out: a.bullet exists already; --force overwrites it\n" and read("a.bullet") == before, err
    _, err = tabia("convert", "a.bin", "--out", "a.bullet", "--force")
    assert f"lost: move, of {RECORDS} records" in err, err
    _, err = tabia("filter", "a.bin", "--out", "x.viri", "--min-ply", "9999", status=2)
    assert err == f"tabia data filter: the rules remove all {RECORDS} records; no file is written\n" and not os.path.exists("x.viri"), err
    _, err = tabia("convert", "a.bullet", "--out", "x.viri", status=2)
    assert err.count("\n") == 1 and "viri needs moves" in err, err
    _, err = tabia("convert", "h.viri", "--out", "x.binpack")
    assert "lost: castling rights, of " in err and "rejected: " in err and "castling move of Chess960" in err, err
    os.remove("x.binpack")
    _, err = tabia("convert", "a.bin", "--out", "x.foo", status=2)
    assert "--out x.foo: its extension is that of no format; name the format with --to" in err and not os.path.exists("x.foo"), err
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
    """What shogi_data.py does not see of them."""
    out, _ = tabia("dedupe", "a.bin", "a.bin", "--out", "s.bin", "--json")
    once, _ = tabia("dedupe", "a.bin", "--out", "s2.bin", "--json")
    assert json.loads(out)["duplicates"] == json.loads(once)["duplicates"] + RECORDS
    assert read("s.bin") == read("s2.bin")
    assert b"Length of games" in tabia("stats", "b.viri")[0]
    tabia("convert", "a.bin", "--out", "no_moves.bullet")
    tabia("filter", "no_moves.bullet", "--out", "left.bullet", "--filter-check")
    _, err = tabia("filter", "a.bin", "--out", "x.bin", "--random-fen-skip-probability", "3", status=2)
    assert err == "tabia data filter: --random-fen-skip-probability: '3' is not a number from 0 to 1\n", err
    _, err = tabia("filter", "no_moves.bullet", "--out", "x.bullet", "--filter-tactical", status=2)
    assert "a rule asks for moves, and bullet stores none" in err and not os.path.exists("x.bullet"), err


def words():
    for form in ("info", "verify", "convert", "shuffle", "dedupe", "filter", "split", "sample", "stats"):
        out, _ = tabia(form, "--help")
        assert b"usage: tabia data " + form.encode() in out and b"Example" in out, out
    for wrong, said in (("sample", "--count N or --fraction X: one of them is needed"), ("split", "--out FILE is needed at least twice")):
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


def marked_records():
    """Every fifth record has the score 32002, as Stockfish's tools mark records to be skipped."""
    data = bytearray(read("a.bin"))
    marked = range(4, RECORDS, 5)
    for record in marked:
        data[40 * record + 32:40 * record + 34] = struct.pack("<h", SKIP)
    write("m.bin", data)
    write("l.bin", data[:34] + bytes(2) + data[36:])  # with one record whose move is unknown
    said("convert", "m.bin", "--out", "m.binpack")
    said("convert", "m.binpack", "--out", "m.plain")
    for source in ("m.bin", "m.binpack", "m.plain"):
        stats = json.loads(said("stats", source, "--json")[0])
        assert stats["skipped"] == len(marked) and stats["score"]["max"] < SKIP, (source, stats)
        assert sum(stats["score"]["bins"]) == RECORDS - len(marked), (source, stats["score"])
        assert f"{len(marked)} marked to be skipped" in said("stats", source)[0]
        assert f"{len(marked)} marked to be skipped" in said("verify", source)[0]
    out, _ = said("convert", "l.bin", "--out", "m.viri", "--json")
    err = said("convert", "m.bin", "--out", "m.bullet")[1]
    assert f"rejected: {len(marked)} records marked to be skipped, since they have no score; data rescore gives one" in err, err
    reported = json.loads(out)["written"][0]
    assert reported["rejected"] == len(marked) + 1 == sum(reported["rejected_by_reason"].values()), reported


def generated_chess960():
    """gensfen writes binpack so too, and says how many positions lost their rights."""
    run = subprocess.run([TABIA, "gensfen", "--positions", "600", "--depth", "1", "--dfrc", "--hash", "64K", "--seed", "3", "--threads", "1",
                          "--out", "g.binpack", "--quiet"], capture_output=True, text=True)
    assert run.returncode == 0 and "without their castling rights" in run.stdout, run


def misleading_names():
    """The bytes tell the format, and what differs from the name is said; --from has the last word."""
    said("convert", "a.bin", "--out", "n.viri", "--quiet")
    for form, name in (("viri", "thread_0.bin"), ("viri", "games.binpack"), ("marlin", "boards.bin"), ("bullet", "none")):
        said("convert", "n.viri", "--out", name, "--to", form, "--quiet")
        out, err = said("verify", name)
        assert f"{RECORDS} records" in out and "no fault" in out, out
        named = name.split(".")[-1]
        assert (f"{form} (not {named} as its name says; --from {named})" in out) == ("." in name), out
        reported = json.loads(said("info", name, "--json")[0])["files"][0]
        assert reported["format"] == form and reported.get("named") == (named if "." in name else None), reported
        _, err = said("convert", name, "--out", "n.bullet", "--force")
        assert (f"its content is {form}, not {named} as its name says; --from {named} reads it as that" in err) == ("." in name), err
        assert "its content is" not in said("convert", name, "--out", "n.bullet", "--force", "--quiet")[1]
    _, err = said("convert", "thread_0.bin", "--from", "bin", "--out", "n.bullet", "--force", status=2)
    assert "record 1, byte 0" in err, err
    _, err = said("sample", "thread_0.bin", "--count", "10", "--by", "records", "--out", "n.plain")
    assert err.count("its content is") == 1, err
    for form in ("plain", "text"):  # .txt is both
        said("convert", "n.viri", "--out", "n.txt", "--to", form, "--force", "--quiet")
        reported = json.loads(said("info", "n.txt", "--json")[0])["files"][0]
        assert reported["format"] == form and "named" not in reported, reported


def forgiven_faults():
    """What other programs write and read without a word is counted, and forgiven by --ignore."""
    subprocess.run([RANDOM_GAMES, "g.bin", str(RECORDS), "3"], check=True)
    data = bytearray(read("g.bin"))
    for record in range(0, 100, 10):
        data[40 * record + 31] |= 0x80  # behind the position
    for record in range(5, 100, 10):
        data[40 * record + 32:40 * record + 34] = struct.pack("<h", 32317)  # a mate
    data[40 * 7 + 38] = {0: 1, 1: 255, 255: 0}[data[40 * 7 + 38]]  # another result in the midst of a game
    write("g.bin", data)
    out, _ = said("verify", "g.bin", status=1)
    assert "10 score, 10 unused, 2 continuity: 22 faults" in out, out
    assert "record 6, byte 200: the score is 32317" in out and "record 1, byte 0: bits are set that" in out, out
    out, _ = said("verify", "g.bin", "--ignore", "score,unused", status=1)
    assert "2 continuity: 2 faults; ignored: 10 score, 10 unused" in out and "32317" not in out, out
    out, _ = said("verify", "g.bin", "--ignore", "score,unused,continuity")
    assert "no fault; ignored: 10 score, 10 unused, 2 continuity" in out, out
    reported = json.loads(said("verify", "g.bin", "--ignore", "unused", "--json", status=1)[0])["files"][0]
    assert reported["ignored_count"] == 10 and reported["fault_count"] == 12 == len(reported["faults"]), reported
    _, err = said("verify", "g.bin", "--ignore", "typo", status=2)
    assert "--ignore" in err and "typo" in err and err.count("\n") == 1, err
    _, err = said("convert", "g.bin", "--out", "g.viri")
    assert "unused: bits that the format leaves unused are set in 10 records, and not written" in err, err


def main():
    subprocess.run([RANDOM_GAMES, "a.bin", str(RECORDS), "1"], check=True)
    subprocess.run([RANDOM_GAMES, "h.viri", str(RECORDS), "2", "chess960"], check=True)
    for test in (round_trips, piped, marked_and_compressed, what_is_lost, damage, the_other_tools, words, interrupted,
                 marked_records, generated_chess960, misleading_names, forgiven_faults):
        test()


in_folder(main)
