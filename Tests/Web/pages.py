#!/usr/bin/env python3
"""What the tool writes for the web: the page of an effect and a catalogue, opened from files, and the npm package.

    python3 Tests/Web/pages.py [--tool .build/particles] [--pictures FOLDER]
"""

import argparse, json, pathlib, re, shutil, subprocess, sys, tempfile
from browser import ROOT, browser, server

TEMPLATES = ("fire", "smoke", "snow", "sparks", "magic", "explosion")
failures = []


def check(condition, text):
    print("ok" if condition else "FAILED", text, flush=True)
    if not condition: failures.append(text)


def opened(chromium, place):
    page = chromium.new_page(viewport={"width": 800, "height": 600})
    page.problems, page.requests = [], []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda message: page.problems.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: page.requests.append(request.url))
    page.goto(place)
    return page


def until(page, condition, most=20):
    """Waits. The policies of the pages do not permit to evaluate texts, as waiting for a function would."""
    for _ in range(most * 10):
        if condition(): return True
        page.wait_for_timeout(100)
    return False


def outside(page):
    """Requests for anything but the page and its worker."""
    return [url for url in page.requests[1:] if not url.startswith("blob:")]


def page_of_effect(chromium, tool, folder, pictures):
    path = folder / "fire.html"
    subprocess.run([tool, "render", "-q", folder / "fire.particles", "-o", path, "--background", "#12121a"], check=True)
    size = path.stat().st_size - (folder / "fire.particles").stat().st_size * 4 // 3
    # The module is most of the size, with the names and bounds of properties, by which it refuses wrong changes.
    check(size <= 547_000, f"the page has {size} bytes beside its images, at most 547,000")
    page = opened(chromium, path.as_uri())
    time = lambda: page.evaluate("() => document.getElementById('effect').currentTime")
    check(until(page, lambda: time() > 0.5), f"plays from a file: {page.problems}")
    check(page.evaluate("() => customElements.get('particles-effect').usesWorker"), "simulates in a worker")
    check(not outside(page), f"no request but the page: {page.requests}")
    check(page.title() == "fire", "title")
    if pictures: page.screenshot(path=pictures / "page.png")
    page.click("#play")
    page.wait_for_timeout(200)
    before = time()
    page.wait_for_timeout(200)
    check(time() == before and page.text_content("#play") == "Play", "pauses")
    page.click("#step")
    check(until(page, lambda: abs(time() - before - 1 / 60) < 1e-6), "steps")
    page.click("#restart")
    check(until(page, lambda: time() == 0), "restarts")
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press(" ")
    check(until(page, lambda: time() > 0.1 and page.text_content("#play") == "Pause"), "plays by the space bar")
    page.select_option("#speed", "2")
    page.select_option("#background", "#ededf2")
    page.select_option("#profile", "starling")
    page.wait_for_timeout(200)
    check(until(page, lambda: time() > 0.1), "another engine")
    color = page.evaluate("() => [...document.getElementById('effect').context.getImageData(1, 1, 1, 1).data]")
    check(color == [0xED, 0xED, 0xF2, 255], f"background {color}")
    check(page.is_hidden("#message"), f"no message: {page.text_content('#message')}")
    check(not page.problems, f"no errors in the console: {page.problems}")
    if pictures: page.screenshot(path=pictures / "page-light.png")
    page.close()

    text = path.read_text()
    check("worker-src blob:" in text, "the policy permits a worker")
    path.write_text(text.replace("worker-src blob:", "worker-src 'none'"))
    page = opened(chromium, path.as_uri())
    check(until(page, lambda: time() > 0.5), "plays without a worker where the policy permits none")
    check(page.evaluate("() => customElements.get('particles-effect').usesWorker") is False, "on the thread of the page")
    page.close()


