"""Tests of particles.ray: documents in processes of their own.

Ray is not needed. Those that compare with the tool are skipped without it; ``PARTICLES_TOOL`` is its path.
"""

import json
import os
import shutil
import signal
import subprocess
import time

import pytest

import particles
from particles.ray import Settings, _work, _worker
from particles.ray._engine import Claims
from particles.ray._worker import Document, Worker

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
    effect = particles.Effect.template("fire")
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
    many = particles.Effect.template("confetti")
    many["emitters[0].emission.rate"] = 2000
    many.save_as(source)
    [(_, files)] = work([Document(str(source), "1", str(source))], stages=("thumbnail",), size=64)
    subprocess.run([TOOL, "thumbnail", source, picture, "-s", "64", "-q"], check=True)
    assert [data for _, _, data in files] == [picture.read_bytes()]
    with particles.Effect.open(source, limits=particles.Limits.untrusted()) as effect:
        assert _work.png(effect.thumbnail(64)) != picture.read_bytes(), "not enough work for this test"


@needs_tool
def test_problems_are_those_of_the_tool(tmp_path):
    package = tmp_path / "fire.particles"
    particles.Effect.template("fire").save_as(package)
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
import particles.ray._work as work
begin, convert = work.Work.begin, work._STAGES["convert"]
def hostile(self, message, data):
    name = message["name"]
    if name == "crash.pex": os.kill(os.getpid(), signal.SIGSEGV)
    if name == "exit.pex": os._exit(7)
    if name == "hang.pex": time.sleep(60)
    if name == "grow.pex": return {"error_code": "scale/fault", "error": str(len(b"x" * 2**33))}
    return begin(self, message, data)
def later(row, effect, package, message):
    if message["name"] == "late.pex": os.kill(os.getpid(), signal.SIGABRT)
    return convert(row, effect, package, message)
work.Work.begin, work._STAGES["convert"] = hostile, later
import sys, particles.ray._child as child
child.main(sys.argv[1:])
'''


def test_hostile_documents_end_only_their_process(tmp_path, monkeypatch):
    (tmp_path / "hostile.py").write_text(HOSTILE)
    start = subprocess.Popen

    def popen(arguments, **rest):
        return start([arguments[0], str(tmp_path / "hostile.py"), *arguments[3:]], **rest)

    monkeypatch.setattr(_worker.subprocess, "Popen", popen)
    names = ["a.pex", "crash.pex", "b.pex", "late.pex", "exit.pex", "hang.pex", "grow.pex", "c.pex"]
    documents = [Document(name, name, None, pex(40 + n)) for n, name in enumerate(names)]
    begun = time.monotonic()
    done = {row["address"]: (row, files) for row, files in work(documents, stages=("convert",), seconds=4.0)}
    assert list(done) == names and time.monotonic() - begun < 60
    for name in ("a.pex", "b.pex", "c.pex"):
        assert "error" not in done[name][0] and done[name][1], done[name][0]
    assert done["crash.pex"][0]["error"] == "its process was ended by SIGSEGV"
    assert done["late.pex"][0]["error"] == "its process was ended by SIGABRT" and done["late.pex"][0]["digest"]
    assert done["exit.pex"][0]["error"] == "its process ended with status 7"
    assert done["hang.pex"][0]["error_code"] == "scale/time"
    assert "error" in done["grow.pex"][0]


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
    name = [n for n in particles.Effect.template("fire").convert("starling", name="fire.pex").files if n[-4:] == ".png"]

    def find(document, wanted):
        asked.append((document.address, wanted))
        return particles.Effect.template("fire").png(8)

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
