#!/usr/bin/env python3
"""Compares a document with the scene of Godot that it was imported from: check_document.py SCENE DOCUMENT

The scene is read by godot_parser, and the values that the document should have are computed from it by the formulas of the engine's
source, independently of the importer. Prints the number of values compared, and each difference. Ends with 2 without godot_parser."""
import json
import math
import re
import sys

try:
    import godot_parser
except ImportError:
    print("godot_parser is missing")
    sys.exit(2)

CLASSES = {  # class: (3D, GPU)
    "CPUParticles2D": (0, 0), "CPUParticles": (1, 0), "CPUParticles3D": (1, 0), "Particles2D": (0, 1), "GPUParticles2D": (0, 1),
    "Particles": (1, 1), "GPUParticles3D": (1, 1),
}
USEFUL = ("ParticlesMaterial", "ParticleProcessMaterial", "Curve", "CurveTexture", "Gradient", "GradientTexture", "GradientTexture1D",
          "CanvasItemMaterial", "QuadMesh", "StandardMaterial3D", "SpatialMaterial")
NODE = ("amount", "amount_ratio", "lifetime", "one_shot", "preprocess", "speed_scale", "explosiveness", "randomness", "fixed_fps", "local_coords",
        "draw_order", "texture", "visible", "emitting")


def split(text):
    """The lines of each section."""
    found, current, depth = [], None, 0
    for line in text.splitlines(True):
        if depth <= 0 and re.match(r"\[(gd_scene|gd_resource|ext_resource|sub_resource|node|resource|connection|editable)\b", line):
            current = []
            found.append(current)
        if current is not None:
            current.append(line)
        bare = re.sub(r'"(\\.|[^"\\])*"', '""', line)
        depth += sum(bare.count(c) for c in "([{") - sum(bare.count(c) for c in ")]}")
    return found


def drawn(text):
    """The colour that multiplies each particle node, and whether the node is visible. Includes its parents in the plane."""
    nodes, result = {}, []
    for lines in split(text):
        header = dict(re.findall(r'(\w+)="([^"]*)"', lines[0]))
        if not lines[0].startswith("[node"):
            continue
        body = dict(re.findall(r"^(\w+) = (.*)$", "".join(lines[1:]), re.M))
        name, parent, type_ = header.get("name", ""), header.get("parent"), header.get("type", "")
        above = ([1] * 4, True) if parent is None else nodes.get(parent, ([1] * 4, True))
        if type_ in ("Node", "CanvasLayer"):
            above = ([1] * 4, True)
        color = lambda key: [float(x) for x in re.findall(r"[-\d.e]+", body[key].split("(")[1])] if key in body else [1] * 4
        tint = [a * b for a, b in zip(above[0], color("modulate"))]
        visible = above[1] and body.get("visible") != "false"
        nodes["." if parent is None else name if parent == "." else f"{parent}/{name}"] = (tint, visible)
        if type_ in CLASSES:
            result.append(([a * b for a, b in zip(tint, color("self_modulate"))], visible))
    return result


def sections(text):
    """The sections that matter. godot_parser does not know every value of further sections."""
    kept = []
    for lines in split(text):
        kind = re.match(r"\[(\w+)", lines[0]).group(1)
        type_ = re.search(r'type="(\w+)"', lines[0])
        type_ = type_.group(1) if type_ else ""
        if kind == "sub_resource" and type_ in USEFUL or kind == "ext_resource" or kind == "node" and type_ in CLASSES:
            # StringNames and metadata are not known to godot_parser.
            body = [x for x in lines if not re.match(r"(metadata/|__meta__|\")", x)]
            # Names with an ampersand, and colours beyond 1, are not known either.
            text = re.sub(r"\bColor\(", "Rgba(", "".join(body).rstrip("}\n") + "\n")
            kept.append((kind, type_, re.sub(r"&\"", '"', text)))
    return kept


def parse(text):
    result = []
    for kind, type_, part in sections(text):
        scene = godot_parser.parse(part)
        result.append((kind, type_, list(scene.get_sections())[0]))
    return result


