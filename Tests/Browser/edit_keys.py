"""The keys of the effect editor: each of the list is pressed and does what the list says, and the list is looked at in both languages."""

from editor_page import EDITOR, Editor
from tool import check, until

# For each key: code that prepares and returns the value `before`, and a condition that has to hold after the key.
KEYS = {
    " ": ("stage.pause(); return 0", "stage.isPlaying"),
    "r": ("stage.pause(); await stage.seek(1); return stage.time", "stage.time < 0.05"),
    ".": ("stage.pause(); await stage.seek(1); return stage.time", "Math.abs(stage.time - before - 1 / 60) < 1e-6"),
    ",": ("stage.pause(); await stage.seek(1); return stage.time", "!stage.player.seeking && Math.abs(stage.time - before + 1 / 60) < 1e-6"),
    "[": ("s.setView('speed', 1); return 1", "s.view.speed === 0.5"),
    "]": ("s.setView('speed', 1); return 1", "s.view.speed === 2"),
    "n": ("s.setView('seed', undefined); return 0", "s.view.seed !== undefined"),
    "f": ("stage.zoom(2); return stage.camera.orthoHeight", "stage.camera && stage.camera.orthoHeight > before * 1.5"),
    "+": ("await stage.fit(); return stage.camera.orthoHeight", "stage.camera.orthoHeight < before * 0.9"),
    "-": ("await stage.fit(); return stage.camera.orthoHeight", "stage.camera.orthoHeight > before * 1.1"),
    "h": ("s.setView('hidesHandles', undefined); return 0", "s.view.hidesHandles === true"),
    "t": ("const target = document.querySelector('.effect-editor select.target'); target.value = 'starling'; target.dispatchEvent(new Event('change')); s.setView('splits', undefined); return 0", "s.view.splits === true"),
    "v": ("e.variations.hidden = true; return 0", "!e.variations.hidden"),
    "Control+z": ("await s.edit('Rate', [{ key: 'emitters[0].emission.rate', value: 12 }]); await s.edit('Rate', [{ key: 'emitters[0].emission.rate', value: 13 }]); return 0",
                  "s.value('emitters[0].emission.rate') === 12 && !s.queue.length"),
    "Control+Shift+Z": ("return 0", "s.value('emitters[0].emission.rate') === 13 && !s.queue.length"),
    "Control+y": ("await s.undo(); return 0", "s.value('emitters[0].emission.rate') === 13 && !s.queue.length"),
    "Control+s": ("await s.edit('Rate', [{ key: 'emitters[0].emission.rate', value: 14 }]); return 0", "s.states.length === 0 && !s.queue.length"),
    "Control+i": ("return 0", "document.querySelector('.sheet') !== null"),
    "/": ("return 0", "document.activeElement.closest('effect-inspector') !== null && document.activeElement.matches('input[type=search]')"),
    "?": ("return 0", "document.querySelector('.sheet .key-list') !== null"),
}
ARROWS = {"ArrowLeft": "before !== JSON.stringify(stage.camera)", "Alt+ArrowLeft": "before !== JSON.stringify(stage.camera)"}


def named(key, ctrl, shift):
    """A key of the list as Playwright names it."""
    return ("Control+" if ctrl else "") + ("Shift+" if shift else "") + (key.upper() if shift else key)


class KeyFlows:
    def keys(self):
        """Each key of the list, from the stage."""
        editor = self.editor
        listed = {named(*each): each for each in editor.ask("return s.keys.map(({ key, ctrl = false, shift = false }) => [key, ctrl, shift])")}
        check(set(listed) == set(KEYS), f"each key of the list is tested: {sorted(set(listed) ^ set(KEYS))}")
        for key, (prepare, holds) in KEYS.items(): self.key(editor, key, prepare, holds)
        for key, holds in ARROWS.items(): self.key(editor, key, "await stage.fit(); return JSON.stringify(stage.camera)", holds)
        editor.ask("const target = document.querySelector('.effect-editor select.target'); target.value = ''; target.dispatchEvent(new Event('change')); for (const name of ['speed', 'seed', 'hidesHandles', 'target', 'splits']) s.setView(name, undefined); e.variations.hidden = true; await stage.fit();")
        for language, word in (("en", "From the start"), ("de", "Von vorn")):
            context = self.chromium.new_context(viewport={"width": 1100, "height": 900}, locale=language)
            other = Editor(self.chromium, f"{self.address}?show={editor.ask('return s.item.id')}", context=context).wait()
            other.page.focus(".effect-stage")
            other.page.keyboard.press("?")
            other.page.wait_for_selector(".sheet .key-list")
            texts = other.page.eval_on_selector_all(".sheet .key-list dd", "all => all.map((each) => each.textContent)")
            check(len(texts) > 40 and word in texts, f"{language}: ? lists {len(texts)} keys, among them {word}")
            check(other.page.evaluate("[...document.querySelectorAll('.sheet .key-list dt, .sheet .key-list dd')].every((each) => each.scrollWidth <= each.clientWidth + 1)"), f"{language}: no text of the list is cut off")
            self.shot(other, f"keys-{language}")
            context.close()

    def key(self, editor, key, prepare, holds):
        before = editor.ask(prepare)
        editor.page.focus(".effect-stage")
        editor.page.keyboard.press(key)
        try: until(editor.page, f"(before) => {{ const e = {EDITOR}, s = e.session, stage = e.stage; return Boolean({holds}); }}", before, timeout=8000)
        except TimeoutError: return check(False, f"the key {key!r} does what the list says: {holds}, {before}")
        check(True, f"the key {key!r}")
        editor.page.evaluate("document.querySelectorAll('dialog.sheet, .sheet dialog, .sheet').forEach((each) => each.closest('dialog')?.close()); 0")
