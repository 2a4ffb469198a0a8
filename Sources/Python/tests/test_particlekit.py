"""Tests of the package, as its users have it."""

import ctypes
import gc
import io
import os
import pickle
import threading
import time

import numpy as np
import pytest

import particlekit
from particlekit import _handles, _library

FIRE = particlekit.Effect.template("fire")


def test_package_is_a_mapping(tmp_path):
    package = particlekit.Package()
    package["a/b.txt"] = b"hello"
    package["a/c"] = bytearray(b"x" * 100_000)
    package["a/d"] = io.BytesIO(b"stream")
    package["empty"] = b""
    assert list(package) == ["a/b.txt", "a/c", "a/d", "empty"] and len(package) == 4
    assert package["a/b.txt"] == b"hello" and package["empty"] == b"" and package["a/c"] == b"x" * 100_000
    assert "a/b.txt" in package and "a" not in package and "none" not in package and 5 not in package
    assert package.get("none") is None
    with pytest.raises(KeyError):
        package["none"]
    assert package.pop("a/d") == b"stream"
    package.rename("a/b.txt", "e")
    with pytest.raises(particlekit.Error) as caught:
        package.rename("a", "a/b")
    assert caught.value.code == "tree/parent" and caught.value.finding.found == "'a/b'" and "a/c" in package
    package.symlink("link", "e")
    package.set_executable("e")
    assert package.stat("e") == particlekit.Entry("e", "file", 5, True)
    assert package.stat("link").target == "e"
    assert package.add(b"again", "e") == "e 2"
    path = tmp_path / "p.particles"
    package.save_as(path)
    with particlekit.Package.open(path) as again:
        assert again == package and again.digest == package.digest and again.form == "flat"
        assert again.path == str(path) and again.verify() == [] and again.warnings == []
        with again.open_entry("a/c") as file:
            assert file.read(3) == b"xxx" and file.seek(-1, io.SEEK_END) == 99_999 and file.read() == b"x"
        again["new"] = b"1"
        again.save()
        again.extract(tmp_path / "out")
    assert (tmp_path / "out" / "new").read_bytes() == b"1"
    assert particlekit.Package.open(package.encode()) == package
    with open(path, "rb") as file:
        assert particlekit.Package.open(file)["new"] == b"1"
    package.clear()
    assert not len(package)


def test_copies_are_values():
    package = particlekit.Package()
    package["a"] = b"1"
    copy = package.copy()
    package["a"] = b"2"
    assert copy["a"] == b"1" and package["a"] == b"2" and copy != package


def test_blobs_outlive_their_package():
    package = particlekit.Package()
    package["a"] = b"123"
    file = package.open_entry("a")
    package.close()
    assert file.read() == b"123"
    with pytest.raises(particlekit.Misuse):
        package["a"]
    assert package.closed and repr(package)


def test_sources_live_as_long_as_what_reads_them():
    source = particlekit.Effect.template("fire").package
    large = source["large"] = os.urandom(3 << 20)
    package = particlekit.Package.open(io.BytesIO(source.encode()))
    effect = particlekit.Effect.open(package)
    del package
    gc.collect()
    copy = effect.copy().package
    del effect
    gc.collect()
    assert copy["large"] == large
    assert _handles._sources
    copy.close()
    # The library may drop a source a moment later, on another thread.
    end = time.monotonic() + 10
    while _handles._sources and time.monotonic() < end:
        time.sleep(0.01)
    assert not _handles._sources


def test_progress_cancels(tmp_path):
    package = particlekit.Package()
    package["large"] = os.urandom(4 << 20)
    with pytest.raises(particlekit.Cancelled) as fault:
        package.save_as(tmp_path / "p.particles", progress=lambda done, total: False)
    assert fault.value.code == "interface/cancelled" and not os.listdir(tmp_path)
    with pytest.raises(ZeroDivisionError):
        package.save_as(tmp_path / "p.particles", progress=lambda done, total: 1 / 0)
    # Also by the last report, on any thread.
    for _ in range(10):
        with pytest.raises(particlekit.Cancelled):
            package.save_as(tmp_path / "p.particles", progress=lambda done, total: done < total)
    assert not os.listdir(tmp_path)
    package.save_as(tmp_path / "p.particles")
    with particlekit.Package.open(tmp_path / "p.particles") as saved, pytest.raises(particlekit.Cancelled):
        saved.extract(tmp_path / "out", progress=lambda done, total: done < total)
    assert os.listdir(tmp_path) == ["p.particles"]


