"""``python -m particlekit``: its commands, and the tool in its place."""

import os
import struct
import sys

import pytest

import particlekit
from particlekit import __main__ as program


@pytest.fixture
def fire(tmp_path):
    path = tmp_path / "fire.particles"
    particlekit.Effect.template("fire").save_as(path)
    return str(path)


def size_of(path):
    with open(path, "rb") as file:
        data = file.read(24)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


def test_pictures_have_the_size_and_the_format_of_the_file(fire, tmp_path):
    path = str(tmp_path / "a.b.png")
    assert program._run(["render", fire, "-o", path, "--size", "9"]) == 0 and size_of(path) == (9, 9)
    assert program._run(["render", fire, "-o", path]) == 2 and size_of(path) == (9, 9)
    assert program._run(["render", fire, "-o", path, "--force"]) == 0 and size_of(path) == (512, 512)
    assert program._run(["render", fire, "-o", str(tmp_path / "a.GIF"), "--size", "4"]) == 0
    assert (tmp_path / "a.GIF").read_bytes()[:4] == b"GIF8"
    assert program._run(["render", fire, "-o", str(tmp_path / "a.xyz")]) == 2 and not (tmp_path / "a.xyz").exists()


def test_conversions_replace_files_if_they_may(fire, tmp_path):
    path = tmp_path / "a.pex"
    path.write_bytes(b"old")
    assert program._run(["convert", fire, "--to", "starling", "-o", str(path)]) == 2 and path.read_bytes() == b"old"
    assert program._run(["convert", fire, "--to", "starling", "-o", str(path), "--force"]) == 0
    assert path.read_bytes() != b"old" and particlekit.Effect.open(path).kind == "starling"


def test_lists_name_every_file_and_format(fire, capsys):
    assert program._run(["list", fire]) == 0
    listed = capsys.readouterr().out.split()
    package = particlekit.Package.open(fire)
    assert listed == [word for entry in package.entries() for word in (str(entry.size), entry.path)]
    assert program._run(["formats"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for line, row in zip(lines, particlekit.formats()):
        assert line.startswith(row.name) and line.endswith(row.title)
        assert ("read" in line[19:32], "write" in line[19:32]) == (row.can_read, row.can_write)
    assert len(lines) == len(particlekit.formats())


def test_validation_fails_with_an_error_alone(fire, tmp_path, capsys):
    assert program._run(["validate", fire]) == 0 and "error" not in capsys.readouterr().out
    package = particlekit.Effect.template("fire").package
    package["document.json"] = package["document.json"].replace(b'"emission": {', b'"emission": {"jitter": 9, ')
    package.save_as(tmp_path / "wrong.particles")
    assert program._run(["validate", str(tmp_path / "wrong.particles")]) == 1 and "error" in capsys.readouterr().out


def test_an_installed_tool_runs_and_a_script_does_not(monkeypatch, tmp_path, capsys):
    started = []
    monkeypatch.setattr(os, "execv", lambda path, arguments: started.append((path, arguments)))
    monkeypatch.setattr(sys, "argv", ["particlekit", "formats"])
    tool, script = tmp_path / "particles", tmp_path / "script"
    tool.write_bytes(b"\x7fELF and more")
    script.write_bytes(b"#!/usr/bin/env python3\n")
    monkeypatch.setenv("PARTICLES_TOOL", str(tool))
    program.main()
    assert started == [(str(tool), [str(tool), "formats"])]
    for other in (script, tmp_path / "none"):
        monkeypatch.setenv("PARTICLES_TOOL", str(other))
        capsys.readouterr()
        assert program.main(["formats"]) == 0 and "starling" in capsys.readouterr().out
    assert len(started) == 1
