#!/usr/bin/env python3
"""The difference of two statistics of runs, by Spec/conversion/README.md, written without our sources.

difference.py ONE.json OTHER.json prints one JSON object: a number for each aspect, and `difference`.
"""
import json
import math
import sys

CLOCKWISE = ("cocos2d", "starling", "pixi", "love")


def load(path):
    root = json.load(open(path))
    engine = root.get("profile") or root["engine"]
    count = max(len(v) for e in root["emitters"] for v in e.values() if isinstance(v, list))
    seeds = root["seeds"] if isinstance(root["seeds"], int) else 16
    down = root["axis"].startswith("y down")
    emitters = []
    for emitter in root["emitters"]:
        columns = {}
        for name, values in emitter.items():
            if name in ("name", "units", "axis") or not isinstance(values, (list, int, float)):
                continue
            values = values if isinstance(values, list) else [values] * count
            sign = -1 if name == "y" and down or name == "rot" and engine.startswith(CLOCKWISE) else 1
            name = {"scale": "size", "w": "size", "scaleY": "sizeY", "h": "sizeY"}.get(name, name)
            name = {"scaleSd": "sizeSd", "wSd": "sizeSd"}.get(name, name)
            columns[name] = [None if v is None else v * sign for v in values]
        emitters.append(columns)
    return emitters, seeds, root["frames"] // count


def clip(name, value):
    return min(max(value, 0), 1) if name in "rgba" else value


def number(emitter, name, frame):
    values = emitter.get(name)
    return values[frame] if values and values[frame] is not None else 0


def scale(emitter, name):
    if name not in emitter:
        return 0
    pairs = [(number(emitter, "count", f), clip(name, v)) for f, v in enumerate(emitter[name]) if v is not None]
    whole = sum(c for c, _ in pairs)
    return math.sqrt(sum(c * v * v for c, v in pairs) / whole) if whole else 0


def extent(emitter, axes):
    widths = []
    for axis in axes:
        rows = [(number(emitter, "count", f), v, number(emitter, axis + "Sd", f))
                for f, v in enumerate(emitter.get(axis, [])) if v is not None]
        whole = sum(c for c, _, _ in rows)
        if whole:
            mean = sum(c * v for c, v, _ in rows) / whole
            square = sum(c * (v * v + d * d) for c, v, d in rows) / whole
            widths.append(4 * math.sqrt(max(square - mean * mean, 0)))
    return max(widths, default=0) + scale(emitter, "size")


def compare(a, b, seeds, every, axes):
    frames = range(max(len(a.get("count", [])), len(b.get("count", []))))
    counts = [(number(a, "count", f), number(b, "count", f)) for f in frames]
    whole = sum(max(p) ** 2 for p in counts)
    result = {}
    if not whole:
        return result
    total = 0
    for f, (one, other) in enumerate(counts):
        if one == other:
            continue
        before, after = max(f - 1, 0), min(f + 1, len(counts) - 1)
        change = max(abs(counts[after][s] - counts[before][s]) for s in (0, 1)) / ((after - before) * every)
        noise = number(a, "countSd", f) ** 2 / seeds[0] + number(b, "countSd", f) ** 2 / seeds[1]
        total += (one - other) ** 2 - 2 * noise - 0.5 - change ** 2
    result["count"] = total / whole
    weights = [2 * x * y / (x + y) if x > 0 and y > 0 else 0 for x, y in counts]
    if not any(weights):
        return {"count": 1}

    def mean(frame):
        rows = [(w, frame(f)) for f, w in enumerate(weights) if w > 0]
        rows = [(w, r) for w, r in rows if r is not None]
        return sum(w * ((d * d - 2 * n) if d else 0) for w, (d, n) in rows) / sum(w for w, _ in rows) if rows else 0

    def square(name, size):
        if name not in a or name not in b:
            return None
        if size <= 0:
            return 0

        def error(emitter, f, n):
            particles = max(number(emitter, "count", f) * n, 1)
            if name.endswith("Sd"):
                return (number(emitter, name, f) / size) ** 2 / particles / 2
            for side in (emitter, a, b):
                spread = side.get({"sizeY": "size"}.get(name, name) + "Sd")
                if spread and spread[f] is not None:
                    return (spread[f] / size) ** 2 / particles
            return 0.3 ** 2 / particles

        def frame(f):
            if a[name][f] is None or b[name][f] is None:
                return None
            return (clip(name, a[name][f]) - clip(name, b[name][f])) / size, error(a, f, seeds[0]) + error(b, f, seeds[1])
        return mean(frame)

    def vector(names, size):
        squares = [s for s in (square(n, size) for n in names) if s is not None]
        return sum(squares) if squares else None

    def add(aspect, value):
        if value is not None:
            result[aspect] = max(result.get(aspect, 0), value)

    size = max(extent(a, axes), extent(b, axes))
    add("position", vector(axes, size))
    add("spread", vector([n + "Sd" for n in axes], size / 4))
    edge = max(scale(a, "size"), scale(b, "size"))
    add("size", square("size", edge))
    add("size", square("sizeY", max(scale(a, "sizeY"), scale(b, "sizeY"))))
    if all(n in e for n in ("rot", "rotCircSd") for e in (a, b)):
        def length(e, f):
            return math.exp(-math.radians(number(e, "rotCircSd", f)) ** 2 / 2)

        def turn(part):
            def frame(f):
                if a["rot"][f] is None or b["rot"][f] is None:
                    return None
                one, other = (part(math.radians(e["rot"][f])) * length(e, f) for e in (a, b))
                noise = sum((1 - length(e, f) ** 2) / max(number(e, "count", f) * n, 1) for e, n in ((a, seeds[0]), (b, seeds[1])))
                return (one - other) / 2, noise / 8
            return mean(frame)
        add("rotation", turn(math.cos) + turn(math.sin))
    add("color", vector("rgb", 1))
    opacity = max(scale(a, "a"), scale(b, "a"))
    add("opacity", square("a", opacity))
    add("variety", square("sizeSd", edge))
    add("variety", vector(("rSd", "gSd", "bSd"), 1))
    add("variety", square("aSd", opacity))
    return result


def cover(emitter):
    return sum(number(emitter, "count", f) * (abs(number(emitter, "size", f)) if number(emitter, "size", f) else 1)
               * (clip("a", emitter["a"][f]) if emitter.get("a") and emitter["a"][f] is not None else 1)
               for f in range(len(emitter.get("count", []))))


def main():
    (ones, seeds_a, every), (others, seeds_b, _) = load(sys.argv[1]), load(sys.argv[2])
    flat = [all(v in (None, 0) for e in side for v in e.get("z", [])) for side in (ones, others)]
    axes = "xy" if any(flat) else "xyz"
    sums, weights = {}, {}
    for index in range(max(len(ones), len(others))):
        a = ones[index] if index < len(ones) else {}
        b = others[index] if index < len(others) else {}
        weight = max(cover(a), cover(b))
        if weight <= 0:
            continue
        for aspect, value in compare(a, b, (seeds_a, seeds_b), every, list(axes)).items():
            sums[aspect] = sums.get(aspect, 0) + min(value, 1) * weight
            weights[aspect] = weights.get(aspect, 0) + weight
    result = {k: min(math.sqrt(max(v / weights[k], 0)), 1) for k, v in sums.items()}
    particles = max((v for k, v in result.items() if k != "variety"), default=0)
    result["difference"] = max(result.values(), default=0)
    result["particles"] = particles
    print(json.dumps(result))


main()
