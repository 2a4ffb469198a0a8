"""Parts of documents as objects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._errors import NotFound

if TYPE_CHECKING:
    from ._effect import Effect

JSON = Any


class Node(Mapping[str, Any]):
    """A part of a document with properties: members are attributes and keys."""

    __slots__ = ("_effect", "_path")

    def __init__(self, effect: Effect, path: str) -> None:
        object.__setattr__(self, "_effect", effect)
        object.__setattr__(self, "_path", path)

    @property
    def value(self) -> JSON:
        """The part as JSON; only what is set."""
        return self._effect._value(self._path)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._effect._node(f"{self._path}.{name}")
        except NotFound as fault:
            if fault.code == "interface/not-set":
                return None
            raise AttributeError(str(fault)) from fault

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
        keys = (row["key"] for row in self._effect.properties(start))
        return sorted({key[len(start):].split(".")[0].split("[")[0] for key in keys if key.startswith(start)})

    def __repr__(self) -> str:
        return f"<{self._path}: {json.dumps(self.value)}>"


class NodeList(Sequence[Any]):
    """A list of a document, such as its emitters."""

    __slots__ = ("_effect", "_path")

    def __init__(self, effect: Effect, path: str) -> None:
        self._effect, self._path = effect, path

    def __len__(self) -> int:
        return len(self._effect._value(self._path) or [])

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if isinstance(index, str):
            return self._effect._node(f'{self._path}["{index}"]')
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"{self._path} has {count} elements")
        return self._effect._node(f"{self._path}[{index % count}]")

    def __setitem__(self, index: int, value: JSON) -> None:
        self._effect[f"{self._path}[{index % len(self)}]"] = value

    def __delitem__(self, index: int) -> None:
        del self._effect[f"{self._path}[{index % len(self)}]"]

    def append(self, value: JSON) -> None:
        self._effect[f"{self._path}[+]"] = value

    def __eq__(self, other: object) -> bool:
        return bool(self._effect._value(self._path) == (list(other) if isinstance(other, Sequence) else other))

    def __repr__(self) -> str:
        return f"<{self._path}: {json.dumps(self._effect._value(self._path))}>"
