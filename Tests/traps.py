#!/usr/bin/env python3
"""Looks for inputs on which the tool ends by a signal: damaged effects of every format that it reads, through every
command that reads one.

    python3 Tests/traps.py TOOL [--seed N] [--count N] [--minutes N] [--jobs N] [--keep FOLDER]

Mutants are made from the effects in Fixtures and, where it is present, from the corpus beside the repository. Each has one to four
changes: a number becomes an extreme one, bytes change, a piece is cut out, repeated or taken from another file of the format.
Mutant N of a seed never changes. The commands read them in batches. A batch on which a command ends by a signal is run again file
by file. Exits with 1 after a signal, and keeps the inputs in FOLDER (.build/traps).

An input that takes a processor longer than two minutes is listed, and is no failure: a clock decides nothing.
"""

import argparse, concurrent.futures, os, pathlib, random, re, resource, shutil, signal, struct, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = pathlib.Path(os.environ.get("PARTICLES_CORPUS", ROOT.parent / "shared" / "corpus"))
LARGEST = 24 << 10
# The extension of a mutant that is the document of a package in the form of a directory.
DOCUMENT = ".particles/document.json"
BATCH = 100
SECONDS = 120

# Each command, with what comes before and after its inputs. Pictures are small and short: what may trap depends on values.
COMMANDS = [
    ("info", ["--json"], []),
    ("info", ["--properties"], []),
    ("validate", [], []),
    ("convert", ["--to", "particles", "-o", "out/particles"], []),
    ("convert", ["--to", "{target}", "-o", "out/{target}"], []),
    ("thumbnail", ["--size", "48", "-o", "out/thumbnails"], []),
    ("render", ["--to", "png", "--size", "48", "-o", "out/pictures"], []),
    ("render", ["--to", "gif", "--size", "24", "--fps", "4", "--duration", "1", "-o", "out/moving"], []),
    ("sheet", ["--size", "24", "--fps", "4", "--duration", "1", "-o", "out/sheets/"], []),
    ("simulate", ["--frames", "30", "--seeds", "1", "-o", "out/statistics"], []),
    ("catalog", ["--size", "48", "-o", "out/catalog.html"], None),
]
TARGETS = ["scenekit", "spritekit", "cocos2d", "particle-designer", "starling", "libgdx", "pixi", "pixi-legacy", "love",
           "defold", "phaser", "quarks", "tsparticles", "godot4", "godot3", "vortex", "caemitter", "effekseer", "unity"]

EXTREMES = ["0", "-0.0", "1", "-1", "2", "0.5", "1e-308", "5e-324", "1e9", "-1e9", "2147483647", "2147483648", "-2147483649",
            "4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1e18", "1e19", "-1e19", "3.4e38",
            "1e39", "-1e39", "1e300", "1e308", "-1e308", "1.7976931348623157e308", "1e999", "-1e999", "nan", "inf", "-inf", "1e-9", "360", "720"]
