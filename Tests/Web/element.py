#!/usr/bin/env python3
"""The element `<particles-effect>` in Chromium, with a module that does next to nothing."""

import sys
from browser import browser, server


def main():
    failures = 0
    with server() as address, browser() as chromium:
        page = chromium.new_page()
        problems = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(address + "/Tests/Web/blank.html")
        for name, fault in page.evaluate("async () => (await import('/Tests/Web/element-page.mjs')).runTests()"):
            failures += bool(fault)
            print("FAILED" if fault else "ok", name, fault)
        context = chromium.new_context(reduced_motion="reduce")
        page = context.new_page()
        page.goto(address + "/Tests/Web/blank.html")
        found = page.evaluate("async () => (await import('/Tests/Web/element-page.mjs')).reducedMotion()")
        print("reduced motion:", found)
        failures += not (found["isStill"] and found["isPlaying"])
        for problem in problems: print("FAILED", problem)
        failures += len(problems)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
