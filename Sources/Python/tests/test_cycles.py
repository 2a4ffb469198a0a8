"""Exceptions and callbacks leave no reference cycles: without the collector of cycles, everything is closed and freed."""

import contextlib
import gc
import io

import pytest

import particlekit
from particlekit import _library

FIRE = particlekit.Effect.template("fire")
PEX = b'<particleEmitterConfig><texture name="t.png"/><maxParticles value="10"/></particleEmitterConfig>'


def fail(*_):
    raise ZeroDivisionError


def package():
    package = particlekit.Package()
    package["a"] = bytes(100)
    return package


def columns():
    simulation = FIRE.simulate(seed=1)
    for _ in range(3):
        simulation.advance(0.25)
        assert len(simulation.columns()["x"]) and not simulation.columns()["x"].flags.writeable


def document(folder, change):
    path = folder / "fire.particles"
    FIRE.package.save_as(path, replace=True)
    with particlekit.Document(path, autosave="off", data_folder="") as document:
        document.edit("Change", change)


CALLS = {
    "convert": lambda folder: FIRE.convert("starling"),
    "convert to none": lambda folder: FIRE.convert("none"),
    "open nothing": lambda folder: particlekit.Effect.open(folder / "none"),
    "open with folders": lambda folder: particlekit.Effect.open(PEX, name="a.pex", image_folders=[folder, folder / "none"]),
    "open damaged": lambda folder: particlekit.Package.open(b"damaged"),
    "find": lambda folder: particlekit.Effect.open(PEX, name="a.pex", find=lambda name: b"no image"),
    "find fails": lambda folder: particlekit.Effect.open(PEX, name="a.pex", find=fail),
    "read": lambda folder: particlekit.Package.open(io.BytesIO(package().encode()))["a"],
    "writable bytes": lambda folder: [package().__setitem__("a", bytearray(number)) for number in range(50)],
    "read pieces": lambda folder: [package().open_entry("a").read(number) for number in range(50)],
    "entry": lambda folder: package()["none"],
    "stat": lambda folder: package().stat("none"),
    "in": lambda folder: "none" in package(),
    "list": lambda folder: package().entries("none"),
    "property": lambda folder: FIRE["none"],
    "get": lambda folder: FIRE.get("asset.author"),
    "attribute": lambda folder: FIRE.none,
    "attribute of a part": lambda folder: FIRE.emitters[0].none,
    "element": lambda folder: FIRE.emitters[99],
    "value": lambda folder: FIRE.copy().__setitem__("emitters[0].lifetime", -1),
    "wrong type": lambda folder: FIRE.copy().__setitem__("emitters[0].lifetime", object()),
    "validate": lambda folder: FIRE.validate(),
    "progress": lambda folder: package().save_as(folder / "p.particles", replace=True, progress=lambda done, total: None),
    "progress fails": lambda folder: package().save_as(folder / "q.particles", progress=fail),
    "cancel": lambda folder: package().extract(folder / "out", progress=lambda done, total: False),
    "render": lambda folder: FIRE.render(format="gif", width=8, height=8, duration=0.1),
    "animate fails": lambda folder: FIRE.animate(fail, width=8, height=8, duration=0.1),
    "write": lambda folder: FIRE.convert("starling").write(folder / "none"),
    "closed": lambda folder: particlekit.Package.open(b"")["a"],
    "columns": lambda folder: columns(),
    "no columns": lambda folder: FIRE.simulate().columns(99),
    "digest": lambda folder: package().digest,
    "limits": lambda folder: particlekit.Effect.open(PEX, name="a.pex", limits=particlekit.Limits(entries=5)),
    "document": lambda folder: FIRE.document,
    "embed": lambda folder: FIRE.copy().embed(b"no image", "a.png"),
    "statistics": lambda folder: FIRE.statistics(frames=2, seeds=1),
    "draw": lambda folder: (FIRE.draw(width=8, height=8), FIRE.thumbnail(16)),
    "edit": lambda folder: document(folder, lambda effect: None),
    "edit fails": lambda folder: document(folder, fail),
}


@pytest.mark.parametrize("name", CALLS)
def test_nothing_waits_for_the_collector(name, tmp_path):
    def call():
        with contextlib.suppress(particlekit.Error, ZeroDivisionError):
            CALLS[name](tmp_path)

    call()
    gc.collect()
    gc.disable()
    try:
        before = _library.lib.open_handles()
        for _ in range(3):
            call()
        assert _library.lib.open_handles() <= before and gc.collect() == 0
    finally:
        gc.enable()


def test_four_hundred_conversions_without_the_collector():
    gc.collect()
    gc.disable()
    try:
        before = _library.lib.open_handles()
        for number in range(400):
            with contextlib.suppress(particlekit.Error):
                FIRE.convert("none" if number % 2 else "starling")
        assert _library.lib.open_handles() == before
    finally:
        gc.enable()
