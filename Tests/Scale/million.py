"""Runs a generated corpus through a cluster of two nodes on this machine, and measures.

    million.py CORPUS OUT --stages validate,convert [--workers 2] [--files 500] [--kill] [--minutes 60]

CORPUS is the folder of generate.py. Goes on where it was stopped. Each call adds a line to OUT/measures.jsonl:
documents, seconds, documents a second, and memory and processor time of all its processes on the way. With ``--kill``
one worker is killed in the middle. At the end of the corpus, the report has to add up to CORPUS/expected.json.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import signal
import sys
import threading
import time
from typing import Any

import particlekit.ray


class Meter:
    """Memory and processor time of a process and all that it has started, with the nodes.

    Nodes of Ray do not wait for their workers, so the time of an ended worker is in no other process: a thread looks
    every second, and its last measurement counts.
    """

    def __init__(self, root: int) -> None:
        self._ours = {root}
        self._last: dict[int, tuple[int, int, int]] = {}
        self._ended = 0
        self._lock = threading.Lock()
        self._look()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            time.sleep(1)
            self._look()

    def _look(self) -> None:
        # Of each process: the parent, the ticks of itself and of processes that it has waited for, and those alone.
        found: dict[int, tuple[int, int, int]] = {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
                found[int(name)] = int(fields[1]), sum(map(int, fields[11:15])), sum(map(int, fields[13:15]))
            except OSError:
                continue
        with self._lock:
            ours, grown = {pid for pid in self._ours if pid in found}, True
            while grown:
                more = {pid for pid, (parent, _, _) in found.items() if parent in ours} - ours
                grown = bool(more)
                ours |= more
            for pid in self._ours - ours:
                parent, ticks, _ = self._last.get(pid, (0, 0, 0))
                waits = self._last.get(parent, (0, 0, 0))[2] or found.get(parent, (0, 0, 0))[2]
                self._ended += 0 if waits else ticks
            self._ours, self._last = ours, {pid: found[pid] for pid in ours}

    def read(self) -> dict[str, float]:
        """Returns memory in MiB and processor time in seconds."""
        self._look()
        with self._lock:
            ours, ticks = set(self._ours), self._ended + sum(ticks for _, ticks, _ in self._last.values())
        private = shared = 0
        for pid in ours:
            try:
                with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as file:
                    facts = dict(line.split()[:2] for line in file.readlines()[1:])
                private += int(facts["Private_Clean:"]) + int(facts["Private_Dirty:"])
                shared += int(facts["Pss_Shmem:"])
            except (OSError, KeyError):
                continue
        seconds = round(ticks / os.sysconf("SC_CLK_TCK"), 1)
        return {
            "processes": len(ours), "private": round(private / 1024), "shared": round(shared / 1024), "cpu": seconds,
        }


def _rows(path: str) -> int:
    import pyarrow.parquet as parquet

    return int(parquet.read_metadata(path).num_rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus")
    parser.add_argument("output")
    parser.add_argument("--stages", default="validate,convert")
    parser.add_argument("--to", default="particles")
    parser.add_argument("--size", type=int, default=128)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--files", type=int, help="use only so many files of the corpus")
    parser.add_argument("--block", type=int, default=1000)
    parser.add_argument("--most", type=int, help="stop after so many blocks")
    parser.add_argument("--kill", action="store_true")
    given = parser.parse_args()

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")
    import ray
    from ray.cluster_utils import Cluster

    meter = Meter(os.getpid())
    store = 200 * 2**20
    cluster = Cluster(True, head_node_args={"num_cpus": 1, "object_store_memory": store, "include_dashboard": False})
    cluster.add_node(num_cpus=1, object_store_memory=store)
    ray.init(address=cluster.address, log_to_driver=False)
    files = sorted(glob.glob(os.path.join(given.corpus, "*.parquet")))[:given.files]
    settings = particlekit.ray.Settings(tuple(given.stages.split(",")), given.to, given.size, documents=given.block)
    sizes: list[dict[str, float]] = []
    killed: list[int] = []
    finished = len(glob.glob(os.path.join(given.output, "report", "*.parquet")))
    wanted = min(max(1, sum(map(_rows, files)) // given.block - finished), given.most or 10**9)

    def progress(summary: particlekit.ray.Summary) -> None:
        if summary.blocks % max(1, wanted // 20) == 0 or summary.blocks in (1, 10, 100):
            sizes.append(meter.read() | {"documents": summary.documents, "seconds": round(summary.seconds, 1)})
            print(json.dumps(sizes[-1] | {"rate": round(summary.rate, 1)}), file=sys.stderr, flush=True)

    def kill(claims: Any) -> None:
        # Opening is ahead of writing: the middle is when half of the digests are known.
        before = ray.get(claims.count.remote())
        while ray.get(claims.count.remote()) - before < wanted * given.block // 2:
            time.sleep(0.1)
        pid, node = list(ray.get(claims.workers.remote()).items())[-1]
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)
        print(f"killed worker {pid} on node {node[:8]}", file=sys.stderr, flush=True)

    def observe(claims: Any) -> None:
        if given.kill:
            threading.Thread(target=kill, args=(claims,), daemon=True).start()

    summary = particlekit.ray.run(
        files, given.output, settings, workers=given.workers, most=given.most, progress=progress,
        observe=observe,
    )
    measured = {
        "stages": given.stages, "workers": given.workers, "documents": summary.documents, "before": summary.before,
        "seconds": round(summary.seconds, 1), "rate": round(summary.rate, 1), "killed": len(killed),
        "load": os.getloadavg()[0], "memory": sizes,
    }
    with open(os.path.join(given.output, "measures.jsonl"), "a", encoding="utf-8") as file:
        file.write(json.dumps(measured) + "\n")
    total = particlekit.ray.add_up(given.output)
    print(json.dumps({"measured": measured, "report": total}, indent=2))
    ray.shutdown()
    cluster.shutdown()
    if given.kill and not killed:
        print("fault: no worker was killed", file=sys.stderr)
        return 1
    return check(given, total)


def check(given: argparse.Namespace, total: dict[str, Any]) -> int:
    """Compares a report of the whole corpus with the numbers of the generator."""
    faults = []
    if total["keys"] != total["documents"]:
        faults.append(f"{total['documents']} rows for {total['keys']} documents")
    if total["digests"] != total["digests_once"]:
        faults.append(f"{total['digests']} digests, of which {total['digests_once']} have one first document")
    path = os.path.join(given.corpus, "expected.json")
    if given.files is None and given.most is None and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            expected = json.load(file)
        for name, found in (
            ("documents", total["documents"]), ("distinct", total["digests"]), ("damaged", total["failed"]),
        ):
            if expected[name] != found:
                faults.append(f"{name}: expected {expected[name]}, found {found}")
    for fault in faults:
        print(f"fault: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
