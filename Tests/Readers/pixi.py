"""Compares a configuration of the PixiJS particle emitter with its document."""
import json
import math
import re
from document import Check, arguments, base_color, get, track, value

text, document = arguments()
config = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.M))
check, d = Check(), document["emitters"][0]
check.same("emitters", len(document["emitters"]), 1)
behaviors = {b["type"]: b.get("config") or {} for b in config.get("behaviors", [])}
flat = "behaviors" not in config
PARTS = [0, 0.25, 0.5, 0.9]


def entries(node):
    if "list" in node:
        return [(k["time"], k["value"]) for k in node["list"]]
    return [(0, node["start"]), (1, node["end"])]


def at(node, x, mix):
    keys = entries(node)
    stepped = node.get("isStepped") and not (len(keys) > 1 and keys[1][0] >= 1)
    if x <= keys[0][0] or len(keys) == 1:
        return mix(keys[0][1], keys[0][1], 0)
    for (s, a), (t, b) in zip(keys, keys[1:]):
        if s <= x < t:
            return mix(a, b, 0 if stepped else (x - s) / (t - s))
    return mix(keys[-1][1], keys[-1][1], 0)


def line(a, b, f):
    return a + (b - a) * f


def rgb(text):
    digits = text.lstrip("#").removeprefix("0x")[-6:]
    return [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]


def mixed(a, b, f):
    return [line(p, q, f) for p, q in zip(rgb(a), rgb(b))]


def ends(name, found, low, high):
    check.same(name, sorted([value(found, 0), value(found, 1)]), sorted([low, high]))


def numbers(name, node, factor, found):
    for x in PARTS:
        for u, f in ((0, factor), (1, 1)):
            check.same(f"{name} at {x}, {u}", track(found, x, u), at(node, x, line) * f)


ends("lifetime", get(d, "lifetime", 1), config["lifetime"]["min"], config["lifetime"]["max"])
wave = config.get("particlesPerWave", 1)
if wave > 1:
    check.same("burst", get(d, "emission.bursts")[0]["count"], wave)
    check.same("interval", get(d, "emission.bursts")[0].get("interval", 1), config["frequency"])
else:
    check.same("rate", get(d, "emission.rate", 0), 1 / config.get("frequency", 1))
check.same("chance", get(d, "emission.probability", 1), config.get("spawnChance", 1))
life = config.get("emitterLifetime", -1)
check.same("duration", get(d, "timing.duration"), life if life > 0 else None)
check.same("capacity", get(d, "emission.maxAlive"), config.get("maxParticles", 1000))
pos = config.get("pos", {"x": 0, "y": 0})
check.same("pos", get(d, "transform.translation", [0, 0, 0])[:2], [pos["x"], -pos["y"]])
check.same("order", get(d, "render.sort", "oldestFirst"),
           "youngestFirst" if config.get("addAtBack") else "oldestFirst")
check.same("size mode", get(d, "size.mode"), "textureScale")

scale = config.get("scale") if flat else behaviors.get("scale")
if scale:
    factor = (scale.get("minimumScaleMultiplier", config.get("minimumScaleMultiplier", 1)) if flat
              else scale.get("minMult", 1))
    if flat:
        # The older generation multiplies only sizes that change, and takes 0 for 1.
        factor = 1 if len({x[1] for x in entries(scale)}) == 1 else factor or 1
    numbers("scale", scale if flat else scale["scale"], factor, get(d, "size.width", 1))
elif "scaleStatic" in behaviors:
    ends("scale", get(d, "size.width", 1), behaviors["scaleStatic"]["min"], behaviors["scaleStatic"]["max"])
alpha = config.get("alpha") if flat else get(behaviors, "alpha.alpha")
if alpha:
    numbers("alpha", alpha, 1, get(d, "color.opacity", 1))
elif "alphaStatic" in behaviors:
    check.same("alpha", get(d, "color.opacity", 1), behaviors["alphaStatic"]["alpha"])
color = config.get("color") if flat else get(behaviors, "color.color")
base = get(d, "color.base", [1, 1, 1, 1])
if color:
    for x in PARTS:
        check.same(f"color at {x}", base_color(base, x)[:3], at(color, x, mixed), 1e-4)
elif "colorStatic" in behaviors:
    check.same("color", base_color(base, 0)[:3], rgb(behaviors["colorStatic"]["color"]), 1e-4)

acceleration = config.get("acceleration") if flat else get(behaviors, "moveAcceleration.accel")
if acceleration and (acceleration["x"] or acceleration["y"]):
    check.same("acceleration", get(d, "forces")[0]["vector"][:2], [acceleration["x"], -acceleration["y"]])
    speed = config.get("speed")
    if flat:
        start = entries(speed)[0][1]
        least = start * speed.get("minimumSpeedMultiplier", config.get("minimumSpeedMultiplier", 1))
        ends("speed", get(d, "launch.speed", 0), least, start)
    else:
        ends("speed", get(d, "launch.speed", 0), behaviors["moveAcceleration"]["minStart"],
             behaviors["moveAcceleration"]["maxStart"])