def catalog(chromium, tool, folder, pictures):
    path = folder / "catalog.html"
    effects = [folder / f"{name}.particles" for name in TEMPLATES]
    subprocess.run([tool, "catalog", "-q", *effects, "-o", path], check=True)
    still = folder / "still.html"
    subprocess.run([tool, "catalog", "-q", "--still-frames", *effects, "-o", still], check=True)
    text = path.read_text()
    module = len(re.search(r'id="module-data">([^<]*)', text)[1])
    script = len(re.search(r'id="player">(.*?)</script>', text, re.S)[1])
    print(f"a catalogue of {len(TEMPLATES)} effects: {path.stat().st_size:,} bytes, {module:,} of them the module and {script:,} its script; "
          f"with drawn frames {still.stat().st_size:,}")
    page = opened(chromium, path.as_uri())
    look = lambda: page.evaluate("""() => {
      const element = document.querySelector("particles-effect");
      const tile = element?.closest(".tile");
      const canvas = element?.shadowRoot.querySelector("canvas");
      let lit = 0;
      if (canvas && canvas.width > 1) {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        for (let at = 0; at < data.length; at += 4) lit += Math.abs(data[at] - data[0]) + Math.abs(data[at + 1] - data[1]) > 40;
      }
      return { count: document.querySelectorAll("particles-effect, canvas").length, name: tile?.dataset.name, time: element?.currentTime,
        isShown: element && getComputedStyle(element).visibility === "visible", isPaused: element?.paused, lit };
    }""")
    check(look()["count"] == 0, "nothing plays at first")
    if pictures: page.screenshot(path=pictures / "catalog-still.png")
    tiles = page.locator(".tile")
    names = []
    for index in (0, 2, 4):
        tiles.nth(index).hover()
        shown = lambda: (found := look())["isShown"] and found["name"] == tiles.nth(index).get_attribute("data-name")
        check(until(page, shown), f"the effect under the pointer plays: {look()}")
        before = look()
        check(until(page, lambda: look()["time"] > before["time"] + 0.3), f"time passes: {before['time']}")
        check(before["count"] == 1 and until(page, lambda: look()["lit"] > 30), f"one element for all: {look()}")
        names.append(before["name"])
        if pictures: page.screenshot(path=pictures / f"catalog-{index}.png")
    check(len(set(names)) == 3, f"different ones: {names}")
    page.mouse.move(790, 590)
    page.mouse.move(795, 595)
    check(until(page, lambda: not look()["isShown"] and look()["isPaused"]), "it rests without the pointer")
    before = look()["time"]
    page.wait_for_timeout(300)
    check(look()["time"] == before, "and does not simulate")
    tiles.nth(3).locator("summary").first.focus()
    shown = lambda: look()["isShown"] and look()["name"] == tiles.nth(3).get_attribute("data-name")
    check(until(page, shown), f"the effect with the focus plays: {look()}")
    page.evaluate("() => document.activeElement.blur()")
    check(until(page, lambda: not look()["isShown"]), "it rests without the focus")
    check(page.evaluate("() => customElements.get('particles-effect').usesWorker"), "in a worker")
    check(not page.problems and not outside(page), f"no errors and no requests: {page.problems} {page.requests}")
    page.close()
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(path.as_uri())
    page.locator(".tile").first.hover()
    page.wait_for_timeout(800)
    check(page.evaluate("() => !document.querySelector('particles-effect')"), "nothing moves for readers who prefer it so")
    context.close()


def npm_package(chromium, tool, folder, pictures):
    site = folder / "particlekit"
    subprocess.run([tool, "web", "-q", site], check=True)
    with server({"/site/": site}) as address:
        page = opened(chromium, address + "/site/example.html")
        shown = lambda: page.evaluate("() => Number.parseInt(document.getElementById('message').value)")
        check(until(page, lambda: (shown() or 0) > 20), f"the example plays: {page.text_content('#message')}")
        check(page.evaluate("() => customElements.get('particles-effect').usesWorker"), "in a worker that is a module")
        before = shown()
        page.evaluate("() => { const rate = document.getElementById('rate'); rate.value = 300; rate.dispatchEvent(new Event('input')); }")
        check(until(page, lambda: shown() > before * 1.5), f"its rate changes: {before} to {shown()}")
        page.click("#toggle")
        check(page.text_content("#toggle") == "Play", "it pauses")
        check(not page.problems, f"no errors: {page.problems}")
        if pictures: page.screenshot(path=pictures / "example.png")
        page.close()
    if shutil.which("npm"):
        run = subprocess.run(["npm", "pack", "--dry-run", "--json"], cwd=site, capture_output=True, text=True)
        found = json.loads(run.stdout)[0] if run.returncode == 0 else {}
        names = {file["path"] for file in found.get("files", [])}
        check(names == {str(path.name) for path in site.iterdir()}, f"npm packs everything: {len(names)} files, {found.get('size'):,} bytes; {run.stderr[-200:] if run.returncode else ''}")
    else:
        print("skipped npm pack: npm is not installed")
    project = folder / "project"
    (project / "node_modules").mkdir(parents=True)
    (project / "node_modules/particlekit").symlink_to(site)
    (project / "use.mjs").write_text("""
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Effect, ParticlesModule, readEffect } from "particlekit";
import * as element from "particlekit/element.js";
const place = createRequire(import.meta.url).resolve("particlekit/particles.wasm");
const module = await ParticlesModule.load(new Uint8Array(readFileSync(place)));
const { text, images } = await readEffect(new Uint8Array(readFileSync(place.replace("particles.wasm", "example.particles"))));
const effect = new Effect(module, text, { seed: 7 });
for (const [index, image] of images) effect.setImage(index, image);
for (let frame = 0; frame < 60; frame++) effect.advance(1 / 60);
console.log(effect.count, effect.column(0, 0).length, typeof element.ParticlesEffectElement);
""")
    run = subprocess.run(["node", "use.mjs"], cwd=project, capture_output=True, text=True)
    check(re.match(r"^(\d{2,}) \d{2,} function$", run.stdout.strip() or "-"), f"a program in node imports it by its name: {run.stdout}{run.stderr[-500:]}")
    types(project)


