"""Kills the program at each step of a save, on ext4: the file is the old or the new one, the journal and the page have the edits."""

import collections, json, pathlib, re, shutil, signal, subprocess, time

from http.client import HTTPException

from editor_page import EDITOR, Editor
from judge_disk import eventually, volume
from judge_formats import FIXTURES
from routes import Client, Refused
from tool import check, check_again, until

RATE, SPEED = "emitters[0].emission.rate", "emitters[0].launch.speed"
# System calls that change stored data, and how often at most each is the last call. Calls are counted for each thread.
STEPS = {"pwrite64": 12, "write": 3, "rename": 5, "fsync": 2, "flock": 4, "mkdir": 1, "unlink": 1, "unlinkat": 1, "fchmod": 1}
# The list for a page that goes on. Each entry takes a restart and a picture.
PAGE_STEPS = [("pwrite64", 1), ("pwrite64", 3), ("pwrite64", 6), ("rename", 1), ("rename", 2), ("fsync", 1), ("flock", 2), ("write", 1)]


class Injection:
    """Kills a process at the count-th call of the system of this name, by strace."""

    def __init__(self, process, call, count):
        self.strace = subprocess.Popen(["strace", "-f", "-qq", "-p", str(process.pid), "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal=SIGKILL:when={count}"],
                                       stderr=subprocess.PIPE, text=True)
        # It says nothing with -qq: a process that is traced says so itself.
        status = pathlib.Path(f"/proc/{process.pid}/status")
        end = time.monotonic() + 10
        while not re.search(r"TracerPid:\s+[1-9]", status.read_text()) and time.monotonic() < end: time.sleep(0.01)
        time.sleep(0.05)

    def end(self):
        self.strace.terminate()
        self.strace.wait()
        self.strace.stderr.close()


