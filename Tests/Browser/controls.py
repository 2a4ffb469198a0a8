#!/usr/bin/env python3
"""The controls of the effect editor in Chromium: each is moved by pointer and by keyboard, and has to ask exactly for its edits.

    python3 Tests/Browser/controls.py [--tool .build/particles] [--pictures FOLDER] [--only PART ...]
"""

import argparse, json, pathlib, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Web"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from browser import ROOT, browser
import controls_page
from controls_curves import CurveParts
from controls_fields import FieldParts
from controls_lists import ListParts
from controls_values import ValueParts

failures = []


def check(condition, text):
    if not condition:
        print("FAILED", text, flush=True)
        failures.append(text)
    return condition


class Controls(FieldParts, ValueParts, CurveParts, ListParts):
    """A page with controls. `log` has their requests to the session since the last look."""

    check = staticmethod(check)

    def __init__(self, chromium, url, pictures):
        self.chromium, self.url, self.pictures = chromium, url, pictures
        self.page = None

    def open(self, width=1280, height=1000, **options):
        if self.page: self.page.context.close()
        context = self.chromium.new_context(viewport={"width": width, "height": height}, locale=options.pop("locale", "en"), **options)
        self.page = context.new_page()
        self.page.set_default_timeout(30000)
        self.faults = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda message: self.faults.append(message.text) if message.type in ("error", "warning") else None)
        self.page.goto(self.url)
        self.page.wait_for_selector("html[data-ready]", state="attached")
        return self.page

    def log(self, count=0):
        """The requests, in order. Waits a while, if their number is given."""
        for _ in range(300):
            if self.page.evaluate("session.log.length") >= count: break
            self.page.wait_for_timeout(20)
        return self.page.evaluate("() => session.log.splice(0)")

    def value(self, key): return self.page.evaluate("(key) => session.value(key) ?? null", key)

    def gesture(self, text, key, value, state="ended"):
        """Expects one gesture that ends with a value."""
        entries = self.log()
        if not check(len(entries) == 1 and "gesture" in entries[0], f"{text}: one gesture, not {json.dumps(entries)[:300]}"): return
        entry = entries[0]
        check(entry["state"] == state, f"{text}: the gesture is {entry['state']}")
        last = entry["changes"][-1] if entry["changes"] else None
        check(last == [{"key": key, "value": value}], f"{text}: expected {key} = {json.dumps(value)}, found {json.dumps(last)[:400]}")

    def edit(self, text, changes):
        """Expects one edit with these changes."""
        entries = self.log()
        if not check(len(entries) == 1 and "edit" in entries[0], f"{text}: one edit, not {json.dumps(entries)[:300]}"): return
        check(entries[0]["changes"] == changes, f"{text}: expected {json.dumps(changes)}, found {json.dumps(entries[0]['changes'])[:500]}")

    def nothing(self, text):
        entries = self.log()
        check(not entries, f"{text}: nothing, not {json.dumps(entries)[:300]}")

    # MARK: Pointer

    def centre(self, selector):
        element = self.page.locator(selector).first
        element.scroll_into_view_if_needed()
        box = element.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, selector, dx, dy=0, keys=(), steps=8, start=None, escape=False):
        """Drags from the middle of an element, in steps."""
        x, y = start or self.centre(selector)
        mouse, keyboard = self.page.mouse, self.page.keyboard
        mouse.move(x, y)
        for key in keys: keyboard.down(key)
        mouse.down()
        mouse.move(x + dx, y + dy, steps=steps)
        if escape: keyboard.press("Escape")
        mouse.up()
        for key in keys: keyboard.up(key)
        self.page.wait_for_timeout(30)

    def row(self, key): return f'effect-inspector .c-row[data-key="{key}"]'

    def section(self, name, whole=True):
        """Opens a section with all of its rows."""
        head = self.page.locator(f'[data-section="{name}"].section-head')
        if head.get_attribute("aria-expanded") == "false": head.click()
        more = self.page.locator(".c-section").filter(has=head).locator(".all")
        if whole and more.count() and more.get_attribute("aria-expanded") == "false": more.click()
        self.log()

    def only(self, *names):
        """Shows these sections and no other, so that nothing scrolls."""
        self.page.evaluate("(names) => { const all = document.querySelector('effect-inspector'); all.opened = new Set(names); all.full = new Set(names); all.fill(); all.scrollTop = 0; session.log.length = 0; }", list(names))

    def shot(self, name):
        if self.pictures: self.page.screenshot(path=self.pictures / f"controls-{name}.png", timeout=60000)

    def finish(self, name): check(not self.faults, f"{name}: no errors in the page: {self.faults[:3]}")

    # MARK: The whole

    def looks(self):
        """Nothing is cut off at any size, in light and dark. axe finds nothing serious."""
        try:
            from axe_playwright_python.sync_playwright import Axe
            axe = Axe()
        except ImportError:
            axe = None
            print("axe-playwright-python is not installed; axe does not run")
        for width, height, scheme, locale in ((360, 740, "light", "en"), (360, 740, "dark", "de"), (1280, 900, "light", "de"), (1280, 900, "dark", "en"), (2560, 1440, "dark", "en"), (3840, 2160, "light", "en")):
            page = self.open(width, height, color_scheme=scheme, locale=locale)
            self.only("emission", "launch", "size", "color")
            page.wait_for_timeout(150)
            cut = page.evaluate("""() => [...document.querySelectorAll('effect-inspector, effect-emitters, effect-images, effect-presets')].flatMap((part) => {
              const edge = part.getBoundingClientRect();
              return [...part.querySelectorAll('button, input, select, .slider, .plot')].filter((each) => {
                const box = each.getBoundingClientRect();
                return box.width > 0 && (box.right > edge.right + 1 || box.left < edge.left - 1);
              }).map((each) => each.outerHTML.slice(0, 90));
            })""")
            check(not cut, f"{width} {scheme}: nothing is cut off: {cut[:3]}")
            # A picture of 8 million pixels takes the software renderer too long.
            if width < 3000: self.shot(f"{width}-{scheme}")
            self.finish(f"{width} {scheme}")
            if axe and width in (360, 1280):
                # The policy forbids the elements that axe puts into the page. axe works without them.
                serious = self.axe(page, axe)
                check(not serious, f"{width} {scheme}: axe finds nothing serious: {serious[:4]}")
        page = self.open(1280, 900, reduced_motion="reduce")
        moving = page.evaluate("getComputedStyle(document.querySelector('.section-head .icon:last-child')).transitionDuration")
        check(moving in ("0s", ""), f"nothing moves where that is not wanted: {moving}")

    @staticmethod
    def axe(page, axe):
        result = axe.run(page, options={"resultTypes": ["violations"]})
        return [f"{each['id']}: {each['nodes'][0]['html'][:140]} ({len(each['nodes'])})" for each in result.response["violations"] if each["impact"] in ("serious", "critical")]


PARTS = ["numbers", "labels", "typing", "several", "values", "plain", "colors", "cards", "remarks", "search", "curves", "curve_keys", "curve_kinds", "together", "gradients", "emitters", "images", "sprites", "presets", "variations", "looks"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", default=str(ROOT / ".build/particles"))
    parser.add_argument("--pictures")
    parser.add_argument("--only", nargs="*", choices=PARTS)
    options = parser.parse_args()
    pictures = pathlib.Path(options.pictures) if options.pictures else None
    if pictures: pictures.mkdir(parents=True, exist_ok=True)
    with controls_page.server(options.tool) as url, browser() as chromium:
        controls = Controls(chromium, url, pictures)
        for part in options.only or PARTS:
            count = len(failures)
            controls.open()
            try:
                getattr(controls, part)()
                if part != "looks": controls.finish(part)
            except Exception as error:  # The remaining parts are tested, too.
                check(False, f"{part}: {type(error).__name__}: {str(error)[:600]}")
            print("ok" if len(failures) == count else "FAILED", part, flush=True)
    if failures: sys.exit(f"{len(failures)} failures")
    print("all controls do what they are asked for")


if __name__ == "__main__": main()
