"""Formats, templates, properties and types of files: the tables of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Union

from ._arguments import Bytes, PathLike
from ._errors import UnknownFormat, fault_of, misuse, suggestion
from ._handles import encoded, encoded_path, memory, plain_json

if TYPE_CHECKING:
    from ._typed import FormatName, TemplateName


class Format(NamedTuple):
    """A format."""

    name: FormatName
    title: str
    extensions: tuple[str, ...]
    can_read: bool
    can_write: bool
    capabilities: dict[str, str]
    """``exact`` or ``approximated`` for each feature of effects that it holds."""


_formats: list[Format] = []


def formats() -> list[Format]:
    """Lists the formats.

    >>> [f.extensions for f in formats() if f.name == "starling"]
    [('pex', 'lap')]
    """
    if not _formats:
        for row in plain_json("formats_json"):
            held = {name: "exact" for name in row.get("exact", [])}
            held.update({name: "approximated" for name in row.get("approximated", [])})
            _formats.append(
                Format(row["name"], row["title"], tuple(row["extensions"]), row["canRead"], row["canWrite"], held)
            )
    return list(_formats)


def format_name(name: str) -> bytes:
    """The name of a format as an argument."""
    value = encoded(name, "format")
    names = [format.name for format in formats() if format.name != "particles"]
    if name == "particles":
        raise misuse("'particles' is the package itself", UnknownFormat, "Effect.open finds it, and Effect.save_as writes it")
    if name not in names:
        hint = suggestion(name, names) or "formats() lists them"
        raise fault_of("convert/unknown-format", f"no format is called '{name}'", UnknownFormat, hint=hint)
    return value


def templates() -> dict[TemplateName, str]:
    """Returns the templates: names and summaries.

    >>> "fire" in templates()
    True
    """
    return {row["name"]: row["summary"] for row in plain_json("templates_json")}


def properties(prefix: str = "") -> list[dict[str, Any]]:
    """Describes the properties of effects: key, type, unit, range, default, summary.

    >>> properties("emitters[].emission.rate")[0]["unit"]
    '1/s'
    """
    return list(plain_json("properties_json", encoded(prefix, "prefix")))


def type_of(source: Union[PathLike, Bytes], name: str = "") -> dict[str, Any]:
    """Returns the type of a file, folder or bytes: identifier, description, extensions, mimeTypes, format.

    >>> type_of(b"", "fire.png")["identifier"]
    'public.png'
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        data, count = memory(source)
        return dict(plain_json("type_of_bytes", data, count, encoded(name, "name")))
    return dict(plain_json("type_of_file", encoded_path(source, "source")))
