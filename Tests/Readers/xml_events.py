"""Reads XML documents with expat, and writes what it finds to FILE.events: `particles` reads XML with a reader of its own.

    python3 xml_events.py LIST

LIST has an encoding and a path in each line. A line of the output is an element (S offset line column name), an attribute (A name
value), the end of an element with its text (E text), or the fault that ended reading (F words).
"""

import sys
import xml.parsers.expat as expat


class Refused(Exception):
    pass


def escaped(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")


def events(data, encoding):
    parser = expat.ParserCreate(encoding)
    parser.ordered_attributes = True
    parser.buffer_text = False
    lines, texts, parents = [], [], []

    def start(name, attributes):
        lines.append(f"S {parser.CurrentByteIndex} {parser.CurrentLineNumber} {parser.CurrentColumnNumber + 1} {name}")
        lines.extend(f"A {key} {escaped(value)}" for key, value in zip(attributes[::2], attributes[1::2]))
        if parents:
            parents[-1] = True
        texts.append([])
        parents.append(False)

    def end(name):
        text = "".join(texts.pop())
        layout = parents.pop() and not text.strip("".join(map(chr, range(33))))
        lines.append("E " + ("" if layout else escaped(text)))

    def doctype(name, system, public, internal):
        if internal:
            raise Refused("an internal DTD subset")

    def skipped(name, parameter):
        raise Refused("an entity")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = lambda text: texts[-1].append(text)
    parser.StartDoctypeDeclHandler, parser.SkippedEntityHandler = doctype, skipped
    try:
        parser.Parse(data, True)
    except Refused as refusal:
        lines.append(f"F {refusal}")
    except expat.ExpatError as fault:
        lines.append(f"F {fault}")
    return lines


with open(sys.argv[1]) as listed:
    rows = [line.rstrip("\n").split(" ", 1) for line in listed]
for encoding, path in rows:
    with open(path, "rb") as file:
        lines = events(file.read(), encoding)
    with open(path + ".events", "w", encoding="utf-8", errors="surrogatepass") as file:
        file.write("\n".join(lines))
print(len(rows))
