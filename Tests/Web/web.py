#!/usr/bin/env python3
"""The player with the module in Chromium: effects beside each other, long runs and bad input.

    python3 Tests/Web/web.py [--tool .build/particles] [--module particles.wasm] [--frames 36000] [--pictures FOLDER]
"""

import argparse, json, pathlib, subprocess, sys, tempfile
from browser import ROOT, browser, server

TEMPLATES = ("fire", "smoke", "snow", "sparks", "magic", "explosion", "galaxy", "fountain")
# Milliseconds for which a frame of bad input may keep the page busy, with a worker and without, and bytes of the module's memory.
BUSIEST, MEMORY = {True: 50, False: 100}, 300 << 20
failures = []


def check(condition, text):
    print("ok" if condition else "FAILED", text, flush=True)
    if not condition: failures.append(text)


def run(page, function, *values):
    return page.evaluate(
        "async ([name, values]) => (await import('/Tests/Web/web-page.mjs'))[name](...values)", [function, list(values)])


def together(page, pictures, has_worker):
    run(page, "useWorker", has_worker)
    found = run(page, "playTogether", [f"/effects/{name}.particles" for name in TEMPLATES], 6)
    print(json.dumps(found))
    check(found["usesWorker"] == has_worker and found["hosts"] == 1, f"they share one {'worker' if has_worker else 'module'}")
    check(not found["faults"], "eight effects play without errors")
    check(min(found["frames"]) >= 15, f"each has frames: {found['frames']}")
    check(min(found["lit"]) > 20, f"each shows something: {found['lit']} pixels")
    check(min(found["times"]) > 0.5, "time passes in each")
    if pictures: page.screenshot(path=pictures / "eight.png")
    left = run(page, "removeAll")
    check(left == {"members": 0, "hasContext": False, "hasWorker": False}, "everything is given back")


def long(page, frames):
    for name in ("fire", "explosion"):
        found = run(page, "endure", f"/effects/{name}.particles", frames)
        print(json.dumps(found))
        marks = found["marks"]
        check(marks[-1]["memory"] == marks[1]["memory"], f"{name}: the module's memory is flat over {frames} frames: {marks[-1]['memory'] >> 10} KiB")
        check(marks[-1]["heap"] < marks[1]["heap"] + (4 << 20), f"{name}: the heap is flat: {[mark['heap'] >> 10 for mark in marks]} KiB")
    found = run(page, "createOften", "/effects/fire.particles", 400)
    check(found["marks"][-1] == found["marks"][0], f"memory is flat over 400 effects: {found['marks']}; created in {found['median']:.2f} ms")


