#!/usr/bin/env python3
"""Mutation testing: plants small faults in the libraries, one at a time, and reports which of them
no test notices.

    python3 Tests/mutants.py [--seed N] [--drawn N] [--minutes N] [--only WORDS]... [check | build | run]

There are two kinds of mutants: those in the table PLANTED, each a fault that the tests once missed,
and mutants drawn by seed over all library modules from these operators:

    swapped comparison   `<` and `<=`, `>` and `>=`, `==` and `!=` replace each other
    off by one           an integer in a sum, range, subscript or comparison is one larger or smaller
    dropped guard        a condition of `guard`, or of an `if` that leaves, always lets pass
    wrong constant       another number is doubled (0 becomes 1), a truth value is inverted
    dropped call         a statement that only calls a function is skipped

All mutants are compiled into one build of a copy of the project, in .build/mutants: each faulty
expression is written as `(particlesMutant(17) ? (faulty) : (original))`, and the environment variable
PARTICLES_MUTANT selects one. Drawn mutants that do not compile are replaced by further ones.

A mutant runs against the one suite that should notice it: PLANTED names it; for a drawn mutant it is
the test file of the module's test target whose name begins with the same words as the name of the
source file, with as many of them as possible. If there is no such file, or the suite does not notice,
the whole test target of the module runs, then the suites of other targets that mention a type of the
source file, if they are few. A failed test, a crash and a timeout count as noticed. The corpus is not used.

Exits with 1 if a mutant survives that EQUIVALENT does not list. `build` and `run` do one half each; `check`
only looks whether PLANTED and EQUIVALENT fit the sources. With --only, which can be repeated, only mutants run
whose line in the output contains one of these texts.
"""

import argparse, hashlib, json, os, pathlib, random, re, shutil, subprocess, sys, time

sys.dont_write_bytecode = True
from swift_mutations import OPERATORS, Mutant, candidates

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / ".build" / "mutants"
PLAN = COPY / "mutants.json"
SWIFT = os.environ.get("SWIFT", "swift")
MODULES = ["Core", "Container", "Model", "Images", "PropertyLists", "Types", "Archives", "Formats",
           "Simulation", "Render", "Documents", "Desktop", "CLI"]

