"""Tests the wheel in a root with Python alone: root.py FOLDER-OF-WHEELS [SITE-PACKAGES]

The root is made of files of this machine: this Python, its standard library, the libraries that they need, and the wheel.
There is no shell, no compiler and no Swift. The tests of the wheel run there, too, with pytest and NumPy of SITE-PACKAGES.
Where chroot is not permitted, nothing is tested, and the script says so.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
UNNEEDED = {"test", "tests", "idlelib", "ensurepip", "lib2to3", "tkinter", "turtledemo", "site-packages", "dist-packages",
            "__pycache__", "distutils", "pydoc_data"}
SITE = "/site"
PLAIN = """
import os, sys, tempfile
assert not os.path.exists("/bin") and not os.path.exists("/usr/bin/cc"), "this is no root with Python alone"
import particlekit
effect = particlekit.Effect.template("fire")
effect.emitters[0].emission.rate = 50
assert effect.validate() == [] and effect.png(32)[:4] == b"\\x89PNG"
assert effect.convert("starling").files and "<iframe" in effect._repr_html_()
path = os.path.join(tempfile.mkdtemp(), "fire.particles")
effect.save_as(path)
with particlekit.Document(path, data_folder="") as document:
    document.emitters[0].emission.rate = 60
    document.save()
assert particlekit.Effect.open(path).emitters[0].emission.rate == 60
print("particlekit", particlekit.__version__, "works on Python", sys.version.split()[0], "alone")
"""


def needed(path, known):
    """The libraries that a program or a library needs, by the loader of this machine."""
    text = subprocess.run(["ldd", path], capture_output=True, text=True).stdout
    for found in re.findall(r"(/[^ ()]+) \(0x", text):
        if found not in known:
            known.add(found)
            needed(found, known)
    return known


def copy(path, root):
    target = root + path
    if not os.path.exists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(path, target)


def unneeded(folder, names):
    return [name for name in names if name in UNNEEDED or name.startswith("config-") or name.endswith(".a")]


def copy_python(root):
    program = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    libraries = needed(program, set())
    for folder in {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}:
        shutil.copytree(folder, root + folder, ignore=unneeded, symlinks=True, dirs_exist_ok=True)
        for module in glob.glob(folder + "/lib-dynload/*.so"):
            needed(module, libraries)
    copy(program, root)
    for library in libraries:
        copy(library, root)
    for folder in ("/tmp", "/dev", "/proc"):
        os.makedirs(root + folder, exist_ok=True)
    os.chmod(root + "/tmp", 0o1777)
    open(root + "/dev/null", "w").close()
    return program


def copy_tests(root, site):
    """pytest, NumPy and the tests, with the header that they compare with."""
    libraries = set()
    for name in os.listdir(site):
        if re.match(r"(_pytest|pytest|pluggy|iniconfig|packaging|pygments|numpy|numpy\.libs)(-|$|\.py$)", name.lower()) or name == "py.py":
            source = os.path.join(site, name)
            target = os.path.join(root + SITE, name)
            if os.path.isdir(source):
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "tests"), dirs_exist_ok=True)
            else:
                shutil.copy(source, target)
    for module in glob.glob(root + SITE + "/numpy/**/*.so", recursive=True):
        needed(module, libraries)
    for library in libraries:
        if not library.startswith(root):
            copy(library, root)
    sources = root + "/sources/Python/tests"
    shutil.copytree(os.path.join(HERE, "tests"), sources, ignore=shutil.ignore_patterns("test_ray*", "test_notebook*"))
    header = "CParticlesInterface/include/particles.h"
    os.makedirs(os.path.dirname(f"{root}/sources/{header}"))
    shutil.copy(os.path.join(HERE, "..", header), f"{root}/sources/{header}")


def main(wheels, site=None):
    if not sys.platform.startswith("linux"):
        print("skipped: a root of its own is made on Linux only")
        return 0
    with tempfile.TemporaryDirectory() as root:
        # Tests take the rights of another user, who has to be able to enter it.
        os.chmod(root, 0o755)
        program = copy_python(root)
        with zipfile.ZipFile(glob.glob(wheels + "/particlekit-*.whl")[0]) as wheel:
            wheel.extractall(root + SITE)
        # With /proc: the threads of Swift's Dispatch end the process without it.
        enter = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c",
                 'mount --rbind /proc "$0/proc" && exec chroot "$0" "$@"', root]
        environment = {"PYTHONPATH": SITE, "PYTHONHOME": sys.base_prefix, "HOME": "/tmp", "TMPDIR": "/tmp",
                       "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", "")}
        try:
            allowed = subprocess.run([*enter, program, "-c", ""], env=environment, capture_output=True, text=True)
        except FileNotFoundError as fault:
            print(f"skipped: {fault.filename} is not installed; the wheel was not tested with Python alone")
            return 0
        if allowed.returncode and re.search("not permitted|denied|unshare failed|mount:", allowed.stderr):
            print("skipped: chroot is not permitted here; the wheel was not tested with Python alone")
            return 0
        if allowed.returncode:
            print(allowed.stderr)
            return 1
        status = subprocess.run([*enter, program, "-c", PLAIN], env=environment, cwd="/").returncode
        if status or not site:
            return status
        copy_tests(root, site)
        tests = [*enter, program, "-m", "pytest", "-q", "-p", "no:cacheprovider", "/sources/Python/tests"]
        return subprocess.run(tests, env=environment, cwd="/").returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
