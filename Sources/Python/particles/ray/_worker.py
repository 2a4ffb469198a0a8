"""A worker: gives documents to a process of their own and reports those that end it."""

from __future__ import annotations

import contextlib
import os
import posixpath
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, Optional

from ._messages import Message, receive, send
from ._settings import Settings

Row = dict[str, Any]
Files = list[tuple[str, str, bytes]]
_TOGETHER, _TOGETHER_BYTES = 32, 32 * 2**20
"""Documents that are open at once in a process, so that one call asks for all their duplicates."""
_RENEWED = 2000
"""Documents after which a process is replaced, so that nothing collects in it."""


class Document(NamedTuple):
    """A document on its way to a worker: a local path, or bytes, or the fault of reading them."""

    address: str
    key: str
    local: Optional[str] = None
    data: Optional[bytes] = None
    fault: Optional[str] = None

    @property
    def name(self) -> str:
        """The file name, without folders and archives."""
        return posixpath.basename(self.address.replace(os.sep, "/").rstrip("/")) or "effect"


class Ended(Exception):
    """The process has ended: the code and the message of the report."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Worker:
    """Runs the stages over documents. One process opens them, and is started again when it ends.

    ``claim`` gets digests and returns which of them this worker is the first to finish; ``find`` gets a document
    and the name of an image, and returns its bytes.
    """

    def __init__(
        self, settings: Settings, claim: Callable[[list[tuple[int, str]]], list[bool]],
        find: Optional[Callable[[Document, str], Optional[bytes]]] = None,
    ) -> None:
        self._settings, self._claim, self._find = settings, claim, find
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._requests: Optional[Connection] = None
        self._replies: Optional[Connection] = None
        self._done = 0
        self._later = [stage for stage in settings.stages if stage not in ("inventory", "validate")]

    def run(self, documents: Iterable[Document]) -> Iterator[tuple[Row, Files]]:
        """Yields a row for each document, in their order, with files: kind, name and bytes."""
        group: list[Document] = []
        number = size = 0
        for document in documents:
            group.append(document)
            size += len(document.data or b"")
            if len(group) == _TOGETHER or size > _TOGETHER_BYTES:
                yield from self._group(number, group)
                number, group, size = number + len(group), [], 0
        if group:
            yield from self._group(number, group)

    def _group(self, number: int, group: list[Document]) -> Iterator[tuple[Row, Files]]:
        rows = {document.key: self._row(document) for document in group}
        for document, reply, _ in self._each("begin", [d for d in group if not d.fault]):
            rows[document.key] |= reply
        good = [i for i, document in enumerate(group) if "error_code" not in rows[document.key]]
        digests = [(number + i, rows[group[i].key]["digest"]) for i in good]
        firsts = [i for i, first in zip(good, self._claim(digests) if digests else []) if first]
        files: dict[str, Files] = {}
        if self._later:
            self._finish([group[i] for i in firsts], rows, files)
        for i, document in enumerate(group):
            rows[document.key]["duplicate"] = i in good and i not in firsts
            yield rows[document.key], files.pop(document.key, [])
        self._done += len(group)
        if self._done >= _RENEWED:
            self.close()
        elif self._process:
            list(self._each("forget", [group[0]]))

    def _row(self, document: Document) -> Row:
        row: Row = {"address": document.address, "key": document.key, "worker": f"{os.uname().nodename}:{os.getpid()}"}
        row["bytes"] = len(document.data) if document.data is not None else _size(document.local)
        return row | ({"error_code": "scale/read", "error": document.fault} if document.fault else {})

    def _finish(self, documents: list[Document], rows: dict[str, Row], files: dict[str, Files]) -> None:
        # What another document has taken with it is opened again. Each round ends at least one document.
        while documents:
            lost: list[Document] = []
            for document, reply, blobs in self._each("finish", documents):
                if reply.get("unknown"):
                    lost.append(document)
                    continue
                row = rows[document.key]
                row["seconds"] |= reply.pop("seconds", {})
                files[document.key] = [(kind, name, blob) for (kind, name), blob in zip(reply.pop("files", []), blobs)]
                row |= reply
            documents = []
            for document, reply, _ in self._each("begin", lost):
                if "error_code" in reply:
                    rows[document.key] |= reply
                else:
                    documents.append(document)

    def _each(self, task: str, documents: list[Document]) -> Iterator[tuple[Document, Row, list[bytes]]]:
        # One message for all documents; a reply for each. The first without a reply has ended the process.
        rest = list(documents)
        while rest:
            try:
                self._send(task, rest)
                while rest:
                    reply, blobs = self._receive(rest[0])
                    yield rest.pop(0), reply, blobs
            except Ended as end:
                yield rest.pop(0), {"error_code": end.code, "error": str(end)}, []

    # The process

    def _start(self) -> None:
        requests, ours = os.pipe()
        theirs, replies = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "particles.ray._child", str(requests), str(replies),
                 str(self._settings.megabytes)],
                pass_fds=(requests, replies), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        finally:
            os.close(requests)
            os.close(replies)
        self._done = 0
        self._requests, self._replies = Connection(ours, readable=False), Connection(theirs, writable=False)

    def _send(self, task: str, documents: list[Document]) -> None:
        settings = self._settings
        message = {
            "do": task, "stages": list(settings.stages) if task == "begin" else self._later,
            "format": settings.format, "size": settings.size, "images": self._find is not None,
            "documents": [
                {"key": d.key, "name": d.name, "local": d.local, "has_data": d.data is not None} for d in documents
            ],
        }
        blobs = [d.data for d in documents if d.data is not None] if task == "begin" else []
        for attempt in range(2):
            if self._process is None:
                self._start()
            assert self._requests
            try:
                send(self._requests, message, blobs)
                return
            except OSError as fault:
                # It ended while it had nothing to do, which no document is to blame for.
                reason = self._reason()
                if attempt:
                    raise Ended("scale/crash", reason) from fault

    def _receive(self, document: Document) -> tuple[Row, list[bytes]]:
        left = self._settings.seconds * len(self._settings.stages)
        try:
            while True:
                assert self._requests and self._replies
                start = time.monotonic()
                if not self._replies.poll(max(0.0, left)):
                    self.close()
                    raise Ended(
                        "scale/time", f"not finished within {self._settings.seconds:g} s for each of "
                        f"{len(self._settings.stages)} stages; its process was ended"
                    )
                left -= time.monotonic() - start
                reply, files = receive(self._replies)
                if "find" not in reply:
                    return reply, files
                # The time for reading images is not the document's.
                data = self._find(document, str(reply["find"])) if self._find else None
                send(self._requests, {"found": data is not None}, [data or b""])
        except (EOFError, OSError, ValueError, KeyError) as fault:
            raise Ended("scale/crash", self._reason()) from fault

    def _reason(self) -> str:
        process = self._process
        status: Optional[int] = None
        if process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = process.wait(2)
        self.close()
        if status is not None and status < 0:
            return f"its process was ended by {signal.Signals(-status).name}"
        return f"its process ended with status {status}"

    def close(self) -> None:
        """Ends the process."""
        if self._process:
            self._process.kill()
            self._process.wait()
        for connection in (self._requests, self._replies):
            if connection:
                connection.close()
        self._process = self._requests = self._replies = None

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()


def _size(path: Optional[str]) -> Optional[int]:
    try:
        return os.stat(path).st_size if path else None
    except OSError:
        return None
