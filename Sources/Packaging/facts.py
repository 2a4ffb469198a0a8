"""The facts of a release, stated once: name, version, libraries with their licences, Debian packages.

    python3 Sources/Packaging/facts.py check [ARCHIVES [LIBRARY]]   compares them with Package.swift and the README, and
                                    with the statistics of the linker about the archives of the tool and of libparticles
    python3 Sources/Packaging/facts.py version                      prints the version; epoch: the time of the release
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

NAME = "particles"
SUMMARY = "Work with particle effects and their packages"
LICENCE = "MIT"
COPYRIGHT = (ROOT / "LICENSE").read_text().split("\n")[2]
MAINTAINER = "The Particles authors <authors@particles-format.org>"

DESCRIPTION = """\
Creates, checks, draws and converts particle effects: .particles packages, and
the effect files of SceneKit, SpriteKit, cocos2d, Starling, libGDX, Godot,
LÖVE, Defold, PixiJS, Phaser, three.quarks, tsParticles and others. No GPU and
no network are needed, and nothing is lost without a report."""


def version():
    """The version of the tool, from the table of its commands."""
    text = (ROOT / "Sources/ParticlesCLI/Commands/Catalog.swift").read_text()
    return re.search(r'version: "([^"]+)"', text).group(1)


def epoch():
    """The time of the release, in seconds since 1970: SOURCE_DATE_EPOCH, the time of the commit, or, in a source
    archive, the time of its files."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    if (ROOT / ".git").exists():
        log = ["git", "-c", "safe.directory=*", "-C", str(ROOT), "log", "-1", "--format=%ct"]
        return int(subprocess.run(log, check=True, capture_output=True, text=True).stdout)
    return int((ROOT / "CHANGELOG.md").stat().st_mtime)


@dataclass
class Library:
    """A library that is linked into the tool."""

    name: str
    licence: str  # an SPDX expression
    archives: list  # names of its static archives
    debian: str = None  # the package that has them, None if the Swift toolchain has them
    copyright: str = "NOASSERTION"
    address: str = "NOASSERTION"
    system: str = None  # the target of Package.swift, None if the compiler adds it


LIBRARIES = [
    Library("zlib", "Zlib", ["libz.a"], "zlib1g-dev", "1995-2022 Jean-loup Gailly and Mark Adler",
            "https://zlib.net", "CParticlesZlib"),
    Library("libdeflate", "MIT", ["libdeflate.a"], "libdeflate-dev", "2016-2022 Eric Biggers",
            "https://github.com/ebiggers/libdeflate", "CParticlesDeflate"),
    Library("libpng", "libpng-2.0", ["libpng.a", "libpng16.a"], "libpng-dev",
            "1995-2022 The PNG Reference Library Authors", "http://www.libpng.org", "CParticlesPNG"),
    Library("libjpeg-turbo", "IJG AND BSD-3-Clause AND Zlib", ["libjpeg.a"], "libjpeg62-turbo-dev",
            "1991-2022 The libjpeg-turbo Project, Thomas G. Lane, Guido Vollbeding and others",
            "https://libjpeg-turbo.org", "CParticlesJPEG"),
    Library("libwebp", "BSD-3-Clause", ["libwebp.a", "libwebpmux.a", "libsharpyuv.a"], "libwebp-dev", "2010-2022 Google Inc.",
            "https://developers.google.com/speed/webp", "CParticlesWebP"),
    Library("libevent", "BSD-3-Clause", ["libevent.a"], "libevent-dev",
            "2000-2007 Niels Provos, 2007-2012 Niels Provos and Nick Mathewson", "https://libevent.org",
            "CParticlesEvent"),
    Library("SQLite", "blessing", ["libsqlite3.a"], "libsqlite3-dev",
            "none: dedicated to the public domain by D. Richard Hipp and others", "https://www.sqlite.org",
            "CParticlesSQLite"),
    Library("glibc", "LGPL-2.1-or-later",
            ["libc.a", "libc_nonshared.a", "libm-2.36.a", "libm.a", "libmvec.a", "libpthread.a", "libdl.a", "libutil.a"], "libc6-dev",
            "1991-2022 Free Software Foundation, Inc.", "https://www.gnu.org/software/libc"),
    Library("libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1", ["libstdc++.a"], "libstdc++-12-dev",
            "1991-2022 Free Software Foundation, Inc.", "https://gcc.gnu.org"),
    Library("libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1", ["libgcc.a", "libgcc_eh.a"], "libgcc-12-dev",
            "1991-2022 Free Software Foundation, Inc.", "https://gcc.gnu.org"),
    # Its runtime has parts of LLVM in it.
    Library("swift", "Apache-2.0 WITH Swift-exception AND Apache-2.0 WITH LLVM-exception",
            ["libswiftCore.a", "libswift_Concurrency.a", "libswiftSynchronization.a", "libswiftGlibc.a",
             "libswift_StringProcessing.a", "libswift_RegexParser.a"], None,
            "2014-2026 Apple Inc. and the Swift project authors", "https://swift.org"),
    Library("swift-corelibs-libdispatch", "Apache-2.0 WITH Swift-exception", ["libdispatch.a", "libBlocksRuntime.a"],
            None, "2008-2026 Apple Inc. and the Swift project authors",
            "https://github.com/swiftlang/swift-corelibs-libdispatch"),
]


