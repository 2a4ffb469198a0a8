#!/usr/bin/env python3
"""A short part of the document browser in WebKit (Debian: webkit2gtk-driver, xvfb; PyPI: selenium).

    python3 Tests/Browser/webkit.py [--tool .build/particles] [--pictures FOLDER]
"""

import argparse, glob, os, pathlib, shutil, signal, subprocess, sys, tempfile, time

from tool import Tool, check, failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", default=".build/particles")
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    browsers = glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")
    missing = [name for name in ("WebKitWebDriver", "Xvfb") if not shutil.which(name)] + ([] if browsers else ["MiniBrowser"])
    try:
        from selenium import webdriver
        from selenium.common.exceptions import WebDriverException
        from selenium.webdriver.common.by import By
        from selenium.webdriver.common.keys import Keys
    except ImportError: missing.append("selenium")
    if missing: return print(f"{', '.join(missing)} cannot be found; WebKit judges nothing")
    tool = Tool(str(pathlib.Path(options.tool).resolve()), tempfile.mkdtemp(prefix="particles-webkit-"))
    for name in ("fire", "snow"): tool.run("new", "-q", tool.effects / f"{name}.particles", "--template", name)
    (tool.effects / "notes.txt").write_text("one\n")
    number = 90 + os.getpid() % 400
    display = subprocess.Popen(["Xvfb", f":{number}", "-screen", "0", "1280x900x24", "-nolisten", "tcp"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.environ.update({"DISPLAY": f":{number}", "HOME": str(tool.home), "XDG_RUNTIME_DIR": str(tool.home / "run"), "LIBGL_ALWAYS_SOFTWARE": "1", "GDK_BACKEND": "x11",
                       "WEBKIT_DISABLE_COMPOSITING_MODE": "1", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"})
    driver = None
    try:
        time.sleep(1)
        address, _ = tool.start("browse", "--no-open", tool.effects)
        settings = webdriver.WebKitGTKOptions()
        settings.binary_location = browsers[0]
        settings.add_argument("--automation")
        driver = webdriver.WebKitGTK(options=settings, service=webdriver.webkitgtk.service.Service(shutil.which("WebKitWebDriver")))
        driver.set_window_size(1200, 820)
        driver.get(address)

        def until(script, seconds=20):
            end = time.monotonic() + seconds
            while not (value := driver.execute_script(f"return {script}")):
                if time.monotonic() > end: raise TimeoutError(f"never: {script}")
                time.sleep(0.05)
            return value

        def shot(name):
            if options.pictures: driver.save_screenshot(str(options.pictures / f"webkit-{name}.png"))

        def tile(name): return driver.find_element(By.CSS_SELECTOR, f'#collection [role=option][aria-label^="{name}"]')

        until("document.querySelectorAll('#collection img.ready').length === 2")
        check(True, f"WebKit {driver.capabilities.get('browserVersion')} shows the documents with their thumbnails")
        shot("grid")
        driver.find_element(By.ID, "search").send_keys("fi")
        until("document.querySelectorAll('#collection [role=option]').length === 1")
        check(True, "the search finds")
        driver.execute_script("const search = document.querySelector('#search'); search.value = ''; search.dispatchEvent(new Event('input'))")
        until("document.querySelectorAll('#collection [role=option]').length > 2")
        # The element under the pointer may be a message that lies above.
        driver.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', { bubbles: true })); document.querySelector('#collection').focus()", tile("snow"))
        driver.switch_to.active_element.send_keys(Keys.F2)
        until("document.querySelector('dialog input')")
        field = driver.find_element(By.CSS_SELECTOR, "dialog input")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("winter.particles", Keys.ENTER)
        until("document.querySelector('#collection [aria-label^=\"winter\"]')")
        check((tool.effects / "winter.particles").exists(), "a document is renamed")
        until("!document.querySelector('dialog')")
        driver.execute_script("document.querySelector('#undo').click()")
        until("document.querySelector('#collection [aria-label^=\"snow\"]')")
        check((tool.effects / "snow.particles").exists(), "and the rename is undone")
        (tool.effects / "added.txt").write_text("")
        until("document.querySelector('#collection [aria-label^=\"added\"]')")
        check(True, "a change from outside is shown")
        driver.execute_script("document.querySelector('#collection [aria-label^=\"notes\"]').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))")
        until("document.querySelector('.editor textarea:not([disabled])')")
        area = driver.find_element(By.CSS_SELECTOR, ".editor textarea")
        area.send_keys("zero ")
        until("document.querySelector('.editor .status').textContent === 'Saved' && document.querySelector('.editor textarea').value !== 'one\\n'")
        saved = (tool.effects / "notes.txt").read_text()
        check("zero" in saved and "one" in saved, f"a text is edited and saved: {saved!r}")
        shot("editor")
        driver.execute_script("document.querySelector('.editor header button').click()")
        until("!document.querySelector('dialog')")
        check(not driver.execute_script("return document.querySelectorAll('.toast.wrong').length"), "no errors were shown")
        # Last, as some builds of WebKit without a graphics card end their process when a page asks for WebGL 2.
        try:
            driver.execute_script("arguments[0].dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))", tile("fire"))
            shown = until("document.querySelector('dialog.full particles-effect')?.currentTime > 0.2 ? 'moves' : [...document.querySelectorAll('dialog.full img')].some((image) => image.naturalWidth > 100) ? 'is drawn' : ''", 40)
            check(True, f"an effect {shown}")
            shot("viewer")
        except WebDriverException: print("the process of WebKit has ended; it does not judge the open effect")
    except Exception as error:
        check(False, f"WebKit: {type(error).__name__} {str(error)[:500]}")
    finally:
        if driver:
            try: driver.quit()
            except Exception: pass
        tool.end(signal.SIGKILL)
        display.terminate()
        shutil.rmtree(tool.home, ignore_errors=True)
    print(f"{len(failures)} failures")
    sys.exit(bool(failures))


main()
