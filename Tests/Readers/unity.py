"""Compares particle systems that were read from assets of Unity with the files, value by value.

    unity.py FILE DOCUMENT.json

    unity.py --code FILE.prefab CODE.cs...

    unity.py --parser FILE.prefab...

The file is read by PyYAML, and the expected values of the document are computed here, without our code. Nested prefabs are not followed: a
document may have more systems than the file. With --parser, unityparser reads files and writes them again, and the bytes have to be equal. Prints the number of compared values, and differing values. Ends with 1 if any differs, with 2
without PyYAML or unityparser."""
import json, math, re, sys

try:
    import yaml
except ImportError:
    print("PyYAML is missing")
    sys.exit(2)

faults, count = [], 0
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
G = 9.81


def same(what, found, wanted, within=2e-4):
    global count
    count += 1
    if isinstance(wanted, (int, float)) and isinstance(found, (int, float)):
        if abs(found - wanted) <= within * (1 + abs(wanted)):
            return
    elif found == wanted:
        return
    faults.append(f"{what}: {found}, expected {wanted}")


def documents(text):
    """Class, number and value of each object that is not stripped."""
    for head, body in re.findall(r"^--- (!u![^\n]*)\n(.*?)(?=^--- |\Z)", text, re.S | re.M):
        kind, number = re.match(r"!u!(\d+) &(-?\d+)", head).groups()
        if kind in ("1", "4", "198", "199", "224") and "stripped" not in head:
            yield int(kind), int(number), next(iter(yaml.load(body, LOADER).values()))


def hermite(keys, x):
    """The value of a curve without weights, or None for a curve with weights."""
    if any(key.get("weightedMode", 0) for key in keys):
        return None
    if x <= keys[0]["time"]:
        return keys[0]["value"]
    for a, b in zip(keys, keys[1:]):
        if x < b["time"]:
            slopes = [float(a["outSlope"]), float(b["inSlope"])]
            if any(math.isinf(slope) for slope in slopes):
                return a["value"]
            width = b["time"] - a["time"]
            t = (x - a["time"]) / width
            return ((2 * t**3 - 3 * t**2 + 1) * a["value"] + (t**3 - 2 * t**2 + t) * width * slopes[0]
                    + (-2 * t**3 + 3 * t**2) * b["value"] + (t**3 - t**2) * width * slopes[1])
    return keys[-1]["value"]


def ours(curve, x):
    """The value of a curve of a document."""
    if curve == "linear":
        return min(max(x, 0), 1)
    if isinstance(curve, (int, float)):
        return curve
    keys, standard = curve["keys"], curve.get("interp", "linear")
    if x <= keys[0][0]:
        return keys[0][1]
    for a, b in zip(keys, keys[1:]):
        if x < b[0]:
            kind = a[4] if len(a) > 4 else standard
            width = b[0] - a[0]
            t = (x - a[0]) / width
            if kind == "step":
                return a[1]
            if kind == "linear":
                return a[1] + (b[1] - a[1]) * t
            return ((2 * t**3 - 3 * t**2 + 1) * a[1] + (t**3 - 2 * t**2 + t) * width * a[3]
                    + (-2 * t**3 + 3 * t**2) * b[1] + (t**3 - t**2) * width * b[2])
    return keys[-1][1]


def number(what, found, node, factor=1.0):
    """Compares a constant, a range or one curve. Two curves have no one right form."""
    if not isinstance(node, dict):
        return same(what, found, node * factor)
    state, top = node["minMaxState"], node["scalar"] * factor
    if state == 0:
        return same(what, found, top)
    curves = [node.get(key, {}).get("m_Curve") or [{"time": 0, "value": 1, "inSlope": 0, "outSlope": 0}] for key in ("maxCurve", "minCurve")]
    if state == 3:
        first = "serializedVersion" not in node
        ends = sorted([top * curves[0][0]["value"], top * curves[1][0]["value"]] if first else [top, node["minScalar"] * factor])
        if ends[0] == ends[1]:
            return same(what, found, ends[0])
        same(what + " low", found["min"], ends[0])
        return same(what + " high", found["max"], ends[1])
    if state == 1 and isinstance(found, dict):
        end = found.get("high", found.get("to"))
        for step in range(21):
            wanted = hermite(curves[0], step / 20)
            if wanted is not None:
                same(f"{what} at {step / 20}", end * ours(found.get("curve", "linear"), step / 20), wanted * top)


def color(node):
    if "rgba" in node:
        return [(node["rgba"] >> shift & 255) / 255 for shift in (0, 8, 16, 24)]
    return [node[key] for key in "rgba"]