@dataclass
class DebianPackage:
    """A Debian package: a row for each. Targets of the Makefile install its files."""

    name: str
    summary: str
    description: str
    section: str
    files: list  # patterns of paths below the root, without files that earlier rows took
    target: str = "install-desktop"  # the target of the Makefile that installs them
    source: str = "Sources/ParticlesTool"  # without this folder, there is no such package
    archives: str = ""  # the statistics of the linker, for what libraries of the table are linked into
    fields: dict = field(default_factory=dict)  # @VERSION@ is the version of the packages
    control: dict = field(default_factory=dict)  # more files of the package manager
    overrides: dict = field(default_factory=dict)  # tags of lintian, with the reason


# Tags about packages of Debian itself.
OUTSIDE = {"initial-upload-closes-no-bugs": "it is no package of Debian"}

DEBIAN = [
    DebianPackage(
        "particles", "work with particle effects and their packages", DESCRIPTION, "graphics",
        ["usr/bin/particles", "usr/share/man/man1/particles*", "usr/share/bash-completion/*", "usr/share/zsh/*",
         "usr/share/fish/*", "usr/share/mime/*", "usr/share/icons/*", "usr/share/applications/*",
         "usr/share/thumbnailers/*", "usr/share/kio/*", "usr/share/nemo/*", "usr/share/particles/*"],
        archives=".build/tool.archives", fields={"Recommends": "shared-mime-info, desktop-file-utils"},
        overrides={
            "statically-linked-binary": "the runtime of Swift is no package of Debian; Built-Using has the sources",
            "embedded-library": "the same",
            "executable-not-elf-or-script": "KDE runs service menus that may be executed",
            **OUTSIDE,
        }),
    DebianPackage(
        "libparticles1", "read, convert and draw particle effects (library)", DESCRIPTION, "libs",
        ["usr/lib/*/libparticles.so.*"], "install-lib", "Sources/ParticlesC",
        archives=".build/lib/libparticles.so.1.archives",
        control={"shlibs": "libparticles 1 libparticles1 (>= 1.0.0)\n", "triggers": "activate-noawait ldconfig\n"},
        overrides={"embedded-library": "the runtime of Swift is no package of Debian; Built-Using has the sources",
                   **OUTSIDE}),
    DebianPackage(
        "libparticles-dev", "read, convert and draw particle effects (headers)", DESCRIPTION, "libdevel",
        ["usr/include/*", "usr/lib/*/libparticles.so*", "usr/lib/*/pkgconfig/*", "usr/share/man/man3/*",
         "usr/share/libparticles/*"], "install-lib",
        "Sources/ParticlesC", fields={"Depends": "libparticles1 (= @VERSION@)"}, overrides=OUTSIDE),
    DebianPackage(
        "python3-particlekit", "read, convert and draw particle effects (Python)", DESCRIPTION, "python",
        ["usr/lib/python3/dist-packages/*"], "install-python", "Sources/Python",
        fields={"Architecture": "all", "Depends": "python3 (>= 3.11), libparticles1 (= @VERSION@)", "Suggests": "python3-numpy"},
        control={
            "postinst": "#!/bin/sh\nset -e\nif [ \"$1\" = configure ]; then py3compile -p python3-particlekit; fi\n",
            "prerm": "#!/bin/sh\nset -e\npy3clean -p python3-particlekit\n",
        },
        overrides=OUTSIDE),
]


