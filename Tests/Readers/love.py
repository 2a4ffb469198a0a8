"""Compares Lua code for LÖVE with its document."""
import math
import re
from document import Check, arguments, base_color, get, track, value

text, document = arguments()
text = re.sub(r"--[^\n\[].*", "", text)
check = Check()
systems = []
for match in re.finditer(r"(\w+)\s*=\s*[\w.]*newParticleSystem\(([^)]*)\)|(\w+):(\w+)\(((?:[^()]|\([^()]*\))*)\)", text):
    if match[1]:
        systems.append({"new": [a.strip() for a in match[2].split(",")]})
    elif systems and match[4] not in ("start", "stop"):
        systems[-1][match[4]] = [a.strip() for a in match[5].split(",")]
# The tables that hold a system have a place, too.
entries = [[float(x), float(y)] for x, y in re.findall(r"system=\w+[^}]*\bx=([-\d.]+), y=([-\d.]+)", text)]
check.same("emitters", len(document["emitters"]), len(systems))
D = 180 / math.pi


def number(text):
    return eval(text.replace("math.rad(", "math.radians("), {"__builtins__": {}}, {"math": math})


for i, (s, d) in enumerate(zip(systems, document["emitters"])):
    def numbers(name, default=()):
        return [number(a) for a in s[name]] if name in s else list(default)

    def ends(name, found, factor=1.0):
        n = numbers(name, (0, 0))
        n = n + n if len(n) == 1 else n
        wanted = sorted(x * factor for x in n[:2])
        check.same(f"{i} {name}", sorted([value(found, 0), value(found, 1)]), wanted, 1e-5)

    check.same(f"{i} capacity", get(d, "emission.maxAlive"),
               numbers("setBufferSize")[0] if "setBufferSize" in s else number(s["new"][1]))
    check.same(f"{i} rate", get(d, "emission.rate", 0), numbers("setEmissionRate", [0])[0])
    life = numbers("setEmitterLifetime", [-1])[0]
    check.same(f"{i} duration", get(d, "timing.duration"), None if life < 0 else life)
    ends("setParticleLifetime", get(d, "lifetime", 1))
    ends("setSpeed", get(d, "launch.speed", 0))
    ends("setRotation", get(d, "rotation.angle", 0), -D)
    area = s.get("setEmissionArea", ['"none"'])
    around = len(area) > 4 and area[4] == "true"
    if not around:
        check.same(f"{i} direction", get(d, "launch.direction.angle", 90), -D * numbers("setDirection", [0])[0], 1e-5)
    check.same(f"{i} spread", get(d, "launch.spread", 0), min(D * numbers("setSpread", [0])[0] / 2, 180), 1e-5)
    forces = {f["type"]: f for f in d.get("forces", [])}
    a = numbers("setLinearAcceleration", [0, 0, 0, 0])
    a = a + a if len(a) == 2 else a
    vector = get(forces, "gravity.vector", [0, 0, 0])
    for axis in (0, 1):
        sign = 1 - 2 * axis
        wanted = sorted([sign * a[axis], sign * a[2 + axis]])
        check.same(f"{i} acceleration {axis}", [track(vector[axis], 0, 0), track(vector[axis], 0, 1)], wanted)
    for name, kind, sign in (("setRadialAcceleration", "radial", 1), ("setTangentialAcceleration", "tangential", -1),
                             ("setLinearDamping", "drag", 1)):
        ends(name, get(forces, f"{kind}.strength", 0), sign)
    sizes, variation = numbers("setSizes", [1]), numbers("setSizeVariation", [0])[0]
    check.same(f"{i} size mode", get(d, "size.mode"), "textureScale")
    if variation == 0:
        for k, size in enumerate(sizes):
            check.same(f"{i} size {k}", track(get(d, "size.width", 1), k / max(len(sizes) - 1, 1)), size)
    spin = numbers("setSpin", [0])
    start, end = spin[0], spin[-1]
    vary = numbers("setSpinVariation", [0])[0]
    velocity = get(d, "rotation.velocity", 0)
    for u in (0, 1):
        for x, own, other in ((0, start, end), (1, end, start)):
            half = abs(vary * other / 2)
            wanted = [-D * (own + half), -D * (own - half)]
            check.same(f"{i} spin {x} {u}", track(velocity, x, u), wanted[u], 1e-5)
    colors = numbers("setColors", [1, 1, 1, 1])
    count = len(colors) // 4
    for k in range(count):
        found = base_color(get(d, "color.base", [1, 1, 1, 1]), k / max(count - 1, 1))
        check.same(f"{i} color {k}", found, colors[4 * k:4 * k + 4])
    kind = area[0].strip("\"'")
    wanted = {"none": "point", "ellipse": "ellipse", "borderellipse": "ellipse"}.get(kind, "rect")
    check.same(f"{i} shape", get(d, "shape.type", "point"), wanted)
    if wanted == "rect":
        check.same(f"{i} area", get(d, "shape.size")[:2], [2 * number(area[1]), 2 * number(area[2])])
    elif wanted == "ellipse":
        check.same(f"{i} area", get(d, "shape.radii"), [number(area[1]), number(area[2])])
    check.same(f"{i} relative", get(d, "rotation.align", "none"),
               "velocity" if s.get("setRelativeRotation") == ["true"] else "none")
    place = numbers("setPosition", entries[i] if i < len(entries) else [0, 0])
    check.same(f"{i} place", get(d, "transform.translation", [0, 0, 0])[:2], [place[0], -place[1]])
check.end()
