"""Checks the files of `make release` by programs that are none of ours.

    python3 Tests/Packaging/check.py FOLDER [--only NAME]... [--except NAME]... [--root FOLDER]

A check whose programs are missing is skipped, and a line names the programs. The status is 1 if one fails.

    lintian       the Debian packages have no errors
    hardening     the tool is a static PIE, the library binds all functions when it is loaded
    modes         installed files have equal modes with every umask
    root          packages are installed in a fresh root of Debian, work, and leave nothing behind when they are purged.
                  --root names a root that debootstrap made before
    image         skopeo and umoci read the image, and its tool runs in its root
    bill          the tools of SPDX accept the bill of materials, which names each linked library
    signature     minisign and signify accept the list of checksums, and refuse a changed one
    archive       the source archive is built in another folder, without a network and without files of the first build:
                  tool, module for pages, library, wheel, packages, image and bill of materials are equal byte for byte, and
                  so is the source archive from a clone. It takes as long as two builds: leave it out with --except archive
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".build/python/bin/python3"

CHECKS = {}


class Skip(Exception):
    """A program is missing."""


def check(function):
    CHECKS[function.__name__] = function
    return function


def need(*programs):
    missing = [name for name in programs if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]
    if missing:
        raise Skip(f"not installed: {', '.join(missing)}")


def run(*words, **more):
    """Runs a program that has to succeed."""
    done = subprocess.run([str(word) for word in words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    assert done.returncode == 0, f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout[-4000:]}"
    return done.stdout


def fails(*words, **more):
    """Runs a program that has to fail."""
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, **more)
    assert done.returncode != 0, f"{' '.join(map(str, words))}: status 0"


@check
def lintian(folder, scratch, options):
    need("lintian")
    packages = sorted(folder.glob("*.deb"))
    assert packages
    print(run("lintian", "--fail-on", "error", "--allow-root", *packages).rstrip() or "no tags")


@check
def hardening(folder, scratch, options):
    need("readelf")
    tool, library = (run("readelf", "-hdlW", ROOT / ".build" / name) for name in ("particles", "lib/libparticles.so.1"))
    # It relocates itself: glibc ends it at once if it has a RUNPATH.
    for word, there in (("DYN (", True), ("Flags: NOW PIE", True), ("INTERP", False), ("(NEEDED)", False), ("RUNPATH", False)):
        assert (word in tool) == there, f"the tool: {word}\n{tool}"
    for name, headers in (("tool", tool), ("library", library)):
        for word, there in (("BIND_NOW", True), ("GNU_RELRO", True), ("RWE", False), ("TEXTREL", False)):
            assert (word in headers) == there, f"the {name}: {word}\n{headers}"
    print("static PIE, bound at once, no writable code")


@check
def modes(folder, scratch, options):
    need("make", "install")
    targets = ["install", "install-lib", "install-desktop", "install-python"]
    # They were built for the release.
    built = [word for name in ("tool", "lib", "wheel") for word in ("-o", name)]
    for umask in ("000", "077"):
        place = scratch / umask
        for target in targets:
            run("sh", "-c", 'umask "$1" && shift && exec "$@"', "sh", umask, "make", "--silent", *built, target, f"DESTDIR={place}", "PREFIX=/usr", cwd=ROOT)
        paths = [path for path in place.rglob("*") if not path.is_symlink()]
        for path in paths:
            mode = path.stat().st_mode & 0o7777
            # KDE shows menus of programs only.
            runs = path.is_dir() or path.read_bytes()[:2] == b"#!" or path == place / "usr/bin/particles" or path.parent.name == "servicemenus"
            assert mode == (0o755 if runs else 0o644), f"umask {umask}: {path.relative_to(place)} has mode {mode:o}"
        assert len(paths) > 80, paths
        print(f"umask {umask}: {len(paths)} files and folders")


# What stays of any package: the state and the logs of dpkg, and the caches of programs that others have installed.
KEPT = ("var/lib/dpkg", "var/log", "var/cache", "var/lib/apt", "dev", "proc", "sys", "tmp", "usr/share/mime/version")


def contents(root):
    """Each file below a root with its size and digest, and each link."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if name.startswith(KEPT):
            continue
        if path.is_symlink():
            found[name] = os.readlink(path)
        elif path.is_file():
            found[name] = hash(path.read_bytes())
        else:
            found[name] = "folder"
    return found


WORK = """\
set -e
cd /tmp
particles --version
particles new fire.particles --template fire
particles validate fire.particles
particles thumbnail fire.particles fire.png
test -s fire.png
man -w particles particles-convert > /dev/null
grep -q application/vnd.particles /usr/share/mime/globs2
grep -q application/vnd.particles /usr/share/applications/mimeinfo.cache
grep -q '^TryExec=/usr/bin/particles$' /usr/share/thumbnailers/particles.thumbnailer
test -r /usr/share/bash-completion/completions/particles
rm fire.particles fire.png
"""

