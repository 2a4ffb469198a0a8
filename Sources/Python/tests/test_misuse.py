"""Wrong arguments, hostile files, callbacks that raise: an exception with code and place, and nothing that is left behind."""

import gc
import glob
import io
import os
import threading

import pytest

import particlekit
from particlekit import _library

FIRE = particlekit.Effect.template("fire")
CRASHERS = os.path.join(os.path.dirname(__file__), "../../../Fixtures/crashers/*/*")
PEX = b'<particleEmitterConfig><texture name="t.png"/><maxParticles value="10"/></particleEmitterConfig>'


def fault_of(call):
    with pytest.raises(particlekit.Error) as fault:
        call()
    assert fault.value.code and fault.value.place and str(fault.value)
    return fault.value


WRONG_TYPES = {
    "open nothing": lambda: particlekit.Effect.open(None),
    "open a number": lambda: particlekit.Effect.open(5),
    "open a package of a number": lambda: particlekit.Package.open(7),
    "open a document of a number": lambda: particlekit.Document(5),
    "limits": lambda: particlekit.Effect.open(b"{}", limits=5),
    "a limit": lambda: particlekit.Limits(entries="many"),
    "template": lambda: particlekit.Effect.template(None),
    "format": lambda: FIRE.convert(None),
    "key": lambda: FIRE[5],
    "value": lambda: FIRE.__setitem__("emitters[0].lifetime", object()),
    "document": lambda: setattr(FIRE.copy(), "document", {1: object()}),
    "size": lambda: FIRE.png("large"),
    "fraction": lambda: FIRE.render(format="gif", width=8.5),
    "seconds": lambda: FIRE.render(format="gif", duration="long"),
    "background": lambda: FIRE.render(format="gif", background=5),
    "seed": lambda: FIRE.simulate(seed="a"),
    "advance": lambda: FIRE.simulate().advance("x"),
    "columns": lambda: FIRE.simulate().columns("x"),
    "entry": lambda: particlekit.Package().__setitem__(5, b""),
    "embed": lambda: FIRE.copy().embed("text", "a.png"),
}


@pytest.mark.parametrize("name", WRONG_TYPES)
def test_wrong_types(name):
    fault = fault_of(WRONG_TYPES[name])
    assert isinstance(fault, particlekit.WrongType) and isinstance(fault, TypeError) and isinstance(fault, particlekit.Misuse)


WRONG_VALUES = {
    "zero": lambda: particlekit.Effect.open("a\0b"),
    "surrogate": lambda: particlekit.Effect.open("\udc80"),
    "format": lambda: particlekit.Effect.open(b"{}", format="none"),
    "size": lambda: FIRE.png(0),
    # C would drop the bits that have no room.
    "large size": lambda: FIRE.png((1 << 32) + 16),
    "large thumbnail": lambda: FIRE.thumbnail((1 << 32) + 16),
    "negative seed": lambda: FIRE.simulate(seed=-1),
    "large seed": lambda: FIRE.simulate(seed=1 << 64),
    "large emitter": lambda: FIRE.simulate().count(1 << 64),
    "large limit": lambda: particlekit.Limits(entries=1 << 64),
    "statistics": lambda: FIRE.statistics(frames=1 << 32),
    "element": lambda: FIRE.emitters[99],
    "attribute": lambda: FIRE.emitters[0].nothing,
    "file name": lambda: FIRE.convert("pixi", "a/b.json"),
    "folder": lambda: FIRE.convert("pixi").write("/no such folder"),
    "level": lambda: particlekit.Package().encode("none"),
    "in memory": lambda: particlekit.Package().save(),
    "name": lambda: particlekit.Package().__setitem__("../a", b""),
    "type": lambda: particlekit.type_of("/no such file"),
    "autosave": lambda: particlekit.Document("a.particles", autosave="none"),
}


@pytest.mark.parametrize("name", WRONG_VALUES)
def test_wrong_values(name):
    fault_of(WRONG_VALUES[name])


def test_exceptions_are_those_of_python():
    assert not hasattr(FIRE, "nothing") and isinstance(fault_of(lambda: FIRE.nothing), AttributeError)
    assert isinstance(fault_of(lambda: FIRE.emitters[99]), IndexError)
    assert len(list(FIRE.emitters)) == len(FIRE.emitters)
    fault = fault_of(lambda: FIRE.convert("pixi").write("/no such folder"))
    assert isinstance(fault, FileNotFoundError) and fault.code == "file/not-found" and fault.file.startswith("/no such folder")
    assert fault_of(lambda: FIRE.simulate(seed=-1)).place == "Effect.simulate"


def test_callbacks_that_raise(tmp_path):
    def fail(*_):
        raise ZeroDivisionError

    package = particlekit.Package()
    package["a"] = bytes(100)
    for call in (
        lambda: particlekit.Effect.open(PEX, name="a.pex", find=fail),
        lambda: package.extract(tmp_path / "out", progress=fail),
        lambda: package.save_as(tmp_path / "a.particles", progress=fail),
        lambda: FIRE.render(format="gif", width=8, height=8, duration=0.3, progress=fail),
        lambda: FIRE.animate(fail, width=8, height=8, duration=0.3),
    ):
        with pytest.raises(ZeroDivisionError):
            call()
    assert os.listdir(tmp_path) == []
    with pytest.raises(particlekit.Cancelled):
        package.extract(tmp_path / "out", progress=lambda done, total: False)
    assert os.listdir(tmp_path) == []

    class Broken(io.BytesIO):
        def read(self, *_):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        particlekit.Package.open(Broken(bytes(100)))


def test_unpacking_changed_contents_is_whole_or_not_at_all(tmp_path):
    package = particlekit.Package()
    package["a/b"] = b"1"
    package.extract(tmp_path / "out", durable=False)
    assert (tmp_path / "out/a/b").read_bytes() == b"1"
    assert isinstance(fault_of(lambda: package.extract(tmp_path / "out")), particlekit.Exists)
    package.extract(tmp_path / "out", replace=True)


def test_two_threads_on_two_handles():
    faults = []

    def work(name):
        for number in range(20):
            effect = particlekit.Effect.template(name)
            effect.emitters[0].emission.rate = number
            for wrong in (lambda: effect["none"], lambda: effect.convert("none"), lambda: effect.png(0)):
                try:
                    wrong()
                    faults.append("no exception")
                except particlekit.Error as fault:
                    if not fault.code or not fault.place:
                        faults.append(fault)
            if effect.emitters[0].emission.rate != number:
                faults.append("another value")

    threads = [threading.Thread(target=work, args=(name,)) for name in ("fire", "snow")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


@pytest.mark.parametrize("path", sorted(glob.glob(CRASHERS)))
def test_hostile_files(path):
    gc.collect()
    before = _library.lib.open_handles()
    for limits in (None, particlekit.Limits.untrusted()):
        for source in (path, open(path, "rb").read()):
            try:
                with particlekit.Effect.open(source, name=os.path.basename(path), limits=limits) as effect:
                    effect.validate()
                    effect.thumbnail(16)
            except particlekit.Error as fault:
                assert fault.code and fault.place
    gc.collect()
    assert _library.lib.open_handles() <= before
