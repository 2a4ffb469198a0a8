#!/usr/bin/env python3
"""Mutation testing: plants small faults, one at a time, and reports faults that no test notices.

    python3 Tests/mutants.py [--module NAME]... [--seed N] [--drawn N] [--minutes N] [--record] [check | list]

A module is a library of Package.swift without its prefix, such as Index. Further modules are Pages and Editor (the scripts
of the document browser), Player (the scripts of web pages), and Python. Its faults are drawn by seed, from these operators:

    swapped comparison   `<` and `<=`, `>` and `>=`, `==` and `!=` replace each other
    off by one           an integer in a sum, range, subscript or comparison is one larger or smaller
    dropped guard        a condition of `guard`, or of an `if` that leaves, always lets pass
    wrong constant       another number is doubled (0 becomes 1), a truth value is inverted
    dropped call         a statement that only calls a function is skipped

The test target of the module judges Swift, or the targets in JUDGES: first the test file whose name begins with the words of the
source file. Only the module is compiled, into .build/mutants, and linked with all remaining objects of the test build. All faults
are in one program: `(particlesMutant(17) ? (faulty) : (original))`, and the environment variable PARTICLES_MUTANT selects one.
Further faults replace faults that do not compile. Tests in node judge the scripts that they import. pytest judges Python, but
particlekit.ray, with a library of the objects of the test build. A failed test, a crash and a timeout count as noticed, and end
the tests. The corpus is not used.

Tests/mutants.md has the results, which --record writes. The status is 1 if of a module fewer than four of five faults outside
EQUIVALENT are noticed, and fewer than Tests/mutants.md records. With --minutes, the first module depends on the number of commits, and
modules that do not fit are left. `check` looks whether the tables fit the sources, `list` prints the faults.
"""

import argparse, collections, concurrent.futures, contextlib, datetime, hashlib, itertools, json, os, pathlib, re, shutil, signal, subprocess, sys, tempfile, threading, time

sys.dont_write_bytecode = True
import quick
from mutations import OPERATORS, Mutant, candidates

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / ".build" / "mutants"
TABLE = ROOT / "Tests" / "mutants.md"
GOAL = 0.8
MOST_EQUIVALENT = 4

# Modules that are not Swift: their sources.
SCRIPTS = {
    "Pages": "Sources/ParticlesBrowser/Pages/*.js", "Editor": "Sources/ParticlesBrowser/Pages/editor/*.js",
    "Player": "Sources/ParticlesWeb/Player/*.js", "Python": "Sources/Python/particlekit/*.py",
}
# Modules that further test targets judge, after their own. Pictures show the quads and views of the simulation.
JUDGES = {"Container": ["ParticlesPackagesTests"], "CLI": ["ParticlesToolTests"], "Simulation": ["ParticlesRenderTests"]}