def bad_documents(document):
    """Documents that ask for too much, contradict themselves, or are no JSON."""
    def changed(change):
        copy = json.loads(document)
        change(copy["emitters"][0], copy)
        return json.dumps(copy)
    yield "1e9 particles a second", changed(lambda emitter, _: emitter.update(emission={"rate": 1e9}, lifetime={"min": 100, "max": 100}))
    yield "1e300 particles a second", changed(lambda emitter, _: emitter.update(emission={"rate": 1e300}))
    yield "a life of 1e300 s", changed(lambda emitter, _: emitter.update(lifetime={"min": 1e300, "max": 1e300}))
    yield "a burst of 1e9", changed(lambda emitter, _: emitter["emission"].update(bursts=[{"time": 0, "count": 1000000000}]))
    yield "a negative rate", changed(lambda emitter, _: emitter.update(emission={"rate": -5}))
    yield "a size of 1e30", changed(lambda emitter, _: emitter.update(size={"width": {"to": 1e30}}))
    yield "an angle of 1e13", changed(lambda emitter, _: emitter.update(rotation={"angle": 1e13}))
    yield "an emitter that triggers itself", changed(
        lambda emitter, _: emitter.update(triggeredBy=[{"event": "death", "emitter": 0, "count": 10}]))
    yield "2000 emitters", changed(lambda emitter, whole: whole.update(emitters=[emitter] * 2000))
    yield "a sprite without image", changed(lambda _, whole: whole.update(sprites=[{"image": 99}]))
    yield "NaN", document.replace('"rate": 95', '"rate": NaN')
    yield "a number of 1e999", document.replace('"rate": 95', '"rate": 1e999')
    yield "a text for a number", document.replace('"rate": 95', '"rate": "fast"')
    yield "nested arrays", "[" * 100000
    yield "an array", "[]"
    yield "null", "null"
    yield "half of a document", document[:len(document) // 2]
    yield "a text of one character", "{"


def bad(page, folder, package, document, has_worker):
    run(page, "useWorker", has_worker)
    inputs = []

    def add(name, data):
        place = folder / f"bad-{len(inputs)}"
        place.write_bytes(data)
        inputs.append({"name": name, "place": f"/effects/{place.name}"})

    for name, text in bad_documents(document): add(name, text.encode())
    data = package.read_bytes()
    for share in (0, 0.01, 0.3, 0.7, 0.99): add(f"cut at {share:.0%}", data[:int(len(data) * share)])
    for place in range(3, len(data), max(1, len(data) // 40)):
        add(f"byte {place} changed", data[:place] + bytes([data[place] ^ 0x11]) + data[place + 1:])
    for path in sorted((ROOT / "Fixtures/crashers").rglob("*")):
        if path.is_file() and path.stat().st_size < 4 << 20: add(f"crashers/{path.name}", path.read_bytes())
    for path in sorted((ROOT / "Fixtures/rules").glob("*/*.particles")): add(f"rules/{path.name}", path.read_bytes())
    found = run(page, "loadBad", inputs, "/effects/snow.particles")
    # Other programs may take the processor for a moment: a frame is too long if it is so three times.
    for _ in range(2):
        slow = {result["name"] for result in found["results"] if result["busiest"] > BUSIEST[has_worker]}
        if not slow: break
        again = run(page, "loadBad", [entry for entry in inputs if entry["name"] in slow], "/effects/snow.particles")
        shorter = {result["name"]: result["busiest"] for result in again["results"]}
        for result in found["results"]: result["busiest"] = min(result["busiest"], shorter.get(result["name"], result["busiest"]))
    for result in found["results"]:
        isBad = result["busiest"] > BUSIEST[has_worker] or result["memory"] > MEMORY or result["code"] in ("particles/module", "particles/hanging") or not (result["isReady"] or result["code"])
        if isBad or "--verbose" in sys.argv or not result["name"].startswith(("byte", "crashers", "rules")):
            print(f"{'FAILED ' if isBad else ''}{result['name']}: {result['text'] or 'plays'}; loaded in {result['loading']:.0f} ms, a frame keeps the page busy for "
                  f"{result['busiest']:.0f} ms, and comes after {result['longest']:.0f} ms, {result['alive']} alive, {result['memory'] >> 20} MiB {result['warnings'][:1]}")
        if isBad: failures.append(result["name"])
    errors = sum(1 for result in found["results"] if result["code"])
    check(errors > 60, f"{errors} of {len(inputs)} bad inputs are errors with codes, the others play")
    print(f"busiest frame: {max(result['busiest'] for result in found['results']):.0f} ms, {'with' if has_worker else 'without'} a worker")
    check(found["goesOn"], f"the other effect of the page goes on {found['error']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=".build/particles")
    parser.add_argument("--module", default=".build/web/particles.wasm")
    parser.add_argument("--frames", type=int, default=36000)
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=["together", "rate", "bad", "long"])
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.pictures: options.pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "module.wasm").write_bytes(pathlib.Path(options.module).read_bytes())
        for template in TEMPLATES:
            subprocess.run([options.tool, "new", "-q", folder / f"{template}.particles", "--template", template], check=True)
        fire = folder / "fire.particles"
        document = subprocess.run([options.tool, "extract", fire, "document.json"], capture_output=True, text=True, check=True).stdout
        with server({"/effects/": folder, "/module.wasm": folder / "module.wasm"}) as address, browser(args=["--js-flags=--expose-gc", "--enable-precise-memory-info"]) as chromium:
            def opened():
                page = chromium.new_page(viewport={"width": 1000, "height": 800})
                page.set_default_timeout(600_000)
                page.on("pageerror", lambda error: check(False, f"page error: {error}"))
                page.goto(address + "/Tests/Web/blank.html")
                return page
            if "together" in options.only:
                for has_worker in (False, True): together(opened(), options.pictures, has_worker)
            if "rate" in options.only:
                found = run(opened(), "setRate", "/effects/fire.particles", "emitters[0].emission.rate")
                print(json.dumps(found))
                check(found["after"] > found["before"] * 1.8, f"a rate of 600: {found['before']} particles become {found['after']}")
                check(found["isKept"] and found["goesOn"], "the view stays")
                check(found["fault"] and found["fault"]["code"] and "emitters[99]" in found["fault"]["place"], f"a path that is none: {found['fault']}")
            if "bad" in options.only:
                for has_worker in (True, False): bad(opened(), folder, fire, document, has_worker)
            if "long" in options.only: long(opened(), options.frames)
    for text in failures: print("FAILED", text)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
