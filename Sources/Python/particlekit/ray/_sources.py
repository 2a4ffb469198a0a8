"""Where documents come from: addresses, globs, folders, and Parquet tables, on any file system of fsspec."""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore, no-untyped-call"
from __future__ import annotations

import contextlib
import glob as patterns
import os
import posixpath
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Optional, Union
from urllib.parse import urlsplit

from ._settings import key_of
from ._worker import Document

Options = dict[str, Any]
_MOST = 64 * 2**20
"""The greatest document that is read from a store, in bytes: the limit of untrusted input."""
_FOLDERS = ("", "textures", "Textures", "images", "Images")


class Block(NamedTuple):
    """Documents that are read, written and redone together: addresses with keys, or rows of a Parquet file."""

    key: str
    addresses: tuple[tuple[str, str], ...] = ()
    table: Optional[str] = None
    group: int = 0
    start: int = 0
    rows: int = 0

    @property
    def documents(self) -> int:
        return self.rows if self.table else len(self.addresses)


def filesystem(address: str, options: Optional[Options] = None) -> tuple[Any, str]:
    """Returns the fsspec file system of an address and the path in it."""
    from fsspec.core import url_to_fs

    fs, path = url_to_fs(address, **(options or {} if "://" in address else {}))
    return fs, path


def is_local(fs: Any) -> bool:
    """Returns whether a file system of fsspec is on this machine."""
    return "file" in ([fs.protocol] if isinstance(fs.protocol, str) else fs.protocol)


@contextlib.contextmanager
def opened_table(fs: Any, path: str) -> Iterator[Any]:
    """Opens a Parquet file so that no thread of pyarrow reads ahead: such a thread may outlive Python."""
    import pyarrow.parquet as parquet

    with contextlib.ExitStack() as stack:
        source = path if is_local(fs) else stack.enter_context(fs.open(path, "rb"))
        yield stack.enter_context(parquet.ParquetFile(source, pre_buffer=False))


def local_path(address: str) -> Optional[str]:
    """Returns the path of a local address, or None.

    >>> local_path("file:///a/fire.pex"), local_path("s3://bucket/fire.pex")
    ('/a/fire.pex', None)
    """
    if address.startswith(("file://", "local://")):
        return address.split("://", 1)[1]
    return None if "://" in address or "::" in address else address


def plan(
    source: Union[str, Sequence[str]], documents: int, options: Optional[Options] = None,
    lists: Sequence[str] = (), hosts: Sequence[str] = (),
) -> Iterator[Block]:
    """Yields the blocks of a source.

    A source is an address, a glob, a folder (all files below it), a ``.parquet`` file or a glob of these, with the
    columns ``address`` and ``data``, or several of these. Every file of a folder is a document, whatever its name.
    ``lists`` are files with addresses: text with one on each line, or ``.parquet`` with the column ``address``. A list
    may name local files, and addresses on ``hosts``. A missing document is a row of the report. A folder or glob
    without files is an error. A key is made of the address, and of size and time where the file system lists them.
    """
    addresses: list[tuple[str, str]] = []
    for entry in map(os.fspath, [source] if isinstance(source, (str, os.PathLike)) else source):
        for address, key in _expanded(entry, options):
            if entry.endswith(".parquet"):
                yield from _of_table(address, key, documents, options)
            else:
                addresses.append((address, key))
    for entry in map(os.fspath, lists):
        for line in _listed(entry, options):
            _check_host(entry, line, hosts)
            addresses.append((line, _key(line)))
    # Sources may overlap: a document that several sources name is read once.
    once: dict[str, str] = {}
    for address, key in addresses:
        once.setdefault(address, key)
    for part in _parts(list(once.items()), documents):
        yield Block(key_of("addresses", [key for _, key in part]), part)