# Commands that test the packages of the libraries and of Python, by name.
WORK_OF = {
    "libparticles1": "ldconfig -p | grep -q libparticles.so.1",
    "libparticles-dev": "test -e /usr/lib/*/libparticles.so && test -r /usr/include/particles.h && test -r /usr/lib/*/pkgconfig/libparticles.pc",
    "python3-particlekit": "cd / && python3 -c 'import particlekit; print(len(list(particlekit.formats())), \"formats in Python\")'",
}


@check
def root(folder, scratch, options):
    need("debootstrap", "dpkg", "chroot")
    place = Path(options.root) if options.root else scratch / "root"
    if not (place / "usr/bin/dpkg").exists():
        listing = run("apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)", "Identifier: Packages")
        mirror, suite = listing.split("\n")[0].split()
        run("debootstrap", "--variant=minbase", "--include=shared-mime-info,desktop-file-utils,hicolor-icon-theme,man-db,python3",
            suite, place, mirror)
    before = contents(place)
    names = [name for name in run("sh", "-c", f"for f in '{folder}'/*.deb; do dpkg-deb -f $f Package; done").split()]
    for package in folder.glob("*.deb"):
        shutil.copy(package, place / "tmp")
    run("chroot", place, "sh", "-c", "dpkg --install /tmp/*.deb && rm /tmp/*.deb")
    environment = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/root"}
    for work in [WORK] + [WORK_OF[name] for name in names if name in WORK_OF]:
        print(run("chroot", place, "sh", "-c", work, env=environment).strip() or work)
    assert contents(place) != before
    run("chroot", place, "dpkg", "--purge", *names)
    after = contents(place)
    left = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
    assert not left, f"left behind or changed: {sorted(left)[:20]}"
    print(f"{len(names)} packages: installed, used and purged; {len(after)} files are as before")


@check
def image(folder, scratch, options):
    need("skopeo", "umoci", "chroot")
    layout = next(folder.glob("*-oci"))
    version = layout.name.split("-")[1]
    found = json.loads(run("skopeo", "inspect", f"oci:{layout}:{version}"))
    assert found["Labels"]["org.opencontainers.image.version"] == version, found
    run("skopeo", "copy", f"oci:{layout}:{version}", f"dir:{scratch / 'copy'}")
    run("umoci", "unpack", "--rootless", "--image", f"{layout}:{version}", scratch / "bundle")
    rootfs = scratch / "bundle/rootfs"
    assert run("chroot", rootfs, "/usr/bin/particles", "--version").strip() == f"particles {version}"
    run("chroot", rootfs, "/usr/bin/particles", "new", "/effects/fire.particles", "-t", "fire")
    run("chroot", rootfs, "/usr/bin/particles", "validate", "/effects/fire.particles")
    print(f"{found['Digest']}: particles {version} runs in its root")


@check
def bill(folder, scratch, options):
    if not PYTHON.exists() or subprocess.run([PYTHON, "-c", "import spdx_tools"], capture_output=True).returncode:
        raise Skip("spdx-tools is not installed in .build/python")
    path = next(folder.glob("*.spdx.json"))
    run(PYTHON, "-m", "spdx_tools.spdx.clitools.pyspdxtools", "-i", path)
    document = json.loads(path.read_text())
    names = {package["name"] for package in document["packages"]}
    # By the sources alone, without the table of libraries.
    for name in ("zlib", "libdeflate", "libpng", "libjpeg-turbo", "libwebp", "libevent", "SQLite", "glibc", "swift"):
        assert name in names, f"{name} is missing"
    assert all(package["licenseDeclared"] != "NOASSERTION" for package in document["packages"])
    # An archive that no row of the table has is an error.
    stats = scratch / "archives"
    stats.write_text((ROOT / ".build/tool.archives").read_text() + "9\t9\t/usr/lib/libforeign.a\n")
    facts = [sys.executable, "-B", ROOT / "Sources/Packaging/facts.py", "check"]
    fails(*facts, stats)
    shared = ROOT / ".build/lib/libparticles.so.1.archives"
    fails(*facts, ROOT / ".build/tool.archives", stats)
    # Each product and the libraries that are linked into it, according to the linker.
    for product, archives in (("particles", ROOT / ".build/tool.archives"), ("libparticles", shared)):
        linked = {
            row["relatedSpdxElement"].removeprefix("SPDXRef-") for row in document["relationships"]
            if row["spdxElementId"] == "SPDXRef-" + product and row["relationshipType"] == "STATIC_LINK"}
        taken = {line.split("/")[-1] for line in archives.read_text().splitlines()[1:] if line.split("\t")[1] != "0"}
        # The library is linked with the part of glibc that is never shared.
        for name, *members in (("libevent", "libevent.a"), ("swift", "libswiftCore.a"),
                               ("glibc", "libc.a", "libc_nonshared.a")):
            assert (name in linked) == bool(taken & set(members)), f"{product}: {linked} and {taken}"
        print(f"{product}: {len(linked)} libraries of {len(taken)} archives")
    print(run(*facts, ROOT / ".build/tool.archives", shared).strip() + f"; {len(names)} packages")


