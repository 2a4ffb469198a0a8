#!/usr/bin/env python3
"""Runs the tests that `make test` runs over samples over all inputs, and the comparisons that need the
release tool. `make test-all` runs all parts.

    python3 Tests/all.py [--minutes N] [--only NAME]... [check | list]

With --minutes, as in continuous integration, the order of the parts depends on the commit, and a part
whose stated minutes do not fit into those that are left is skipped. A part that takes twice its minutes
is ended. Both are printed, and are no failures: a clock decides nothing.

`check` looks whether each test file that uses a sample is in a part.
"""

import argparse, hashlib, os, pathlib, re, signal, subprocess, sys, threading, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SWIFT = os.environ.get("SWIFT", "swift")

# Name, minutes on two cores, suites as targets of tests or their types; or a target of the Makefile, after `make tool`.
PARTS = [
    ("formats", 2, "ParticlesFormatsTests"),
    ("documents", 3, "ParticlesDocumentsTests"),
    ("renders", 1, "ParticlesRenderTests"),
    ("containers", 5, "ParticlesContainerTests|ParticlesArchivesTests|ParticlesDesktopTests|ParticlesModelTests"),
    ("tool", 2, "ParticlesToolTests|ParticlesCLITests|ParticlesIndexTests"),
    ("fuzz", 1, "ParticlesFuzzTests"),
    ("pages", 2, "ParticlesWebTests"),
    ("engines", 12, "make test-engines"),
    ("matrix", 10, "make test-matrix"),
    ("library", 8, "make test-lib"),
    ("wheel", 4, "make test-wheel"),
    ("web", 3, "make test-web"),
]


def in_order(parts):
    """The parts in an order that changes with the commit, so that each is first now and then."""
    head = subprocess.run(["git", "-c", "safe.directory=*", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True).stdout
    return sorted(parts, key=lambda part: hashlib.sha256(head + part[0].encode()).digest())


def run(command, seconds):
    """The exit status of a command, None if it has taken longer; and what it says of failures."""
    environment = dict(os.environ, PARTICLES_ALL="1")
    # The Makefile sets it where it belongs; with it, the release tool would be built again.
    if command[0] != "make":
        environment["PARTICLES_STRICT"] = "1"
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, start_new_session=True, text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    ended = threading.Event()

    def end():
        ended.set()
        os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(seconds, end) if seconds else None
    if timer:
        timer.start()
    failures = []
    for line in process.stdout:
        print(line, end="", flush=True)
        if re.search(r"recorded an issue|Fatal error|^make.*Error|error: ", line):
            failures.append(line.rstrip()[:400])
    status = process.wait()
    if timer:
        timer.cancel()
    return None if ended.is_set() else status, failures


def check():
    """Reports test files that use a sample and are in no part."""
    patterns = [re.compile(f"^({suites})([./]|$)") for _, _, suites in PARTS if not suites.startswith("make ")]
    missing = []
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        target = path.relative_to(ROOT / "Tests").parts[0]
        if re.search(r"\bSample\.(of|isWhole)\b|\bCorpus\.sample\(", path.read_text()):
            if not any(pattern.match(f"{target}.{path.stem}") for pattern in patterns):
                missing.append(str(path.relative_to(ROOT)))
    if missing:
        sys.exit("\n".join(["Tests/all.py: these use a sample, and no part in PARTS runs them:"] + missing))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("verb", nargs="?", choices=["run", "check", "list"], default="run")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--only", action="append")
    options = parser.parse_args()
    if options.verb == "check":
        return check()
    parts = [part for part in PARTS if not options.only or part[0] in options.only]
    if options.verb == "list":
        return print("\n".join(f"{name:12}{minutes:3} min  {suites}" for name, minutes, suites in parts))
    limited = options.minutes is not None
    start = time.monotonic()
    done, failed, left_out, said = [], [], [], []
    for name, minutes, suites in in_order(parts) if limited else parts:
        spent = (time.monotonic() - start) / 60
        if limited and spent + minutes > options.minutes:
            left_out.append(f"{name} (needs {minutes} of {max(0, options.minutes - spent):.0f} minutes)")
            continue
        begin = time.monotonic()
        print(f"part {name}", flush=True)
        command = suites.split() if suites.startswith("make ") else [
            SWIFT, "test", "--skip-build", "--filter", f"^({suites})[./]"]
        limit = 120 * minutes if limited else None
        status, failures = run(command, limit)
        taken = f"{name} ({(time.monotonic() - begin) / 60:.1f} minutes)"
        if status is None:
            left_out.append(f"{taken}: ended before it was complete")
        else:
            (failed if status else done).append(taken)
        if status:
            said += [f"{name}: {failure}" for failure in failures[:10]]
    for title, names in (("run", done), ("failed", failed), ("not run", left_out)):
        print(f"{title}: {', '.join(names) or 'none'}")
    # Again, at the end of a long output.
    for line in said:
        print(line)
    return 1 if failed else 0


sys.exit(main())