class Effect:
    def __init__(self, text):
        self.three = "format=2" in text[:200]
        self.parts = parse(text)
        self.resources = {str(s.header.get("id")): (t, s) for k, t, s in self.parts if k == "sub_resource"}
        self.nodes = [(t, s) for k, t, s in self.parts if k == "node"]
        self.drawn = drawn(text)

    def resource(self, value):
        return self.resources.get(str(value.id)) if isinstance(value, godot_parser.SubResource) else None


class Node:
    def __init__(self, effect, type_, section):
        self.effect, self.section = effect, section
        self.space, self.gpu = CLASSES[type_]
        found = effect.resource(section.properties.get("process_material"))
        self.process = found[1].properties if found else {}

    def get(self, key, standard=None):
        if self.effect.three:
            key = key.replace("particle_flag_", "flag_")
        if self.gpu and key.startswith("scale_amount"):
            key = "scale" + key[len("scale_amount"):]
        source = self.process if self.gpu and key not in NODE else self.section.properties
        value = source.get(key, standard)
        return standard if value is None else value

    def vector(self, key, standard):
        value = self.get(key)
        return list(value.args) if value is not None else standard

    def range(self, key, standard=0.0, law="down"):
        if not self.effect.three:
            low, high = self.get(key + "_min", standard), self.get(key + "_max", standard)
        else:
            value, r = self.get(key, standard), self.get(key + "_random", 0.0)
            low, high = value, {"down": value * (1 - r), "both": value * (1 - 2 * r), "one": value + (1 - value) * r}[law]
        return min(low, high), max(low, high)

    def curve(self, key):
        """Samples of the curve at nine ages, or None without a curve in the file."""
        found = self.effect.resource(self.get(key + "_curve"))
        if found and found[0] == "CurveTexture":
            found = self.effect.resource(found[1].properties.get("curve"))
        if not found or found[0] != "Curve":
            return None
        data = found[1].properties.get("_data") or []
        points = [(*data[i].args, *data[i + 1:i + 5]) for i in range(0, len(data) - 4, 5)]
        return [bezier(points, t / 8) for t in range(9)]

    def ramp(self, key):
        found = self.effect.resource(self.get(key))
        if found and found[0].startswith("GradientTexture"):
            found = self.effect.resource(found[1].properties.get("gradient"))
        if not found or found[0] != "Gradient":
            return None
        p = found[1].properties
        if p.get("interpolation_mode") or p.get("interpolation_color_space"):
            return None
        offsets = list(p["offsets"].args) if "offsets" in p else [0, 1]
        colors = list(p["colors"].args) if "colors" in p else [0, 0, 0, 1, 1, 1, 1, 1]
        return [mixed(offsets, colors, t / 8) for t in range(9)]


def bezier(points, x):
    """A cubic Bezier curve with its control points at a third of the distance, as in curve.cpp."""
    if not points:
        return 0
    if x <= points[0][0]:
        return points[0][1]
    for a, b in zip(points, points[1:]):
        if x <= b[0]:
            d = b[0] - a[0]
            t = (x - a[0]) / d if d else 0
            chord = (b[1] - a[1]) / d if d else 0
            m0, m1 = (chord if a[5] == 1 else a[3]), (chord if b[4] == 1 else b[2])
            p1, p2 = a[1] + m0 * d / 3, b[1] - m1 * d / 3
            u = 1 - t
            return u * u * u * a[1] + 3 * u * u * t * p1 + 3 * u * t * t * p2 + t * t * t * b[1]
    return points[-1][1]


def mixed(offsets, colors, x):
    keys = sorted(zip(offsets, [colors[i:i + 4] for i in range(0, len(colors), 4)]), key=lambda k: k[0])
    if x <= keys[0][0]:
        return keys[0][1]
    for (a, c), (b, d) in zip(keys, keys[1:]):
        if x <= b:
            s = (x - a) / (b - a) if b > a else 1
            return [p + (q - p) * s for p, q in zip(c, d)]
    return keys[-1][1]


# The document.

