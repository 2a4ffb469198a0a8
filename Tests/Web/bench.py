#!/usr/bin/env python3
"""The costs of the module beside the native tool on one core, measured in turn, so that other work disturbs both:
nanoseconds for each step of a particle, creation, memory for each particle, and sizes.

    python3 Tests/Web/bench.py [--tool .build/particles] [--module .build/web/particles.wasm] [--rounds 5]

The native time is the processor time of `particles simulate` for many frames less the time for few. Statistics are taken in the
last frame only.
"""

import argparse, json, os, pathlib, shutil, subprocess, tempfile
from browser import ROOT

COUNTS = (10_000, 100_000)
# Frames after which as many particles die as are emitted.
FULL = 300
# The least speed of the module, as a share of the native speed. Then milliseconds of creation, bytes, and bytes of columns.
GOALS = {"plain": 0.55, "noise": 0.4, "create": 15, "brotli": 200_000, "columns": 100}


def document(count, has_noise):
    """A fountain of about so many particles: gravity, spin, and tracks of size and colour."""
    emitter = {
        "name": "fountain", "emission": {"rate": count / 3}, "lifetime": {"min": 2, "max": 4},
        "launch": {"speed": {"min": 50, "max": 120}, "spread": 45},
        "forces": [{"type": "gravity", "vector": [3, -60]}],
        "size": {"width": {"from": {"min": 8, "max": 16}, "to": {"min": 4, "max": 8}}},
        "rotation": {"angle": {"min": 0, "max": 360}, "velocity": {"min": -60, "max": 60}},
        "color": {"base": {"from": {"min": [0.8, 0.3, 0, 0.8], "max": [1, 0.7, 0.3, 1]}, "to": {"min": [0.1, 0, 0.3, 0], "max": [0.3, 0, 0.6, 0.2]}}},
    }
    if has_noise: emitter["forces"].append({"type": "noise", "strength": 40, "scale": 50})
    return {"asset": {"version": "1.0", "profile": "neutral"}, "emitters": [emitter]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=".build/particles")
    parser.add_argument("--module", default=".build/web/particles.wasm")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    one_core = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    node = [*one_core, "node", ROOT / "Tests/Web/bench.mjs", options.module]
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for count in COUNTS:
            frames = 10_000_000 // count + 200
            for kind in ("plain", "noise"):
                source, path = folder / f"{kind}-{count}", folder / f"{kind}-{count}.particles"
                source.mkdir()
                text = source / "document.json"
                text.write_text(json.dumps(document(count, kind == "noise")))
                subprocess.run([options.tool, "pack", "-q", source, "-o", path], check=True)

                def native(most):
                    command = [options.tool, "simulate", path, "--frames", str(most), "--every", str(most), "--seeds", "1", "--work", "100", "-o", folder / "out.json", "-f", "-q"]
                    process = subprocess.Popen([*one_core, *map(str, command)])
                    _, status, usage = os.wait4(process.pid, 0)
                    process.returncode = status
                    if status: raise SystemExit(f"{command} has failed")
                    return usage.ru_utime

                best = {"short": 1e9, "long": 1e9, "module": 1e9}
                for _ in range(options.rounds):
                    best["short"], best["long"] = min(best["short"], native(FULL)), min(best["long"], native(FULL + frames))
                    found = json.loads(subprocess.run([*node, text, str(frames), str(FULL)], capture_output=True, text=True, check=True).stdout)
                    best["module"] = min(best["module"], found["nanoseconds"])
                best["native"] = (best["long"] - best["short"]) * 1e9 / frames / found["alive"]
                share = best["native"] / best["module"]
                memory = f"; {found['memory']:.0f} bytes of memory for each" if found["memory"] else ""
                print(f"{count:,} particles, {kind}: native {best['native']:.1f} ns, module {best['module']:.1f} ns for a step of a particle: {share:.2f} (goal {GOALS[kind]}){memory}", flush=True)
                rows.append({"particles": count, "kind": kind, **best, "share": share, "alive": found["alive"]})
        fire = folder / "fire.particles"
        subprocess.run([options.tool, "new", "-q", fire, "--template", "fire"], check=True)
        (folder / "fire.json").write_bytes(subprocess.run([options.tool, "extract", fire, "document.json"], capture_output=True, check=True).stdout)
        found = json.loads(subprocess.run([*node, folder / "fire.json", "0"], capture_output=True, text=True, check=True).stdout)
    print(f"compiled in {found['compile']:.1f} ms; an effect is created in {found['first']:.1f} ms at first, {found['later']:.1f} ms later (goal {GOALS['create']})")
    print(f"sizes: {found['bytes']:,} bytes, gzip {found['gzip']:,}, brotli {found['brotli']:,} (goal {GOALS['brotli']:,})")
    print(json.dumps({"steps": rows, **found}))


if __name__ == "__main__":
    main()
