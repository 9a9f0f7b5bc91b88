# SPDX-License-Identifier: MIT
"""
tabia-shogi gensfen: the same bytes on any number of threads, data without a fault, games as the rules end them, and the options
of YaneuraOu. Kills are gensfen.py's: what they meet knows no game.

    shogi_gensfen.py TABIA-SHOGI
"""

import json
import os
import re
import struct
import sys
import tempfile

from programs import Program

POSITIONS = 1500
SETTINGS = ["--depth", "2", "--positions", str(POSITIONS), "--save-every", "200", "--seed", "7"]


class Generator(Program):
    def make(self, name, *more, settings=SETTINGS, status=0):
        reported = self.run("gensfen", *settings, "--out", name, *more, status=status)
        return reported if status else self.read(name)

    def faultless(self, name):
        assert "no fault" in self.run("data", "verify", name), name


def same_bytes(generator):
    one = generator.make("one.psv", "--threads", "1", "--json")
    assert one == generator.make("eight.psv", "--threads", "8"), "eight threads"
    assert one != generator.make("other.psv", "--seed", "8")
    assert len(one) >= 40 * POSITIONS and len(one) % 40 == 0
    generator.faultless("one.psv")
    generator.make("one.hcpe")
    generator.run("data", "convert", "one.psv", "--out", "converted.hcpe", "--quiet")
    assert generator.read("one.hcpe") == generator.read("converted.hcpe")


def by_material(generator):
    """Without the network that is built in; a file of one evaluation is not continued by the other."""
    material = ["--evaluation", "material"]
    one = generator.make("material.psv", *material, "--threads", "1")
    assert one == generator.make("material8.psv", *material, "--threads", "8")
    assert one != generator.read("one.psv")
    longer = ["--depth", "2", "--save-every", "200", "--seed", "7", "--positions", str(2 * POSITIONS)]
    assert "network" in generator.make("material.psv", "--resume", settings=longer, status=2)
    assert generator.make("material.psv", "--resume", *material, settings=longer).startswith(one)
    reported = generator.make("both.psv", *material, "--network", "any.network", status=2)
    assert "--evaluation material, --network" in reported, reported


def to_the_end(generator):
    """Games that only the rules end: each ending is judged, and data verify agrees."""
    settings = ["--depth", "1", "--positions", "1500", "--eval-limit", "0", "--resign", "off", "--draw", "off",
                "--write-max-ply", "600", "--opening-limit", "0"]
    reported = generator.run("gensfen", *settings, "--out", "end.psv", "--json", "--quiet")
    assert json.loads(reported)["counts"]["games"] and '"termination_mate": 0' not in reported and "termination_mate" in reported, reported
    generator.faultless("end.psv")


def pieces(line):
    """Those of a line `sfen ...`, kings too."""
    board, _, hands = line.split()[1:4]
    held = sum(int(number or 1) for number, _ in re.findall("([0-9]*)([a-zA-Z])", hands))
    return held + sum(letter.isalpha() for letter in board)


def as_yaneuraou(generator):
    settings = ["--depth", "1", "--positions", "500", "--random-move-minply", "1", "--random-move-maxply", "24",
                "--random-move-count", "5", "--random-move-like-apery", "3", "--write-minply", "16", "--write-maxply", "400",
                "--eval-limit", "3000", "--opening-limit", "0", "--resign", "off", "--draw", "off", "--filter", "draw"]
    generator.make("yaneuraou.psv", settings=settings)
    generator.faultless("yaneuraou.psv")
    generator.make("multi.plain", settings=["--depth", "1", "--positions", "300", "--random-multipv", "4", "--random-move-max-ply",
                                            "4", "--random-move-count", "4"])
    generator.make("handicap.plain", settings=["--depth", "1", "--positions", "300", "--handicap"])
    lines = [line for line in generator.read("handicap.plain").decode().splitlines() if line.startswith("sfen ")]
    assert {pieces(line) for line in lines} <= {39, 38, 36, 34, 32} and len({pieces(line) for line in lines}) > 1, lines[:3]
    reported = generator.make("bad.viri", settings=["--positions", "10"], status=2)
    assert "psv" in reported, reported
    assert "fourfold" in generator.run("help", "gensfen", "endings")


