"""The public interface: documented, counted, and usable without NumPy and without the tool."""

import inspect
import os
import subprocess
import sys

import pytest

import particlekit
from particlekit import __main__ as program


def members():
    """The names of all public functions, classes, methods and properties, with the object that has the docstring."""
    for name in particlekit.__all__:
        value = getattr(particlekit, name)
        if inspect.isclass(value):
            yield name, value
            for member in dir(value):
                kind = inspect.getattr_static(value, member)
                own = any(member in vars(base) for base in value.__mro__ if base.__module__.startswith("particlekit"))
                if not member.startswith("_") and own and (callable(kind) or isinstance(kind, (property, classmethod, staticmethod))):
                    yield f"{name}.{member}", kind
        elif callable(value):
            yield name, value


def test_every_public_member_has_a_docstring():
    found = dict(members())
    assert len(found) > 100
    assert [name for name, value in found.items() if not (inspect.getdoc(value) or "").strip()] == []


def test_the_number_of_open_handles():
    before = particlekit.open_handles()
    package = particlekit.Package()
    assert particlekit.open_handles() == before + 1
    package.close()
    assert particlekit.open_handles() == before and "open_handles" in particlekit.__all__


def test_info_prints_lines(tmp_path, capsys):
    effect = particlekit.Effect.template("fire")
    effect.asset.name = "Torch\nof doom"
    path = tmp_path / "torch.particles"
    effect.save_as(path)
    exported = effect.convert("starling", "torch.pex").write(tmp_path)
    assert program._run(["info", str(path), exported[0]]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{path}: particles" and "  name: Torch\\nof doom" in lines
    assert any(line.startswith("  emitters: ") and "1" in line for line in lines) and "" in lines
    assert any(line.startswith("  files: ") and "document.json" in line for line in lines)
    assert any(line.startswith(f"{exported[0]}: starling") for line in lines)
    assert not any("<particlekit" in line for line in lines)
    assert program._run(["info", str(tmp_path / "none")]) == 2


@pytest.mark.parametrize("call", [
    "effect.thumbnail(16)", "effect.draw(width=8, height=8)", "effect.frames(width=8, height=8, duration=0.1)",
    "effect.simulate().columns()", "effect.simulate().draw(width=8, height=8)",
])
def test_missing_numpy_names_what_to_install(call):
    code = (
        "import sys\nsys.modules['numpy'] = None\nimport particlekit\neffect = particlekit.Effect.template('fire')\n"
        "assert effect.png(16)[:4] == b'\\x89PNG'\n"
        f"try: {call}\nexcept ImportError as fault: print(fault)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "particlekit[numpy]" in result.stdout and "NumPy" in result.stdout, result.stderr
