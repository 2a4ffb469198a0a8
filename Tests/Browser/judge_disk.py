"""Disks that are full or cannot be written, files that are deleted, damaged or changed by others while an effect is edited."""

import contextlib, json, os, pathlib, shutil, subprocess, time

from editor_page import EDITOR, Editor
from routes import Client, Refused
from tool import attempt, check, until

RATE = "emitters[0].emission.rate"


@contextlib.contextmanager
def volume(folder, kilobytes=1024):
    """A small volume of its own at a folder, or nothing where it cannot be mounted."""
    image = pathlib.Path(folder).with_suffix(".img")
    folder.mkdir(parents=True, exist_ok=True)
    def run(*command): return subprocess.run([str(each) for each in command], capture_output=True, text=True).returncode == 0
    with open(image, "wb") as file: file.truncate(kilobytes << 10)
    # No bytes are kept for the superuser, so that full is full.
    isMounted = run("mkfs.ext4", "-q", "-m", "0", image) and run("mount", "-o", "loop", image, folder)
    try:
        if not isMounted: print("ext4 cannot be mounted here (needs the superuser and loop devices); what needs it is not judged")
        yield folder if isMounted else None
    finally:
        if isMounted: run("umount", "-l", folder)
        image.unlink(missing_ok=True)


def fill(folder):
    """Fills a volume to its last byte."""
    with open(folder / "ballast", "wb", buffering=0) as file:
        for size in (1 << 16, 1 << 10, 1):
            with contextlib.suppress(OSError):
                while True: file.write(bytes(size))


def eventually(condition, seconds=20):
    """Waits for a condition of a document, and asks for the document again."""
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end: time.sleep(0.1)
    return found