# Faults that the tests once missed: file, original text (unique in the file), faulty text, suite.
PLANTED = [
    ("ParticlesContainer/Format/Footer.swift",
     "generation == (before?.generation ?? 0) &+ 1", "true",
     "ParticlesContainerTests.FrameTests"),
    ("ParticlesContainer/Format/Frame.swift",
     "rawLength <= storedLength * Layout.packingLimit + 64",
     "rawLength <= storedLength * Layout.packingLimit * 64",
     "ParticlesContainerTests.FrameTests"),
    ("ParticlesContainer/Saving/Container+Saving.swift",
     "3 * (stream - live) > stream", "2 * (stream - live) > stream",
     "ParticlesContainerTests.AutomaticSaveTests"),
    ("ParticlesContainer/Saving/TreeChanges.swift",
     "growth -= node.contentBytes", "growth -= node.contents?.size ?? 0",
     "ParticlesContainerTests.AutomaticSaveTests"),
    ("ParticlesModel/Document/ParticleSystem+Population.swift",
     "max(period + max(0, timing.idle.bounds.lower), 1e-3)", "max(period, 1e-3)",
     "ParticlesModelTests.PopulationTests"),
    ("ParticlesDocuments/Conversion/ConversionPlan.swift",
     "items[$0].output.lowercased()", "items[$0].output",
     "ParticlesDocumentsTests.ConversionTests"),
    ("ParticlesDocuments/Thumbnails/SpriteThumbnail.swift",
     "layer.image.pixel(atX: x / layer.extent, y: y / layer.extent)",
     "layer.image.pixel(atX: x / layer.extent, y: -y / layer.extent)",
     "ParticlesDocumentsTests.SpriteThumbnailTests"),
    ("ParticlesFormats/Kit/Writing/FieldEncoder.swift",
     "index == 0 ? original : nil", "original",
     "ParticlesFormatsTests.CocosEncodingTests"),
    ("ParticlesFormats/SceneKit/SceneKitControllers.swift",
     "-domain.lower * scale", "domain.lower * scale",
     "ParticlesFormatsTests.SceneKitEncodingTests"),
    ("ParticlesArchives/ZIPLocalHeader.swift",
     "entry.size / 1032 <= entry.packedSize", "entry.size / 10320 <= entry.packedSize",
     "ParticlesArchivesTests.HostileArchiveTests"),
    ("ParticlesArchives/TarReader.swift",
     "length <= rest.count", "true",
     "ParticlesArchivesTests.HostileArchiveTests"),
    ("ParticlesDocuments/Opening/EffectPackage.swift",
     "stored == SHA256.digest(bytes).description", "true",
     "ParticlesDocumentsTests.EffectPackageTests"),
    ("ParticlesModel/Evaluation/Curve+Evaluation.swift",
     "!time.isNaN", "true",
     "ParticlesModelTests.CurveTests"),
    ("ParticlesImages/PNGChunks.swift",
     "isCritical || length <= longest && needed.contains(name)",
     "length <= longest && (isCritical || needed.contains(name))",
     "ParticlesImagesTests.PNGTests"),
    ("ParticlesDocuments/Validation/Validator.swift",
     "bytes > budget.textureBytes", "bytes >= budget.textureBytes",
     "ParticlesDocumentsTests.ValidatorTests"),
    ("ParticlesImages/ApplePNG.swift", "alpha > 0", "true", "ParticlesImagesTests.ApplePNGTests"),
    ("ParticlesRender/Output/GIF/OpaquePixels.swift",
     "back * (255 - alpha) + 127", "back * (255 - alpha)",
     "ParticlesRenderTests.AnimationWriterTests"),
    ("ParticlesSimulation/Quads/TrailHistory.swift",
     "time < lastTime", "false", "ParticlesSimulationTests.TrailHistoryTests"),
    ("ParticlesSimulation/Running/SimulationBudget.swift",
     "Int(Double(shared) * Double(stepsLeft) / Double(steps))",
     "0",
     "ParticlesSimulationTests.SimulationBudgetTests"),
    ("ParticlesSimulation/Running/SimulationBudget.swift",
     "need() > Double(all / 2)",
     "false",
     "ParticlesSimulationTests.SimulationBudgetTests"),
    ("ParticlesSimulation/Running/SimulationBudget.swift",
     "+ Int(min(max(1, steps), Double(max(1, remaining)))) * weight.step",
     "",
     "ParticlesSimulationTests.SimulationBudgetTests"),
    ("ParticlesSimulation/Running/SimulationBudget.swift",
     "Double(most) * (time / max(life, Simulation.longestStep) + 1)",
     "Double(most)",
     "ParticlesSimulationTests.SimulationBudgetTests"),
    ("ParticlesSimulation/Running/Simulation.swift",
     "state.prewarm >= left - 1e-9",
     "true",
     "ParticlesSimulationTests.SimulationTests"),
    ("ParticlesSimulation/Running/Activation.swift",
     "count > Double(Self.mostPeriods)", "false",
     "ParticlesSimulationTests.SimulationBudgetTests"),
    ("ParticlesFormats/Kit/Tree/InfiniteNumbers.swift",
     "number.mayBeInfinite && number.double == nil", "false",
     "ParticlesFormatsTests.InfiniteNumberTests"),
    ("ParticlesFormats/Kit/Tree/InfiniteNumbers.swift",
     "mayBeText && text.isInfiniteNumber", "text.isInfiniteNumber",
     "ParticlesFormatsTests.InfiniteNumberTests"),
    ("ParticlesFormats/Godot/Syntax/GodotScene.swift",
     "file.mayHaveInfiniteNumbers(property.value)", "false",
     "ParticlesFormatsTests.InfiniteNumberTests"),
    ("ParticlesDocuments/Rendering/Emptiness.swift",
     "isVisible = !look.isPoor", "isVisible = false",
     "ParticlesDocumentsTests.EmptyPictureTests"),
    ("ParticlesDocuments/Rendering/Emptiness.swift",
     "life < Simulation.longestStep", "false",
     "ParticlesDocumentsTests.EmptyPictureTests"),
    ("ParticlesRender/Drawing/Texture.swift",
     "ratio > 1.5 * Float(1 << level)",
     "ratio > 3 * Float(1 << level)",
     "ParticlesRenderTests.CanvasTests"),
    ("ParticlesRender/Drawing/Texture.swift",
     "4 * min(x, y)",
     "64 * min(x, y)",
     "ParticlesRenderTests.CanvasTests"),
    ("ParticlesRender/Drawing/Texture.swift",
     "texels(at: level) > Self.mostTexels",
     "false",
     "ParticlesRenderTests.CanvasTests"),
    ("ParticlesSimulation/Quads/QuadBuilder.swift",
     "min(max(speed * factor * point.scale, 0), Self.longest)",
     "max(speed * factor * point.scale, 0)",
     "ParticlesRenderTests.EffectRendererTests"),
    ("ParticlesRender/Output/FrameTiming.swift",
     "max(Int(exact.rounded()), shown.last.map { $0.start + least } ?? 0)",
     "max(Int(exact), shown.last.map { $0.start + least } ?? 0)",
     "ParticlesRenderTests.FrameTimingTests"),
    ("ParticlesRender/Output/Sheets/SpriteSheet.swift",
     "Double(count * cellHeight) / Double(cellWidth)",
     "Double(count * cellWidth) / Double(cellHeight)",
     "ParticlesRenderTests.SheetTests"),
    ("ParticlesRender/Output/Sheets/SpriteSheet.swift",
     "FrameNames(stem: stem, count: plan.timing.count)",
     "FrameNames(stem: image, count: plan.timing.count)",
     "ParticlesRenderTests.SheetTests"),
    ("ParticlesDocuments/Rendering/EffectAnimation+Loops.swift",
     "(most - 1) * timing.count",
     "0",
     "ParticlesDocumentsTests.EffectAnimationTests"),
    ("ParticlesDocuments/Rendering/EffectAnimation+Loops.swift",
     "limits.particleSteps / share",
     "limits.particleSteps",
     "ParticlesDocumentsTests.EffectAnimationTests"),
    ("ParticlesDocuments/Rendering/EffectAnimation+Loops.swift",
     "body(picture(of: rounds.reversed()))",
     "body(picture(of: rounds))",
     "ParticlesDocumentsTests.EffectAnimationTests"),
    ("ParticlesDocuments/Rendering/EffectPace.swift",
     "seconds > Double(limit)",
     "false",
     "ParticlesDocumentsTests.EffectAnimationTests"),
]

