# SPDX-License-Identifier: MIT
"""
Fails where docs/claims.json is not what tools/claims.py reads, where a document does not contain the sentence of a claim, and
where the result file of a claim is not there.

    documented_claims.py ROOT
"""

import os
import sys

import tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import claims as tool  # noqa: E402


def main():
    root = sys.argv[1]
    path = os.path.join(root, tool.PATH)
    try:
        claims = tool.read(path)
    except tool.Fault as fault:
        tree.close([str(fault)], "")
    tree.close(tool.document_faults(root, claims), f"{len(claims)} claims stand in their documents")


main()
