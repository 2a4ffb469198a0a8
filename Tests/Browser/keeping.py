"""Flows of the document browser: documents that cannot be closed or saved, and what programs have left."""

import os, signal, time

from tool import check, finish, leave, page_of, tile, until

RATE = "emitters[0].emission.rate"
EDITOR = "document.querySelector('.effect-editor')?.editor"


def opened(page, name):
    page.dblclick(tile(name))
    page.wait_for_selector(".effect-editor .effect-stage")
    until(page, f"{EDITOR}?.session.document?.emitters?.length > 0")


def set_rate(page, value):
    page.evaluate(f"{EDITOR}.session.edit('Rate', [{{ key: '{RATE}', value: {value} }}]).catch(() => {{}})")


class Keeping:
    def offer(self, page, name, width=True):
        """A line is there, and is shown whole at two widths, in a picture of each."""
        page.wait_for_selector(f"[data-offer^='{name}']")
        for size in (1280, 400):
            page.set_viewport_size({"width": size, "height": 800})
            page.wait_for_timeout(250)
            fits = page.eval_on_selector_all("[data-offer] p, [data-offer] button", "all => all.every((each) => { const box = each.getBoundingClientRect(); return box.left >= 0 && box.right <= innerWidth + 0.5 && each.scrollWidth <= each.clientWidth + 1; })")
            check(fits, f"the line {name} is shown whole at {size}")
            self.shot(page, f"offer-{name}-{page.evaluate('document.documentElement.lang')}-{size}")
        page.set_viewport_size({"width": 1280, "height": 800})
        return page.text_content(f"[data-offer^='{name}'] p")

    def staying(self):
        """Escape never leaves a document, and Space plays."""
        page = page_of(self.chromium, self.address)
        opened(page, "fire")
        for _ in range(3):
            page.keyboard.press("Escape")
            page.wait_for_timeout(150)
        check(page.locator(".effect-editor[open]").count() == 1, "Escape does not leave the effect")
        check(page.is_visible(".toast:has-text('Back')"), "and the button that does is named")
        page.click("[data-command=versions]")
        page.wait_for_selector(".sheet")
        page.keyboard.press("Escape")
        page.wait_for_selector(".sheet", state="detached")
        check(page.locator(".effect-editor[open]").count() == 1, "a sheet is closed, and nothing else")
        for command in ("follow", "undo", "save", "fit"):
            playing = page.evaluate(f"{EDITOR}.stage.isPlaying")
            page.evaluate(f"document.querySelector('[data-command={command}]').focus()")
            page.keyboard.press("Space")
            page.wait_for_timeout(150)
            check(page.evaluate(f"{EDITOR}.stage.isPlaying") != playing, f"Space plays or pauses with the focus on {command}")
        check(page.locator(".sheet").count() == 0, "and presses no button")
        leave(page)
        page.wait_for_selector(".effect-editor", state="detached")
        page.dblclick(tile("notes.txt"))
        page.wait_for_selector("dialog.editor textarea:not([disabled])")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.wait_for_timeout(200)
        check(page.locator("dialog.editor[open]").count() == 1, "Escape does not leave a text")
        page.go_back()
        page.wait_for_selector("dialog.editor", state="detached")
        finish(page)

    def waiting(self):
        """A document that cannot be closed is no obstacle for a second document."""
        for language in ("en", "de"):
            page = page_of(self.chromium, self.address, locale=language)
            page.wait_for_selector(tile("snow"))
            opened(page, "snow")
            data = (self.tool.effects / "snow.particles").read_bytes()
            (self.tool.effects / "snow.particles").unlink()
            until(page, f"{EDITOR}.session.states.includes('deleted')")
            set_rate(page, 77)
            line = self.offer(page, "state")
            check("snow.particles" in line, f"the line names the document: {line}")
            page.click(".effect-editor > header > button")
            page.wait_for_selector(".effect-editor", state="detached")
            line = self.offer(page, "document")
            check("snow.particles" in line, f"and so does that of the list: {line}")
            page.dblclick(tile("notes.txt"))
            page.wait_for_selector("dialog.editor textarea:not([disabled])")
            check(page.text_content("dialog.editor .status") in ("Saved", "Gesichert"), f"another document opens as ever: {page.text_content('dialog.editor .status')}")
            page.click("dialog.editor > header > button")
            page.wait_for_selector("dialog.editor", state="detached")
            page.reload()
            page.wait_for_selector("[data-offer^=document]", timeout=15000)
            check(True, "a page that is loaded again offers it, too")
            page.click("[data-offer^=document] .primary")
            page.wait_for_selector(".effect-editor")
            until(page, f"{EDITOR}?.session.value('{RATE}') === 77")
            check(True, "and shows the document with its changes")
            page.click("[data-offer=state] [data-way=rescueRecreate]")
            until(page, f"!{EDITOR}.session.states.length")
            page.click(".effect-editor > header > button")
            page.wait_for_selector(".effect-editor", state="detached")
            check(page.locator("[data-offer^=document]").count() == 0, "a document that is saved is not offered any more")
            (self.tool.effects / "snow.particles").write_bytes(data)
            finish(page)

    def trashing(self):
        """Another window moves an open document to the trash."""
        for language in ("en", "de"):
            first, second = (page_of(self.chromium, self.address, locale=language) for _ in range(2))
            opened(first, "snow")
            second.click(tile("snow"))
            second.keyboard.press("Delete")
            second.wait_for_selector(tile("snow"), state="detached")
            line = self.offer(first, "state")
            check(first.locator("[data-way=rescueRestore]").count() == 1, f"restoring is offered: {line}")
            set_rate(first, 55 if language == "en" else 56)
            first.wait_for_timeout(1500)
            status = first.text_content(".effect-editor .status")
            check(first.get_attribute(".effect-editor .status", "data-state") == "stateTrashed", f"the state is no 'Saved': {status}")
            check(not first.is_visible("#lost"), "nor has the program ended")
            if language == "en": first.click("[data-way=rescueRestore]")
            else: second.keyboard.press("Control+z")
            until(first, f"!{EDITOR}.session.states.length")
            second.wait_for_selector(tile("snow"))
            until(first, f"{EDITOR}.session.value('{RATE}') === {55 if language == 'en' else 56}")
            self.saved("snow", 55 if language == "en" else 56)
            finish(first)
            finish(second)

    def saved(self, name, rate):
        for _ in range(100):
            found = self.tool.run("info", "--properties", self.tool.effects / f"{name}.particles").stdout
            if f"rate = {rate}" in found or f"rate: {rate}" in found: break
            time.sleep(0.05)
        check(str(rate) in found, f"{name} is saved with the rate {rate}")

    def recovering(self):
        """What a program has left is offered."""
        for language in ("en", "de"):
            page = page_of(self.chromium, self.address, locale=language)
            page.wait_for_selector(tile("snow"))
            opened(page, "snow")
            data = (self.tool.effects / "snow.particles").read_bytes()
            (self.tool.effects / "snow.particles").unlink()
            until(page, f"{EDITOR}.session.states.includes('deleted')")
            set_rate(page, 88)
            page.wait_for_timeout(1500)
            page.context.close()
            self.tool.end()
            (self.tool.effects / "snow.particles").write_bytes(data)
            self.address, _ = self.tool.start("browse", "--no-open", self.tool.effects)
            page = page_of(self.chromium, self.address, locale=language)
            page.wait_for_selector(tile("snow"))
            self.offer(page, "recovery")
            page.click("[data-offer=recovery] .primary")
            page.wait_for_selector(".left li")
            page.wait_for_timeout(300)
            self.shot(page, f"left-{language}")
            check("snow.particles" in page.text_content(".left"), "the changes that were left are listed")
            page.click(".left [data-way=recoveredShow]")
            page.wait_for_selector(".pair .picture")
            page.wait_for_timeout(1500)
            self.shot(page, f"left-shown-{language}")
            page.keyboard.press("Escape")
            page.wait_for_selector(".pair", state="detached")
            page.click(".left [data-way=recoveredOpen]")
            page.wait_for_selector(".effect-editor")
            line = self.offer(page, "recovered")
            until(page, f"{EDITOR}.session.value('{RATE}') === 88")
            check("snow.particles" in line, f"the document tells that they are in it: {line}")
            page.click("[data-offer=recovered] [data-way=rescueDiscard]")
            until(page, f"{EDITOR}.session.value('{RATE}') !== 88")
            check(True, "and gives them up")
            page.click(".effect-editor > header > button")
            page.wait_for_selector(".effect-editor", state="detached")
            page.wait_for_timeout(900)
            check(page.locator("[data-offer=recovery]").count() == 0, "nothing is offered any more")
            finish(page)

    def unwritable(self):
        """A document that cannot be saved where it is."""
        file = self.tool.effects / "snow.particles"
        for language in ("en", "de"):
            file.chmod(0o444)
            page = page_of(self.chromium, self.address, locale=language)
            page.wait_for_selector(tile("snow"))
            opened(page, "snow")
            line = self.offer(page, "state")
            check("snow.particles" in line, f"a line names the document and the reason: {line}")
            set_rate(page, 91)
            page.wait_for_timeout(300)
            page.click("[data-offer=state] .primary")
            page.wait_for_selector(".sheet input")
            self.shot(page, f"copy-{language}")
            page.fill(".sheet input", f"copy-{language}.particles")
            page.click(".sheet .primary")
            page.wait_for_selector(".sheet", state="detached")
            until(page, f"{EDITOR}?.session.item.name === 'copy-{language}.particles'")
            until(page, f"{EDITOR}.session.value('{RATE}') === 91 && !{EDITOR}.session.states.length")
            check(page.locator("[data-offer=state]").count() == 0, "the editor goes on in the copy")
            self.saved(f"copy-{language}", 91)
            file.chmod(0o644)
            finish(page)
            (self.tool.effects / f"copy-{language}.particles").unlink()

    def told(self):
        """Another program changes an open document."""
        for language, lifetime in ("en", 3.25), ("de", 2.75):
            page = page_of(self.chromium, self.address, locale=language)
            opened(page, "snow")
            set_rate(page, 41)
            until(page, f"!{EDITOR}.session.states.length")
            self.tool.run("edit", self.tool.effects / "snow.particles", f"emitters[0].lifetime={lifetime}")
            line = self.offer(page, "outside")
            check("snow.particles" in line, f"a change by another program is told: {line}")
            page.click("[data-offer=outside] [data-way=recoveredShow]")
            page.wait_for_selector(".pair .picture")
            page.wait_for_timeout(1200)
            self.shot(page, f"outside-shown-{language}")
            page.keyboard.press("Escape")
            page.wait_for_selector(".pair", state="detached")
            page.click("[data-offer=outside] [data-way=outsideUndo]")
            until(page, f"{EDITOR}.session.value('emitters[0].lifetime') !== {lifetime} && {EDITOR}.session.value('{RATE}') === 41")
            check(page.locator("[data-offer=outside]").count() == 0, "and taken back, and my change stays")
            until(page, f"!{EDITOR}.session.states.length")
            page.evaluate(f"{EDITOR}.session.undo()")
            until(page, f"{EDITOR}.session.value('emitters[0].lifetime') === {lifetime}")
            leave(page)
            page.wait_for_selector(".effect-editor", state="detached")
            finish(page)
