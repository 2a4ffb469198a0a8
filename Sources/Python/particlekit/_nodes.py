"""Parts of documents as objects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Protocol, SupportsFloat, SupportsIndex, TypeVar, Union, overload

from ._errors import NoSuchAttribute, NoSuchElement, NotFound, misuse, wrong_type
from ._handles import Handle, encoded
from ._tables import properties

if TYPE_CHECKING:
    from ._typed import Root
else:
    Root = object

JSON = Any
T = TypeVar("T")


class SupportsToList(Protocol):
    """A number or an array of another library, such as NumPy."""

    def tolist(self) -> Any:
        """Returns a number, or lists of numbers."""


Number = Union[SupportsFloat, SupportsIndex]
"""A number of any library."""
Value = Union[Number, Mapping[str, JSON]]
"""A number, or a dictionary that describes a random number or a curve."""
Array = Union[Sequence[Any], SupportsToList]
"""Numbers."""
Color = Union[str, Array, Mapping[str, JSON]]
"""``#ff8800``, ``orange``, or red, green and blue from 0 to 1."""


def json_text(value: JSON, name: str) -> str:
    try:
        return _encode(value)
    except (TypeError, ValueError):
        raise wrong_type(name, value, "JSON: numbers, strings, lists, dictionaries, True, False, None") from None


def _plain(value: Any) -> JSON:
    """The JSON of a part of an effect, or of numbers and arrays of other libraries, such as NumPy, without an import."""
    if isinstance(value, Node):
        return value.value
    if isinstance(value, NodeList):
        return list(value)
    for method in ("tolist", "__index__", "__float__"):
        if hasattr(value, method):
            return getattr(value, method)()
    raise TypeError


def _members(start: str, rows: list[dict[str, Any]]) -> set[str]:
    """The members of a part by the keys of properties that begin with its path."""
    keys = (row["key"] for row in rows)
    return {key[len(start):].split(".")[0].split("[")[0] for key in keys if key.startswith(start)}


_encode = json.JSONEncoder(default=_plain).encode


class Properties(Handle, Root):
    """A handle with the properties of an effect: by path, and as attributes."""

    _kind = ""
    """The functions of the library are ``_kind`` with ``_get`` and ``_set`` behind it."""

    def _value(self, key: str) -> JSON:
        return self._json(f"{self._kind}_get", encoded(key, "key"))

    def _set(self, key: str, value: Optional[str]) -> None:
        self._call(f"{self._kind}_set", encoded(key, "key"), None if value is None else encoded(value, "value"))

    def _node(self, key: str) -> Any:
        value = self._value(key)
        if isinstance(value, dict):
            return Node(self, key)
        return NodeList(self, key) if isinstance(value, list) and any(isinstance(v, dict) for v in value) else value

    def __getitem__(self, key: str) -> JSON:
        return self._value(key)

    def __setitem__(self, key: str, value: JSON) -> None:
        self._set(key, json_text(value, key))

    def __delitem__(self, key: str) -> None:
        self._set(key, None)

    def get(self, key: str, default: JSON = None) -> JSON:
        """Returns a property, or ``default`` if it is neither set nor has a default."""
        try:
            return self._value(key)
        except NotFound as fault:
            if fault.code != "interface/not-set":
                raise
            return default

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *_members("", properties())})

    def _ipython_key_completions_(self) -> list[str]:
        return [row["key"] for row in self.properties()]

    def properties(self, prefix: str = "") -> list[dict[str, Any]]:
        """Lists all properties with key, value, type, unit, range, default, summary and whether they are set."""
        raise NotImplementedError

    def items(self, prefix: str = "") -> Iterator[tuple[str, JSON]]:
        """Keys and values of the properties that are set."""
        return ((row["key"], row["value"]) for row in self.properties(prefix) if row["isSet"])

    if not TYPE_CHECKING:  # It knows the members by the table.

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or not self.__dict__.get("_handle"):
                raise AttributeError(name)
            try:
                value = self._value(name)
            except NotFound as fault:
                if fault.code == "interface/not-set":
                    return None
                raise NoSuchAttribute(fault.finding, fault.call) from fault
            if isinstance(value, list):
                return NodeList(self, name)
            return Node(self, name) if isinstance(value, dict) else value

        def __setattr__(self, name: str, value: Any) -> None:
            if name.startswith("_") or hasattr(type(self), name):
                return object.__setattr__(self, name, value)
            self[name] = value


class Node(Mapping[str, Any]):
    """A part of a document with properties: members are attributes and keys."""

    __slots__ = ("_effect", "_path")
    _effect: Properties
    _path: str

    def __init__(self, effect: Properties, path: str) -> None:
        object.__setattr__(self, "_effect", effect)
        object.__setattr__(self, "_path", path)

    @property
    def value(self) -> JSON:
        """The part as JSON, without properties that are not set."""
        return self._effect._value(self._path)

    if not TYPE_CHECKING:  # It knows the members by the table.

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            try:
                return self._effect._node(f"{self._path}.{name}")
            except NotFound as fault:
                if fault.code == "interface/not-set":
                    return None
                raise NoSuchAttribute(fault.finding, fault.call) from fault

        def __setattr__(self, name: str, value: JSON) -> None:
            self._effect[f"{self._path}.{name}"] = value

        def __delattr__(self, name: str) -> None:
            del self._effect[f"{self._path}.{name}"]

    def __getitem__(self, key: str) -> Any:
        return self._effect[f"{self._path}.{key}"]

    def __iter__(self) -> Iterator[str]:
        value = self.value
        return iter(value if isinstance(value, dict) else {})

    def __len__(self) -> int:
        value = self.value
        return len(value) if isinstance(value, dict) else 0

    def __eq__(self, other: object) -> bool:
        return bool(self.value == (other.value if isinstance(other, Node) else other))

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> list[str]:
        start = f"{self._path}."
        return sorted({*object.__dir__(self), *_members(start, self._effect.properties(start))})

    def _ipython_key_completions_(self) -> list[str]:
        start = f"{self._path}."
        return [row["key"].removeprefix(start) for row in self._effect.properties(start)]

    def __repr__(self) -> str:
        return f"<{self._path}: {json.dumps(self.value)}>"


class NodeList(Sequence[T]):
    """A list of a document, such as its emitters."""

    __slots__ = ("_effect", "_path")

    def __init__(self, effect: Properties, path: str) -> None:
        self._effect, self._path = effect, path

    def __len__(self) -> int:
        return len(self._effect._value(self._path) or [])

    @overload
    def __getitem__(self, index: Union[int, str]) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> list[T]: ...

    def __getitem__(self, index: Union[int, str, slice]) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if isinstance(index, str):
            return self._effect._node(f'{self._path}["{index}"]')
        count = len(self)
        if not -count <= index < count:
            raise misuse(f"{self._path} has {count} elements, none at {index}", NoSuchElement)
        return self._effect._node(f"{self._path}[{index % count}]")

    def __setitem__(self, index: int, value: JSON) -> None:
        self._effect[f"{self._path}[{index % len(self)}]"] = value

    def __delitem__(self, index: int) -> None:
        del self._effect[f"{self._path}[{index % len(self)}]"]

    def append(self, value: JSON) -> None:
        """Adds an element to the end."""
        self._effect[f"{self._path}[+]"] = value

    def __eq__(self, other: object) -> bool:
        return bool(self._effect._value(self._path) == (list(other) if isinstance(other, Sequence) else other))

    def __repr__(self) -> str:
        return f"<{self._path}: {json.dumps(self._effect._value(self._path))}>"
