"""Compares an emitter configuration of Phaser 3 with its document."""
import math
import json
from document import Check, arguments, base_color, get, track, value

text, document = arguments()
root = json.loads(text)
configs = root if isinstance(root, list) else root.get("emitters", [root])
check = Check()
check.same("emitters", len(document["emitters"]), len(configs))
PARTS = [0, 0.3, 0.6, 1]


def at(v, x, u):
    """A value over life, without easing, for a random number of 0 or 1."""
    if isinstance(v, list):
        return v[0] if u == 0 else v[-1]
    if not isinstance(v, dict):
        return v
    if "min" in v:
        return v["min"] + (v["max"] - v["min"]) * u
    if "values" in v:
        n = len(v["values"]) - 1
        k = min(int(x * n), n - 1)
        return v["values"][k] + (v["values"][k + 1] - v["values"][k]) * (x * n - k)
    if "start" in v:
        a = v["random"][u] if isinstance(v.get("random"), list) else v["start"]
        f = x * x if v.get("ease") == "Quad.easeIn" else x
        return a + (v["end"] - a) * f
    return v["random"][u]


for i, (c, d) in enumerate(zip(configs, document["emitters"])):
    def compare(key, found, factor=1.0, default=None):
        v = c.get(key, default)
        if v is None:
            return
        for x in PARTS:
            results = sorted(track(found, x, u) for u in (0, 1))
            wanted = sorted(at(v, x, u) * factor for u in (0, 1))
            check.same(f"{i} {key} at {x}", results, wanted, 2e-3)

    compare("lifespan", get(d, "lifetime", 1), 0.001, 1000)
    frequency, quantity = c.get("frequency", 0), c.get("quantity", 1)
    if frequency > 0 and quantity == 1:
        check.same(f"{i} rate", get(d, "emission.rate", 0), 1000 / frequency)
    elif frequency < 0:
        check.same(f"{i} burst", get(d, "emission.bursts")[0]["count"], quantity)
    # Whole frames are advanced, which duration and limits do not count.
    before = math.ceil(c.get("advance", 0) * 0.06 - 1e-9) / 60 * c.get("timeScale", 1)
    check.same(f"{i} duration", get(d, "timing.duration"),
               c["duration"] / 1000 + before if c.get("duration") else None)
    check.same(f"{i} prewarm", get(d, "timing.prewarm", 0), before)
    check.same(f"{i} speed of time", get(d, "timing.speed", 1), c.get("timeScale", 1))
    check.same(f"{i} capacity", get(d, "emission.maxAlive"), c.get("maxAliveParticles"))
    if "speed" in c:
        compare("speed", get(d, "launch.speed", 0))
    else:
        for axis, key in enumerate(("speedX", "speedY")):
            compare(key, get(d, "motion.drift")[axis], 1 - 2 * axis)
    compare("angle", get(d, "launch.direction.angle", 90), -1, {"min": 0, "max": 360})
    for axis, name in enumerate("XY"):
        for key in ("gravity" + name, "acceleration" + name):
            if c.get(key):
                compare(key, get(d, "forces")[0]["vector"][axis], 1 - 2 * axis)
    compare("scale" if "scale" in c else "scaleX", get(d, "size.width", 1))
    compare("scaleY", get(d, "size.height", 1))
    compare("rotate", get(d, "rotation.angle", 0), -1)
    compare("alpha", get(d, "color.opacity", 1))
    colors = c.get("color", [])
    for k, n in enumerate(colors):
        found = base_color(get(d, "color.base"), k / (len(colors) - 1))
        check.same(f"{i} color {k}", found[:3], [(n >> s & 255) / 255 for s in (16, 8, 0)], 1e-4)
    check.same(f"{i} blend", get(d, "render.blend.mode", "alpha"), c.get("blendMode", "alpha").lower())
    check.same(f"{i} order", get(d, "render.sort", "oldestFirst"),
               "oldestFirst" if c.get("particleBringToTop", True) else "youngestFirst")
    place = get(d, "transform.translation", [0, 0, 0])
    for axis, key in enumerate("xy"):
        if key in c:
            check.same(f"{i} {key}", place[axis], (at(c[key], 0, 0) + at(c[key], 0, 1)) / 2 * (1 - 2 * axis))
    zone = get(c, "emitZone.source", {})
    if zone.get("type") == "Circle":
        check.same(f"{i} radius", get(d, "shape.radii"), [zone["radius"]] * 2)
        check.same(f"{i} centre", get(d, "shape.transform.translation")[:2], [zone["x"], -zone["y"]])
    elif zone.get("type") == "Line":
        check.same(f"{i} line", [p[:2] for p in get(d, "shape.points")[0]],
                   [[zone["x1"], -zone["y1"]], [zone["x2"], -zone["y2"]]])
check.end()
