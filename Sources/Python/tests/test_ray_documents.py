"""Tests of particlekit.ray: documents in processes of their own.

Ray is not needed. Comparisons with the tool are skipped without it. ``PARTICLES_TOOL`` is its path.
"""

import json
import os
import shutil
import signal
import subprocess
import time

import pytest

import particlekit
from particlekit.ray import Settings, _work, _worker
from particlekit.ray._engine import Claims
from particlekit.ray._worker import Document, Worker

TOOL = os.environ.get("PARTICLES_TOOL") or shutil.which("particles")
needs_tool = pytest.mark.skipif(not TOOL, reason="needs the tool 'particles'")


def work(documents, claims=None, find=None, **settings):
    claims = claims or Claims()
    worker = Worker(Settings(**settings), lambda digests: claims.claim("block", digests), find)
    try:
        return list(worker.run(documents))
    finally:
        worker.close()


def pex(rate=50.0):
    effect = particlekit.Effect.template("fire")
    effect["emitters[0].emission.rate"] = rate
    return effect.convert("starling", name="fire.pex").files["fire.pex"]


# One document


@needs_tool
def test_results_are_the_bytes_of_the_tool(tmp_path):
    source = tmp_path / "fire.pex"
    source.write_bytes(pex())
    cases = (("particles", "particles"), ("scenekit", "scnp"), ("libgdx", "p"), ("godot4", "tscn"))
    for format, extension in cases:
        [(row, files)] = work(
            [Document(str(source), "1", str(source))], stages=("convert", "thumbnail"), format=format, size=64
        )
        found = {name: data for _, name, data in files}
        result, picture = tmp_path / f"{format}.out" / f"fire.{extension}", tmp_path / f"{format}.png"
        result.parent.mkdir()
        subprocess.run([TOOL, "convert", source, "-o", result, "--to", format, "-q"], check=True)
        subprocess.run([TOOL, "thumbnail", source, picture, "-s", "64", "-q"], check=True)
        for path in result.parent.iterdir():
            assert found[path.name] == path.read_bytes(), path.name
        assert found["fire.png"] == picture.read_bytes()
        digest = subprocess.run([TOOL, "info", "--json", source], check=True, capture_output=True).stdout
        assert row["digest"] == json.loads(digest)["files"][0]["digest"]


@needs_tool
def test_effects_of_much_work_are_those_of_the_tool(tmp_path):
    source, picture = tmp_path / "many.particles", tmp_path / "many.png"
    many = particlekit.Effect.template("confetti")
    many["emitters[0].emission.rate"] = 2000
    many.save_as(source)
    [(_, files)] = work([Document(str(source), "1", str(source))], stages=("thumbnail",), size=64)
    subprocess.run([TOOL, "thumbnail", source, picture, "-s", "64", "-q"], check=True)
    assert [data for _, _, data in files] == [picture.read_bytes()]
    with particlekit.Effect.open(source, limits=particlekit.Limits.untrusted()) as effect:
        assert _work.png(effect.thumbnail(64)) != picture.read_bytes(), "not enough work for this test"


@needs_tool
def test_problems_are_those_of_the_tool(tmp_path):
    package = tmp_path / "fire.particles"
    particlekit.Effect.template("fire").save_as(package)
    (tmp_path / "fire.pex").write_bytes(pex())
    (tmp_path / "cut.pex").write_bytes(pex()[:300])
    for path in sorted(tmp_path.iterdir()):
        [(row, _)] = work([Document(str(path), "1", str(path))], stages=("validate",))
        printed = subprocess.run([TOOL, "validate", "--json", path], check=False, capture_output=True).stdout
        wanted = [finding["code"] for finding in json.loads(printed)["files"][0]["diagnostics"]]
        found = [problem["code"] for problem in row.get("problems", [])] or [row.get("error_code")]
        assert (found if wanted else row["problems"]) == wanted, path


def test_duplicates_are_finished_once():
    documents = [Document(f"{n}/fire.pex", str(n), None, pex(40 + n % 3)) for n in range(70)]
    done = work(documents, stages=("convert",))
    assert [row["key"] for row, _ in done] == [str(n) for n in range(70)]
    firsts = [row for row, files in done if not row["duplicate"]]
    assert len(firsts) == 3 and all(bool(files) != row["duplicate"] for row, files in done)
    assert len({row["digest"] for row in firsts}) == 3
    # The block again, after the death of its worker.
    claims = Claims()
    once, again = (work(documents, claims, stages=("convert",)) for _ in range(2))
    assert [row["duplicate"] for row, _ in once] == [row["duplicate"] for row, _ in again]


def test_damaged_documents_are_reported():
    damaged = [b"", b"\0" * 100, pex()[:200], b'{"a":' * 100_000]
    done = work([Document("bad.pex", str(n), None, data) for n, data in enumerate(damaged)], stages=("convert",))
    assert all(row["error_code"] and row["error"] and not row["duplicate"] and not files for row, files in done)
    [(row, _)] = work([Document("gone.pex", "1", "/nowhere/gone.pex")])
    assert row["error_code"] == "file/not-found" and row["bytes"] is None


