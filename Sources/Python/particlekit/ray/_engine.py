"""A run: blocks flow through Ray Data from reading to opening to writing, each with back-pressure."""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore, no-untyped-call"
from __future__ import annotations

import contextlib
import dataclasses
import os
import pickle
import time
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

import particlekit

from ._settings import Settings
from ._sources import Block, Options, image, local_path, plan, read
from ._store import Done, Store
from ._worker import Document, Worker


@dataclasses.dataclass
class Summary:
    """The work of a run. ``documents`` counts the documents of this run, ``before`` documents that were finished already.

    ``duplicates`` and ``failed`` count documents of the whole report.
    """

    documents: int = 0
    before: int = 0
    duplicates: int = 0
    failed: int = 0
    blocks: int = 0
    seconds: float = 0.0

    def add(self, done: Done) -> None:
        """Adds a block that was finished before."""
        self.duplicates += done.duplicates
        self.failed += done.failed

    @property
    def rate(self) -> float:
        """Documents a second."""
        return self.documents / self.seconds if self.seconds else 0.0


class Claims:
    """Which document is the first with a digest. A document claims again after the death of a worker.

    >>> claims = Claims()
    >>> claims.claim("block", [(0, "aa"), (1, "aa"), (2, "bb")])
    [True, False, True]
    >>> claims.claim("block", [(0, "aa")]), claims.claim("other", [(0, "aa")])
    ([True], [False])
    """

    def __init__(self) -> None:
        self._owners: dict[bytes, tuple[str, int]] = {}
        self._workers: dict[int, str] = {}

    def seed(self, digests: list[str]) -> None:
        """Adds digests of finished blocks."""
        for digest in digests:
            self._owners.setdefault(bytes.fromhex(digest), ("", 0))

    def claim(self, block: str, digests: list[tuple[int, str]]) -> list[bool]:
        """Returns for each digest whether it belongs to this document."""
        return [self._owners.setdefault(bytes.fromhex(d), (block, index)) == (block, index) for index, d in digests]

    def count(self) -> int:
        """The number of digests."""
        return len(self._owners)

    def hello(self, pid: int, node: str) -> None:
        """Notes a worker."""
        self._workers[pid] = node

    def workers(self) -> dict[int, str]:
        """The processes of workers, and the nodes of each."""
        return self._workers


class _Reader:
    def __init__(self, options: Optional[Options]) -> None:
        self._options = options

    def __call__(self, batch: Any) -> Any:
        block: Block = pickle.loads(batch.column("block")[0].as_py())
        return _table(block=pickle.dumps(block), documents=pickle.dumps(read(block, self._options)))


class _Opener:
    def __init__(self, settings: Settings, claims: Any, options: Optional[Options]) -> None:
        import ray

        self._block = ""
        self._ray, self._claims = ray, claims

        def find(document: Document, name: str) -> Optional[bytes]:
            return image(document, name, options)

        self._worker = Worker(settings, self._claim, find)
        ray.get(claims.hello.remote(os.getpid(), ray.get_runtime_context().get_node_id()))

    def _claim(self, digests: list[tuple[int, str]]) -> list[bool]:
        return list(self._ray.get(self._claims.claim.remote(self._block, digests)))

    def __call__(self, batch: Any) -> Any:
        block: Block = pickle.loads(batch.column("block")[0].as_py())
        documents: list[Document] = pickle.loads(batch.column("documents")[0].as_py())
        self._block = block.key
        rows: list[dict[str, Any]] = []
        files: list[dict[str, Any]] = []
        for row, made in self._worker.run(documents):
            rows.append(row)
            for kind, name, data in made:
                files.append(
                    {"digest": row["digest"], "address": row["address"], "kind": kind, "name": name, "data": data}
                )
        return _table(block=pickle.dumps(block), rows=pickle.dumps((rows, files)))


class _Writer:
    def __init__(self, address: str, options: Optional[Options]) -> None:
        self._address, self._options = address, options

    def __call__(self, batch: Any) -> Any:
        import pyarrow as pa

        block: Block = pickle.loads(batch.column("block")[0].as_py())
        rows, files = pickle.loads(batch.column("rows")[0].as_py())
        Store(self._address, self._options).put(block.key, rows, files)
        return pa.table({
            "documents": [len(rows)], "duplicates": [sum(bool(row.get("duplicate")) for row in rows)],
            "failed": [sum("error" in row for row in rows)],
        })


