"""Compares a .particlefx file of Defold with its document."""
import math
import re
from document import Check, arguments, curve, get, track, value

text, document = arguments()
tokens = re.findall(r'"(?:[^"\\]|\\.)*"|[{}:]|[^\s{}:"]+', re.sub(r"#.*", "", text))


def message(position):
    fields = {}
    while position < len(tokens) and tokens[position] != "}":
        key = tokens[position]
        position += 1
        if tokens[position] == ":":
            position += 1
        if tokens[position] == "{":
            node, position = message(position + 1)
            position += 1
        else:
            node = tokens[position]
            node = node[1:-1] if node[0] == '"' else node
            position += 1
        fields.setdefault(key, []).append(node)
    return fields, position


effect, _ = message(0)
check = Check()
emitters = effect["emitters"]
check.same("emitters", len(document["emitters"]), len(emitters))


def one(node, key, default=None):
    return node[key][-1] if key in node else default


def number(node, key, default=0.0):
    return float(one(node, key, default))


def points(node):
    found = []
    for p in node.get("points", []):
        tx, ty = number(p, "t_x", 1), number(p, "t_y", 0)
        found.append((number(p, "x"), number(p, "y"), ty / tx if tx else 0))
    return sorted(found)


def hermite(ps, x):
    if x <= ps[0][0]:
        return ps[0][1]
    for (s, a, p), (t, b, q) in zip(ps, ps[1:]):
        if s <= x < t:
            n, u = t - s, (x - s) / (t - s)
            return (a * (2 * u**3 - 3 * u**2 + 1) + p * n * (u**3 - 2 * u**2 + u)
                    + b * (3 * u**2 - 2 * u**3) + q * n * (u**3 - u**2))
    return ps[-1][1]


