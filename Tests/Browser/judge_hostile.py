"""Hostile and damaged files in the editor, and pictures that are none: the reason is told, and everything goes on."""

import os, pathlib, re, shutil, socket, struct, zlib

from editor_page import Editor
from judge_formats import CORPUS, FIXTURES
from routes import Client, Refused
from tool import check, page_of, tile, until

# Resident bytes of the program at most: the memory that it allows for a document of others, and its own.
MOST_MEMORY = 600 << 20
# Seconds for one file on a machine with other work.
PATIENCE = 30


def peak(process):
    """The most resident bytes that a process ever had."""
    return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1]) << 10


def png_head(width, height):
    """A picture that says it is large, and has nothing."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))


def png_bomb():
    """A picture of 30,000 × 30,000 in less than a megabyte, complete."""
    packed = zlib.compressobj(9)
    row = bytes(1 + 30000 * 4)
    data = b"".join(packed.compress(row) for _ in range(1000)) + packed.flush()
    chunk = b"IDAT" + data
    return png_head(30000, 30000) + struct.pack(">I", len(data)) + chunk + struct.pack(">I", zlib.crc32(chunk)) + b"\0\0\0\0IEND\xaeB`\x82"


class Hostile:
    def __init__(self, tool, chromium, pictures): self.tool, self.chromium, self.pictures = tool, chromium, pictures

    def files(self):
        """Copies of all damaged files, by their places."""
        sources = []
        shared = CORPUS.parent / "hostile"
        if shared.is_dir(): sources += [each for each in shared.rglob("*") if each.is_file() and each.suffix != ".md"]
        else: print(f"{shared} is not there; the damaged files of the project alone are tried")
        if CORPUS.is_dir(): sources += [*(CORPUS / "malformed").iterdir(), *(CORPUS / "other").rglob("*.sks")]
        sources += [each for folder in ("hostile", "crashers") for each in (FIXTURES / folder).rglob("*") if each.is_file()]
        for number, source in enumerate(sorted(sources)):
            path = self.tool.effects / f"{number:03} {source.name}"
            shutil.copyfile(source, path)
            yield path

    def hostile(self):
        files = list(self.files())
        digests = {path: path.read_bytes() for path in files}
        address, _ = self.tool.start("browse", "--no-open", self.tool.effects)
        client = Client(address)
        before = peak(self.tool.process)
        page = page_of(self.chromium, address)
        refused, opened, silent = [], [], []
        for path in files:
            if path.suffix == ".png": continue
            try:
                document = client.open(path)
                found = document.findings()
                opened.append((path.name, len(found), document.states))
                try:
                    document.edit(**{"emitters[0].lifetime": 1.5})
                    document.save()
                except Refused as error:
                    if not error.diagnostic.get("message"): silent.append(path.name)
                document.close()
            except Refused as error:
                refused.append((path.name, error.code, error.diagnostic.get("message", "")))
                if not (error.code and error.diagnostic.get("message")) or error.status >= 500: silent.append(f"{path.name}: {error}")
            # After each file, the page answers and the program goes on.
            answered = page.evaluate("fetch('targets').then(({ ok }) => Number(ok))")
            if not check(answered == 1 and self.tool.process.poll() is None, f"{path.name}: the page is answered"): return
        check(not silent, f"each of {len(refused)} that are refused has a rule and a reason: {silent[:3]}")
        check(refused and opened, f"{len(refused)} files are refused, {len(opened)} can be edited")
        for name, code, message in refused: print(f"   {name[:58]:58} {code:24} {message[:90]}")
        for name, findings, states in opened: print(f"   {name[:58]:58} opened, {findings} findings {' '.join(states)}")
        changed = [path.name for path in files if path.name in {name for name, *_ in refused} and path.read_bytes() != digests[path]]
        check(not changed, f"files that are refused stay as they were: {changed}")
        self.rows(client, page, [name for name, *_ in refused])
        used = peak(self.tool.process)
        check(used < MOST_MEMORY, f"the program had {used >> 20} MB at most ({before >> 20} before)")
        page.context.close()
        self.tool.end()
        self.images()

    def rows(self, client, page, names):
        """The rows of refused files have the reason. Opening one in the page tells it, and the page goes on."""
        items = {row[1]: row[0] for row in client.rows(client.place())}
        ids = [items[name] for name in names if name in items]
        rows = client.ask("inspect", {"items": ids[:60]})
        rows = rows.get("items", rows) if isinstance(rows, dict) else rows
        # A picture, a text of others or a scene of Godot 2 is a file of no format that is read. Opening it tells why, and its row
        # has nothing to tell.
        others = ("dot.", "project.godot", "json-duplicate-key.json", "godot2-particles2d.tscn")
        quiet = [row[1] for row in rows if not (len(row) > 7 and row[7]) and not row[1][4:].startswith(others)]
        check(rows and not quiet, f"{len(rows)} rows of effects have their problem: without one {quiet}")
        for name in [each for each in names if page.locator(tile(each)).count()][:2]:
            page.evaluate("window.beats = 0; window.beating = setInterval(() => { window.beats++; }, 10); 0")
            page.locator(tile(name)).first.dblclick(timeout=PATIENCE * 1000)
            reason = "[...document.querySelectorAll('dialog[open] .notice, dialog[open] .status, #toasts .toast')].filter((each) => each.checkVisibility()).map((each) => each.textContent.trim()).filter(Boolean).join(' | ')"
            try: until(page, reason, timeout=PATIENCE * 1000)
            except TimeoutError: pass
            told = page.evaluate(reason)
            check(page.evaluate("window.beats") > 10, f"{name}: the page goes on while it is opened ({page.evaluate('window.beats')} turns)")
            check(bool(told), f"{name}: the page tells why it does not open: {told[:160]}")
            if self.pictures: page.screenshot(path=self.pictures / f"edit-hostile-{name[:3]}.png")
            page.evaluate("clearInterval(window.beating); document.querySelectorAll('dialog[open]').forEach((each) => each.close()); 0")
        check(not page.faults, f"no errors in the page: {page.faults[:2]}")

    def images(self):
        """Pictures that are bombs or none, and bodies that are too large, are refused before they are decoded."""
        path = self.tool.effects / "pictures.particles"
        self.tool.run("new", "-q", path, "--template", "fire")
        address, _ = self.tool.start("edit", "--window", "--no-open", path)
        client = Client(address)
        document = client.open(path)
        text, stored = document.text, path.read_bytes()
        before = peak(self.tool.process)
        gif = b"GIF89a" + struct.pack("<HH", 65535, 65535) + b"\xf7\0\0" + bytes(768) + b"\x2c\0\0\0\0" + struct.pack("<HH", 65535, 65535) + b"\0\x08\0;"
        jpeg = b"\xff\xd8\xff\xc0\0\x11\x08\xff\xff\xff\xff\x03\x01\x22\0\x02\x11\x01\x03\x11\x01" + bytes(64) + b"\xff\xd9"
        webp = b"RIFF" + struct.pack("<I", 30) + b"WEBPVP8X" + struct.pack("<I", 10) + b"\x10\0\0\0" + b"\xff\xff\xff" * 2 + bytes(8)
        cases = [("a PNG of 60,000 × 60,000 without data", png_head(60000, 60000) + bytes(64)), ("a complete PNG of 30,000 × 30,000", png_bomb()), ("a GIF of 65,535 × 65,535", gif),
                 ("a JPEG of 65,535 × 65,535", jpeg), ("a WebP of 16,777,216 × 16,777,216", webp), ("a text", b"hello"), ("nothing", b""), ("a cut PNG", png_head(64, 64) + b"\0\0\1\0IDAT"),
                 ("a text of gigabytes in a PNG", (FIXTURES / "crashers/png/text-of-gigabytes.png").read_bytes())]
        for name, data in cases:
            try:
                document.put("x.png", data)
                outcome = None
            except Refused as error: outcome = error
            check(outcome is not None and outcome.code and outcome.status < 500, f"{name} ({len(data)} bytes) is refused: {outcome}")
        # Only the length is sent: the refusal comes before the bytes.
        with socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE) as connection:
            connection.sendall(f"POST /{client.secret}/edit-file?item={document.item}&path=x.png HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\nContent-Length: {1 << 30}\r\n\r\n".encode())
            status = connection.recv(4096).split(b" ", 2)[1]
        check(status == b"413", f"a body of 1 GB is refused by its length: {status.decode()}")
        grown = peak(self.tool.process) - before
        check(grown < 64 << 20, f"memory of the program grows by {grown >> 20} MB at most while pictures are refused")
        self.drop(address)
        document.again()
        check(document.text == text and path.read_bytes() == stored, "the document is as it was after all of that")
        self.tool.end()

    def drop(self, address):
        """A file of 1 GB, chosen in the page: it is neither read nor sent."""
        editor = Editor(self.chromium, address).wait()
        large = self.tool.home / "large.png"
        with open(large, "wb") as file: os.ftruncate(file.fileno(), 1 << 30)
        editor.requests.clear()
        editor.page.locator("effect-images input[type=file]").first.set_input_files(str(large))
        until(editor.page, "Boolean(document.querySelector('effect-images .quiet-note')?.textContent)", timeout=PATIENCE * 1000)
        check(not [each for each in editor.requests if each.startswith("edit-file?")], f"a file of 1 GB is not sent: {editor.page.text_content('effect-images .quiet-note')}")
        if self.pictures: editor.page.screenshot(path=self.pictures / "edit-large-drop.png")
        check(not editor.page.faults, f"no errors in the page: {editor.page.faults[:2]}")
        editor.context.close()
