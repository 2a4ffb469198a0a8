"""Compares a .p file of libGDX with its document."""
import math
from document import Check, arguments, base_color, get, track, value

text, document = arguments()
lines = [line.rstrip("\r\n") for line in text.split("\n")]
emitters, block = [], None
for i, line in enumerate(lines):
    line = line.strip()
    if line == "- Delay -":
        emitters.append({"name": lines[i - 1].rstrip("\r\n")})
    if not emitters:
        continue
    if line.startswith("- ") and line.endswith(" -"):
        block = line[2:-2].strip()
        emitters[-1][block] = {} if "Image" not in block else []
    elif "Image" in block:
        if line:
            emitters[-1][block].append(line)
    elif ":" in line:
        key, _, number = line.partition(":")
        number = number.strip()
        emitters[-1][block][key] = number
for emitter in emitters:
    for block in emitter:
        if "Image" in block:
            # A blank line ends the list. The next line is the name of another emitter.
            names = emitter[block]
            later = {e["name"].strip() for e in emitters}
            emitter[block] = [n for n in names if n not in later or "." in n]


def number(block, key):
    return float(block[key])


def points(block):
    n = int(block["scalingCount"])
    return [(number(block, f"timeline{i}"), number(block, f"scaling{i}")) for i in range(n)]


def share(block, x):
    p = points(block)
    if x <= p[0][0]:
        return p[0][1]
    for (s, a), (t, b) in zip(p, p[1:]):
        if s <= x < t:
            return a + (b - a) * (x - s) / (t - s)
    return p[-1][1]


def scaled(block, x, u, u2, whole=False):
    cut = math.trunc if whole else (lambda n: n)
    low = [cut(number(block, k)) for k in ("lowMin", "lowMax")]
    high = [cut(number(block, k)) for k in ("highMin", "highMax")]
    a = low[0] + (low[1] - low[0]) * u
    b = high[0] + (high[1] - high[0]) * u2
    return a + (b if block.get("relative") == "true" else b - a) * share(block, x)


def active(emitter, name):
    block = emitter.get(name)
    return block is not None and block.get("active") != "false"


check = Check()
check.same("emitters", len(document["emitters"]), len(emitters))
# Low and high at their lower ends, and both at their upper ends.
PARTS, ENDS = [0, 0.2, 0.45, 0.7, 0.99], [(0, 0), (1, 1)]


def ordered(block, kind):
    return number(block, kind + "Min") <= number(block, kind + "Max")