def types(project):
    """TypeScript reads the types, and programs that use them: by the name of the package, by address, and in JSX."""
    compiler = shutil.which("tsc")
    if not compiler:
        print("skipped the types: TypeScript is not installed (package node-typescript)")
        return
    (project / "use.mts").write_text((ROOT / "Tests/Web/types.ts").read_text())
    arguments = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom,dom.iterable"]
    run = subprocess.run([compiler, *arguments, "use.mts"], cwd=project, capture_output=True, text=True)
    check(run.returncode == 0, f"TypeScript accepts the types and their use {run.stdout}")
    wrong = (project / "use.mts").read_text().replace("seed: 7", "seed: {}")
    (project / "wrong.mts").write_text(wrong)
    run = subprocess.run([compiler, *arguments, "wrong.mts"], cwd=project, capture_output=True, text=True)
    check(run.returncode != 0 and "TS2322" in run.stdout, "and refuses a wrong one")
    # As the README writes it: the folder beside the page, without a package.
    (project / "particlekit").symlink_to(project / "node_modules/particlekit")
    address = (project / "use.mts").read_text().replace('"particlekit"', '"./particlekit/index.js"').replace('"particlekit/', '"./particlekit/')
    (project / "address.ts").write_text(address)
    plain = ["--noEmit", "--strict", "--target", "es2022", "--module", "es2022", "--moduleResolution", "node", "--lib", "es2022,dom,dom.iterable"]
    run = subprocess.run([compiler, *plain, "address.ts"], cwd=project, capture_output=True, text=True)
    check(run.returncode == 0 and "./particlekit/element.js" in address, f"also by address {run.stdout}")
    # React 18 has a global JSX, React 19 one of its own.
    react = project / "node_modules/react"
    react.mkdir()
    (react / "index.d.ts").write_text("export namespace JSX { interface IntrinsicElements {} }\n")
    (react / "jsx-runtime.d.ts").write_text('export { JSX } from "react";\nexport function jsx(type: string, values: object): unknown;\nexport const jsxs: typeof jsx;\n')
    (project / "react.d.ts").write_text(re.search(r"```ts\n(.*?)```", (ROOT / "Sources/ParticlesWeb/Player/README.md").read_text(), re.DOTALL)[1])
    element = 'import "particlekit/element.js";\nexport const fire = <particles-effect src="fire.particles" autoplay loop class="tall" speed={2} />;\n'
    (project / "fire.tsx").write_text(element)
    (project / "wrong.tsx").write_text(element.replace('src="fire.particles"', "src={3}"))
    for name, more in (("the global JSX", ["--jsx", "preserve"]), ("React 19", ["--jsx", "react-jsx", "react.d.ts"])):
        run = subprocess.run([compiler, *plain, *more, "fire.tsx"], cwd=project, capture_output=True, text=True)
        check(run.returncode == 0, f"TypeScript accepts the element in {name} {run.stdout}")
        run = subprocess.run([compiler, *plain, *more, "wrong.tsx"], cwd=project, capture_output=True, text=True)
        check(run.returncode != 0 and "TS2322" in run.stdout, f"and refuses a wrong attribute in {name} {run.stdout}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=".build/particles")
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=["page", "catalog", "package"])
    options = parser.parse_args()
    if options.pictures: options.pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, browser() as chromium:
        folder = pathlib.Path(name)
        for template in TEMPLATES:
            subprocess.run([options.tool, "new", "-q", folder / f"{template}.particles", "--template", template], check=True)
        if "page" in options.only: page_of_effect(chromium, options.tool, folder, options.pictures)
        if "catalog" in options.only: catalog(chromium, options.tool, folder, options.pictures)
        if "package" in options.only: npm_package(chromium, options.tool, folder, options.pictures)
    for text in failures: print("FAILED", text)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