def bounds(value):
    if isinstance(value, (int, float)):
        return value, value
    return value["min"], value["max"]


def at(curve, x):
    """The value of a curve of a document: see Spec/document.md."""
    if isinstance(curve, (int, float)):
        return curve
    if curve == "linear":
        return min(max(x, 0), 1)
    keys, cubic = curve["keys"], curve.get("interp") == "cubic"
    if x <= keys[0][0]:
        return keys[0][1]
    for a, b in zip(keys, keys[1:]):
        if x < b[0] or x == b[0] and b is keys[-1]:
            d = b[0] - a[0]
            t = (x - a[0]) / d
            if not cubic:
                return a[1] + (b[1] - a[1]) * t
            p, q = a[3] * d, b[2] * d
            return (a[1] * (2 * t**3 - 3 * t**2 + 1) + p * (t**3 - 2 * t**2 + t) + b[1] * (3 * t**2 - 2 * t**3) + q * (t**3 - t**2))
    return keys[-1][1]


def track(t):
    """Bounds of a track at nine ages."""
    if isinstance(t, (int, float)) or "min" in t:
        return [bounds(t)] * 9
    low, high = bounds(t.get("to", 1))
    return [tuple(sorted((low * at(t.get("curve", "linear"), x / 8), high * at(t.get("curve", "linear"), x / 8)))) for x in range(9)]


class Check:
    def __init__(self):
        self.count, self.faults = 0, []

    def same(self, what, found, expected):
        found, expected = flat(found), flat(expected)
        self.count += max(len(expected), 1)
        if len(found) != len(expected) or any(abs(a - b) > 2e-5 * max(1, abs(a), abs(b)) for a, b in zip(found, expected)):
            self.faults.append(f"{what}: {found} in the document, {expected} in the scene")


def flat(value):
    if isinstance(value, (list, tuple)):
        return [x for v in value for x in flat(v)]
    return [float(value)]


def check(effect, document):
    c = Check()
    emitters = document["emitters"]
    c.same("emitters", len(emitters), len(effect.nodes))
    for (type_, section), (tint, visible), e in zip(effect.nodes, effect.drawn, emitters):
        node = Node(effect, type_, section)
        node.tint = tint
        c.same("visible", e.get("enabled", True), visible)
        one(c, node, section.header.get("name"), e)
    return c


def one(c, n, name, e):
    three, y = n.effect.three, 1 if n.space else -1
    say = lambda key, found, expected: c.same(f"{name}.{key}", found, expected)
    emission, timing, launch = e.get("emission", {}), e.get("timing", {}), e.get("launch", {})
    life, r = n.get("lifetime", 1.0), n.get("lifetime_randomness", 0.0)
    amount = int(n.get("amount", 8) * (1 if three else n.get("amount_ratio", 1.0)))
    say("name", [ord(x) for x in e["name"]], [ord(x) for x in name])
    say("maxAlive", emission["maxAlive"], amount)
    say("rate", bounds(emission["rate"]), [amount / (life if n.gpu else life * (1 - r / 2))] * 2)
    say("lifetime", bounds(e.get("lifetime", 1)), (life * (1 - r), life))
    say("duration", bounds(timing["duration"]), (life, life))
    say("loop", timing.get("loop", False), not n.get("one_shot", False))
    for key, place, where in [("preprocess", "prewarm", timing), ("explosiveness", "explosiveness", emission), ("randomness", "jitter", emission)]:
        say(key, where.get(place, 0), n.get(key, 0.0))
    say("speed_scale", timing.get("speed", 1), n.get("speed_scale", 1.0))
    fps = n.get("fixed_fps", 30 if n.gpu and not three else 0)
    say("fixed_fps", timing.get("fixedStep", 0), 1 / fps if fps else 0)
    say("local_coords", e.get("space", "world") == "local", bool(n.get("local_coords", three)))
    motion(c, n, name, e, y, say)
    look(n, e, say)


