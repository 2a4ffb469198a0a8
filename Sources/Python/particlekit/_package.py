"""Packages."""

from __future__ import annotations

import ctypes
import io
import os
from collections.abc import Iterator, MutableMapping
from typing import Any, BinaryIO, NamedTuple, Optional, Union

from . import _library
from ._arguments import (
    COPY, FORMS, LEVELS, MODES, Bytes, Form, Level, Limits, Mode, PathLike, Progress, address, choice, entry_path, new_entry_path,
    save_flags,
)
from ._blob import Blob
from ._calls import Calls
from ._errors import Finding, NotFound, error, misuse, wrong_type
from ._handles import DROP_SOURCE, Handle, encoded, encoded_path, memory, opened, printable, source_of, taken
from ._library import CEntry, CPackageState, lib

_KINDS = ("file", "directory", "link")
_Digest = ctypes.c_uint8 * 32


class Entry(NamedTuple):
    """An entry of a package."""

    path: str
    kind: str
    """``file``, ``directory`` or ``link``."""
    size: int = 0
    executable: bool = False
    target: Optional[str] = None


class Package(Handle, MutableMapping[str, bytes]):
    """A tree of files: a mapping of paths to bytes. Folders are made and left as needed.

    Its members are the files, because only they have bytes: folders and links are in ``entries()``, have a ``stat()``, and
    ``del`` removes them, but ``in``, ``len`` and iteration leave them out. A path has one spelling: ``/a`` and ``a//b`` are
    the names of nothing and are refused for new entries. Composed and decomposed characters are equal.

    It is pickled as the bytes of its flat form: a copy has no path.

    >>> package = Package()
    >>> package["notes/read me.txt"] = b"Hello"
    >>> list(package), package["notes/read me.txt"]
    (['notes/read me.txt'], b'Hello')
    >>> package.digest[:8]
    '4d94fed5'
    """

    _close = "package_close"

    def __init__(self) -> None:
        super().__init__(opened("package_new", close=self._close))

    @classmethod
    def _of(cls, handle: int) -> Package:
        package = cls.__new__(cls)
        Handle.__init__(package, handle)
        return package

    @classmethod
    def open(cls, source: Union[PathLike, Bytes, BinaryIO], *, limits: Optional[Limits] = None) -> Package:
        """Opens a file or folder, bytes, or a seekable binary file. Bytes are copied. Contents are read on access."""
        if isinstance(source, (bytes, bytearray, memoryview)):
            data, count = memory(source)
            return cls._of(opened("package_open_memory", data, count, address(limits), close=cls._close))
        if not isinstance(source, (str, os.PathLike)):
            return cls._of_file(source, limits)
        path = encoded_path(source, "source")
        return cls._of(opened("package_open", path, address(limits), close=cls._close))

    @classmethod
    def _of_file(cls, file: BinaryIO, limits: Optional[Limits]) -> Package:
        calls = Calls()
        if not hasattr(file, "seek"):
            raise wrong_type("source", file, "a path, bytes or a binary file")
        size = file.seek(0, io.SEEK_END)

        def read(_: object, offset: int, buffer: int, count: int) -> int:
            file.seek(offset)
            data = file.read(count)
            ctypes.memmove(buffer, data, min(len(data), count))
            return 0 if len(data) >= count else 1

        function = calls.keep(_library.READ, read)
        return cls._of(
            opened(
                "package_open_source", size, function, DROP_SOURCE, source_of(function), address(limits), calls=calls,
                close=cls._close,
            )
        )

    @classmethod
    def recover(cls, path: PathLike, *, limits: Optional[Limits] = None) -> tuple[Package, list[Finding]]:
        """Returns the intact part of a damaged or cut file, and its faults."""
        found: list[Finding] = []
        calls = Calls()
        handle = opened(
            "package_recover", encoded_path(path, "path"), address(limits), calls.findings(found), None,
            calls=calls, close=cls._close,
        )
        return cls._of(handle), found

    # Reading

    def __getitem__(self, path: str) -> bytes:
        with Blob(self, path) as blob:
            return blob.read_all()

    def __contains__(self, path: object) -> bool:
        try:
            return isinstance(path, str) and self.stat(path).kind == "file"
        except NotFound:
            return False

    def stat(self, path: str) -> Entry:
        """Describes an entry."""
        value = CEntry(size=ctypes.sizeof(CEntry))
        self._call("package_stat", entry_path(path), ctypes.byref(value))
        target = value.target.decode() if value.target is not None else None
        return Entry(path, _KINDS[value.kind], value.bytes, bool(value.executable), target)

    def entries(self, below: str = "", *, recursive: bool = True) -> list[Entry]:
        """Lists files, folders and links in canonical order."""
        out = ctypes.c_void_p()
        self._call("package_list", entry_path(below, "below") if below else b"", int(recursive), ctypes.byref(out))
        found: list[Entry] = []
        value, step = CEntry(size=ctypes.sizeof(CEntry)), lib.iterator_next
        where = ctypes.byref(value)
        try:
            while (status := step(out, where)) == _library.ROW:
                target = None if value.target is None else value.target.decode()
                found.append(
                    Entry(value.path.decode(), _KINDS[value.kind], value.bytes, bool(value.executable), target)
                )
            if status != _library.DONE:
                raise error(status, out.value)
        finally:
            lib.iterator_close(out)
        return found

    def __iter__(self) -> Iterator[str]:
        return (entry.path for entry in self.entries() if entry.kind == "file")

    def __len__(self) -> int:
        return sum(entry.kind == "file" for entry in self.entries())

    def open_entry(self, path: str) -> io.BufferedReader:
        """Opens a file to read it in pieces. It stays readable when the package is changed or closed."""
        return io.BufferedReader(Blob(self, path))

    # Changing

    def __setitem__(self, path: str, data: Union[Bytes, BinaryIO]) -> None:
        if isinstance(data, str):
            raise misuse("a file is bytes: encode the text, or use add_file for a path")
        if hasattr(data, "read"):
            data = data.read()
        start, count = memory(data)
        self._call("package_put", new_entry_path(path), start, count, 0)

    def __delitem__(self, path: str) -> None:
        self._call("package_remove", entry_path(path))

    def add(self, data: Bytes, name: str, folder: str = "") -> str:
        """Adds a file under a free name and returns its path."""
        start, count = memory(data)
        out = ctypes.c_void_p()
        self._call(
            "package_add", new_entry_path(folder, "folder") if folder else b"", encoded(name, "name"), start, count, ctypes.byref(out)
        )
        return taken(out).decode()

    def add_file(self, path: str, source: PathLike) -> None:
        """Sets an entry to a file or folder on the disk. It is read when it is needed."""
        self._call("package_put_file", new_entry_path(path), encoded_path(source, "source"))

    def mkdir(self, path: str) -> None:
        """Makes a folder, and its parents. Changes nothing if it exists."""
        self._call("package_make_directory", new_entry_path(path))

    def symlink(self, path: str, target: str) -> None:
        """Makes a symbolic link. ``target`` is relative to the folder of the link and stays in the package."""
        self._call("package_link", new_entry_path(path), encoded(target, "target"))

    def rename(self, path: str, to: str) -> None:
        """Moves a file, folder or link to another path."""
        self._call("package_rename", entry_path(path), new_entry_path(to, "to"))

    def set_executable(self, path: str, value: bool = True) -> None:
        """Sets whether a file is a program, which counts when it is extracted."""
        self._call("package_set_executable", entry_path(path), int(value))

    def clear(self) -> None:
        """Removes all entries."""
        for entry in self.entries(recursive=False):
            del self[entry.path]

    # Saving

    def save(self, *, mode: Mode = "auto", level: Level = "standard", durable: bool = True,
             progress: Optional[Progress] = None) -> None:
        """Saves where it was opened. ``progress`` gets done and total, and cancels by returning False."""
        self._saved("package_save", None, progress, mode=choice(MODES, mode, "mode"),
                    level=choice(LEVELS, level, "level"), flags=save_flags(False, durable))

    def save_as(self, path: PathLike, *, form: Form = "flat", level: Level = "standard", replace: bool = False,
                durable: bool = True, progress: Optional[Progress] = None) -> None:
        """Saves at a path and goes on there. Without ``durable``, it does not wait for the disk."""
        self._saved("package_save", encoded_path(path, "path"), progress, form=choice(FORMS, form, "form"),
                    level=choice(LEVELS, level, "level"), flags=save_flags(replace, durable))

    def write(self, path: PathLike, *, form: Form = "flat", level: Level = "standard", replace: bool = False,
              durable: bool = True, progress: Optional[Progress] = None) -> None:
        """Writes a copy. Without ``durable``, it does not wait for the disk."""
        self._saved("package_save", encoded_path(path, "path"), progress, form=choice(FORMS, form, "form"),
                    level=choice(LEVELS, level, "level"), flags=save_flags(replace, durable) | COPY)

    def encode(self, level: Level = "standard") -> bytes:
        """Returns the bytes of the flat form."""
        pieces: list[bytes] = []
        calls = Calls()
        self._call("package_encode", choice(LEVELS, level, "level"), calls.write(pieces.append), None, calls=calls)
        return b"".join(pieces)

    def extract(self, folder: PathLike, *, replace: bool = False, durable: bool = True,
                progress: Optional[Progress] = None) -> None:
        """Writes its files into a folder."""
        calls = Calls()
        self._call(
            "package_extract", encoded_path(folder, "folder"), save_flags(replace, durable), calls.progress(progress), None,
            calls=calls,
        )

    # Facts

    @property
    def path(self) -> Optional[str]:
        """The path that it was opened from or saved to."""
        path = self._state().path
        return os.fsdecode(path) if path is not None else None

    def _state(self) -> CPackageState:
        value = CPackageState(size=ctypes.sizeof(CPackageState))
        # A closed package has neither path nor form.
        value.form = -1
        lib.package_describe(self._handle, ctypes.byref(value))
        return value

    @property
    def form(self) -> Optional[str]:
        """``flat``, ``directory``, or None for one in memory."""
        return {0: "flat", 1: "directory"}.get(self._state().form)

    @property
    def digest(self) -> str:
        """The digest of the tree, independent of form and compression, in hexadecimal digits."""
        out = _Digest()
        self._call("package_digest", ctypes.byref(out))
        return bytes(out).hex()

    @property
    def warnings(self) -> list[Finding]:
        """The flaws that were found when it was opened."""
        return self._findings("package_warnings")

    def verify(self, *, full: bool = True) -> list[Finding]:
        """Checks every byte of a flat package."""
        return self._findings("package_verify", int(full))

    def copy(self) -> Package:
        """Returns a copy, in no time."""
        out = ctypes.c_void_p()
        self._call("package_copy", ctypes.byref(out))
        return Package._of(out.value or 0)

    __copy__ = copy

    def __deepcopy__(self, _: object) -> Package:
        return self.copy()

    def __reduce_ex__(self, _: Any) -> Any:
        return Package.open, (self.encode("fast"),)

    def close(self) -> None:
        """Closes it without saving."""
        self._closed()

    def __enter__(self) -> Package:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Package) and self.digest == other.digest

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if self.closed:
            return "<closed particlekit.Package>"
        return f"<particlekit.Package {printable(self.path or 'in memory')}>"

    def _repr_html_(self) -> str:
        from ._display import package_table

        return package_table(self)
