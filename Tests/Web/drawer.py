#!/usr/bin/env python3
"""Draws quads with WebGL 2 and with a plain reference, with every blend state, and compares the pictures."""

import sys
from browser import browser, server

# The greatest mean difference, of 255. Edges differ where a pixel's centre is next to one.
MEAN = {"half": 0.4, "unorm16": 0.4, "bytes": 0.5}
# The share of components that differ by more than 3.
OUTLIERS = 0.015

def main():
    failures = 0
    with server() as address, browser() as chromium:
        page = chromium.new_page()
        page.on("console", lambda message: print("console:", message.text))
        page.goto(address + "/Tests/Web/blank.html")
        for precision in (None, "bytes"):
            found = page.evaluate(
                "async (precision) => (await import('/Tests/Web/drawer-page.mjs')).compareAll(precision ?? undefined)", precision)
            most = MEAN[found["precision"]]
            for name, result in found["results"].items():
                bad = result["mean"] > most or result["error"] or (result["outliers"] > OUTLIERS)
                failures += bool(bad)
                print(f"{'FAILED ' if bad else ''}{found['precision']} {name}: mean {result['mean']:.3f}, most {result['most']}, "
                      f"outliers {result['outliers']:.4f}, calls {result['calls']}, error {result['error']}")
        lost = page.evaluate("async () => (await import('/Tests/Web/drawer-page.mjs')).loseAndRestore()")
        print("lost context:", lost)
        if not lost["isEqual"] or lost["isDrawnWhileLost"]: failures += 1
    print(f"{failures} failures")
    return 1 if failures else 0

if __name__ == "__main__":
    sys.exit(main())
