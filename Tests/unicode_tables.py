#!/usr/bin/env python3
"""The tables of Sources/CParticlesUnicode/CParticlesUnicode.c, made of Python's `unicodedata`.

    python3 Tests/unicode_tables.py check     compares the tables; `make lint` does
    python3 Tests/unicode_tables.py write     writes them

Canonical mappings of characters that exist never change, so that a version of Python with newer tables adds rows and changes none.
"""

import pathlib, sys, unicodedata

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "Sources/CParticlesUnicode/CParticlesUnicode.c"
WIDTH = 118
# Hangul syllables are computed.
HANGUL = range(0xAC00, 0xD7A4)


def mappings():
    """Each character with a canonical mapping, its one or two parts, and whether they are composed again."""
    rows = []
    for scalar in range(0x110000):
        if scalar in HANGUL or 0xD800 <= scalar < 0xE000:
            continue
        mapping = unicodedata.decomposition(chr(scalar))
        if not mapping or mapping.startswith("<"):
            continue
        parts = [int(part, 16) for part in mapping.split()]
        text = "".join(map(chr, parts))
        rows.append((scalar, parts, len(parts) == 2 and unicodedata.normalize("NFC", text) == chr(scalar)))
    return rows


def wrapped(words):
    lines, line = [], "   "
    for word in words:
        if len(line) + len(word) + 2 > WIDTH:
            lines.append(line)
            line = "   "
        line += f" {word},"
    return [*lines, line]


def tables():
    rows = mappings()
    words = []
    for scalar, parts, is_composed in rows:
        head = f"0x{scalar:X}" if is_composed else f"once | 0x{scalar:X}"
        words.append("{" + ", ".join([head, *(f"0x{part:X}" if part else "0" for part in (parts + [0])[:2])]) + "}")
    composed = sorted((parts, index) for index, (_, parts, is_composed) in enumerate(rows) if is_composed)
    return wrapped(words), wrapped(str(index) for _, index in composed)


def replaced(text):
    for start, lines in zip(("static const uint32_t mappings[][3] = {\n", "static const uint16_t compositions[] = {\n"), tables()):
        head, rest = text.split(start)
        text = head + start + "\n".join(lines) + "\n" + rest[rest.index("};"):]
    return text


if __name__ == "__main__":
    before = SOURCE.read_text()
    after = replaced(before)
    if sys.argv[1:] == ["write"]:
        SOURCE.write_text(after)
    elif sys.argv[1:] != ["check"]:
        sys.exit(__doc__)
    elif unicodedata.unidata_version < "14" or unicodedata.unidata_version > "15.0.0":
        print(f"tables of Unicode: not compared, because Python has those of version {unicodedata.unidata_version}")
    elif before != after:
        sys.exit("tables of Unicode differ from those of Python: python3 Tests/unicode_tables.py write")
