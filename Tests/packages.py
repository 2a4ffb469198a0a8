#!/usr/bin/env python3
"""Installs packages of PyPI for tests into the Python that runs this, by Tests/requirements.txt alone.

    .build/python/bin/python3 Tests/packages.py NAME...   these packages and what they need; silent when they are installed
    python3 Tests/packages.py renew                       writes the file anew, by pip-compile of pip-tools

The file names each package with one version and the SHA-256 of its files. pip refuses another file, and a file that has to be
built, because building runs the code of the package. With INSTALL=no in the environment, the command is printed and nothing is
installed. Exits with 1 if a package is missing afterwards.
"""

import importlib.metadata, os, pathlib, re, shlex, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "Tests/requirements.txt"

# What tests ask for. pip-compile adds what these need.
WANTED = """jsonschema schemastore pillow godot_parser pyyaml unityparser spdx-tools playwright axe-playwright-python selenium numpy pytest mypy
nbclient nbconvert ipykernel auditwheel ray[data] pyarrow pandas fsspec s3fs moto[server] scikit-learn""".split()

HEAD = """\
# Packages of PyPI that tests use, for Python 3.11.2 of Debian 12. Tests/packages.py reads and writes this file.
"""

# Commands that fetch a program or a package.
FETCHES = re.compile(
    r"\bpip3? (?:install|download)|-m (?:pip|playwright|ensurepip)\b|\bplaywright install|\bnpm (?:install|ci|i)\b|\b(?:npx|pipx|uvx?|curl|wget) "
    r"|\bapt(?:-get)? (?:install|update)|\bbrew install")
# The files that may have them, and why.
EXCUSED = {
    "Tests/packages.py": "installs what Tests/requirements.txt names",
    "Sources/Packaging/libraries.sh": "installs packages of Debian, which apt checks",
    "Tests/Packaging/libraries.sh": "tests the former without apt",
}
# Its messages name commands for users, and Python runs none of these commands.
SPOKEN = "Sources/Python/particlekit/"


def plain(name):
    """The name of a package as PyPI compares it, without extras."""
    return re.sub(r"[-_.]+", "-", name.split("[")[0]).lower()


def entries(text):
    """By name: the version, the lines, and the names of the packages that need it."""
    found = {}
    for block in re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]:
        match = re.match(r"([\w.-]+)==([\w.+!-]+)(?= )", block)
        if not match:
            raise SystemExit(f"{FILE.name}: '{block.splitlines()[0]}' does not have one version")
        lines, _, comment = block.partition("    # via")
        found[plain(match[1])] = match[2], lines, {plain(name) for name in re.findall(r"[\w.-]+", comment)}
    return found


def needed(names, known):
    """These names, and the names of packages that they need."""
    found = set()
    waiting = [plain(name) for name in names]
    while waiting:
        name = waiting.pop()
        if name not in known:
            raise SystemExit(f"{FILE.name} does not have {name}: add it to WANTED in Tests/packages.py, and run 'python3 Tests/packages.py renew'")
        if name not in found:
            found.add(name)
            waiting += [other for other, (_, _, users) in known.items() if name in users]
    return sorted(found)


def installed(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def install(names):
    known = entries(FILE.read_text())
    chosen = needed(names, known)
    if all(installed(name) == known[name][0] for name in chosen):
        return 0
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "--require-hashes", "-r"]
    if os.environ.get("INSTALL") == "no":
        print(f"not installed because of INSTALL=no: {' '.join(names)}, by {shlex.join([*command, 'Tests/requirements.txt'])}", flush=True)
        return 1
    with tempfile.NamedTemporaryFile("w", prefix="particles-requirements-", suffix=".txt") as file:
        file.write("".join(known[name][1] for name in chosen))
        file.flush()
        return 1 if subprocess.run([*command, file.name]).returncode else 0


def renew():
    """Writes the file for the Python of pip-compile, with a name for its input."""
    words = ["pip-compile", "--generate-hashes", "--allow-unsafe", "--strip-extras", "--no-header", "--no-emit-index-url", "--no-emit-trusted-host",
             "--no-emit-find-links", "--no-emit-options", "--quiet", "--output-file", "-", "-"]
    done = subprocess.run(words, input="\n".join(WANTED) + "\n", text=True, stdout=subprocess.PIPE, check=True)
    FILE.write_text(HEAD + re.sub(r"^ +#( via)? +-r -\n", lambda match: "    # via WANTED\n" if match[1] else "    #   WANTED\n", done.stdout, flags=re.MULTILINE))


def faults():
    """What would be fetched without a version and a digest: for `make lint`."""
    text = FILE.read_text()
    known = entries(text)
    found = [f"Tests/requirements.txt: {name} has no SHA-256" for name, (_, lines, _) in known.items()
             if not re.search(r"--hash=sha256:[0-9a-f]{64}\b", lines)]
    found += [f"Tests/requirements.txt names an address or an option: {line}" for line in text.splitlines()
              if "://" in line or line.lstrip().startswith("-") and not line.lstrip().startswith("--hash=sha256:")]
    found += [f"Tests/requirements.txt does not have {name} of WANTED" for name in WANTED if plain(name) not in known]
    needed([name for name in WANTED if plain(name) in known], known)
    scripts = {path for folder in ("Tests", "Sources") for path in (ROOT / folder).rglob("*") if path.suffix in (".sh", ".py", ".mjs")}
    for path in sorted({ROOT / "Makefile", ROOT / ".ci/run", *scripts}):
        name = str(path.relative_to(ROOT))
        if name in EXCUSED or name.startswith(SPOKEN):
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            match = FETCHES.search(line)
            if match and "--no-index" not in line and not line.lstrip().startswith(("#", "//")):
                found.append(f"{name}:{number} runs '{match[0].strip()}': packages of PyPI are installed by Tests/packages.py, those of Debian by make")
    found += [f"Tests/packages.py excuses {name}, which is not there" for name in EXCUSED if not (ROOT / name).exists()]
    return found


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    sys.exit(renew() if sys.argv[1:] == ["renew"] else install(sys.argv[1:]))
