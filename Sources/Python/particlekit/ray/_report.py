"""Reading the report and the results."""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore, no-untyped-call"
from __future__ import annotations

import os
from collections import Counter
from typing import Any, Optional

from ._sources import Options
from ._store import Store


def report(folder: str, columns: Optional[list[str]] = None, options: Optional[Options] = None) -> Any:
    """Returns the report of a run as a table of pyarrow: one row for each document."""
    import pyarrow as pa

    from ._settings import report_schema

    tables = list(Store(folder, options).tables("report", columns))
    schema = report_schema()
    return pa.concat_tables(tables) if tables else schema.empty_table().select(columns or schema.names)


def add_up(folder: str, options: Optional[Options] = None) -> dict[str, Any]:
    """Adds up the report: documents, addresses, digests, duplicates, failures by code, formats, problems, losses.

    Reads one block at a time. ``documents`` equals ``keys`` if each document has exactly one row.
    """
    columns = ["address", "key", "digest", "duplicate", "format", "error_code", "errors", "warnings", "worst", "bytes"]
    total: dict[str, Any] = {"documents": 0, "duplicates": 0, "failed": 0, "errors": 0, "warnings": 0, "bytes": 0}
    faults, formats, worst = Counter[str](), Counter[str](), Counter[str]()
    keys: set[bytes] = set()
    firsts: Counter[bytes] = Counter()
    digests: set[bytes] = set()
    for table in Store(folder, options).tables("report", columns):
        values = table.to_pydict()
        total["documents"] += table.num_rows
        keys.update(key.encode() for key in values["key"])
        total["duplicates"] += sum(map(bool, values["duplicate"]))
        for name in ("errors", "warnings", "bytes"):
            total[name] += sum(value or 0 for value in values[name])
        faults.update(code for code in values["error_code"] if code)
        formats.update(name for name in values["format"] if name)
        worst.update(level for level in values["worst"] if level)
        for digest, duplicate in zip(values["digest"], values["duplicate"]):
            if digest:
                digests.add(bytes.fromhex(digest))
                if not duplicate:
                    firsts[bytes.fromhex(digest)] += 1
    total["failed"] = sum(faults.values())
    total |= {"keys": len(keys), "digests": len(digests), "digests_once": sum(n == 1 for n in firsts.values())}
    return total | {"faults": dict(faults), "formats": dict(formats), "worst": dict(worst)}


def extract(folder: str, target: str, kind: Optional[str] = None, options: Optional[Options] = None) -> int:
    """Writes results as files, ``target/digest/name``, and returns their number. Files that exist are kept."""
    count = 0
    for table in Store(folder, options).tables("results"):
        for row in table.to_pylist():
            if kind not in (None, row["kind"]):
                continue
            # Names come from documents of strangers.
            path = os.path.join(target, row["digest"], os.path.basename(row["name"]) or "effect")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if not os.path.exists(path):
                # Under another name until it is complete: what exists is kept.
                with open(f"{path}.{os.getpid()}.new", "wb") as file:
                    file.write(row["data"])
                os.replace(file.name, path)
                count += 1
    return count
