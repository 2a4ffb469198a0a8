"""Flows of the document browser: operations, their undo, sheets, texts that are edited."""

import os, re, shutil, signal, time

from browser import ROOT
from tool import check, check_again, finish, page_of, tile, until


class Changing:
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
        finish(page)

    def undoing(self):
        page = page_of(self.chromium, self.address)
        page.click(tile("fountain"))
        page.keyboard.press("F2")
        page.fill("dialog input", "water.particles")
        page.keyboard.press("Enter")
        page.wait_for_selector(tile("water"))
        check(page.get_attribute("#undo", "title") == "Undo: Rename", f"the button names what it undoes: {page.get_attribute('#undo', 'title')}")
        page.click("#undo")
        page.wait_for_selector(tile("fountain"))
        check(page.get_attribute("#redo", "title") == "Redo: Rename" and page.is_enabled("#redo"), "and the other one what it does again")
        page.click("#redo")
        page.wait_for_selector(tile("water"))
        page.click("#undo")
        page.wait_for_selector(tile("fountain"))
        check((self.tool.effects / "fountain.particles").exists(), "a rename is undone, done again, and undone")
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
        page.click("#more-templates")
        page.click(".template[data-template=text]")
        page.fill("#new-name", "elsewhere.txt")
        page.click("dialog .primary")
        page.wait_for_selector(tile("elsewhere"))
        check((self.tool.effects / "elsewhere.txt").exists(), "where nothing can be created, other places are offered")
        (self.tool.effects / "elsewhere.txt").unlink()
        (self.tool.effects / "old.txt").unlink()
        finish(page)

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
        finish(page)

    def many(self):
        """Several at once: compared, converted into a folder, undone, renamed by a pattern, copied."""
        effects = self.tool.effects
        (effects / "results").mkdir(exist_ok=True)
        page = page_of(self.chromium, self.address)
        chosen = ["fire", "snow", "galaxy", "sparks"]

        def choose():
            page.click(tile(f"{chosen[0]}.particles"))
            for name in chosen[1:]: page.click(tile(f"{name}.particles"), modifiers=["Control"])

        choose()
        page.click("#selection [data-action=convert]")
        page.wait_for_selector("#convert-target")
        page.select_option("#convert-target", "pixi")
        page.wait_for_selector(".compared li", timeout=60000)
        rows = page.eval_on_selector_all(".compared li", "each => each.map(({ textContent }) => textContent)")
        check(len(rows) == 4 and all("%" in row for row in rows), f"each is compared: {rows}")
        shares = [int(row.split(".particles")[1].split(" ")[0]) for row in rows]
        check(shares == sorted(shares), f"the most different is first: {shares}")
        page.click("#convert-folder")
        page.click("dialog:last-of-type .lines button:has-text('results')")
        until(page, "[...document.querySelectorAll('dialog strong')].some((each) => each.textContent === 'results')")
        page.click("dialog:last-of-type .primary")
        page.wait_for_selector(".folder-choice .status:has-text('results')")
        page.wait_for_timeout(1500)
        for width in (1280, 900, 390):
            page.set_viewport_size({"width": width, "height": 800})
            page.wait_for_timeout(200)
            self.shot(page, f"convert-many-{width}")
            wide = page.evaluate("document.querySelector('dialog .body').scrollWidth - document.querySelector('dialog .body').clientWidth")
            check(wide <= 0, f"the sheet fits {width} pixels: {wide}")
        page.set_viewport_size({"width": 1280, "height": 800})
        page.click("dialog .primary")
        page.wait_for_selector(".toast button:has-text('Report')", timeout=60000)
        check(len(list((effects / "results").iterdir())) >= 4, "the results are in the folder")
        line = page.text_content(".toast:last-child")
        check(line.startswith("4 documents converted to PixiJS"), f"one sentence: {line}")
        page.click(".toast button:has-text('Report')")
        page.wait_for_selector(".compared li")
        self.shot(page, "convert-report")
        page.keyboard.press("Escape")
        page.click("#undo")
        page.wait_for_timeout(600)
        check(not list((effects / "results").glob("*.json")), "a batch is undone whole")
        choose()
        page.keyboard.press("F2")
        page.fill("#rename-pattern", "fx {nn} {name}")
        for width in (1280, 900, 390):
            page.set_viewport_size({"width": width, "height": 800})
            self.shot(page, f"rename-many-{width}")
        page.set_viewport_size({"width": 1280, "height": 800})
        page.keyboard.press("Enter")
        page.wait_for_selector(tile("fx 01 fire.particles"))
        check(len(list(effects.glob("fx *"))) == 4, "four are renamed by a pattern")
        page.click(".toast:last-child button")
        page.wait_for_selector(tile("sparks.particles"))
        check(not list(effects.glob("fx *")), "the names are undone at once")
        choose()
        page.click("#selection [aria-haspopup=menu]")
        page.click("#menu [data-action=copy]")
        page.click("dialog .lines button:has-text('results')")
        until(page, "document.querySelector('dialog strong').textContent === 'results'")
        page.click("dialog .primary")
        page.wait_for_selector(".toast:has-text('Copied 4 documents to results')")
        check(len(list((effects / "results").glob("*.particles"))) == 4 and (effects / "fire.particles").exists(), "copies are in the folder")
        finish(page)
        shutil.rmtree(effects / "results")

    def turning(self):
        """A file whose engine ignores that y points up: the editor offers once to turn it over."""
        path = self.tool.effects / "turned.pex"
        path.write_text("""<particleEmitterConfig><sourcePositionVariance x="20" y="5"/><speed value="100"/><speedVariance value="30"/><particleLifeSpan value="1"/><angle value="90"/><angleVariance value="20"/><gravity x="0" y="-100"/><startColor red="1" green="0.5" blue="0.2" alpha="1"/><finishColor red="1" green="0" blue="0" alpha="0"/><maxParticles value="100"/><startParticleSize value="30"/><finishParticleSize value="5"/><duration value="-1"/><emitterType value="0"/><blendFuncSource value="770"/><blendFuncDestination value="1"/><yCoordFlipped value="1"/></particleEmitterConfig>""")
        page = page_of(self.chromium, self.address)
        page.click(tile("turned"))
        page.click("#selection [data-action=information]")
        page.wait_for_selector("dialog .lines b:has-text('yCoordFlipped')")
        line = page.text_content("dialog .lines li:has(b:has-text('yCoordFlipped'))")
        check("does not read" in line and line.count("read") == 1, f"a note names its key, and says it once: {line}")
        check(page.is_hidden("dialog details dl") or page.locator("dialog details").count() == 0, "technical facts are folded")
        self.shot(page, "information-note")
        page.keyboard.press("Escape")
        page.dblclick(tile("turned"))
        page.wait_for_selector("[data-offer=turn]")
        page.wait_for_timeout(1200)
        self.shot(page, "turn")
        value = "document.querySelector('.effect-editor').editor.session.value('emitters[0].forces[0].vector')"
        before = page.evaluate(value)
        page.click("[data-way=editTurnOver]")
        until(page, f"{value}[1] === {-before[1]}")
        check(page.locator("[data-offer=turn]").count() == 0, "it is turned over, once")
        page.click("[data-command=undo]")
        until(page, f"{value}[1] === {before[1]}")
        page.click("[data-command=close]")
        page.wait_for_selector("dialog.effect-editor", state="detached")
        finish(page)
        path.unlink()

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
        # The program dies. The page keeps the typed text, and goes on after a restart.
        self.tool.end(signal.SIGKILL)
        page.wait_for_selector("#lost:popover-open", timeout=10000)
        page.fill(".editor textarea", "Remarks about fire\nand water, kept\n")
        self.shot(page, "lost")
        address, _ = self.tool.start("browse", "--no-open", self.tool.effects)
        check_again(address, self.address)
        self.address = address
        until(page, "!document.querySelector('#lost:popover-open')", timeout=15000)
        until(page, "document.querySelector('.editor .status').textContent === 'Saved'", timeout=15000)
        check("kept" in path.read_text(), "what was typed meanwhile is saved")
        page.click(".editor header button")
        page.wait_for_selector("dialog", state="detached")
        finish(page)

    def merging(self):
        path = self.tool.effects / "merge.txt"
        path.write_bytes(b"one\r\ntwo\r\nthree\r\nfour\r\n")
        page = page_of(self.chromium, self.address)
        page.wait_for_selector(tile("merge"))
        page.dblclick(tile("merge"))
        page.wait_for_selector("dialog.editor textarea:not([disabled])")
        page.fill(".editor textarea", "one\ntwo\nthree\nfour, ours\n")
        until(page, "document.querySelector('.editor .status').textContent === 'Saved'")
        check(path.read_bytes() == b"one\r\ntwo\r\nthree\r\nfour, ours\r\n", f"line ends are kept: {path.read_bytes()}")
        # Another program changes another line while something is typed.
        page.evaluate("""() => {
          const area = document.querySelector(".editor textarea");
          area.value = area.value.replace("four, ours", "four, ours again");
          area.dispatchEvent(new Event("input"));
        }""")
        path.write_bytes(b"one, theirs\r\ntwo\r\nthree\r\nfour, ours\r\n")
        until(page, "document.querySelector('.editor textarea').value.startsWith('one, theirs')", timeout=8000)
        until(page, "document.querySelector('.editor .status').textContent === 'Saved'", timeout=8000)
        page.wait_for_timeout(300)
        check(path.read_bytes() == b"one, theirs\r\ntwo\r\nthree\r\nfour, ours again\r\n", f"changes of two programs to different lines are merged: {path.read_bytes()}")
        merged = page.evaluate("""async () => {
          const { merged, plain } = await import(new URL("/assets/text-editor.js", document.baseURI));
          return [merged("a b c", "A b c", "a b C"), merged("a b", "x b", "y b") ?? null, merged("ab", "aXb", "ab") ?? null, plain("a\\r\\nb\\rc")];
        }""")
        check(merged == ["A b C", None, "aXb", "a\nb\nc"], f"texts are merged where they do not touch: {merged}")
        page.click(".editor header button")
        page.wait_for_selector("dialog", state="detached")
        # A change before the stream of events was connected is shown, too.
        late = self.chromium.new_context(viewport={"width": 1280, "height": 800}).new_page()
        late.route("**/events", lambda route: (time.sleep(1.2), route.continue_()))
        late.goto(self.address)
        late.wait_for_selector(tile("merge"))
        shutil.copy(path, self.tool.effects / "between.txt")
        late.wait_for_selector(tile("between"), timeout=8000)
        check(True, "a change before the events are connected is shown")
        late.context.close()
        os.unlink(self.tool.effects / "between.txt")
        path.unlink()
        finish(page)

    def conflict(self):
        path = self.tool.effects / "both.txt"
        for keep in ("theirs", "ours", "both"):
            path.write_text("base\n")
            page = page_of(self.chromium, self.address)
            page.wait_for_selector(tile("both.txt"))
            page.dblclick(tile("both.txt"))
            page.wait_for_selector("dialog.editor textarea:not([disabled])")
            # Ours reaches the program a moment before it notices theirs.
            for attempt in range(12):
                page.evaluate(f"""() => {{
                  const area = document.querySelector(".editor textarea");
                  area.value = "ours {attempt}\\n";
                  area.dispatchEvent(new Event("input"));
                  area.dispatchEvent(new KeyboardEvent("keydown", {{ key: "s", ctrlKey: true }}));
                }}""")
                path.write_text(f"theirs {attempt}\n")
                page.wait_for_timeout(900)
                if page.is_visible(".conflict"): break
            if not check(page.is_visible(".conflict"), "a conflict is shown above the text"): return page.context.close()
            if keep == "theirs":
                self.shot(page, "conflict")
                page.click(".editor header button")
                page.wait_for_selector(".editor", state="detached")
                page.click("[data-offer^=document] .primary")
                page.wait_for_selector(".conflict")
                check(page.is_visible(".conflict"), "the text may be left, and the list returns to its conflict")
            page.click(f".conflict [data-keep={keep}]")
            until(page, "document.querySelector('.conflict').hidden")
            page.wait_for_timeout(400)
            text = path.read_text()
            check(text.startswith("ours" if keep == "ours" else "theirs"), f"keeping {keep}: {text!r}")
            check(page.input_value(".editor textarea") == text, "the page shows what stays")
            beside = [each for each in self.tool.effects.iterdir() if each.name.startswith("both") and "conflict" in each.name]
            check(len(beside) == (keep == "both"), f"with both, ours is a document beside it: {[each.name for each in beside]}")
            for each in beside: each.unlink()
            page.click(".editor header button")
            page.wait_for_selector("dialog", state="detached")
            finish(page)
        path.unlink()

    def dragging(self):
        page = page_of(self.chromium, self.address)
        page.wait_for_selector(tile("fire"))
        dragged = page.evaluate("""() => {
          const data = new DataTransfer();
          document.querySelector('#collection [aria-label^="fire.particles"]').dispatchEvent(new DragEvent("dragstart", { bubbles: true, dataTransfer: data }));
          return data.getData("DownloadURL");
        }""")
        check(re.match(r"application/octet-stream:fire\.particles:http://127\.0\.0\.1:\d+/.*/file\?item=", dragged), f"a document can be dragged out: {dragged[:60]}")
        page.evaluate("""() => {
          const data = new DataTransfer();
          data.items.add(new File(["dropped\\n"], "dropped.txt"));
          dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true, dataTransfer: data }));
          dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
        }""")
        page.wait_for_selector(tile("dropped.txt"))
        check((self.tool.effects / "dropped.txt").read_text() == "dropped\n", "and a file dropped in")
        page.wait_for_selector(".toast button")
        page.click(".toast:last-child button")
        page.wait_for_selector(tile("dropped.txt"), state="detached")
        page.evaluate("""(text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          document.body.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, clipboardData: data }));
        }""", (ROOT / "Fixtures/effects/pex/torch.pex").read_text())
        page.wait_for_selector(tile("Pasted"))
        check(True, "the text of an effect is pasted")
        page.click(".toast:last-child button")
        page.wait_for_selector(tile("Pasted"), state="detached")
        finish(page)
