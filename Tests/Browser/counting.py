"""Flows of the document browser: how many requests each action makes, and how many bytes come."""

import shutil

from tool import PATIENCE, check, page_of, tile

# Requests and kilobytes (1,000 bytes) of an action, at most. The first click loads the rest of the pages. A search is repeated when
# the index of its folder was made. A folder is listed, its documents are checked, and the place of the window is stored.
LIMITS = {
    "a page that is loaded": (46, 231), "a selection": (26, 189), "the menu": (0, 0), "typing in the search": (2, 2), "a folder": (3, 1), "information": (1, 1),
    "an effect in the editor": (73, 598), "the way back": (3, 2),
}


class Counting:
    def counting(self):
        # An earlier flow may have left the folder empty, and then nothing is checked there.
        inside = self.tool.effects / "folder" / "inside.particles"
        shutil.copy(self.tool.effects / "galaxy.particles", inside)
        page = page_of(self.chromium, self.address)
        page.wait_for_timeout(2500)
        page.close()
        context = self.chromium.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        # Bytes on the wire. An action does not include pictures and the stream of events.
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        sent, sizes, ended = {}, {}, set()

        def own():
            return {key: url for key, url in sent.items() if not any(part in url for part in ("/thumbnail?", "/events", "/template-thumbnail", "blob:", "data:"))}
        session.on("Network.requestWillBeSent", lambda event: sent.__setitem__(event["requestId"], event["request"]["url"]))
        for end in ("loadingFinished", "loadingFailed"): session.on(f"Network.{end}", lambda event: ended.add(event["requestId"]))
        session.on("Network.dataReceived", lambda event: sizes.__setitem__(event["requestId"], sizes.get(event["requestId"], 0) + event["dataLength"]))

        def settle():
            """Until every request has its answer, and nothing has been asked for a while."""
            quiet, seen = 0, -1
            for _ in range(int(60 * PATIENCE)):
                page.wait_for_timeout(300)
                quiet, seen = (quiet + 1, seen) if len(sent) == seen and ended >= own().keys() else (0, len(sent))
                if quiet == 6: break

        def counted(name, action):
            sent.clear()
            sizes.clear()
            action()
            settle()
            count, size = len(own()), sum(sizes.get(key, 0) for key in own()) / 1000
            most, largest = LIMITS[name]
            asked = "" if count <= most else f": {[url.split('/', 4)[-1] for url in own().values()]}"
            check(count <= most and size <= largest, f"{name}: {count} requests of {most}, {size:.1f} kB of {largest}{asked}")

        counted("a page that is loaded", lambda: page.goto(self.address))
        counted("a selection", lambda: page.click(tile("fire.particles")))
        counted("the menu", lambda: page.click("#selection [aria-haspopup=menu]"))
        page.keyboard.press("Escape")
        counted("typing in the search", lambda: page.locator("#search").press_sequentially("snow", delay=40))
        page.fill("#search", "")
        settle()
        page.click(tile("folder"))
        settle()
        # A document that appears under the pointer would be animated.
        page.mouse.move(2, 2)
        counted("a folder", lambda: page.keyboard.press("Enter"))
        page.go_back()
        page.wait_for_selector(tile("fire.particles"))
        page.click(tile("fire.particles"))
        settle()
        counted("information", lambda: page.click("#selection [data-action=information]"))
        page.keyboard.press("Escape")
        counted("an effect in the editor", lambda: page.dblclick(tile("fire.particles")))
        counted("the way back", lambda: page.click("[data-command=close]"))
        check(not page.faults, f"no errors in the page: {page.faults}")
        context.close()
        inside.unlink()
