#!/usr/bin/env python3
"""The picture of the document browser in the README: a folder with templates, in Chromium.

    python3 Tests/Browser/picture.py TOOL PICTURE
"""

import io, pathlib, shutil, signal, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Web"))
from browser import browser
from tool import Tool, page_of, until

NAMES = ("fire", "galaxy", "fountain", "magic", "snow", "explosion", "smoke", "sparks", "rain", "confetti")


def main(path, target):
    home = tempfile.mkdtemp(prefix="particles-picture-")
    tool = Tool(str(pathlib.Path(path).resolve()), home)
    try:
        for name in NAMES: tool.run("new", "-q", tool.effects / f"{name}.particles", "--template", name)
        (tool.effects / "notes.txt").write_text("")
        address, _ = tool.start("browse", "--no-open", tool.effects)
        with browser() as chromium:
            page = page_of(chromium, address, 1120, 640, color_scheme="dark", reduced_motion="reduce")
            count = len(list(tool.effects.glob("*.particles")))
            until(page, "(count) => document.querySelectorAll('#collection img.ready').length >= count", min(count, 8))
            page.click('#collection [role=option][aria-label^="galaxy"]')
            page.mouse.move(2, 2)
            page.wait_for_timeout(1500)
            picture = page.screenshot()
        try:
            from PIL import Image
        except ImportError: pathlib.Path(target).write_bytes(picture)
        else: Image.open(io.BytesIO(picture)).convert("RGB").quantize(256, dither=Image.Dither.FLOYDSTEINBERG).save(target, optimize=True)
    finally:
        tool.end(signal.SIGKILL)
        shutil.rmtree(home, ignore_errors=True)


main(*sys.argv[1:])