# Mutants that change nothing that can be observed: file below Sources, line without indentation, faulty text, reason.
EQUIVALENT = [
    ("ParticlesWeb/Player/blending.js", "const [add, , reverseSubtract, least] = [0, 1, 2, 3];",
     "2", "the second number gets no name"),
    ("ParticlesWeb/Player/tiff.js",
     "beside: isPlanar ? 1 : samples, isInverted: photometric === 0, isMultiplied: samples > colors && first(tiffTag.extra, 2) === 1,",
     ">=", "without alpha, a picture is opaque, and division by 1 changes nothing"),
    ("ParticlesWeb/Player/drawer.js", "gl.uniform1i(this.finish.picture, 0);", ";", "the samplers of a program are 0 at first"),
    ("ParticlesCLI/Output/Console.swift",
     "guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }",
     "true", "a call that fails leaves the width 0, which the next condition refuses"),
    ("ParticlesBrowser/Pages/editor/mutation.js",
     "const bounded = limited === row.minimum && number > row.minimum ? number : limited;",
     ">=", "a number that is the limit is the same as the limit"),
    ("ParticlesPropertyLists/PropertyLists/BinaryPropertyList.swift", "private static let scanned = 32",
     "64", "the keys of a dictionary are found either way; the number is about speed"),
    ("ParticlesDatabase/SQLite.swift", "let memory = UnsafeMutablePointer<CChar>.allocate(capacity: 1)",
     "2", "the second byte is never read"),
    ("ParticlesDatabase/SQLite.swift",
     "sqlite3_prepare_v3(handle, text, -1, CUnsignedInt(SQLITE_PREPARE_PERSISTENT), &statement, nil)",
     "2", "every negative number means a text that ends with a zero byte"),
    ("ParticlesSimulation/Running/EmitterState.swift", "dead, on: teamForMoving(min(dead[dead.count - 1], columns.count - dead[0])))",
     "2", "it only decides how many threads move the other particles"),
    ("ParticlesContainer/Format/Frame.swift", "for _ in 0..<2 { writer.u32(UInt32(Layout.footerPayloadSize)) }",
     "1", "a place that begins as a footer is read in full"),
    ("ParticlesRender/Drawing/Texture.swift", "texels = .allocate(capacity: stride * (height + 2))",
     "3", "the texels behind the border are never read"),
    ("ParticlesRender/Drawing/QuadPainter.swift", "if left == 0, right == 1, top == 0, bottom == 1 { return self }",
     "1", "a quad that is trimmed by nothing is equal"),
    ("ParticlesRender/Output/AnimationWriter.swift", "guard abs(last.p / last.q - seconds) > 1e-12 * seconds, rest > whole else { break }",
     "abs(last.p / last.q - seconds) >= 1e-12 * seconds", "a fraction that is off by the bound is exact enough, and so is the next one"),
    ("ParticlesRender/Statistics/EffectDifference.swift", "guard known.count > 1 else { return }",
     "true", "a single difference is its own mean"),
    ("ParticlesSimulation/Running/EmitterEmission.swift", "if isLast { return }",
     "false", "the particles after the last one find no room, either"),
    ("ParticlesSimulation/Plans/TrackPlan.swift", "guard next.time > key.time else { continue }",
     "true", "no time is in a part without length"),
    ("ParticlesSimulation/Running/EmitterEmission.swift", "if emission.minAlive > 0, activation.isEmitting {",
     "-1", "without a least number, nothing is tried"),
    ("ParticlesC/Effects/Effect.swift", "guard !new.isEmpty else { return nil }", "true", "an empty list has no first element either"),
    ("ParticlesC/Motion/Simulating.swift", "guard seconds > part else { return simulation.advance(by: seconds) }",
     "true", "a short advance is one part either way"),
    ("ParticlesContainer/Reading/FrameReading.swift", "private var window: (start: Int, bytes: [UInt8]) = (0, [])",
     "1", "a window without bytes holds no head, wherever it begins"),
    ("ParticlesPackages/Unpacking/SequentialUnpacker.swift", "while let entry = waiting.first, entry.offset < block.end {",
     "entry.offset <= block.end", "of a file that begins behind the block, nothing is written yet"),
    ("ParticlesContainer/Reading/ContainerReader.swift", "while open.count > 1, open[open.count - 1].length >= start { closeLast() }",
     "open[open.count - 1].length > start", "a name begins behind the slash of its folder, so that both are never equal"),
    ("ParticlesModel/Properties/Mending.swift", "guard let count, columns > 0, rows > 0, !isTooMany, count > places else { return }",
     "-1", "columns and rows have been mended before, and are at least 1"),
    ("ParticlesCore/Bytes/Base64.swift", "reserveCapacity(text.utf8.count / 4 * 3)", "", "it is about speed"),
    ("ParticlesCore/JSON/JSONValue.swift", "if !isExponent, !isWhole, (1e-4..<1e15).contains(value.magnitude) { return description }",
     "false", "the longer way has the same text"),
    ("ParticlesDocuments/Versions/StoredTree.swift", "var isKnown = false", "true", "only files have digests, and all of them have contents"),
    ("ParticlesFormats/TSParticles/TSParticlesLook.swift", "range.upper > range.lower, range.upper < .infinity",
     "true", "effects with numbers that are not finite are not written"),
    ("ParticlesSystem/Files/SafeSave.swift", "guard let temporaries = try? Files.temporaries(beside: place, in: folder), !temporaries.isEmpty",
     "true", "without temporary files there are no leftovers"),
    ("ParticlesSystem/Files/FolderReader.swift", "if count < 0, errno != EINTR {",
     "errno == EINTR", "the next call writes everything, or fails in the same way"),
    ("ParticlesSystem/Files/OpenFile.swift", "guard let size = try? other.status().size, size >= Self.blockSize,",
     "true", "a block that ends behind the file cannot be shared"),
    ("ParticlesSystem/Parallel/ConditionLock.swift", "condition.initialize(to: pthread_cond_t())",
     "", "pthread_cond_init sets every byte that is used"),
    ("ParticlesCLI/Commands/Rendering/ViewCommand.swift", ".map { ($0, (try? Files.status($0))??.state.modified ?? 0) }",
     "1", "a page without a time is gone, and no other is as old"),
    ("ParticlesBrowser/Core/BrowserOperations.swift", "results.sort { (places[$0.source] ?? 0) < (places[$1.source] ?? 0) }",
     "1", "every result is about an item of the renamings"),
    ("ParticlesBrowser/Core/BrowserItem.swift", "String(UInt64.random(in: 1 << 60...UInt64.max), radix: 36)",
     "2", "an identity is any of many numbers"),
    ("Python/particlekit/_simulation.py", "is_moment = isinstance(seconds, (int, float)) and seconds <= 0.1",
     "<", "it only decides whether a signal can interrupt the call"),
    ("Python/particlekit/_blob.py", "self._handle = 0", "1", "no handle has the number 1, and to close a wrong handle does nothing"),
]


