"""PNG files with the bytes that the tool writes, by libpng with its usual settings."""

from __future__ import annotations

import struct
import zlib
from typing import Any


def png(pixels: Any) -> bytes:
    """Returns an RGBA picture, height × width × 4 bytes, as a PNG file."""
    height, width, _ = pixels.shape
    data = _filtered(pixels.reshape(height, width * 4))
    packer = zlib.compressobj(-1, zlib.DEFLATED, _window(len(data)), 8, zlib.Z_FILTERED)
    stream = packer.compress(data) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = [_chunk(b"IHDR", header), _chunk(b"sRGB", b"\0")]
    chunks += [_chunk(b"IDAT", stream[i:i + 8192]) for i in range(0, len(stream), 8192)]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _window(count: int) -> int:
    # The smallest window that covers the data.
    bits = 15
    while bits > 8 and count <= 1 << (bits - 1):
        bits -= 1
    return bits


def _filtered(rows: Any) -> bytes:
    # Each row has the filter, of five, with the least sum of differences.
    import numpy as np

    height, count = rows.shape
    here = rows.astype(np.int16)
    left = np.zeros_like(here)
    left[:, 4:] = here[:, :-4]
    above = np.zeros_like(here)
    above[1:] = here[:-1]
    corner = np.zeros_like(here)
    corner[1:, 4:] = here[:-1, :-4]
    a, b, c = np.abs(above - corner), np.abs(left - corner), np.abs(left + above - 2 * corner)
    paeth = np.where((a <= b) & (a <= c), left, np.where(b <= c, above, corner))
    tries = np.stack([here, here - left, here - above, here - (left + above) // 2, here - paeth]).astype(np.uint8)
    costs = np.where(tries < 128, tries, 256 - tries.astype(np.int32)).sum(axis=2)
    best = costs.argmin(axis=0)
    output = np.empty((height, count + 1), np.uint8)
    output[:, 0] = best
    output[:, 1:] = tries[best, np.arange(height)]
    return output.tobytes()
