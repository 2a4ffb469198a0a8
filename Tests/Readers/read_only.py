"""Compares effects of formats that are only read with their files, value by value.

    read_only.py FILE DOCUMENT.json

FILE is JSON of Vortex, a project of Effekseer as XML, or a keyed archive of an emitter layer. The few lines here read its values without our reader. Ends with status
1 after a list of differing values."""
import json
import math
import plistlib
import sys
import xml.etree.ElementTree as ET

faults, count = [], 0


def same(what, found, wanted):
    global count
    count += 1
    if isinstance(wanted, (int, float)) and isinstance(found, (int, float)):
        if abs(found - wanted) <= 1e-9 * (1 + abs(wanted)):
            return
    elif found == wanted:
        return
    faults.append(f"{what}: {found}, expected {wanted}")


def ends(v):
    return (v, v) if isinstance(v, (int, float)) else (v["min"], v["max"])


def spread(what, found, center, half):
    low, high = ends(found)
    same(what + " low", low, center - half)
    same(what + " high", high, center + half)


def vortex(file, emitters, index):
    e, d = emitters[index], math.degrees
    timing, emission, launch = e.get("timing", {}), e.get("emission", {}), e.get("launch", {})
    same("rate", emission.get("rate", 0), file["birthRate"])
    same("duration", timing["duration"], file["emissionDuration"])
    same("idle", timing.get("idle", 0), file["idleDuration"])
    same("loop", timing["loop"], True)
    same("total", emission.get("total"), file.get("emissionLimit"))
    spread("lifetime", e.get("lifetime", 1), file["lifespan"], file["lifespanVariation"] / 2)
    spread("speed", launch.get("speed", 0), file["speed"], file["speedVariation"] / 2)
    same("angle", launch.get("direction", {}).get("angle", 90), 90 - d(file["angle"]))
    same("spread", launch.get("spread", 0), d(file["angleRange"]) / 2)
    if index == 0:
        place = e["transform"]["translation"]
        same("x", place[0], file["position"][0] - 0.5)
        same("y", place[1], 0.5 - file["position"][1])
    forces = {f["type"]: f for f in e.get("forces", [])}
    gravity = forces.get("gravity", {}).get("vector", [0, 0])
    same("gravity x", gravity[0], file["acceleration"][0])
    same("gravity y", gravity[1], -file["acceleration"][1])
    if file["dampingFactor"] not in (0, 1):
        same("drag", forces["drag"]["strength"], file["dampingFactor"] / file["lifespan"])
        same("law", forces["drag"]["law"], "euler")
    spin = e.get("rotation", {}).get("velocity", 0)
    spread("spin", spin, -d(file["angularSpeed"][2]), d(file["angularSpeedVariation"][2]) / 2)
    if "box" in file["shape"]:
        same("shape", e["shape"]["type"], "rect")
        same("width", e["shape"]["size"][0], file["shape"]["box"]["width"])
        same("height", e["shape"]["size"][1], file["shape"]["box"]["height"])
    width = e["size"].get("width", 1)
    end = file["sizeMultiplierAtDeath"]
    if end == 1:
        spread("size", width, file["size"], file["sizeVariation"] / 2)
    else:
        spread("size", width["to"], file["size"], file["sizeVariation"] / 2)
        same("size over life", [k[1] for k in width["curve"]["keys"]], [1, end])
    kind, value = next(iter(file["colors"].items()))
    colors = [[c["red"], c["green"], c["blue"], c["opacity"]] for c in value["_0"]]
    full = lambda c: list(c) + [1] * (4 - len(c))
    if kind == "ramp":
        keys = e["color"]["base"]["gradient"]["keys"]
        same("colours", [full(k[1]) for k in keys], colors)
        same("times", [k[0] for k in keys], [i / (len(colors) - 1) for i in range(len(colors))])
    else:
        same("colours", [full(c) for c in e["color"]["base"]["oneOf"]], colors)
    if file["birthRate"] == 0:
        spread("burst", emission["bursts"][0]["count"], file["burstCount"], file["burstCountVariation"] / 2)
    events = {"onBirth": "birth", "onDeath": "death", "onUpdate": "frame"}
    for trigger, other in zip(e.get("triggers", []), file["secondarySystems"]):
        same("event", trigger["event"], events[next(iter(other["spawnOccasion"]))])
        vortex(other, emitters, trigger["emitter"])
    same("systems", len(e.get("triggers", [])), len(file["secondarySystems"]))