# Mutants that change nothing that can be observed: file, line without indentation, faulty text, reason.
EQUIVALENT = [
    ("ParticlesCLI/Output/Console+Process.swift",
     "guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }",
     "true", "a call that fails leaves the width 0, which the next condition refuses"),
    ("ParticlesImages/ApplePNG.swift",
     "let compressed = rows.withUnsafeBytes { Deflate(level: 1).zlib($0, limit: rows.count * 2 + 64) }",
     "63", "a stream is at most 11 bytes, and 5 for each 64 kB, longer than the rows"),
]


def swift_files(folder):
    return sorted(path for path in folder.rglob("*.swift"))


def planted():
    mutants, misplaced = [], []
    for file, original, faulty, suite in PLANTED:
        path = ROOT / "Sources" / file
        text = path.read_text() if path.exists() else ""
        if text.count(original) != 1:
            misplaced.append(f"{file} contains {text.count(original)} times, not once: {original}")
            continue
        start = text.index(original)
        is_call = original.startswith("growth ")
        mutant = Mutant(file, text, start, start + len(original), faulty, "planted", suite)
        if is_call:
            # A statement: both versions, one of which is run.
            mutant.replacement = lambda m=mutant: (
                f"if particlesMutant({m.number}) {{ {m.faulty} }} else {{ {m.original} }}")
        mutants.append(mutant)
    if misplaced:
        sys.exit("\n".join(["Tests/mutants.py:"] + misplaced + ["move these entries of PLANTED to where the code is now"]))
    return mutants


