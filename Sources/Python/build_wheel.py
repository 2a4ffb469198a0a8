"""Writes the wheel: build_wheel.py LIBRARY FOLDER [TOOL]. Needs only Python 3.11. The bytes depend only on the inputs.

The player of notebooks is a page that the tool writes. Without the tool, notebooks show moving pictures.
"""

import base64
import hashlib
import os
import re
import stat
import subprocess
import sys
import tempfile
import zipfile

# What particlekit.ray needs.
RAY = ("ray[data]>=2.50", "pyarrow", "numpy", "pandas", "fsspec", "scikit-learn")
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../Packaging"))
sys.dont_write_bytecode = True

import facts  # noqa: E402
import typed  # noqa: E402


def glibc(library):
    """The newest version of glibc that the library asks for."""
    text = subprocess.run(["nm", "-D", "--undefined-only", library], capture_output=True, text=True, check=True).stdout
    versions = [tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([0-9]+\.[0-9]+)", text)]
    return max(versions)


# A page in a notebook shows the effect alone. Where scripts are blocked, a moving picture behind it is seen.
STYLE = """
:root { color-scheme: normal; }
body { background: none; }
header, form, noscript, #message.warning { display: none !important; }
"""


def player(tool):
    """The page of an effect with places for title, settings and effect, or None if the tool has no module for pages."""
    with tempfile.TemporaryDirectory() as folder:
        effect, page = os.path.join(folder, "effect.particles"), os.path.join(folder, "effect.html")
        subprocess.run([tool, "new", "--quiet", effect, "--template", "blank"], check=True)
        subprocess.run([tool, "render", "--quiet", effect, "-o", page], check=True)
        with open(page, encoding="utf-8") as file:
            text = file.read()
    if 'id="effect-data"' not in text:
        return None

    def place(pattern, new):
        nonlocal text
        text, count = re.subn(pattern, lambda found: found[1] + new + found[2], text, flags=re.S)
        assert count == 1, pattern

    style = re.search(r"<style>(.*?)</style>", text, re.S)[1] + STYLE
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    place("(<style>).*?(</style>)", style)
    place("(style-src )'sha256-[^']*'(;)", f"'sha256-{digest}'")
    for tag in ("title", "h1"):
        place(f"(<{tag}>).*?(</{tag}>)", "{{title}}")
    for name in ("effect-data", "settings"):
        place(f'(<script type="[^"]*" id="{name}">).*?(</script>)', "{{" + name + "}}")
    return text.encode()


def typing_of(library):
    """What type checkers know of the tables of the library."""
    os.environ["PARTICLES_LIBRARY"] = os.path.abspath(library)
    sys.path.insert(0, HERE)
    import particlekit

    return typed.stub(particlekit)


def main(library, folder, tool=None):
    with open(os.path.join(HERE, "..", "ParticlesC", "Library.swift"), encoding="utf-8") as file:
        version = re.search(r'StaticString = "(.*)"', file.read()).group(1)
    machine = os.uname().machine
    major, minor = glibc(library)
    tag = f"py3-none-manylinux_{major}_{minor}_{machine}"
    files = {}
    package = os.path.join(HERE, "particlekit")
    for below in ("", "ray/"):
        for name in sorted(os.listdir(os.path.join(package, below))):
            if name.endswith(".py") or name == "py.typed":
                with open(os.path.join(package, below, name), "rb") as file:
                    files[f"particlekit/{below}{name}"] = file.read()
    files["particlekit/_typed.pyi"] = typing_of(library).encode()
    page = player(tool) if tool else None
    if page:
        files["particlekit/player.html"] = page
    with open(library, "rb") as file:
        files["particlekit/libparticles.so.1"] = file.read()
    info = f"particlekit-{version}.dist-info"
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    with open(os.path.join(HERE, "..", "..", "LICENSE"), "rb") as file:
        files[f"{info}/licenses/LICENSE"] = file.read()
    files[f"{info}/licenses/libraries"] = facts.notices().encode()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.4\nName: particlekit\nVersion: {version}\nSummary: Particle effects of many engines: "
        "packages, conversions, pictures, simulations\nLicense-Expression: MIT\nLicense-File: LICENSE\nLicense-File: libraries\n"
        "Requires-Python: >=3.11\nProvides-Extra: numpy\nRequires-Dist: numpy; extra == 'numpy'\n"
        "Provides-Extra: ray\n" + "".join(f"Requires-Dist: {name}; extra == 'ray'\n" for name in RAY) +
        f"Description-Content-Type: text/markdown\n\n{readme}"
    ).encode()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: build_wheel.py\nRoot-Is-Purelib: false\nTag: {tag}\n"
    ).encode()
    record = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}\n")
    files[f"{info}/RECORD"] = ("".join(record) + f"{info}/RECORD,,\n").encode()
    os.makedirs(folder, exist_ok=True)
    for old in os.listdir(folder):
        if old.endswith(".whl"):
            os.remove(os.path.join(folder, old))
    path = os.path.join(folder, f"particlekit-{version}-{tag}.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            mode = 0o755 if name.endswith(".so.1") else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data, compresslevel=9)
    print(path, os.path.getsize(path), "bytes")


main(*sys.argv[1:])
