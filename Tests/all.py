#!/usr/bin/env python3
"""Runs tests that are too slow for every commit: tests that `make test` runs over samples, here over all inputs, and
slow targets of the Makefile. `make test-all` runs all parts.

    python3 Tests/all.py [--minutes N] [--only NAME]... [check | list]

With --minutes, as in continuous integration, parts take turns by the number of commits, so that ten successive commits have run
all. Further parts follow in the order of their turns, if their stated minutes fit into the minutes that are left. A part that
takes twice its minutes is ended. Parts that did not run or were ended are printed, and are no failure: a clock decides nothing.

`check` looks whether each test file that uses a sample is in a part, whether each turn has its minutes, and whether
everything in Tests and in the Makefile is run by continuous integration (Tests/reached.py), and whether everything that is fetched
has a version and a digest (Tests/packages.py).
"""

import argparse, os, pathlib, re, shlex, subprocess, sys, time

sys.dont_write_bytecode = True
import failures, packages, reached

ROOT = pathlib.Path(__file__).resolve().parent.parent
SWIFT = os.environ.get("SWIFT", "swift")

# Name, minutes on two cores, and suites as targets of tests or their types, or a command, after `make try`.
PARTS = [
    ("formats", 3, "ParticlesFormatsTests"),
    ("documents", 3, "ParticlesDocumentsTests|ParticlesEffectsTests"),
    ("renders", 1, "ParticlesRenderTests"),
    ("containers", 5, "ParticlesContainerTests|ParticlesPackagesTests|ParticlesArchivesTests|ParticlesDesktopTests|ParticlesModelTests"),
    ("tool", 5, "ParticlesToolTests|ParticlesCLITests|ParticlesIndexTests"),
    ("fuzz", 1, "ParticlesFuzzTests"),
    ("pages", 1, "ParticlesWebTests"),
    ("traps", 5, "make test-traps"),
    ("bare", 4, "make test-bare"),
    ("differential", 3, "make differential COUNT=1000000 SECONDS=120 SEED={commits}"),
    ("mutants", 13, "make mutants OPTIONS='--minutes 12'"),
    ("tsan", 15, "make tsan"),
    ("api", 11, "make api"),
    ("costs", 7, "make costs"),
    ("consumer", 5, "make consumer traits"),
    ("engines", 12, "make test-engines PARTICLES_ALL=1"),
    ("matrix", 10, "make test-matrix PARTICLES_ALL=1"),
    ("library", 8, "make test-lib"),
    ("wheel", 4, "make test-wheel"),
    ("scale", 5, "make test-scale"),
    ("web", 3, "make test-web"),
    ("pure", 3, "make pure"),
    ("toolkit", 10, "make test-toolkit"),
    ("flows", 5, "make test-browser OPTIONS='flows webkit'"),
    ("editing", 4, "make test-browser OPTIONS='editing controls'"),
    ("judges", 6, "make test-browser OPTIONS='judges judge'"),
    ("release", 5, "make test-release OPTIONS='--except archive'"),
    ("archive", 12, "make test-release OPTIONS='--only archive'"),
]

# So many of the 35 minutes of continuous integration are left for a turn, and so many commits may pass until all parts have run.
TURN, TURNS = 16, 11


def minutes_of(parts):
    return sum(minutes for _, minutes, _ in parts)


def turns():
    """The parts of each turn: the longest first, each in the turn with the fewest minutes left that it fits into."""
    found = [[] for _ in range(TURNS)]
    for part in sorted(PARTS, key=lambda part: -part[1]):
        fitting = [turn for turn in found if minutes_of(turn) + part[1] <= TURN]
        max(fitting, key=minutes_of).append(part) if fitting else min(found, key=minutes_of).append(part)
    return found


def ordered(commits):
    """The parts whose turn it is at a number of commits, and all further parts, beginning with the next turn."""
    first, *others = turns()[commits % TURNS:] + turns()[:commits % TURNS]
    return first, [part for turn in others for part in turn]