def fail(text):
    sys.exit(f"Tests/mutants.py: {text}")


# MARK: Drawing


def modules():
    """The modules by name: the folder of a Swift module, the pattern of others."""
    found = {}
    for target, (kind, folder, _) in quick.targets().items():
        # Modules that only name others, as Particles and ParticlesPlatform do, have nothing to be tested.
        is_code = any("func " in path.read_text() for path in (ROOT / folder).rglob("*.swift"))
        if kind == "regular" and is_code and not target.endswith("TestSupport"):
            found[target.removeprefix("Particles")] = folder
    return {**dict(sorted(found.items())), **SCRIPTS}


def compiled(folder):
    """The sources of a Swift module, without those that Package.swift excludes. `modules` has written the description of the package."""
    targets = json.loads((ROOT / ".build" / "quick.json").read_bytes())["targets"]
    excluded = next(target["exclude"] for target in targets if target["name"] == pathlib.Path(folder).name)
    return [path for path in (ROOT / folder).rglob("*.swift") if not any(path.is_relative_to(ROOT / folder / name) for name in excluded)]


def drawn(name, place, seed):
    """Yields mutants, operators in turn. The order of the candidates depends on the seed and their lines, so that a change
    of the sources replaces few of the mutants."""

    def key(mutant):
        text = f"{seed} {mutant.file} {mutant.source} {mutant.original} {mutant.faulty}"
        return hashlib.sha256(text.encode()).digest()

    paths = sorted(ROOT.glob(place) if name in SCRIPTS else compiled(place))
    texts = {str(path.relative_to(ROOT / "Sources")): path.read_text() for path in paths}
    # Once a line, so that an error of the compiler identifies the mutant.
    taken = set()
    pools = [sorted((mutant for file, text in texts.items() for mutant in candidates(file, text, operator)), key=key, reverse=True)
             for operator in OPERATORS]
    while any(pools):
        for pool in filter(None, pools):
            mutant = pool.pop()
            lines = {(mutant.file, line) for line in range(mutant.line - 1, mutant.last + 2)}
            if not lines & taken:
                taken |= lines
                yield mutant


def reason(mutant):
    return next((reason for file, source, faulty, reason in EQUIVALENT
                 if (file, source, faulty) == (mutant.file, mutant.source, mutant.faulty)), None)


# MARK: Running