for i, (e, d) in enumerate(zip(emitters, document["emitters"])):
    def compare(name, block, found, factor=1.0, whole=False, error=1e-6):
        ends = ENDS if ordered(block, "low") and ordered(block, "high") else [(0.5, 0.5)]
        for x in PARTS:
            for u, v in ends:
                check.same(f"{i} {name} at {x}, {u}, {v}", found(x, u, v),
                           scaled(block, x, u, v, whole) * factor, error)

    check.same(f"{i} name", d["name"], e["name"])
    check.same(f"{i} minAlive", get(d, "emission.minAlive", 0), int(e["Count"]["min"]))
    check.same(f"{i} maxAlive", get(d, "emission.maxAlive"), int(e["Count"]["max"]))
    endless = e["Options"]["continuous"] == "true" and number(e["Duration"], "lowMax") == 0
    check.same(f"{i} loop", get(d, "timing.loop", False),
               e["Options"]["continuous"] == "true" and not endless)
    for u in (0, 1):
        at = lambda block: number(block, "lowMin") + (number(block, "lowMax") - number(block, "lowMin")) * u
        if not endless:
            check.same(f"{i} duration", value(get(d, "timing.duration"), u), at(e["Duration"]) / 1000)
        check.same(f"{i} delay", value(get(d, "timing.delay", 0), u),
                   at(e["Delay"]) / 1000 if active(e, "Delay") else 0)
    compare("rate", e["Emission"], lambda x, u, v: value(get(d, "emission.rate", 0), u, x, v), whole=True)
    compare("life", e["Life"], lambda x, u, v: value(get(d, "lifetime", 1), u, x, v), 0.001, True)
    if active(e, "Life Offset"):
        compare("offset", e["Life Offset"],
                lambda x, u, v: value(get(d, "emission.lifeOffset", 0), u, x, v), 0.001, True)
    life = get(d, "lifetime", 1)
    if not isinstance(life, (int, float)):
        check.same(f"{i} scope", life.get("scope", "particle"),
                   "particle" if e["Life"].get("independent") == "true" else "cycle")
    width = "X Scale" if "X Scale" in e else "Scale"
    compare("width", e[width], lambda x, u, v: track(get(d, "size.width", 1), x, u, v))
    if active(e, "Y Scale"):
        compare("height", e["Y Scale"], lambda x, u, v: track(get(d, "size.height"), x, u, v))
    else:
        check.same(f"{i} height", get(d, "size.height"), None)
    if active(e, "Velocity"):
        curve = len(points(e["Velocity"])) > 1
        path, default = ("motion.speed", 0) if curve else ("launch.speed", 0)
        compare("speed", e["Velocity"], lambda x, u, v: track(get(d, path, default), x, u, v))
        for axis, name in enumerate(("Wind", "Gravity")):
            drift = get(d, "motion.drift", [0, 0, 0])[axis]
            if active(e, name):
                compare(name, e[name], lambda x, u, v: track(drift, x, u, v))
            else:
                check.same(f"{i} {name}", drift, 0)
    else:
        check.same(f"{i} speed", get(d, "launch.speed", 0), 0)
    if active(e, "Angle") and get(d, "launch.direction.mode", "angle") == "angle":
        angle = get(d, "launch.direction.angle", 90)
        for u, v in ENDS:
            check.same(f"{i} angle", value(angle, u, 0, v), scaled(e["Angle"], 0, u, v))
    if active(e, "Rotation"):
        compare("rotation", e["Rotation"], lambda x, u, v: track(get(d, "rotation.angle", 0), x, u, v))
    transparency = dict(e["Transparency"], relative="false")
    compare("opacity", transparency, lambda x, u, v: track(get(d, "color.opacity", 1), x, u, v))
    tint = e["Tint"]
    for k in range(int(tint["timelineCount"])):
        x = number(tint, f"timeline{k}")
        wanted = [number(tint, f"colors{3 * k + c}") for c in range(3)] + [1]
        check.same(f"{i} tint {k}", base_color(get(d, "color.base", [1, 1, 1, 1]), x), wanted)
    o = e["Options"]
    modes = {(True, True): "custom", (True, False): "add", (False, True): "premultiplied", (False, False): "alpha"}
    check.same(f"{i} blend", get(d, "render.blend.mode", "alpha"),
               modes[o["additive"] == "true", o.get("premultipliedAlpha") == "true"])
    check.same(f"{i} space", d.get("space", "world"), "local" if o["attached"] == "true" else "world")
    check.same(f"{i} align", get(d, "rotation.align", "none"), "birth" if o["aligned"] == "true" else "none")
    check.same(f"{i} images", d.get("spriteSelection", "first"),
               {"random": "random", "animated": "life"}.get(o.get("spriteMode"), "first"))
    names = e.get("Image Paths", e.get("Image Path", []))
    check.same(f"{i} sprites", len(d.get("sprites", [])), len(names))
    shape = e["Spawn Shape"]["shape"]
    kinds = {"point": ("point", "rect"), "square": ("rect",), "line": ("line",), "ellipse": ("ellipse",)}
    check.same(f"{i} shape", get(d, "shape.type", "point") in kinds[shape], True)
    size, extent = [], get(d, "shape.extent", [1, 1, 1])
    for axis, name in enumerate(("Spawn Width", "Spawn Height")):
        n = sorted(scaled(e[name], 0, u, v) for u, v in ENDS)
        size.append(sum(n) / 2)
        if shape in ("square", "ellipse"):
            full = get(d, "shape.size")[axis] if shape == "square" else 2 * get(d, "shape.radii")[axis]
            check.same(f"{i} {name}", sorted(full * value(extent[axis], u) for u in (0, 1)), n)
    if shape == "line":
        check.same(f"{i} length", get(d, "shape.length", 0), math.hypot(*size))
    place = get(d, "shape.transform.translation", [0, 0, 0])
    for axis, name in enumerate(("X Offset", "Y Offset")):
        wanted = (number(e[name], "lowMin") + number(e[name], "lowMax")) / 2 if active(e, name) else 0
        wanted += size[axis] / 2 if shape == "line" else 0
        check.same(f"{i} {name}", place[axis], wanted)
check.end()
