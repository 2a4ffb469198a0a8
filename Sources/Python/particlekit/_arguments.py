"""Arguments that packages and effects share: their types, choices and limits."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Optional, Union

from . import _library
from ._errors import InvalidName, NotFound, fault_of, misuse, suggestion, wrong_type
from ._handles import encoded, integer
from ._library import CLimits, lib

if TYPE_CHECKING:
    from typing import Unpack

    from ._typed import LimitValues

PathLike = Union[str, "os.PathLike[str]"]
Bytes = Union[bytes, bytearray, memoryview]
Progress = Callable[[int, int], Optional[bool]]

Mode = Literal["auto", "append", "replace"]
Level = Literal["standard", "fast", "best"]
Form = Literal["flat", "directory"]
MODES = {"auto": 0, "append": 1, "replace": 2}
LEVELS = {"standard": 0, "fast": 1, "best": 2}
FORMS = {"flat": 0, "directory": 1}
OVERWRITE, NOSYNC, COPY, LOSSES = 2, 4, 8, 16


def save_flags(replace: bool, durable: bool) -> int:
    """The flags of a call that writes files."""
    return (OVERWRITE if replace else 0) | (0 if durable else NOSYNC)


def numpy() -> Any:
    """The module NumPy, which pictures and columns need."""
    try:
        import numpy as np
    except ImportError:
        raise ImportError("pictures and columns are NumPy arrays: pip install 'particlekit[numpy]'", name="numpy") from None
    return np


def choice(values: dict[str, int], value: str, name: str) -> int:
    if not isinstance(value, str) or value not in values:
        raise misuse(f"'{name}' is {value!r}; expected one of {', '.join(values)}", hint=suggestion(value, values))
    return values[value]


def _is_spelled(path: str) -> bool:
    """Whether no component of a path is empty. The library leaves such components out: two spellings were one entry."""
    return "" not in path.split("/")


def entry_path(path: str, name: str = "path") -> bytes:
    """The path of an entry that exists, as an argument."""
    value = encoded(path, name)
    if not _is_spelled(path):
        raise fault_of("tree/no-entry", "the package has no such entry", NotFound, entry=path)
    return value


def new_entry_path(path: str, name: str = "path") -> bytes:
    """The path of an entry that is made, as an argument."""
    value = encoded(path, name)
    if not _is_spelled(path):
        right = "/".join(part for part in path.split("/") if part)
        raise fault_of(
            "tree/name", f"not a valid name in a package: '{path}' (expected no empty component)", InvalidName,
            entry=path, hint=f"did you mean '{right}'?" if right else None,
        )
    return value


class Limits:
    """Limits for reading, with the names of ``particles_limits`` in ``particles.h``.

    >>> Limits().entries
    100000
    >>> Limits.untrusted(entries=50).entries
    50
    """

    __slots__ = ("_values",)

    def __init__(self, **values: Unpack[LimitValues]) -> None:
        self._values = CLimits()
        lib.limits_init(ctypes.byref(self._values), ctypes.sizeof(CLimits), 0)
        self._set(values)

    @classmethod
    def untrusted(cls, **values: Unpack[LimitValues]) -> Limits:
        """The limits for files of strangers."""
        limits = cls()
        lib.limits_init(ctypes.byref(limits._values), ctypes.sizeof(CLimits), 1)
        limits._set(values)
        return limits

    def _set(self, values: Mapping[str, object]) -> None:
        for name, value in values.items():
            if name not in _library.LIMITS:
                raise misuse(f"no limit is called '{name}'", hint=suggestion(name, _library.LIMITS))
            setattr(self._values, name, integer(value, "q", name))

    def __getattr__(self, name: str) -> int:
        if name not in _library.LIMITS:
            raise AttributeError(name)
        return int(getattr(self._values, name))

    def __repr__(self) -> str:
        standard = Limits()._values
        own = [n for n in _library.LIMITS if getattr(self._values, n) != getattr(standard, n)]
        return f"Limits({', '.join(f'{name}={getattr(self._values, name)}' for name in own)})"

    @property
    def _address(self) -> Any:
        return ctypes.byref(self._values)


def address(limits: Optional[Limits]) -> Any:
    return None if limits is None else checked(limits)._address


def checked(limits: Any) -> Limits:
    if not isinstance(limits, Limits):
        raise wrong_type("limits", limits, "Limits")
    return limits
