"""Names the public symbols without a text, from their symbol graphs: undocumented.py GRAPH..."""

import json
import sys


def missing(path):
    """Returns the symbols of a graph without a text. A member of a type has the text of its protocol."""
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    inherited = {link["source"] for link in graph["relationships"] if "sourceOrigin" in link}
    return len(graph["symbols"]), [
        (symbol.get("location", {}).get("uri", "").split("/Sources/")[-1], ".".join(symbol["pathComponents"]))
        for symbol in graph["symbols"]
        if "docComment" not in symbol and symbol["identifier"]["precise"] not in inherited
    ]


def main(paths):
    count, found = 0, set()
    for path in paths:
        number, names = missing(path)
        count += number
        found.update(names)
    for place, name in sorted(found):
        print(f"{place}: {name} has no documentation", file=sys.stderr)
    print(f"{count} public symbols, {len(found)} without documentation")
    return 1 if found or count == 0 else 0


sys.exit(main(sys.argv[1:]))
