"""What type checkers and completion know. The wheel has the table of properties as a stub."""

import ast
import os
import re
import subprocess
import sys

import pytest

import particlekit

STUB = os.path.join(os.path.dirname(particlekit.__file__), "_typed.pyi")
needs_stub = pytest.mark.skipif(not os.path.exists(STUB), reason="the wheel has the stub, and this is no wheel")

# Each line with a comment has this error. All other lines have none.
SAMPLE = '''
from typing import Any
import particlekit
effect = particlekit.Effect.open("fire.pex", format="starling")
reveal_type(effect.emitters[0].emission.maxAlive)  # "int | None"
reveal_type(effect.emitters[0].timing.loop)  # "bool"
reveal_type(effect.emitters[0].name)  # "str"
reveal_type(effect.emitters[0].forces[0].type)  # Literal['gravity']
effect.emitters[0].emission.rate = 120
effect.emitters[0].emission.rate = {"min": 1, "max": 2}
effect.emitters[0].color.base = "#ff8000"
effect.emitters[0].size.width = 2.5
effect.asset.name = "Fire"
effect.preview.size = [320, 200]
effect.emitters[0].shape.type = "ring"  # assignment
effect.emitters[0].emission.speed  # has no attribute "speed"
effect.emitters[0].emission.speed = 1  # has no attribute "speed"
effect.emitterz  # has no attribute "emitterz"
effect.asset.name = 5  # assignment
effect.emitters[0].emission.rate = "fast"  # assignment
effect.convert("starling", measure="lines", images="beside").write("out", durable=False)
effect.convert("starlin")  # arg-type
effect.render(format="gif", width=64, loop="seamless")
effect.render(fomat="gif")  # call-arg
effect.render(format="giff")  # arg-type
effect.draw(widht=64)  # call-arg
effect.save_as("a", form="flt")  # arg-type
particlekit.Effect.template("fir")  # arg-type
particlekit.Limits(entries=5)
particlekit.Limits.untrusted(entris=5)  # call-arg
def change(document: particlekit.Document) -> None:
    document.emitters[0].lifetime = 2
    document.emitters[0].lifetme = 2  # has no attribute "lifetme"
for format in particlekit.formats():
    if format.can_write:
        effect.convert(format.name)
for name in particlekit.templates():
    particlekit.Effect.template(name)
value: dict[str, Any] = effect.document
'''


@needs_stub
def test_mypy_knows_properties_and_names(tmp_path):
    pytest.importorskip("mypy")
    path = tmp_path / "sample.py"
    path.write_text(SAMPLE)
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.11", "--cache-dir", str(tmp_path / "cache"), str(path)],
        capture_output=True, text=True, cwd=tmp_path)
    found = {}
    for line in result.stdout.splitlines():
        match = re.match(r".*sample\.py:(\d+): (error:.*|note: Revealed.*)", line)
        if match:
            found.setdefault(int(match[1]), []).append(match[2])
    for number, line in enumerate(SAMPLE.splitlines(), 1):
        _, _, expected = line.partition("  # ")
        texts = found.pop(number, [])
        assert bool(expected) == bool(texts) and expected in " ".join(texts), (number, line, texts)
    assert not found, result.stdout


@needs_stub
def test_the_stub_has_every_property():
    with open(STUB, encoding="utf-8") as file:
        classes = {node.name: node for node in ast.parse(file.read()).body if isinstance(node, ast.ClassDef)}

    def member(name, key):
        for node in classes[name].body:
            if isinstance(node, ast.FunctionDef) and node.name == key:
                return ast.unparse(node.returns)
        raise AssertionError(f"{name} has no {key}")

    rows = particlekit.properties()
    assert len(rows) > 200
    for row in rows:
        kind = "Root"
        for key in row["key"].split("."):
            kind = member(kind, key.removesuffix("[]"))
            if kind == "Any":
                break
            if key.endswith("[]"):
                kind = re.fullmatch(r"NodeList\[(\w+)\]", kind)[1]
    for name in ("FormatName", "TemplateName"):
        assert re.search(rf"^{name} = Literal\[", open(STUB, encoding="utf-8").read(), re.M)


def test_settings_are_those_of_plans():
    from particlekit._plan import PlanSettings

    assert tuple(PlanSettings.__annotations__) and set(PlanSettings.__annotations__) == set(particlekit.Plan.__slots__)


def test_completion(tmp_path):
    effect = particlekit.Effect.template("fire")
    assert {"emitters", "asset", "preview", "seed", "convert", "open", "closed"} <= set(dir(effect))
    assert {"emission", "lifetime", "forces", "color", "value", "keys"} <= set(dir(effect.emitters[0]))
    assert {"rate", "bursts", "maxAlive"} <= set(dir(effect.emitters[0].emission)) and "emitters" not in dir(effect.asset)
    for part in (effect, effect.emitters[0], effect.asset):
        for name in dir(part):
            if not name.startswith("_"):
                getattr(part, name)
    effect.close()
    assert {"emitters", "convert"} <= set(dir(effect))
    effect = particlekit.Effect.template("fire")
    assert "emitters[0].emission.rate" in effect._ipython_key_completions_()
    assert "emission.rate" in effect.emitters[0]._ipython_key_completions_()
    path = tmp_path / "fire.particles"
    effect.save_as(path)
    with particlekit.Document(path, autosave="off", data_folder="") as document:
        assert {"emitters", "undo"} <= set(dir(document))
