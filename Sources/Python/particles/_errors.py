"""Findings and exceptions."""

from __future__ import annotations

import json
import sys
from typing import Any, Optional

from . import _library
from ._library import CFinding, lib

import ctypes


class Finding:
    """One finding: of a check, a conversion, or an error.

    >>> import particles
    >>> effect = particles.Effect.template("fire")
    >>> effect.validate()
    []
    """

    __slots__ = (
        "code", "severity", "message", "file", "entry", "key", "offset", "line", "column", "expected", "found",
        "hint", "text", "loss",
    )
    code: str
    """The rule, such as ``document/range``."""
    severity: str
    """``note``, ``warning`` or ``error``."""
    message: str
    """The fault, on one line, without place."""
    file: Optional[str]
    entry: Optional[str]
    """The path in the package."""
    key: Optional[str]
    """The property, such as ``emitters[0].emission.rate``."""
    offset: Optional[int]
    line: Optional[int]
    column: Optional[int]
    expected: Optional[str]
    found: Optional[str]
    hint: Optional[str]
    """The next step."""
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

    @property
    def level(self) -> Optional[str]:
        """The level of a loss: ``info``, ``low``, ``medium`` or ``high``; None for other findings."""
        return self.loss["level"] if self.loss else None

    @property
    def difference(self) -> Optional[float]:
        """The measured difference of a loss, 0 to 1; None if it was not measured."""
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
    """The fault of a call. Every exception of this package is one."""

    finding: Finding
    call: str
    """The function that was called, of this package or of the library; "" if that is not known."""

    def __init__(self, finding: Finding, call: str = "") -> None:
        super().__init__(finding.text)
        self.finding, self.call = finding, call

    def __str__(self) -> str:
        text = self.finding.text
        return f"{text}\n  {self.finding.hint}" if self.finding.hint else text

    @property
    def code(self) -> str:
        """The rule, such as ``file/not-found``."""
        return self.finding.code

    @property
    def file(self) -> Optional[str]:
        return self.finding.file

    @property
    def entry(self) -> Optional[str]:
        return self.finding.entry

    @property
    def key(self) -> Optional[str]:
        return self.finding.key

    @property
    def place(self) -> str:
        """Where it was found; the called function if it was nowhere in a file."""
        return self.finding.place or self.call

    def __reduce__(self) -> tuple[Any, ...]:
        value = {name: getattr(self.finding, name) for name in Finding.__slots__}
        return (_restored, (type(self), value, self.call))


def _restored(kind: type[Error], value: dict[str, Any], call: str = "") -> Error:
    return kind(Finding(value, value["text"]), call)


class SystemFault(Error, OSError):
    """The system refused: no space, no permission, too many open files."""


class Damaged(Error, ValueError):
    """The input breaks the rules of its format."""


class LimitExceeded(Error, ValueError):
    """The input asks for more than ``Limits`` allows."""


class Changed(Error):
    """Another program has changed the file since it was opened."""


class NotFound(Error, FileNotFoundError, KeyError):
    """There is no such file, entry, property, format or template."""


class Exists(Error, FileExistsError):
    """The file or entry exists."""


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
    """No known format, or one that cannot be read or written."""


class ReadOnly(Error, PermissionError):
    """The file may not be written."""


class Busy(Error, TimeoutError):
    """Another program holds the lock of the file."""


class InvalidValue(Error, ValueError):
    """The value is not allowed there."""


_KINDS: dict[int, type[Error]] = {
    1: SystemFault, 2: Damaged, 3: LimitExceeded, 4: Changed, 5: NotFound, 6: Exists, 7: InvalidName, 8: Cancelled,
    9: Misuse, 10: LimitExceeded, 11: UnknownFormat, 12: ReadOnly, 13: Busy, 14: InvalidValue, 15: Error,
}


def finding_of(value: CFinding) -> Finding:
    return Finding(json.loads(value.json), value.text.decode("utf-8", "replace"))


def error(status: int, handle: Optional[int] = None, place: str = "") -> Error:
    """The exception of a status, described by the handle."""
    kind = _KINDS.get(status, Error)
    if handle:
        value = CFinding(size=ctypes.sizeof(CFinding))
        if lib.error(handle, ctypes.byref(value)) == _library.OK and value.code and value.status == status:
            return kind(finding_of(value), place)
    text = lib.status_text(status).decode()
    code = "interface/misuse" if status == _library.MISUSE else f"interface/status-{status}"
    finding = {"code": code, "severity": "error", "message": text, "entry": None, "key": place or None}
    return kind(Finding(finding, f"{place}: error: {text} [{code}]" if place else f"error: {text} [{code}]"))


def called() -> str:
    """The function of this package that a program has called."""
    frame, name = sys._getframe(1), ""
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "particles":
        name, frame = frame.f_code.co_qualname, frame.f_back  # type: ignore[assignment]
    return name.removesuffix(".__init__")


def misuse(text: str, kind: type[Error] = Misuse) -> Error:
    """The exception of a wrong call."""
    value = {"code": "interface/misuse", "severity": "error", "message": text}
    return kind(Finding(value, f"error: {text} [interface/misuse]"), called())


def wrong_type(name: str, value: object, expected: str) -> Error:
    return misuse(f"'{name}' is of type {type(value).__name__}; expected {expected}", WrongType)


def system_fault(fault: OSError, path: str) -> Error:
    """The exception of a fault that Python has found."""
    kind, code = {
        FileNotFoundError: (NotFound, "file/not-found"), FileExistsError: (Exists, "file/exists"),
        PermissionError: (ReadOnly, "file/read-only"),
    }.get(type(fault), (SystemFault, "file/unwritable"))
    text = f"{path}: error: {fault.strerror} [{code}]"
    return kind(Finding({"code": code, "severity": "error", "message": fault.strerror, "file": path}, text), called())
