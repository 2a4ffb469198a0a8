"""Flows of the document browser: search of subfolders, labels, sharing, jobs, conflicts, windows that come back."""

import json, os, re, shutil, signal, subprocess, threading, time, urllib.request

from browser import ROOT
from tool import check, names, page_of, tile, until


def menu(page, action):
    """Chooses a command in the menu of what is selected."""
    page.click("#selection [aria-haspopup=menu]")
    page.click(f'#menu [data-action="{action}"]')


class Organising:
    def searching(self):
        folder = self.tool.effects / "folder" / "deep"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(self.tool.effects / "galaxy.particles", folder / "galaxy far away.particles")
        page = page_of(self.chromium, self.address)
        page.fill("#search", "galaxy")
        page.wait_for_timeout(100)
        check(names(page) == ["galaxy.particles"], f"the search is for the folder at first: {names(page)}")
        page.click("#deep")
        page.wait_for_selector(tile("galaxy far away"))
        check("folder/deep" in page.text_content(tile("galaxy far away")), "results of subfolders name their folder")
        page.wait_for_timeout(700)
        self.shot(page, "search-deep")
        page.fill("#search", "far")
        until(page, "document.querySelectorAll('#collection [role=option]').length === 1")
        page.click(tile("galaxy far away"))
        menu(page, "enclosing")
        until(page, "document.querySelector('#place').textContent === 'deep'")
        check(page.get_attribute(tile("galaxy far away"), "aria-selected") == "true", "a result is shown in its folder")
        check(page.input_value("#search") == "", "the search is over then")
        check(not page.faults, f"no errors in the page: {page.faults}")
        page.context.close()

    def labels(self):
        page = page_of(self.chromium, self.address)
        page.click(tile("fire"))
        page.click(tile("galaxy"), modifiers=["Control"])
        menu(page, "tags")
        page.fill("#tags", "warm, for the game")
        self.shot(page, "tags")
        page.keyboard.press("Enter")
        page.wait_for_selector(tile("fire") + " .label")
        tags = os.getxattr(self.tool.effects / "fire.particles", "user.xdg.tags").decode()
        check(tags == "warm,for the game", f"tags are those of the desktop: {tags}")
        page.click("#chips [data-tag=warm]")
        check(sorted(names(page)) == ["fire.particles", "galaxy.particles"], f"a tag filters: {names(page)}")
        page.click("#chips [data-tag=warm]")
        page.click(tile("fire"))
        menu(page, "favourite")
        page.wait_for_selector(tile("fire") + " .labels [data-icon=star]")
        page.click("#favourites")
        check(names(page) == ["fire.particles"], "favourites are a filter")
        page.click("#favourites")
        page.click(tile("folder"))
        menu(page, "favourite")
        page.wait_for_selector("#places [data-icon=star]")
        page.wait_for_timeout(400)
        self.shot(page, "labels")
        check("folder" in page.text_content("#places li:has([data-icon=star])"), "a favourite folder is a place")
        page.keyboard.press("Escape")
        page.keyboard.press("Control+z")
        page.wait_for_selector(tile("fire") + " .label", state="detached")
        check(not os.listxattr(self.tool.effects / "galaxy.particles") or not os.getxattr(self.tool.effects / "galaxy.particles", "user.xdg.tags"),
              "tags are undone, for all at once")
        # Those that another program sets are shown after a change.
        check(not page.faults, f"no errors in the page: {page.faults}")
        page.context.close()

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

    def zooming(self):
        page = page_of(self.chromium, self.address)
        page.wait_for_selector(tile("fire") + " img.ready")
        page.evaluate("""() => {
          window.zooms = [];
          const begin = document.startViewTransition.bind(document);
          document.startViewTransition = (change) => {
            window.zooms.push([...document.querySelectorAll(".picture")].filter((each) => each.style.viewTransitionName === "stage").length);
            return begin(change);
          };
        }""")
        page.dblclick(tile("fire"))
        page.wait_for_selector("dialog.full[open]")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog.full", state="detached")
        check(page.evaluate("zooms") == [1, 0], f"an effect opens by a transition from its picture, and closes to it: {page.evaluate('zooms')}")
        page.context.close()
        quiet = page_of(self.chromium, self.address, reduced_motion="reduce")
        quiet.evaluate("() => { document.startViewTransition = () => { throw new Error('no motion is wanted'); }; }")
        quiet.dblclick(tile("fire"))
        quiet.wait_for_selector("dialog.full[open]")
        quiet.keyboard.press("Escape")
        quiet.wait_for_selector("dialog.full", state="detached")
        check(not quiet.faults, f"without motion where less is wanted: {quiet.faults}")
        quiet.context.close()

    def checking(self):
        page = page_of(self.chromium, self.address)
        page.click(tile("fire.particles"))
        page.click(tile("broken.pex"), modifiers=["Control"])
        menu(page, "validate")
        until(page, "document.querySelector('dialog .note').textContent.includes('1 with problems')")
        page.wait_for_timeout(300)
        self.shot(page, "validation")
        check("broken.pex" in page.text_content("dialog .body"), "validation lists the documents with problems")
        page.keyboard.press("Escape")
        page.click(tile("fire.particles"))
        menu(page, "compact")
        page.wait_for_selector(".toast:has-text('compact')")
        check(True, f"compaction says what it did: {page.text_content('.toast:last-child')}")
        # Problems of documents that are only shown are found after a pause, without a thumbnail that fails.
        (self.tool.effects / "quiet.json").write_text('{"lifespan": {"min": "no number"}, "addAtBack": 1')
        page.wait_for_timeout(2500)
        asked = page.evaluate("performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/inspect')).length")
        check(asked >= 1, f"documents in view are looked at after a pause: {asked}")
        os.unlink(self.tool.effects / "quiet.json")
        check(not page.faults, f"no errors in the page: {page.faults}")
        page.context.close()

    def cancelling(self):
        page = page_of(self.chromium, self.address)
        page.click(tile("galaxy.particles"))
        page.click("#selection [data-action=export]")
        page.wait_for_selector("dialog select")
        page.fill("dialog input[type=number]", "1024")
        page.click("dialog .primary")
        until(page, "document.querySelector('dialog progress')?.value > 0", timeout=30000)
        self.shot(page, "exporting")
        page.click("dialog footer button:not(.primary)")
        page.wait_for_selector("dialog", state="detached")
        page.wait_for_selector(".toast:has-text('Cancelled')")
        before = self.tool.ticks()
        page.wait_for_timeout(1500)
        used = (self.tool.ticks() - before) / os.sysconf("SC_CLK_TCK")
        check(used < 0.75, f"an export that is cancelled ends at once: {used:.2f} s of processors afterwards")
        check(not page.faults, f"no errors in the page: {page.faults}")
        page.context.close()

    def sharing(self):
        page = page_of(self.chromium, self.address)
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.evaluate("""() => {
          window.sent = [];
          navigator.canShare = ({ files }) => files.length === 1;
          navigator.share = async (data) => { window.sent.push([data.files[0].name, data.files[0].size]); };
        }""")
        page.click(tile("fire"))
        menu(page, "share")
        page.wait_for_selector("[data-share=file]")
        self.shot(page, "share")
        page.click("[data-share=file]")
        until(page, "window.sent.length === 1")
        size = (self.tool.effects / "fire.particles").stat().st_size
        check(page.evaluate("sent[0]") == ["fire.particles", size], f"the system gets the document as one file: {page.evaluate('sent[0]')}")
        menu(page, "share")
        page.click("[data-share=address]")
        until(page, "navigator.clipboard.readText().then((text) => text.startsWith('file://'))")
        check(page.evaluate("navigator.clipboard.readText()") == (self.tool.effects / "fire.particles").as_uri(), "the address is copied")
        page.evaluate("() => { navigator.canShare = undefined; }")
        menu(page, "share")
        page.wait_for_selector("[data-share=path]")
        check(page.locator("[data-share=file]").count() == 0 and page.locator("[data-share=mail]").count() == 1, "without a system that shares: path, address, mail")
        page.click("[data-share=path]")
        until(page, "navigator.clipboard.readText().then((text) => !text.startsWith('file:'))")
        check(page.evaluate("navigator.clipboard.readText()") == str(self.tool.effects / "fire.particles"), "the path is copied")
        # The desktop of the test has no file manager: the reason is said.
        menu(page, "reveal")
        page.wait_for_selector(".toast:has-text('file manager')")
        check(True, "revealing says why it cannot be done")
        check(not page.faults, f"no errors in the page: {page.faults}")
        page.context.close()

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
          const { merged, plain } = await import(new URL("assets/editor.js", document.baseURI));
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
        check(not page.faults, f"no errors in the page: {page.faults}")
        page.context.close()

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
                page.wait_for_timeout(200)
                check(page.is_visible(".editor"), "the text stays open until a side is chosen")
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
            check(not page.faults, f"no errors in the page: {page.faults}")
            page.context.close()
        path.unlink()

    def drawn(self):
        """Without the module: it is not loaded, or the browser has no WebAssembly."""
        for how in ("blocked", "missing"):
            context = self.chromium.new_context(viewport={"width": 1280, "height": 800}, service_workers="block")
            if how == "blocked": context.route("**/particles.wasm", lambda route: route.abort())
            else: context.add_init_script("delete globalThis.WebAssembly")
            page = context.new_page()
            page.goto(self.address)
            page.wait_for_selector(tile("fire"))
            page.dblclick(tile("fire"))
            until(page, "[...document.querySelectorAll('dialog.full img')].some((image) => image.naturalWidth > 100)", timeout=30000)
            check("drawn by the program" in page.text_content("dialog.full"), f"with the module {how}, the program draws an animation")
            if how == "blocked": self.shot(page, "drawn")
            page.keyboard.press("Escape")
            page.wait_for_selector("dialog.full", state="detached")
            context.close()

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
        check(not page.faults, f"no errors in the page: {page.faults}")
        page.context.close()

    def tint(self):
        page = page_of(self.chromium, self.address)
        other = page_of(self.chromium, self.address)
        page.wait_for_timeout(800)
        page.click('[data-tint="#1d4ed8"]')
        until(other, "document.documentElement.style.getPropertyValue('--tint') === '#1d4ed8'")
        check(True, "a colour that is chosen in one window shows in all")
        self.shot(page, "tint")
        page.select_option("#appearance", "dark")
        until(other, "document.documentElement.dataset.style === 'dark'")
        page.evaluate("""() => {
          const input = document.querySelector("#tints input");
          input.value = "#ffe14d";
          input.dispatchEvent(new Event("change"));
        }""")
        until(other, "document.documentElement.style.getPropertyValue('--accent-ink') !== ''")
        check(True, "words on a light colour are dark")
        page.wait_for_timeout(300)
        self.shot(page, "tint-light")
        page.click('[data-tint=""]')
        page.select_option("#appearance", "automatic")
        until(other, "document.documentElement.style.getPropertyValue('--tint') === ''")
        check(not page.faults, f"no errors in the page: {page.faults}")
        for each in (page, other): each.context.close()

    def restoring(self):
        """`browse` without arguments goes on where it ended."""
        address, _ = self.tool.start("browse", "--no-open")
        page = page_of(self.chromium, address)
        page.click('[data-place]:has-text("' + self.tool.home.name + '")')
        page.wait_for_selector(tile("effects"))
        page.dblclick(tile("effects"))
        page.wait_for_selector(tile("galaxy"))
        page.click("#tools [role=radio]:nth-child(2)")
        page.click(tile("galaxy"))
        page.wait_for_timeout(900)
        page.reload()
        page.wait_for_selector(tile("galaxy") + "[aria-selected=true]")
        check(page.locator(".row").count() > 3, "a page that is loaded again shows what it showed")
        page.dblclick(tile("galaxy"))
        page.wait_for_selector("dialog.full[open]")
        page.wait_for_timeout(900)
        self.tool.end()
        os.rename(self.tool.effects / "galaxy.particles", self.tool.effects / "milky way.particles")
        page.context.close()
        address, _ = self.tool.start("browse", "--no-open")
        page = page_of(self.chromium, address)
        page.wait_for_selector("dialog.full[open]")
        check("milky way" in page.evaluate("[...document.querySelectorAll('dialog.full h1, dialog.full h2, dialog.full header input')].map((each) => each.value ?? each.textContent).join()"), "the open document comes back, although it was renamed meanwhile")
        check(page.text_content("#place") == "effects" and page.locator(".row").count() > 3, "and the place and the view")
        self.shot(page, "restored")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog.full", state="detached")
        page.click(tile("milky way"))
        page.wait_for_timeout(900)
        self.tool.end()
        page.context.close()
        os.rename(self.tool.effects / "milky way.particles", self.tool.home / "galaxy.particles")
        address, _ = self.tool.start("browse", "--no-open")
        page = page_of(self.chromium, address)
        page.wait_for_selector(".toast.wrong:has-text('milky way')")
        check(True, "what is gone is said")
        page.context.close()
        self.tool.end()
        os.rename(self.tool.home / "galaxy.particles", self.tool.effects / "galaxy.particles")

    def verbose(self):
        (self.tool.effects / "diary.txt").write_text("a secret\n")
        address, _ = self.tool.start("browse", "--no-open", "--verbose", self.tool.effects)
        lines = []
        thread = threading.Thread(target=lambda: lines.extend(self.tool.process.stderr), daemon=True)
        thread.start()
        page = page_of(self.chromium, address)
        page.dblclick(tile("diary"))
        page.wait_for_selector("dialog.editor textarea:not([disabled])")
        page.fill(".editor textarea", "another secret\n")
        until(page, "document.querySelector('.editor .status').textContent === 'Saved'")
        page.click(".editor header button")
        page.wait_for_selector("dialog", state="detached")
        page.context.close()
        self.tool.end()
        thread.join(5)
        text = "".join(lines)
        check(all(word in text for word in ("opened", "edited", "saved", "closed")), f"--verbose tells what happens: {text[:200]}")
        check("secret" not in text, "without contents of documents")
        (self.tool.effects / "diary.txt").unlink()

    def json(self):
        """`--json` of `browse` and `pick`, which run until a user ends them, against the schema."""

        def document(stream):
            lines = []
            while not lines or lines[-1] != "}\n":
                line = stream.readline()
                if not line: break
                lines.append(line)
            return json.loads("".join(lines))

        def start(*arguments):
            return subprocess.Popen([self.tool.tool, *map(str, arguments)], env=self.tool.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

        documents = []
        process = start("browse", "--no-open", "--json", self.tool.effects)
        documents.append(document(process.stdout))
        later = self.tool.run("browse", "--no-open", "--json")
        documents.append(json.loads(later.stdout))
        check([each["handedOver"] for each in documents] == [False, True] and documents[0]["address"] == documents[1]["address"], f"browse --json has the address: {documents[1]['port']}")
        process.send_signal(signal.SIGINT)
        process.wait(20)
        for picked in (["notes.txt"], None):
            process = start("pick", "--no-open", "--json")
            address = process.stderr.readline().strip()
            ask = lambda route, body=None: json.load(urllib.request.urlopen(address + route, None if body is None else json.dumps(body).encode()))
            items = [ask("find", {"path": str(self.tool.effects / name)})["id"] for name in picked] if picked else None
            ask("pick", {"items": items})
            documents.append(document(process.stdout))
            process.wait(20)
            check(process.returncode == (0 if picked else 130), f"pick --json ends with {process.returncode}: {documents[-1]['paths']}")
        check([[os.path.basename(path) for path in each["paths"]] for each in documents[2:]] == [["notes.txt"], []], "pick --json has the paths")
        try:
            import jsonschema
        except ImportError: return print("jsonschema is not installed; the schema is not checked")
        schema = json.loads((ROOT / "Spec/schema/output.schema.json").read_text())
        for each in documents: jsonschema.validate(each, schema)
        check(True, "the schema accepts all of them")
