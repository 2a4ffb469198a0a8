"""Findings and exceptions."""

from __future__ import annotations

import difflib
import errno
import json
import os
import sys
from collections.abc import Iterable
from typing import Any, ClassVar, Optional

from . import _library
from ._library import CFinding, lib

import ctypes


class Finding:
    """One finding: of a check, a conversion, or an error.

    >>> import particlekit
    >>> effect = particlekit.Effect.template("fire")
    >>> effect.validate()
    []
    """

    __slots__ = (
        "code", "severity", "message", "file", "entry", "key", "offset", "line", "column", "expected", "found",
        "hint", "errno", "text", "loss",
    )
    code: str
    """The rule, such as ``document/range``."""
    severity: str
    """``note``, ``warning`` or ``error``."""
    message: str
    """The fault, on one line, without place."""
    file: Optional[str]
    """The path of the file."""
    entry: Optional[str]
    """The path in the package."""
    key: Optional[str]
    """The property, such as ``emitters[0].emission.rate``."""
    offset: Optional[int]
    """The byte in the file or entry."""
    line: Optional[int]
    """The line of a text file, from 1."""
    column: Optional[int]
    """The column of a text file, from 1."""
    expected: Optional[str]
    """What the rule allows."""
    found: Optional[str]
    """The value that is there instead."""
    hint: Optional[str]
    """The next step."""
    errno: Optional[int]
    """The system's error number, as in the module ``errno``, or None if no system call has failed."""
    text: str
    """Place, severity, message and code on one line."""
    loss: Optional[dict[str, Any]]
    """What a conversion changes: ``level``, ``feature``, ``difference`` …"""

    def __init__(self, value: dict[str, Any], text: str) -> None:
        for name in self.__slots__[:-2]:
            object.__setattr__(self, name, value.get(name))
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "loss", value.get("loss"))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a finding cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        return Finding, ({name: getattr(self, name) for name in self.__slots__}, self.text)

    @property
    def level(self) -> Optional[str]:
        """The level of a loss: ``info``, ``low``, ``medium`` or ``high``, or None for other findings."""
        return self.loss["level"] if self.loss else None

    @property
    def difference(self) -> Optional[float]:
        """The measured difference of a loss, 0 to 1, or None if it was not measured."""
        return self.loss.get("difference") if self.loss else None

    @property
    def place(self) -> str:
        """File, entry, and line, offset or key, as far as they are known."""
        where = [self.file, self.entry]
        if self.line is not None:
            where.append(f"{self.line}:{self.column}")
        elif self.key is not None:
            where.append(self.key)
        elif self.offset is not None:
            where.append(f"byte {self.offset}")
        return ":".join(part for part in where if part)

    def __repr__(self) -> str:
        return f"<{self.severity} {self.text}>"

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and all(
            getattr(self, name) == getattr(other, name) for name in self.__slots__
        )

    def __hash__(self) -> int:
        return hash((self.code, self.text))


class Error(Exception):
    """The fault of a call, and the class of every exception of this package.

    Exceptions that are an ``OSError`` have ``errno``, ``strerror`` and ``filename``: the file, or else the entry of a package.
    """

    finding: Finding
    call: str
    """The function of this package that was called, such as ``Effect.convert``."""
    _errno: ClassVar[Optional[int]] = None
    """The ``errno`` of the kind, if no system call has failed."""

    def __init__(self, finding: Finding, call: str = "") -> None:
        super().__init__(finding.text)
        self.finding, self.call = finding, call
        if isinstance(self, OSError):
            _describe(self, finding, self._errno)

    def __str__(self) -> str:
        text = self.finding.text
        return f"{text}\n  {self.finding.hint}" if self.finding.hint else text

    @property
    def code(self) -> str:
        """The rule, such as ``file/not-found``."""
        return self.finding.code

    @property
    def file(self) -> Optional[str]:
        """The path of the file, or None if the fault is in none."""
        return self.finding.file

    @property
    def entry(self) -> Optional[str]:
        """The path in the package, or None if the fault is in no entry."""
        return self.finding.entry

    @property
    def key(self) -> Optional[str]:
        """The property, such as ``emitters[0].emission.rate``, or None if the fault is in none."""
        return self.finding.key

    @property
    def place(self) -> str:
        """Where the fault is, or the called function if it is in no file."""
        return self.finding.place or self.call

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.finding, self.call)


def _describe(fault: OSError, finding: Finding, number: Optional[int]) -> None:
    fault.errno = finding.errno or number
    fault.strerror, fault.filename = finding.message, finding.file or finding.entry


class SystemFault(Error, OSError):
    """The system refused: no space, too many open files."""


class PermissionDenied(SystemFault, PermissionError):
    """The system permits no access to the file or folder."""

    _errno = errno.EACCES


class IsADirectory(SystemFault, IsADirectoryError):
    """A folder is where a file is needed."""

    _errno = errno.EISDIR


class Damaged(Error, ValueError):
    """The input breaks the rules of its format."""


class LimitExceeded(Error, ValueError):
    """The input asks for more than ``Limits`` allows."""


