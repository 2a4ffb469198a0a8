"""Packages keep the laws of mappings."""

from collections.abc import Mapping, MutableMapping

import pytest

import particlekit


@pytest.fixture
def package():
    package = particlekit.Package()
    package["dir/a"] = b"1"
    package["b"] = b"22"
    package["empty/sub/c"] = b""
    package.mkdir("folder")
    package.symlink("link", "b")
    return package


NAMES = (
    "dir", "dir/a", "b", "empty", "empty/sub", "empty/sub/c", "folder", "link", "none", "dir/none", "b/none", "/b", "b/", "dir//a",
    "/dir/a", "dir/a/", "//", "/", "", ".", "..", "./b", "../b", "dir/../b", "B", "a\\b", "a\nb", 5, None, b"b",
)


def test_laws(package):
    assert isinstance(package, Mapping) and isinstance(package, MutableMapping)
    keys = list(package)
    assert keys == ["b", "dir/a", "empty/sub/c"] == list(package.keys()) == [*iter(package)]
    assert len(package) == len(keys) == len(package.keys()) == len(package.items()) == len(package.values())
    assert dict(package) == {"b": b"22", "dir/a": b"1", "empty/sub/c": b""} == dict(package.items())
    for name in NAMES:
        is_in = name in keys
        assert (name in package) == is_in == (name in package.keys()), name
        if not isinstance(name, str):
            continue
        missing = object()
        assert (package.get(name, missing) is not missing) == is_in, name
        if is_in:
            assert package[name] == dict(package)[name]
        else:
            with pytest.raises(KeyError) as fault:
                package[name]
            assert isinstance(fault.value, particlekit.NotFound) and str(fault.value), name
            with pytest.raises(KeyError):
                package.open_entry(name)
            assert package.pop(name, missing) is missing
    assert list(package) == keys


def test_entries_are_all(package):
    assert [(entry.path, entry.kind) for entry in package.entries()] == [
        ("b", "file"), ("dir", "directory"), ("dir/a", "file"), ("empty", "directory"), ("empty/sub", "directory"),
        ("empty/sub/c", "file"), ("folder", "directory"), ("link", "link"),
    ]
    assert package.stat("dir").kind == "directory" and package.stat("link").target == "b"
    assert [entry.path for entry in package.entries("dir")] == ["dir/a"]
    del package["dir"], package["link"]
    assert [entry.path for entry in package.entries(recursive=False)] == ["b", "empty", "folder"]
    package.clear()
    assert package.entries() == [] and len(package) == 0


@pytest.mark.parametrize("path, right", [("/x", "x"), ("a//b", "a/b"), ("x/", "x"), ("//a///b/", "a/b"), ("/", None), ("", None)])
def test_a_path_has_one_spelling(package, path, right, tmp_path):
    (tmp_path / "f").write_bytes(b"1")
    digest = package.digest
    for change in (
        lambda: package.__setitem__(path, b"3"), lambda: package.mkdir(path), lambda: package.symlink(path, "b"),
        lambda: package.rename("b", path), lambda: package.add_file(path, tmp_path / "f"),
    ):
        with pytest.raises(particlekit.InvalidName) as fault:
            change()
        assert isinstance(fault.value, ValueError) and fault.value.entry == path and fault.value.code == "tree/name"
        assert fault.value.finding.hint == (f"did you mean '{right}'?" if right else None)
    for call in (
        lambda: package.__delitem__(path), lambda: package.stat(path), lambda: package.rename(path, "c"),
        lambda: package.set_executable(path),
    ):
        with pytest.raises(particlekit.NotFound):
            call()
    if path:
        with pytest.raises(particlekit.InvalidName):
            package.add(b"1", "name", path)
        with pytest.raises(particlekit.NotFound):
            package.entries(path)
    assert package.digest == digest


def test_other_spellings_of_characters_are_one_name(package):
    package["e\u0301"] = b"1"
    assert "\u00e9" in list(package) and package["\u00e9"] == package["e\u0301"] == b"1"