def effekseer(node, emitters, index):
    e = emitters[index]

    def number(path, standard=0.0):
        found = node.find(path)
        return float(found.text) if found is not None else standard

    def limits(path, standard=0.0):
        return number(path + "/Min", number(path + "/Center", standard)), number(path + "/Max", number(path + "/Center", standard))

    def both(what, found, path, factor=1.0, standard=0.0):
        for side, a, b in zip(("low", "high"), ends(found), limits(path, standard)):
            same(f"{what} {side}", a, b * factor)

    same("name", e["name"], node.find("Name").text)
    both("lifetime", e.get("lifetime", 1), "CommonValues/Life", 1 / 60)
    frames = number("CommonValues/GenerationTime/Center", 1)
    most = number("CommonValues/MaxGeneration/Value", 1)
    emission = e.get("emission", {})
    if frames:
        same("rate", emission["rate"], 60 / frames)
        same("total", emission["total"], most)
    else:
        same("burst", emission["bursts"][0]["count"], most)
    if node.find("CommonValues/GenerationTimeOffset") is not None:
        both("delay", e["timing"]["delay"], "CommonValues/GenerationTimeOffset", 1 / 60)
    if number("LocationValues/Type") == 1:
        velocity = [number(f"LocationValues/PVA/Velocity/{a}/Center") * 60 for a in "XYZ"]
        same("speed", e["launch"]["speed"], math.dist(velocity, [0, 0, 0]))
        vector = (e["launch"]["direction"].get("vector", [0, 1]) + [0])[:3]
        for a, b in zip(vector, velocity):
            same("direction", a / math.dist(vector, [0, 0, 0]), b / math.dist(velocity, [0, 0, 0]))
        gravity = e["forces"][0]["vector"]
        for axis, a in zip("XYZ", gravity):
            same("acceleration", a, number(f"LocationValues/PVA/Acceleration/{axis}/Center") * 3600)
        low, high = limits("LocationValues/PVA/Location/X")
        same("width", e["shape"]["size"][0], high - low)
        same("y", e["shape"]["transform"]["translation"][1], number("LocationValues/PVA/Location/Y/Center"))
    if number("RotationValues/Type") == 1:
        both("rotation", e["rotation"]["angle"], "RotationValues/PVA/Rotation/Z")
        both("spin", e["rotation"]["velocity"], "RotationValues/PVA/Velocity/Z", 60)
    if number("ScalingValues/Type") == 1:
        both("size", e["size"]["width"], "ScalingValues/PVA/Scale/X")
    if node.find("RendererCommonValues") is not None:
        modes = ["replace", "alpha", "add", "subtract", "multiply"]
        same("blend", e["render"]["blend"]["mode"], modes[int(number("RendererCommonValues/AlphaBlend", 1))])
        share = number("RendererCommonValues/FadeOut/Frame") / number("CommonValues/Life/Center")
        same("fade", e["color"]["opacity"]["curve"]["keys"][-2:], [[1 - share, 1], [1, 0]])
    fixed = node.find("DrawingValues/Sprite/ColorAll_Fixed")
    if fixed is not None:
        color = (e["color"]["base"] + [1])[:4]
        for a, b in zip(color, [float(fixed.find(c).text) / 255 for c in "RGBA"]):
            same("colour", a, b)
    children = node.findall("Children/Node")
    same("nodes", len(e.get("triggers", [])), len(children))
    for trigger, child in zip(e.get("triggers", []), children):
        effekseer(child, emitters, trigger["emitter"])


