"""Writes what type checkers know of the tables of the library, as the module ``particlekit._typed`` of the wheel: the properties of
effects, and the names of formats, templates and limits. Nothing imports it when a program runs."""

import re

HEAD = '''\
"""The tables of the library, for type checkers. Written by the build."""

from typing import Any, Literal, Optional, TypedDict

from ._nodes import Array, Color, Node, NodeList, Number, Value

'''

# The types of a property when it is read and when it is set. A number may be random or a curve: a dictionary then.
TYPES = {
    "string": ("str", "str"), "boolean": ("bool", "bool"), "integer": ("int", "int"), "number": ("float", "Number"),
    "Value": ("Any", "Value"), "Track": ("Any", "Value"), "ColorTrack": ("Any", "Color"), "ColorValue": ("Any", "Color"),
    "colour": ("Any", "Color"), "array of string": ("list[str]", "list[str]"), "array of integer": ("list[int]", "Array"),
    "array of vector": ("list[Any]", "Array"), "vector": ("list[float]", "Array"), "pair": ("list[float]", "Array"),
    "quaternion": ("list[float]", "Array"), "interval": ("list[float]", "Array"), "rectangle": ("list[float]", "Array"),
}


def types(text):
    """The types of a row of the table: read and set."""
    is_optional = text.endswith(" or null")
    text = text.removesuffix(" or null")
    if text.startswith('"'):
        read = taken = f"Literal[{text}]"
    else:
        read, taken = TYPES.get(text, ("Any", "Any"))
    if is_optional:
        read, taken = (name if name == "Any" else f"Optional[{name}]" for name in (read, taken))
    return read, taken


class Part:
    """An object of the document: its name, its members, and their rows in the table."""

    def __init__(self, name):
        self.name, self.rows, self.parts, self.lists = name, {}, {}, {}

    def add(self, path, row):
        name, _, rest = path.partition(".")
        if not rest:
            self.rows[name] = row
        elif name.endswith("[]"):
            name = name[:-2]
            element = re.fullmatch(r"array of (\w+)", self.rows[name]["type"])[1]
            self.lists.setdefault(name, Part(element)).add(rest, row)
        else:
            own = "" if self.name == "Root" else self.name
            self.parts.setdefault(name, Part(own + name[0].upper() + name[1:])).add(rest, row)

    @property
    def is_curve(self):
        """Whether it may be a number or a colour instead."""
        return "keys" in self.rows

    def lines(self):
        for part in [*self.parts.values(), *self.lists.values()]:
            if not part.is_curve:
                yield from part.lines()
        yield f"class {self.name}{'' if self.name == 'Root' else '(Node)'}:"
        for name, part in self.parts.items():
            if part.is_curve:
                row = {"type": "ColorTrack" if "space" in part.rows else "Track", "summary": "A curve; a dictionary with keys."}
                yield from member(name, row)
            else:
                yield from pair(name, part.name, f"{part.name} | dict[str, Any]", "")
        for name, row in self.rows.items():
            if name in self.lists:
                element = self.lists[name].name
                yield from pair(name, f"NodeList[{element}]", f"NodeList[{element}] | list[Any]", row["summary"])
            else:
                yield from member(name, row)
        yield ""


def member(name, row):
    """The lines of a property of the table."""
    facts = [row["summary"].rstrip(".") + "."]
    if row.get("unit"):
        facts.append(f"In {row['unit']}.")
    if row.get("range"):
        facts.append(f"{row['range'][0].upper()}{row['range'][1:]}.")
    if row.get("default") is not None:
        facts.append(f"{row['default']!r} by default.")
    yield from pair(name, *types(row["type"]), " ".join(facts))


def pair(name, read, taken, text):
    yield from ("    @property", f"    def {name}(self) -> {read}:", f"        {text!r}" if text else "        ...")
    yield from (f"    @{name}.setter", f"    def {name}(self, value: {taken}) -> None: ...")


def literal(name, words):
    return f"{name} = Literal[{', '.join(map(repr, words))}]\n"


def stub(particlekit):
    """The text of the module, by the tables of a library."""
    from particlekit import _library

    root = Part("Root")
    for row in particlekit.properties():
        root.add(row["key"], row)
    names = literal("FormatName", [format.name for format in particlekit.formats()])
    names += literal("TemplateName", particlekit.templates())
    limits = "".join(f"    {name}: int\n" for name in _library.LIMITS)
    return HEAD + names + f"\nclass LimitValues(TypedDict, total=False):\n{limits}\n" + "\n".join(root.lines())
