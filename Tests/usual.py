#!/usr/bin/env python3
"""Writes the usual ranges of properties: the 1st to the 99th percentile of the values in a folder of effects.

    python3 Tests/usual.py TOOL FOLDER > Sources/ParticlesEffects/Editing/UsualValues.swift

TOOL is the tool, which reads the effects of all formats. An effect counts once for each value that it states, and at
most 20 times for a property. Distances in the plane are pixels or points, and in space metres: they have two ranges. A
property that fewer than 8 effects state has no row: it gets a range by its unit.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

MOST = 20
LEAST = 8
NUMERIC = ("number", "integer", "Value", "Track", "vector", "pair", "scale", "interval", "rectangle", "frame rate")


def numbers(value, scale=None):
    """The numbers that a value, a track or a vector states."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, (int, float)):
        yield float(value)
    elif isinstance(value, list):
        for element in value:
            yield from numbers(element)
    elif isinstance(value, dict):
        for key in ("min", "max", "oneOf", "low", "high", "from", "to", "rate", "range"):
            yield from numbers(value.get(key))


def walk(value, key, found, keys):
    if key in keys:
        found[key] += list(numbers(value))[: MOST - len(found[key])]
    if isinstance(value, dict):
        for name, inner in value.items():
            walk(inner, f"{key}.{name}" if key else name, found, keys)
    elif isinstance(value, list):
        for inner in value:
            walk(inner, f"{key}[]", found, keys)


def percentile(values, share):
    place = share * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def rounded(number):
    """Two significant digits: a slider does not need more."""
    return float(f"{number:.2g}")


def ranges(values):
    values = sorted(values)
    return [rounded(percentile(values, share)) for share in (0.01, 0.5, 0.99)]


def plain(number):
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    listed = json.loads(subprocess.run([tool, "edit", "--list", "--json"], stdout=subprocess.PIPE, check=True).stdout)
    keys = {row["key"]: row for row in listed["keys"] if row["type"].removesuffix(" or null").split(" of ")[0] in NUMERIC}
    samples = {"2d": collections.defaultdict(list), "3d": collections.defaultdict(list)}
    effects = collections.Counter()
    count = 0
    with tempfile.TemporaryDirectory() as place:
        for number, path in enumerate(sorted(p for p in folder.rglob("*") if p.is_file() and "malformed" not in p.parts)):
            out = pathlib.Path(place, str(number))
            run = subprocess.run(
                [tool, "convert", str(path), "--form", "directory", "-o", str(out)],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
            try:
                document = json.loads((out / "document.json").read_text())
            except (OSError, ValueError):
                continue
            count += 1
            found = collections.defaultdict(list)
            walk(document, "", found, keys)
            for key, values in found.items():
                if values:
                    effects[key] += 1
                    samples[document.get("asset", {}).get("dimension", "2d")][key] += values
    print(f"""// Written by Tests/usual.py from {count} effects of other people in all formats. Do not edit.

extension PropertyHint {{
  /// The 1st percentile, the median and the 99th percentile of values in effects.
  typealias Usual = (low: Double, middle: Double, high: Double)

  /// The usual ranges of properties, for effects in the plane and for effects in space.
  static let usual: [String: (plane: Usual?, space: Usual?)] = [""")
    for key in keys:
        if effects[key] < LEAST:
            continue
        columns = []
        for dimension in ("2d", "3d"):
            values = samples[dimension][key]
            triple = ranges(values) if len(values) >= LEAST else None
            columns.append(f"({', '.join(map(plain, triple))})" if triple and triple[0] < triple[2] else "nil")
        if columns != ["nil", "nil"]:
            print(f'    "{key}": ({columns[0]}, {columns[1]}),')
    print("  ]\n}")


main()