def gradient(what, found, node):
    """Compares a gradient at the times of its keys, and between them."""
    keys = [color(node[f"key{n}"]) for n in range(8)]
    colors = sorted((node[f"ctime{n}"] / 65535, keys[n][:3]) for n in range(node["m_NumColorKeys"]))
    alphas = sorted((node[f"atime{n}"] / 65535, keys[n][3:]) for n in range(node["m_NumAlphaKeys"]))
    if node.get("m_Mode", 0) != 0 or any(a[0] == b[0] for row in (colors, alphas) for a, b in zip(row, row[1:])):
        return

    def mixed(row, x):
        for (a, one), (b, other) in zip(row, row[1:]):
            if a <= x < b:
                return [p + (q - p) * (x - a) / (b - a) for p, q in zip(one, other)]
        return row[0][1] if x < row[0][0] else row[-1][1]

    for step in range(1, 20):
        x = step / 20 + 0.003
        wanted = mixed(colors, x) + mixed(alphas, x)
        for channel, value in enumerate(mixed([(t, c) for t, c in found["keys"]], x)):
            same(f"{what} at {x} of channel {channel}", value, wanted[channel], 1e-3)


def system(name, file, renderer, e):
    start, timing, emission = file["InitialModule"], e.get("timing", {}), e.get("emission", {})
    same(f"{name}: duration", timing["duration"], file["lengthInSec"])
    same(f"{name}: loop", timing.get("loop", False), file["looping"] == 1)
    number(f"{name}: lifetime", e.get("lifetime", 1), start["startLifetime"])
    number(f"{name}: speed", e.get("launch", {}).get("speed", 0), start["startSpeed"])
    number(f"{name}: delay", timing.get("delay", 0), file["startDelay"])
    same(f"{name}: pace", timing.get("speed", 1), file.get("simulationSpeed", file.get("speed", 1)))
    same(f"{name}: capacity", emission.get("maxAlive"), start["maxNumParticles"])
    local = file["moveWithTransform"] == (1 if file["serializedVersion"] <= 4 else 0)
    same(f"{name}: space", e.get("space", "world"), "local" if local else "world")
    if not start.get("randomizeRotationDirection"):
        number(f"{name}: rotation", e.get("rotation", {}).get("angle", 0), start["startRotation"], -180 / math.pi)
    gravity = start["gravityModifier"]
    if not isinstance(gravity, dict) or gravity["minMaxState"] == 0:
        wanted = -G * (gravity["scalar"] if isinstance(gravity, dict) else gravity)
        vectors = [f["vector"] for f in e.get("forces", []) if f["type"] == "gravity"]
        same(f"{name}: gravity", vectors[0][1] if vectors and wanted else 0, wanted)
    module = file["EmissionModule"]
    if module["enabled"] and "rateOverTime" in module:
        number(f"{name}: rate", emission.get("rate", 0), module["rateOverTime"])
        number(f"{name}: rate by distance", emission.get("ratePerDistance", 0), module["rateOverDistance"])
        bursts = (module.get("m_Bursts") or [])[:module["m_BurstCount"]]
        same(f"{name}: bursts", len(emission.get("bursts", [])), len(bursts))
        for place, (found, burst) in enumerate(zip(emission.get("bursts", []), bursts)):
            same(f"{name}: time of burst {place}", found.get("time", 0), burst["time"])
            if "countCurve" in burst:
                number(f"{name}: count of burst {place}", found.get("count", 1), burst["countCurve"])
            same(f"{name}: cycles of burst {place}", found.get("cycles", 1), burst["cycleCount"])
            same(f"{name}: probability of burst {place}", found.get("probability", 1), burst.get("probability", 1))
    elif not module["enabled"]:
        same(f"{name}: rate", emission.get("rate", 0), 0)
    module = file.get("ColorModule")
    if module and module["enabled"] and module["gradient"]["minMaxState"] == 1:
        gradient(f"{name}: colour over life", e["color"]["base"]["gradient"], module["gradient"]["maxGradient"])
    module = file.get("RotationModule")
    if module and module["enabled"] and module["curve"]["minMaxState"] in (0, 1, 3):
        number(f"{name}: spin", e.get("rotation", {}).get("velocity", 0), module["curve"], -180 / math.pi)
    module = file.get("VelocityModule")
    # In the space in which particles move, the velocity is turned with the emitter.
    if module and module["enabled"] and bool(module["inWorldSpace"]) != local:
        drift = (e.get("motion", {}).get("drift", [0, 0]) + [0])[:3]
        for axis, sign, found in zip("xyz", (1, 1, -1), drift):
            number(f"{name}: velocity {axis}", found, module[axis], sign)
    if renderer:
        same(f"{name}: order", e.get("render", {}).get("order", 0), renderer["m_SortingOrder"])


