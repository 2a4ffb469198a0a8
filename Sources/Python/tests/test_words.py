"""Places and texts of errors use the names of Python, and suggest the meant name."""

import re

import pytest

import particlekit
from particlekit import _library

FIRE = particlekit.Effect.template("fire")


def fault_of(call):
    with pytest.raises(particlekit.Error) as fault:
        call()
    return fault.value


def closed(value):
    value.close()
    return value


CLOSED = {
    "Package.__getitem__": lambda package, effect, simulation: package["a"],
    "Package.__setitem__": lambda package, effect, simulation: package.__setitem__("a", b""),
    "Package.save_as": lambda package, effect, simulation: package.save_as("a"),
    "Package.copy": lambda package, effect, simulation: package.copy(),
    "Package.entries": lambda package, effect, simulation: package.entries(),
    "Effect.open": lambda package, effect, simulation: particlekit.Effect.open(package),
    "Effect.convert": lambda package, effect, simulation: effect.convert("starling"),
    "Effect.simulate": lambda package, effect, simulation: effect.simulate(),
    "Effect.difference": lambda package, effect, simulation: FIRE.difference(effect),
    "Effect.__getitem__": lambda package, effect, simulation: effect["emitters"],
    "Effect.__setitem__": lambda package, effect, simulation: effect.__setitem__("seed", 1),
    "Effect.png": lambda package, effect, simulation: effect.png(),
    "Effect.apply": lambda package, effect, simulation: effect.apply("seed=1"),
    "Simulation.advance": lambda package, effect, simulation: simulation.advance(1),
}


@pytest.mark.parametrize("place", CLOSED)
def test_what_is_closed_is_named(place):
    objects = closed(particlekit.Package()), closed(FIRE.copy()), closed(FIRE.simulate())
    fault = fault_of(lambda: CLOSED[place](*objects))
    kind = "Package" if place == "Effect.open" else place.partition(".")[0]
    assert isinstance(fault, particlekit.Misuse) and fault.finding.message == f"the {kind} is closed"
    assert fault.place.partition(".")[2] == place.partition(".")[2]
    assert "handle" not in str(fault)


def test_a_closed_document(tmp_path):
    path = tmp_path / "fire.particles"
    FIRE.package.save_as(path)
    document = closed(particlekit.Document(path, autosave="off", data_folder=""))
    for call, place in ((lambda: document["seed"], "Document.__getitem__"), (document.save, "Document.save"), (document.undo, "Document.undo")):
        fault = fault_of(call)
        assert fault.finding.message == "the Document is closed" and fault.place == place
    file = particlekit.Package.open(FIRE.package.encode()).open_entry("document.json")
    file.close()
    with pytest.raises(ValueError):
        file.read()


@pytest.mark.parametrize("call, word, kind", [
    (lambda: FIRE.convert("starlin"), "starling", particlekit.UnknownFormat),
    (lambda: FIRE.convert("Starling"), "starling", particlekit.UnknownFormat),
    (lambda: FIRE.convert("scenkit", "a.scnp"), "scenekit", particlekit.UnknownFormat),
    (lambda: particlekit.Effect.open(b"{}", format="pixie"), "pixi", particlekit.UnknownFormat),
    (lambda: FIRE.render(format="giff"), "gif", ValueError),
    (lambda: FIRE.render(fomat="gif"), "format", TypeError),
    (lambda: FIRE.render(widht=8), "width", TypeError),
    (lambda: FIRE.draw(heigth=8), "height", TypeError),
    (lambda: FIRE.simulate().draw(heigth=8), "height", TypeError),
    (lambda: particlekit.Package().encode("bst"), "best", ValueError),
    (lambda: particlekit.Limits(entris=1), "entries", ValueError),
    (lambda: FIRE.emitters[0].emision, "emission", AttributeError),
    (lambda: FIRE.emiters, "emitters", AttributeError),
])
def test_what_was_meant(call, word, kind):
    fault = fault_of(call)
    assert isinstance(fault, kind) and f"did you mean '{word}'?" in str(fault)


def test_no_function_of_c_is_a_place():
    package = particlekit.Package()
    for call, place in (
        (lambda: package.__setitem__("../a", b""), "Package.__setitem__"), (lambda: package.extract(__file__), __file__),
        (lambda: particlekit.Package.open(b"damaged"), None), (lambda: FIRE.convert("pixi", "a/b"), "Effect.convert"),
        (lambda: FIRE.simulate(engine="none"), "Effect.simulate"), (lambda: FIRE.thumbnail(0), "Effect.thumbnail"),
        (lambda: FIRE.apply("nothing"), "nothing"), (lambda: package.save(), "Package.save"),
        (lambda: particlekit.type_of("/no such file"), "type_of"), (lambda: particlekit.Effect.template("q"), "Effect.template"),
        (lambda: particlekit.Package.recover(b"a\0"), "Package.recover"),
    ):
        fault = fault_of(call)
        if place is not None:
            assert fault.place == place, fault.place
        for name in _library.FUNCTIONS:
            if "_" in name:
                assert not re.search(rf"\b(particles_)?{name}\b", f"{fault.place} {fault}"), str(fault)
