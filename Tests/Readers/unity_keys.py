"""Counts the keys of particle systems of Unity that differ from their defaults, by module and by their result.

    unity_keys.py PARTICLES FOLDER

PARTICLES is the tool. A default is the value in a new system of Unity. Where that is not listed here, it is the most frequent value in the
folder. Only active modules are counted. A key is lost if the tool reports it as not supported, approximated if it reports that, and exact
otherwise. Prints a table in Markdown. Ends with 2 without PyYAML."""
import collections, json, os, re, subprocess, sys

try:
    import yaml
except ImportError:
    print("PyYAML is missing")
    sys.exit(2)

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Keys that are settings of the editor, of the engine or of the format.
PASSED = {"serializedVersion", "enabled", "m_ObjectHideFlags", "m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset",
          "m_PrefabParentObject", "m_PrefabInternal", "m_GameObject", "m_BurstCount", "autoRandomSeed", "randomSeed", "m_Materials",
          "multiplier", "moveWithCustomTransform", "m_CastShadows", "m_ReceiveShadows", "m_LightProbeUsage", "m_ReflectionProbeUsage",
          "m_MotionVectors", "m_DynamicOccludee", "m_StaticShadowCaster", "m_ProbeAnchor", "m_LightProbeVolumeOverride", "m_ScaleInLightmap",
          "m_RenderingLayerMask", "m_RendererPriority", "m_StaticBatchInfo", "m_StaticBatchRoot", "m_SortingLayerID", "m_SortingLayer",
          "m_SelectedEditorRenderState", "m_AutoUVMaxDistance", "m_AutoUVMaxAngle", "m_LightmapParameters", "m_RayTracingMode",
          "m_UseCustomVertexStreams", "m_VertexStreams", "m_EnableGPUInstancing", "m_IgnoreNormals", "m_StitchLightmapSeams",
          "m_PreserveUVs", "m_ImportantGI", "m_ReceiveGI", "m_LightmapIndex", "m_LightmapTiling", "m_LightmapIndexDynamic"}
STANDARD = {"lengthInSec": 5, "looping": 1, "simulationSpeed": 1, "startLifetime": 5, "startSpeed": 5, "startSize": 1, "startRotation": 0,
            "maxNumParticles": 1000, "gravityModifier": 0, "rateOverTime": 10, "rateOverDistance": 0, "playOnAwake": 1, "startDelay": 0}


def plain(value):
    """A value without the keys of curves that a constant does not use."""
    if isinstance(value, dict):
        if "minMaxState" in value and "scalar" in value:
            state = value["minMaxState"]
            if state == 0:
                return value["scalar"]
            if state == 3 and "serializedVersion" in value:
                return ("range", value.get("minScalar"), value["scalar"])
        return json.dumps({k: plain(v) for k, v in value.items() if k != "serializedVersion"}, sort_keys=True, default=str)
    if isinstance(value, list):
        return json.dumps([plain(v) for v in value], default=str)
    return value


def systems(path):
    text = open(path, encoding="utf-8", errors="replace").read()
    for head, body in re.findall(r"^--- !u!(\d+ &-?\d+[^\n]*)\n(.*?)(?=^--- |\Z)", text, re.S | re.M):
        if head.split()[0] in ("198", "199") and "stripped" not in head:
            yield head.split()[0], next(iter(yaml.load(body, LOADER).values()))


def modules(kind, value):
    """The modules that are on, each with its keys."""
    if kind == "199":
        yield "Renderer", {k: v for k, v in value.items() if k not in PASSED}
        return
    main = {k: v for k, v in value.items() if not isinstance(v, dict) or "enabled" not in v}
    main.update(value.get("InitialModule", {}))
    yield "Main", {k: v for k, v in main.items() if k not in PASSED and k != "InitialModule"}
    for name, module in value.items():
        if isinstance(module, dict) and module.get("enabled") == 1 and name != "InitialModule":
            yield name, {k: v for k, v in module.items() if k not in PASSED}


def main(tool, folder):
    paths = sorted(os.path.join(d, f) for d, _, fs in os.walk(folder) for f in fs if f.endswith((".prefab", ".unity")))
    values = collections.defaultdict(collections.Counter)
    found = []
    for path in paths:
        for kind, value in systems(path):
            for name, keys in modules(kind, value):
                for key, number in keys.items():
                    values[name, key][plain(number)] += 1
                found.append((path, name, keys))
    findings = collections.defaultdict(set)
    for path in paths:
        run = subprocess.run([tool, "convert", path, "-o", "/dev/null.particles", "--dry-run", "--json"], capture_output=True, text=True)
        for file in json.loads(run.stdout).get("files", []):
            for line in file.get("diagnostics", []):
                steps = re.split(r"[.\[]", line.get("key", ""))
                rule = "lost" if line["code"] == "convert/uninterpreted" else "approximated"
                if line["code"] in ("convert/uninterpreted", "convert/approximated", "convert/assumed") and len(steps) > 1:
                    name = steps[1] if steps[1].endswith("Module") or steps[1] == "Renderer" else "InitialModule"
                    name = "Main" if name == "InitialModule" else name
                    key = steps[2] if len(steps) > 2 and name != "Main" else steps[-1] if name == "Main" else ""
                    findings[path, name, key].add(rule)
    counts = collections.defaultdict(collections.Counter)
    for path, name, keys in found:
        for key, value in keys.items():
            standard = STANDARD.get(key, values[name, key].most_common(1)[0][0])
            if plain(value) == standard:
                continue
            rules = findings[path, name, key] | findings[path, name, ""]
            counts[name]["lost" if "lost" in rules else "approximated" if rules else "exact"] += 1
    print("| Module | Keys | Exact | Approximated | Lost |\n|---|---|---|---|---|")
    whole = collections.Counter()
    for name in sorted(counts):
        row = counts[name]
        whole.update(row)
        print(f"| `{name}` | {sum(row.values())} | {row['exact']} | {row['approximated']} | {row['lost']} |")
    total = sum(whole.values())
    print(f"| all | {total} | {whole['exact']} | {whole['approximated']} | {whole['lost']} |")
    print(f"\n{100 * (total - whole['lost']) / total:.1f} % of {total} keys are exact or approximated.", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
