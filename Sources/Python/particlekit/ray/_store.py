"""The folder of a run: settings, and for each finished block its results and its rows of the report.

The rows of a block are written last, as a whole: a block whose rows exist is finished, and nothing else is state.
"""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore, no-untyped-call"
from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from typing import Any, NamedTuple, Optional

from ._settings import Settings, report_schema, result_schema
from ._sources import Options, filesystem, is_local, opened_table


class Done(NamedTuple):
    """A finished block: digests of first documents and of duplicates, and the number of failures."""

    key: str
    firsts: list[str]
    others: list[str]
    duplicates: int
    failed: int


class Store:
    """The folder of a run, on any file system of fsspec."""

    def __init__(self, address: str, options: Optional[Options] = None) -> None:
        self.address = address
        self.options = options
        self._fs, self._path = filesystem(address, options)
        self._is_local = is_local(self._fs)

    def begin(self, settings: Settings, version: str) -> None:
        """Creates the folder, or checks that it is of a run with equal settings."""
        wanted = settings.results | {"version": version}
        found = self._json("run.json")
        if found is None:
            self.write("run.json", json.dumps(wanted, indent=2).encode())
        elif found != wanted:
            other = ", ".join(name for name in wanted if found.get(name) != wanted[name])
            raise ValueError(f"{self.address} has the results of other settings ({other}): choose another folder")

    def finished(self) -> set[str]:
        """The keys of the blocks that are finished."""
        return {name[:-len(".parquet")] for name in self._names("report")}

    def depending(self, gone: set[str]) -> set[str]:
        """The keys of finished blocks with a duplicate of a document that is finished in blocks of ``gone`` alone."""
        blocks = list(self.done()) if gone else []
        lost = {digest for block in blocks if block.key in gone for digest in block.firsts}
        return {block.key for block in blocks if block.key not in gone and not lost.isdisjoint(block.others)}

    def done(self) -> Iterator[Done]:
        """The finished blocks, read one at a time."""
        columns = ["digest", "duplicate", "error_code"]
        for name, table in self._tables("report", columns):
            digests, duplicates, faults = (table.column(column).to_pylist() for column in columns)
            pairs = list(zip(digests, map(bool, duplicates)))
            firsts, others = ([d for d, is_other in pairs if d and is_other is side] for side in (False, True))
            failed = sum(code is not None for code in faults)
            yield Done(name[:-len(".parquet")], firsts, others, sum(map(bool, duplicates)), failed)

    def put(self, key: str, rows: list[dict[str, Any]], files: list[dict[str, Any]]) -> None:
        """Writes the results of a block, then its rows."""
        path = f"results/{key}.parquet"
        if files:
            self.write(path, _parquet(files, result_schema()))
        elif self._fs.exists(f"{self._path}/{path}"):
            # Of a run that was stopped before it wrote the rows. Other blocks have these documents now.
            self._fs.rm(f"{self._path}/{path}")
        self.write(f"report/{key}.parquet", _parquet(rows, report_schema()))

    def drop(self, key: str) -> None:
        """Moves a block whose documents have changed, or are no longer in the source, to ``superseded``."""
        for folder in ("report", "results"):
            path = f"{self._path}/{folder}/{key}.parquet"
            if self._fs.exists(path):
                self._fs.makedirs(f"{self._path}/superseded/{folder}", exist_ok=True)
                self._fs.mv(path, f"{self._path}/superseded/{folder}/{key}.parquet")

    def write(self, name: str, data: bytes) -> None:
        """Writes a file that is there as a whole or not at all."""
        path = f"{self._path}/{name}"
        if not self._is_local:
            self._fs.pipe_file(path, data)
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        other = f"{path}.{uuid.uuid4().hex}.new"
        try:
            with open(other, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(other, path)
        except BaseException:
            if os.path.exists(other):
                os.remove(other)
            raise

    def tables(self, folder: str, columns: Optional[list[str]] = None) -> Iterator[Any]:
        """The tables of ``report`` or ``results``, one for each block."""
        for _, table in self._tables(folder, columns):
            yield table

    def _tables(self, folder: str, columns: Optional[list[str]]) -> Iterator[tuple[str, Any]]:
        for name in self._names(folder):
            with opened_table(self._fs, f"{self._path}/{folder}/{name}") as table:
                yield name, table.read(columns=columns, use_threads=False)

    def _names(self, folder: str) -> list[str]:
        path = f"{self._path}/{folder}"
        self._fs.invalidate_cache()
        if not self._fs.exists(path):
            return []
        names = (os.path.basename(name) for name in self._fs.ls(path, detail=False))
        return sorted(name for name in names if name.endswith(".parquet"))

    def _json(self, name: str) -> Optional[dict[str, Any]]:
        path = f"{self._path}/{name}"
        if not self._fs.exists(path):
            return None
        return dict(json.loads(self._fs.cat_file(path)))


def _parquet(rows: list[dict[str, Any]], schema: Any) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    sink = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_pylist(rows, schema=schema), sink, compression="zstd")
    return bytes(sink.getvalue())
