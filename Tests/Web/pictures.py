#!/usr/bin/env python3
"""Compares pictures of the player with pictures of `particles render`: all templates, and effects of a folder.

    python3 Tests/Web/pictures.py --tool .build/particles --module particles.wasm [--corpus FOLDER] [--count 60]
        [--pictures FOLDER]   keeps screenshots: the tool, WebGL, and their difference times 8, at three times
"""

import argparse, json, pathlib, subprocess, sys, tempfile
from browser import browser, server

# Of these, two are no whole number of steps.
TIMES = (0.4, 1.03, 2.47)
SIZE = 192
BACKGROUND = "#12121a"
# The greatest mean differences, of 255: for all effects, and for one effect at one time.
MEAN, MOST = 0.1, 1.5
ENDINGS = {".pex", ".plist", ".sks", ".scnp", ".json", ".tscn", ".p", ".particlefx"}


def particles(tool, *arguments):
    return subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def effects(tool, corpus, count, folder):
    """Packages of all templates, and of effects that are spread over the corpus."""
    for line in particles(tool, "templates").stdout.splitlines():
        name = line.split()[0]
        package = folder / f"{name}.particles"
        particles(tool, "new", package, "--template", name)
        if package.exists(): yield name, package
    if not corpus: return
    by_format = {}
    for path in sorted(pathlib.Path(corpus).rglob("*")):
        if path.suffix in ENDINGS and path.is_file(): by_format.setdefault(path.relative_to(corpus).parts[0], []).append(path)
    found = 0
    for turn in range(40):
        for name, paths in by_format.items():
            if found >= count or turn >= len(paths): continue
            # Spread over the files of the format.
            path = paths[(turn * 7919) % len(paths)]
            package = folder / f"{name}-{turn}.particles"
            if package.exists(): continue
            particles(tool, "convert", path, "-o", package)
            if not package.exists(): continue
            found += 1
            yield f"{name}/{path.name}", package


def pictures(tool, package):
    """The input for the page, or None if the tool draws nothing."""
    # The camera that the tool finds for one moment, stated for all.
    result = particles(tool, "render", package, "-o", package.with_suffix(".png"), "--at", TIMES[1], "--size", SIZE, "--background", BACKGROUND, "--json")
    if result.returncode: return None
    moments, camera = [], json.loads(result.stdout)["files"][0]["camera"]
    for time in TIMES:
        picture = package.with_name(f"{package.stem}-{time}.png")
        particles(tool, "render", package, "-o", picture, "--at", time, "--size", SIZE, "--background", BACKGROUND, "--camera", json.dumps(camera))
        if not picture.exists(): return None
        moments.append({"time": time, "picture": f"/effects/{picture.name}"})
    red, green, blue = (int(BACKGROUND[at:at + 2], 16) / 255 for at in (1, 3, 5))
    return {"effect": f"/effects/{package.name}", "camera": camera, "background": [red, green, blue], "size": SIZE, "moments": moments}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=".build/particles")
    parser.add_argument("--module", default=".build/web/particles.wasm")
    parser.add_argument("--corpus")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    failures, means, exact, empty = 0, [], [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "module.wasm").write_bytes(pathlib.Path(options.module).read_bytes())
        with server({"/effects/": folder, "/module.wasm": folder / "module.wasm"}) as address, browser() as chromium:
            page = chromium.new_page(viewport={"width": 9 * SIZE + 300, "height": 2000})
            page.goto(address + "/Tests/Web/blank.html")
            rows = 0

            def screenshot():
                if options.pictures: page.screenshot(path=options.pictures / f"pictures-{len(means):03}.png", full_page=True)
                page.evaluate("async () => (await import('/Tests/Web/pictures-page.mjs')).clear()")

            if options.pictures: options.pictures.mkdir(parents=True, exist_ok=True)
            for name, package in effects(options.tool, options.corpus, options.count, folder):
                job = pictures(options.tool, package)
                if not job:
                    print(f"skipped {name}: the tool draws nothing")
                    continue
                try:
                    found = page.evaluate("async (job) => (await import('/Tests/Web/pictures-page.mjs')).comparePictures(job)", {**job, "name": name})
                except Exception as error:
                    print(f"FAILED {name}: {str(error).splitlines()[0]}")
                    failures += 1
                    continue
                worst = max(moment["mean"] for moment in found)
                failures += worst > MOST
                means += [moment["mean"] for moment in found]
                exact += [moment["exact"]["mean"] for moment in found]
                empty += all(moment["count"] == 0 for moment in found)
                print(f"{'FAILED ' if worst > MOST else ''}{name}: mean " + ", ".join(f"{moment['mean']:.3f}" for moment in found)
                      + "; most " + ", ".join(str(moment["most"]) for moment in found)
                      + "; rasteriser " + ", ".join(f"{moment['exact']['mean']:.3f}" for moment in found)
                      + "; quads " + ", ".join(str(moment["count"]) for moment in found)
                      + "; calls " + ", ".join(str(moment["calls"]) for moment in found), flush=True)
                rows += 1
                if rows % 8 == 0: screenshot()
            screenshot()
    mean = sum(means) / max(1, len(means))
    print(f"{len(means)} pictures of {len(means) // len(TIMES)} effects ({empty} without quads): mean difference {mean:.3f} of 255, "
          f"at most {max(means, default=0):.3f}; of the rasteriser {sum(exact) / max(1, len(exact)):.4f}")
    if mean > MEAN or not means: failures += 1
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