elif "moveSpeedStatic" in behaviors:
    ends("speed", get(d, "launch.speed", 0), behaviors["moveSpeedStatic"]["min"],
         behaviors["moveSpeedStatic"]["max"])
else:
    node = config.get("speed") if flat else behaviors.get("moveSpeed") or behaviors.get("movePath")
    if node:
        factor = (node.get("minimumSpeedMultiplier", config.get("minimumSpeedMultiplier", 1)) if flat
                  else node.get("minMult", 1))
        numbers("speed", node if flat else node["speed"], factor,
                get(d, "motion.speed", get(d, "launch.speed", 0)))
if "movePath" in behaviors:
    check.same("path", get(d, "motion.path.expression"), behaviors["movePath"]["path"])

rotation = behaviors.get("rotation") or behaviors.get("rotationStatic") or {}
start = config.get("startRotation", config.get("angle")) if flat else (
    {"min": rotation.get("minStart", rotation.get("min", 0)), "max": rotation.get("maxStart", rotation.get("max", 0))})
if get(d, "launch.direction.mode", "angle") == "angle":
    start = start or {"min": 0, "max": 0}
    ends("angle", get(d, "launch.direction.angle", 90), -start["min"], -start["max"])
still = config.get("noRotation", False) if flat else "noRotation" in behaviors
spin = config.get("rotationSpeed", {"min": 0, "max": 0}) if flat else (
    {"min": rotation.get("minSpeed", 0), "max": rotation.get("maxSpeed", 0)})
if not still:
    ends("spin", get(d, "rotation.velocity", 0), -spin["min"], -spin["max"])
    # Without speed and spin, the older generation shows the angle of a velocity of 0, not the start angle.
    stands = flat and spin["min"] == spin["max"] == 0 and get(d, "launch.speed", 0) == 0 and "motion" not in d
    check.same("align", get(d, "rotation.align", "none") == "none", stands)
blend = config.get("blendMode", "normal") if flat else get(behaviors, "blendMode.blendMode", "normal")
check.same("blend", get(d, "render.blend.mode", "alpha"), {"normal": "alpha"}.get(blend, blend))

kind = config.get("spawnType", "point") if flat else get(behaviors, "spawnShape.type", "point")
data = get(behaviors, "spawnShape.data")
place = get(d, "shape.transform.translation", [0, 0, 0])[:2]
if "spawnBurst" in behaviors:
    check.same("shape", get(d, "shape.radii", [0, 0])[0], behaviors["spawnBurst"]["distance"])
elif kind == "rect":
    r = config["spawnRect"] if flat else data
    check.same("rect", get(d, "shape.size", [0, 0, 0])[:2], [r["w"], r["h"]])
    check.same("place", place, [r["x"] + r["w"] / 2, -(r["y"] + r["h"] / 2)])
elif kind in ("circle", "ring", "torus"):
    r = config["spawnCircle"] if flat else data
    radius = (r["r"] if flat else r["radius"]) or 0
    inner = r.get("minR", 0) if flat else r.get("innerRadius", 0)
    check.same("radius", get(d, "shape.radii", [0, 0]), [radius, radius])
    if kind != "circle" and radius:
        check.same("inner", get(d, "shape.inner", 0) * radius, inner)
    check.same("place", place, [r["x"], -r["y"]])
elif kind == "polygonalChain":
    chain = config["spawnPolygon"] if flat else data
    chain = chain if isinstance(chain[0], list) else [chain]
    check.same("chain", [[p[:2] for p in line] for line in get(d, "shape.points")],
               [[[p["x"], -p["y"]] for p in line] for line in chain])
else:
    check.same("shape", get(d, "shape.type", "point"), "point")

names = []
for behavior in ("textureSingle", "textureRandom", "textureOrdered"):
    c = behaviors.get(behavior, {})
    names += [c["texture"]] if "texture" in c else c.get("textures", [])
for frame in get(behaviors, "animatedSingle.anim.textures", []):
    names += [frame] if isinstance(frame, str) else [frame["texture"]] * frame.get("count", 1)
for anim in get(behaviors, "animatedRandom.anims", []):
    names.append(anim["textures"][0])
check.same("sprites", len(d.get("sprites", [])), len(names))
for sprite, name in zip(d.get("sprites", []), names):
    found = document["images"][document["sprites"][sprite]["image"]]
    check.same(name, name.split("/")[-1].split(".")[0] in found.get("name", "") + found["uri"], True)
check.end()
