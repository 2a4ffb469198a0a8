"""What owns a handle of the library."""

from __future__ import annotations

import ctypes
import itertools
import json
import operator
import os
import sys
from collections.abc import Callable
from typing import Any, Optional, TypeVar

from . import _library
from ._errors import Finding, WrongType, error, finding_of, misuse, wrong_type
from ._library import lib

T = TypeVar("T")


def encoded(text: str, name: str) -> bytes:
    """A string argument. C strings end at 0."""
    if not isinstance(text, str):
        raise wrong_type(name, text, "a string")
    value = text.encode("utf-8", "surrogateescape")
    if b"\0" in value:
        raise misuse(f"'{name}' has a character 0")
    return value


def encoded_path(path: Any, name: str) -> bytes:
    """A path as an argument."""
    try:
        return encoded(os.fsdecode(path), name)
    except TypeError:
        raise wrong_type(name, path, "a path") from None


_RANGES = {"i": (-1 << 31, (1 << 31) - 1), "q": (-1 << 63, (1 << 63) - 1), "u": (0, (1 << 64) - 1), "n": (0, (1 << 63) - 1)}


def integer(value: Any, code: str, name: str) -> int:
    """A number as an argument; C would drop the bits that have no room."""
    try:
        number = operator.index(value)
    except TypeError:
        raise wrong_type(name, value, "an integer") from None
    low, high = _RANGES[code]
    if not low <= number <= high:
        raise misuse(f"'{name}' is {number}; expected {low} to {high}")
    return number


def invoke(name: str, *arguments: Any) -> Any:
    """Calls a function of the library."""
    given = [
        integer(value, code, name) if code in _RANGES else value
        for value, code in zip(arguments, _library.FUNCTIONS[name][1:])
    ]
    try:
        return getattr(lib, name)(*given)
    except ctypes.ArgumentError as fault:
        raise misuse(f"an argument of {name} has a wrong type: {fault}", WrongType) from None


class Calls:
    """Callbacks of one call, and the exception that one of them has raised."""

    def __init__(self) -> None:
        self.raised: Optional[BaseException] = None
        self.kept: list[Any] = []

    def keep(self, kind: Any, body: Callable[..., Optional[int]]) -> Any:
        def run(*arguments: Any) -> int:
            try:
                return body(*arguments) or 0
            except BaseException as fault:  # noqa: BLE001 - it must not pass through C
                self.raised = self.raised or fault
                return 1

        function = kind(run)
        self.kept.append(function)
        return function

    def findings(self, found: list[Finding]) -> Any:
        return self.keep(_library.FINDING, lambda _, value: found.append(finding_of(value.contents)))

    def progress(self, body: Optional[Callable[[int, int], Optional[bool]]]) -> Any:
        if body is None:
            return None
        return self.keep(_library.PROGRESS, lambda _, done, total: 1 if body(done, total) is False else 0)

    def write(self, body: Callable[[bytes], object]) -> Any:
        def write(_: object, start: int, count: int) -> None:
            body(ctypes.string_at(start, count))

        return self.keep(_library.WRITE, write)


# Callbacks that the library may call after the function that took them, by the contexts that it passes on. Packages,
# files in them, effects and simulations share a source: only the library knows when the last one is closed.
_sources: dict[int, Any] = {}
_numbers = itertools.count(1)


def source_of(function: Any) -> int:
    """Keeps a callback until the library drops it; returns its context."""
    number = next(_numbers)
    _sources[number] = function
    return number


DROP_SOURCE = _library.DROP(lambda context: _sources.pop(context, None) and None)


class Handle:
    """An open handle, which is closed with its object."""

    _close: str = ""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def _closed(self) -> None:
        handle, self._handle = getattr(self, "_handle", 0), 0
        if handle:
            getattr(lib, self._close)(handle)

    def __del__(self) -> None:
        if not sys.is_finalizing():
            self._closed()

    @property
    def closed(self) -> bool:
        """Whether it is closed. Every other call raises then."""
        return not self._handle

    def _call(self, name: str, *arguments: Any, calls: Optional[Calls] = None) -> None:
        status = invoke(name, self._handle, *arguments)
        if status != _library.OK:
            fault = error(status, self._handle, name)
            if calls and calls.raised:
                raise calls.raised from fault
            raise fault

    def _json(self, name: str, *arguments: Any) -> Any:
        out = ctypes.c_void_p()
        self._call(name, *arguments, ctypes.byref(out))
        return json.loads(taken(out))

    def _findings(self, name: str, *arguments: Any) -> list[Finding]:
        found: list[Finding] = []
        calls = Calls()
        self._call(name, *arguments, calls.findings(found), None, calls=calls)
        return found

    def _saved(self, name: str, path: Any, progress: Any, *, form: int = 0, mode: int = 0, level: int = 0,
               flags: int = 0) -> None:
        """Saves at a path, or, without one, where it is."""
        calls = Calls()
        options = _library.CSaveOptions(ctypes.sizeof(_library.CSaveOptions), form, mode, level, flags)
        if progress is not None:
            options.progress = calls.progress(progress)
        self._call(name, path, ctypes.byref(options), calls=calls)

    def cancel(self) -> None:
        """Stops the call that another thread has made, which raises ``Cancelled``."""
        lib.cancel(self._handle)


def taken(out: ctypes.c_void_p) -> bytes:
    """The bytes of a string that the library has allocated."""
    try:
        return ctypes.string_at(out.value or 0) if out.value else b""
    finally:
        lib.free(out)


def opened(name: str, *arguments: Any, calls: Optional[Calls] = None, close: str) -> int:
    """Calls a function that makes a handle. One that failed is closed after its error was read."""
    out = ctypes.c_void_p()
    status = invoke(name, *arguments, ctypes.byref(out))
    if status != _library.OK:
        fault = error(status, out.value, name)
        getattr(lib, close)(out)
        if calls and calls.raised:
            raise calls.raised from fault
        raise fault
    return out.value or 0


def plain_json(name: str, *arguments: Any) -> Any:
    out = ctypes.c_void_p()
    status = invoke(name, *arguments, ctypes.byref(out))
    if status != _library.OK:
        raise error(status, None, name)
    return json.loads(taken(out))


def memory(data: Any) -> tuple[Any, int]:
    """The address and the size of bytes, without a copy."""
    if isinstance(data, bytes):
        return data, len(data)
    try:
        view = memoryview(data).cast("B")
    except TypeError:
        raise wrong_type("bytes", data, "bytes") from None
    if view.readonly:
        return bytes(view), len(view)
    return (ctypes.c_char * len(view)).from_buffer(view), len(view)