def drawn(seed, taken):
    """Yields mutants without end: operators in turn, modules in shuffled rounds. The order of the
    candidates of a module depends on the seed and their lines, so that a change of the sources replaces
    few of the drawn mutants."""
    generator = random.Random(seed)

    def key(mutant):
        text = f"{seed} {mutant.file} {mutant.source} {mutant.original} {mutant.faulty}"
        return hashlib.sha256(text.encode()).digest()

    texts = {m: [(str(path.relative_to(ROOT / "Sources")), path.read_text())
                 for path in swift_files(ROOT / "Sources" / f"Particles{m}")] for m in MODULES}
    pools, deck, turn, misses = {}, [], 0, 0
    while misses < 500:
        operator = OPERATORS[turn % len(OPERATORS)]
        turn += 1
        deck = deck or generator.sample(MODULES, len(MODULES))
        module = deck.pop()
        if (module, operator) not in pools:
            pools[module, operator] = sorted(
                (mutant for file, text in texts[module] for mutant in candidates(file, text, operator)),
                key=key, reverse=True)
        pool = pools[module, operator]
        misses += 1
        if not pool:
            continue
        mutant = pool.pop()
        # One mutant a line, so that an error of the compiler tells which of them it means.
        lines = {(mutant.file, line) for line in range(mutant.line - 1, mutant.last + 2)}
        if lines & taken:
            continue
        taken |= lines
        misses = 0
        yield mutant


# MARK: Suites


def words(name):
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]+", name.removesuffix("Tests"))


