#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
The law that the falls of docs/results/gensfen-hazard.json follow, and what it says of other settings.

    bench/hazard_law.py [ROOT]

A Poisson regression for each series: falls = games * exp(a + b x), by iteratively reweighted least squares. The error is 95 %. The
deviance of a law that holds is about as large as its degrees of freedom. An extrapolation multiplies the hazard of the base by the
factor of each series; it is marked as such, and holds for this engine only.
"""

import collections
import math
import sys

import result_file

Fit = collections.namedtuple("Fit", "slope error deviance freedom")
BASE = "8 bits"
SERIES = (("signature bits", [f"{n} bits" for n in (8, 10, 12, 14, 16)], lambda n: n),
          ("size", [f"{n} KiB" for n in (64, 128, 256, 512, 1024)], math.log),
          ("score limit", [f"limit {n}" for n in (800, 1200, 1600, 2400, 3000)], lambda n: n))


def fitted(points):
    """points: (x, events, games). The slope b of log(events / games) over x."""
    middle = sum(x * n for x, n, _ in points) / sum(n for _, n, _ in points)
    a, b = math.log(sum(n for _, n, _ in points) / sum(g for _, _, g in points)), 0.0
    for _ in range(100):
        means = [g * math.exp(a + b * (x - middle)) for x, _, g in points]
        s0 = sum(means)
        s1 = sum(m * (x - middle) for m, (x, _, _) in zip(means, points))
        s2 = sum(m * (x - middle) ** 2 for m, (x, _, _) in zip(means, points))
        r0 = sum(n - m for m, (_, n, _) in zip(means, points))
        r1 = sum((n - m) * (x - middle) for m, (x, n, _) in zip(means, points))
        determinant = s0 * s2 - s1 * s1
        a, b = a + (s2 * r0 - s1 * r1) / determinant, b + (s0 * r1 - s1 * r0) / determinant
    deviance = 2 * sum((n * math.log(n / m) if n else 0) - (n - m) for m, (_, n, _) in zip(means, points))
    return Fit(b, 1.96 * math.sqrt(s0 / determinant), deviance, len(points) - 2)


def points_of(rows, column, names, scale):
    return [(scale(rows[n][column]), rows[n]["counted falls"], rows[n]["games"]) for n in names]


def print_fits(fits):
    tail = "deviance {0.deviance:.1f} at {0.freedom} degrees of freedom"
    bits, size, limit = (fits[c] for c, _, _ in SERIES)
    two = math.log(2)
    print(f"signature bits: falls ~ 2^({bits.slope / two:.2f} +- {bits.error / two:.2f} a bit),", tail.format(bits))
    print(f"size, from 64 KiB: falls ~ size^({size.slope:.2f} +- {size.error:.2f}),", tail.format(size))
    print(f"score limit, from 800: a factor of e for {-1 / limit.slope:.0f} +- {limit.error / limit.slope ** 2:.0f},", tail.format(limit))


def print_prediction(rows):
    """Incidents beside their prediction, where there were ten at least; at depth 2 and more, all together."""
    ratios = [c["counted"] / (c["predicted incidents"] * c["games"] / 1e6) for n, c in rows.items()
              if not n.startswith(("cure", "depth")) and c["counted"] >= 10]
    print(f"incidents over their prediction at depth 1: {min(ratios):.2f} to {max(ratios):.2f}")
    deep = [rows[f"depth {d}"] for d in (3, 4, 5, 6)]
    expected = sum(c["predicted incidents"] * c["games"] / 1e6 for c in deep)
    print(f"depth 3 to 6: {sum(c['counted'] for c in deep)} incidents, predicted {expected:.0f}; "
          f"{sum(c['counted falls'] for c in deep)} falls in {sum(c['games'] for c in deep)} games")


def print_extrapolation(rows, fits):
    base = rows[BASE]["falls"]["median"]
    bits = rows["16 bits"]["falls"]["median"] / base
    limit = rows["limit 3000"]["falls"]["median"] / base
    print(f"extrapolated, 16 bits and limit 3000 at depth 1: {base * bits * limit:.2g} falls a million games with 64 KiB, "
          f"{base * bits * limit * math.exp(fits['size'].slope * math.log(16 * 1024 / 64)):.1g} with 16 MiB")
    print(f"extrapolated, the same at depth 3, 64 KiB: less than {rows['depth 3']['falls']['high'] * bits * limit:.1g}")


def main(root):
    rows = {r["name"]: r["cells"] for r in result_file.read(root, "gensfen-hazard")["rows"]}
    fits = {column: fitted(points_of(rows, column, names, scale)) for column, names, scale in SERIES}
    print_fits(fits)
    print_prediction(rows)
    print_extrapolation(rows, fits)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else result_file.ROOT)