# What code states, and where a prefab has it: the property of a module, its key, and the key that switches the module on.
CODE = {
    "main.duration": "lengthInSec", "main.loop": "looping", "main.startDelay": "startDelay", "main.simulationSpeed": "simulationSpeed",
    "main.simulationSpace": "moveWithTransform", "main.maxParticles": "InitialModule.maxNumParticles",
    "main.startLifetime": "InitialModule.startLifetime", "main.startSpeed": "InitialModule.startSpeed",
    "main.startRotation": "InitialModule.startRotation", "main.startSize": "InitialModule.startSize",
    "emission.rateOverTime": "EmissionModule.rateOverTime", "force.x": "ForceModule.x", "force.y": "ForceModule.y", "force.z": "ForceModule.z",
    "limit.drag": "ClampVelocityModule.drag", "rotation.z": "RotationModule.curve", "noise.frequency": "NoiseModule.frequency",
    "noise.strength": "NoiseModule.strength", "noise.scrollSpeed": "NoiseModule.scrollSpeed", "frames.numTilesX": "UVModule.tilesX",
    "frames.numTilesY": "UVModule.tilesY", "frames.fps": "UVModule.fps", "frames.startFrame": "UVModule.startFrame",
    "trails.lifetime": "TrailModule.lifetime", "shape.shapeType": "ShapeModule.type", "shape.angle": "ShapeModule.angle",
    "shape.arc": "ShapeModule.arc", "shape.radius": "ShapeModule.radius", "shape.randomDirectionAmount": "ShapeModule.randomDirectionAmount",
}
NAMES = {"true": 1, "false": 0, "ParticleSystemSimulationSpace.Local": 0, "ParticleSystemSimulationSpace.World": 1, "int.MaxValue": 2**31 - 1,
         "ParticleSystemShapeType.Sphere": 0, "ParticleSystemShapeType.Cone": 4, "ParticleSystemShapeType.Box": 5,
         "ParticleSystemShapeType.Circle": 10}


def ends(node):
    """A number of a prefab: one value, or two, or None for a curve."""
    if not isinstance(node, dict):
        return [node]
    if "value" in node:
        return [node["value"]]
    return {0: [node["scalar"]], 3: [node.get("minScalar"), node["scalar"]]}.get(node["minMaxState"])


def code(prefab, paths):
    """Compares what code states with a prefab. Shapes and sizes that either writes in another form are passed over."""
    systems = [value for kind, _, value in documents(open(prefab, encoding="utf-8").read()) if kind == 198]
    same("files", len(paths), len(systems))
    for path, system in zip(paths, systems):
        source = open(path, encoding="utf-8").read()
        stated = re.findall(r"^ +(\w+\.\w+) = (.*);$", source, re.M)
        shape = dict(stated).get("shape.shapeType")
        for name, text in stated:
            if name not in CODE or name.startswith("shape.") and NAMES.get(shape) != system["ShapeModule"]["type"]:
                continue
            node = system
            for step in CODE[name].split("."):
                node = node.get(step) if isinstance(node, dict) else None
            found = None if node is None else ends(node)
            if found is None:
                continue
            numbers = [float(n) for n in re.findall(r"-?[\d.]+(?:[eE][+-]?\d+)?(?=f)", text)] or [NAMES[text] if text in NAMES else float(text)]
            # The code lacks alignment, and speeds over life. Its report states both.
            is_turned = name == "main.startRotation" and system["ShapeModule"].get("alignToDirection")
            # A size over life has the start size in its curve.
            is_curve = name == "main.startSize" and ("sizeOverLifetime" in source or system["SizeModule"]["enabled"])
            if is_turned or is_curve or name == "main.startSpeed" and system["VelocityModule"].get("speedModifier"):
                continue
            if len(found) != len(numbers):
                found, numbers = [sum(found) / len(found)], [sum(numbers) / len(numbers)]
            for a, b in zip(found, numbers):
                same(f"{path.rsplit('/', 1)[-1]}: {name}", a, b)
    print("\n".join([f"{count} values"] + faults))
    return 1 if faults else 0


def written_again(paths):
    try:
        from unityparser import UnityDocument
    except ImportError:
        print("unityparser is missing")
        return 2
    for path in paths:
        before = open(path, "rb").read()
        document = UnityDocument.load_yaml(path)
        systems = [entry for entry in document.entries if type(entry).__name__ == "ParticleSystem"]
        plain = [value for kind, _, value in documents(before.decode()) if kind == 198]
        same(f"{path}: systems", len(systems), len(plain))
        for entry, value in zip(systems, plain):
            same(f"{path}: keys", sorted(entry.get_attrs()), sorted(value))
        document.dump_yaml(path + ".again")
        same(f"{path}: bytes", open(path + ".again", "rb").read() == before, True)
    print("\n".join([f"{count} values"] + faults))
    return 1 if faults else 0


def main(path, document, *more):
    if path == "--code":
        return code(document, more)
    if path == "--parser":
        return written_again((document, *more))
    text = open(path, encoding="utf-8", errors="replace").read()
    objects = {number: (kind, value) for kind, number, value in documents(text)}
    names = {n: value["m_Name"] for n, (kind, value) in objects.items() if kind == 1}
    renderers = {value["m_GameObject"]["fileID"]: value for kind, value in objects.values() if kind == 199}
    systems = [value for kind, value in objects.values() if kind == 198]
    emitters = json.load(open(document))["emitters"]
    same("systems", len(emitters) >= len(systems), True)
    for file, e in zip(systems, emitters):
        owner = file["m_GameObject"]["fileID"]
        name = str(names.get(owner, ""))
        if name:
            same("name", e["name"], name)
        system(name, file, renderers.get(owner), e)
    print("\n".join([f"{count} values"] + faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
