# SPDX-License-Identifier: MIT
"""
Copies a C source without one of its checks, for a test that must then fail. The text stands in it exactly once.

    without.py SOURCE COPY TEXT
"""

import sys

with open(sys.argv[1], encoding="utf-8") as file:
    before, after = file.read().split(sys.argv[3])
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write(before + after)
