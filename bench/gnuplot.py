# SPDX-License-Identifier: MIT
"""
Scripts for gnuplot, and pictures that say which script drew them: who has no gnuplot can still see whether a picture belongs to its
data (`is_drawn_by`), as a script is a function of the data alone.
"""

import hashlib
import re
import shutil
import subprocess
import textwrap
from xml.sax.saxutils import escape

# Told apart by people who see no red or no green, too (Masataka Okabe and Kei Ito, 2008).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#8c6d1f")
TITLE_SIZE, CAPTION_SIZE, EDGE = 15, 11, 12
STAMP = re.compile(r"<!-- drawn from ([0-9a-f]{64}) as ([0-9a-f]{64}) -->\n")


class Missing(Exception):
    """There is no gnuplot, or it failed."""


def text(words):
    """A string of a script; gnuplot would run what stands between backquotes in one with double quotes."""
    return ' . "\\n" . '.join("'" + line.replace("'", "''") + "'" for line in words.split("\n"))


def rounded(value):
    return f"{value:.6g}"


def block(name, rows):
    """Numbers as a data block; None is a gap."""
    return [f"${name} << EOD", *(" ".join("NaN" if v is None else rounded(v) for v in row) for row in rows), "EOD"]


def wrapped(words, pixels, size):
    """Lines that fit in the widest of the usual proportional fonts."""
    return textwrap.wrap(words, int(pixels / (0.58 * size)))


class Page:
    """A picture: a title above, a caption below, and the room between them, in pixels and as gnuplot counts it."""

    def __init__(self, title, caption, width, room):
        self.titles = wrapped(title, width - 2 * EDGE, TITLE_SIZE)
        self.captions = wrapped(caption, width - 2 * EDGE, CAPTION_SIZE)
        self.top = 10 + len(self.titles) * (TITLE_SIZE + 4)
        self.width, self.height = width, self.top + room + 10 + len(self.captions) * (CAPTION_SIZE + 4)

    def x(self, pixels):
        return rounded(pixels / self.width)

    def y(self, pixels):
        """Of pixels from the top."""
        return rounded(1 - pixels / self.height)

    def head(self):
        bottom = self.height - 4 - (len(self.captions) - 1) * (CAPTION_SIZE + 4)
        return [f"set terminal svg noenhanced size {self.width},{self.height} font 'sans-serif,12' background '#ffffff'",
                "set encoding utf8", "set tics nomirror out", "set border 3 linecolor '#555555'", "set grid back linetype 1 linewidth 1 linecolor rgb '#dddddd'",
                *([f"set label {text(chr(10).join(self.titles))} at screen {self.x(EDGE)}, screen {self.y(8 + TITLE_SIZE / 2)} left "
                   f"font 'sans-serif,{TITLE_SIZE}'"] if self.titles else []),
                *([f"set label {text(chr(10).join(self.captions))} at screen {self.x(EDGE)}, screen {self.y(bottom - CAPTION_SIZE / 2)} "
                   f"left font 'sans-serif,{CAPTION_SIZE}' textcolor '#555555'"] if self.captions else [])]

    def margins(self, left, right, top, bottom):
        """The frame of the axes, in pixels from the left and the top."""
        return [f"set lmargin at screen {self.x(left)}", f"set rmargin at screen {self.x(right)}",
                f"set tmargin at screen {self.y(top)}", f"set bmargin at screen {self.y(bottom)}"]


def digest(words):
    return hashlib.sha256(words.encode()).hexdigest()


def drawn(script, title):
    """The SVG text. Raises Missing."""
    if not shutil.which("gnuplot"):
        raise Missing("gnuplot is missing: apt-get install gnuplot-nox")
    done = subprocess.run(["gnuplot"], input=script, text=True, capture_output=True)
    if done.returncode or "<svg" not in done.stdout:
        raise Missing(f"gnuplot: {done.stderr.strip()}")
    body = done.stdout.replace("<title>Gnuplot</title>", f"<title>{escape(title)}</title>", 1)
    body = "\n".join(line.rstrip() for line in body.splitlines()) + "\n"
    head, rest = body[:body.index("<svg")], body[body.index("<svg"):]
    return f"{head}<!-- SPDX-License-Identifier: MIT -->\n<!-- drawn from {digest(script)} as {digest(rest)} -->\n{rest}"


def is_drawn_by(script, svg):
    """Is this picture what gnuplot made of the script, and untouched since?"""
    stamp = STAMP.search(svg or "")
    return bool(stamp) and stamp[1] == digest(script) and stamp[2] == digest(svg[stamp.end():])
