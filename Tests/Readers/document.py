"""Values of a document, computed as Spec/document.md states, for the readers in this folder.

Each reader takes the path of a file of another program and the path of a document, reads the file with its own few
lines, and compares every value. It prints the number of values, and ends with status 1 after a list of differing
values."""
import json
import math
import sys


def curve(c, x):
    if isinstance(c, (int, float)):
        return c
    if c is None or c == "linear":
        return x
    keys, kind = c["keys"], c.get("interp", "linear")
    if x <= keys[0][0]:
        return keys[0][1]
    for a, b in zip(keys, keys[1:]):
        if a[0] <= x < b[0]:
            k = a[4] if len(a) > 4 else kind
            t = (x - a[0]) / (b[0] - a[0])
            if k == "step":
                return a[1]
            if k == "linear":
                return a[1] + (b[1] - a[1]) * t
            p, q = (a[3] or 0) * (b[0] - a[0]), (b[2] or 0) * (b[0] - a[0])
            return (a[1] * (2 * t**3 - 3 * t**2 + 1) + p * (t**3 - 2 * t**2 + t)
                    + b[1] * (3 * t**2 - 2 * t**3) + q * (t**3 - t**2))
    return keys[-1][1]


def value(v, u, progress=0.0, u2=None):
    """A value for the random number u. The upper end of a ramp has its own, u2."""
    u2 = u if u2 is None else u2
    if isinstance(v, (int, float)):
        return v
    if "oneOf" in v:
        return v["oneOf"][min(int(u * len(v["oneOf"])), len(v["oneOf"]) - 1)]
    if "low" in v:
        low, high = value(v["low"], u), value(v["high"], u2)
        return low + (high if v.get("relative") else high - low) * curve(v.get("curve"), progress)
    return v["min"] + (v["max"] - v["min"]) * u


def is_value(t):
    return isinstance(t, (int, float)) or "min" in t or "oneOf" in t or "low" in t


def track(t, x, u=0.5, u2=None):
    """A track without rate at a part x of the life."""
    u2 = u if u2 is None else u2
    if is_value(t):
        return value(t, u, u2=u2)
    a = value(t.get("from", 0), u)
    if t.get("to") is None:
        return a
    b = value(t["to"], u2)
    share = curve(t.get("curve"), curve(t.get("warp"), x))
    return a + (b if t.get("relative") else b - a) * share


def gradient(g, x):
    keys = g["keys"]
    if x <= keys[0][0]:
        return color(keys[0][1])
    for (s, a), (t, b) in zip(keys, keys[1:]):
        if s <= x < t:
            a, b = color(a), color(b)
            f = 0 if g.get("interp") == "step" else (x - s) / (t - s)
            return [p + (q - p) * f for p, q in zip(a, b)]
    return color(keys[-1][1])


def color(c):
    return list(c) + [1] * (4 - len(c))


def base_color(base, x):
    """The colour of a track without randomness."""
    if isinstance(base, list):
        return color(base)
    if "gradient" in base:
        return gradient(base["gradient"], x)
    a = color(base.get("from", [1, 1, 1, 1]))
    if base.get("to") is None:
        return a
    b, f = color(base["to"]), curve(base.get("curve"), x)
    return [p + (q - p) * f for p, q in zip(a, b)]


def get(tree, path, default=None):
    for key in path.split("."):
        if not isinstance(tree, dict) or tree.get(key) is None:
            return default
        tree = tree[key]
    return tree


class Check:
    def __init__(self):
        self.count, self.faults = 0, []

    def same(self, name, found, wanted, error=1e-6):
        self.count += 1
        if isinstance(wanted, (list, tuple)):
            if len(found) != len(wanted):
                self.faults.append(f"{name}: {found} is not {wanted}")
            for i, (a, b) in enumerate(zip(found, wanted)):
                self.same(f"{name}[{i}]", a, b, error)
        elif isinstance(wanted, (int, float)) and not isinstance(wanted, bool):
            if found is None or not math.isclose(found, wanted, rel_tol=error, abs_tol=error):
                self.faults.append(f"{name}: {found} is not {wanted}")
        elif found != wanted:
            self.faults.append(f"{name}: {found!r} is not {wanted!r}")

    def end(self):
        for fault in self.faults:
            print(fault)
        print(f"{self.count} values, {len(self.faults)} differ")
        sys.exit(1 if self.faults or not self.count else 0)


def arguments():
    with open(sys.argv[1], encoding="utf-8", errors="replace", newline="") as file:
        text = file.read()
    with open(sys.argv[2], encoding="utf-8") as file:
        return text, json.load(file)
