"""Compares a scene with emitters of three.quarks with its document."""
import json
import math
from document import Check, arguments, curve, get, gradient, track, value

text, document = arguments()
root = json.loads(text)
check, D = Check(), 180 / math.pi
nodes = []


def walk(node):
    if "ps" in node:
        nodes.append(node)
    for child in node.get("children", []):
        walk(child)


walk(root["object"])
check.same("emitters", len(document["emitters"]), len(nodes))
PARTS = [0, 0.2, 0.5, 0.8, 1]


def bezier(g, x):
    parts = g["functions"]
    for i, part in enumerate(parts):
        end = parts[i + 1]["start"] if i + 1 < len(parts) else 1
        if x <= end or i + 1 == len(parts):
            f = part["function"]
            t = (x - part["start"]) / (end - part["start"])
            a, b = f["p0"], f["p3"]
            # As the engine computes it, null is 0.
            p, q = f["p1"] or 0, f["p2"] or 0
            s = 1 - t
            return a * s**3 + 3 * p * s * s * t + 3 * q * s * t * t + b * t**3
    return 0


def generated(g, x, u):
    if not isinstance(g, dict):
        return g
    if g["type"] == "ConstantValue":
        return g["value"]
    if g["type"] == "IntervalValue":
        return g["a"] + (g["b"] - g["a"]) * u
    return bezier(g, x)


for i, (node, d) in enumerate(zip(nodes, document["emitters"])):
    ps = node["ps"]
    behaviors = {b["type"]: b for b in ps.get("behaviors", [])}

    def compare(name, g, found, factor=1.0):
        for x in PARTS:
            results = sorted(value(found, u, x) for u in (0, 1))
            wanted = sorted(generated(g, x, u) * factor for u in (0, 1))
            check.same(f"{i} {name} at {x}", results, wanted, 1e-4)

    compare("rate", ps["emissionOverTime"], get(d, "emission.rate", 0))
    compare("distance", ps.get("emissionOverDistance", 0), get(d, "emission.ratePerDistance", 0))
    compare("life", ps["startLife"], get(d, "lifetime", 1))
    compare("speed", ps["startSpeed"], get(d, "launch.speed", 0))
    if ps["startRotation"]["type"] not in ("Euler", "AxisAngle", "RandomQuat"):
        compare("rotation", ps["startRotation"], get(d, "rotation.angle", 0), D)
    check.same(f"{i} duration", get(d, "timing.duration"), ps["duration"])
    check.same(f"{i} loop", get(d, "timing.loop", False), ps["looping"])
    check.same(f"{i} space", d.get("space", "world"), "world" if ps["worldSpace"] else "local")
    check.same(f"{i} order", get(d, "render.order", 0), round(ps["renderOrder"]) if ps["renderOrder"] % 1 != 0.5
               else get(d, "render.order", 0))
    bursts = get(d, "emission.bursts", [])
    check.same(f"{i} bursts", len(bursts), len(ps.get("emissionBursts", [])))
    for b, p in zip(bursts, ps.get("emissionBursts", [])):
        # A part of a particle is a whole one.
        least, most = generated(p["count"], 0, 0), generated(p["count"], 0, 1)
        count = math.ceil(least) if least == most else least + 0.5
        check.same(f"{i} burst", [b.get("time", 0), value(b.get("count", 1), 0), b.get("probability", 1)],
                   [p["time"], count, p.get("probability", 1)])
    color = ps["startColor"]
    if color["type"] == "ConstantColor":
        base = get(d, "color.base", [1, 1, 1, 1])
        source = base.get("from", [1, 1, 1, 1]) if isinstance(base, dict) else base
        c = color["color"]
        check.same(f"{i} colour", list(source) + [1] * (4 - len(source)), [c["r"], c["g"], c["b"], c["a"]], 1e-5)
    over = get(behaviors, "ColorOverLife.color", {})
    if over.get("type") == "Gradient" and "color" in over:
        g = get(d, "color.base.gradient")
        for k in over["color"]["keys"]:
            c = k["value"]
            check.same(f"{i} gradient", gradient(g, k["pos"])[:3], [c["r"], c["g"], c["b"]], 1e-5)
        for k in over["alpha"]["keys"]:
            check.same(f"{i} alpha", curve(g["a"], k["pos"]), k["value"], 1e-5)
    size = get(d, "size.width", 1)
    factor = get(behaviors, "SizeOverLife.size")
    for x in PARTS:
        for u in (0, 1):
            wanted = generated(ps["startSize"], 0, u) * (bezier(factor, x) if factor and "functions" in factor else 1)
            if factor is None or "functions" in factor:
                check.same(f"{i} size at {x}", track(size, x, u), wanted, 1e-4)
    forces = [b for b in ps.get("behaviors", []) if b["type"] in
              ("ForceOverLife", "ApplyForce", "GravityForce", "LimitSpeedOverLife")]
    # Forces of 0 are left out.
    forces = [b for b in forces if b["type"] != "ForceOverLife" or any(
        "functions" in b[k] or generated(b[k], 0, 0) or generated(b[k], 0, 1) for k in "xyz")]
    check.same(f"{i} forces", len(d.get("forces", [])), len(forces))
    for f, b in zip(d.get("forces", []), forces):
        if b["type"] == "ForceOverLife":
            check.same(f"{i} axes", f.get("space", "world"), "world")
            for axis, key in enumerate("xyz"):
                vector = f.get("vector", [0, 0, 0])
                vector = list(vector) + [0] * (3 - len(vector))
                check.same(f"{i} force {key}", track(vector[axis], 0.5, 0), generated(b[key], 0.5, 0))
        elif b["type"] == "LimitSpeedOverLife":
            check.same(f"{i} limit", [f.get("limit", 0), f["strength"]],
                       [generated(b["speed"], 0, 0.5), b["dampen"] * 20])
    shape = ps["shape"]
    kinds = {"sphere": "sphere", "cone": "cone", "circle": "ellipse", "donut": "torus", "point": "point",
             "rectangle": "rect", "grid": "rect", "hemisphere": "hemisphere"}
    check.same(f"{i} shape", get(d, "shape.type", "point"), kinds.get(shape["type"], "point"))
    if shape["type"] in ("sphere", "cone", "hemisphere", "donut"):
        check.same(f"{i} radius", get(d, "shape.radius", 0), shape["radius"])
        check.same(f"{i} arc", get(d, "shape.arc", [0, 360])[1], shape["arc"] * D, 1e-5)
    if shape["type"] == "cone":
        check.same(f"{i} angle", get(d, "shape.angle", 0), shape["angle"] * D, 1e-5)
    grid = [1, 1]
    if d.get("sprites"):
        g = document["sprites"][d["sprites"][0]].get("grid") or {}
        grid = [g.get("columns", 1), g.get("rows", 1)]
        check.same(f"{i} tiles", grid, [ps["uTileCount"], ps["vTileCount"]])
    materials = {m["uuid"]: m for m in root.get("materials", [])}
    blending = materials.get(ps.get("material"), {}).get("blending", ps.get("blending", 1))
    check.same(f"{i} blend", get(d, "render.blend.mode", "alpha"),
               ["replace", "alpha", "add", "subtract", "multiply"][blending])
check.end()
