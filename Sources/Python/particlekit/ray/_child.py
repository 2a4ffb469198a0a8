"""The process that opens documents: it may crash, hang or grow, and its worker reports the document.

``python -m particlekit.ray._child IN OUT STAGES`` with two open file descriptors. Its first message is sent when all
modules are imported: its worker then counts the memory of documents.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Optional

from ._messages import Message, receive, send
from ._work import Work


def _bounds() -> None:
    # Not on Linux, these calls fail. The worker bounds time and memory.
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: it ends with its worker
    except (OSError, AttributeError):
        pass
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError):
        pass


def main(arguments: list[str]) -> None:
    requests, replies = (Connection(int(number)) for number in arguments[:2])
    parent = os.getppid()
    _bounds()
    if os.getppid() != parent:
        return
    if {"thumbnail", "similar"} & set(arguments[2].split(",")):
        import numpy  # noqa: F401

    def find(name: str) -> Optional[bytes]:
        send(replies, {"find": name}, [])
        message, blobs = receive(requests)
        return blobs[0] if message["found"] else None

    work = Work(find)
    send(replies, {"ready": True}, [])
    while True:
        try:
            message, blobs = receive(requests)
        except EOFError:
            return
        _answer(work, message, iter(blobs), replies)


def _answer(work: Work, message: Message, blobs: Iterator[bytes], replies: Connection) -> None:
    for document in message["documents"]:
        given = message | document
        if message["do"] == "begin":
            send(replies, work.begin(given, next(blobs) if document["has_data"] else None), [])
        elif message["do"] == "finish":
            send(replies, *work.finish(given))
        else:
            work.forget()
            send(replies, {}, [])


if __name__ == "__main__":
    main(sys.argv[1:])