class Disk:
    def __init__(self, tool, chromium, pictures):
        self.tool, self.chromium, self.pictures = tool, chromium, pictures
        self.table = []

    def disk(self):
        for name in ("full", "read_only_folder", "read_only_file", "deleted", "outside", "conflict", "unreadable", "foreign"):
            folder = self.tool.effects / name
            folder.mkdir()
            attempt(name, getattr(self, name), folder)
            self.tool.end()
        print(f"\n{'condition':18} {'states':28} outcome")
        for row in self.table: print("{:18} {:28} {}".format(*row))

    def note(self, name, states, outcome): self.table.append((name, " ".join(sorted(states)) or "-", outcome))

    # MARK: Documents

    def opened(self, path, template="fire"):
        if not path.exists(): self.tool.run("new", "-q", path, "--template", template)
        self.address, _ = self.tool.start("edit", "--window", "--no-open", path)
        return Client(self.address).open(path)

    def stored(self, path):
        """The rate in the file, or the reason if it is not whole."""
        shown = self.tool.run("extract", path, "document.json", "-o", "-")
        return json.loads(shown.stdout)["emitters"][0]["emission"]["rate"] if shown.returncode == 0 else shown.stderr[:200]

    def journal(self):
        return self.tool.run("recovery").stdout

    def state(self, document, name, isThere=True):
        return eventually(lambda: (document.again(), (name in document.states) == isThere)[1])

    def banner(self, name, state, command, cause=lambda editor: None, cure=lambda: None):
        """The page shows the state and offers a way out. The test takes it after the cure."""
        editor = Editor(self.chromium, self.address).wait()
        cause(editor)
        until(editor.page, f"{EDITOR}.session.states.includes('{state}')", timeout=20000)
        until(editor.page, "document.querySelector('.effect-banner:not([hidden]) button') !== null")
        offers = editor.page.eval_on_selector_all(".effect-banner button", "all => all.map(({ textContent }) => textContent.trim())")
        if self.pictures: editor.page.screenshot(path=self.pictures / f"edit-disk-{name}.png")
        cure()
        editor.page.get_by_role("button", name=command, exact=True).first.click()
        until(editor.page, f"!{EDITOR} || !{EDITOR}.session.states.includes('{state}')", timeout=20000)
        check(not editor.page.faults, f"{name}: no errors in the page: {editor.page.faults[:2]}")
        editor.context.close()
        return offers

    # MARK: Conditions

    def full(self, folder):
        with volume(folder) as where:
            if where is None: return
            path = where / "fire.particles"
            document = self.opened(path)
            before, old = path.read_bytes(), self.stored(path)
            fill(where)
            document.edit(**{RATE: 123})
            with contextlib.suppress(Refused): document.save("automatic")
            check(self.state(document, "not saved"), f"a full disk is the state 'not saved': {document.states}")
            states = document.states
            check(document.value(RATE) == 123 and self.stored(path) == old and path.read_bytes()[:len(before)] == before, f"the edit stays, and so does what is on disk: {self.stored(path)}")
            check(eventually(lambda: str(path) in self.journal()), "the edit is in the recovery journal")
            offers = self.banner("full", "not saved", "Try again", cure=(where / "ballast").unlink)
            self.note("full disk", states, f"offers {offers}")
            check(eventually(lambda: self.stored(path) == 123), f"with room it is saved: {self.stored(path)}")
            document.again()
            check(not document.states, f"the states are gone: {document.states}")
            leftovers = [each.name for each in where.iterdir() if each.name not in (path.name, "lost+found")]
            check(not leftovers, f"nothing is left beside it: {leftovers}")
            self.tool.end()

    def read_only_folder(self, folder):
        with volume(folder) as where:
            if where is None: return
            path = where / "fire.particles"
            document = self.opened(path)
            old = self.stored(path)
            subprocess.run(["mount", "-o", "remount,ro", str(where)], check=True)
            document.edit(**{RATE: 124})
            with contextlib.suppress(Refused): document.save("automatic")
            found = eventually(lambda: (document.again(), {"read-only", "not saved"} & set(document.states))[1])
            check(found, f"a volume that cannot be written is told: {document.states}")
            states = document.states
            check(self.stored(path) == old and document.value(RATE) == 124, "the edit stays, and so does what is on disk")
            check(eventually(lambda: str(path) in self.journal()), "the edit is in the recovery journal")
            self.tool.end()
            again = self.opened(path)
            check(again.value(RATE) == 124, f"a program that is started again has the edit from the journal: {again.value(RATE)}, {again.states}")
            subprocess.run(["mount", "-o", "remount,rw", str(where)], check=True)
            again.save()
            check(self.stored(path) == 124, f"when it can be written it is saved: {self.stored(path)}")
            self.note("read-only volume", states, "journal, taken up after a restart, then saved")
            self.tool.end()

    def read_only_file(self, folder):
        path = folder / "fire.particles"
        self.tool.run("new", "-q", path, "--template", "fire")
        path.chmod(0o444)
        document = self.opened(path)
        check("read-only" in document.states, f"a file that cannot be written is read-only: {document.states}")
        states = document.states
        old = path.read_bytes()
        document.edit(**{RATE: 125})
        with contextlib.suppress(Refused): document.save("automatic")
        check(path.read_bytes() == old, "it is not changed")
        check(eventually(lambda: str(path) in self.journal()), "its edits are in the recovery journal")
        path.chmod(0o644)
        eventually(lambda: self.saves(document))
        check(self.stored(path) == 125, f"when it can be written it is saved: {self.stored(path)}, {document.states}")
        self.note("read-only file", states, "journal, then saved")

    def saves(self, document):
        try: return document.save() is not None
        except Refused: return False

    def deleted(self, folder):
        path = folder / "fire.particles"
        document = self.opened(path)
        def remove(editor):
            path.unlink()
            editor.ask("s.edit('Rate', [{ key: 'emitters[0].emission.rate', value: 126 }]).catch(() => {});")
        def stays():
            check(eventually(lambda: str(path) in self.journal()), "the contents of a file that is gone are in the recovery journal")
            check(not path.exists(), "it is not written unasked")
        offers = self.banner("deleted", "deleted", "Create again", cause=remove, cure=stays)
        check(eventually(path.exists) and self.stored(path) == 126, f"it is created again: {offers}")
        path.unlink()
        try:
            # The system tells the program a moment later.
            check(eventually(lambda: "deleted" in document.again()["document"]["states"], 2), "a page that is loaded again gets the state 'deleted'")
        except Refused as error: check(False, f"a page that is loaded again gets the state 'deleted': {error}")
        self.note("deleted", ["deleted"], f"offers {offers}")

    def outside(self, folder):
        path = folder / "fire.particles"
        document = self.opened(path)
        document.edit(**{RATE: 127})
        document.save()
        other = self.tool.run("edit", path, "emitters[1].lifetime=2.25")
        check(other.returncode == 0 and eventually(lambda: (document.again(), document.value("emitters[1].lifetime") == 2.25)[1]), f"a change from outside is shown: {other.stderr[:80]}")
        document.edit(**{"emitters[0].lifetime": 1.25})
        document.save()
        check((self.stored(path), document.value("emitters[1].lifetime"), document.value("emitters[0].lifetime")) == (127, 2.25, 1.25), "both are saved")
        self.note("changed outside", document.states, "shown, merged")

    def replaced(self, folder, path, values):
        """What another program will put into the place of a file."""
        other = folder / "other.particles"
        shutil.copyfile(path, other)
        self.tool.run("edit", other, *values)
        return other

    def conflict(self, folder):
        path = folder / "fire.particles"
        document = self.opened(path)
        for choice, expected in (("ours", 128), ("theirs", 200), ("both", 200), ("merged", 128)):
            document.edit(**{RATE: 100})
            document.save()
            other = self.replaced(folder, path, [f"{RATE}=200", "emitters[1].lifetime=1.5"])
            document.edit(**{RATE: 128})
            os.replace(other, path)
            if not check(self.state(document, "in conflict"), f"both have changed the same: a conflict: {document.states}"): continue
            states = document.states
            check(self.stored(path) == 200, "theirs stays on disk until the choice")
            try:
                document.save("automatic")
                document.again()
            except Refused: pass
            check(self.stored(path) == 200, "nothing is saved while there is a conflict")
            for side in ("ours", "theirs"): check(len(document.client.bytes("edit-effect", item=document.item, side=side)) > 500, f"the side {side} can be shown")
            before = {each.name for each in folder.iterdir()}
            document.update(document.client.ask("edit-resolve", {"item": document.item, "choice": choice}))
            with contextlib.suppress(Refused): document.save()
            check(eventually(lambda: self.stored(path) == expected), f"{choice}: {self.stored(path)} is stored ({expected})")
            added = {each.name for each in folder.iterdir()} - before
            check(bool(added) == (choice == "both"), f"{choice}: beside it: {sorted(added)}")
            for name in added: check(self.stored(folder / name) == 128, f"{name} has ours")
            versions = document.client.ask("edit-versions", item=document.item)["versions"]
            if choice in ("ours", "theirs"): check(any(each["kind"] == "conflict" for each in versions), f"{choice}: the other side is a version")
            self.note(f"conflict, {choice}", states, f"{expected} stored, {len(versions)} versions")

    def unreadable(self, folder):
        path = folder / "fire.particles"
        document = self.opened(path)
        document.edit(**{RATE: 130})
        document.save()
        (folder / "damaged").write_bytes(b"damaged by another program\n")
        os.replace(folder / "damaged", path)
        document.edit(**{RATE: 131})
        check(self.state(document, "unreadable"), f"what cannot be read is the state 'unreadable': {document.states}")
        states = document.states
        try:
            document.save()
            check(False, "a save is refused")
        except Refused as error: check(error.code in ("file/conflict", "file/not-found"), f"a save is refused: {error}")
        check(path.read_bytes().startswith(b"damaged"), "what is there stays until it is asked for")
        check(eventually(lambda: str(path) in self.journal()), "our contents are in the recovery journal")
        offers = self.banner("unreadable", "unreadable", "Save anyway")
        check(eventually(lambda: self.stored(path) == 131), f"ours replace it: {self.stored(path)}, {offers}")
        kept = [each["kind"] for each in document.client.ask("edit-versions", item=document.item)["versions"]]
        beside = [each for each in folder.iterdir() if each != path]
        check("conflict" in kept or beside, f"what was there is a version: {kept} {beside}")
        self.note("unreadable", states, f"offers {offers}")

    def foreign(self, folder):
        """A file of another format that another program changes: merged, or a conflict."""
        path = folder / "torch.pex"
        shutil.copyfile(pathlib.Path(__file__).resolve().parent.parent.parent / "Fixtures/effects/pex/torch.pex", path)
        document = self.opened(path)
        key = "emitters[0].launch.speed"
        document.relative(key, "+7")
        ours, old = document.value(key), path.read_bytes()
        with contextlib.suppress(Refused): document.save("automatic")
        check(path.read_bytes() == old, "nothing is written unasked")
        self.tool.run("edit", path, f"{key}+=50")
        check(self.state(document, "in conflict"), f"a foreign file that was changed at the same place is in conflict: {document.states}")
        states = document.states
        document.update(document.client.ask("edit-resolve", {"item": document.item, "choice": "ours"}))
        document.save()
        document.close()
        again = document.client.open(path)
        check(again.value(key) == ours, f"ours is stored: {again.value(key)}")
        self.note("foreign conflict", states, "ours stored")
