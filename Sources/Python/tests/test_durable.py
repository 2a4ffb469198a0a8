"""Every function that writes files waits for the disk, unless ``durable`` is False."""

import os
import re
import shutil
import subprocess
import sys

import pytest

import particlekit

# With a folder, a package in memory, and ``durable``. Each writes files.
WRITERS = {
    "package.save_as": "package.save_as(folder + '/a', durable=durable)",
    "package.save_as, folder": "package.save_as(folder + '/a', form='directory', durable=durable)",
    "package.save_as, replace": "package.save_as(folder + '/old.particles', replace=True, durable=durable)",
    "package.save_as, replace a folder": "package.save_as(folder + '/folder', form='directory', replace=True, durable=durable)",
    "package.write": "package.write(folder + '/a', durable=durable)",
    "package.write, folder": "package.write(folder + '/a', form='directory', durable=durable)",
    "package.extract": "package.extract(folder + '/a', durable=durable)",
    "package.save": "old['b'] = b'2'; old.save(durable=durable)",
    "effect.save_as": "effect.save_as(folder + '/a', durable=durable)",
    "effect.save": "fire['seed'] = 5; fire.save(durable=durable)",
    "exported.write": "effect.convert('starling').write(folder, durable=durable)",
    "exported.write, replace": "effect.convert('starling', 'old.pex').write(folder, replace=True, durable=durable)",
}
PROGRAM = """
import os, sys, particlekit
folder, durable = sys.argv[1], sys.argv[2] == "True"
package, effect = particlekit.Package(), particlekit.Effect.template("fire")
package["a"] = b"1"
old = particlekit.Package.open(folder + "/old.particles")
fire = particlekit.Effect.open(folder + "/fire.particles")
"""


@pytest.mark.parametrize("name", WRITERS)
def test_waiting_for_the_disk(name, tmp_path):
    if not shutil.which("strace"):
        pytest.skip("no strace")

    def flushes(durable):
        folder = tmp_path / str(durable)
        folder.mkdir()
        package = particlekit.Package()
        package["a"] = b"0"
        package.write(folder / "old.particles")
        package.write(folder / "folder", form="directory")
        particlekit.Effect.template("fire").save_as(folder / "fire.particles")
        (folder / "old.pex").write_bytes(b"0")
        before = sorted(os.listdir(folder))
        result = subprocess.run(
            ["strace", "-f", "-qq", "-e", "trace=fsync,fdatasync,syncfs", "-o", str(tmp_path / "log"), sys.executable, "-c",
             PROGRAM + WRITERS[name], str(folder), str(durable)], capture_output=True, text=True)
        if "ptrace" in result.stderr or "PTRACE" in result.stderr:
            pytest.skip("strace may not trace here")
        assert result.returncode == 0, result.stderr
        assert sorted(os.listdir(folder)) != before or any(word in name for word in ("replace", ".save")), name
        return len(re.findall(r"\b(?:fsync|fdatasync|syncfs)\(", (tmp_path / "log").read_text()))

    assert flushes(True) > 0 and flushes(False) == 0


def test_contents_do_not_depend_on_it(tmp_path):
    effect = particlekit.Effect.template("fire")
    for durable in (True, False):
        effect.package.write(tmp_path / f"{durable}.particles", durable=durable)
        effect.package.write(tmp_path / f"folder {durable}", form="directory", durable=durable)
        effect.convert("starling", "a.pex").write(tmp_path, replace=True, durable=durable)
    assert (tmp_path / "True.particles").read_bytes() == (tmp_path / "False.particles").read_bytes()
    assert particlekit.Package.open(tmp_path / "folder False") == effect.package
