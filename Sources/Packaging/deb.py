"""Builds the Debian packages of the table in facts.py.

    python3 Sources/Packaging/deb.py OUTPUT [MAKE ARGUMENTS…]

The files are installed by targets of the Makefile, `make install` for the tool. Arguments such as TOOL=PATH are passed
on. Equal files give equal packages everywhere.
"""

import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from email.utils import formatdate
from pathlib import Path

import facts
import tree

REVISION = 1


def run(*words, **more):
    return subprocess.run(words, check=True, text=True, capture_output=True, **more).stdout


def architecture():
    return run("dpkg", "--print-architecture").strip()


def install(target, root, arguments):
    """Runs a target of the Makefile, whose prerequisites are built already."""
    triplet = run("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
    make = ["make", "--silent", "-C", str(facts.ROOT), "-o", "tool", "-o", "lib", "-o", "wheel", target,
            f"DESTDIR={root}", "PREFIX=/usr", f"LIBDIR=/usr/lib/{triplet}",
            "ZSH_FUNCTIONS=/usr/share/zsh/vendor-completions"]
    subprocess.run(make + arguments, check=True, stdout=sys.stderr)


def libraries(package):
    """The libraries of the table that are linked into a package. Empty if nothing is linked."""
    return facts.contained(facts.ROOT / package.archives) if package.archives else []


def copyright_file(package):
    """The licences of everything in the packages, in the form of DEP 5."""
    paragraphs = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        f"Upstream-Name: {facts.NAME}\n"
        + ("Comment: The libraries that are listed as Files: lib/NAME are linked into it statically. Their own texts are in\n"
           f" /usr/share/doc/{package.name}/libraries.gz.\n" if package.archives else ""),
        f"Files: *\nCopyright: {facts.COPYRIGHT.removeprefix('Copyright (c) ')}\nLicense: MIT\n",
    ]
    licences = {"MIT": (facts.ROOT / "LICENSE").read_text().split("\n\n", 2)[2]}
    for library in libraries(package):
        licence = library.licence.replace(" AND ", " and ").replace(" WITH ", " with ")
        paragraphs.append(
            f"Files: lib/{library.name}\nCopyright: {library.copyright}\nLicense: {licence}\n"
            f"Comment: {library.address}"
            + (f", package {library.debian} of Debian with the text of the licence\n" if library.debian else "\n"))
        for part in library.licence.split(" AND "):
            licences.setdefault(part.replace(" WITH ", " with "), None)
    for name, text in licences.items():
        if text is None:
            common = {"LGPL-2.1-or-later": "LGPL-2.1", "GPL-3.0-or-later with GCC-exception-3.1": "GPL-3",
                      "Apache-2.0 with Swift-exception": "Apache-2.0",
                      "Apache-2.0 with LLVM-exception": "Apache-2.0"}.get(name)
            text = (f"The text is in /usr/share/common-licenses/{common}." if common
                    else f"The text is at https://spdx.org/licenses/{name}.html.")
            if " with " in name:
                text += f"\nThe exception is at https://spdx.org/licenses/{name.partition(' with ')[2]}.html."
        lines = [" " + (line if line.strip() else ".") for line in text.strip().splitlines()]
        paragraphs.append(f"License: {name}\n" + "\n".join(lines) + "\n")
    return "\n".join(paragraphs)


def changelog(package):
    date = formatdate(facts.epoch())
    return (f"{facts.NAME} ({facts.version()}-{REVISION}) unstable; urgency=medium\n\n"
            f"  * Release {facts.version()}; changelog.gz has the changes.\n\n -- {facts.MAINTAINER}  {date}\n")