def _table(**values: bytes) -> Any:
    import pyarrow as pa

    return pa.table({name: pa.array([value], pa.large_binary()) for name, value in values.items()})


def run(
    source: Union[str, Sequence[str]], output: str, settings: Optional[Settings] = None, *,
    workers: Optional[int] = None, options: Optional[Options] = None,
    progress: Optional[Callable[[Summary], object]] = None, most: Optional[int] = None,
    observe: Optional[Callable[[Any], object]] = None, lists: Sequence[str] = (), hosts: Sequence[str] = (),
    retry_failed: bool = False,
) -> Summary:
    """Runs the stages over all documents of a source and writes results and report below ``output``.

    Blocks that are finished are not done again, so that a run that was stopped goes on where it was. ``workers``
    is the number of processes that open documents, by default one for each processor of the cluster. ``options``
    are options of fsspec for stores. ``progress`` is called after each block, ``observe`` once, with the actor that
    knows the workers. ``most`` ends the run after so many blocks. ``lists`` are files with addresses. A list may name
    local files, and addresses on ``hosts``. ``retry_failed`` does finished blocks with failures again.
    """
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    settings = settings or Settings()
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    # Workers have working folders of their own.
    local = local_path(output)
    output = os.path.abspath(local) if local is not None else output
    store = Store(output, options)
    store.begin(settings, particlekit.__version__)
    blocks = list({block.key: block for block in plan(source, settings.documents, options, lists, hosts)}.values())
    finished = store.finished()
    gone = finished - {block.key for block in blocks}
    if retry_failed:
        gone |= {done.key for done in store.done() if done.failed}
    # Duplicates of what goes have no results yet. They are dropped first: a stop in between loses nothing.
    again = store.depending(gone)
    for key in (*again, *gone):
        store.drop(key)
    finished -= gone | again
    summary = Summary(before=sum(block.documents for block in blocks if block.key in finished))
    wanted = [block for block in blocks if block.key not in finished][:most]
    if not wanted:
        for done in store.done():
            summary.add(done)
        return summary
    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    claims: Any = ray.remote(Claims).options(num_cpus=0, scheduling_strategy=here).remote()
    try:
        for done in store.done():
            summary.add(done)
            claims.seed.remote(done.firsts)
        ray.get(claims.workers.remote())
        flow = _flow(wanted, output, settings, claims, workers, options)
        if observe:
            observe(claims)
        start = time.monotonic()
        for row in flow.iter_rows():
            summary.blocks += 1
            summary.documents += row["documents"]
            summary.duplicates += row["duplicates"]
            summary.failed += row["failed"]
            summary.seconds = time.monotonic() - start
            if progress:
                progress(summary)
    finally:
        # If the cluster is gone, so are the claims. Only the first error is told.
        with contextlib.suppress(Exception):
            ray.kill(claims)
    return summary


def _flow(
    blocks: Sequence[Block], output: str, settings: Settings, claims: Any, workers: Optional[int],
    options: Optional[Options],
) -> Any:
    """Returns the dataset whose rows are the finished blocks: reading, opening and writing, each by processes of its own."""
    import ray
    import ray.data

    count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    ray.data.DataContext.get_current().enable_progress_bars = False
    rows = [{"block": pickle.dumps(block)} for block in blocks]
    flow: Any = ray.data.from_items(rows, override_num_blocks=len(rows))
    arrow: dict[str, Any] = {"batch_size": 1, "batch_format": "pyarrow"}
    # All are actors: tasks would have processes that Ray ends after a second without one, and starting costs another.
    around = ray.data.ActorPoolStrategy(min_size=1, max_size=(count + 1) // 2)
    flow = flow.map_batches(_Reader, fn_constructor_args=(options,), num_cpus=0.1, compute=around, **arrow)
    flow = flow.map_batches(
        _Opener, fn_constructor_args=(settings, claims, options), num_cpus=0.7,
        compute=ray.data.ActorPoolStrategy(size=min(count, len(rows))), **arrow,
    )
    return flow.map_batches(_Writer, fn_constructor_args=(output, options), num_cpus=0.1, compute=around, **arrow)