class Changed(Error):
    """Another program has changed the file since it was opened."""


class NotFound(Error, FileNotFoundError, KeyError):
    """There is no such file, entry, property, format or template."""

    _errno = errno.ENOENT


class NotADirectory(NotFound, NotADirectoryError):
    """A part of the path is a file, not a folder."""

    _errno = errno.ENOTDIR


class Exists(Error, FileExistsError):
    """The file or entry exists."""

    _errno = errno.EEXIST


class InvalidName(Error, ValueError):
    """The name or link is not allowed in a package."""


class Cancelled(Error):
    """Stopped by a progress callback or by ``cancel``."""


class Misuse(Error, ValueError):
    """A wrong call, such as one on something that is closed."""


class WrongType(Misuse, TypeError):
    """An argument of a type that is not expected."""


class NoSuchAttribute(Error, AttributeError):
    """An effect has no property of this name."""


class NoSuchElement(Error, IndexError):
    """A list of an effect is shorter."""


class UnknownFormat(Error, ValueError):
    """No known format, or a format that cannot be read or written."""


class ReadOnly(Error, PermissionError):
    """The file is read-only."""

    _errno = errno.EACCES


class Busy(Error, TimeoutError):
    """Another program holds the lock of the file."""

    _errno = errno.ETIMEDOUT


class InvalidValue(Error, ValueError):
    """The value is not allowed there."""


_KINDS: dict[int, type[Error]] = {
    1: SystemFault, 2: Damaged, 3: LimitExceeded, 4: Changed, 5: NotFound, 6: Exists, 7: InvalidName, 8: Cancelled,
    9: Misuse, 10: LimitExceeded, 11: UnknownFormat, 12: ReadOnly, 13: Busy, 14: InvalidValue, 15: Error,
}

_SYSTEM: dict[Optional[int], type[Error]] = {
    errno.EACCES: PermissionDenied, errno.EPERM: PermissionDenied, errno.EISDIR: IsADirectory,
    errno.ENOTDIR: NotADirectory,
}


def _kind(status: int, number: Optional[int]) -> type[Error]:
    """The exception of a status, or the narrower one of an error of the system."""
    kind = _KINDS.get(status, Error)
    narrower = _SYSTEM.get(number, kind)
    return narrower if issubclass(narrower, kind) else kind


def finding_of(value: CFinding) -> Finding:
    members = json.loads(value.json)
    # JSON has no bytes that are not UTF-8.
    members["file"] = None if value.file is None else os.fsdecode(value.file)
    return Finding(members, value.text.decode("utf-8", "replace"))


def error(status: int, handle: Optional[int] = None) -> Error:
    """The exception of a status, described by the handle."""
    if handle:
        value = CFinding(size=ctypes.sizeof(CFinding))
        if lib.error(handle, ctypes.byref(value)) == _library.OK and value.code and value.status == status:
            finding = finding_of(value)
            return _kind(status, finding.errno)(finding, called())
    code = "interface/misuse" if status == _library.MISUSE else f"interface/status-{status}"
    return fault_of(code, lib.status_text(status).decode(), _kind(status, None))


def called() -> str:
    """The function of this package that a program has called, or "" on a thread that runs a call for another."""
    frame, name = sys._getframe(1), ""
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "particlekit":
        name, frame = frame.f_code.co_qualname, frame.f_back  # type: ignore[assignment]
    return "" if name == "interruptible.<locals>.run" else name.removesuffix(".__init__")


def fault_of(code: str, message: str, kind: type[Error], **members: Any) -> Error:
    """The exception of a fault that this package has found itself."""
    value = {"code": code, "severity": "error", "message": message, **members}
    place = value.get("file") or value.get("entry")
    return kind(Finding(value, f"{place}: error: {message} [{code}]" if place else f"error: {message} [{code}]"), called())


def misuse(text: str, kind: type[Error] = Misuse, hint: Optional[str] = None) -> Error:
    """The exception of a wrong call."""
    return fault_of("interface/misuse", text, kind, hint=hint)


def suggestion(word: object, names: Iterable[str]) -> Optional[str]:
    """A hint with the name that is most like a word, or None if none is like it."""
    near = difflib.get_close_matches(str(word), names, 1)
    return f"did you mean '{near[0]}'?" if near else None


def wrong_type(name: str, value: object, expected: str) -> Error:
    return misuse(f"'{name}' is of type {type(value).__name__}; expected {expected}", WrongType)


def system_fault(fault: OSError, path: str) -> Error:
    """The exception of a fault that Python has found when it wrote a file."""
    status, code = 1, "file/unwritable"
    reason = (fault.strerror or str(fault)).lower()
    message = f"cannot be written: {reason}"
    if isinstance(fault, (FileNotFoundError, NotADirectoryError)):
        status, code, message = 5, "file/not-found", reason
    elif isinstance(fault, FileExistsError):
        status, code, message = 6, "file/exists", reason
    return fault_of(code, message, _kind(status, fault.errno), file=path, errno=fault.errno)
