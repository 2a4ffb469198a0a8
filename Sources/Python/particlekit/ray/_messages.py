"""Messages between a worker and the process that opens documents: JSON and bytes, never pickles.

The process has read untrusted input. Nothing that it sends is executed.
"""

from __future__ import annotations

import json
from multiprocessing.connection import Connection
from typing import Any

Message = dict[str, Any]


def send(connection: Connection, message: Message, blobs: list[bytes]) -> None:
    """Sends a message with its bytes."""
    head = json.dumps({"message": message, "blobs": [len(blob) for blob in blobs]}).encode()
    connection.send_bytes(b"".join([len(head).to_bytes(4, "little"), head, *blobs]))


def receive(connection: Connection) -> tuple[Message, list[bytes]]:
    """Returns the next message and its bytes. Raises EOFError if its sender has ended."""
    data = connection.recv_bytes()
    start = 4 + int.from_bytes(data[:4], "little")
    head = json.loads(data[4:start])
    blobs = []
    for count in head["blobs"]:
        blobs.append(data[start:start + count])
        start += count
    return head["message"], blobs
