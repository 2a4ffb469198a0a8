"""Generates a corpus of small documents in Parquet files, from seed files with parameters of their own.

    generate.py SEEDS OUT --count 1000000 --seed 1

Of the documents, 1 % are copies under another address, and 0.1 % are damaged. Each document depends on
the seed and its number alone: a run that was stopped goes on where it was, and files can be made in any order.
``expected.json`` has the numbers that a report has to add up to.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import plistlib
import random
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple, Optional

import particlekit

LARGEST = 8192
"""Seeds are at most this long, in bytes."""
KNOBS = 12
"""Numbers that change in a copy of a seed."""
DUPLICATES, DAMAGED = 0.01, 0.001
NUMBER = re.compile(rb"(?<![\w.#-])-?\d+\.\d+(?![\w.])|(?<![\w.#-])-?[1-9]\d{1,3}(?![\w.%])")


class Seed(NamedTuple):
    name: str
    data: bytes
    places: list[tuple[int, int]]
    """Numbers in a text; in a binary property list, the indices of objects."""
    is_binary: bool


def varied(seed: Seed, source: random.Random) -> bytes:
    """Returns the seed with other numbers."""
    if seed.is_binary:
        tree = plistlib.loads(seed.data)
        for index, _ in seed.places:
            tree["$objects"][index] = round(tree["$objects"][index] * source.uniform(0.5, 2), 6)
        return plistlib.dumps(tree, fmt=plistlib.FMT_BINARY, sort_keys=False)
    pieces, end = [], 0
    for start, stop in seed.places:
        pieces += [seed.data[end:start], _other(seed.data[start:stop], source)]
        end = stop
    return b"".join([*pieces, seed.data[end:]])


def _other(number: bytes, source: random.Random) -> bytes:
    value = float(number) * source.uniform(0.5, 2)
    if b"." not in number:
        return b"%d" % (round(value) or 1)
    return b"%.4f" % value


def _opens(data: bytes, name: str) -> Optional[str]:
    try:
        with particlekit.Effect.open(data, name=name, limits=particlekit.Limits.untrusted()) as effect:
            digest: str = effect.package.digest
            return None if any(f.severity == "error" for f in effect.validate()) else digest
    except particlekit.Error:
        return None


def seeds(folder: str) -> list[Seed]:
    """Returns the files that open without errors, each with the numbers that may change."""
    found: list[Seed] = []
    for path in sorted(os.path.join(top, name) for top, _, names in os.walk(folder) for name in names):
        name = os.path.basename(path)
        if os.path.getsize(path) > LARGEST or name.endswith((".png", ".webp", ".svg", ".tsv", ".atlas", ".jpg")):
            continue
        with open(path, "rb") as file:
            data = file.read()
        if _opens(data, name) is None:
            continue
        seed = _seed(name, data)
        if len(seed.places) >= 3:
            found.append(seed)
    return found


def _seed(name: str, data: bytes) -> Seed:
    is_binary = data.startswith(b"bplist")
    places: list[tuple[int, int]] = []
    if is_binary:
        objects = plistlib.loads(data).get("$objects", [])
        candidates = [(i, 0) for i, value in enumerate(objects) if isinstance(value, float) and abs(value) > 1e-3]
    else:
        candidates = [match.span() for match in NUMBER.finditer(data)]
    step = max(1, len(candidates) // (2 * KNOBS))
    for place in candidates[::step]:
        one = Seed(name, data, [place], is_binary)
        if all(_opens(varied(one, random.Random(n)), name) for n in range(2)):
            places.append(place)
        if len(places) == KNOBS:
            break
    return Seed(name, data, places, is_binary)


class Corpus:
    """The documents of a seed, by number."""

    def __init__(self, files: list[Seed], seed: int, count: int) -> None:
        self._files, self._seed, self.count = files, seed, count

    def _random(self, *parts: object) -> random.Random:
        return random.Random(hashlib.sha256(repr((self._seed, *parts)).encode()).digest())

    def kind(self, number: int) -> str:
        """``plain``, ``copy`` or ``damaged``. Exact shares: one of each 100 and each 1000 numbers."""
        if number % 1000 == self._random("damaged", number // 1000).randrange(1, 1000):
            return "damaged"
        in_hundred = self._random("copy", number // 100).randrange(1, 100)
        return "copy" if number % 100 == in_hundred and number >= 100 else "plain"

    def document(self, number: int) -> tuple[str, bytes]:
        """Returns address and bytes."""
        kind = self.kind(number)
        original = number
        if kind == "copy":
            source = self._random("original", number)
            while original == number or self.kind(original) != "plain":
                original = source.randrange(number)
        source = self._random("document", original)
        seed = source.choice(self._files)
        data = varied(seed, source)
        if kind == "damaged":
            data = damaged(data, seed.name, source)
        return f"{number // 1000:04}/{number:07}/{seed.name}", data


def damaged(data: bytes, name: str, source: random.Random) -> bytes:
    """Returns bytes that do not open without an error: cut, changed, or of something else."""
    for attempt in range(8):
        cut = source.randrange(1, len(data))
        other = data[:cut] if attempt % 2 == 0 else data[:cut] + source.randbytes(16) + data[cut + 16:]
        if _opens(other, name) is None:
            return other
    return b""


_corpus: Optional[Corpus] = None


def _start(files: list[Seed], seed: int, count: int) -> None:
    global _corpus
    _corpus = Corpus(files, seed, count)


def _write(job: tuple[str, int, int]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    path, start, stop = job
    assert _corpus
    pairs = [_corpus.document(number) for number in range(start, stop)]
    table = pa.table({"address": [a for a, _ in pairs], "data": pa.array([d for _, d in pairs], pa.binary())})
    parquet.write_table(table, path + ".new", compression="zstd")
    os.replace(path + ".new", path)


def generate(folder: str, output: str, count: int, seed: int, per_file: int = 2000, workers: int = 1) -> dict[str, int]:
    """Writes the files that are missing, and returns the expected numbers."""
    os.makedirs(output, exist_ok=True)
    files = seeds(folder)
    corpus = Corpus(files, seed, count)
    kinds = [corpus.kind(number) for number in range(count)]
    jobs = []
    for start in range(0, count, per_file):
        path = os.path.join(output, f"documents-{start // per_file:05}.parquet")
        if not os.path.exists(path):
            jobs.append((path, start, min(count, start + per_file)))
    with ProcessPoolExecutor(workers, initializer=_start, initargs=(files, seed, count)) as pool:
        for done, _ in enumerate(pool.map(_write, jobs), 1):
            if done % 50 == 0:
                print(f"{done * per_file:,} of {len(jobs) * per_file:,} documents", file=sys.stderr)
    expected = {
        "documents": count, "distinct": _distinct(output, kinds, per_file), "copies": kinds.count("copy"),
        "damaged": kinds.count("damaged"), "seed": seed, "seeds": len(files),
    }
    with open(os.path.join(output, "expected.json"), "w", encoding="utf-8") as file:
        json.dump(expected, file, indent=2)
    return expected


def _distinct(output: str, kinds: list[str], per_file: int) -> int:
    # Counted from the files: two variants of a seed with few numbers can be equal by chance.
    import pyarrow.parquet as parquet

    found: set[bytes] = set()
    for start in range(0, len(kinds), per_file):
        table = parquet.read_table(os.path.join(output, f"documents-{start // per_file:05}.parquet"))
        rows = zip(table.column("address").to_pylist(), table.column("data").to_pylist())
        for number, (address, data) in enumerate(rows, start):
            if kinds[number] != "damaged":
                found.add(hashlib.sha256(os.path.basename(address).encode() + b"/" + data).digest()[:16])
    return len(found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("seeds")
    parser.add_argument("output")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-file", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    print(json.dumps(generate(given.seeds, given.output, given.count, given.seed, given.per_file, given.workers)))