def test_damage_and_limits(tmp_path):
    package = particlekit.Package()
    for i in range(5):
        # Each has a block of its own.
        package[f"{i}"] = os.urandom(100_000)
    data = bytearray(package.encode())
    data[len(data) // 3] ^= 1
    path = tmp_path / "damaged.particles"
    path.write_bytes(data)
    try:
        assert particlekit.Package.open(path).verify()
    except particlekit.Damaged as fault:
        assert fault.code and fault.place
    recovered, findings = particlekit.Package.recover(path)
    assert len(recovered) == 4 and findings
    with pytest.raises(particlekit.LimitExceeded) as limit:
        particlekit.Package.open(package.encode(), limits=particlekit.Limits.untrusted(entries=2))
    assert "entries" in str(limit.value)
    with pytest.raises(particlekit.Misuse):
        particlekit.Limits(nothing=1)


def test_properties():
    effect = FIRE.copy()
    effect.emitters[0].emission.rate = 50
    assert effect["emitters[0].emission.rate"] == 50 == effect.emitters[0].emission["rate"]
    effect.apply("emitters[*].emission.rate*=2")
    assert effect.emitters[0].emission.rate == 100
    effect["emitters[0].lifetime"] = {"min": 1, "max": 2}
    assert effect.emitters[0].lifetime == {"min": 1, "max": 2}
    del effect["emitters[0].emission.rate"]
    assert effect.get("emitters[0].emission.rate") == 0
    assert effect.get("emitters[0].emission.total", 7) == 7
    with pytest.raises(particlekit.InvalidValue) as fault:
        effect["emitters[0].emission.rate"] = -5
    assert fault.value.key == "emitters[0].emission.rate" and effect.get("emitters[0].emission.rate") == 0
    for wrong in ("emitters[0].emission.speed", "emitters[99].lifetime", "nothing", "]["):
        with pytest.raises(particlekit.Error) as fault:
            effect[wrong] = 1
        assert fault.value.code and fault.value.place
    with pytest.raises(AttributeError):
        effect.emitters[0].emission.speed
    with pytest.raises(AttributeError):
        effect.nothing
    assert {"rate", "bursts"} <= set(dir(effect.emitters[0].emission))
    rows = effect.properties("emitters[0].emission")
    assert any(row["key"] == "emitters[0].emission.rate" and row["unit"] == "1/s" for row in rows)
    document = effect.document
    document["asset"]["name"] = "Changed"
    effect.document = document
    assert effect.asset.name == "Changed" and dict(effect.items("asset"))["asset.name"] == "Changed"
    with pytest.raises(particlekit.Damaged):
        effect.document = {"emitters": 5}
    assert FIRE.emitters[0].emission.rate != 0


def test_conversion_and_images(tmp_path):
    result = FIRE.convert("starling", "fire.pex", measure=True)
    assert list(result.files)[0] == "fire.pex" and result.worst == "high" and 0 < result.difference < 1
    assert all(loss.level and loss.code.startswith("convert/") for loss in result.losses)
    assert result.write(tmp_path) and os.path.exists(tmp_path / "fire.pex")
    with pytest.raises(FileExistsError):
        result.write(tmp_path)
    # All files or none: each time, a folder in the place of a file makes writing fail.
    for wrong in result.files:
        place = tmp_path / f"without-{wrong}"
        (place / wrong).mkdir(parents=True)
        others = [name for name in result.files if name != wrong]
        (place / others[0]).write_bytes(b"old")
        for replace in (False, True):
            with pytest.raises(particlekit.Error):
                result.write(place, replace=replace)
            assert sorted(os.listdir(place)) == sorted([wrong, others[0]])
            assert (place / others[0]).read_bytes() == b"old"
        os.rmdir(place / wrong)
        assert result.write(place, replace=True) and sorted(os.listdir(place)) == sorted(result.files)
        assert (place / others[0]).read_bytes() == result.files[others[0]]
    asked = []

    def find(name):
        asked.append(name)
        return result.files.get(name)

    back = particlekit.Effect.open(result.files["fire.pex"], name="fire.pex", find=find)
    assert back.kind == "starling"
    with pytest.raises(RuntimeError):
        def fail(name):
            raise RuntimeError(name)
        particlekit.Effect.open(FIRE.convert("pixi", "f.json").files["f.json"], name="f.json", find=fail)
        raise RuntimeError("no image was asked for")
    opened = particlekit.Effect.open(tmp_path / "fire.pex")
    assert opened.validate() is not None and FIRE.difference(FIRE.copy()) == 0
    with pytest.raises(particlekit.UnknownFormat):
        FIRE.convert("nothing")
    png = FIRE.png(16)
    assert FIRE.copy().embed(png, "dot.png", 0) == "Images/dot.png"
    with pytest.raises(particlekit.Error):
        FIRE.copy().embed(b"nothing", "dot.png")


def test_a_file_is_written_with_its_edits_in_place():
    source = FIRE.convert("starling", "fire.pex").files["fire.pex"]
    effect = particlekit.Effect.open(source, name="fire.pex")
    assert effect.write().files == {"fire.pex": source}
    effect.emitters[0].emission.rate = 30
    written = effect.write("other.pex")
    old, new = source.splitlines(), written.files["other.pex"].splitlines()
    assert len(old) == len(new) and len([1 for a, b in zip(old, new) if a != b]) == 1 and not written.losses
    effect["asset.author"] = "Me"
    assert any("author" in loss.text for loss in effect.write().losses)
    package = particlekit.Package.open(FIRE.write().files["effect.particles"])
    assert "document.json" in package


def test_pictures():
    pixels = FIRE.thumbnail(64)
    assert pixels.shape == (64, 64, 4) and pixels.dtype == np.uint8 and pixels.max() > 100
    for size in (0, -1, 1025):
        with pytest.raises(ValueError):
            FIRE.thumbnail(size)
    assert FIRE.draw(width=40, height=20).shape == (20, 40, 4)
    frames = FIRE.frames(width=16, height=16, duration=0.5, fps=10)
    assert len(frames) == 5 and (frames[0] != frames[-1]).any()
    assert FIRE.render(format="gif", width=16, height=16, duration=0.2)[:3] == b"GIF"
    assert FIRE.render(format="png", width=16, height=16) == FIRE.png(16)
    for wrong in ({"width": 0}, {"fps": 0}, {"samples": 9}, {"background": "red"}, {"loop": "x"}, {"scale": -1},
                  {"engine": "none"}, {"start": float("nan")}, {"width": 1 << 20, "height": 1 << 20}):
        with pytest.raises(particlekit.Error) as fault:
            FIRE.render(particlekit.Plan(**wrong))
        assert fault.value.code
    near, far = (FIRE.draw(width=32, height=32, start=1.0, camera=camera) for camera in ("0,0,200", "0,0,2000"))
    assert (near[..., :3].max(axis=2) > 60).sum() > 4 * (far[..., :3].max(axis=2) > 60).sum()
    ways = [FIRE.frames(width=32, height=32, duration=1.0, fps=4, move=way) for way in (None, "circle", "0 0 0\n1 200 0")]
    assert (ways[0][2] != ways[1][2]).any() and (ways[1][2] != ways[2][2]).any()
    for wrong in ({"camera": "near"}, {"move": "nowhere"}):
        with pytest.raises(particlekit.Error, match=f"'{next(iter(wrong))}'.*expected a"):
            FIRE.draw(width=16, height=16, **wrong)
    with pytest.raises(ZeroDivisionError):
        FIRE.animate(lambda image, seconds: 1 / 0, width=16, height=16, duration=0.2)
    assert FIRE._repr_png_()[:4] == b"\x89PNG" and "data:image/webp" in FIRE._repr_html_()
    assert particlekit.Table([FIRE, "none"], size=16)._repr_html_().count("<tr>") == 3


def test_simulation():
    simulation = FIRE.simulate(seed=1)
    simulation.advance(1.0)
    columns = simulation.columns(0)
    alive, emitted = simulation.count(0)
    assert len(columns["x"]) == alive <= emitted and set(particlekit.COLUMNS) < set(columns)
    assert not columns["x"].flags.owndata and not columns["x"].flags.writeable
    assert (columns["alpha"] >= 0).all() and (np.diff(columns["ordinal"].astype(np.int64)) > 0).all()
    copy = columns["x"].copy()
    again = FIRE.simulate(seed=1)
    again.advance(1.0)
    assert (again.columns(0)["x"] == copy).all()
    # Views stay readable when the simulation goes on, grows and ends.
    for _ in range(50):
        simulation.advance(0.1)
        columns["x"].sum()
    simulation.close()
    assert columns["x"].sum() is not None
    assert again.draw(width=16, height=16).shape == (16, 16, 4)
    with pytest.raises(particlekit.Misuse):
        again.draw(width=20, height=16)
    for wrong in (-1, float("nan"), 1e9):
        with pytest.raises(particlekit.Misuse):
            again.advance(wrong)
    with pytest.raises(particlekit.Misuse):
        again.columns(99)
    assert FIRE.statistics(frames=10, seeds=1)["emitters"]


def test_threads_release_the_lock():
    done = []

    def work():
        effect = particlekit.Effect.template("snow")
        for _ in range(3):
            effect.render(format="gif", width=32, height=32, duration=0.3)
        done.append(True)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    ticks = 0
    while any(thread.is_alive() for thread in threads):
        ticks += 1
        threads[0].join(0.001)
    assert len(done) == 2 and ticks > 3


def test_cancel_from_another_thread():
    effect = FIRE.copy()
    timer = threading.Timer(0.2, effect.cancel)
    timer.start()
    with pytest.raises(particlekit.Cancelled):
        for _ in range(100):
            effect.render(format="gif", width=200, height=200, duration=8)


def test_errors():
    with pytest.raises(FileNotFoundError) as fault:
        particlekit.Effect.open("/no such file")
    assert fault.value.code == "file/not-found" and fault.value.file == "/no such file"
    copy = pickle.loads(pickle.dumps(fault.value))
    assert type(copy) is particlekit.NotFound and copy.finding == fault.value.finding
    with pytest.raises(particlekit.Misuse):
        particlekit.Package.open("a\0b")
    with pytest.raises(particlekit.NotFound):
        particlekit.Effect.template("nothing")
    with pytest.raises(particlekit.Misuse):
        particlekit.Package()["a"] = "text"
    effect = FIRE.copy()
    effect.close()
    for call in (effect.validate, effect.png, effect.save, lambda: effect["asset"], lambda: effect.convert("pixi"),
                 lambda: effect.simulate(), effect.copy, lambda: effect.package):
        with pytest.raises(particlekit.Error) as fault:
            call()
        assert fault.value.code and fault.value.place
    with pytest.raises(AttributeError):
        fault.value.finding.code = "other"


def test_every_function_of_the_header():
    """Every function with every sort of wrong handle: a status, and no crash."""
    lib = _library.lib
    gone = particlekit.Package()._handle
    effect, package = FIRE.copy(), particlekit.Package()
    # The first argument of these is no handle.
    makers = {"limits_init", "plan_init", "package_new", "package_open_memory", "package_open_source",
              "effect_open_memory", "formats_json", "templates_json", "type_of_bytes"}
    for name, codes in _library.FUNCTIONS.items():
        if name in ("free", "version", "api_version", "open_handles", "status_text") or codes[:2] == "vp":
            continue
        for handle in (0, gone, 0x1234567890, effect._handle, package._handle):
            for number in (0, -1, 1 << 30):
                rest = [{"p": None, "z": None, "d": float(number)}.get(code, number) for code in codes[2:]]
                rest = [r & 0xFFFFFFFF if code in "nu" and isinstance(r, int) else r for r, code in zip(rest, codes[2:])]
                first = handle if codes[1] == "p" and name not in makers else None if codes[1] in "zp" else 0
                result = getattr(lib, name)(first, *rest)
                assert result is None or isinstance(result, (bytes, float, int))
    assert effect.validate() == []


def test_handles_are_closed():
    gc.collect()
    before = _library.lib.open_handles()
    kept = [particlekit.Package() for _ in range(10_000)]
    assert _library.lib.open_handles() == before + 10_000
    del kept
    for _ in range(100):
        with pytest.raises(particlekit.Error):
            particlekit.Effect.open(b"nothing")
    gc.collect()
    assert _library.lib.open_handles() == before


def test_the_table_of_functions_is_the_header():
    assert 60 <= len(_library.FUNCTIONS) <= 120
    header = os.path.join(os.path.dirname(__file__), "../../CParticlesInterface/include/particles.h")
    import re
    with open(header, encoding="utf-8") as file:
        text = file.read()
    found = re.findall(r"^((?:const )?\w+ \*?)\s*particles_(\w+)\(([^;]*?)\);", text, re.M | re.S)
    kinds = {"int": "i", "int64_t": "q", "size_t": "n", "double": "d", "uint64_t": "u", "void": "v"}

    def code(kind):
        kind = kind.strip()
        if kind == "const char *":
            return "z"
        return "p" if "*" in kind or kind.endswith("_fn") else kinds[kind]

    assert len(found) == len(_library.FUNCTIONS)
    for result, name, parameters in found:
        types = [] if parameters == "void" else [
            re.sub(r"\b\w+$", "", " ".join(p.split())) for p in parameters.split(",")]
        assert _library.FUNCTIONS[name] == code(result) + "".join(map(code, types)).replace("zz", "zz"), name
    sizes = {_library.CLimits: 29 * 8, _library.CEntry: 40, _library.CBytes: 24}
    for struct, size in sizes.items():
        assert ctypes.sizeof(struct) == size


def test_a_number_out_of_range_is_refused_unless_it_may_be():
    rate = "emitters[0].emission.rate"
    with particlekit.Effect.template("fire") as effect:
        for change in (lambda: effect.set(rate, -5), lambda: effect.apply(f"{rate}=-5")):
            with pytest.raises(particlekit.InvalidValue) as fault:
                change()
            assert fault.value.code == "interface/refused" and "at least 0" in str(fault.value)
        effect.set(rate, -5, beyond=True)
        effect.apply(f"{rate}*=2", beyond=True)
        assert effect[rate] == -10 and [found.code for found in effect.validate() if found.key == rate] == ["document/range"]
        with pytest.raises(particlekit.InvalidValue):
            effect[rate] = -6
        effect["asset.name"] = "Other"