def core_animation(archive, emitters):
    """Cells by Apple's description: ranges are to both sides, the layer multiplies rate, lifetime, velocity, scale and
    spin, y points down and angles are clockwise."""
    objects, d = archive["$objects"], math.degrees
    follow = lambda v: objects[v.data] if isinstance(v, plistlib.UID) else v
    pair = lambda v: [float(x) for x in follow(next(v[k] for k in v if k.startswith("NS.") and k.endswith("val"))).strip("{}").split(",")]

    def cells(owner):
        return [follow(c) for c in follow(owner["emitterCells"])["NS.objects"]] if "emitterCells" in owner else []

    def cell(file, index, layer):
        e = emitters[index]
        get = lambda key, standard=0.0: file.get(key, standard)
        by = lambda key: layer.get(key, 1)
        same("name", e["name"], follow(file["name"]))
        same("rate", e["emission"]["rate"], get("birthRate") * by("birthRate"))
        spread("lifetime", e["lifetime"], get("lifetime") * by("lifetime"), get("lifetimeRange") * by("lifetime"))
        spread("speed", e["launch"]["speed"], get("velocity") * by("velocity"), get("velocityRange") * by("velocity"))
        same("angle", e["launch"].get("direction", {}).get("angle", 90) % 360, -d(get("emissionLongitude")) % 360)
        same("spread", e["launch"].get("spread", 0), d(get("emissionRange")) / 2)
        same("gravity", [f["vector"][1] for f in e.get("forces", [])], [-file[k] for k in ["yAcceleration"] if k in file])
        size = e["size"]["width"] if isinstance(e["size"]["width"], dict) else {"from": e["size"]["width"]}
        spread("size", size if "min" in size else size["from"], get("scale", 1) * by("scale"), get("scaleRange") * by("scale"))
        same("growth", size.get("rate", 0), get("scaleSpeed"))
        spread("spin", e.get("rotation", {}).get("velocity", 0), -d(get("spin") * by("spin")), d(get("spinRange") * by("spin")))
        same("fade", e["color"]["base"]["rate"][3], get("alphaSpeed"))
        same("delay", e.get("timing", {}).get("delay", 0), get("beginTime"))
        same("duration", e.get("timing", {}).get("duration"), file.get("duration"))
        same("cells", len(e.get("triggers", [])), len(cells(file)))
        for trigger, inner in zip(e.get("triggers", []), cells(file)):
            same("interval", trigger["interval"], 1 / inner["birthRate"])
            cell(inner, trigger["emitter"], {})

    layer = follow(archive["$top"]["root"])
    e = emitters[0]
    same("blend", e["render"]["blend"]["mode"], "add" if follow(layer["renderMode"]) == "additive" else "alpha")
    same("shape", e["shape"]["type"], {"rectangle": "rect"}[follow(layer["emitterShape"])])
    same("placement", e["shape"]["placement"], {"outline": "edge"}[follow(layer["emitterMode"])])
    same("size", e["shape"]["size"][:2], pair(follow(layer["emitterSize"])))
    x, y = pair(follow(layer["emitterPosition"]))
    same("place", e["transform"]["translation"][:2], [x, -y])
    for index, file in enumerate(cells(layer)):
        cell(file, index, layer)


path, document = sys.argv[1:3]
emitters = json.load(open(document))["emitters"]
if path.endswith(".plist"):
    core_animation(plistlib.load(open(path, "rb")), emitters)
elif path.endswith(".json"):
    vortex(json.load(open(path)), emitters, 0)
else:
    for index, node in enumerate(ET.parse(path).findall("Root/Children/Node")):
        effekseer(node, emitters, index)
print(count, "values")
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
