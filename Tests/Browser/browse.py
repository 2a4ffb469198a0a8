#!/usr/bin/env python3
"""The document browser in Chromium: every flow a user has, with a screenshot of each, and its costs.

    python3 Tests/Browser/browse.py [--tool .build/particles] [--pictures FOLDER] [--only PART ...] [--documents 10000]
"""

import argparse, pathlib, shutil, signal, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Web"))
from browser import browser
from changing import Changing
from costing import Costing
from counting import Counting
from keeping import Keeping
from organising import Organising
from running import Running
from showing import Showing
from tool import Tool, check, failures, page_of


class Flows(Showing, Changing, Organising, Keeping, Running, Costing, Counting):
    def __init__(self, tool, chromium, pictures):
        self.tool, self.chromium, self.pictures = tool, chromium, pictures

    def shot(self, page, name):
        if self.pictures: page.screenshot(path=self.pictures / f"{name}.png")

    def begin(self, *arguments, **options):
        self.address, _ = self.tool.start("browse", "--no-open", *(arguments or (self.tool.effects,)))
        return page_of(self.chromium, self.address, **options)


PARTS = ["empty", "fill", "listing", "moving", "viewing", "zooming", "changing", "undoing", "deleting", "counting", "searching", "labels", "sheets", "many", "turning", "checking", "cancelling", "keyboard",
         "sharing", "editing", "staying", "waiting", "trashing", "recovering", "unwritable", "told", "merging", "conflict", "drawn", "dragging", "tint", "outside", "appearance", "german", "access", "windows", "second", "twins", "ending", "restoring", "beginning", "strangers",
         "verbose", "json", "readonly", "picking"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", default=".build/particles")
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--documents", type=int, default=10000)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    if options.pictures: options.pictures.mkdir(parents=True, exist_ok=True)
    tool = Tool(str(pathlib.Path(options.tool).resolve()), tempfile.mkdtemp(prefix="particles-browser-"))
    try:
        with browser() as chromium:
            flows = Flows(tool, chromium, options.pictures)
            for part in PARTS:
                if options.only and part not in options.only and part not in ("empty", "fill", "ending"): continue
                print(f"-- {part}", flush=True)
                try:
                    getattr(flows, part)()
                except Exception as error:
                    check(False, f"{part}: {str(error)[:600]}")
            if options.documents:
                print("-- costs", flush=True)
                try:
                    flows.costs(options.documents)
                except Exception as error:
                    check(False, f"costs: {str(error)[:600]}")
    finally:
        tool.end(signal.SIGKILL)
        shutil.rmtree(tool.home, ignore_errors=True)
    print(f"{len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__": main()
