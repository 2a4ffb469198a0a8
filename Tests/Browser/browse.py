#!/usr/bin/env python3
"""The document browser in Chromium: every flow a user has, with a screenshot of each, and what it costs.

    python3 Tests/Browser/browse.py [--tool .build/particles] [--pictures FOLDER] [--only PART ...] [--documents 10000]
"""

import argparse, json, os, pathlib, shutil, signal, sys, tempfile, time, urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Web"))
from browser import browser
from organising import Organising
from tool import Tool, check, failures, names, page_of, tile, until

TEMPLATES = ("fire", "smoke", "snow", "sparks", "magic", "explosion", "galaxy", "fountain")


class Flows(Organising):
    def __init__(self, tool, chromium, pictures):
        self.tool, self.chromium, self.pictures = tool, chromium, pictures

    def shot(self, page, name):
        if self.pictures: page.screenshot(path=self.pictures / f"{name}.png")

    def begin(self, *arguments, **options):
        self.address, _ = self.tool.start("browse", "--no-open", *(arguments or (self.tool.effects,)))
        return page_of(self.chromium, self.address, **options)

    # MARK: Flows

    def empty(self):
        page = self.begin()
        check(page.is_visible("#empty h2") and page.is_visible("#empty button"), "an empty folder offers a new document")
        self.shot(page, "empty")
        page.click("#empty button")
        page.wait_for_selector(".template[aria-checked=true]")
        page.wait_for_timeout(1500)
        self.shot(page, "templates")
        check(page.locator(".template").count() >= 16, "the chooser has all templates")
        page.keyboard.press("Escape")
        check(not any(self.tool.effects.iterdir()), "a cancelled chooser makes nothing")
        page.click("#empty button")
        page.click(".template[data-template=fire]")
        page.click("dialog .primary")
        page.wait_for_selector(tile("fire"))
        check((self.tool.effects / "fire.particles").exists(), "a document is created from a template")
        check(not page.faults, f"no errors in the page: {page.faults}")
        page.context.close()

    def fill(self):
        for name in TEMPLATES:
            if not (self.tool.effects / f"{name}.particles").exists():
                self.tool.run("new", "-q", self.tool.effects / f"{name}.particles", "--template", name)
        (self.tool.effects / "folder").mkdir(exist_ok=True)
        (self.tool.effects / "notes.txt").write_text("Notes about fire\n")
        (self.tool.effects / "broken.pex").write_text("no effect")
        (self.tool.effects / "line\nbreak\u202e.txt").write_text("")
        with open(os.fsencode(self.tool.effects) + b"/wrong\xff.txt", "w"): pass

    def listing(self):
        page = page_of(self.chromium, self.address)
        until(page, "document.querySelectorAll('#collection img.ready').length >= 6")
        check(page.is_visible(tile("notes.txt")), "files that are added outside are shown")
        shown = names(page)
        check(any("\\u{a}" in name and "\\u{202e}" in name for name in shown), f"line breaks and marks of direction are shown as escapes: {shown}")
        page.wait_for_selector(tile("broken.pex") + " .mark")
        check(len(page.text_content(tile("broken.pex") + " .mark")) > 10, "a damaged document has a row with the reason")
        page.wait_for_timeout(1200)
        self.shot(page, "grid")
        check(names(page)[0] == "New document", "the first cell is a new document")
        page.click("#tools [role=radio]:nth-child(2)")
        page.wait_for_selector(".row")
        page.wait_for_timeout(400)
        check(names(page)[0] == "New document", "also in the list")
        self.shot(page, "list")
        page.click("#columns button:nth-child(3)")
        page.wait_for_timeout(100)
        sizes = page.eval_on_selector_all(".row:not(.tile-new)", "rows => rows.map((row) => [row.style.transform, row.querySelectorAll('.cell')[1].textContent])")
        check(len(sizes) > 5, "the list has rows, sorted by size")
        page.click("#columns button:nth-child(1)")
        page.click("#tools [role=radio]:nth-child(1)")
        page.fill("#search", "FIRE")
        page.wait_for_timeout(150)
        check(names(page) == ["fire.particles"], f"the search finds names without regard to case: {names(page)}")
        self.shot(page, "search")
        page.fill("#search", "nothing like this")
        check(page.is_visible("#empty h2"), "a search without results says so")
        page.fill("#search", "")
        page.click("#chips [data-kind=text]")
        check(all(name.endswith(".txt") for name in names(page)), "the filter shows texts only")
        page.click("#chips [data-kind=all]")
        page.context.close()

    def moving(self):
        page = page_of(self.chromium, self.address)
        page.wait_for_selector(tile("fire") + " img.ready")
        page.hover(tile("fire"))
        page.wait_for_selector(tile("fire") + " particles-effect", timeout=8000)
        until(page, "document.querySelector('.tile particles-effect')?.style.opacity === '1'", timeout=8000)
        self.shot(page, "moving")
        page.hover(tile("smoke"))
        page.wait_for_timeout(600)
        check(page.locator(".tile particles-effect").count() == 1, "one picture moves, that under the pointer")
        page.mouse.move(5, 500)
        check(page.locator(".tile particles-effect").count() == 0, "it stands still without the pointer")
        quiet = page_of(self.chromium, self.address, reduced_motion="reduce")
        quiet.hover(tile("fire"))
        quiet.wait_for_timeout(500)
        check(quiet.locator("particles-effect").count() == 0, "nothing moves where less motion is wanted")
        quiet.context.close()
        page.context.close()

    def viewing(self):
        page = page_of(self.chromium, self.address)
        page.dblclick(tile("galaxy"))
        page.wait_for_selector("dialog.effect-editor[open] particles-effect")
        until(page, "document.querySelector('.effect-stage particles-effect').currentTime > 0.3", timeout=15000)
        page.wait_for_timeout(500)
        self.shot(page, "viewer")
        page.click(".effect-time [data-command=play]")
        check(page.evaluate("document.querySelector('.effect-stage particles-effect').paused"), "the effect can be paused")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog.effect-editor", state="detached")
        page.dblclick(tile("broken.pex"))
        page.wait_for_selector("dialog.viewer .notice")
        check("XML" in page.text_content(".viewer .notice"), f"a damaged document states the reason when it is opened: {page.text_content('.viewer .notice')}")
        self.shot(page, "broken")
        page.click(".viewer header button")
        page.wait_for_selector("dialog.viewer", state="detached")
        check(page.is_visible(tile("galaxy")), "the browser stays")
        check(not page.faults, f"no errors in the page: {page.faults}")
        page.context.close()

    def changing(self):
        page = page_of(self.chromium, self.address)
        effects = self.tool.effects
        page.click(tile("smoke"))
        page.keyboard.press("F2")
        page.fill("dialog input", "clouds.particles")
        self.shot(page, "rename")
        page.keyboard.press("Enter")
        page.wait_for_selector(tile("clouds"))
        check((effects / "clouds.particles").exists() and not (effects / "smoke.particles").exists(), "a document is renamed")
        page.click(tile("clouds"))
        page.keyboard.press("F2")
        page.fill("dialog input", "fire.particles")
        page.keyboard.press("Enter")
        until(page, "document.querySelector('dialog .note.wrong')?.textContent")
        check((effects / "clouds.particles").exists(), f"a name that is taken is refused: {page.text_content('dialog .note')}")
        page.keyboard.press("Escape")
        page.click(tile("clouds"))
        page.click("#selection [data-action=duplicate]")
        until(page, "document.querySelectorAll('[aria-label^=clouds]').length === 2")
        check(len(list(effects.glob("clouds*.particles"))) == 2, "a document is duplicated")
        page.click(tile("snow"))
        page.click(tile("sparks"), modifiers=["Control"])
        check("2 selected" in page.text_content("#selection"), "two are selected")
        self.shot(page, "selection")
        page.keyboard.press("Delete")
        page.wait_for_selector(tile("snow"), state="detached")
        check(not (effects / "snow.particles").exists() and not (effects / "sparks.particles").exists(), "two are moved to the trash")
        until(page, "document.querySelector('#selection').hidden")
        check(True, "nothing is selected any more")
        page.wait_for_timeout(400)
        self.shot(page, "trashed")
        trash = self.tool.home / ".local/share/Trash/files"
        check(trash.is_dir() and len(list(trash.iterdir())) == 2, "they are in the trash of the desktop")
        page.click(".toast:last-child button")
        page.wait_for_selector(tile("snow"))
        check((effects / "snow.particles").exists() and (effects / "sparks.particles").exists(), "the trash is undone")
        page.click(tile("magic"))
        page.click("#selection [data-action=move]")
        page.click("dialog .lines button")
        until(page, "document.querySelector('dialog strong').textContent === 'folder'")
        self.shot(page, "move")
        page.click("dialog .primary")
        page.wait_for_selector(tile("magic"), state="detached")
        check((effects / "folder" / "magic.particles").exists(), "a document is moved to a folder")
        page.dblclick(tile("folder"))
        page.wait_for_selector(tile("magic"))
        check("folder" in page.text_content("#place"), "a folder is entered")
        page.go_back()
        page.wait_for_selector(tile("fire"))
        check(True, "and left by the way back")
        page.click(tile("fire"), button="right")
        page.wait_for_selector("#menu [data-action=trash]")
        self.shot(page, "menu")
        page.keyboard.press("Escape")
        check(not page.faults, f"no errors in the page: {page.faults}")
        page.context.close()

    def deleting(self):
        page = page_of(self.chromium, self.address)
        (self.tool.effects / "old.txt").write_text("old")
        page.wait_for_selector(tile("old"))
        page.click(tile("old"))
        page.keyboard.press("Delete")
        page.wait_for_selector(tile("old"), state="detached")
        page.click('[data-place="trash"]')
        page.wait_for_selector(tile("old"))
        page.click(tile("old"))
        self.shot(page, "trash")
        page.click("#selection [data-action=restore]")
        page.wait_for_selector(tile("old"), state="detached")
        check((self.tool.effects / "old.txt").exists(), "a document is put back from the trash")
        page.click("#tools .primary")
        page.wait_for_selector("#new-place")
        page.click(".template[data-template=text]")
        page.fill("#new-name", "elsewhere.txt")
        page.click("dialog .primary")
        page.wait_for_selector(tile("elsewhere"))
        check((self.tool.effects / "elsewhere.txt").exists(), "where nothing can be created, other places are offered")
        (self.tool.effects / "elsewhere.txt").unlink()
        (self.tool.effects / "old.txt").unlink()
        check(not page.faults, f"no errors in the page: {page.faults}")
        page.context.close()

    def sheets(self):
        page = page_of(self.chromium, self.address)
        page.click(tile("fire"))
        page.click("#selection [data-action=information]")
        page.wait_for_selector("dialog dl.table dd")
        page.wait_for_timeout(300)
        check("fire.particles" in page.text_content("dialog"), "information names the file")
        self.shot(page, "information")
        page.keyboard.press("Escape")
        page.click("#selection [data-action=convert]")
        page.wait_for_selector("dialog select")
        page.select_option("dialog select", "starling")
        page.wait_for_selector("dialog .meter", timeout=20000)
        page.wait_for_timeout(1500)
        check(page.locator("dialog particles-effect").count() == 2, "before and after move")
        self.shot(page, "convert")
        page.click("dialog .primary")
        page.wait_for_selector("dialog", state="detached")
        check((self.tool.effects / "fire.pex").exists(), "the result of the conversion is beside the document")
        page.click(tile("fire.particles"))
        page.click("#selection [data-action=export]")
        page.wait_for_selector("dialog select")
        self.shot(page, "export")
        with page.expect_download(timeout=60000) as download: page.click("dialog .primary")
        path = self.tool.home / "exported.gif"
        download.value.save_as(path)
        check(path.read_bytes().startswith(b"GIF89a"), f"an animation is exported: {path.stat().st_size} bytes")
        check(not page.faults, f"no errors in the page: {page.faults}")
        page.context.close()

    def editing(self):
        page = page_of(self.chromium, self.address)
        page.dblclick(tile("notes"))
        page.wait_for_selector("dialog.editor textarea:not([disabled])")
        page.fill(".editor textarea", "Notes about fire\nand water\n")
        until(page, "document.querySelector('.editor .status').textContent === 'Saved'")
        path = self.tool.effects / "notes.txt"
        check(path.read_text() == "Notes about fire\nand water\n", "what is typed is saved a moment later")
        self.shot(page, "editor")
        path.write_text("Remarks about fire\nand water\n")
        until(page, "document.querySelector('.editor textarea').value.startsWith('Remarks')", timeout=5000)
        check(True, "a change by another program is shown")
        # The program dies: the page keeps what is typed, and goes on after a restart.
        self.tool.end(signal.SIGKILL)
        page.wait_for_selector("#lost:popover-open", timeout=10000)
        page.fill(".editor textarea", "Remarks about fire\nand water, kept\n")
        self.shot(page, "lost")
        address, _ = self.tool.start("browse", "--no-open", self.tool.effects)
        check(address == self.address, "a restart has the same address")
        until(page, "!document.querySelector('#lost:popover-open')", timeout=15000)
        until(page, "document.querySelector('.editor .status').textContent === 'Saved'", timeout=15000)
        check("kept" in path.read_text(), "what was typed meanwhile is saved")
        page.click(".editor header button")
        page.wait_for_selector("dialog", state="detached")
        check(not page.faults, f"no errors in the page: {page.faults}")
        page.context.close()

    def outside(self):
        page = page_of(self.chromium, self.address)
        begin = time.perf_counter()
        shutil.copy(self.tool.effects / "fire.particles", self.tool.effects / "added.particles")
        page.wait_for_selector(tile("added"))
        took = time.perf_counter() - begin
        check(took < 1, f"a change from outside is shown: {took * 1000:.0f} ms (goal 300)")
        os.unlink(self.tool.effects / "added.particles")
        page.wait_for_selector(tile("added"), state="detached")
        os.mkdir(self.tool.effects / "many")
        check(not page.outside, f"the page asks nobody outside: {page.outside[:3]}")
        page.context.close()

    def appearance(self):
        for width, height, scheme, locale, name in [
            (360, 740, "light", "en-US", "phone"), (820, 1100, "dark", "de-DE", "tablet-german"), (3840, 2160, "light", "en-US", "4k"), (1280, 800, "dark", "en-US", "dark")]:
            page = page_of(self.chromium, self.address, width, height, color_scheme=scheme, locale=locale)
            page.wait_for_timeout(900)
            self.shot(page, name)
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            check(wide <= 0, f"{name}: nothing leaves the window ({wide})")
            if locale == "de-DE": check(page.text_content("#tools .primary").strip() == "Neu", "the texts are German")
            page.context.close()

    def access(self):
        page = page_of(self.chromium, self.address)
        page.focus("#collection")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        active = page.get_attribute("#collection", "aria-activedescendant")
        check(active and page.get_attribute(f'[id="{active}"]', "aria-selected") == "true", "arrows select, and name the active item")
        tree = page.accessibility.snapshot() if hasattr(page, "accessibility") else None
        if tree:
            text = json.dumps(tree)
            check('"listbox"' in text and '"option"' in text and '"searchbox"' in text, "names and roles are in the accessibility tree")
        try:
            from axe_playwright_python.sync_playwright import Axe
        except ImportError:
            print("axe-playwright-python is not installed; axe did not run")
        else:
            for name, act in [("page", None), ("sheet", lambda: page.click("#tools .primary"))]:
                if act:
                    act()
                    page.wait_for_selector(".template")
                found = [each for each in Axe().run(page).response["violations"] if each["impact"] in ("serious", "critical")]
                check(not found, f"axe finds nothing serious in the {name}: " + "; ".join(f"{each['id']} {each['nodes'][0]['html'][:120]}" for each in found))
        page.context.close()

    def windows(self):
        pages = [page_of(self.chromium, self.address) for _ in range(8)]
        self.tool.run("new", "-q", self.tool.effects / "eight.particles")
        for page in pages: page.wait_for_selector(tile("eight"), timeout=10000)
        check(True, "eight windows of one folder show a new document")
        for page in pages: page.context.close()
        os.unlink(self.tool.effects / "eight.particles")

    def second(self):
        page = page_of(self.chromium, self.address)
        # The stream of events is connected after the first rows are shown.
        page.wait_for_timeout(700)
        begin = time.perf_counter()
        run = self.tool.run("browse", "--no-open", self.tool.effects / "galaxy.particles")
        check(run.returncode == 0, f"a second call ends at once: {(time.perf_counter() - begin) * 1000:.0f} ms {run.stderr}")
        check(run.stdout.strip() == self.address, "and prints the same address")
        page.wait_for_selector("dialog.effect-editor[open]", timeout=8000)
        check("galaxy" in page.input_value("dialog.effect-editor .title"), "the running one opens the document")
        page.context.close()

    def ending(self):
        status = self.tool.end()
        check(status == 0, f"control-C ends it with status 0: {status}")

    def readonly(self):
        address, _ = self.tool.start("browse", "--read-only", "--no-open", self.tool.effects)
        page = page_of(self.chromium, address)
        page.click(tile("fire"))
        check(page.locator("#selection [data-action=trash]").count() == 0 and page.is_disabled("#tools .primary"), "--read-only offers nothing that changes")
        self.shot(page, "read-only")
        page.context.close()
        self.tool.end()

    def picking(self):
        address, _ = self.tool.start("pick", "--no-open", "--many")
        page = page_of(self.chromium, address)
        page.wait_for_timeout(500)
        self.shot(page, "pick")
        page.dblclick(tile("effects"))
        page.wait_for_selector(tile("fire"))
        page.click(tile("galaxy"))
        page.click(tile("fire.particles"), modifiers=["Control"])
        page.click("#choose")
        out, _ = self.tool.process.communicate(timeout=10)
        check([pathlib.Path(line).name for line in out.splitlines()] == ["galaxy.particles", "fire.particles"], f"pick prints paths in the order of the selection: {out!r}")
        check(self.tool.process.returncode == 0, "and ends with 0")
        page.context.close()
        for how in ("cancel", "close"):
            address, _ = self.tool.start("pick", "--no-open")
            page = page_of(self.chromium, address)
            page.wait_for_timeout(300)
            if how == "cancel": page.click("#cancel")
            else: page.context.close()
            out, _ = self.tool.process.communicate(timeout=60)
            check(out == "" and self.tool.process.returncode == 130, f"pick that is ended by {how} prints nothing, with status 130: {self.tool.process.returncode}")
        address, _ = self.tool.start("pick", "--no-open", "--save", "new.gif")
        page = page_of(self.chromium, address)
        page.dblclick(tile("effects"))
        page.wait_for_selector(tile("fire"))
        self.shot(page, "save")
        page.click("#choose")
        out, _ = self.tool.process.communicate(timeout=10)
        check(out.strip() == str(self.tool.effects / "new.gif"), f"pick --save prints a new path: {out!r}")
        page.context.close()
        self.tool.process = None

    # MARK: Costs

    def costs(self, documents):
        many = self.tool.home / "many"
        many.mkdir()
        sources = [self.tool.effects / f"{name}.particles" for name in ("fire", "galaxy", "explosion")]
        for index in range(documents):
            if index < 400: shutil.copy(sources[index % 3], many / f"effect {index}.particles")
            else: os.link(many / f"effect {index % 400}.particles", many / f"effect {index}.particles")
        times = []
        for _ in range(5):
            address, seconds = self.tool.start("browse", "--no-open", many)
            times.append(seconds * 1000)
            if _ < 4: self.tool.end()
        print(f"start to address: {sorted(times)[2]:.1f} ms (goal 30)")
        base = address
        page = page_of(self.chromium, address)
        page.wait_for_timeout(3000)
        place = page.evaluate("history.state.place")
        for round in range(2):
            begin = time.perf_counter()
            rows = json.load(urllib.request.urlopen(f"{base}list?location={place}"))
            print(f"list of {len(rows['items'])}: {(time.perf_counter() - begin) * 1000:.0f} ms (goal 200)")
        check(len(rows["items"]) == documents, "all documents are listed")
        shutil.rmtree(self.tool.home / ".cache", ignore_errors=True)
        page.context.close()
        # Without the time that the web browser takes for a window of its own.
        context = self.chromium.new_context(viewport={"width": 1700, "height": 1250})
        page = context.new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.add_init_script("window.losses = 0; document.addEventListener('browser-lost', () => { window.losses += 1; })")
        page.goto("about:blank")
        before = self.tool.ticks()
        page.goto(address, wait_until="commit")
        until(page, "document.querySelector('#collection .tile .name')")
        # The times are those of the page: from its request to the first row, and to 40 pictures.
        until(page, "document.querySelectorAll('#collection img.ready').length >= 40", timeout=60000)
        first, pictures = page.evaluate("""() => [performance.getEntriesByName("rows")[0].startTime,
          performance.getEntriesByType("resource").filter(({ name }) => name.includes("/thumbnail?")).map(({ responseEnd }) => responseEnd).sort((a, b) => a - b)[39]]""")
        used = (self.tool.ticks() - before) / os.sysconf("SC_CLK_TCK")
        print(f"first rows {first:.0f} ms (goal 400); 40 thumbnails cold {pictures - first:.0f} ms (goal 500), {used:.2f} s of processors")
        self.shot(page, "many")
        filter = page.evaluate("""async () => {
          const { app } = await import(new URL("assets/main.js", document.baseURI));
          const times = [];
          for (const key of ["e", "ef", "eff", "effe", "effec", "effect", "effect ", "effect 1", "effect 12", ""]) {
            const start = performance.now();
            app.model.search = key;
            app.model.filter();
            times.push(performance.now() - start);
          }
          return Math.max(...times);
        }""")
        print(f"filter for a key: {filter:.1f} ms (goal 16)")
        page.wait_for_timeout(6000)
        heap = page.evaluate("performance.memory?.usedJSHeapSize ?? 0")
        print(f"memory: process {self.tool.memory() / 1e6:.0f} MB (goal 60), heap of the page {heap / 1e6:.0f} MB (goal 80)")
        before = self.tool.ticks()
        time.sleep(20)
        used = (self.tool.ticks() - before) / os.sysconf("SC_CLK_TCK") / 20
        print(f"processor when idle: {used * 100:.2f} % (goal 0.1)")
        begin = time.perf_counter()
        os.rename(many / "effect 7.particles", many / "one.particles")
        until(page, """async () => (await import(new URL("assets/main.js", document.baseURI))).app.model.ordered.some(({ name }) => name === "one.particles")""")
        print(f"a rename outside among {documents} is shown after {(time.perf_counter() - begin) * 1000:.0f} ms (goal 300)")
        os.rename(many / "one.particles", many / "effect 7.particles")
        begin = time.perf_counter()
        for index in range(min(5000, documents)): os.rename(many / f"effect {index}.particles", many / f"renamed {index}.particles")
        until(page, """async (count) => {
          const { app } = await import(new URL("assets/main.js", document.baseURI));
          return app.model.ordered.filter(({ name }) => name.startsWith("renamed")).length === count;
        }""", min(5000, documents), timeout=60000)
        print(f"a storm of {min(5000, documents)} renames is shown after {time.perf_counter() - begin:.1f} s")
        shown = page.evaluate("""async () => (await import(new URL("assets/main.js", document.baseURI))).app.model.ordered.map(({ name }) => name)""")
        fresh = [row[1] for row in json.load(urllib.request.urlopen(f"{base}list?location={place}"))["items"]]
        check(shown == fresh and sorted(shown) == sorted(each.name for each in many.iterdir()), "after the storm, the page shows a fresh listing")
        check(page.evaluate("losses") == 0, "the stream of events was never lost")
        check(not page.faults, f"no errors in the page: {page.faults}")
        page.context.close()
        self.tool.end()