def suite_for(file):
    """The suites of the test file whose name begins with the same words as that of a source file."""
    folder = ROOT / "Tests" / f"{file.split('/')[0]}Tests"
    stem = pathlib.Path(file).stem.replace("+", "")
    def score(path):
        ours, theirs = words(stem), words(path.stem)
        leading = next((n for n, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
        return (leading, len(set(ours) & set(theirs)), -len(theirs), path.stem)
    files = [path for path in folder.rglob("*Tests.swift")]
    best = max(files, key=score)
    names = re.findall(r"^(?:@Suite.*\n?)?.*struct (\w+Tests)\b", best.read_text(), re.MULTILINE)
    return f"{folder.name}.{'|'.join(names)}" if score(best)[0] and names else None


def elsewhere(file):
    """The suites in other test targets that mention a type of a source file; none if they are many."""
    text = (ROOT / "Sources" / file).read_text()
    types = re.findall(r"^ *(?:\w+ )*(?:struct|class|enum|protocol|extension) (?:\w+\.)*(\w+)", text, re.MULTILINE)
    mention = re.compile(r"\b(" + "|".join(sorted(set(types))) + r")\b") if types else None
    found = {}
    for path in sorted((ROOT / "Tests").rglob("*Tests.swift")):
        target = path.relative_to(ROOT / "Tests").parts[0]
        body = path.read_text()
        if mention and target not in (f"{file.split('/')[0]}Tests", "ArchitectureTests") and mention.search(body):
            found.setdefault(target, []).extend(re.findall(r"^.*struct (\w+Tests)\b", body, re.MULTILINE))
    if sum(map(len, found.values())) > 12:
        return []
    return [f"{target}.{'|'.join(names)}" for target, names in found.items() if names]


def pattern(suite):
    target, _, names = suite.partition(".")
    return f"^{target}\\.({names})(/|$)" if names else f"^{target}\\."


# MARK: Building


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


def write(path, data):
    """Writes a file unless it has these bytes, so that builds stay incremental."""
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def copy_project(mutants):
    wanted = set()
    for path in ROOT.iterdir():
        if path.name in (".build", ".git"):
            continue
        for file in [path] if path.is_file() else path.rglob("*"):
            if file.is_symlink() or file.is_file():
                wanted.add(file.relative_to(ROOT))
    edits = {}
    for mutant in mutants:
        edits.setdefault("Sources/" + mutant.file, []).append(mutant)
    for file in wanted:
        if (ROOT / file).is_symlink():
            if not (COPY / file).is_symlink():
                (COPY / file).parent.mkdir(parents=True, exist_ok=True)
                (COPY / file).symlink_to(os.readlink(ROOT / file))
            continue
        data = (ROOT / file).read_bytes()
        if str(file) in edits:
            text = data.decode()
            for mutant in sorted(edits[str(file)], key=lambda mutant: -mutant.start):
                if text[mutant.start:mutant.end] != mutant.original:
                    sys.exit(f"Tests/mutants.py: {file} changed during the build; start again")
                text = text[:mutant.start] + mutant.replacement() + text[mutant.end:]
            data = text.encode()
        write(COPY / file, data)
        shutil.copymode(ROOT / file, COPY / file)
    for module in MODULES:
        file = pathlib.Path("Sources", f"Particles{module}", "Mutants.swift")
        wanted.add(file)
        write(COPY / file, SWITCH.encode())
    for path in COPY.iterdir():
        if path.name in (".build", PLAN.name):
            continue
        for file in [path] if path.is_file() else list(path.rglob("*")):
            if not file.is_dir() and file.relative_to(COPY) not in wanted:
                file.unlink()


def refused(output, mutants):
    """The mutants that the compiler refused: those on the lines of its errors, or the nearest above."""
    found = []
    for path, line in set(re.findall(r"^(/.*?\.swift):(\d+):\d+: error:", output, re.MULTILINE)):
        file, line = path.split("/Sources/", 1)[-1], int(line)
        there = [mutant for mutant in mutants if mutant.file == file]
        on_line = [mutant for mutant in there if mutant.line <= line <= mutant.last]
        above = [mutant for mutant in there if mutant.line <= line]
        found += on_line or above[-1:] or there[:1]
    return found


def build(options):
    fixed = planted()
    taken = {(m.file, line) for m in fixed for line in range(m.line - 1, m.last + 2)}
    draw = drawn(options.seed, taken)
    # A few more than asked for, in place of those that will not compile.
    chosen = [m for m, _ in zip(draw, range(options.drawn + options.drawn // 2))]
    dropped = 0
    while True:
        mutants = fixed + chosen
        for number, mutant in enumerate(mutants, 1):
            mutant.number = mutant.number or number
        for mutant in mutants:
            mutant.suite = mutant.suite or suite_for(mutant.file)
        copy_project(sorted(mutants, key=lambda mutant: (mutant.file, mutant.line)))
        print(f"building {len(mutants)} mutants", flush=True)
        result = subprocess.run([SWIFT, "build", "--build-tests", "--package-path", str(COPY)],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode == 0:
            break
        wrong = refused(result.stdout, sorted(mutants, key=lambda mutant: mutant.line))
        wrong = list(dict.fromkeys(wrong))
        for mutant in wrong:
            print(f"  does not compile: {describe(mutant.record())}", flush=True)
        if not wrong or any(mutant in fixed for mutant in wrong):
            sys.exit(result.stdout[-4000:] + "\nTests/mutants.py: the copy cannot be built")
        dropped += len(wrong)
        chosen = [mutant for mutant in chosen if mutant not in wrong]
        while len(chosen) < options.drawn:
            mutant = next(draw)
            mutant.number = max(other.number for other in mutants + chosen) + 1
            chosen.append(mutant)
    chosen = chosen[:options.drawn]
    PLAN.write_text(json.dumps([mutant.record() for mutant in fixed + chosen], indent=1))
    print(f"{len(fixed)} planted mutants and {len(chosen)} drawn with seed {options.seed}; "
          f"{dropped} more do not compile")


# MARK: Running


def describe(mutant):
    change = "skipped" if mutant["operator"] == "dropped call" else f"→ `{mutant['faulty']}`"
    return f"{mutant['file']}:{mutant['line']}: {mutant['operator']}: `{mutant['original']}` {change}"


def run_suite(suite, number, timeout):
    """Whether all tests pass, and the first line that reports a failure."""
    environment = dict(os.environ, PARTICLES_MUTANT=str(number))
    environment.pop("PARTICLES_RECORD", None)
    process = subprocess.Popen(
        [SWIFT, "test", "--skip-build", "--package-path", str(COPY), "--filter", pattern(suite)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        env=environment, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        # The tests are a child in a process group of its own, which would run on.
        subprocess.run(["pkill", "-KILL", "-P", str(process.pid)])
        os.killpg(process.pid, 9)
        process.communicate()
        return False, f"no end within {timeout:.0f} s"
    count = re.search(r"Test run with (\d+) tests?", output)
    if process.returncode == 0:
        if count is None or int(count[1]) == 0:
            sys.exit(f"Tests/mutants.py: there is no test in {suite}")
        return True, ""
    failure = re.search(r"✘ Test .*?(?= with \d| recorded| failed)|Fatal error.*|.*unexpected signal.*", output)
    if failure is None and count is None and "Testing Library Version" not in output:
        sys.exit(output[-2000:] + "\nTests/mutants.py: swift test did not run")
    return False, failure[0].replace("✘ Test ", "") if failure else "the tests ended early"


def is_equivalent(mutant):
    return next((reason for file, source, faulty, reason in EQUIVALENT
                 if (file, source, faulty) == (mutant["file"], mutant["source"], mutant["faulty"])), None)


def run(options, deadline):
    only = options.only or [""]
    mutants = [m for m in json.loads(PLAN.read_text()) if any(words in describe(m) for words in only)]
    started = time.monotonic()
    lengths = {}
    for target in sorted({mutant["file"].split("/")[0] + "Tests" for mutant in mutants}):
        before = time.monotonic()
        passes, failure = run_suite(target, 0, 1200)
        lengths[target] = time.monotonic() - before
        print(f"without a mutant: {target} in {lengths[target]:.0f} s", flush=True)
        if not passes:
            # Once more: a machine under load can make a test with a time limit fail.
            passes, failure = run_suite(target, 0, 1200)
        if not passes:
            sys.exit(f"Tests/mutants.py: without a mutant, {target} fails: {failure}")
    killed, survivors, equivalent, left = 0, [], 0, 0
    for mutant in mutants:
        if reason := is_equivalent(mutant):
            equivalent += 1
            print(f"equivalent  {describe(mutant)}: {reason}", flush=True)
            continue
        if time.monotonic() > deadline:
            left += 1
            continue
        target = mutant["file"].split("/")[0] + "Tests"
        for suite in filter(None, [mutant["suite"], target, *elsewhere(mutant["file"])]):
            before = time.monotonic()
            passes, failure = run_suite(suite, mutant["number"], 60 + 4 * lengths[target])
            if not passes:
                break
        killed += not passes
        if passes:
            survivors.append(mutant)
        print(f"{'SURVIVES' if passes else 'killed'}  {describe(mutant)}\n"
              f"    {suite}, {time.monotonic() - before:.0f} s{'' if passes else ': ' + failure}", flush=True)
    if survivors:
        print("\nNo test notices:")
        for mutant in survivors:
            print(f"  {describe(mutant)}")
    count = killed + len(survivors)
    print(f"\n{killed} of {count} mutants killed ({100 * killed / max(1, count):.0f} %), {equivalent} equivalent, "
          f"in {(time.monotonic() - started) / 60:.0f} minutes")
    if left:
        print(f"{left} mutants did not run within {options.minutes} minutes")
    return 1 if survivors or left else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="seed of the drawn mutants (default 1)")
    parser.add_argument("--drawn", type=int, default=40, help="number of drawn mutants (default 40)")
    parser.add_argument("--minutes", type=int, default=60, help="stop after this time (default 60)")
    parser.add_argument("--only", action="append", help="run only mutants whose line contains this text")
    parser.add_argument("half", nargs="?", choices=["check", "build", "run"])
    options = parser.parse_args()
    planted()
    for file, source, *_ in EQUIVALENT:
        path = ROOT / "Sources" / file
        if not path.exists() or source not in path.read_text():
            sys.exit(f"Tests/mutants.py: {file} does not contain a line of EQUIVALENT: {source}")
    if options.half == "check":
        return
    deadline = time.monotonic() + 60 * options.minutes
    if options.half != "run":
        build(options)
    if options.half != "build":
        sys.exit(run(options, deadline))


if __name__ == "__main__":
    main()
