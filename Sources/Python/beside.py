"""Installs the wheel beside another project: beside.py FOLDER-OF-WHEELS, with the Python of a virtual environment.

PyPI has a project `particles` for sequential Monte Carlo methods. A stand-in with its distribution and import name is
made here, because the project itself needs NumPy 1 and numba. Both have to be installed and imported together.
"""

import glob
import importlib.metadata
import os
import subprocess
import sys
import tempfile
import zipfile

INFO = "particles-0.4.dist-info"
FILES = {
    "particles/__init__.py": "SMC = 'sequential Monte Carlo'\n",
    f"{INFO}/METADATA": "Metadata-Version: 2.1\nName: particles\nVersion: 0.4\n",
    f"{INFO}/WHEEL": "Wheel-Version: 1.0\nGenerator: beside.py\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    f"{INFO}/RECORD": f"particles/__init__.py,,\n{INFO}/METADATA,,\n{INFO}/WHEEL,,\n{INFO}/RECORD,,\n",
}


def main(wheels):
    [ours] = glob.glob(os.path.join(wheels, "*.whl"))
    with tempfile.TemporaryDirectory() as folder:
        other = os.path.join(folder, "particles-0.4-py3-none-any.whl")
        with zipfile.ZipFile(other, "w") as wheel:
            for name, text in FILES.items():
                wheel.writestr(name, text)
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", ours, other]
        subprocess.run(install, check=True)
    import particlekit
    import particles

    assert particles.SMC and not hasattr(particles, "Effect"), particles
    assert particlekit.Effect.template("fire").emitters and not hasattr(particlekit, "SMC"), particlekit
    files = [{str(path) for path in importlib.metadata.files(name)} for name in ("particlekit", "particles")]
    assert not files[0] & files[1], files[0] & files[1]
    print("particlekit", importlib.metadata.version("particlekit"), "beside particles", importlib.metadata.version("particles"))


main(*sys.argv[1:])
