#!/usr/bin/env python3
"""The picture of the README: the editor with a fire, beside the fire as PixiJS will show it, in Chromium.

    python3 Tests/Browser/picture.py TOOL PICTURE
"""

import io, pathlib, shutil, signal, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Web"))
from browser import browser
from editor_page import Editor
from tool import Tool, until


def main(path, target):
    home = tempfile.mkdtemp(prefix="particles-picture-")
    tool = Tool(str(pathlib.Path(path).resolve()), home)
    try:
        file = tool.effects / "fire.particles"
        tool.run("new", "-q", file, "--template", "fire")
        address, _ = tool.start("edit", "--window", "--no-open", file)
        with browser() as chromium:
            context = chromium.new_context(viewport={"width": 1240, "height": 640}, color_scheme="dark")
            editor = Editor(chromium, address, context=context).wait()
            page = editor.page
            page.select_option(".effect-editor select.target", "pixi")
            page.click("[data-command=split]")
            until(page, "document.querySelector('.effect-split particles-effect')?.effect?.view", timeout=15000)
            until(page, "document.querySelectorAll('.effect-split dd').length > 3", timeout=20000)
            page.mouse.move(2, 2)
            page.wait_for_timeout(3000)
            picture = page.screenshot()
        try:
            from PIL import Image
        except ImportError: pathlib.Path(target).write_bytes(picture)
        else: Image.open(io.BytesIO(picture)).convert("RGB").quantize(256, dither=Image.Dither.FLOYDSTEINBERG).save(target, optimize=True)
    finally:
        tool.end(signal.SIGKILL)
        shutil.rmtree(home, ignore_errors=True)


main(*sys.argv[1:])
