"""Names what continuous integration does not run: targets of the Makefile, files in Tests, and tests that a variable switches on.

It begins at the commands of `.ci/run` and the parts of `Tests/all.py`, and follows targets of the Makefile and files by their names in
texts. A target that is called with names in OPTIONS runs only these of its parts, which PARTS names.
"""

import pathlib, re

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Targets, files and variables that are no checks, and the reasons.
TARGETS = {
    "all": "is make tool", "quick": "is a part of make test", "part": "is a part of make test", "clean": "removes what was built",
    "test-module": "is a part of make test after make try", "format": "changes sources", "pictures": "writes the pictures of the README",
    "bench": "measures time, which counts on a quiet machine", "bench-web": "measures time", "bench-lib": "measures time",
    "fuzz": "searches without an end; what it has found runs in ParticlesFuzzTests",
    "install": "is a part of make deb", "install-desktop": "is a part of make deb", "install-lib": "is a part of make deb",
    "install-python": "is a part of make deb", "uninstall": "removes what was installed", "uninstall-lib": "removes what was installed",
}
FILES = {
    "Tests/quick.py": "chooses tests of make test", "Tests/Browser/picture.py": "draws a picture of the README",
    "Tests/Scale/find.py": "measures time", "Tests/Web/bench.py": "measures time", "Tests/Web/bench.mjs": "measures time",
    "Tests/Library/goals.py": "measures time", "Tests/Library/goals.c": "measures time",
    "Tests/Readers/unity_keys.py": "measures a table of Spec/conversion/unity.md over files that are not distributed",
    "Tests/Engines/node/": "runs engines that are not distributed; make test compares its recordings",
}
VARIABLES = {
    "PARTICLES_RECORD": "writes what tests compare", "PARTICLES_NODE_ENGINES": "needs engines that are not distributed",
    "PARTICLES_SHARED_SECONDS": "is a duration", "PARTICLES_MUTANTS": "is a number", "PARTICLES_SEED": "is a number", "PARTICLES_CORPUS": "is a folder",
}
# Targets whose parts can be called alone: the script, and how it names them.
PARTS = {
    "test-browser": ("Tests/Browser/run.sh", r"^([a-z]+)\)"),
    "test-release": ("Tests/Packaging/check.py", r"^@check\ndef ([a-z]+)"),
}
PROGRAMS = {".py", ".mjs", ".sh", ".c", ".cpp", ".html"}


def text_of(path):
    """The text of a file, without comments of the shell. Such comments may name programs that are not called."""
    lines = path.read_text(errors="replace").splitlines()
    return "\n".join(line for line in lines if path.suffix not in (".sh", "") or not line.lstrip().startswith("#"))


def rules(makefile):
    """What each target needs, and the text of its recipe with the variables that it uses."""
    text = re.sub(r"\\\n", " ", makefile)
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    variables = dict(re.findall(r"^(\w+) *[?:+]?= *(.*)$", text, re.MULTILINE))
    variables |= dict(re.findall(r"^define (\w+)\n(.*?)^endef", text, re.MULTILINE | re.DOTALL))
    found = {}
    for names, needs, recipe in re.findall(r"^([\w./$() -]+):(?!=)([^=\n]*)\n((?:\t.*\n|\n(?=\t))*)", text, re.MULTILINE):
        for _ in range(3):
            needs, recipe = (re.sub(r"\$\((?:call )?(\w+)[^()]*\)", lambda match: variables.get(match[1], match[0]), each) for each in (needs, recipe))
        for name in names.split():
            before = found.get(name, (set(), ""))
            found[name] = (before[0] | set(re.findall(r"[\w./-]+", needs)), before[1] + recipe)
    return found


def calls(text):
    """Targets that commands of a shell make, with their OPTIONS."""
    for words in re.findall(r"(?:^|[\s;&@(])(?:make|\$\(MAKE\)) ([^#;&\n]*)", text):
        options = " ".join(word.strip("'\"") for word in re.findall(r"""\bOPTIONS=('[^']*'|"[^"]*"|\S*)""", words))
        for word in re.sub(r"""\w+=('[^']*'|"[^"]*"|\S*)""", "", words).split():
            yield word, options


