"""Bounds and defaults, which the package and the library share, and files that are written or left as they were."""

import ctypes
import os

import pytest

import particlekit
from particlekit import _handles, _library
from particlekit._library import lib

FIRE = particlekit.Effect.template("fire")


def test_the_default_plan_is_that_of_the_library():
    plan = _library.CPlan()
    lib.plan_init(ctypes.byref(plan), ctypes.sizeof(plan))
    ours = particlekit.Plan()._c()
    for name, _ in plan._fields_:
        of_library, of_package = getattr(plan, name), getattr(ours, name)
        if isinstance(of_library, ctypes.Array):
            of_library, of_package = list(of_library), list(of_package)
        # Every time below 0 is chosen.
        if name in ("start", "duration", "pause"):
            of_library, of_package = of_library < 0, of_package < 0
        assert of_library == of_package, name


@pytest.mark.parametrize("code, kind", [("i", ctypes.c_int32), ("q", ctypes.c_int64), ("u", ctypes.c_uint64), ("n", ctypes.c_size_t)])
def test_integers_have_the_range_of_their_type(code, kind):
    bits = 8 * ctypes.sizeof(kind)
    low = -(1 << (bits - 1)) if code in "iq" else 0
    # A size is a positive number of 64 bits with a sign.
    high = (1 << bits) - 1 if code == "u" else (1 << (bits - 1)) - 1
    for number in (low, 0, high):
        assert _handles.integer(number, code, "x") == number
    for number in (low - 1, high + 1):
        with pytest.raises(particlekit.Misuse, match=f"'x' is {number}; expected {low} to {high}"):
            _handles.integer(number, code, "x")


def test_emitters_are_counted_one_by_one():
    simulation = FIRE.simulate(seed=1)
    simulation.advance(0.5)
    counts = [simulation.count(emitter) for emitter in range(len(simulation))]
    assert all(0 < alive <= emitted for alive, emitted in counts)
    for wrong in (-1, -2, len(simulation)):
        with pytest.raises(particlekit.Misuse):
            simulation.count(wrong)


@pytest.mark.parametrize("form", ["flat", "directory"])
def test_a_package_knows_its_form(form, tmp_path):
    package = particlekit.Package()
    package["a"] = b"1"
    assert package.form is None and package.path is None
    package.save_as(tmp_path / "p.particles", form=form)
    assert package.form == form == particlekit.Package.open(tmp_path / "p.particles").form
    assert (tmp_path / "p.particles").is_dir() == (form == "directory")


def test_a_text_is_no_file():
    package = particlekit.Package()
    with pytest.raises(particlekit.Misuse, match="encode the text"):
        package["a"] = "text"
    assert len(package) == 0


def test_a_conversion_has_every_file_that_it_names():
    files = FIRE.convert("starling", "a.pex", images="beside").files
    images = {name for name, data in files.items() if not name.endswith(".pex")}
    named = {name for name in images for data in files.values() if f'name="{name}"'.encode() in data}
    assert len(files) - len(images) == len(FIRE.emitters) == 3
    assert images == named == {"flame.png", "ember.png", "smoke.png"}


@pytest.mark.parametrize("links", [True, False])
def test_replaced_files_come_back_after_a_failure(links, tmp_path, monkeypatch):
    def refused(*_, **__):
        raise OSError("no links here")

    if not links:
        monkeypatch.setattr(os, "link", refused)
    exported = FIRE.convert("starling", "a.pex")
    # The last one cannot be replaced.
    names = list(exported.files)
    for name in names[:-1]:
        (tmp_path / name).write_bytes(b"old " + name.encode())
    (tmp_path / names[-1]).mkdir()
    for _ in range(2):
        with pytest.raises(particlekit.Error):
            exported.write(tmp_path, replace=True)
        assert sorted(os.listdir(tmp_path)) == sorted(names)
        assert all((tmp_path / name).read_bytes() == b"old " + name.encode() for name in names[:-1])
    (tmp_path / names[-1]).rmdir()
    exported.write(tmp_path, replace=True)
    assert {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)} == exported.files
