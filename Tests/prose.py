#!/usr/bin/env python3
"""Counts wording that is not plain technical English (CONTRIBUTING.md, section Language): words to avoid in any line, and pronouns and
semicolons in comments and Markdown.

    python3 Tests/prose.py [--worst N]

The status is 1 if a line has a word to avoid, or if there are too many pronouns or semicolons for 1,000 words. --worst prints the N files
with most of both.
"""

import pathlib
import re
import sys

# Words to avoid, in code too: messages are there.
WORDS = re.compile(
    r"\b(stands?|stood|standing)\b"
    r"|\b(says?|said|saying|vouch[a-z]*|nobody|somebody|newborns?|births?|whatever)\b"
    r"|//[/*]? What |[.;:,] what (is|was|are|were|stands?|comes?|goes|has|had|it|they)\b"
    r"|\b(is|are|was|were|be) drawn (each|anew|at random|once|by itself|for each|from|between)\b"
    r"|\bdraws? (a|any|one|its|the) (number|value)s?\b"
    r"|\bso already\b|\bof its own idea\b|\bidea of\b|\b(is|are) told of\b|\bnone of (it|them) is meant\b|\bhas? (a|no) home\b"
    r"|\b(one|that|those) of (ours|yours|theirs)\b", re.IGNORECASE)
# `birth` is a key of documents and `births` a column of recordings. Files have a birth time, and engines a birth rate.
NAMES = re.compile(
    r"""(["`.]|case |func )births?\b|\b(count|align|INITIAL_DIRECTION)[,:]? ?births?\b|\| (a trigger )?`?births?\b|\bbirth (rate|time)\b""",
    re.IGNORECASE)
WORDS_IN = ["Sources", "Spec", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile", "Fixtures/README.md"]
WORDS_SUFFIXES = {".swift", ".md", ".c", ".h", ""}

# Pronouns in place of names send a reader back. By paths: the limits of pronouns and of semicolons for 1,000 words.
BACK = re.compile(
    r"\b(th(at|ose) (of|that)|the (same|one|others?)|of (it|them)|one that|another one|such as those|beneath|thereof"
    r"|what (is|was|are|were|it|they|has|had)|which (is|are|was|were|has))\b", re.IGNORECASE)
LIMITS = [(["Sources", "Spec", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"], 1, 1), (["Tests"], 2, 2)]
LINES = {".swift": r"//+!?", ".c": r"//+!?", ".h": r"//+!?", ".js": "//", ".mjs": "//", ".py": "#", ".sh": "#"}
BLOCKS = {".c", ".h", ".js", ".mjs", ".css"}


def files(paths, suffixes):
    found = (file for path in map(pathlib.Path, paths) for file in ([path] if path.is_file() else sorted(path.rglob("*"))))
    return [file for file in found if file.suffix in suffixes and file.is_file()]


def words():
    """Prints the lines with words to avoid, and returns whether there are any."""
    found = False
    for file in files(WORDS_IN, WORDS_SUFFIXES):
        text = file.read_text(encoding="utf-8", errors="replace")
        for row in dict.fromkeys(text.count("\n", 0, match.start()) for match in WORDS.finditer(text)):
            line = text.split("\n")[row]
            if WORDS.search(NAMES.sub("", line)):
                print(f"{file}:{row + 1}: wording to replace: {line.strip()}")
                found = True
    return found


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


def density(paths, limits, worst):
    """Prints the pronouns and semicolons for 1,000 words, and returns whether there are too many."""
    counts = {file: count(file) for file in files(paths, {*LINES, *BLOCKS, ".md"})}
    for file, (number, back, semicolons) in sorted(counts.items(), key=lambda each: -sum(each[1][1:]))[:worst]:
        print(f"{back:4} {semicolons:4} of {number:6} words  {file}")
    number = max(1, sum(each[0] for each in counts.values()))
    found = [1000 * sum(each[place] for each in counts.values()) / number for place in (1, 2)]
    print(f"{' '.join(paths)}: {found[0]:.1f} back-references and {found[1]:.1f} semicolons for 1,000 of {number} words, "
          f"at most {limits[0]:g} and {limits[1]:g}")
    return any(value > limit for value, limit in zip(found, limits))


def main(arguments):
    worst = int(arguments[1]) if arguments[:1] == ["--worst"] else 0
    return any([words(), *(density(paths, limits, worst) for paths, *limits in LIMITS)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
