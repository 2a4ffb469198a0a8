"""Compares options of tsParticles with their document."""
import json
import math
from document import Check, arguments, get, track, value

text, document = arguments()
root = json.loads(text)
check = Check()
W, H = 1000, 600


def merged(a, b):
    if not isinstance(a, dict) or not isinstance(b, dict):
        return b
    out = dict(a)
    for k, v in b.items():
        out[k] = merged(a[k], v) if k in a else v
    return out


emitters = root.get("emitters", [])
emitters = emitters if isinstance(emitters, list) else [emitters]
particles = root["particles"]
sources = []
if (get(particles, "number.value", 0) or 0) > 0 or not emitters:
    sources.append((None, particles))
sources += [(e, merged(particles, e.get("particles", {}))) for e in emitters]
check.same("emitters", len(document["emitters"]), len(sources))


def ends(v, default, factor):
    v = default if v is None else v
    pair = (v["min"], v["max"]) if isinstance(v, dict) else (v, v)
    return sorted(n * factor for n in pair)


for i, ((e, p), d) in enumerate(zip(sources, document["emitters"])):
    def compare(name, found, wanted):
        check.same(f"{i} {name}", sorted(track(found, 0, u) for u in (0, 1)), wanted, 1e-5)

    # Pictures of further figures are wider. A stroke is part of a picture.
    figures = get(p, "shape.type", "circle")
    figures = figures if isinstance(figures, list) else [figures]
    stroke = get(p, "stroke") or get(p, "shape.stroke") or {}
    stroke = stroke[0] if isinstance(stroke, list) else stroke
    wide = 2 if set(figures) <= {"circle", "image", "images"} else 2 ** 0.5 if set(figures) <= {"edge", "square"} else 0
    if stroke.get("width"):
        wide = 0
    # Animations are compared with the engine.
    if wide and not get(p, "size.random") and not get(p, "size.animation.enable"):
        compare("size", get(d, "size.width", 1), ends(get(p, "size.value"), 3, wide))
    if not get(p, "opacity.random") and not get(p, "opacity.animation.enable"):
        compare("opacity", get(d, "color.opacity", 1), ends(get(p, "opacity.value"), 1, 1))
    moves = get(p, "move.enable", False)
    if not get(p, "move.random") or isinstance(get(p, "move.speed"), dict):
        compare("speed", get(d, "launch.speed", 0), ends(get(p, "move.speed"), 2, 30) if moves else [0, 0])
    if not get(p, "rotate.random"):
        compare("angle", get(d, "rotation.angle", 0), ends(get(p, "rotate.value"), 0, -1))
    forces = {f["type"]: f for f in d.get("forces", [])}
    if moves and get(p, "move.speed", 2) != 0 and get(p, "move.gravity.enable", False):
        sign = 1 if get(p, "move.gravity.inverse", False) else -1
        check.same(f"{i} gravity", forces["gravity"]["vector"][1],
                   sign * 60 * get(p, "move.gravity.acceleration", 9.81))
    else:
        check.same(f"{i} gravity", "gravity" in forces, False)
    life = get(p, "life.duration.value")
    if life is not None and max(ends(life, 0, 1)) > 0 and not any(
            get(p, key + ".animation.destroy", "none") != "none" for key in ("size", "opacity")):
        wanted = ends(life, 0, 1)
        if (get(p, "life.count") or 0) <= 0:
            wanted = [30, 30]
        elif not get(p, "life.duration.sync", False):
            wanted = [0, sum(wanted) / 2]
        compare("life", get(d, "lifetime", 1), wanted)
    color = get(p, "color.value", get(p, "color"))
    colors = color if isinstance(color, list) else [color]
    if all(isinstance(c, str) and c.startswith("#") and len(c) == 7 for c in colors):
        base = get(d, "color.base", [1, 1, 1])
        found = base["oneOf"] if isinstance(base, dict) else [base]
        wanted = [[int(c[k:k + 2], 16) / 255 for k in (1, 3, 5)] for c in colors]
        for a, b in zip(found, wanted):
            check.same(f"{i} colour", a[:3], b, 1e-4)
    names = {"top": 90, "right": 0, "bottom": -90, "left": 180, "top-right": 45, "bottom-right": -45,
             "bottom-left": -135, "top-left": 135}
    own = get(e or {}, "particles.move.direction")
    direction = get(p, "move.direction", "none") if own is not None else (e or {}).get(
        "direction", get(p, "move.direction", "none"))
    if isinstance(direction, (int, float)) or direction in names:
        straight = get(p, "move.straight", False)
        turn = 0 if straight else get(p, "move.angle.offset", 0)
        check.same(f"{i} direction", get(d, "launch.direction.angle", 90),
                   (names.get(direction) if direction in names else -direction) - turn)
        fan = 0 if straight else get(p, "move.angle.value", 90) / 2
        check.same(f"{i} fan", get(d, "launch.spread", 0), fan)
    else:
        check.same(f"{i} direction", get(d, "launch.direction.mode", "angle"), "random")
    if e is None:
        number, density = get(p, "number.value", 0) or 0, get(p, "number.density", {})
        if isinstance(density, dict) and density.get("enable"):
            area = density.get("value_area", density.get("area"))
            area = area * 1000 if area else density.get("width", 1920) * density.get("height", 1080)
            number *= W * H / area
            number = math.floor(number + 1e-6) if W * H < area else math.ceil(number - 1e-6)
        check.same(f"{i} number", value(get(d, "emission.bursts")[0].get("count", 1), 0), number)
        continue
    mean = lambda v, default: sum(ends(v, default, 1)) / 2
    delay = mean(get(e, "rate.delay"), 0.1)
    delay = max(delay, 1 / 60)
    quantity = ends(get(e, "rate.quantity"), 1, 1)
    if math.ceil(quantity[1]) == 1 and not get(e, "life.wait"):
        check.same(f"{i} rate", get(d, "emission.rate", 0), 1 / delay)
    elif quantity[1] > 0:
        burst = get(d, "emission.bursts")[0]
        check.same(f"{i} interval", burst.get("interval", 1), delay)
        if quantity[0] == quantity[1]:
            check.same(f"{i} quantity", value(burst.get("count", 1), 0), math.ceil(quantity[0]))
    place = get(d, "transform.translation", [0, 0, 0])
    x, y = (mean(get(e, "position." + k), 50) for k in "xy")
    check.same(f"{i} place", place[:2], [(x - 50) * W / 100, -(y - 50) * H / 100])
    size = get(e, "size")
    if size and (size.get("width") or size.get("height")):
        scale = (W / 100, H / 100) if size.get("mode", "percent") == "percent" else (1, 1)
        wanted = [size.get("width", 0) * scale[0], size.get("height", 0) * scale[1]]
        found = (get(d, "shape.size")[:2] if get(d, "shape.type") == "rect"
                 else [2 * r for r in get(d, "shape.radii")])
        check.same(f"{i} size of shape", found, wanted)
check.end()
