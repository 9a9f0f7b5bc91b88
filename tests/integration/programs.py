# SPDX-License-Identifier: MIT
"""Programs of the folder that tabia lies in."""


def command(tabia, words):
    """A command line: tabia's, or that of tabia-lab where the first word is `lab`."""
    return [tabia + "-lab", *words[1:]] if words[:1] == ["lab"] else [tabia, *words]