HOSTILE = '''
import os, signal, time
import particlekit.ray._work as work
begin, convert = work.Work.begin, work._STAGES["convert"]
def hostile(self, message, data):
    name = message["name"]
    if name == "crash.pex": os.kill(os.getpid(), signal.SIGSEGV)
    if name == "exit.pex":
        os.write(2, b"first\\n" * 9 + b"out of cheese\\n")
        os._exit(7)
    if name == "hang.pex": time.sleep(60)
    if name == "grow.pex":
        kept = []
        while True: kept.append(b"x" * 2**20)
    if name == "space.pex":
        import mmap
        mmap.mmap(-1, 2**34).close()
    if name == "once.pex" and not os.path.exists(ONCE):
        open(ONCE, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return begin(self, message, data)
def later(row, effect, package, message):
    if message["name"] == "late.pex": os.kill(os.getpid(), signal.SIGABRT)
    if message["name"] == "later.pex" and not os.path.exists(ONCE + "2"):
        open(ONCE + "2", "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return convert(row, effect, package, message)
work.Work.begin, work._STAGES["convert"] = hostile, later
import sys, particlekit.ray._child as child
child.main(sys.argv[1:])
'''


def test_hostile_documents_end_only_their_process(tmp_path, monkeypatch):
    (tmp_path / "hostile.py").write_text(f"ONCE = {str(tmp_path / 'once')!r}\n" + HOSTILE)
    start = subprocess.Popen

    def popen(arguments, **rest):
        return start([arguments[0], str(tmp_path / "hostile.py"), *arguments[3:]], **rest)

    monkeypatch.setattr(_worker.subprocess, "Popen", popen)
    healthy = ["a.pex", "b.pex", "c.pex", "once.pex", "later.pex", "space.pex"]
    names = ["once.pex", "a.pex", "crash.pex", "b.pex", "late.pex", "exit.pex", "later.pex", "hang.pex", "grow.pex",
             "space.pex", "c.pex"]
    documents = [Document(name, name, None, pex(40 + n)) for n, name in enumerate(names)]
    begun = time.monotonic()
    done = {row["address"]: (row, files) for row, files in work(documents, stages=("convert",), seconds=4.0,
                                                            megabytes=200)}
    assert list(done) == names and time.monotonic() - begun < 60
    for name in healthy:
        assert "error" not in done[name][0] and done[name][1], done[name][0]
    assert done["crash.pex"][0]["error"] == "its process was ended by SIGSEGV"
    assert done["late.pex"][0]["error"] == "its process was ended by SIGABRT" and done["late.pex"][0]["digest"]
    assert done["exit.pex"][0]["error"] == "its process ended with status 7" + "\nfirst" * 4 + "\nout of cheese"
    assert done["hang.pex"][0]["error_code"] == "scale/time"
    assert done["grow.pex"][0]["error_code"] == "scale/memory"


def test_a_process_that_does_not_start_is_no_fault_of_a_document(tmp_path, monkeypatch):
    (tmp_path / "broken.py").write_text("raise SystemExit('no library here')")
    start, started = subprocess.Popen, []

    def popen(arguments, **rest):
        started.append(arguments)
        return start([arguments[0], str(tmp_path / "broken.py")], **rest)

    monkeypatch.setattr(_worker.subprocess, "Popen", popen)
    with pytest.raises(RuntimeError, match="does not start: .*status 1\nno library here"):
        work([Document("a.pex", "1", None, pex())])
    assert len(started) == 3


def test_new_processes_have_memory_for_pictures():
    documents = [Document(f"{n}.pex", str(n), None, pex(40 + n)) for n in range(12)]
    for row, files in work(documents, stages=("validate", "convert", "thumbnail"), size=64, megabytes=64):
        assert "error" not in row and {kind for kind, _, _ in files} == {"converted", "thumbnail"}, row


def test_worker_starts_its_process_again():
    worker = Worker(Settings(), lambda digests: [True] * len(digests))
    one = Document("a.pex", "1", None, pex())
    assert "error" not in list(worker.run([one]))[0][0]
    os.kill(worker._process.pid, signal.SIGKILL)
    worker._process.wait()
    assert "error" not in list(worker.run([one]))[0][0]
    worker.close()


def test_images_are_asked_for():
    asked = []
    source = pex()
    name = [n for n in particlekit.Effect.template("fire").convert("starling", name="fire.pex").files if n[-4:] == ".png"]

    def find(document, wanted):
        asked.append((document.address, wanted))
        return particlekit.Effect.template("fire").png(8)

    [(row, _)] = work([Document("s3://b/fire.pex", "1", None, source)], find=find)
    assert [a for a, _ in asked] == ["s3://b/fire.pex"] * len(asked) and "error" not in row
    if name or asked:
        assert not any(problem["code"] == "convert/missing-image" for problem in row["problems"])


def test_settings_are_checked():
    for wrong in ({"size": 0}, {"seconds": 0}, {"stages": ("x",)}, {"documents": 0}):
        with pytest.raises(ValueError):
            Settings(**wrong)
    assert Settings(stages=("similar", "convert")).stages == ("inventory", "convert", "similar")
    assert _work._extension("starling") == ".pex"
