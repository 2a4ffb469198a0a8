"""Flows of the effect editor: other windows and programs, kills, conflicts and versions."""

import json, signal, time

from editor_page import EDITOR
from tool import check, check_again, until


class StateFlows:
    def windows(self):
        first = self.editor
        second = self.another()
        first.ask("await s.edit('Rate', [{ key: 'emitters[0].emission.rate', value: 77 }]);")
        until(second.page, f"{EDITOR}.session.value('emitters[0].emission.rate') === 77")
        check(True, "the other window has the change")
        # Both drag at once: each change is made again on the newer text.
        code = "const drag = s.begin('Both'); for (let move = 0; move < 60; move++) { drag.change([{ key: value, value: 1 + move }]); await new Promise((resolve) => setTimeout(resolve, 8)); } await s.idle();"
        first.page.evaluate(f"window.done = (async (value) => {{ const s = {EDITOR}.session; {code} }})('emitters[0].emission.rate'); 0")
        second.ask(code, "emitters[1].emission.rate")
        first.page.evaluate("window.done")
        for editor in (first, second):
            until(editor.page, f"{EDITOR}.session.value('emitters[0].emission.rate') === 60 && {EDITOR}.session.value('emitters[1].emission.rate') === 60")
        check(True, "two windows drag at the same time, and both have both")
        check(first.pixels(0.9) == second.pixels(0.9), "both show the same")
        self.same(first, "after two windows")
        second.close()

    def outside(self):
        editor = self.editor
        editor.idle()
        result = self.tool.run("edit", self.file, "emitters[0].emission.rate=33")
        until(editor.page, f"{EDITOR}.session.value('emitters[0].emission.rate') === 33")
        check(result.returncode == 0, "a change from outside is shown")
        self.same(editor, "after a change from outside")

    def killing(self):
        """Kills the program while it saves. Nothing is lost."""
        editor = self.editor
        for round, wait in enumerate((0.0, 0.03, 0.2, 0.6, 1.1)):
            value = 100 + round
            editor.idle()
            editor.ask("""
              const drag = s.begin('Before the end');
              for (let move = 0; move <= 20; move++) {
                drag.change([{ key: 'emitters[0].emission.rate', value: value - 20 + move }]);
                await new Promise((resolve) => setTimeout(resolve, 10));
              }
              drag.end();
              s.structure({ op: 'duplicate', indices: [1] }).catch(() => {});""", value)
            emitters = editor.ask("return s.document.emitters.length")
            time.sleep(wait)
            self.tool.end(signal.SIGKILL)
            before = self.address
            if not round:
                until(editor.page, f"!{EDITOR}.session.isOnline", timeout=20000)
                for width in (1280, 1000, 700):
                    editor.page.set_viewport_size({"width": width, "height": 640})
                    editor.page.wait_for_timeout(200)
                    text, isCut, right, left = editor.page.evaluate("""() => {
                      const status = document.querySelector('.effect-editor > header .status'), next = status.nextElementSibling;
                      return [status.title, getComputedStyle(status).overflowX === 'hidden', status.getBoundingClientRect().right, next.getBoundingClientRect().left];
                    }""")
                    check(len(text) > 30 and isCut and right <= left, f"at {width} px, a long line is not written over buttons: {text} {right} {left}")
                editor.page.set_viewport_size({"width": 1100, "height": 640})
            editor.ask("s.edit('While it is dead', [{ key: 'emitters[1].emission.rate', value: value }]).catch(() => {});", value)
            self.address, _ = self.tool.start("edit", "--window", "--no-open", self.file)
            check_again(self.address, before)
            until(editor.page, f"{EDITOR}.session.isOnline && !{EDITOR}.session.queue.length && {EDITOR}.session.states.length === 0", timeout=40000)
            found = json.loads(self.document())["emitters"]
            rates = [each["emission"]["rate"] for each in found]
            check(rates[:2] == [value, value], f"killed after {wait} s: no change is lost: {rates}, {value}")
            count = editor.ask("return s.document.emitters.length")
            check(len(found) == count, f"the page has what is saved: {count} emitters")
            check(count >= emitters, "the copied emitter is there")
            self.same(editor, f"killed after {wait} s")
            editor.ask("while (s.document.emitters.length > 4) await s.structure({ op: 'remove', indices: [s.document.emitters.length - 1] });")
        check(not editor.page.faults, f"no errors in the page: {editor.page.faults}")

    def conflict(self):
        editor = self.editor
        editor.idle()
        # An unsaved value meets another value of the property, which another program saves.
        self.tool.process.send_signal(signal.SIGSTOP)
        editor.page.evaluate(f"{EDITOR}.session.edit('Ours', [{{ key: 'emitters[0].emission.rate', value: 201 }}]).catch(() => {{}}); 0")
        time.sleep(0.2)
        self.tool.run("edit", self.file, "--timeout", "0.2", "emitters[0].emission.rate=202")
        self.tool.process.send_signal(signal.SIGCONT)
        time.sleep(1.5)
        editor.idle()
        value = editor.ask("return s.value('emitters[0].emission.rate')")
        states = editor.ask("return s.states")
        if "in conflict" in states:
            editor.page.click("[data-offer=state] .primary")
            editor.page.wait_for_selector(".sheet [data-choice=ours]")
            editor.page.wait_for_timeout(1200)
            self.shot(editor, "conflict")
            editor.page.click(".sheet [data-choice=ours]")
            until(editor.page, f"!{EDITOR}.session.states.includes('in conflict')")
            check(editor.ask("return s.value('emitters[0].emission.rate')") == 201, "a conflict ends with the side that was chosen")
        else:
            check(value in (201, 202), f"no conflict: the later value counts ({value}, {states})")
        self.same(editor, "after a conflict")

    def versions(self):
        editor = self.editor
        page = editor.page
        editor.ask("await s.save(); await s.edit('Rate', [{ key: 'emitters[0].emission.rate', value: 5 }]); await s.save();")
        page.click("[data-command=versions]")
        page.wait_for_selector(".versions li")
        until(page, "[...document.querySelectorAll('.versions img')].every(({ complete, naturalWidth }) => complete && naturalWidth > 0)", timeout=15000)
        page.hover(".versions li:last-child .picture")
        page.wait_for_timeout(900)
        self.shot(editor, "versions")
        count = page.locator(".versions li").count()
        page.click(".versions li:last-child button")
        page.wait_for_selector(".versions", state="detached")
        check(editor.ask("return s.value('emitters[0].emission.rate')") != 5, f"one of {count} versions is restored")
        self.same(editor, "a version")
        editor.ask("await s.undo();")
        check(editor.ask("return s.value('emitters[0].emission.rate')") == 5, "and the restoring is undone")
        page.fill(".effect-editor .title", "blaze.particles")
        page.keyboard.press("Enter")
        moved = self.file.with_name("blaze.particles")
        for _ in range(100):
            if moved.exists(): break
            time.sleep(0.05)
        check(moved.exists(), "the title renames the document")
        self.file = moved
        editor.ask("await s.edit('Rate', [{ key: 'emitters[0].emission.rate', value: 61 }]);")
        self.same(editor, "after a new name")
        page.click("[data-command=edits]")
        page.wait_for_selector("#edits button")
        self.shot(editor, "edits")
        page.keyboard.press("Escape")
        check(not editor.page.faults, f"no errors in the page: {editor.page.faults}")
