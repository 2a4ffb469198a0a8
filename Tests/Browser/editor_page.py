"""A page with the effect editor, and what tests need to look into it."""

from tool import until

SIZE, BACKGROUND = 96, "#2a4058"
CAMERA = {"position": [0, 0, 1000], "target": [0, 0, 0], "orthoHeight": 600}
EDITOR = "document.querySelector('dialog.effect-editor')?.editor"


class Editor:
    """A page with the editor of a document."""

    def __init__(self, chromium, address, width=1100, height=640, context=None):
        self.context = context or chromium.new_context(viewport={"width": width, "height": height}, accept_downloads=True)
        self.page = self.context.new_page()
        self.page.faults, self.requests = [], []
        self.page.on("pageerror", lambda error: self.page.faults.append(str(error)))
        self.page.on("console", lambda message: self.page.faults.append(message.text) if "Content Security Policy" in message.text else None)
        self.page.on("request", lambda request: self.requests.append(request.url.split("/", 4)[-1]))
        self.page.goto(address)
        self.address = address

    def wait(self):
        until(self.page, f"Boolean({EDITOR}?.stage.player?.effect?.view) || {EDITOR}?.stage.hasModule === false", timeout=60000)
        return self

    def ask(self, code, value=None):
        """Runs code with `s`, the session, and `e`, the editor."""
        return self.page.evaluate(f"async (value) => {{ const e = {EDITOR}, s = e.session, stage = e.stage; {code} }}", value)

    def idle(self): self.ask("await s.idle(); await s.save('automatic').catch(() => {});")

    def pixels(self, at):
        """The picture at a time, by the module."""
        return bytes(self.ask("""
          stage.pause();
          await stage.settled();
          await stage.seek(value.at);
          const { pixels } = await stage.picture({ width: value.size, height: value.size, camera: value.camera, background: stage.player.colorOf(value.background) });
          return [...pixels];""", {"at": at, "size": SIZE, "camera": CAMERA, "background": BACKGROUND}))

    def close(self): self.page.close()