def outcome(command, timeout, fault, environment={}, folder=ROOT):
    """The exit status of tests, 1 as soon as a line matches `fault`. Then the line, or another event, and the output."""
    process = subprocess.Popen(
        [str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8", errors="replace", start_new_session=True, env={**os.environ, "PARTICLES_CORPUS": "/nonexistent", **environment})
    late = threading.Event()

    def end():
        late.set()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(timeout, end)
    timer.start()
    found, output = None, []
    try:
        for line in process.stdout:
            line = re.sub(r"\x1b\[[0-9;]*m", "", line)
            output.append(line)
            if found := re.search(fault, line):
                break
        status = 1 if found else process.wait()
    finally:
        timer.cancel()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    text = f"no end within {timeout:.0f} s" if late.is_set() else found[0].strip() if found else f"ended with status {status}"
    return status, text, "".join(output)


class Judge:
    """Runs the tests of one module. `suites(mutant)` run in turn. `suite(name, mutant, timeout)` has the results of `outcome`."""

    needs = "the Swift toolchain"

    def __init__(self, name, place, options):
        self.name, self.place, self.options = name, place, options

    def prepare(self, draw):
        """The mutants that can be run, at most the wanted number, or None if the tests cannot run here."""
        return list(itertools.islice(draw, self.options.drawn))

    @contextlib.contextmanager
    def planted(self, mutant, folder):
        """Puts a mutant into the copy of its file."""
        if mutant is None:
            yield
            return
        path = folder / mutant.file
        text = path.read_text()
        path.write_text(text[:mutant.start] + mutant.faulty + text[mutant.end:])
        try:
            yield
        finally:
            path.write_text(text)


class ScriptJudge(Judge):
    """Scripts in node. The folder has a copy of all that the mutants and the tests are imported from."""

    needs = "node"
    FOLDER = OUT / "scripts"

    def prepare(self, draw):
        if not shutil.which("node"):
            return None
        shutil.rmtree(self.FOLDER, ignore_errors=True)
        for folder in ("Sources/ParticlesBrowser/Pages", "Sources/ParticlesWeb/Player", "Tests/Browser", "Tests/Web"):
            shutil.copytree(ROOT / folder, self.FOLDER / folder)
        # A test compares the package of npm with the table of the tool, and with the licence.
        shutil.copytree(ROOT / "Sources/CParticlesPlayer", self.FOLDER / "Sources/CParticlesPlayer")
        for folder in ("Fixtures", "Spec", "LICENSE"):
            (self.FOLDER / folder).symlink_to(ROOT / folder)
        mutants = super().prepare(draw)
        files = {mutant.file for mutant in mutants}
        tests = [path for path in sorted((self.FOLDER / "Tests").rglob("*.mjs")) if 'node:test"' in path.read_text()]
        # Reading of all packages of the fixtures takes longest.
        tests.sort(key=lambda test: test.name == "packages.mjs")
        self.reach = {test: reached for test in tests if (reached := self.reached(test) & files)}
        return mutants

    def reached(self, test):
        """The scripts that a test names, and their imports."""
        texts = {path: path.read_text() for path in self.FOLDER.rglob("*.*js")}
        named = collections.defaultdict(list)
        for path in texts:
            named[path.name].append(path)
        new, found, folders = {test}, set(), set()
        while new:
            found |= new
            # A test has the folder of a script and its name in two places.
            folders |= {folder for path in new for folder in ("ParticlesBrowser/Pages", "ParticlesWeb/Player") if folder in texts[path]}
            names = {(path, name) for path in found for name in re.findall(r"""[\w./-]+\.m?js""", texts[path])}
            new = {other for path, name in names for other in named[pathlib.Path(name).name] if str(other) == os.path.normpath(path.parent / name)
                   or path.suffix == ".mjs" and str(other).endswith("/" + name) and any(folder in str(other) for folder in folders)} - found
        return {str(path.relative_to(self.FOLDER / "Sources")) for path in found if path.suffix == ".js"}

    def suites(self, mutant):
        return [test for test, files in self.reach.items() if mutant is None or mutant.file in files]

    def suite(self, test, mutant, timeout):
        with self.planted(mutant, self.FOLDER / "Sources"):
            return outcome(["node", test], timeout, r"^not ok .*", folder=self.FOLDER)


class PythonJudge(Judge):
    needs = "pytest, numpy and a build of the tests"

    def prepare(self, draw):
        self.python = next((python for python in (ROOT / ".build/python/bin/python3", "python3") if shutil.which(python) and subprocess.run(
            [python, "-c", "import pytest, numpy"], capture_output=True).returncode == 0), None)
        objects = Build.folder() / "particles-c.product/Objects.LinkFileList"
        if not self.python or not objects.exists():
            return None
        self.folder = OUT / "python"
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(ROOT / "Sources/Python", self.folder / "Python")
        # Tests read its header.
        (self.folder / "CParticlesInterface").symlink_to(ROOT / "Sources/CParticlesInterface")
        link = [word for word in Build.command("particlesPackageTests.xctest") if word.startswith("-l") or word.startswith("-L/")]
        subprocess.run([Build.compiler(), "-emit-library", "-o", OUT / "libparticles.so.1", f"@{objects}", *link], check=True)
        return super().prepare(draw)

    def suites(self, mutant):
        return ["tests"]

    def suite(self, tests, mutant, timeout):
        environment = {"PYTHONPATH": str(self.folder / "Python"), "PARTICLES_LIBRARY": str(OUT / "libparticles.so.1"), "XDG_DATA_HOME": str(OUT / "data")}
        with self.planted(mutant, self.folder):
            return outcome([self.python, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", tests], timeout, r"^(FAILED|ERROR) .*",
                           environment, self.folder / "Python")


# MARK: Swift


SWITCH = """#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

private let selected = getenv("PARTICLES_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

func particlesMutant(_ number: Int) -> Bool { selected == number }
"""


class Build:
    """The commands of the test build, which the package manager keeps, with other sources and objects."""

    commands = None

    @classmethod
    def all(cls):
        if cls.commands is None:
            manifest = ROOT / ".build/debug.yaml"
            if not manifest.exists() or not cls.folder().exists():
                fail("there is no build of the tests; run: PARTICLES_STRICT=1 swift build --build-tests")
            lines = (line.strip() for line in manifest.read_text().splitlines())
            cls.commands = [json.loads(line.removeprefix("args: ")) for line in lines if line.startswith("args: [")]
        return cls.commands

    @staticmethod
    def folder():
        return (ROOT / ".build/debug").resolve()

    @classmethod
    def compiler(cls):
        return cls.command("particlesPackageTests.xctest")[0]

    @classmethod
    def command(cls, program):
        """What links a program."""
        return next(words for words in cls.all() if "-emit-executable" in words and words[words.index("-o") + 1].endswith(f"/{program}"))

    @classmethod
    def compile(cls, target, mutants):
        """Compiles a module with these mutants in it, and returns its objects, or the mutants that do not compile."""
        folder = OUT / target
        shutil.rmtree(folder, ignore_errors=True)
        words = next(words for words in cls.all() if "-module-name" in words and words[words.index("-module-name") + 1] == target and "-c" in words)
        listed = (cls.folder() / f"{target}.build/sources").read_text().splitlines()
        sources = [pathlib.Path(line.strip("'\"").replace("\\", "")) for line in listed]
        edited = collections.defaultdict(list)
        for mutant in mutants:
            edited[ROOT / "Sources" / mutant.file].append(mutant)
        for index, path in enumerate(sources):
            if path in edited:
                text = path.read_text()
                for mutant in sorted(edited[path], key=lambda mutant: -mutant.start):
                    text = text[:mutant.start] + mutant.switched() + text[mutant.end:]
                sources[index] = folder / path.relative_to(ROOT)
                sources[index].parent.mkdir(parents=True, exist_ok=True)
                sources[index].write_text(text)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "Mutants.swift").write_text(SWITCH)
        sources.append(folder / "Mutants.swift")
        objects = {str(path): {"object": f"{folder}/{path.name}.o"} for path in sources}
        (folder / "map.json").write_text(json.dumps({"": {"swift-dependencies": f"{folder}/all.swiftdeps"}, **objects}))
        (folder / "sources").write_text("\n".join(f"'{path}'" for path in sources))
        # Warnings about conditions that are always true are no errors here, and nothing is built beside the objects.
        changed, skip = [], 0
        for word in words:
            if skip:
                skip -= 1
            elif word in ("-emit-module-path", "-emit-objc-header-path", "-index-store-path", "-output-file-map"):
                skip = 1
            elif word not in ("-emit-module", "-emit-objc-header", "-emit-dependencies", "-incremental", "-parseable-output",
                              "-serialize-diagnostics", "-warnings-as-errors") and not word.startswith("@"):
                changed.append(word)
        result = subprocess.run([*changed, "-suppress-warnings", "-continue-building-after-errors", "-output-file-map", folder / "map.json",
                                 f"@{folder / 'sources'}"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode == 0:
            return [value["object"] for value in objects.values()], []
        wrong = []
        for path, line in set(re.findall(r"^(/.*?\.swift):(\d+):\d+: error:", result.stdout, re.MULTILINE)):
            there = sorted((mutant for mutant in mutants if path.endswith("/" + mutant.file)), key=lambda mutant: mutant.line)
            above = [mutant for mutant in there if mutant.line <= int(line)]
            wrong += [mutant for mutant in above if int(line) <= mutant.last] or above[-1:] or there[:1]
        if not wrong:
            fail(f"{target} cannot be compiled\n{result.stdout[-4000:]}")
        return [], wrong

    @classmethod
    def link(cls, objects):
        """Links all programs with these objects of some modules. Programs without these modules stay."""
        programs = [words for words in cls.all() if "-emit-executable" in words]

        def link(words):
            place = pathlib.Path(words[words.index("-o") + 1])
            listing = pathlib.Path(next(word[1:] for word in words if word.endswith("Objects.LinkFileList")))
            target = OUT / place.name
            target.unlink(missing_ok=True)
            if not listing.exists():
                return
            lines = [line.strip("'\"") for line in listing.read_text().splitlines()]
            kept = [line for line in lines if pathlib.Path(line).relative_to(cls.folder()).parts[0].removesuffix(".build") not in objects]
            if len(kept) == len(lines):
                return target.symlink_to(place)
            added = [path for module, paths in objects.items() if any(f"/{module}.build/" in line for line in lines) for path in paths]
            (OUT / f"{place.name}.list").write_text("\n".join(f"'{path}'" for path in kept + added))
            changed = [target if word == str(place) else f"@{OUT / place.name}.list" if word == f"@{listing}" else word for word in words]
            subprocess.run(changed, cwd=ROOT, check=True)

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(link, programs))


class SwiftJudge(Judge):
    numbers = itertools.count(1)

    def prepare(self, draw):
        self.target = pathlib.Path(self.place).name
        self.judges = [self.target + "Tests", *JUDGES.get(self.name, [])]
        # A few more than asked for, in place of mutants that will not compile.
        chosen, refused = list(itertools.islice(draw, self.options.drawn + self.options.drawn // 3)), 0
        if not chosen:
            return []
        while True:
            for mutant in chosen:
                mutant.number = mutant.number or next(self.numbers)
            objects, wrong = Build.compile(self.target, chosen)
            if objects:
                break
            refused += len(wrong)
            chosen = [mutant for mutant in chosen if mutant not in wrong]
            chosen += itertools.islice(draw, max(0, self.options.drawn - len(chosen)))
        Build.link({self.target: objects})
        print(f"{self.name}: {refused} mutants do not compile", flush=True)
        return chosen[:self.options.drawn]

    def suites(self, mutant):
        """The suites of the test file whose name begins with the words of the source file, then all suites."""
        if mutant is None:
            return self.judges
        ours = words(pathlib.Path(mutant.file).stem)

        def score(path):
            theirs = words(path.stem)
            leading = next((n for n, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
            return (leading, len(set(ours) & set(theirs)), -len(theirs), path.stem)

        best = max((path for judge in self.judges for path in (ROOT / "Tests" / judge).rglob("*Tests.swift")), key=score)
        names = re.findall(r"^(?:@Suite.*\n?)?.*struct (\w+Tests)\b", best.read_text(), re.MULTILINE)
        near = f"{best.relative_to(ROOT / 'Tests').parts[0]}.{'|'.join(names)}"
        return ([near] if score(best)[0] and names else []) + self.judges

    def suite(self, suite, mutant, timeout):
        target, _, names = suite.partition(".")
        pattern = f"^{target}\\.({names})(/|$)" if names else f"^{target}\\."
        scratch = tempfile.mkdtemp()
        # Tests of permissions run the tool as another user.
        os.chmod(scratch, 0o755)
        try:
            status, text, output = outcome(
                [OUT / "particlesPackageTests.xctest", "--testing-library", "swift-testing", "--filter", pattern], timeout,
                r"✘ Test .*recorded an issue.*|Fatal error.*|unexpected signal.*",
                {"PARTICLES_MUTANT": str(mutant.number if mutant else 0), "PARTICLES_RECORD": "", "TMPDIR": scratch})
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        if "Test run with 0 tests" in output:
            fail(f"there is no test in {suite}\n{output[-2000:]}")
        return status, text, output


def words(name):
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]+", name.removesuffix("Tests").replace("+", ""))


# MARK: Results


def measure(name, place, options, deadline):
    """The numbers of drawn, noticed, equivalent, surviving and left mutants of a module, or None where it cannot be run."""
    judge = (PythonJudge if name == "Python" else ScriptJudge if name in SCRIPTS else SwiftJudge)(name, place, options)
    mutants = judge.prepare(drawn(name, place, options.seed))
    if mutants is None:
        return print(f"{name}: skipped; it needs {judge.needs}", flush=True)
    lengths = {}
    for suite in judge.suites(None) if mutants else []:
        # Twice: a machine under load can make a test with a time limit fail.
        for _ in range(2):
            before = time.monotonic()
            status, text, output = judge.suite(suite, None, 1200)
            lengths[suite] = time.monotonic() - before
            if status == 0:
                break
        else:
            fail(f"without a mutant, {suite} fails: {text}\n{output[-2000:]}")
    counts = collections.Counter(drawn=len(mutants))
    for mutant in mutants:
        if why := reason(mutant):
            counts["equivalent"] += 1
            print(f"equivalent  {mutant}: {why}", flush=True)
            continue
        if time.monotonic() > deadline:
            counts["left"] += 1
            continue
        before, status, text, last = time.monotonic(), 0, "", "no test reaches it"
        limit = 30 + 4 * max(lengths.values())
        for last in judge.suites(mutant):
            status, text, _ = judge.suite(last, mutant, limit)
            # A machine that has become slow proves nothing.
            if text.startswith("no end") and judge.suite(last, None, limit / 2)[0]:
                status = None
            if status != 0:
                break
        if status is None:
            counts["left"] += 1
            print(f"undecided  {mutant}", flush=True)
            continue
        counts["noticed" if status else "survivors"] += 1
        seconds = time.monotonic() - before
        print(f"{'noticed' if status else 'SURVIVES'}  {mutant}\n    {getattr(last, 'name', last)}, {seconds:.0f} s" + (f": {text}" if status else ""), flush=True)
    print(f"{name}: {counts['noticed']} of {counts['drawn'] - counts['equivalent'] - counts['left']} noticed, {counts['equivalent']} equivalent"
          + (f", {counts['left']} not run" if counts["left"] else ""), flush=True)
    return counts


COLUMNS = ["drawn", "noticed", "equivalent", "survivors"]


def recorded():
    """The rows of the table: for each module its numbers and date, or none where it was not measured."""
    found = {}
    for line in TABLE.read_text().splitlines() if TABLE.exists() else []:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and cells[0] != "module":
            found[cells[0]] = None if "–" in cells else (dict(zip(COLUMNS, map(int, cells[1:5]))), cells[5])
    return found


def record(results):
    rows = {name: None for name in modules()} | {name: row for name, row in recorded().items() if name in modules()}
    today = datetime.date.today().isoformat()
    rows |= {name: ({column: counts[column] for column in COLUMNS}, today) for name, counts in results.items() if counts and not counts["left"]}
    lines = ["# Faults that the tests notice", "", "Written by `make mutants OPTIONS=--record`: 30 drawn mutants of each module with seed 1. `make mutants "
             "OPTIONS=\"--module NAME\"` names the survivors.", "A module with a dash was not measured.", "",
             "| module | drawn | noticed | equivalent | survivors | date |", "|---|---|---|---|---|---|"]
    for name, row in rows.items():
        cells = [str(row[0][column]) for column in COLUMNS] + [row[1]] if row else ["–"] * 5
        lines.append(f"| {name} | {' | '.join(cells)} |")
    TABLE.write_text("\n".join(lines) + "\n")


def check():
    """Whether the tables of this file fit the sources, and the table of results has its form."""
    for file, source, *_ in EQUIVALENT:
        path = ROOT / "Sources" / file
        if not path.exists() or source not in (line.strip() for line in path.read_text().splitlines()):
            fail(f"{file} does not contain a line of EQUIVALENT: {source}")
    rows = recorded()
    if list(rows) != list(modules()) or len(TABLE.read_text().splitlines()) > 40:
        fail("Tests/mutants.md has at most 40 lines and a row for each module; write it: make mutants OPTIONS=--record")
    for name, row in rows.items():
        if row and (row[0]["drawn"] != sum(row[0].values()) - row[0]["drawn"] or row[0]["equivalent"] > MOST_EQUIVALENT):
            fail(f"Tests/mutants.md: the numbers of {name} do not add up, or more than {MOST_EQUIVALENT} are equivalent")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--module", action="append", help="a module; can be repeated (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the drawn mutants (default 1)")
    parser.add_argument("--drawn", type=int, default=30, help="number of drawn mutants of each module (default 30)")
    parser.add_argument("--minutes", type=float, help="stop after this time")
    parser.add_argument("--record", action="store_true", help="write the results to Tests/mutants.md")
    parser.add_argument("verb", nargs="?", choices=["check", "list", "run"], default="run")
    options = parser.parse_args()
    if options.verb == "check":
        return check()
    if options.record and (options.seed, options.drawn) != (1, 30):
        fail("Tests/mutants.md is about 30 mutants with seed 1")
    known = modules()
    if wrong := set(options.module or []) - set(known):
        fail(f"there is no module {', '.join(sorted(wrong))}; there are {', '.join(known)}")
    chosen = list(options.module or known)
    if options.minutes is not None:
        # Three modules further every eleven commits, after which all other slow checks have had their turn.
        start = int(quick.git("rev-list", "--count", "HEAD") or 0) // 11 * 3 % len(chosen)
        chosen = chosen[start:] + chosen[:start]
    if options.verb == "list":
        for name in chosen:
            print(*itertools.islice(drawn(name, known[name], options.seed), options.drawn), sep="\n")
        return 0
    OUT.mkdir(parents=True, exist_ok=True)
    start, results, before, left = time.monotonic(), {}, recorded(), []
    deadline = start + 60 * options.minutes if options.minutes is not None else float("inf")
    for name in chosen:
        # Compiling, linking and running once take this long, at most.
        if time.monotonic() + (10 if name in SCRIPTS else 240) > deadline:
            left.append(name)
        else:
            results[name] = measure(name, known[name], options, deadline)
    if options.record:
        record(results)
    bad = []
    for name, counts in results.items():
        if counts:
            allowed = int((counts["noticed"] + counts["survivors"]) * (1 - GOAL) + 1e-9)
            allowed = max(allowed, before[name][0]["survivors"] if before.get(name) else 0)
            bad += [name] if counts["survivors"] > allowed or counts["equivalent"] > MOST_EQUIVALENT else []
    print(f"{(time.monotonic() - start) / 60:.0f} minutes" + (f"; not run: {', '.join(left)}" if left else ""))
    if bad:
        print(f"too few are noticed in: {', '.join(bad)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
