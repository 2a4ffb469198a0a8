"""Tests of particlekit.ray: sources, stores and runs on a cluster of two nodes.

Each is skipped where a package of PyPI that it needs is missing: pyarrow, Ray, s3fs with moto, scikit-learn.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from test_ray_documents import pex

import particlekit
from particlekit.ray import Settings, add_up, groups, neighbours, pictures, report, run
from particlekit.ray import _sources
from particlekit.ray._sources import image, plan, read
from particlekit.ray._store import Store
from particlekit.ray._worker import Document

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
pytest.importorskip("fsspec")
pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def folder_of(tmp_path, count=5):
    folder = tmp_path / "effects"
    folder.mkdir()
    for number in range(count):
        (folder / f"fire-{number}.pex").write_bytes(pex(40 + number))
    return folder


def test_sources(tmp_path):
    folder = folder_of(tmp_path)
    expected = sorted(str(path) for path in folder.iterdir())

    def addresses(source, documents=1000, **lists):
        return [d.address for block in plan(source, documents, **lists) for d in read(block)]

    lines = tmp_path / "list.txt"
    lines.write_text("\n".join(expected))
    table = tmp_path / "list.parquet"
    parquet.write_table(pa.table({"address": expected}), table)
    for source in (str(folder), f"{folder}/*.pex", expected):
        assert addresses(source) == expected, source
    for named in (lines, table):
        assert addresses([], lists=[str(named)]) == expected, named
    assert sorted(addresses(str(folder), 2)) == expected
    twice = addresses([str(folder), f"{folder}/*.pex"], lists=[str(lines)])
    assert twice == expected, "a document is one, by whichever source"
    with pytest.raises(FileNotFoundError):
        addresses(str(tmp_path / "nothing*.pex"))
    assert addresses(str(tmp_path / "nothing.pex")) == [str(tmp_path / "nothing.pex")]
    data = tmp_path / "data.parquet"
    parquet.write_table(
        pa.table({"address": [f"{n}.pex" for n in range(10)], "data": [b"%d" % n for n in range(10)]}), data,
        row_group_size=4,
    )
    blocks = list(plan(str(data), 3))
    assert [block.documents for block in blocks] == [3, 1, 3, 1, 2]
    assert [d.data for block in blocks for d in read(block)] == [b"%d" % n for n in range(10)]
    with pytest.raises(ValueError, match="no column 'data'; found address; .* --list"):
        addresses(str(table))
    parquet.write_table(pa.table({"name": ["a"]}), table)
    with pytest.raises(ValueError, match="no column 'address'; found name"):
        addresses([], lists=[str(table)])


def test_no_document_names_another_one(tmp_path):
    (tmp_path / "fire.pex").write_bytes(pex())
    (tmp_path / "README.txt").write_text("/etc/hostname\nhttp://127.0.0.1:9/x\n")
    parquet.write_table(pa.table({"address": ["/etc/hostname"]}), tmp_path / "notes.parquet")
    expected = sorted(str(path) for path in tmp_path.iterdir())
    for source in (str(tmp_path), f"{tmp_path}/*", f"{tmp_path}/README.txt"):
        found = [d.address for block in plan(source, 10) for d in read(block)]
        assert found == ([source] if source in expected else expected)

    def listed(line, *hosts):
        (tmp_path / "list").write_text(line)
        return [address for block in plan([], 10, lists=[str(tmp_path / "list")], hosts=hosts)
                for address, _ in block.addresses]

    for line, host in (("http://127.0.0.1:9/x", "127.0.0.1"), ("s3://games/fire.pex", "games")):
        with pytest.raises(ValueError, match=f"not on this machine; add --allow-hosts {host}"):
            listed(line, "other")
        assert listed(line, host) == [line]
    with pytest.raises(ValueError, match="not on this machine"):
        listed("zip://fire.pex::http://127.0.0.1:9/x.zip", "fire.pex")
    assert listed("/nowhere/fire.pex\nfile:///nowhere/snow.pex") == ["/nowhere/fire.pex", "file:///nowhere/snow.pex"]


def test_a_table_is_not_followed(monkeypatch):
    asked = []

    def filesystem(address, options):
        asked.append(address)
        raise OSError("no network in a test")

    monkeypatch.setattr(_sources, "filesystem", filesystem)
    assert image(Document("http://127.0.0.1:9/fire.pex", "block/0", None, b""), "fire.png") is None and not asked
    assert image(Document("http://127.0.0.1:9/fire.pex", "key", None, b""), "fire.png") is None and asked


def test_a_new_address_changes_few_blocks():
    before = [f"/nowhere/{n}.pex" for n in range(5000)]
    after = before[:1000] + ["/nowhere/new.pex"] + before[1000:]
    one, two = ({block.key for block in plan(source, 100)} for source in (before, after))
    assert len(one) > 25 and len(one - two) <= 2


ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")


@pytest.fixture(scope="module")
def cluster():
    from ray.cluster_utils import Cluster

    store = 100 * 2**20
    cluster = Cluster(True, head_node_args={"num_cpus": 1, "object_store_memory": store, "include_dashboard": False})
    cluster.add_node(num_cpus=1, object_store_memory=store)
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def test_run_resumes_and_survives_a_worker(cluster, tmp_path):
    documents = [(f"{n:03}/fire.pex", pex(30 + n % 50)) for n in range(120)] + [("bad.pex", b"<pex")]
    path = tmp_path / "documents.parquet"
    parquet.write_table(pa.table({"address": [a for a, _ in documents], "data": [d for _, d in documents]}), path)
    out = str(tmp_path / "out")
    settings = Settings(stages=("validate", "convert", "similar"), format="libgdx", documents=10)
    first = run(str(path), out, settings, workers=2, most=4)
    assert (first.documents, first.before, first.blocks) == (40, 0, 4)
    times = {name: os.stat(f"{out}/report/{name}").st_mtime_ns for name in os.listdir(f"{out}/report")}
    killed = []

    def kill(claims):
        before = ray.get(claims.count.remote())
        while ray.get(claims.count.remote()) - before < 5:
            time.sleep(0.02)
        killed.append(list(ray.get(claims.workers.remote()))[-1])
        os.kill(killed[0], signal.SIGKILL)

    def observe(claims):
        threading.Thread(target=kill, args=(claims,), daemon=True).start()

    second = run(str(path), out, settings, workers=2, observe=observe)
    assert (second.documents, second.before, len(killed)) == (81, 40, 1)
    assert all(os.stat(f"{out}/report/{name}").st_mtime_ns == time for name, time in times.items())
    total = add_up(out)
    assert total["documents"] == total["keys"] == 121 and total["digests"] == total["digests_once"] == 50
    assert total["duplicates"] == 70 and total["failed"] == 1
    assert (second.duplicates, second.failed) == (70, 1), "the summary is that of the whole report"
    table = report(out)
    assert sorted(table.column("address").to_pylist()) == sorted(a for a, _ in documents)
    results = pa.concat_tables([parquet.read_table(f"{out}/results/{n}") for n in os.listdir(f"{out}/results")])
    effects = [row for row in results.to_pylist() if row["name"] == "fire.p"]
    assert len(effects) == len({row["digest"] for row in effects}) == 50
    idle = run(str(path), out, settings, workers=2)
    assert (idle.documents, idle.before, idle.duplicates, idle.failed) == (0, 121, 70, 1)
    again = run(str(path), out, settings, workers=2, retry_failed=True)
    assert 0 < again.documents < 121 and (again.duplicates, again.failed) == (70, 1)
    with pytest.raises(ValueError, match="other settings"):
        run(str(path), out, Settings(stages=("validate",), documents=10))
    assert not [name for name in os.listdir(f"{out}/report") if not name.endswith(".parquet")]


def test_reports_end_with_their_own_status(tmp_path):
    # A thread of pyarrow that reads ahead ended about half of these by SIGABRT.
    store = Store(str(tmp_path))
    for number in range(21):
        store.put(str(number), [{"address": f"{n}", "key": f"{number}/{n}", "duplicate": False} for n in range(100)], [])
    for _ in range(12):
        done = subprocess.run([sys.executable, "-m", "particlekit.ray", "report", str(tmp_path)], capture_output=True)
        assert done.returncode == 0 and json.loads(done.stdout)["documents"] == 2100, done


def test_changed_documents_are_done_again(cluster, tmp_path):
    folder = folder_of(tmp_path, 4)
    out = str(tmp_path / "out")
    settings = Settings(stages=("convert", "thumbnail", "similar"), documents=2, size=16)
    assert run(str(folder), out, settings).documents == 4
    (folder / "fire-3.pex").write_bytes(pex(99))
    again = run(str(folder), out, settings)
    assert 1 <= again.documents <= 2 and add_up(out)["documents"] == 4
    pytest.importorskip("sklearn")
    assert neighbours(out, 2).num_rows == 8
    found = groups(out, 1, 2)
    pictures(out, found, str(tmp_path / "groups.png"))
    assert (tmp_path / "groups.png").read_bytes()[:4] == b"\x89PNG"


def test_a_duplicate_is_finished_when_its_first_document_is_removed(cluster, tmp_path):
    folder = tmp_path / "effects"
    for name in "abc":
        (folder / name).mkdir(parents=True)
        (folder / name / "fire.pex").write_bytes(pex(41 if name == "b" else 40))
    out, settings = str(tmp_path / "out"), Settings(stages=("convert",), documents=1)
    run(str(folder), out, settings, workers=1)
    [other] = [row for row in report(out).to_pylist() if row["duplicate"]]
    os.remove(folder / ("a" if other["address"].endswith("c/fire.pex") else "c") / "fire.pex")
    assert run(str(folder), out, settings, workers=1).documents == 1
    rows = report(out).to_pylist()
    assert len(rows) == 2 and not any(row["duplicate"] for row in rows)
    results = pa.concat_tables([parquet.read_table(f"{out}/results/{name}") for name in os.listdir(f"{out}/results")])
    assert set(results.column("digest").to_pylist()) == {row["digest"] for row in rows}


def test_run_from_and_to_an_object_store(cluster, tmp_path):
    pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server")
    import s3fs

    service = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    service.start()
    try:
        options = {
            "key": "test", "secret": "test",
            "client_kwargs": {"endpoint_url": "http://%s:%d" % service.get_host_and_port(), "region_name": "us-east-1"},
        }
        store = s3fs.S3FileSystem(**options)
        store.call_s3("create_bucket", Bucket="effects")
        exported = particlekit.Effect.template("fire").convert("starling", name="fire.pex", images="beside")
        for name, data in exported.files.items():
            store.pipe_file(f"effects/a/{name}", data)
        store.pipe_file("effects/a/damaged.pex", b"<pex")
        settings = Settings(stages=("validate", "convert"), format="starling")
        summary = run("s3://effects/a/*.pex", "s3://effects/out", settings, options=options)
        count = sum(name.endswith(".pex") for name in exported.files)
        assert (summary.documents, summary.failed) == (count + 1, 1)
        rows = report("s3://effects/out", options=options).to_pylist()
        good = [row for row in rows if not row["error"]]
        assert {row["address"] for row in rows} >= {"s3://effects/a/fire.pex", "s3://effects/a/damaged.pex"}
        assert all(row["format"] == "starling" and row["images"] for row in good)
        assert not any(p["code"] == "convert/missing-image" for row in good for p in row["problems"])
        assert run("s3://effects/a/*.pex", "s3://effects/out", settings, options=options).documents == 0
    finally:
        service.stop()
