"""Effects that look alike: nearest neighbours of the vectors of the report, by scikit-learn."""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore, no-untyped-call"
from __future__ import annotations

from typing import Any, NamedTuple, Optional

from ._png import png
from ._report import report
from ._sources import Options
from ._store import Store


class Group(NamedTuple):
    """Effects that look alike: addresses and digests, the middle first, and the greatest distance from the middle."""

    addresses: list[str]
    digests: list[str]
    distance: float


def _vectors(folder: str, options: Optional[Options]) -> tuple[list[str], list[str], Any]:
    import numpy as np

    table = report(folder, ["address", "digest", "duplicate", "vector"], options)
    rows = [row for row in table.to_pylist() if row["vector"] and not row["duplicate"]]
    rows.sort(key=lambda row: (row["digest"], row["address"]))
    vectors = np.array([row["vector"] for row in rows], np.float32).reshape(len(rows), -1)
    return [row["address"] for row in rows], [row["digest"] for row in rows], vectors


def neighbours(folder: str, count: int = 5, options: Optional[Options] = None) -> Any:
    """Returns a table of pyarrow with the ``count`` nearest effects of each effect: address, other, distance.

    Distances are between vectors: 0 is no difference, and above 1 little is alike.
    """
    import pyarrow as pa
    from sklearn.neighbors import NearestNeighbors

    addresses, _, vectors = _vectors(folder, options)
    if len(addresses) < 2:
        return pa.table({"address": pa.array([], pa.string()), "other": pa.array([], pa.string()),
                         "distance": pa.array([], pa.float32())})
    index = NearestNeighbors(n_neighbors=min(count + 1, len(addresses))).fit(vectors)
    distances, others = index.kneighbors(vectors)
    rows = [
        {"address": addresses[i], "other": addresses[other], "distance": float(distance)}
        for i in range(len(addresses))
        for distance, other in zip(distances[i], others[i])
        if other != i
    ]
    return pa.Table.from_pylist(rows)


def groups(folder: str, count: int = 10, size: int = 6, options: Optional[Options] = None) -> list[Group]:
    """Returns up to ``count`` groups of ``size`` effects that look alike. No effect is in two groups.

    The closest groups that are far from each other come first. Effects with equal vectors, such as versions of a
    file, count as one.
    """
    import numpy as np
    from sklearn.neighbors import NearestNeighbors

    addresses, digests, vectors = _vectors(folder, options)
    if not addresses:
        return []
    _, kept = np.unique(np.round(vectors, 2), axis=0, return_index=True)
    kept = np.sort(kept)
    vectors = vectors[kept]
    index = NearestNeighbors(n_neighbors=min(size, len(kept))).fit(vectors)
    distances, others = index.kneighbors(vectors)
    taken: set[int] = set()
    centres: list[int] = []
    found: list[Group] = []
    for centre in np.argsort(distances[:, -1], kind="stable"):
        members = [int(i) for i in others[centre]]
        apart = all(np.linalg.norm(vectors[centre] - vectors[c]) > 0.5 for c in centres)
        if taken.isdisjoint(members) and apart:
            taken.update(members)
            centres.append(int(centre))
            rows = [int(kept[i]) for i in members]
            found.append(
                Group([addresses[i] for i in rows], [digests[i] for i in rows], float(distances[centre, -1]))
            )
            if len(found) == count:
                break
    return found


def pictures(folder: str, found: list[Group], path: str, options: Optional[Options] = None) -> None:
    """Writes a PNG with a row of thumbnails for each group. The run needs the stage ``thumbnail``."""
    import numpy as np

    wanted = {digest for group in found for digest in group.digests}
    images: dict[str, bytes] = {}
    for table in Store(folder, options).tables("results"):
        for row in table.select(["digest", "kind", "data"]).to_pylist():
            if row["kind"] == "thumbnail" and row["digest"] in wanted:
                images[row["digest"]] = row["data"]
    tiles = {digest: _pixels(data) for digest, data in images.items()}
    edge = max((tile.shape[0] for tile in tiles.values()), default=64)
    columns = max((len(group.digests) for group in found), default=1)
    sheet = np.zeros((len(found) * edge or 1, columns * edge, 4), np.float32)
    sheet[..., :3], sheet[..., 3] = 0.16, 1
    for y, group in enumerate(found):
        for x, digest in enumerate(group.digests):
            tile = tiles.get(digest)
            if tile is None:
                continue
            place = sheet[y * edge:(y + 1) * edge, x * edge:(x + 1) * edge]
            alpha = tile[..., 3:] / 255
            place[..., :3] = place[..., :3] * (1 - alpha) + tile[..., :3] / 255 * alpha
    with open(path, "wb") as file:
        file.write(png(np.rint(sheet * 255).astype(np.uint8)))


def _pixels(data: bytes) -> Any:
    # Reads the PNG files that this package has written: RGBA, 8 bits.
    import zlib

    import numpy as np

    width, height = (int.from_bytes(data[i:i + 4], "big") for i in (16, 20))
    stream, start = b"", 8
    while start < len(data):
        count = int.from_bytes(data[start:start + 4], "big")
        if data[start + 4:start + 8] == b"IDAT":
            stream += data[start + 8:start + 8 + count]
        start += 12 + count
    lines = np.frombuffer(zlib.decompress(stream), np.uint8).reshape(height, width * 4 + 1)
    pixels = np.zeros((height, width * 4), np.uint8)
    above = [0] * (width * 4)
    for y in range(height):
        above = _line(int(lines[y, 0]), lines[y, 1:].tolist(), above)
        pixels[y] = above
    return pixels.reshape(height, width, 4).astype(np.float32)


def _line(filter: int, line: list[int], above: list[int]) -> list[int]:
    for i, value in enumerate(line):
        left, corner = (line[i - 4], above[i - 4]) if i > 3 else (0, 0)
        guess = left + above[i] - corner
        near = min((left, above[i], corner), key=lambda other: abs(guess - other))
        line[i] = (value + (0, left, above[i], (left + above[i]) // 2, near)[filter]) & 255
    return line