@check
def signature(folder, scratch, options):
    tools = [name for name in ("minisign", "signify-openbsd") if shutil.which(name)]
    if not tools:
        raise Skip("not installed: minisign, signify-openbsd")
    sums = ROOT / "Sources/Packaging/sums.sh"
    release = scratch / folder.name
    shutil.copytree(folder, release)
    for tool in tools:
        secret, public = scratch / f"{tool}.sec", scratch / f"{tool}.pub"
        if tool == "minisign":
            run("minisign", "-G", "-W", "-p", public, "-s", secret)
            verify = ["minisign", "-V", "-m", "SHA256SUMS", "-p", public]
        else:
            run("signify-openbsd", "-G", "-n", "-p", public, "-s", secret)
            verify = ["signify-openbsd", "-V", "-p", public, "-m", "SHA256SUMS", "-x", "SHA256SUMS.sig"]
        key = "MINISIGN_KEY" if tool == "minisign" else "SIGNIFY_KEY"
        run("sh", sums, release, env={**os.environ, key: str(secret)})
        run(*verify, cwd=release)
        run("sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS", cwd=release)
        listed = len((release / "SHA256SUMS").read_text().splitlines())
        present = [path for path in release.rglob("*") if path.is_file() and not path.name.startswith("SHA256SUMS")]
        assert listed == len(present), f"{listed} of {len(present)} files are listed"
        with open(release / "SHA256SUMS", "a") as file:
            file.write("0" * 64 + "  other\n")
        fails(*verify, cwd=release)
        print(f"{tool}: {listed} files")


# Files that the build makes, and that go into packages or into parts of packages.
BUILT = ("particles", "web/particles.wasm", "lib/libparticles.so.1", "wheel/*.whl")


def names(folder, patterns):
    return sorted(path.relative_to(folder) for pattern in patterns for path in folder.glob(pattern) if path.is_file())


def compare(first, second, patterns):
    """The names of the files in two folders. The files have to be equal."""
    found = names(first, patterns)
    assert found == names(second, patterns), f"{found} and {names(second, patterns)}"
    differ = [str(name) for name in found if (first / name).read_bytes() != (second / name).read_bytes()]
    assert not differ, f"not the same bytes in {second}: {differ}"
    return [str(name) for name in found]


@check
def archive(folder, scratch, options):
    need("unshare", "tar", "git")
    source = next(folder.glob("*.tar.gz"))
    run("git", "-c", "safe.directory=*", "clone", "--quiet", ROOT, scratch / "clone")
    run("make", "dist", cwd=scratch / "clone")
    compare(folder, scratch / "clone/.build" / folder.name, ["*.tar.gz"])
    run("tar", "-xf", source, "-C", scratch)
    tree = next(scratch.glob("particles-*"))
    time = run(sys.executable, "-B", ROOT / "Sources/Packaging/facts.py", "epoch").strip()
    # Its own environment, so that no cache of the first build is used.
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(scratch / "home"), "LC_ALL": "C.UTF-8", "TZ": "Asia/Tokyo",
        "SOURCE_DATE_EPOCH": time,
    }
    # A setting of the compiler, see Package.swift.
    if "PARTICLES_STRICT" in os.environ:
        environment["PARTICLES_STRICT"] = os.environ["PARTICLES_STRICT"]
    (scratch / "home").mkdir()
    run("unshare", "--net", "make", "deb", "oci", "sbom", cwd=tree, env=environment)
    run(tree / ".build/particles", "--version")
    same = compare(ROOT / ".build", tree / ".build", BUILT)
    assert len(same) == len(BUILT), same
    made = compare(folder, tree / ".build" / folder.name, ["*.deb", "*.spdx.json", "*-oci/**/*"])
    assert len(made) >= 5, made
    print(f"built in {tree}: the same bytes are {', '.join(same)} and {len(made)} files of the release, source archive included")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", action="append", choices=CHECKS)
    parser.add_argument("--except", action="append", choices=CHECKS, default=[], dest="left_out")
    parser.add_argument("--root")
    options = parser.parse_args()
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name in [name for name in options.only or CHECKS if name not in options.left_out]:
        with tempfile.TemporaryDirectory(prefix="particles-release-") as scratch:
            try:
                print(f"{name}:")
                CHECKS[name](options.folder.resolve(), Path(scratch), options)
                counts["passed"] += 1
            except Skip as reason:
                print(f"skipped: {reason}")
                counts["skipped"] += 1
            except AssertionError as failure:
                print(f"failed: {failure}")
                counts["failed"] += 1
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
