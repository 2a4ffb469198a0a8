"""The editor without WebAssembly, with a worker that hangs, beyond the budget, and with 100,000 particles."""

import re

from editor_page import EDITOR, Editor
from judge_formats import ROOT
from judge_disk import eventually
from tool import attempt, check, until

BEATS = """window.beats = []; window.beating = setInterval(() => window.beats.push(performance.now()), 10); 0"""


class Limits:
    def __init__(self, tool, chromium, pictures): self.tool, self.chromium, self.pictures = tool, chromium, pictures

    def limits(self):
        for name in ("many", "without", "blocked", "hanging", "beyond"):
            path = self.tool.effects / f"{name}.particles"
            self.tool.run("new", "-q", path, "--template", "fire")
            self.address, _ = self.tool.start("edit", "--window", "--no-open", path)
            attempt(name, getattr(self, name), path)
            check(self.tool.process.poll() is None, f"{name}: the program runs")
            self.tool.end()

    def shot(self, editor, name):
        if self.pictures: editor.page.screenshot(path=self.pictures / f"edit-limits-{name}.png", timeout=60000)

    def says(self, editor, part="stage.notice"):
        return editor.ask(f"return {part}.checkVisibility() ? {part}.textContent : ''")

    # MARK: Without the module

    def without(self, path):
        """Without WebAssembly, the program draws an animation after each edit."""
        context = self.chromium.new_context(viewport={"width": 1100, "height": 640})
        context.add_init_script("delete globalThis.WebAssembly")
        try:
            editor = Editor(self.chromium, self.address, context=context).wait()
            check(editor.page.evaluate("typeof WebAssembly") == "undefined", "this web browser has no WebAssembly")
            shown = f"{EDITOR}.stage.drawn?.complete && {EDITOR}.stage.drawn.naturalWidth > 0 && {EDITOR}.stage.drawn.src"
            until(editor.page, shown, timeout=60000)
            animation = "const response = await fetch(stage.drawn.src); return [response.headers.get('Content-Type'), [...new Uint8Array(await response.arrayBuffer())]];"
            kind, first = editor.ask(animation)
            check(kind == "image/webp" and b"ANMF" in bytes(first) and bytes(first).count(b"ANMF") > 3, f"an animated WebP is shown: {len(first)} bytes, {bytes(first).count(b'ANMF')} frames")
            check(self.says(editor), f"the page says so: {self.says(editor)}")
            before = editor.page.evaluate(shown)
            editor.ask("await s.edit('Colour', [{ key: 'emitters[0].color.base', value: [0.1, 0.9, 0.3] }]);")
            until(editor.page, f"{shown} !== {before!r} && ({shown})", timeout=60000)
            _, second = editor.ask(animation)
            check(first != second, "after an edit there is another animation")
            self.shot(editor, "without")
            check(not editor.page.faults, f"without: no errors in the page: {editor.page.faults[:2]}")
        finally: context.close()
        check(eventually(lambda: "0.9" in self.tool.run("extract", path, "document.json", "-o", "-").stdout), "the edit is saved")

    def blocked(self, path):
        """The module cannot be loaded: a picture of the program is shown, and editing goes on."""
        context = self.chromium.new_context(viewport={"width": 1100, "height": 640})
        context.route(re.compile("particles[.]wasm"), lambda route: route.abort())
        editor = Editor(self.chromium, self.address, context=context)
        visible = f"[{EDITOR}?.stage.drawn, {EDITOR}?.stage.still].some((image) => image?.checkVisibility() && image.complete && image.naturalWidth > 0)"
        until(editor.page, visible, timeout=60000)
        check(True, "a picture of the program is shown where the module cannot be loaded")
        check(self.says(editor), f"the page says so: {self.says(editor)}")
        editor.ask("await s.edit('Rate', [{ key: 'emitters[0].emission.rate', value: 55 }]);")
        check(editor.ask("return s.value('emitters[0].emission.rate')") == 55, "editing goes on")
        self.shot(editor, "blocked")
        context.close()

    # MARK: A worker that hangs

    def hanging(self, path):
        """A worker that does not answer is ended. Thumbnail and reason are shown, and editing goes on."""
        context = self.chromium.new_context(viewport={"width": 1100, "height": 640})
        source = (ROOT / "Sources/ParticlesWeb/Player/worker.js").read_text()
        hang = source.replace("const answer = service.answer(data);", "if (JSON.stringify(data.values ?? {}, (key, value) => (value?.byteLength === undefined ? value : new TextDecoder().decode(value))).includes('HANG')) for (;;);\n    const answer = service.answer(data);")
        context.route(re.compile("player/worker[.]js"), lambda route: route.fulfill(body=hang, content_type="text/javascript", headers={"Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"}))
        editor = Editor(self.chromium, self.address, context=context).wait()
        page = editor.page
        page.evaluate(BEATS)
        editor.ask("s.structure({ op: 'rename', index: 0, name: 'HANG' }).catch(() => {}); 0")
        until(page, f"{EDITOR}.stage.notice.checkVisibility() && {EDITOR}.stage.still.checkVisibility() && {EDITOR}.stage.still.naturalWidth > 0", timeout=30000)
        beats = page.evaluate("window.beats.length")
        check(beats > 30, f"the page went on while the worker hung ({beats} turns): {self.says(editor)}")
        self.shot(editor, "hanging")
        editor.ask("await s.edit('Rate', [{ key: 'emitters[1].emission.rate', value: 44 }]);")
        check(editor.ask("return s.value('emitters[1].emission.rate')") == 44, "editing goes on")
        editor.ask("await s.structure({ op: 'rename', index: 0, name: 'Flames' });")
        until(page, f"{EDITOR}.stage.player.effect?.view && !{EDITOR}.stage.still.checkVisibility() && {EDITOR}.stage.time > 0", timeout=40000)
        check(True, "an edit that mends it brings the picture back")
        check(not page.faults, f"hanging: no errors in the page: {page.faults[:2]}")
        context.close()

    # MARK: Beyond the budget

    def beyond(self, path):
        """An effect over the budget: its thumbnail or its rest, with the reason, and editing goes on."""
        editor = Editor(self.chromium, self.address).wait()
        page = editor.page
        page.evaluate(BEATS)
        editor.ask("await s.edit('Too many', [{ key: 'emitters[0].emission.rate', value: 50000000 }, { key: 'emitters[0].lifetime', value: 60 }]);")
        told = f"{EDITOR}.stage.notice.checkVisibility() || {EDITOR}.session.findings.length > 0 || document.querySelector('.effect-time .numbers.wrong') !== null"
        until(page, told, timeout=60000)
        findings = editor.ask("return s.findings.map(({ code, message }) => `${code}: ${message}`)")
        rate = page.get_attribute(".effect-time .numbers", "title")
        check(True, f"it is told: notice {self.says(editor)!r}, findings {findings[:2]}, rate {rate!r}")
        beats = page.evaluate("window.beats.length")
        check(beats > 10, f"the page goes on ({beats} turns)")
        self.shot(editor, "beyond")
        editor.ask("await s.undo();")
        until(page, f"!{EDITOR}.stage.still.checkVisibility() && {EDITOR}.stage.player.effect?.view && {EDITOR}.session.value('emitters[0].emission.rate') < 1000", timeout=60000)
        check(True, "an undo brings the picture back")
        check(not page.faults, f"beyond: no errors in the page: {page.faults[:2]}")
        editor.context.close()

    def many(self, path):
        """100,000 particles: the page answers, and says that the rate falls."""
        editor = Editor(self.chromium, self.address).wait()
        page = editor.page
        editor.ask("""await s.edit('Many', [{ key: 'emitters[0].emission.bursts', value: [{ time: 0, count: 100000 }] }, { key: 'emitters[0].emission.rate', value: 0 },
          { key: 'emitters[0].lifetime', value: 30 }, { key: 'emitters[0].size.width', value: 2 }]);""")
        try: until(page, f"({EDITOR}.stage.alive ?? 0) > 90000", timeout=30000)
        except TimeoutError:
            self.shot(editor, "few")
            return check(False, f"100,000 particles live: {editor.ask('return [stage.alive, stage.time, stage.isPlaying, stage.count.statistics]')}, {self.says(editor)!r} {self.says(editor, 'stage.busy')!r}")
        page.evaluate(BEATS)
        answered = 0
        for _ in range(20):
            answered += page.evaluate("new Promise((resolve) => setTimeout(() => resolve(1), 0))")
            page.wait_for_timeout(100)
        gaps = page.evaluate("window.beats.slice(1).map((time, index) => time - window.beats[index]).sort((a, b) => b - a)")
        alive = editor.ask("return stage.alive")
        check(answered == 20 and len(gaps) > 20, f"with {alive} particles the page answers {answered} of 20, {len(gaps)} turns of 10 ms; the longest pauses were {[round(each) for each in gaps[:4]]} ms (goal 100)")
        line = f"{EDITOR}.stage.count.line"
        until(page, f"{line}.checkVisibility() && {line}.textContent.length > 0", timeout=30000)
        role, told = page.evaluate(f"[{line}.getAttribute('role'), {line}.textContent]")
        sprites, omitted, slow = editor.ask("const { frameRate } = stage.count; return [frameRate.sprites, frameRate.omitted, frameRate.isSlow]")
        check(role == "status" and (slow or omitted), f"the page says it: {told!r}, {page.text_content('.effect-time .numbers')}")
        numbers = [int(each.replace(",", "")) for each in re.findall(r"[0-9][0-9,]*", told)]
        check(not omitted or (len(numbers) >= 2 and abs(numbers[-1] - sprites) < sprites / 10), f"with the numbers: {numbers}, {omitted} of {sprites} are left out")
        check(not slow or (" of 60 frames" in told and numbers[0] < 52), f"and with the rate: {numbers}")
        self.shot(editor, "many")
        editor.ask("await s.edit('Fewer', [{ key: 'emitters[0].emission.bursts', value: [{ time: 0, count: 10 }] }]);")
        until(page, f"{EDITOR}.stage.alive < 2000", timeout=60000)
        check(True, "and it takes the next edit")
        check(not page.faults, f"many: no errors in the page: {page.faults[:2]}")
        editor.context.close()
