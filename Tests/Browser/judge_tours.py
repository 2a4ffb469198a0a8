"""The tours of Spec/tours.md, replayed: reads the steps from the page, takes them by pointer and keys, and looks for their stated results."""

import json, re, shutil

from editor_page import EDITOR, Editor
from judge_disk import eventually
from judge_formats import FIXTURES, ROOT, difference
from tool import PATIENCE, check, until

SHEET = "dialog.sheet[open]"


def tours():
    """The titles of the tours with their steps."""
    text = (ROOT / "Spec/tours.md").read_text()
    for part in text.split("\n## ")[1:]:
        title, rest = part.split("\n", 1)
        yield title, [re.sub(r"\s+", " ", step) for step in re.findall(r"^\d+\. (.*(?:\n   .*)*)", rest, re.M)]


class Tours:
    def __init__(self, tool, chromium, pictures): self.tool, self.chromium, self.pictures = tool, chromium, pictures

    def tours(self):
        found = list(tours())
        check(len(found) == 2 and all(len(steps) > 6 for _, steps in found), f"the page has two tours: {[title for title, _ in found]}")
        for number, (title, steps) in enumerate(found):
            self.editor, self.name = None, re.sub(r"\W+", "-", title.lower())
            for count, step in enumerate(steps, 1):
                try: self.step(step)
                except Exception as error:
                    self.shot(f"{count}-failed")
                    check(False, f"{title}, {count}. {step}: {type(error).__name__} {str(error)[:300]}")
                    break
                if count in (1, 5, 7, len(steps) - 2): self.shot(count)
                print(f"ok {title}, {count}. {step}", flush=True)
            else: self.outcome(title)
            if self.editor:
                check(not self.editor.page.faults, f"{title}: no errors in the page: {self.editor.page.faults[:2]}")
                self.editor.context.close()
            self.tool.end()

    def shot(self, count):
        if self.pictures and self.editor: self.editor.page.screenshot(path=self.pictures / f"tour-{self.name}-{count}.png")

    # MARK: Steps

    def step(self, step):
        """Takes a step. Fails if there is no way to take it, or if its stated result does not come."""
        order, _, outcome = step.partition(": ")
        order = order.rstrip(".")
        inSheet = order.endswith(" in the sheet")
        order = order.removesuffix(" in the sheet")
        page = self.editor and self.editor.page
        # The part of the page that is in front.
        front = page and (page.locator(SHEET).last if inSheet else page.locator("dialog.effect-editor"))
        if match := re.fullmatch(r"Run `particles (.+) (\S+)`", order): self.run(match[1].split(), match[2])
        elif match := re.fullmatch(r"Set \*\*(.+)\*\* to `(.+)`", order):
            field = self.field(front, "input", match[1])
            field.click()
            field.fill(match[2])
            field.press("Enter")
            field.press("Tab")
            check(float(field.input_value()) == float(match[2]), f"{match[1]} is {field.input_value()}")
        elif match := re.fullmatch(r"Choose \*\*(.+)\*\* as \*\*(.+)\*\*", order): self.field(front, "select", match[2]).select_option(label=match[1])
        elif match := re.fullmatch(r"Press \*\*(.+)\*\*", order):
            press = front.get_by_role("button", name=match[1], exact=True).first
            if "is downloaded" in outcome:
                with page.expect_download(timeout=90000 * PATIENCE) as waiting: press.click()
                waiting.value.save_as(self.tool.effects / waiting.value.suggested_filename)
            else: press.click()
        else: raise ValueError("no such step")
        self.states(outcome, match)

    @staticmethod
    def field(front, kind, name):
        """A field by the name that it shows or says."""
        return front.locator(f'{kind}[aria-label="{name}"], label:has(:text-is("{name}")) {kind}, label:has-text("{name}") {kind}').first

    def run(self, arguments, name):
        """Starts the tool as the step states, with the file and the picture beside it. The address is opened as the tool would open it."""
        path = self.path = self.tool.effects / name
        source = FIXTURES / "effects" / path.suffix[1:]
        shutil.copyfile(source / name, path)
        for picture in source.glob("*.png"): shutil.copyfile(picture, self.tool.effects / picture.name)
        self.before = path.read_bytes()
        address, _ = self.tool.start(*arguments, "--no-open", path)
        context = self.chromium.new_context(viewport={"width": 1100, "height": 640}, accept_downloads=True)
        context.set_default_timeout(60000 * PATIENCE)
        self.editor = Editor(self.chromium, address, context=context).wait()

    def states(self, outcome, match):
        """Looks for what a step states."""
        page, editor = self.editor.page, self.editor
        if found := re.search(r"the sheet \*\*(.+?)\*\*", outcome): until(page, f"document.querySelector('{SHEET}')?.getAttribute('aria-label') === {json.dumps(found[1])}", timeout=60000)
        if "how similar" in outcome: until(page, f"/Similarity: 100 %/.test(document.querySelector('{SHEET}').textContent)", timeout=60000)
        if "in motion" in outcome and not found: until(page, f"{EDITOR}.stage.time > 0 && {EDITOR}.stage.alive > 0", timeout=60000)
        if "in motion" in outcome and found: until(page, f"document.querySelectorAll('{SHEET} particles-effect').length === 2", timeout=60000)
        if found := re.search(r"`(\S+)` is (saved|downloaded|created)", outcome):
            file = self.tool.effects / found[1]
            if found[2] == "saved": until(page, f"!document.querySelector('{SHEET}') && !{EDITOR}.session.states.includes('changed')", timeout=60000)
            check(eventually(file.exists, 60), f"{found[1]} is there")
        if found := re.search(r"One (value|line) of", outcome):
            unit, changed = difference(self.before, self.path.read_bytes())
            check(len(changed) == 1 and unit == {"value": "keys", "line": "lines"}[found[1]], f"one {found[1]} has changed: {unit} {changed}")
        if "as it was" in outcome:
            editor.ask("await s.idle();")
            check(editor.page.get_by_role("spinbutton", name="Speed, maximum", exact=True).first.input_value() == "135", "the speed is as it was")
        if "are marked" in outcome: until(page, f"{EDITOR}.session.marks.length > 0 && document.querySelector('effect-inspector .limit') !== null", timeout=60000)
        if "similarity and losses" in outcome: until(page, f"/Similarity: \\d+ %/.test(document.querySelector('{SHEET}').textContent)", timeout=60000)
        if "the editor closes" in outcome:
            page.wait_for_selector("dialog.effect-editor", state="detached")
            until(page, f"[...document.querySelectorAll('#collection [role=option]')].some((each) => each.getAttribute('aria-label').startsWith({json.dumps(self.path.name)}))", timeout=60000)

    def outcome(self, title):
        """What each tour has made is read by another program."""
        if title.endswith("GIF"):
            from PIL import Image
            with Image.open(self.tool.effects / "torch.gif") as image:
                check(image.format == "GIF" and max(image.size) == 160 and image.n_frames > 10, f"the animation: {image.size}, {image.n_frames} pictures")
                image.seek(image.n_frames // 2)
                colors = image.convert("RGB").getcolors(1 << 24)
                check(len(colors) > 8, f"its middle has {len(colors)} colours")
        else:
            read = json.loads(self.tool.run("info", "--json", self.tool.effects / "torch.json").stdout)
            check("pixi" in json.dumps(read), "torch.json is a PixiJS particle emitter")
            configuration = json.loads((self.tool.effects / "torch.json").read_text())
            check("behaviors" in configuration and configuration["frequency"] > 0, f"it has {len(configuration.get('behaviors', []))} behaviours")
