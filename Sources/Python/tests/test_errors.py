"""Exceptions as Python programs expect them."""

import contextlib
import errno
import os
import pickle
import tempfile

import pytest

import particlekit
from particlekit import _errors

FIRE = particlekit.Effect.template("fire")


def fault_of(call):
    with pytest.raises(particlekit.Error) as fault:
        call()
    return fault.value


def check(fault, kind, number, path):
    assert isinstance(fault, kind) and isinstance(fault, OSError) and fault.errno == number, repr(fault)
    assert fault.filename == fault.file == str(path) and fault.strerror
    again = pickle.loads(pickle.dumps(fault))
    assert type(again) is type(fault) and (again.errno, again.filename) == (number, str(path))


def test_errors_of_the_system_have_numbers_and_paths(tmp_path):
    package = particlekit.Package()
    none, file, folder = tmp_path / "none", tmp_path / "file", tmp_path / "folder"
    file.write_bytes(b"1")
    folder.mkdir()
    check(fault_of(lambda: particlekit.Effect.open(none)), FileNotFoundError, errno.ENOENT, none)
    check(fault_of(lambda: particlekit.Package.open(file / "below")), NotADirectoryError, errno.ENOTDIR, file / "below")
    check(fault_of(lambda: package.save_as(none / "a")), FileNotFoundError, errno.ENOENT, none / "a")
    check(fault_of(lambda: package.save_as(file)), FileExistsError, errno.EEXIST, file)
    exported = FIRE.convert("starling", "folder")
    check(fault_of(lambda: exported.write(tmp_path, replace=True)), IsADirectoryError, errno.EISDIR, folder)
    check(fault_of(lambda: exported.write(tmp_path)), FileExistsError, errno.EEXIST, folder)
    check(fault_of(lambda: exported.write(none)), FileNotFoundError, errno.ENOENT, none / "folder")
    long = tmp_path / ("a" * 300)
    check(fault_of(lambda: package.save_as(long)), particlekit.SystemFault, errno.ENAMETOOLONG, long)


@contextlib.contextmanager
def another_user():
    """The superuser may read all files. Another user may not."""
    user = os.geteuid()
    if not user:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_permission_denied_is_a_permission_error():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.pex")
        with open(path, "wb") as file:
            file.write(b"1")
        os.chmod(path, 0)
        os.chmod(folder, 0o555)
        with another_user():
            new = os.path.join(folder, "new.particles")
            for call, place in (
                (lambda: particlekit.Effect.open(path), path), (lambda: particlekit.Package.open(path), path),
                (lambda: FIRE.package.save_as(new), folder), (lambda: FIRE.convert("starling", "a.pex").write(folder, replace=True), path),
            ):
                try:
                    call()
                except PermissionError as fault:
                    check(fault, particlekit.PermissionDenied, errno.EACCES, place)
                else:
                    raise AssertionError("no exception")
        os.chmod(folder, 0o755)


def test_kinds_without_a_system_call_have_the_number_of_their_class():
    package = particlekit.Package()
    fault = fault_of(lambda: package["none"])
    assert isinstance(fault, KeyError) and (fault.errno, fault.filename) == (errno.ENOENT, "none")
    kinds = [kind for kind in vars(_errors).values() if isinstance(kind, type) and issubclass(kind, particlekit.Error) and issubclass(kind, OSError)]
    assert len(kinds) >= 8
    for kind in kinds:
        fault = kind(particlekit.Finding({"message": "m", "file": "f"}, "f: m"))
        assert fault.filename == "f" and (fault.errno is None) == (kind is particlekit.SystemFault)
        if fault.errno and kind is not particlekit.ReadOnly:
            assert isinstance(fault, type(OSError(fault.errno, "")))