PARTS = ["empty", "fill", "listing", "moving", "viewing", "zooming", "changing", "undoing", "deleting", "searching", "labels", "sheets", "checking", "cancelling",
         "sharing", "editing", "merging", "conflict", "drawn", "dragging", "tint", "outside", "appearance", "access", "windows", "second", "ending", "restoring",
         "verbose", "json", "readonly", "picking"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", default=".build/particles")
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--documents", type=int, default=10000)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    if options.pictures: options.pictures.mkdir(parents=True, exist_ok=True)
    tool = Tool(str(pathlib.Path(options.tool).resolve()), tempfile.mkdtemp(prefix="particles-browser-"))
    try:
        with browser() as chromium:
            flows = Flows(tool, chromium, options.pictures)
            for part in PARTS:
                if options.only and part not in options.only and part not in ("empty", "fill", "ending"): continue
                print(f"-- {part}", flush=True)
                try:
                    getattr(flows, part)()
                except Exception as error:
                    check(False, f"{part}: {str(error)[:600]}")
            if options.documents:
                print("-- costs", flush=True)
                try:
                    flows.costs(options.documents)
                except Exception as error:
                    check(False, f"costs: {str(error)[:600]}")
    finally:
        tool.end(signal.SIGKILL)
        shutil.rmtree(tool.home, ignore_errors=True)
    print(f"{len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__": main()