def write_gzip(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def add_documents(package, root):
    """Licences, changes, and the tags of lintian that do not apply."""
    documents = root / "usr/share/doc" / package.name
    documents.mkdir(parents=True, exist_ok=True)
    (documents / "copyright").write_text(copyright_file(package))
    write_gzip(documents / "changelog.Debian.gz", changelog(package))
    write_gzip(documents / "changelog.gz", (facts.ROOT / "CHANGELOG.md").read_text())
    if package.archives:
        write_gzip(documents / "libraries.gz", facts.notices(libraries(package)))
    if package.name == facts.NAME:
        shutil.copyfile(facts.ROOT / "Spec/recipes.md", documents / "recipes.md")
    if package.overrides:
        overrides = root / "usr/share/lintian/overrides" / package.name
        overrides.parent.mkdir(parents=True)
        overrides.write_text("".join(
            f"# {reason}\n{package.name}: {tag} *\n" for tag, reason in package.overrides.items()))


def compress_manuals(root):
    for page in sorted(root.glob("usr/share/man/man*/*")):
        if page.suffix != ".gz":
            write_gzip(page.with_name(page.name + ".gz"), page.read_text())
            page.unlink()


def built_using(package):
    """The sources of the libraries that are linked statically."""
    sources = [facts.installed(library.debian, "${source:Package} (= ${source:Version})")
               for library in libraries(package) if library.debian]
    return ", ".join(sorted({source for source in sources if source}))


def shared_libraries(root):
    """The packages of the shared libraries that the programs and libraries below a root need."""
    found = [path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()]
    binaries = [path for path in found if path.open("rb").read(4) == b"\x7fELF"]
    if not binaries:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "debian").mkdir()
        (Path(folder) / "debian/control").write_text("Source: particles\n\nPackage: particles\nArchitecture: any\n")
        words = run("dpkg-shlibdeps", "-O", *[f"-e{path}" for path in binaries], cwd=folder)
    return words.strip().partition("=")[2]


def control(package, root):
    size = sum((path.lstat().st_size + 1023) // 1024 if path.is_file() else 1 for path in root.rglob("*"))
    description = "\n".join(" " + (line or ".") for line in package.description.splitlines())
    fields = {
        "Package": package.name, "Version": f"{facts.version()}-{REVISION}",
        "Architecture": architecture(), "Maintainer": facts.MAINTAINER,
        "Installed-Size": str(size), "Section": package.section, "Priority": "optional",
        **{name: value.replace("@VERSION@", f"{facts.version()}-{REVISION}")
           for name, value in package.fields.items()},
    }
    fields["Depends"] = ", ".join(filter(None, [fields.get("Depends"), shared_libraries(root)]))
    if package.archives:
        fields["Built-Using"] = built_using(package)
    fields["Description"] = package.summary + "\n" + description
    return "".join(f"{name}: {value}\n" for name, value in fields.items() if value)


def build(package, installed, output):
    """Takes the files of a package out of the installed files, and packs them."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        root.mkdir()
        paths = {path for pattern in package.files for path in installed.glob(pattern)}
        if not paths:
            raise SystemExit(f"make {package.target} has installed nothing for {package.name}")
        for path in sorted(paths):
            target = root / path.relative_to(installed)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, target)
        compress_manuals(root)
        add_documents(package, root)
        tree.settle(root, facts.epoch())
        sums = [f"{tree.md5(path.read_bytes())}  {path.relative_to(root)}\n"
                for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()]
        text = control(package, root)
        meta = root / "DEBIAN"
        meta.mkdir()
        (meta / "control").write_text(text)
        (meta / "md5sums").write_text("".join(sums))
        for name, content in package.control.items():
            (meta / name).write_text(content)
            if content.startswith("#!"):
                (meta / name).chmod(0o755)
        tree.settle(meta, facts.epoch())
        result = Path(output) / f"{package.name}_{facts.version()}-{REVISION}_{package.fields.get('Architecture', architecture())}.deb"
        run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(result),
            env={**os.environ, "SOURCE_DATE_EPOCH": str(facts.epoch())})
        print(result)


def main(output, *arguments):
    Path(output).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        packages = [package for package in facts.DEBIAN if (facts.ROOT / package.source).exists()]
        for target in dict.fromkeys(package.target for package in packages):
            installed = Path(folder) / target
            installed.mkdir()
            install(target, installed, list(arguments))
            for package in packages:
                if package.target == target:
                    build(package, installed, output)
            left = [path for path in sorted(installed.rglob("*")) if not path.is_dir()]
            if left:
                names = ", ".join(str(path.relative_to(installed)) for path in left)
                raise SystemExit(f"no package has {names}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
