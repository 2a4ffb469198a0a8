"""Three tasks of people, from the folder to the result: an old effect for another engine, a folder of 600 put in order, and an effect from nothing
to an animation and a page. They begin in the browser, and use the pointer and the keyboard as people do."""

import json, random, shutil

from editor_page import EDITOR
from judge_disk import eventually
from judge_formats import FIXTURES
from tool import PATIENCE, check, finish, names, page_of, tile, until

SESSION = f"{EDITOR}.session"


class Tasks:
    def __init__(self, tool, chromium, pictures): self.tool, self.chromium, self.pictures = tool, chromium, pictures

    def tasks(self):
        for task in (self.another_engine, self.in_order, self.from_nothing):
            print(f"-- {task.__name__}", flush=True)
            self.steps = 0
            try: task()
            except Exception as error:
                self.shot(task.__name__, "failed")
                check(False, f"{task.__name__}, after step {self.steps}: {type(error).__name__} {str(error)[:500]}")
            finally:
                self.page = None
                self.tool.end()

    def open(self, folder, **options):
        address, _ = self.tool.start("browse", "--no-open", folder)
        self.page = page_of(self.chromium, address, **options)
        self.page.set_default_timeout(30000 * PATIENCE)
        return self.page

    def shot(self, task, name):
        self.steps += 1
        if not self.pictures or not getattr(self, "page", None): return
        # What moves has begun.
        self.page.wait_for_timeout(500)
        self.page.screenshot(path=self.pictures / f"task-{task}-{self.steps}-{name}.png")

    def action(self, name):
        """A command of the bar, or of the menu beside it."""
        shown = self.page.locator(f"#selection [data-action={name}]")
        if shown.count() and shown.first.is_visible(): return shown.first.click()
        self.page.click("#selection [aria-haspopup=menu]")
        self.page.click(f"#menu [data-action={name}]")

    def toast(self): return self.page.locator(".toast").last.text_content()

    def choose_folder(self, name):
        """Opens a folder in the sheet that asks for one, and takes it."""
        self.page.click(f"dialog:last-of-type .lines button:has-text('{name}')")
        until(self.page, f"[...document.querySelectorAll('dialog strong')].some((each) => each.textContent === '{name}')")
        self.page.click("dialog:last-of-type .primary")

    # MARK: An old effect for another engine

    def another_engine(self):
        """A torch of cocos2d, found by its name, becomes a torch of PixiJS in the folder of a game. Then three effects at once."""
        task, folder = "engine", self.tool.effects / "old"
        (folder / "assets").mkdir(parents=True)
        (folder / "game").mkdir()
        for source in (FIXTURES / "effects/plist").iterdir(): shutil.copyfile(source, folder / "assets" / source.name)
        page = self.open(folder)
        page.fill("#search", "torch")
        page.wait_for_selector(tile("torch.plist"))
        page.click(tile("torch.plist"))
        self.shot(task, "found")
        # The kind of the effect: the engine and its emitters, without a path in a package.
        self.action("information")
        page.wait_for_selector("dialog dl.table dd")
        facts = page.text_content("dialog dl.table")
        check(facts.startswith("Kindcocos2d particle system") and "Source/" not in facts and "com." not in facts, f"information names the engine, without paths in a package and codes: {facts[:200]}")
        self.shot(task, "information")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        self.action("convert")
        page.wait_for_selector("#convert-target")
        page.select_option("#convert-target", "pixi")
        until(page, "/Similarity: \\d+ %/.test(document.querySelector('dialog').textContent)", timeout=60000)
        until(page, "document.querySelectorAll('dialog particles-effect').length === 2", timeout=60000)
        page.wait_for_timeout(1500)
        self.shot(task, "compared")
        text = page.text_content("dialog")
        check("[" not in text or "convert/" not in text, "no codes are shown to artists")
        page.click("#convert-folder")
        while page.locator("dialog:last-of-type .lines button:has-text('game')").count() == 0: page.click("dialog:last-of-type header button, dialog:last-of-type .up")
        self.choose_folder("game")
        page.wait_for_selector(".folder-choice .status:has-text('game')")
        page.click("dialog .primary")
        page.wait_for_selector(".toast:has-text('torch.json')", timeout=60000)
        self.shot(task, "converted")
        result = folder / "game/torch.json"
        check(result.exists(), "the result is in the folder of the game")
        check("behaviors" in json.loads(result.read_text()), "and is a configuration of PixiJS")
        # It is opened where it is, and moves.
        page.fill("#search", "")
        page.dblclick(tile("game"))
        page.wait_for_selector(tile("torch.json"))
        page.dblclick(tile("torch.json"))
        until(page, f"{EDITOR}?.stage.time > 0 && {EDITOR}.stage.alive > 0", timeout=60000)
        page.wait_for_timeout(1500)
        self.shot(task, "opened")
        page.click("[data-command=close]")
        page.wait_for_selector("dialog.effect-editor", state="detached")
        # The rest of the folder at once, and back by the keyboard.
        page.go_back()
        page.dblclick(tile("assets"))
        page.wait_for_selector(tile("snow.plist"))
        page.click("#chips [data-kind=effect]")
        page.focus("#collection")
        page.keyboard.press("Control+a")
        self.action("convert")
        page.wait_for_selector(".compared li", timeout=60000)
        check(page.input_value("#convert-target") == "pixi", "the target is remembered")
        page.wait_for_timeout(1500)
        self.shot(task, "several")
        page.click("dialog .primary")
        page.wait_for_selector(".toast:has-text('4 documents converted')", timeout=60000)
        made = sorted(each.name for each in (folder / "assets").glob("*.json"))
        check(len(made) == 4, f"all four are converted: {made}")
        self.shot(task, "all")
        page.keyboard.press("Escape")
        page.focus("#collection")
        page.keyboard.press("Control+z")
        check(eventually(lambda: not list((folder / "assets").glob("*.json")), 20), "one undo takes all of them back")
        finish(page)

    # MARK: A folder of 600 put in order

    def in_order(self):
        """600 effects of some years: broken files go, copied files are moved, and the rest is named by a pattern and labelled."""
        task, folder = "order", self.tool.effects / "years"
        folder.mkdir()
        kinds = ["fire", "snow", "galaxy", "sparks"]
        for kind in kinds: self.tool.run("new", self.tool.home / f"{kind}.particles", "-t", kind, "-q")
        numbers = random.Random(1)
        for number in range(480):
            kind = kinds[number % 4]
            shutil.copyfile(self.tool.home / f"{kind}.particles", folder / f"{kind}_{numbers.choice(['final', 'v2', 'new', 'ok'])}{number:03}.particles")
        for number in range(100): shutil.copyfile(self.tool.home / "fire.particles", folder / f"Copy of fire {number + 1}.particles")
        for number in range(12): (folder / f"lost {number + 1}.pex").write_bytes(b"")
        for number in range(8): (folder / f"photo {number + 1}.plist").write_bytes(b"\xff\xd8\xff\xe0\0\x10JFIF\0" + bytes(60))
        (folder / "copies").mkdir()
        count = lambda: sum(each.is_file() for each in folder.iterdir())
        check(count() == 600, f"{count()} files")
        page = self.open(folder)
        until(page, "document.querySelectorAll('#collection img.ready').length > 10", timeout=60000)
        self.shot(task, "before")
        # The broken ones: they are the smallest.
        page.click("#tools [aria-label=List], #tools [title=List]")
        page.click("#columns [data-sort=size]")
        page.wait_for_timeout(400)
        order = names(page)
        if not any(name.startswith(("lost", "photo")) for name in order[:25]):
            page.click("#columns [data-sort=size]")
            page.wait_for_timeout(400)
        self.shot(task, "by-size")
        first = next(index for index, name in enumerate(names(page)) if name.startswith(("lost", "photo")))
        rows = page.locator("#collection [role=option]")
        rows.nth(first).click()
        page.keyboard.down("Shift")
        for _ in range(19): page.keyboard.press("ArrowDown")
        page.keyboard.up("Shift")
        selected = page.evaluate("""async () => (await import(new URL("/assets/main.js", document.baseURI))).app.model.selected.map(({ raw }) => raw)""")
        check(len(selected) == 20 and all(name.startswith(("lost", "photo")) for name in selected), f"the keyboard selects the 20 broken ones: {selected[:3]} {len(selected)}")
        self.shot(task, "broken")
        page.keyboard.press("Delete")
        check(eventually(lambda: count() == 580, 30), f"they are in the trash: {count()}")
        page.wait_for_selector(".toast:has-text('20')")
        # The copies go into a folder of their own.
        page.click("#tools [aria-label=Grid], #tools [title=Grid]")
        page.fill("#search", "copy of")
        until(page, "/^Copy of/.test(document.querySelector('#collection [role=option] .name')?.textContent ?? '')")
        page.wait_for_timeout(600)
        page.focus("#collection")
        page.keyboard.press("Control+a")
        self.shot(task, "copies")
        self.action("move")
        page.wait_for_selector("dialog .lines")
        self.choose_folder("copies")
        check(eventually(lambda: count() == 480, 60), f"100 are moved: {count()}")
        page.wait_for_selector(".toast:has-text('100')")
        # The rest of the fires have one kind of name.
        page.fill("#search", "fire_")
        until(page, "document.querySelectorAll('#collection [role=option]').length > 5")
        page.wait_for_timeout(600)
        page.focus("#collection")
        page.keyboard.press("Control+a")
        page.keyboard.press("F2")
        page.fill("#rename-pattern", "fire-{nnn}")
        self.shot(task, "pattern")
        page.keyboard.press("Enter")
        check(eventually(lambda: len(list(folder.glob("fire-*.particles"))) == 120, 60), "120 have names by a pattern")
        page.wait_for_selector("dialog", state="detached")
        page.wait_for_selector(".toast:has-text('120')")
        check((folder / "fire-001.particles").exists() and (folder / "fire-120.particles").exists(), "from the first to the last")
        page.fill("#search", "fire-0")
        until(page, "document.querySelector('#collection [role=option] .name')?.textContent.startsWith('fire-0')")
        page.wait_for_timeout(400)
        page.focus("#collection")
        page.keyboard.press("Control+a")
        self.action("tags")
        page.fill("#tags", "checked")
        page.keyboard.press("Enter")
        page.wait_for_selector(tile("fire-001") + " .label")
        page.fill("#search", "")
        page.click("#chips [data-tag=checked]")
        page.wait_for_timeout(400)
        self.shot(task, "labelled")
        page.click("#chips [data-tag=checked]")
        # Each step is taken back, the last one first.
        page.focus("#collection")
        for is_back, what in (
                (lambda: page.locator(tile("fire-001") + " .label").count() == 0, "labels"), (lambda: len(list(folder.glob("fire_*"))) == 120, "names"),
                (lambda: count() == 580, "copies"), (lambda: count() == 600, "trash")):
            page.keyboard.press("Control+z")
            check(eventually(is_back, 60), f"{what} are taken back: {count()} files")
            page.wait_for_selector(f".toast:has-text('Undone') >> nth={['labels', 'names', 'copies', 'trash'].index(what)}")
            check(page.locator(".toast button").count() == 0, "no line offers to undo another step than its own")
        check(len(list(folder.glob("Copy of fire *"))) == 100 and len(list(folder.glob("fire-*"))) == 0, "all names are as before")
        check(page.text_content("#count") == "600 documents, 1 folder", f"documents and folders are counted: {page.text_content('#count')}")
        self.shot(task, "back")
        finish(page)

    # MARK: From nothing to an animation and a page

    def from_nothing(self):
        """An empty folder: a new effect of a template, changed by pointer and keys, exported as GIF, and as a page that plays it."""
        task, folder = "nothing", self.tool.effects / "empty"
        folder.mkdir()
        page = self.open(folder)
        self.shot(task, "empty")
        page.click("#empty button.primary, #tools .primary")
        page.wait_for_selector(".template[data-template=sparks]")
        page.click(".template[data-template=sparks]")
        page.fill("#new-name", "comet")
        self.shot(task, "templates")
        page.keyboard.press("Enter")
        page.wait_for_selector(tile("comet"))
        check((folder / "comet.particles").exists(), "a document of a template")
        # It has the focus then.
        page.wait_for_selector(".toast:has-text('comet')")
        page.keyboard.press("Enter")
        until(page, f"{EDITOR}?.stage.time > 0", timeout=60000)
        page.wait_for_timeout(1000)
        self.shot(task, "editor")
        value = lambda key: page.evaluate(f"{SESSION}.value({json.dumps(key)})")
        # The name of a number is dragged, a number is typed, a colour is chosen, a second emitter is added.
        head = page.locator('[data-section="emission"].section-head')
        if head.get_attribute("aria-expanded") == "false": head.click()
        rate = 'effect-inspector .c-row[data-key="emitters[].emission.rate"]'
        before = value("emitters[0].emission.rate")
        box = page.locator(f"{rate} .name").bounding_box()
        page.mouse.move(box["x"] + 10, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + 60, box["y"] + box["height"] / 2, steps=6)
        page.mouse.up()
        until(page, f"{SESSION}.value('emitters[0].emission.rate') !== {json.dumps(before)}")
        page.click(f"{rate} input")
        page.keyboard.type("120")
        page.keyboard.press("Enter")
        until(page, f"{SESSION}.value('emitters[0].emission.rate') === 120")
        page.fill("effect-inspector .finder input", "gravity")
        page.wait_for_timeout(400)
        self.shot(task, "searched")
        page.fill("effect-inspector .finder input", "")
        emitters = page.evaluate(f"{SESSION}.document.emitters.length")
        page.focus("effect-emitters [role=option], effect-emitters [role=row], effect-emitters .emitter")
        page.keyboard.press("Control+d")
        until(page, f"{SESSION}.document.emitters.length === {emitters + 1}")
        page.wait_for_timeout(1200)
        self.shot(task, "changed")
        until(page, f"!{SESSION}.states.includes('changed')", timeout=30000)
        # Export from the editor.
        page.click("[data-command=export]")
        page.wait_for_selector("dialog.sheet[open] select")
        page.select_option("dialog.sheet[open] select >> nth=0", "gif")
        page.fill("dialog.sheet[open] input >> nth=0", "200")
        page.wait_for_timeout(800)
        self.shot(task, "export")
        with page.expect_download(timeout=90000 * PATIENCE) as download: page.click("dialog.sheet[open] .primary")
        animation = self.tool.home / download.value.suggested_filename
        download.value.save_as(animation)
        check(animation.name == "comet.gif", f"the file has the name of the effect: {animation.name}")
        from PIL import Image
        with Image.open(animation) as image:
            check(image.format == "GIF" and max(image.size) == 200 and image.n_frames > 10, f"another program reads the animation: {image.size}, {image.n_frames} pictures")
        page.wait_for_selector("dialog.sheet[open]", state="detached")
        page.click("[data-command=close]")
        page.wait_for_selector("dialog.effect-editor", state="detached")
        # A page, from the browser.
        page.click(tile("comet"))
        self.action("export")
        page.wait_for_selector("dialog select")
        page.select_option("dialog select >> nth=0", "html")
        with page.expect_download(timeout=90000 * PATIENCE) as download: page.click("dialog .primary")
        written = self.tool.home / download.value.suggested_filename
        download.value.save_as(written)
        finish(page)
        context = self.chromium.new_context(viewport={"width": 500, "height": 400})
        self.page = page = context.new_page()
        faults, asked = [], []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(written.as_uri())
        page.wait_for_selector("particles-effect, canvas, img", state="attached")
        page.wait_for_timeout(2500)
        self.shot(task, "page")
        check(not faults and all(each.startswith(("file:", "blob:", "data:")) for each in asked), f"the page needs nothing else: {faults} {asked[:3]}")
        from io import BytesIO
        with Image.open(BytesIO(page.screenshot())) as image: colors = len(image.convert("RGB").getcolors(1 << 24))
        check(colors > 100, f"and shows the effect: {colors} colours")
        context.close()
