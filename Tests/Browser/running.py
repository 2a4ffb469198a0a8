"""Flows of the document browser: how it begins, comes back and ends, and the picker."""

import json, os, pathlib, re, shutil, signal, subprocess, sys, threading, time, urllib.request

from browser import ROOT
from tool import check, check_again, leave, page_of, tile, until


class Running:
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

    def twins(self):
        """A duplicate of a tab has a copy of its storage, and a name of its own. A page that is loaded again keeps its name."""
        context = self.chromium.new_context(viewport={"width": 1400, "height": 1200})
        page = context.new_page()
        page.goto(self.address)
        page.wait_for_selector(tile("fire"))
        name = lambda each: each.evaluate("sessionStorage.getItem('window')")
        first = name(page)
        page.reload()
        page.wait_for_selector(tile("fire"))
        check(name(page) == first, "a page that is loaded again keeps the name of its window")
        with context.expect_page() as opened: page.evaluate("() => { window.open(location.href); }")
        twin = opened.value
        twin.wait_for_selector(tile("fire"))
        check(name(twin) != first and name(page) == first, "one that begins with the storage of another page has a name of its own")
        second = name(twin)
        twin.reload()
        twin.wait_for_selector(tile("fire"))
        check(name(twin) == second, "and keeps it")
        # Each window has its own document.
        page.dblclick(tile("notes"))
        page.wait_for_selector("dialog.editor textarea:not([disabled])")
        twin.dblclick(tile("notes"))
        twin.wait_for_selector("dialog.editor textarea:not([disabled])")
        twin.click(".editor header button")
        twin.wait_for_selector("dialog", state="detached")
        page.fill(".editor textarea", "Notes about fire, typed\n")
        until(page, "document.querySelector('.editor .status').textContent === 'Saved'")
        check((self.tool.effects / "notes.txt").read_text() == "Notes about fire, typed\n", "closing the document of one leaves that of the other open")
        context.close()

    def ending(self):
        status = self.tool.end()
        check(status == 0, f"control-C ends it with status 0: {status}")

    def restoring(self):
        """`browse` without arguments goes on where it ended."""
        address, _ = self.tool.start("browse", "--no-open")
        page = page_of(self.chromium, address)
        # Earlier flows may have left a document open. The program opens it again.
        page.wait_for_timeout(900)
        if page.locator("dialog[open]").count():
            leave(page)
            page.wait_for_selector("dialog[open]", state="detached")
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
        leave(page)
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

    def beginning(self):
        """The program ends while the page loads parts that the first rows do not need: the page goes on by itself, and opens the requested document."""
        for module in ("deferred-parts", "sheets", "editor/stage"):
            # A request for a script of another name would never be held.
            check((ROOT / f"Sources/ParticlesBrowser/Pages/{module}.js").is_file(), f"{module}.js is a script of the pages")
            address, _ = self.tool.start("browse", "--no-open", self.tool.effects)
            context = self.chromium.new_context(viewport={"width": 1280, "height": 1200}, locale="de-DE")
            page = context.new_page()
            asked = []

            def hold(route):
                if not asked: self.tool.end(signal.SIGKILL)
                asked.append(route.request.url)
                route.continue_()

            page.route(f"**/assets/{module}.js", hold)
            page.goto(address)
            page.wait_for_selector(tile("fire"))
            # Opening begins before the part is loaded, and waits.
            page.dblclick(tile("fire"))
            page.wait_for_selector("#lost:popover-open", timeout=20000)
            check(len(asked) > 0 and page.locator("dialog").count() == 0, f"without {module}.js, the page says that the program has ended")
            self.shot(page, f"beginning-{module.replace('/', '-')}")
            again, _ = self.tool.start("browse", "--no-open", self.tool.effects)
            check_again(again, address)
            page.wait_for_selector("dialog.effect-editor[open]", timeout=30000)
            check(page.input_value("dialog.effect-editor .title").startswith("fire"), "and the page opens the document")
            check(page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('loaded again'))") == [], "it is loaded once")
            check(not page.locator("#lost:popover-open").count(), "and no longer says so")
            context.close()
            self.tool.end()

    def strangers(self):
        """The program ends, and another program takes its port: it cannot use the requests of pages, also not after the next start."""
        address, _ = self.tool.start("browse", "--no-open", self.tool.effects)
        port, secret = int(re.search(r":(\d+)/", address)[1]), address.rstrip("/").rsplit("/", 1)[1]
        page = page_of(self.chromium, address)
        page.dblclick(tile("notes"))
        page.wait_for_selector("dialog.editor textarea:not([disabled])")
        page.wait_for_timeout(700)
        # It answers as the program might, and with its own page to whoever asks for one.
        program = f"""
import http.server, sys
class Squatter(http.server.BaseHTTPRequestHandler):
    def log_message(self, *values): pass
    def do_GET(self):
        size = int(self.headers.get("Content-Length") or 0)
        print(self.requestline, dict(self.headers), self.rfile.read(size), flush=True)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{{"nonce": "' + b"0" * 64 + b'", "proofs": ["' + b"1" * 64 + b'"]}}')
    do_POST = do_GET
class Server(http.server.ThreadingHTTPServer):
    allow_reuse_address = True
Server(("127.0.0.1", {port}), Squatter).serve_forever()
"""
        self.tool.end(signal.SIGKILL)
        other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 and shutil.which("setpriv") else []
        squatter = subprocess.Popen([*other, sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        page.wait_for_selector("#lost:popover-open", timeout=10000)
        page.fill(".editor textarea", "Typed while another program answers\n")
        page.wait_for_selector("#lost p:nth-child(2):not([hidden])", timeout=10000)
        self.shot(page, "stranger")
        page.wait_for_timeout(2500)
        squatter.kill()
        heard = [line for line in squatter.stdout.read().splitlines() if line]
        check(len(heard) > 1 and all(re.match(r"GET /again\?nonce=[0-9a-f]{64} HTTP", line) for line in heard), f"it is sent random numbers alone, {len(heard)} of them: {[line[:60] for line in heard if 'again' not in line][:3]}")
        check(not any(secret in line or "Typed" in line for line in heard), "neither the address nor what is typed")
        again, _ = self.tool.start("browse", "--no-open", self.tool.effects)
        check_again(again, address)
        page.wait_for_selector("#lost:popover-open", state="detached", timeout=10000)
        until(page, "document.querySelector('.editor .status').textContent === 'Saved'", timeout=10000)
        check((self.tool.effects / "notes.txt").read_text() == "Typed while another program answers\n", "what was typed meanwhile is saved")
        check(page.url.rstrip("/").endswith(again.rstrip("/").rsplit("/", 1)[1]), "the page has the new address")
        page.reload()
        page.wait_for_selector(tile("fire"))
        # A window that has the address of before, such as one of the history.
        page.goto(address)
        check("particles browse" in page.text_content("body") and page.locator("document-collection").count() == 0, "the address of before says what to do, and shows nothing")
        self.shot(page, "again")
        page.context.close()
        if other and shutil.which("curl"):
            asked = subprocess.run([*other, "curl", "-sS", "-m", "5", again], capture_output=True, text=True)
            check(asked.returncode != 0 and not asked.stdout, f"another user gets nothing from the new address: {asked.stderr.strip()}")
        self.tool.end()

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
        wide = page.eval_on_selector_all("#places button", "all => all.map((each) => each.getBoundingClientRect().right - document.querySelector('#side').getBoundingClientRect().right)")
        check(max(wide) <= 0, f"long names of places end in the side bar: {max(wide)}")
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