def mentioned(text, folder, files):
    """The files that a text names: by their paths, by their names in its own folder, as modules of Python, or by the name of a
    folder, in which a test chooses one."""
    for token in re.findall(r"[\w./-]+\.(?:py|mjs|sh|c|cpp|html)\b", text):
        yield from {token[max(token.find("Tests/"), token.find("Sources/"), 0):], f"{folder}/{token.split('/')[-1]}"} & files.keys()
    for chosen in re.findall(r"Tests/[\w/]+(?=/\\\()", text):
        yield from (path for path in files if path.rpartition("/")[0] == chosen)
    for names in re.findall(r"^\s*(?:import|from) (.*)$", text, re.MULTILINE):
        for name in re.findall(r"\w+", names):
            yield from (path for path in files if path.endswith(f"/{name}.py"))


def missing(commands):
    """The targets, files and variables that these commands and `.ci/run` do not reach."""
    makefile = rules((ROOT / "Makefile").read_text() + "\n")
    sources = [path for folder in ("Tests", "Sources") for path in (ROOT / folder).rglob("*") if path.suffix in PROGRAMS]
    files = {str(path.relative_to(ROOT)): path for path in sources}
    # Every file with tests in it that node runs: the Makefile finds them by this line.
    node_tests = [path for path, file in files.items() if file.suffix == ".mjs" and '"node:test"' in file.read_text()]
    steps = text_of(ROOT / ".ci/run")
    targets, reached, parts, texts = set(), set(), {}, [steps]

    def read(text, folder="", is_shell=True):
        texts.append(text)
        for target, options in calls(text) if is_shell else ():
            reach(target, options)
        for path in mentioned(text, folder, files):
            enter(path)

    def enter(path):
        if path not in reached:
            reached.add(path)
            # The tables above name programs that do not run.
            if path != "Tests/reached.py":
                read(text_of(files[path]), path.rpartition("/")[0], path.endswith(".sh"))

    def reach(target, options=""):
        parts.setdefault(target, []).append(options)
        if target in targets or target not in makefile:
            return
        targets.add(target)
        needs, recipe = makefile[target]
        for need in needs:
            reach(need)
        read(recipe)
        if target == "test":
            for path in (ROOT / "Tests").rglob("*.swift"):
                read(path.read_text(), is_shell=False)
        if target == "test-node":
            for path in node_tests:
                enter(path)

    for command in [steps, *commands]:
        read(command)
    faults = [f"Tests/reached.py excuses {name}, which is not there"
              for name in [*TARGETS, *FILES] if name not in makefile and not (ROOT / name).exists()]
    faults += [f"neither .ci/run nor a part in PARTS makes the target {name}"
              for name in makefile if re.fullmatch(r"[a-z][\w-]*", name) and name not in targets and name not in TARGETS]
    for target, (script, pattern) in PARTS.items():
        names = set(re.findall(pattern, (ROOT / script).read_text(), re.MULTILINE))
        called = set()
        for options in parts.get(target, []):
            words, left_out = set(re.findall(r"[a-z]+", options)), set(re.findall(r"--except ([a-z]+)", options))
            called |= (names - left_out) if left_out or not options else words & names
        faults += [f"no part in PARTS makes {target} with {name}, a part of {script}" for name in sorted(names - called)]
    faults += [f"nothing that continuous integration runs names the file {path}"
               for path in sorted(files) if path.startswith("Tests/") and path not in reached and path not in FILES and f"{path.rpartition('/')[0]}/" not in FILES]
    manifest = (ROOT / "Package.swift").read_text()
    suites = sorted({path.relative_to(ROOT / "Tests").parts[0] for path in (ROOT / "Tests").rglob("*Tests.swift")})
    faults += [f"Package.swift has no tests of the folder Tests/{name}" for name in suites if not re.search(rf'tests\(\s*"{name}"', manifest)]
    # Of tests that a variable switches on.
    everything = "\n".join(texts) + (ROOT / "Tests/all.py").read_text()
    for path in sorted((ROOT / "Tests").rglob("*Tests.swift")):
        for name in re.findall(r'"(PARTICLES_[A-Z_]+)"', path.read_text()):
            if name not in VARIABLES and not re.search(rf"{name}\"?[=:]", everything):
                faults.append(f"{path.relative_to(ROOT)} reads {name}, which nothing sets")
    return faults