PARTS = [0, 0.15, 0.4, 0.77, 1]
for i, (e, d) in enumerate(zip(emitters, document["emitters"])):
    start = {one(p, "key")[12:]: p for p in e.get("properties", [])}
    life = {one(p, "key")[13:]: p for p in e.get("particle_properties", [])}

    def initial(key, x, u, default=0.0):
        if key not in start:
            return default
        return hermite(points(start[key]), x) + number(start[key], "spread") * (2 * u - 1)

    def over(key, x, default):
        return hermite(points(life[key]), x) if key in life else default

    def values(name, key, found, low=None):
        for x in PARTS:
            for u in (0, 1):
                wanted = initial(key, x, u)
                wanted = max(wanted, low) if low is not None else wanted
                check.same(f"{i} {name} at {x}, {u}", value(found, u, x, 1), wanted, 1e-4)

    check.same(f"{i} name", d["name"], one(e, "id", "emitter"))
    check.same(f"{i} loop", get(d, "timing.loop", False), one(e, "mode") == "PLAY_MODE_LOOP")
    for name, key in (("duration", "duration"), ("delay", "start_delay")):
        for u in (0, 1):
            wanted = max(0, number(e, key) + number(e, key + "_spread") * (2 * u - 1))
            check.same(f"{i} {name}", value(get(d, f"timing.{name}", 0), u), wanted)
    check.same(f"{i} prewarm", get(d, "timing.prewarm", 0), number(e, "start_offset"))
    check.same(f"{i} capacity", get(d, "emission.maxAlive"), int(number(e, "max_particle_count")))
    check.same(f"{i} inherit", get(d, "launch.inheritVelocity", 0), number(e, "inherit_velocity"))
    check.same(f"{i} space", d.get("space", "world"),
               "local" if one(e, "space") == "EMISSION_SPACE_EMITTER" else "world")
    blend = one(e, "blend_mode", "BLEND_MODE_ALPHA")[11:]
    check.same(f"{i} blend", get(d, "render.blend.mode", "alpha"),
               {"ALPHA": "alpha", "MULT": "multiplyAlpha", "SCREEN": "screen"}.get(blend, "add"))
    align = one(e, "particle_orientation", "PARTICLE_ORIENTATION_DEFAULT")[21:]
    check.same(f"{i} align", get(d, "rotation.align", "none"),
               {"INITIAL_DIRECTION": "birth", "MOVEMENT_DIRECTION": "velocity"}.get(align, "none"))
    position = one(e, "position", {})
    check.same(f"{i} position", get(d, "transform.translation", [0, 0, 0])[:2],
               [number(position, k) for k in "xy"])
    values("rate", "SPAWN_RATE", get(d, "emission.rate", 0))
    values("life", "PARTICLE_LIFE_TIME", get(d, "lifetime", 1), 0)
    values("speed", "PARTICLE_SPEED", get(d, "launch.speed", 0))
    automatic = one(e, "size_mode") == "SIZE_MODE_AUTO"
    check.same(f"{i} size mode", get(d, "size.mode", "units"), "textureScale" if automatic else "units")
    rotation = get(d, "rotation.angle", 0)
    # Images turn with the emitter, unless they are aligned: `SpawnParticle` in particle.cpp.
    q, turn = one(e, "rotation", {}), 0
    if align in ("DEFAULT", "ANGULAR_VELOCITY") and number(q, "x") == number(q, "y") == 0:
        turn = math.degrees(2 * math.atan2(number(q, "z"), number(q, "w", 1)))
    for x in PARTS:
        for u in (0, 1):
            # Values of new particles at the start of the period.
            size = 1 if automatic else max(0, initial("PARTICLE_SIZE", 0, u))
            if "PARTICLE_SIZE" in start and len(start["PARTICLE_SIZE"].get("points", [])) > 1:
                continue
            check.same(f"{i} size at {x}", track(get(d, "size.width", 1), x, u), size * over("SCALE", x, 1), 1e-4)
        for u in (0, 1):
            if len(start.get("PARTICLE_ROTATION", {}).get("points", [])) < 2:
                wanted = initial("PARTICLE_ROTATION", 0, u) + over("ROTATION", x, 0) + turn
                check.same(f"{i} rotation at {x}", track(rotation, x, u), wanted, 1e-4)
    base = get(d, "color.base", [1, 1, 1, 1])
    gradient = base.get("gradient") if isinstance(base, dict) else None
    source = base.get("from", [1, 1, 1, 1]) if isinstance(base, dict) and "min" not in base else base
    ends = (source, source) if isinstance(source, list) else (source["min"], source["max"])
    ends = [list(c) + [1] * (4 - len(c)) for c in ends]
    for c, name in enumerate(("RED", "GREEN", "BLUE", "ALPHA")):
        if len(start.get("PARTICLE_" + name, {}).get("points", [])) < 2:
            for u in (0, 1):
                check.same(f"{i} {name} {u}", ends[u][c], initial("PARTICLE_" + name, 0, u), 1e-5)
        for x in PARTS:
            found = curve(gradient["rgba"[c]], x) if gradient else 1
            check.same(f"{i} life {name} at {x}", found, over(name, x, 1), 1e-4)
    modifiers = e.get("modifiers", []) + effect.get("modifiers", [])
    check.same(f"{i} modifiers", len(d.get("forces", [])), len(modifiers))
    for m, f in zip(modifiers, d.get("forces", [])):
        kind = {"ACCELERATION": "gravity", "DRAG": "drag", "RADIAL": "radial", "VORTEX": "vortex"}[one(m, "type")[14:]]
        check.same(f"{i} modifier", f["type"], kind)
        for p in m.get("properties", []):
            wanted = [points(p)[0][1] + number(p, "spread") * (2 * u - 1) for u in (0, 1)]
            if one(p, "key") == "MODIFIER_KEY_MAX_DISTANCE":
                check.same(f"{i} distance", f.get("maxDistance"), wanted[0])
            elif kind == "gravity":
                found = [math.hypot(*(track(t, 0, u) for t in f["vector"][:2])) for u in (0, 1)]
                check.same(f"{i} magnitude", sorted(found), sorted(abs(w) for w in wanted), 1e-5)
            elif len(points(p)) == 1:
                check.same(f"{i} magnitude", [track(f.get("strength", 0), 0, u) for u in (0, 1)], wanted, 1e-5)
    size = [initial("SIZE_" + a, 0, 0.5) for a in "XYZ"]
    kind = one(e, "type")[13:]
    if kind == "CIRCLE":
        check.same(f"{i} radius", get(d, "shape.radii", [0, 0]), [size[0] / 2, size[0] / 2], 1e-5)
    elif kind == "SPHERE":
        check.same(f"{i} radius", get(d, "shape.radius", 0), size[0] / 2, 1e-5)
    elif kind == "BOX":
        check.same(f"{i} size", get(d, "shape.size", [0, 0, 0])[:2], size[:2], 1e-5)
    elif kind == "CONE":
        check.same(f"{i} height", get(d, "shape.height", 0), size[1], 1e-5)
    elif kind == "2DCONE":
        check.same(f"{i} height", get(d, "shape.radii", [0, 0])[0], size[1], 1e-5)
check.end()