def toolchain():
    """The version of Swift."""
    run = subprocess.run([os.environ.get("SWIFT", "swift"), "--version"], capture_output=True, text=True)
    found = re.search(r"Swift version ([\w.-]+)", run.stdout)
    return found.group(1) if found else "unknown"


def installed(package, what="${Version}"):
    """A field of an installed Debian package, or None where there is none."""
    try:
        query = ["dpkg-query", "-W", "-f", what, package]
        return subprocess.run(query, check=True, capture_output=True, text=True).stdout or None
    except (OSError, subprocess.CalledProcessError):
        return None


def contained(archives):
    """The libraries of the table from which the linker took something, by its statistics."""
    found = linked(archives)
    return [library for library in LIBRARIES if found & set(library.archives)]


def notices(libraries=None):
    """Copyright and conditions of libraries, by default of the whole table, as their authors state them. A product that
    contains the libraries has this text beside it."""
    toolchain = Path(os.path.realpath(shutil.which(os.environ.get("SWIFT", "swift")) or "swift")).parents[1]
    texts = {}
    for library in LIBRARIES if libraries is None else libraries:
        path = (Path("/usr/share/doc") / library.debian / "copyright" if library.debian
                else toolchain / "share/swift/LICENSE.txt")
        if path.exists():
            texts.setdefault(path.read_text(), []).append(library.name)
        else:
            print(f"{path} is missing: the conditions of {library.name} are not in the release", file=sys.stderr)
    return "\n".join(f"{'=' * 72}\n{', '.join(names)}\n{'=' * 72}\n\n{text.strip()}\n" for text, names in texts.items())


def linked(path):
    """The names of the archives from which the linker took something, by its statistics."""
    lines = Path(path).read_text().splitlines()[1:]
    return {line.split("\t")[2].rsplit("/", 1)[-1] for line in lines if int(line.split("\t")[1]) > 0}


def unknown(archives):
    """The names of linked archives that no row has."""
    return sorted(archives - {name for library in LIBRARIES for name in library.archives})


def faults(archives=None, shared=None):
    """The differences between these tables and the sources, one line each."""
    manifest = (ROOT / "Package.swift").read_text()
    declared = dict(re.findall(r'system\("(\w+)".*?apt: "([\w.+-]+)"', manifest))
    known = {library.system: library.debian for library in LIBRARIES if library.system}
    for target in sorted(declared.keys() | known.keys()):
        if declared.get(target) != known.get(target):
            yield f"{target} is {declared.get(target)} in Package.swift, and {known.get(target)} in the table"
    catalog = (ROOT / "Sources/ParticlesCLI/Commands/Catalog.swift").read_text()
    date = datetime.strptime(re.search(r'date: "([^"]+)"', catalog).group(1), "%B %d, %Y").strftime("%Y-%m-%d")
    if f"\n## {version()}, {date}\n" not in (ROOT / "CHANGELOG.md").read_text():
        yield f"CHANGELOG.md has no section '{version()}, {date}', the version and date in Catalog.swift"
    library = ROOT / "Sources/ParticlesC/Library.swift"
    if library.exists() and f'"{version()}"' not in library.read_text():
        yield f"the version in Sources/ParticlesC/Library.swift is not {version()}"
    player = ROOT / "Sources/ParticlesWeb/Player/package.json"
    if player.exists() and f'"version": "{version()}"' not in player.read_text():
        yield f"the version in {player.relative_to(ROOT)} is not {version()}"
    readme = (ROOT / "README.md").read_text()
    for library in LIBRARIES:
        if library.system and library.name not in readme:
            yield f"README.md does not name {library.name}"
    if archives:
        found = linked(archives)
        for name in unknown(found):
            yield f"{name} is linked, and no row of the table has it"
        for library in LIBRARIES:
            if not found & set(library.archives):
                yield f"{library.name} is in the table, and nothing of it is linked"
    if shared:
        for name in unknown(linked(shared)):
            yield f"{name} is linked into libparticles, and no row of the table has it"


def main(words):
    if words[:1] == ["check"]:
        found = list(faults(*words[1:3]))
        print("\n".join(found) or "the facts agree with the sources")
        return 1 if found else 0
    if words in (["version"], ["epoch"]):
        print(version() if words == ["version"] else epoch())
        return 0
    print(__doc__, file=sys.stderr)
    return 64


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
