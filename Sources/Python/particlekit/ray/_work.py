"""The stages of one document, without Ray."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any, Optional

import particlekit

from ._png import png
from ._vector import vector

Row = dict[str, Any]
_KEPT = 20
"""Problems and losses of a document that the report lists. All are counted."""


class Work:
    """Opens documents and runs stages. Keeps open documents until they are finished or forgotten."""

    def __init__(self, find: Callable[[str], Optional[bytes]]) -> None:
        self._find = find
        self._open: dict[str, tuple[particlekit.Effect, particlekit.Package]] = {}
        # The tool's limits, so that results have its bytes. Time and memory are bounded from outside.
        self._limits = particlekit.Limits()

    def forget(self) -> None:
        """Closes everything."""
        for effect, package in self._open.values():
            effect.close()
            package.close()
        self._open.clear()

    def begin(self, message: dict[str, Any], data: Optional[bytes]) -> Row:
        """Opens a document and returns format, digest and problems."""
        row: Row = {"seconds": {}}
        start = time.perf_counter()
        try:
            if data is None:
                effect = particlekit.Effect.open(message["local"], limits=self._limits)
            else:
                effect = particlekit.Effect.open(
                    data, name=message["name"], find=self._find if message["images"] else None, limits=self._limits
                )
            package = effect.package
            document = effect.document
            row |= {
                "format": effect.kind, "name": (document.get("asset") or {}).get("name"),
                "emitters": len(document.get("emitters") or []), "images": len(document.get("images") or []),
                "digest": package.digest,
            }
            problems = effect.findings
            row["seconds"]["inventory"] = time.perf_counter() - start
            if "validate" in message["stages"]:
                start = time.perf_counter()
                problems = _checked(effect, package, problems)
                row["seconds"]["validate"] = time.perf_counter() - start
            _problems(row, problems)
            self._open[message["key"]] = effect, package
        except Exception as fault:
            _fault(row, fault)
        return row

    def finish(self, message: dict[str, Any]) -> tuple[Row, list[bytes]]:
        """Runs the stages that write or simulate. Returns ``unknown`` if the document is not open here."""
        if message["key"] not in self._open:
            return {"unknown": True}, []
        effect, package = self._open.pop(message["key"])
        row: Row = {"seconds": {}, "files": []}
        files: list[bytes] = []
        try:
            for stage in message["stages"]:
                start = time.perf_counter()
                for kind, name, data in _STAGES[stage](row, effect, package, message):
                    row["files"].append([kind, name])
                    files.append(data)
                row["seconds"][stage] = time.perf_counter() - start
        except Exception as fault:
            _fault(row, fault)
        effect.close()
        package.close()
        return row, files


Files = list[tuple[str, str, bytes]]


def _convert(row: Row, effect: particlekit.Effect, package: particlekit.Package, message: dict[str, Any]) -> Files:
    base = os.path.splitext(message["name"])[0]
    if message["format"] == "particles":
        row |= {"losses": [], "worst": None}
        return [("converted", base + ".particles", package.encode())]
    exported = effect.convert(message["format"], name=base + _extension(message["format"]))
    row |= {
        "losses": [
            {"code": f.code, "level": f.level, "feature": (f.loss or {}).get("feature"), "message": f.message,
             "place": f.place}
            for f in exported.losses[:_KEPT]
        ],
        "worst": exported.worst,
    }
    return [("converted", name, data) for name, data in exported.files.items()]


def _extension(format: str) -> str:
    return next((f".{f.extensions[0]}" for f in particlekit.formats() if f.name == format and f.extensions), "")


def _thumbnail(_: Row, effect: particlekit.Effect, __: particlekit.Package, message: dict[str, Any]) -> Files:
    base = os.path.splitext(message["name"])[0]
    return [("thumbnail", base + ".png", png(effect.thumbnail(message["size"])))]


def _measure(row: Row, effect: particlekit.Effect, _: particlekit.Package, message: dict[str, Any]) -> Files:
    same = message["format"] == "particles"
    row["difference"] = 0.0 if same else effect.convert(message["format"], measure=True).difference
    return []


def _similar(row: Row, effect: particlekit.Effect, _: particlekit.Package, __: dict[str, Any]) -> Files:
    row["vector"] = vector(effect)
    return []


_STAGES: dict[str, Callable[[Row, particlekit.Effect, particlekit.Package, dict[str, Any]], Files]] = {
    "convert": _convert, "thumbnail": _thumbnail, "measure": _measure, "similar": _similar,
}


def _checked(effect: particlekit.Effect, package: particlekit.Package, found: list[particlekit.Finding]) -> list[Any]:
    # As 'validate' of the tool: a package byte by byte. Opening reports missing images of an import.
    is_package = effect.kind == "particles"
    if is_package and package.form == "flat":
        found = package.verify()
    if any(finding.severity == "error" for finding in found):
        return found
    return found + [finding for finding in effect.validate() if is_package or finding.code != "image/missing"]


def _problems(row: Row, findings: list[particlekit.Finding]) -> None:
    row["errors"] = sum(f.severity == "error" for f in findings)
    row["warnings"] = sum(f.severity == "warning" for f in findings)
    row["problems"] = [
        {"code": f.code, "severity": f.severity, "message": f.message, "place": f.place} for f in findings[:_KEPT]
    ]


def _fault(row: Row, fault: Exception) -> None:
    known = isinstance(fault, particlekit.Error)
    row["error_code"] = fault.code if isinstance(fault, particlekit.Error) else "scale/fault"
    row["error"] = str(fault) if known else f"{type(fault).__name__}: {fault}"
