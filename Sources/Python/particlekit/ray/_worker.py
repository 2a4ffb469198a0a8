"""A worker: gives documents to a process of their own and reports documents that end it."""

from __future__ import annotations

import contextlib
import os
import posixpath
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection
from typing import IO, Any, NamedTuple, Optional

from ._messages import Message, receive, send
from ._settings import Settings

Row = dict[str, Any]
Files = list[tuple[str, str, bytes]]
_TOGETHER, _TOGETHER_BYTES = 32, 32 * 2**20
"""Documents that are open at once in a process, so that one call asks for all their duplicates."""
_RENEWED = 2000
"""Documents after which a process is replaced, so that nothing collects in it."""
_POLL = 0.02
"""Seconds between two looks at the memory of the process."""
_START = 60.0
"""Seconds that the process has for its imports."""
_LINES = 5
"""Lines of what the process has printed that the report keeps."""


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

    ``claim`` gets digests and returns for each whether this worker is the first to finish it. ``find`` gets a
    document and the name of an image, and returns its bytes.
    """

    def __init__(
        self, settings: Settings, claim: Callable[[list[tuple[int, str]]], list[bool]],
        find: Optional[Callable[[Document, str], Optional[bytes]]] = None,
    ) -> None:
        self._settings, self._claim, self._find = settings, claim, find
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._requests: Optional[Connection] = None
        self._replies: Optional[Connection] = None
        self._printed: Optional[IO[bytes]] = None
        self._most = 0
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
        # One message for all documents, and a reply for each. The process ended at the first without a reply.
        rest = list(documents)
        while rest:
            try:
                self._send(task, rest)
                while rest:
                    reply, blobs = self._receive(rest[0])
                    yield rest.pop(0), reply, blobs
            except Ended as end:
                document = rest.pop(0)
                yield document, *self._alone(task, document, end)

    def _alone(self, task: str, document: Document, end: Ended) -> tuple[Row, list[bytes]]:
        # Whatever ended the process may have had another cause. A second end is the document's.
        try:
            if end.code == "scale/time" or task == "forget":
                raise end
            self.close()
            self._send("begin", [document])
            reply, blobs = self._receive(document)
            if task == "finish" and "error_code" not in reply:
                self._send("finish", [document])
                reply, blobs = self._receive(document)
            return reply, blobs
        except Ended as again:
            return {"error_code": again.code, "error": str(again)}, []

    # The process

    def _start(self) -> None:
        # No document is to blame for a process that ends in its imports.
        for _ in range(3):
            self._spawn()
            assert self._replies
            try:
                if self._replies.poll(_START) and receive(self._replies)[0]["ready"]:
                    self._most = self._resident() + self._settings.megabytes * 2**20
                    return
            except (EOFError, OSError, ValueError, KeyError):
                pass
            reason = self._reason()
        raise RuntimeError(f"the process that opens documents does not start: {reason}")

    def _spawn(self) -> None:
        requests, ours = os.pipe()
        theirs, replies = os.pipe()
        self._printed = tempfile.TemporaryFile("a+b")
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "particlekit.ray._child", str(requests), str(replies),
                 ",".join(self._settings.stages)],
                pass_fds=(requests, replies), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=self._printed,
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
                self._bound()
                if not self._replies.poll(max(0.0, min(_POLL, left))):
                    left -= time.monotonic() - start
                    if left > 0:
                        continue
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

    def _resident(self) -> int:
        # 0 where the system does not tell.
        try:
            with open(f"/proc/{self._process.pid if self._process else 0}/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError):
            return 0

    def _bound(self) -> None:
        if self._resident() > self._most:
            self.close()
            raise Ended("scale/memory", f"took more than {self._settings.megabytes} MB; its process was ended")

    def _said(self) -> str:
        if not self._printed:
            return ""
        self._printed.seek(max(0, self._printed.seek(0, os.SEEK_END) - 4096))
        lines = self._printed.read().decode(errors="replace").strip().splitlines()
        return "".join(f"\n{line}" for line in lines[-_LINES:])

    def _reason(self) -> str:
        process = self._process
        status: Optional[int] = None
        if process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = process.wait(2)
        said = self._said()
        self.close()
        if status is not None and status < 0:
            return f"its process was ended by {signal.Signals(-status).name}{said}"
        return f"its process ended with status {status}{said}"

    def close(self) -> None:
        """Ends the process."""
        if self._process:
            self._process.kill()
            self._process.wait()
        for opened in (self._requests, self._replies, self._printed):
            if opened:
                opened.close()
        self._process = self._requests = self._replies = self._printed = None

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()


def _size(path: Optional[str]) -> Optional[int]:
    try:
        return os.stat(path).st_size if path else None
    except OSError:
        return None
