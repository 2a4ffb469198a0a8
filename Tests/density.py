#!/usr/bin/env python3
"""Counts what sends a reader back, in comments and Markdown: pronouns in place of names ("that of", "the same", "of it") and semicolons.

    python3 Tests/density.py [--worst N] BACK SEMICOLONS PATH...

BACK and SEMICOLONS are the limits for 1,000 words of all paths together. Above one of them, the status is 1. --worst prints the N files
with most of both.
"""

import pathlib
import re
import sys

BACK = re.compile(
    r"\b(th(at|ose) (of|that)|the (same|one|others?)|of (it|them)|one that|another one|such as those|beneath|thereof"
    r"|what (is|was|are|were|it|they|has|had)|which (is|are|was|were|has))\b", re.IGNORECASE)
LINES = {".swift": r"//+!?", ".c": r"//+!?", ".h": r"//+!?", ".js": "//", ".mjs": "//", ".py": "#", ".sh": "#"}
BLOCKS = {".c", ".h", ".js", ".mjs", ".css"}


def prose(path):
    """The text of a file that is written for people, without code."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".md":
        text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        return re.sub(r"^ {4}.*$", "", text, flags=re.MULTILINE)
    found = []
    if path.suffix in LINES:
        found += re.findall(rf"^(?:.*\s)?{LINES[path.suffix]}\s?(.*)$", text, re.MULTILINE)
    if path.suffix in BLOCKS:
        found += re.findall(r"^\s*/\*(.*?)\*/", text, re.MULTILINE | re.DOTALL)
    return "\n".join(found)


def count(path):
    text = re.sub(r"`[^`]*`", "X", prose(path))
    return len(re.findall(r"[A-Za-z']+", text)), len(BACK.findall(text)), text.count(";")


def main(words):
    worst = 0
    if words[:1] == ["--worst"]:
        worst, words = int(words[1]), words[2:]
    limits, paths = [float(word) for word in words[:2]], [pathlib.Path(word) for word in words[2:]]
    files = [file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*"))) if file.is_file()]
    counts = {file: count(file) for file in files if file.suffix in LINES or file.suffix in BLOCKS or file.suffix == ".md"}
    for file, (number, back, semicolons) in sorted(counts.items(), key=lambda each: -sum(each[1][1:]))[:worst]:
        print(f"{back:4} {semicolons:4} of {number:6} words  {file}")
    number = max(1, sum(each[0] for each in counts.values()))
    found = [1000 * sum(each[place] for each in counts.values()) / number for place in (1, 2)]
    print(f"{' '.join(map(str, paths))}: {found[0]:.1f} back-references and {found[1]:.1f} semicolons for 1,000 of {number} words, "
          f"at most {limits[0]:g} and {limits[1]:g}")
    return any(value > limit for value, limit in zip(found, limits))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
