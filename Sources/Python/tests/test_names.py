"""Names of files that are not UTF-8, as archives of other systems have them. Python has their bytes as surrogates."""

import os
import pickle

import pytest

import particlekit
from particlekit import __main__ as program

FIRE = particlekit.Effect.template("fire")
# Latin-1, Shift-JIS, and bytes that begin a character of UTF-8 and end too early.
NAMES = [b"caf\xe9", "花火".encode("shift_jis"), b"a\xf0\x9f\x94", b"\xff\xfe", b"\xc3\xa9 \xe9"]


@pytest.fixture(params=NAMES, ids=ascii)
def folder(request, tmp_path):
    path = os.path.join(os.fsencode(tmp_path), request.param)
    try:
        os.mkdir(path)
    except OSError:
        pytest.skip("the file system refuses such names")
    return os.fsdecode(path)


def test_packages(folder):
    name = os.path.basename(folder) + ".particles"
    path = os.path.join(folder, name)
    FIRE.save_as(path)
    assert os.listdir(folder) == [name]
    with particlekit.Effect.open(path) as effect:
        assert effect.emitters and effect.validate() == []
        effect["seed"] = 7
        effect.save()
    for source in (path, os.path.join(folder, os.listdir(folder)[0]), next(os.scandir(os.fsencode(folder)))):
        with particlekit.Package.open(source) as package:
            assert package.path == path and "document.json" in package and str(repr(package)).encode()
            package["notes.txt"] = b"1"
            package.save()
            package.save(mode="replace")
    with particlekit.Package.open(path) as package:
        assert package["notes.txt"] == b"1" and package.verify() == []
        package.write(path + ".folder", form="directory")
        package.write(path, replace=True)
        package.extract(os.path.join(folder, "out"))
        package.add_file("added.bin", path)
        assert package["added.bin"] == open(path, "rb").read()
    assert particlekit.Package.open(path + ".folder")["notes.txt"] == b"1"
    found, faults = particlekit.Package.recover(path)
    assert found["notes.txt"] == b"1" and particlekit.type_of(path)["identifier"]
    assert sorted(os.listdir(folder)) == sorted([name, name + ".folder", "out"])
    assert particlekit.Effect.open(path)["seed"] == 7


def test_effects_of_other_formats(folder):
    exported = FIRE.convert("starling", "fire.pex").write(folder)
    path = os.path.join(folder, os.path.basename(folder) + ".pex")
    os.rename(exported[0], path)
    effect = particlekit.Effect.open(path, image_folders=[folder])
    assert effect.kind == "starling" and not [finding for finding in effect.findings if finding.code == "image/missing"]
    # The name of the effect is text.
    name = effect.get("asset.name") or ""
    assert "\0" not in name and name.encode() and "\0" not in str(effect.document)
    with open(path, "rb") as file:
        assert particlekit.Effect.open(file, image_folders=[folder]).kind == "starling"
    effect.save_as(path + ".particles")
    assert particlekit.Effect.open(path + ".particles").get("asset.name") == effect.get("asset.name")


def test_errors_have_the_name(folder):
    path = os.path.join(folder, "none")
    with pytest.raises(FileNotFoundError) as fault:
        particlekit.Effect.open(path)
    assert fault.value.filename == fault.value.file == path
    assert "\\x" in str(fault.value) and str(fault.value).encode()
    assert pickle.loads(pickle.dumps(fault.value)).filename == path


def test_documents(folder):
    path = os.path.join(folder, "fire.particles")
    FIRE.package.write(path)
    with particlekit.Document(path, autosave="off", data_folder=os.path.join(folder, "data")) as document:
        assert document.path == path and repr(document).encode()
        document["seed"] = 9
        document.save()
    assert particlekit.Effect.open(path)["seed"] == 9


def test_program(folder, capsys):
    path = os.path.join(folder, "fire.particles")
    FIRE.package.write(path)
    assert program._run(["info", path]) == 0 and "emitters" in capsys.readouterr().out
    assert program._run(["convert", path, "--to", "starling", "-o", os.path.join(folder, "a.pex")]) == 0
    assert "a.pex" in os.listdir(folder)


def test_entries_are_text():
    package = particlekit.Package()
    for wrong in ("caf\udce9", "\ud800"):
        with pytest.raises(particlekit.Misuse):
            package[wrong] = b""
    with pytest.raises(particlekit.Misuse):
        particlekit.Effect.open("\ud800")
