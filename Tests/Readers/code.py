"""Compares the values in written source code with the values of a document.

    code.py DOCUMENT.json NAME=FILE...

NAME is the name of the format. The document has one emitter of plain values. Each is computed here from the document, in
the units of the engine, and is searched in the text. Ends with status 1 after a list of missing values."""
import json
import math
import re
import sys

NUMBER = r"(-?[0-9.]+(?:e[-+]?[0-9]+)?)f?"
RAD = math.pi / 180


def ends(v):
    return (v, v) if isinstance(v, (int, float)) else (v["min"], v["max"])


def middle(v):
    return sum(ends(v)) / 2


def half(v):
    return (ends(v)[1] - ends(v)[0]) / 2


def expected(name, e, scale):
    """Pairs of a pattern, whose groups are numbers, and these numbers."""
    life, speed, spin = e["lifetime"], e["launch"]["speed"], e["rotation"]["velocity"]
    turn, rate = e["rotation"]["angle"], e["emission"]["rate"]
    angle, spread = e["launch"].get("direction", {}).get("angle", 90), e["launch"]["spread"]
    gx, gy = [g * scale for g in e["forces"][0]["vector"][:2]]
    color, size = e["color"]["base"], e["size"]["width"] * scale
    w, h = [s * scale for s in e["shape"]["size"]]
    s0, s1 = [s * scale for s in ends(speed)]
    n = lambda count: ", ".join([NUMBER] * count)
    if name == "swift-spritekit":
        p = lambda key: r"\.%s = %s\n" % (key, NUMBER)
        return [
            (p("particleBirthRate"), [rate]), (p("particleLifetime"), [middle(life)]),
            (p("particleLifetimeRange"), [2 * half(life)]), (p("particleSpeed"), [(s0 + s1) / 2]),
            (p("particleSpeedRange"), [s1 - s0]), (p("emissionAngle"), [angle * RAD]),
            (p("emissionAngleRange"), [2 * spread * RAD]), (p("xAcceleration"), [gx]), (p("yAcceleration"), [gy]),
            (p("particleRotation"), [middle(turn) * RAD]), (p("particleRotationRange"), [2 * half(turn) * RAD]),
            (p("particleRotationSpeed"), [spin * RAD]),
            (r"particlePositionRange = CGVector\(dx: %s, dy: %s\)" % (NUMBER, NUMBER), [w, h]),
            (r"SKColor\(red: %s, green: %s, blue: %s, alpha: %s\)" % ((NUMBER,) * 4), color),
            (r"particleBlendMode = \.(add)\n", None)]
    if name == "swift-scenekit":
        p = lambda key: r"\.%s = %s\n" % (key, NUMBER)
        return [
            (p("birthRate"), [rate]), (p("particleLifeSpan"), [middle(life)]),
            (p("particleLifeSpanVariation"), [2 * half(life)]), (p("particleVelocity"), [(s0 + s1) / 2]),
            (p("particleVelocityVariation"), [s1 - s0]), (p("spreadingAngle"), [2 * spread]),
            (r"emittingDirection = SCNVector3\(%s\)" % n(3), [math.cos(angle * RAD), math.sin(angle * RAD), 0]),
            (r"acceleration = SCNVector3\(%s\)" % n(3), [gx, gy, 0]), (p("particleSize"), [size]),
            (p("particleAngle"), [middle(turn)]), (p("particleAngleVariation"), [2 * half(turn)]),
            (p("particleAngularVelocity"), [spin]),
            (r"SCNPlane\(width: %s, height: %s\)" % (NUMBER, NUMBER), [w, h]),
            (r"SKColor\(red: %s, green: %s, blue: %s, alpha: %s\)" % ((NUMBER,) * 4), color)]
    if name == "swift-caemitter":
        p = lambda key: r"cell\.%s = %s\n" % (key, NUMBER)
        return [
            (p("birthRate"), [rate]), (p("lifetime"), [middle(life)]), (p("lifetimeRange"), [half(life)]),
            (p("velocity"), [(s0 + s1) / 2]), (p("velocityRange"), [(s1 - s0) / 2]),
            (p("emissionLongitude"), [-angle * RAD]), (p("emissionRange"), [2 * spread * RAD]),
            (p("xAcceleration"), [gx]), (p("yAcceleration"), [-gy]), (p("spin"), [-spin * RAD]),
            (p("scale"), [size / 32]),
            (r"emitterSize = CGSize\(width: %s, height: %s\)" % (NUMBER, NUMBER), [w, h]),
            (r"renderMode = \.(additive)\n", None),
            (r"CGColor\(red: %s, green: %s, blue: %s, alpha: %s\)" % ((NUMBER,) * 4), color)]
    if name == "swift-realitykit":
        p = lambda key: r"component\.%s = %s\n" % (key, NUMBER)
        m = lambda key: p("mainEmitter." + key)
        return [
            (m("birthRate"), [rate]), (m("lifeSpan"), [middle(life)]), (m("lifeSpanVariation"), [half(life)]),
            (p("speed"), [(s0 + s1) / 2]), (p("speedVariation"), [(s1 - s0) / 2]),
            (r"emissionDirection = \[%s\]" % n(3), [math.cos(angle * RAD), math.sin(angle * RAD), 0]),
            (m("spreadingAngle"), [spread * RAD]), (r"acceleration = \[%s\]" % n(3), [gx, gy, 0]),
            (m("size"), [size]), (m("angle"), [middle(turn) * RAD]), (m("angleVariation"), [half(turn) * RAD]),
            (m("angularSpeed"), [spin * RAD]), (r"emitterShapeSize = \[%s\]" % n(3), [w, h, 0]),
            (r"blendMode = \.(additive)\n", None),
            (r"red: %s, green: %s, blue: %s, alpha: %s" % ((NUMBER,) * 4), color)]
    if name == "unity-csharp":
        p = lambda key: r"\.%s = %s;" % (key, NUMBER)
        r = lambda key: r"\.%s = new ParticleSystem\.MinMaxCurve\(%s\)" % (key, n(2))
        return [
            (p("rateOverTime"), [rate]), (r("startLifetime"), list(ends(life))), (r("startSpeed"), [s0, s1]),
            (p("startSize"), [size]), (r("startRotation"), sorted([-a * RAD for a in ends(turn)])),
            (r"rotation\.z = %s;" % NUMBER, [-spin * RAD]), (r"force\.x = %s;" % NUMBER, [gx]),
            (r"force\.y = %s;" % NUMBER, [gy]), (p("randomDirectionAmount"), [spread / 180]),
            (r"new Color\(%s\)" % n(4), color), (r"mode (additive)\.", None)]
    assert name == "lua-love", name
    p = lambda key, count: r"system:%s\(%s\)" % (key, n(count))
    return [
        (p("setEmissionRate", 1), [rate]), (p("setParticleLifetime", 2), list(ends(life))),
        (p("setSpeed", 2), [s0, s1]), (p("setDirection", 1), [-angle * RAD]), (p("setSpread", 1), [2 * spread * RAD]),
        (p("setLinearAcceleration", 4), [gx, -gy, gx, -gy]), (p("setSizes", 1), [size / 32]),
        (p("setRotation", 2), sorted([-a * RAD for a in ends(turn)])), (p("setSpin", 2), [-spin * RAD] * 2),
        (r'setEmissionArea\("uniform", %s\)' % n(2), [w / 2, h / 2]), (p("setColors", 4), color),
        (r'return system, "(add)"', None)]


def main():
    emitter = json.load(open(sys.argv[1]))["emitters"][0]
    faults, count = [], 0
    for argument in sys.argv[2:]:
        name, path = argument.split("=", 1)
        text = open(path, encoding="utf-8").read()
        # 100 points are a metre, or a unit of a scene.
        scale = 0.01 if name in ("swift-scenekit", "swift-realitykit", "unity-csharp") else 1
        for pattern, numbers in expected(name, emitter, scale):
            found = re.search(pattern, text)
            if not found:
                faults.append(f"{name}: nothing like {pattern}")
            elif numbers is not None:
                for a, b in zip(map(float, found.groups()), numbers):
                    count += 1
                    if abs(a - b) > 1e-5 * (1 + abs(b)):
                        faults.append(f"{name}: {found.group(0).strip()}, expected {b}")
            else:
                count += 1
    print(count, "values")
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


main()