def _parts(addresses: list[tuple[str, str]], documents: int) -> Iterator[tuple[tuple[str, str], ...]]:
    # Parts begin at addresses with a certain checksum: a new address changes one part, and not all after it.
    half = max(1, documents // 2)
    part: list[tuple[str, str]] = []
    for pair in addresses:
        full = len(part) >= half and zlib.crc32(pair[0].encode()) % half == 0
        if part and (full or len(part) >= 2 * documents):
            yield tuple(part)
            part = []
        part.append(pair)
    if part:
        yield tuple(part)


def _expanded(entry: str, options: Optional[Options]) -> Iterator[tuple[str, str]]:
    local = local_path(entry)
    # Neither a glob nor a folder: a document. The report has it if it is missing.
    is_one = not os.path.isdir(local) if local is not None else not entry.endswith("/")
    if is_one and (not patterns.has_magic(entry) or local is not None and os.path.isfile(local)):
        yield entry, _key(entry)
        return
    fs, path = filesystem(entry, options)
    if patterns.has_magic(path):
        found = fs.glob(path, detail=True)
    else:
        found = fs.find(path, detail=True)
    if not found:
        raise FileNotFoundError(f"{entry}: no such file, or nothing in it")
    for name in sorted(found):
        info = found[name]
        if info.get("type") == "file":
            address = name if local is not None else fs.unstrip_protocol(name)
            yield address, _key(address, info)


def _key(address: str, info: Optional[dict[str, Any]] = None) -> str:
    local = local_path(address)
    if local is not None:
        try:
            facts = os.stat(local)
            return key_of(address, facts.st_size, facts.st_mtime_ns)
        except OSError:
            return key_of(address)
    known = info or {}
    return key_of(address, known.get("size"), str(known.get("ETag") or known.get("LastModified") or known.get("mtime")))


def _listed(address: str, options: Optional[Options]) -> Iterator[str]:
    fs, path = filesystem(address, options)
    if address.endswith(".parquet"):
        with opened_table(fs, path) as table:
            _check_columns(address, table, "address")
            for batch in table.iter_batches(columns=["address"], use_threads=False):
                yield from batch.column(0).to_pylist()
        return
    with fs.open(path, "rt", encoding="utf-8") as lines:
        yield from filter(None, map(str.strip, lines))


def _check_host(entry: str, address: str, hosts: Sequence[str]) -> None:
    # A chained address ("zip://a::http://host/b") has several parts, and each may be on another host.
    for part in address.split("::"):
        host = urlsplit(part).hostname or part
        if ("::" in address or local_path(part) is None) and host not in hosts:
            raise ValueError(f"{entry} names {address}, which is not on this machine; add --allow-hosts {host}")


def _check_columns(address: str, table: Any, *wanted: str) -> None:
    names = table.schema_arrow.names
    for name in wanted:
        if name not in names:
            hint = f"; a list of addresses is named by --list {address}" if name == "data" else ""
            raise ValueError(f"{address}: no column {name!r}; found {', '.join(names)}{hint}")


def _of_table(address: str, key: str, documents: int, options: Optional[Options]) -> Iterator[Block]:
    fs, path = filesystem(address, options)
    with opened_table(fs, path) as table:
        _check_columns(address, table, "address", "data")
        for group in range(table.num_row_groups):
            count = table.metadata.row_group(group).num_rows
            for start in range(0, count, documents):
                yield Block(
                    key_of("table", key, group, start, documents), (), address, group, start,
                    min(documents, count - start),
                )


def read(block: Block, options: Optional[Options] = None) -> list[Document]:
    """Returns the documents of a block. Local files are not read here: their images are beside them."""
    if block.table:
        fs, path = filesystem(block.table, options)
        with opened_table(fs, path) as file:
            table = file.read_row_group(block.group, columns=["address", "data"], use_threads=False)
        rows = table.slice(block.start, block.rows)
        pairs = zip(rows.column("address").to_pylist(), rows.column("data").to_pylist())
        return [
            Document(address, f"{block.key}/{index}", None, data or b"") for index, (address, data) in enumerate(pairs)
        ]
    with ThreadPoolExecutor(16) as pool:
        return list(pool.map(lambda pair: _read(pair[0], pair[1], options), block.addresses))


def _read(address: str, key: str, options: Optional[Options]) -> Document:
    local = local_path(address)
    if local is not None:
        return Document(address, key, os.path.abspath(local))
    try:
        fs, path = filesystem(address, options)
        size = fs.size(path)
        if size is not None and size > _MOST:
            return Document(address, key, None, None, f"{size} bytes; expected at most {_MOST}")
        return Document(address, key, None, bytes(fs.cat_file(path)))
    except Exception as fault:
        return Document(address, key, None, None, f"{type(fault).__name__}: {fault}")


def image(document: Document, name: str, options: Optional[Options] = None) -> Optional[bytes]:
    """Returns an image of a document in a store, from the folder of the document or a usual one below it."""
    # A table holds its documents: their addresses are only names.
    if "://" not in document.address or "/" in document.key or name.startswith("/") or ".." in name.split("/") or ":" in name:
        return None
    try:
        fs, path = filesystem(document.address, options)
        folder = posixpath.dirname(path)
        for below in _FOLDERS:
            candidate = posixpath.join(folder, below, name)
            if fs.exists(candidate):
                return bytes(fs.cat_file(candidate)) if fs.size(candidate) <= _MOST else None
    except Exception:
        return None
    return None