# Folders of Fixtures without effects, or with inputs that other tests damage.
SKIPPED = {"crashers", "engines", "info-plists", "types", "desktop", "index", "tree", "container", "hostile", "simulation"}
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def seeds(tool):
    """The files that mutants are made from, by folder and extension, small ones, and the documents of the templates."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        names = subprocess.run([tool, "help", "--candidates", "templates"], capture_output=True, text=True, check=True).stdout
        for name in names.split():
            package = f"{folder}/{name}.particles"
            subprocess.run([tool, "new", "-q", package, "--template", name], check=True)
            document = subprocess.run([tool, "extract", package, "document.json"], capture_output=True, check=True).stdout
            found.setdefault(("templates", DOCUMENT), []).append(document)
    for folder in (ROOT / "Fixtures", CORPUS):
        for path in sorted(folder.rglob("*")) if folder.is_dir() else []:
            if SKIPPED & set(path.parts) or not path.is_file() or path.stat().st_size > LARGEST:
                continue
            extension = path.suffix.lower()
            if extension in (".png", ".meta", ".mat", ".md", ".tsv", ".txt", ".shader", ".svg", ".webp", ".atlas", ".fbx", ".jpg", ""):
                continue
            found.setdefault((path.parent.name, extension), []).append(path.read_bytes())
    return found


def changed_number(data, random):
    """The data with one number in it, as text or as a real of a binary property list, replaced by an extreme one."""
    text = random.choice(EXTREMES)
    if data.startswith(b"bplist") or b"\0" in data[:64]:
        value = float(text)
        if data.startswith(b"bplist"):
            places = [i for i in range(8, len(data) - 8) if data[i] in (0x22, 0x23)]
            if places and random.random() < 0.8:
                at = random.choice(places)
                packed = struct.pack(">d", value) if data[at] == 0x23 else struct.pack(">f", single(value))
                return data[: at + 1] + packed + data[at + 1 + len(packed):]
        at = random.randrange(max(1, len(data) - 8)) & ~3
        packed = random.choice([struct.pack("<f", single(value)), struct.pack("<d", value),
                                struct.pack("<i", random.choice([0, -1, 2**31 - 1, -2**31, 65536]))])
        return data[:at] + packed + data[at + len(packed):]
    places = list(NUMBER.finditer(data))
    if not places:
        return changed_bytes(data, random)
    place = random.choice(places)
    return data[: place.start()] + text.encode() + data[place.end():]


def single(value):
    return value if abs(value) < 3.4e38 or value != value else float("inf") if value > 0 else float("-inf")


def changed_bytes(data, random):
    out = bytearray(data)
    for _ in range(random.randint(1, 4)):
        if out:
            out[random.randrange(len(out))] = random.choice([0, 255, 0x7F, 0x80, random.randrange(256)])
    return bytes(out)


def piece(data, random):
    """A piece of the data: lines, or bytes."""
    if b"\n" in data and random.random() < 0.7:
        ends = [0] + [m.end() for m in re.finditer(rb"\n", data)]
        first = random.randrange(len(ends))
        return ends[first], ends[min(len(ends) - 1, first + random.randint(1, 6))]
    start = random.randrange(len(data) + 1)
    return start, min(len(data), start + random.choice([1, 2, 4, 8, 16, 64, 256]))


def cut(data, random):
    start, end = piece(data, random)
    return data[:start] + data[end:]


def repeated(data, random):
    start, end = piece(data, random)
    return data[:end] + data[start:end] * random.choice([1, 1, 2, 8]) + data[end:]


def mutant(pools, seed, number):
    """The extension and the bytes of a mutant."""
    chooser = random.Random(f"{seed} {number}")
    key = sorted(pools)[number % len(pools)]
    data = chooser.choice(pools[key])
    for _ in range(chooser.randint(1, 4)):
        way = chooser.random()
        if way < 0.7:
            data = changed_number(data, chooser)
        elif way < 0.78:
            data = changed_bytes(data, chooser)
        elif way < 0.86:
            data = cut(data, chooser)
        elif way < 0.94:
            data = repeated(data, chooser)
        else:
            start, end = piece(data, chooser)
            other = chooser.choice(pools[key])
            first, last = piece(other, chooser)
            data = data[:start] + other[first:last] + data[end:]
        if not data:
            break
    return key[1], data[: 2 * LARGEST]


def run(tool, folder, before, inputs, after):
    """How a command ended: its exit status, negative for a signal, or None after its limit of processor time."""
    home = {"HOME": str(folder), "XDG_DATA_HOME": f"{folder}/data", "XDG_CACHE_HOME": f"{folder}/cache",
            "XDG_CONFIG_HOME": f"{folder}/config", "SWIFT_BACKTRACE": "enable=no"}
    try:
        status = subprocess.run([tool] + before + inputs + (after or []), cwd=folder, env={**os.environ, **home},
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))).returncode
    finally:
        shutil.rmtree(folder / "out", ignore_errors=True)
    return None if status in (-signal.SIGXCPU, -signal.SIGKILL) else status


def search(tool, pools, seed, numbers, deadline):
    """What a batch of mutants shows: (how many were tried, signals, slow inputs)."""
    if time.monotonic() > deadline:
        return 0, [], []
    signals, slow = [], []
    folder = pathlib.Path(tempfile.mkdtemp(prefix="traps-"))
    try:
        (folder / "in").mkdir()
        names = []
        for number in numbers:
            extension, data = mutant(pools, seed, number)
            path = folder / "in" / f"{number}{extension}"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
            names.append(f"in/{path.relative_to(folder / 'in').parts[0]}")
        target = TARGETS[(numbers[0] // BATCH) % len(TARGETS)]
        for command, options, after in COMMANDS:
            before = [command] + [option.replace("{target}", target) for option in options] + ["--force"] * (
                command not in ("info", "validate"))
            whole = run(tool, folder, before, names if after is not None else ["in"], after)
            if whole is not None and whole >= 0:
                continue
            # Which files: halves, then single ones.
            pending = [names]
            while pending and time.monotonic() < deadline:
                part = pending.pop()
                if after is None:
                    chosen = folder / "part"
                    shutil.rmtree(chosen, ignore_errors=True)
                    chosen.mkdir()
                    for name in part:
                        subprocess.run(["cp", "-R", folder / name, chosen], check=True)
                status = run(tool, folder, before, part if after is not None else ["part"], after)
                if status is not None and status >= 0:
                    continue
                if len(part) > 1:
                    pending += [part[: len(part) // 2], part[len(part) // 2:]]
                else:
                    path = folder / part[0]
                    path = path / "document.json" if path.is_dir() else path
                    entry = (" ".join(before), path, path.read_bytes(), status)
                    (slow if status is None else signals).append(entry)
            if whole is not None and not signals:
                signals.append((" ".join(before) + ", with all files of the batch", folder / names[0], b"", whole))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return len(numbers), signals, slow


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--seed", type=int, action="append", help="a seed of mutants; may be repeated (default 1)")
    parser.add_argument("--count", type=int, default=50_000, help="mutants for each seed (default 50,000)")
    parser.add_argument("--minutes", type=float, default=60, help="stop after this time (default 60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path, default=ROOT / ".build" / "traps")
    options = parser.parse_args()
    tool = str(pathlib.Path(options.tool).resolve())
    pools, deadline = seeds(tool), time.monotonic() + 60 * options.minutes
    if not CORPUS.is_dir():
        print(f"no corpus at {CORPUS}: mutants are made of Fixtures alone")
    tried, signals, slow = 0, [], []
    batches = [(seed, range(start, min(start + BATCH, options.count)))
               for start in range(0, options.count, BATCH) for seed in options.seed or [1]]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for count, bad, late in pool.map(lambda batch: search(tool, pools, *batch, deadline), batches):
            tried += count
            for kind, entries, all in (("signal", bad, signals), ("slow", late, slow)):
                for command, path, data, status in entries:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    kept = options.keep / f"{kind}-{len(all)}-{path.name}"
                    kept.write_bytes(data)
                    how = f"takes more than {SECONDS} s" if status is None else f"ends by {signal.Signals(-status).name}"
                    print(f"{command} {kept}: {how}", flush=True)
                    all.append(kept)
    print(f"{tried} mutants of {sum(map(len, pools.values()))} files in {len(pools)} folders and kinds, through {len(COMMANDS)} commands: "
          f"{len(signals)} signals, {len(slow)} slow")
    if not tried:
        sys.exit("Tests/traps.py: nothing was tried")
    sys.exit(1 if signals else 0)


if __name__ == "__main__":
    main()
