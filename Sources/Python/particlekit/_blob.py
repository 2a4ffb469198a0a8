"""Files in packages, read in pieces."""

from __future__ import annotations

import ctypes
import io
from typing import TYPE_CHECKING, Any

from ._arguments import entry_path
from ._errors import error, misuse
from ._handles import Handle
from ._library import OK, lib

if TYPE_CHECKING:
    from ._package import Package


class Blob(Handle, io.RawIOBase):
    """The contents of a file in a package."""

    _close = "blob_close"

    def __init__(self, package: Package, path: str) -> None:
        self._handle = 0
        out, size = ctypes.c_void_p(), ctypes.c_int64()
        status = lib.blob_open(package._opened, entry_path(path), ctypes.byref(out), ctypes.byref(size))
        if status != OK:
            try:
                raise error(status, out.value)
            finally:
                lib.blob_close(out)
        Handle.__init__(self, out.value or 0)
        self.size: int = size.value
        self._position = 0

    def read_all(self) -> bytes:
        if not self.size:
            return b""
        # The memory of new bytes is filled at once. Nothing else has seen them.
        data: bytes = _new_bytes(None, self.size)
        self._call("blob_read", 0, data, self.size)
        return data

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        count = min(len(view), self.size - self._position)
        if count <= 0:
            return 0
        self._call("blob_read", self._position, ctypes.byref(ctypes.c_char.from_buffer(view)), count)
        self._position += count
        return count

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self.size}[whence]
        if start + offset < 0:
            raise misuse(f"a position of {start + offset}")
        self._position = start + offset
        return self._position

    def tell(self) -> int:
        return self._position

    def close(self) -> None:
        self._closed()
        io.RawIOBase.close(self)

    @property
    def closed(self) -> bool:
        return not self._handle

    def __enter__(self) -> Blob:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        Handle.__del__(self)


# An own function: all modules share the function of the attribute, and may set its types.
_new_bytes = ctypes.pythonapi["PyBytes_FromStringAndSize"]
_new_bytes.restype = ctypes.py_object
_new_bytes.argtypes = [ctypes.c_char_p, ctypes.c_ssize_t]