class Kill:
    def __init__(self, tool, chromium, pictures):
        self.tool, self.chromium, self.pictures = tool, chromium, pictures
        self.table = collections.defaultdict(collections.Counter)

    def kill(self):
        if not shutil.which("strace"): return print("strace is not installed; no save is interrupted")
        with volume(self.tool.effects / "volume", 16384) as where:
            if where is None:
                where = self.tool.effects / "folder"
                where.mkdir()
            for kind in (self.package, self.foreign):
                for call, most in STEPS.items():
                    for count in range(1, most + 1):
                        if not kind(where, call, count): break
            self.page(where)
            self.tool.end(signal.SIGKILL)
            result = self.tool.run("recovery")
            check(result.returncode == 0, f"the journal can be listed: {result.stdout.strip()[:200]}")
        total = sum(self.table[kind]["killed"] for kind in self.table)
        print(f"\n{total} kills")
        for kind, counts in self.table.items(): print(f"{kind:22} " + ", ".join(f"{count} {name}" for name, count in sorted(counts.items())))

    def save(self, path, call, count, change):
        """Edits and saves under an injection. Returns whether the program was killed."""
        client = Client(self.tool.start("edit", "--window", "--no-open", path)[0])
        document = client.open(path)
        process = self.tool.process
        old = change(document, isBefore=True)
        injection = Injection(process, call, count)
        answered = False
        try:
            change(document, isBefore=False)
            document.save()
            answered = True
        except (OSError, HTTPException, Refused, ValueError): pass
        try: wasKilled = process.wait(0.3 if answered else 5) == -signal.SIGKILL
        except subprocess.TimeoutExpired: wasKilled = False
        injection.end()
        self.tool.end(signal.SIGKILL)
        return wasKilled, answered, old

    def note(self, kind, call, count, wasKilled, outcome):
        if wasKilled: self.table[kind]["killed"] += 1
        self.table[kind][outcome if wasKilled else "not reached"] += 1

    # MARK: A package

    def package(self, where, call, count):
        path = where / "fire.particles"
        if not path.exists(): self.tool.run("new", "-q", path, "--template", "fire")
        new = 1001 + sum(self.table["package"].values())
        def stored():
            shown = self.tool.run("extract", path, "document.json", "-o", "-")
            return json.loads(shown.stdout)["emitters"][0]["emission"]["rate"] if shown.returncode == 0 else shown.stderr
        # The program that was killed before may have left an edit in its journal, which the next one makes again.
        before = stored()
        def change(document, isBefore):
            if isBefore: return document.value(RATE)
            document.edit(**{RATE: new})
        wasKilled, answered, old = self.save(path, call, count, change)
        found = stored()
        outcome = "old" if found in (old, before) else "new" if found == new else "BROKEN"
        verified = self.tool.run("verify", path)
        check(outcome != "BROKEN" and verified.returncode == 0, f"package, {call} {count}: {'killed' if wasKilled else 'not reached'}, the file is {outcome}: {found} {verified.stderr[:120]}")
        check(not answered or outcome == "new", f"package, {call} {count}: what was answered as saved is stored")
        self.note("package", call, count, wasKilled, outcome)
        return wasKilled

    # MARK: A file of another format

    def foreign(self, where, call, count):
        path = where / "torch.pex"
        if not path.exists(): shutil.copyfile(FIXTURES / "effects/pex/torch.pex", path)
        before = path.read_bytes()
        expected = []
        def change(document, isBefore):
            if not isBefore: return
            document.relative(SPEED, "+1")
            # It is in the journal from here on.
            document.save("automatic")
            expected.append(document.value(SPEED))
        wasKilled, answered, _ = self.save(path, call, count, change)
        after = path.read_bytes()
        changed = sum(a != b for a, b in zip(before.split(b"\n"), after.split(b"\n")))
        outcome = "old" if after == before else "new" if changed == 1 and before.count(b"\n") == after.count(b"\n") else "BROKEN"
        check(outcome != "BROKEN", f"foreign, {call} {count}: {'killed' if wasKilled else 'not reached'}, the file is {outcome}: {changed} lines")
        # The next program has the edit: from the file or from the journal.
        client = Client(self.tool.start("edit", "--window", "--no-open", path)[0])
        document = client.open(path)
        value = document.value(SPEED)
        check(value == expected[0], f"foreign, {call} {count}: opened again, the edit is there: {value}, {expected[0]}, {document.states}")
        document.save()
        document.close()
        self.tool.end(signal.SIGKILL)
        self.note("file of another format", call, count, wasKilled, outcome)
        return wasKilled

    # MARK: A page

    def page(self, where):
        """The page goes on after each kill, and nothing that was typed is lost."""
        path = where / "page.particles"
        self.tool.run("new", "-q", path, "--template", "fire")
        address, _ = self.tool.start("edit", "--window", "--no-open", path)
        editor = Editor(self.chromium, address).wait()
        for number, (call, count) in enumerate(PAGE_STEPS):
            value = 200 + number
            process = self.tool.process
            editor.idle()
            injection = Injection(process, call, count)
            editor.ask("""
              const drag = s.begin('While it is killed');
              for (let move = 0; move <= 10; move++) {
                drag.change([{ key: 'emitters[0].emission.rate', value: value - 10 + move }]);
                await new Promise((resolve) => setTimeout(resolve, 15));
              }
              drag.end();
              s.edit('After it', [{ key: 'emitters[1].emission.rate', value }]).catch(() => {});
              s.save().catch(() => {});""", value)
            try: wasKilled = process.wait(6) == -signal.SIGKILL
            except subprocess.TimeoutExpired: wasKilled = False
            injection.end()
            self.tool.end(signal.SIGKILL)
            editor.ask("s.edit('While it is dead', [{ key: 'emitters[1].lifetime', value: value / 100 }]).catch(() => {});", value)
            again, _ = self.tool.start("edit", "--window", "--no-open", path)
            check_again(again, address)
            try: until(editor.page, f"{EDITOR}.session.isOnline && !{EDITOR}.session.queue.length && {EDITOR}.session.states.length === 0", timeout=40000)
            except TimeoutError: check(False, f"page, {call} {count}: it goes on: {editor.ask('return [s.isOnline, s.queue.length, s.states]')}")
            def stored():
                found = json.loads(self.tool.run("extract", path, "document.json", "-o", "-").stdout)["emitters"]
                return [found[0]["emission"]["rate"], found[1]["emission"]["rate"], found[1]["lifetime"]]
            eventually(lambda: stored() == [value, value, value / 100], 10)
            check(stored() == [value, value, value / 100], f"page, {call} {count}: {'killed' if wasKilled else 'not reached'}, all that was typed is stored: {stored()}")
            self.note("page", call, count, wasKilled, "all stored" if stored() == [value, value, value / 100] else "LOST")
        if self.pictures: editor.page.screenshot(path=self.pictures / "edit-killed.png")
        check(not editor.page.faults, f"no errors in the page: {editor.page.faults[:2]}")
        editor.context.close()
