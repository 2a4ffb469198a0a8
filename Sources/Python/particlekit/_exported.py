"""Results of conversions."""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import Any, Optional

from ._arguments import PathLike
from ._errors import Finding, system_fault
from ._handles import Handle


def _beside(path: str, kind: str) -> str:
    """A name for a file that is written, or was replaced, until all are written."""
    return f"{path}.{os.getpid()}.{kind}"


def _keep(path: str, other: str) -> None:
    """Gives a file another name, from which it can come back: a hard link, or else a copy."""
    try:
        os.link(path, other, follow_symlinks=False)
    except (OSError, NotImplementedError):
        shutil.copy2(path, other, follow_symlinks=False)


def _flush_folder(path: str) -> None:
    """Waits until the names in a folder are on the disk."""
    descriptor = os.open(path or ".", os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Exported:
    """The files of a conversion: ``files`` by name, the effect first, and the ``losses``."""

    def __init__(self, files: dict[str, bytes], losses: list[Finding], difference: Optional[float],
                 aspects: dict[str, Any]) -> None:
        self.files, self.losses = files, losses
        self.difference = difference
        """The measured difference, 0 to 1, or None if it was not measured."""
        self.aspects = aspects
        """The difference of each aspect."""

    @property
    def worst(self) -> Optional[str]:
        """The level of the greatest loss: ``info``, ``low``, ``medium`` or ``high``."""
        order = ("info", "low", "medium", "high")
        levels = [loss.level for loss in self.losses if loss.level]
        return max(levels, key=order.index) if levels else None

    def write(self, folder: PathLike, *, replace: bool = False, durable: bool = True) -> list[str]:
        """Writes the files into a folder and returns their paths: all, or none after a fault.

        Without ``durable``, it does not wait for the disk: a loss of power soon afterwards may damage the files.
        """
        paths = [os.path.join(os.fspath(folder), name) for name in self.files]
        path = os.fspath(folder)
        made: list[str] = []
        replaced: list[str] = []
        try:
            for path, data in zip(paths, self.files.values()):
                part = _beside(path, "new") if replace else path
                with open(part, "wb" if replace else "xb") as file:
                    made.append(part)
                    file.write(data)
                    if durable:
                        file.flush()
                        os.fsync(file.fileno())
            for path in paths if replace else []:
                old = _beside(path, "old")
                is_new = not os.path.lexists(path)
                if not is_new:
                    made.append(old)
                    _keep(path, old)
                os.replace(_beside(path, "new"), path)
                if is_new:
                    made.append(path)
                else:
                    made.remove(old)
                    replaced.append(path)
            if durable:
                _flush_folder(os.fspath(folder))
        except BaseException as fault:
            # A file that cannot be put back stays beside its place.
            for place in replaced:
                with contextlib.suppress(OSError):
                    os.replace(_beside(place, "old"), place)
            for part in made:
                with contextlib.suppress(OSError):
                    os.unlink(part)
            if isinstance(fault, OSError):
                raise system_fault(fault, path) from fault
            raise
        for place in replaced:
            with contextlib.suppress(OSError):
                os.unlink(_beside(place, "old"))
        return paths

    def __repr__(self) -> str:
        measured = "" if self.difference is None else f", difference {self.difference:.3f}"
        return f"<particlekit.Exported {', '.join(self.files)}: {len(self.losses)} losses{measured}>"


class ExportHandle(Handle):
    _close = "export_close"
