"""What owns a handle of the library."""

from __future__ import annotations

import ctypes
import itertools
import json
import operator
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn, Optional

from . import _library
from ._calls import LONG, Calls, interruptible
from ._errors import Error, Finding, WrongType, error, misuse, wrong_type
from ._library import lib


def encoded(text: str, name: str) -> bytes:
    """A string argument. C strings end at 0."""
    if not isinstance(text, str):
        raise wrong_type(name, text, "a string")
    try:
        return _terminable(text.encode("utf-8", "surrogateescape"), name)
    except UnicodeEncodeError:
        raise misuse(f"'{name}' has half a surrogate pair") from None


def _terminable(value: bytes, name: str) -> bytes:
    if b"\0" in value:
        raise misuse(f"'{name}' has a character 0")
    return value


def encoded_path(path: Any, name: str) -> bytes:
    """A path as an argument. Its bytes need not be UTF-8: ``os.listdir`` returns them as surrogates."""
    try:
        return _terminable(os.fsencode(path), name)
    except TypeError:
        raise wrong_type(name, path, "a path") from None
    except UnicodeEncodeError:
        raise misuse(f"'{name}' has half a surrogate pair") from None


def printable(text: str) -> str:
    """A text on one line. Control characters could forge others, and bytes that are not UTF-8 cannot be printed."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


_RANGES = {"i": (-1 << 31, (1 << 31) - 1), "q": (-1 << 63, (1 << 63) - 1), "u": (0, (1 << 64) - 1), "n": (0, (1 << 63) - 1)}


def integer(value: Any, code: str, name: str) -> int:
    """A number as an argument. C would drop the bits that have no room."""
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
        raise misuse(f"an argument has a wrong type: {fault}", WrongType) from None


def open_handles() -> int:
    """Counts the open objects of this process: packages, files in them, effects, simulations, columns and documents.

    A test can compare the number before and after, to find objects that are never closed.
    """
    return int(lib.open_handles())


# Callbacks that the library may call after the function that took them, by the contexts that it passes on. Packages,
# files in them, effects and simulations share a source: only the library knows when the last one is closed.
_sources: dict[int, Any] = {}
_numbers = itertools.count(1)


def source_of(function: Any) -> int:
    """Keeps a callback until the library drops it. Returns its context."""
    number = next(_numbers)
    _sources[number] = function
    return number


DROP_SOURCE = _library.DROP(lambda context: _sources.pop(context, None) and None)


def throw(fault: Error, calls: Optional[Calls]) -> NoReturn:
    """Raises the exception of a callback, or else the fault.

    A frame that keeps an exception which passed through it is a cycle: open objects of other frames, such as handles, would
    stay open until the collector runs.
    """
    raised: Optional[BaseException] = None
    try:
        if calls and calls.raised:
            raised = calls.raised.pop()
            raise raised from fault
        raise fault
    finally:
        del raised, fault


def closed_fault(value: object) -> Error:
    """The exception of a call on an object that is closed."""
    name = type(value).__name__.lstrip("_")
    fault = misuse(f"the {name} is closed")
    # Several classes may have the method.
    fault.call = f"{name}.{fault.call.rpartition('.')[2]}"
    return fault


class Handle:
    """An open handle. It is closed with its object."""

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

    @property
    def _opened(self) -> int:
        """The handle, for a function of another object, which gets no fault of a closed one."""
        if not self._handle:
            raise closed_fault(self)
        return self._handle

    def _call(self, name: str, *arguments: Any, calls: Optional[Calls] = None, is_long: Optional[bool] = None,
              drop: Callable[[], object] = lambda: None) -> None:
        """Calls a function of the library. ``drop`` gives back what an interrupted call has made."""
        handle = self._handle
        if not handle:
            raise closed_fault(self)

        def body() -> None:
            status = invoke(name, handle, *arguments)
            if status != _library.OK:
                throw(error(status, handle), calls)

        if name in LONG if is_long is None else is_long:
            interruptible(body, lambda: lib.cancel(handle), drop, calls)
        else:
            body()

    def _json(self, name: str, *arguments: Any) -> Any:
        out = ctypes.c_void_p()
        self._call(name, *arguments, ctypes.byref(out), drop=lambda: lib.free(out))
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

    def __reduce_ex__(self, _: Any) -> Any:
        raise TypeError(f"cannot pickle '{type(self).__name__}' object: it is open in this process alone")

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
    """Calls a function that makes a handle. A handle that failed is closed after its error was read."""
    out = ctypes.c_void_p()

    def drop() -> None:
        getattr(lib, close)(out)

    def body() -> int:
        status = invoke(name, *arguments, ctypes.byref(out))
        if status != _library.OK:
            try:
                throw(error(status, out.value), calls)
            finally:
                drop()
        return out.value or 0

    # The handle is there before the work begins, so that it can be cancelled.
    return interruptible(body, lambda: lib.cancel(out), drop, calls) if name in LONG else body()


def plain_json(name: str, *arguments: Any) -> Any:
    out = ctypes.c_void_p()
    status = invoke(name, *arguments, ctypes.byref(out))
    if status != _library.OK:
        raise error(status)
    return json.loads(taken(out))


def memory(data: Any) -> tuple[Any, int]:
    """The address and the size of bytes, without a copy."""
    if isinstance(data, bytes):
        return data, len(data)
    try:
        view = memoryview(data).cast("B")
    except TypeError:
        raise wrong_type("bytes", data, "bytes") from None
    if view.readonly or not view:
        return bytes(view), len(view)
    # Of the first byte: a new type for each length would be a cycle.
    return ctypes.byref(ctypes.c_char.from_buffer(view)), len(view)