def commits():
    """The number of commits. A clone that has the last one only gets a number from its name."""
    def git(*words):
        return subprocess.run(["git", "-c", "safe.directory=*", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    if git("rev-parse", "--is-shallow-repository") == "true":
        return int(git("rev-parse", "HEAD")[:8], 16)
    return int(git("rev-list", "--count", "HEAD") or 0)


def run(command, seconds):
    """The exit status of a command, None if it has taken longer. And the end of its output, first about failures."""
    # Options of `make test-all` are not for the target.
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "OPTIONS")}
    # The Makefile sets these variables where they belong. With PARTICLES_STRICT, the release tool would be built again.
    if command[0] != "make":
        environment |= {"PARTICLES_ALL": "1", "PARTICLES_STRICT": "1"}
    report = failures.Report()
    status = failures.run(command, report, environment, seconds)
    return status, list(dict.fromkeys([*report.lines()[:8], *report.last]))


def check():
    """Reports what would not run."""
    patterns = [re.compile(f"^({suites})([./]|$)") for _, _, suites in PARTS if not suites.startswith("make ")]
    faults = []
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        target = path.relative_to(ROOT / "Tests").parts[0]
        if re.search(r"\bSample\.(of|isWhole)\b|\bCorpus\.sample\(", path.read_text()):
            if not any(pattern.match(f"{target}.{path.stem}") for pattern in patterns):
                faults.append(f"{path.relative_to(ROOT)} uses a sample, and no part in PARTS runs it over everything")
    for count in range(TURNS):
        due, _ = ordered(count)
        if minutes_of(due) > TURN:
            faults.append(f"the turn of {', '.join(name for name, *_ in due)} needs {minutes_of(due)} minutes, more than {TURN}: make parts faster, or split them")
    for start in range(2 * TURNS):
        due = [part for count in range(start, start + TURNS) for part in ordered(count)[0]]
        faults += [f"{name} does not run within {TURNS} commits" for name, *rest in PARTS if (name, *rest) not in due]
    faults += reached.missing([command for _, _, command in PARTS if command.startswith("make ")])
    faults += packages.faults()
    if faults:
        sys.exit("\n".join(f"Tests/all.py: {fault}" for fault in dict.fromkeys(faults)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("verb", nargs="?", choices=["run", "check", "list"], default="run")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--only", action="append")
    options = parser.parse_args()
    if options.verb == "check":
        return check()
    if options.verb == "list":
        for number, turn in enumerate(turns()):
            print(f"turn {number}: {minutes_of(turn)} min")
            print("\n".join(f"  {name:14}{minutes:3} min  {command}" for name, minutes, command in turn))
        return 0
    number = commits()
    limited = options.minutes is not None
    due, others = ordered(number) if limited else (PARTS, [])
    start = time.monotonic()
    done, failed, left_out, said = [], [], [], []
    for part in [part for part in due + others if not options.only or part[0] in options.only]:
        name, minutes, suites = part
        spent = (time.monotonic() - start) / 60
        if part in others and spent + minutes > options.minutes:
            left_out.append(f"{name} (needs {minutes} of {max(0, options.minutes - spent):.0f} minutes)")
            continue
        begin = time.monotonic()
        print(f"part {name}", flush=True)
        command = shlex.split(suites.format(commits=number)) if suites.startswith("make ") else [
            SWIFT, "test", "--skip-build", "--filter", f"^({suites})[./]"]
        limit = 120 * minutes if limited else None
        status, lines = run(command, limit)
        took = (time.monotonic() - begin) / 60
        taken = f"{name} ({took:.1f} of {minutes} minutes)"
        if status is None:
            left_out.append(f"{taken}: ended before it was complete")
        else:
            (failed if status else done).append(taken)
        if status:
            said += [f"{name}: {line}" for line in lines]
    for title, names in (("run", done), ("failed", failed), ("not run", left_out)):
        print(f"{title}: {', '.join(names) or 'none'}")
    # Again, at the end of a long output.
    for line in said:
        print(line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
