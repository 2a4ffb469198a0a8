"""Arguments that packages and effects share: their types, choices and limits."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any, Optional, Union

from . import _library
from ._errors import misuse, wrong_type
from ._handles import integer
from ._library import CLimits, lib

PathLike = Union[str, "os.PathLike[str]"]
Bytes = Union[bytes, bytearray, memoryview]
Progress = Callable[[int, int], Optional[bool]]

MODES = {"auto": 0, "append": 1, "replace": 2}
LEVELS = {"standard": 0, "fast": 1, "best": 2}
FORMS = {"flat": 0, "directory": 1}
OVERWRITE, NOSYNC, COPY, LOSSES = 2, 4, 8, 16


def choice(values: dict[str, int], value: str, name: str) -> int:
    if not isinstance(value, str) or value not in values:
        raise misuse(f"'{name}' is {value!r}; expected one of {', '.join(values)}")
    return values[value]


class Limits:
    """What reading may cost; the names are those of ``particles_limits`` in ``particles.h``.

    >>> Limits().entries
    100000
    >>> Limits.untrusted(entries=50).entries
    50
    """

    __slots__ = ("_values",)

    def __init__(self, **values: int) -> None:
        self._values = CLimits()
        lib.limits_init(ctypes.byref(self._values), ctypes.sizeof(CLimits), 0)
        self._set(values)

    @classmethod
    def untrusted(cls, **values: int) -> Limits:
        """The limits for files of strangers."""
        limits = cls()
        lib.limits_init(ctypes.byref(limits._values), ctypes.sizeof(CLimits), 1)
        limits._set(values)
        return limits

    def _set(self, values: dict[str, int]) -> None:
        for name, value in values.items():
            if name not in _library.LIMITS:
                raise misuse(f"no limit is called '{name}'")
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
    def address(self) -> Any:
        return ctypes.byref(self._values)


def address(limits: Optional[Limits]) -> Any:
    return None if limits is None else checked(limits).address


def checked(limits: Any) -> Limits:
    if not isinstance(limits, Limits):
        raise wrong_type("limits", limits, "Limits")
    return limits