def motion(c, n, name, e, y, say):
    three, launch = n.effect.three, e.get("launch", {})
    d = n.vector("direction", [1, 0, 0])
    direction = launch.get("direction", {})
    if direction.get("mode") not in ("normal",):
        if n.space:
            say("direction", (direction.get("vector", [0, 1]) + [0])[:3], d)
        else:
            say("direction", bounds(direction.get("angle", 90)), [math.degrees(math.atan2(-d[1], d[0]))] * 2)
    say("spread", launch.get("spread", 0), n.get("spread", 45.0))
    say("initial_velocity", bounds(launch.get("speed", 0)), n.range("initial_velocity"))
    g = n.vector("gravity", [0, -9.8, 0] if n.space or n.gpu else [0, 98, 0] if three else [0, 980, 0])
    forces = {f["type"] + f.get("law", ""): f for f in e.get("forces", [])}
    found = forces.get("gravity", {}).get("vector", [0, 0])
    say("gravity", (list(found) + [0])[:3], [g[0], g[1] * y, g[2] if len(g) > 2 and n.space else g[2] if len(g) > 2 else 0][:3])
    pairs = [("linear_accel", "linear", 1), ("radial_accel", "radial", 1), ("damping", "dragconstant", 1)]
    if not n.space:
        pairs.append(("tangential_accel", "tangential", -1))
    for key, kind, sign in pairs:
        say(key, track(forces.get(kind, {}).get("strength", 0)), expected(n, key, sign))
    if not n.space:
        say("orbit_velocity", track(e.get("motion", {}).get("orbitVelocity", 0)), expected(n, "orbit_velocity", 360))
    rotation = e.get("rotation", {})
    if not n.get("particle_flag_align_y", False):
        say("angle", track(rotation.get("angle", 0)), expected(n, "angle", -y))
        if n.curve("angular_velocity") is None:
            say("angular_velocity", track(rotation.get("velocity", 0)), expected(n, "angular_velocity", -y, law="both"))


def expected(n, key, factor=1, standard=0.0, law="down"):
    """Bounds of a property at nine ages."""
    curve = n.curve(key)
    if n.effect.three and law != "one":
        value, r = n.get(key, standard), n.get(key + "_random", 0.0)
        ends = (1 - (2 * r if law == "both" else r), 1)
        rows = [[(value + x) * end * factor for end in ends] for x in curve or [0] * 9]
    else:
        rows = [[end * x * factor for end in n.range(key, standard, law)] for x in curve or [1] * 9]
    return [tuple(sorted(row)) for row in rows]


def look(n, e, say):
    if not n.space and not n.get("split_scale", False):
        say("scale", track(e["size"].get("width", 1)), expected(n, "scale_amount", 1, 1.0, "one"))
    base = e.get("color", {}).get("base", {})
    base = base if isinstance(base, dict) and ("gradient" in base or "from" in base or "clamp" in base) else {"from": base or [1, 1, 1]}
    start = base.get("from", [1, 1, 1])
    if isinstance(start, list) and not any(n.range("hue_variation", law="both")):
        color = [a * b for a, b in zip(n.vector("color", [1, 1, 1, 1]), n.tint)]
        say("color", (start + [1])[:4], color)
    ramp = n.ramp("color_ramp")
    if ramp is not None and not any(n.range("hue_variation", law="both")):
        keys = base["gradient"]["keys"]
        colors = [x for _, k in keys for x in (k + [1])[:4]]
        say("color_ramp", [mixed([k[0] for k in keys], colors, t / 8) for t in range(9)], ramp)
    modes = ["alpha", "add", "subtract", "multiply", "premultiplied"]
    found = n.effect.resource(n.section.properties.get("material"))
    if not n.space:
        mode = found[1].properties.get("blend_mode", 0) if found else 0
        say("blend_mode", modes.index(e.get("render", {}).get("blend", {}).get("mode", "alpha")), mode)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        effect = Effect(file.read())
    with open(sys.argv[2], encoding="utf-8") as file:
        result = check(effect, json.load(file))
    for fault in result.faults:
        print(fault)
    print(f"{result.count} values")
    sys.exit(1 if result.faults else 0)
