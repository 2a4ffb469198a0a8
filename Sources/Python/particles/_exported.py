"""Results of conversions."""

from __future__ import annotations

import os
from typing import Any, Optional

from ._arguments import PathLike
from ._errors import Finding, system_fault
from ._handles import Handle


class Exported:
    """The files of a conversion: ``files`` by name, the effect first, and the ``losses``."""

    def __init__(self, files: dict[str, bytes], losses: list[Finding], difference: Optional[float],
                 aspects: dict[str, Any]) -> None:
        self.files, self.losses = files, losses
        self.difference = difference
        """The measured difference, 0 to 1; None if it was not measured."""
        self.aspects = aspects
        """The difference of each aspect."""

    @property
    def worst(self) -> Optional[str]:
        """The level of the greatest loss: ``info``, ``low``, ``medium`` or ``high``."""
        order = ("info", "low", "medium", "high")
        levels = [loss.level for loss in self.losses if loss.level]
        return max(levels, key=order.index) if levels else None

    def write(self, folder: PathLike, *, replace: bool = False) -> list[str]:
        """Writes the files into a folder and returns their paths."""
        paths = []
        for name, data in self.files.items():
            path = os.path.join(os.fspath(folder), name)
            # A file that is replaced stays as it was if the disk is full.
            part = f"{path}.{os.getpid()}.new" if replace else path
            try:
                with open(part, "wb" if replace else "xb") as file:
                    file.write(data)
                if replace:
                    os.replace(part, path)
            except OSError as fault:
                raise system_fault(fault, path) from fault
            paths.append(path)
        return paths

    def __repr__(self) -> str:
        measured = "" if self.difference is None else f", difference {self.difference:.3f}"
        return f"<particles.Exported {', '.join(self.files)}: {len(self.losses)} losses{measured}>"


class ExportHandle(Handle):
    _close = "export_close"