def trains(generator):
    """A network of what was generated is the same bytes on any number of threads, and the engine evaluates by it."""
    settings = ["one.psv", "--epochs", "2", "--batch", "20", "--quiet"]
    for threads in ("1", "3"):
        generator.run("train", *settings, "--threads", threads, "--out", "by" + threads)
    assert generator.read("by1") == generator.read("by3") and len(generator.read("by1")) < 3000000
    by_material = "setoption name Evaluation value material"
    values = [re.search(r"Evaluation: (.*)", generator.run("usi", *more, "eval")).group(1)
              for more in ([], ["--network", "by1"], [by_material], ["--network", "by1", by_material])]
    assert all("by the network" in value for value in values[:2]) and "by material" in values[2], values
    assert values[3] == values[2] and len({value.split()[0] for value in values}) == 3, values
    reported = generator.run("usi", "setoption name EvalFile value by1", "setoption name EvalFile value one.psv", "eval")
    assert "network" in reported and "no network" in reported and values[1] in reported, reported
    reported = generator.run("usi", "setoption name EvalFile value by1", "setoption name EvalFile value <empty>", "eval")
    assert "EvalFile: built in, network" in reported and values[0] in reported, reported
    reported = generator.run("network", "info", "by1")
    assert reported.startswith("by1: a network for shogi, (2348 -> 128)x2 -> 8, mirrored") and "built in" not in reported, reported
    assert "is none of info" in generator.run("network", "export", "by1", status=2)
    generator.make("again.psv", "--network", "by1", settings=["--soft-nodes", "50", "--positions", "300", "--seed", "7"])
    generator.faultless("again.psv")


def write_nn_bin(path, output):
    """A K-P network of YaneuraOu whose output is the same in every position."""
    weights = b"".join((struct.pack("<I", 0x3F5715FF), bytes(512 * 1711), struct.pack("<I", 0x63337156),
                        bytes(128 + 32 * 512 + 128 + 32 * 32), struct.pack("<i", output), bytes(32)))
    with open(path, "wb") as file:
        file.write(struct.pack("<III", 0x7AF32F16, 0x3F5715FF ^ 0x63337156, 4) + b"none" + weights)


def reads_nn_bin(generator):
    """Networks of YaneuraOu: by file, by folder, by scale; other scales are other evaluations; games of one."""
    os.mkdir(os.path.join(generator.folder, "eval"))
    nn_bin = os.path.join("eval", "nn.bin")
    write_nn_bin(os.path.join(generator.folder, nn_bin), 16 * 120)
    by_file, by_folder = "setoption name EvalFile value " + nn_bin, "setoption name EvalDir value eval"
    for words, value in (([by_file], "+1.20"), (["--network", nn_bin], "+1.20"), ([by_folder], "+1.20"),
                         ([by_folder, "setoption name EvalDir value <empty>"], "+1.20"),
                         ([by_file, "setoption name FV_SCALE value 24"], "+0.80"),
                         (["setoption name FV_SCALE value 24", by_folder], "+0.80"),
                         ([by_file, by_file + "x"], "+1.20")):
        reported = generator.run("usi", *words, "eval")
        assert f"Evaluation: {value} (for black, by the network)" in reported, (words, reported)
    assert "string EvalDir: nowhere/nn.bin: cannot be read" in generator.run("usi", "setoption name EvalDir value nowhere", "eval")
    assert "string EvalFile: eval: cannot be read: Is a directory" in generator.run("usi", "setoption name EvalFile value eval")
    reported = generator.run("network", "info", nn_bin)
    assert reported.startswith(nn_bin + ": a network of YaneuraOu for shogi, K-P 256x2-32-32"), reported
    assert json.loads(generator.run("network", "info", nn_bin, "--json"))["architecture"] == "K-P 256x2-32-32"
    settings = ["--depth", "1", "--positions", "100", "--network", nn_bin]
    identities = set()
    for scale in ("16", "24"):
        generator.make(f"scale{scale}.psv", "--fv-scale", scale, settings=settings)
        generator.faultless(f"scale{scale}.psv")
        identities.add(json.loads(generator.read(f"scale{scale}.psv.json"))["options"]["network"])
    assert len(identities) == 2 and generator.read("scale16.psv") != generator.read("scale24.psv"), identities
    generator.run("data", "rescore", "one.psv", "--out", "by-nn.psv", "--depth", "1", "--network", nn_bin, "--fv-scale", "24")


def main(binary):
    with tempfile.TemporaryDirectory() as folder:
        generator = Generator(binary, folder)
        same_bytes(generator)
        by_material(generator)
        trains(generator)
        reads_nn_bin(generator)
        to_the_end(generator)
        as_yaneuraou(generator)
    print("games of shogi against itself: the same bytes for 1 and 8 threads")


if __name__ == "__main__":
    main(sys.argv[1])
