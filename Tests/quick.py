#!/usr/bin/env python3
"""Runs the tests of the modules that a change can affect, after a build of what has changed.

    python3 Tests/quick.py [--since COMMIT] [list]

The change is the difference from COMMIT, in the working tree and new files included. COMMIT is the last commit that the
branch shares with main, or HEAD on main itself. A file below Sources or Tests affects its module and all modules that
depend on it, by the package graph. Another file affects the test targets that mention its name, or the first two
folders of its path. Tests of the architecture read all sources, and always run. `list` prints the test targets.
"""

import argparse, json, os, pathlib, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SWIFT = os.environ.get("SWIFT", "swift")
# Files that every target is built with.
EVERYWHERE = {"Package.swift", "Package.resolved"}


def git(*words):
    result = subprocess.run(["git", "-c", "safe.directory=*", *words], cwd=ROOT, capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else None


def changed(since):
    head = git("rev-parse", "HEAD")
    if not head:
        sys.exit("Tests/quick.py: this is no git repository; run: make test")
    bases = [git("merge-base", "HEAD", name) for name in ("origin/main", "main", "origin/HEAD")]
    base = since or next((base for base in bases if base), head)
    names = git("diff", "--name-only", "--no-renames", base)
    if names is None:
        sys.exit(f"Tests/quick.py: git knows no commit {base}")
    return names.splitlines() + git("ls-files", "--others", "--exclude-standard").splitlines()


def targets():
    """The targets of the package by name: type, folder, names of targets that they depend on."""
    cache, manifest = ROOT / ".build" / "quick.json", ROOT / "Package.swift"
    if not cache.exists() or cache.stat().st_mtime < manifest.stat().st_mtime:
        result = subprocess.run([SWIFT, "package", "dump-package"], cwd=ROOT, stdout=subprocess.PIPE, check=True)
        cache.parent.mkdir(exist_ok=True)
        cache.write_bytes(result.stdout)
    found = {}
    for target in json.loads(cache.read_bytes())["targets"]:
        folder = target.get("path") or ("Tests/" if target["type"] == "test" else "Sources/") + target["name"]
        needs = {(word.get("byName") or word.get("target") or word.get("product"))[0] for word in target["dependencies"]}
        found[target["name"]] = (target["type"], folder, needs)
    return found


def mentioning(path, graph):
    """The test targets that mention a file that is in no target."""
    parts = path.split("/")
    words = {"/".join(parts[:2]), parts[-1]} if len(parts) > 1 else {path}
    return {name for name, (kind, folder, _) in graph.items() if kind == "test" and any(
        word in file.read_text() for file in (ROOT / folder).rglob("*.swift") for word in words)}


def affected(paths, graph):
    """The test targets whose results a change of these files may alter."""
    reached = {"ArchitectureTests"}
    for path in paths:
        if path in EVERYWHERE:
            reached |= set(graph)
            continue
        owners = {name for name, (_, folder, _) in graph.items() if path.startswith(folder + "/")}
        reached |= owners or mentioning(path, graph)
    while True:
        more = {name for name, (_, _, needs) in graph.items() if needs & reached} - reached
        if not more:
            return sorted(name for name in reached if graph[name][0] == "test")
        reached |= more


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("verb", nargs="?", choices=["run", "list"], default="run")
    parser.add_argument("--since")
    options = parser.parse_args()
    paths = changed(options.since)
    names = affected(paths, targets()) if paths else []
    print(f"{len(paths)} changed files; tests: {' '.join(names) or 'none'}", flush=True)
    if options.verb == "list" or not names:
        return 0
    environment = dict(os.environ, PARTICLES_STRICT="1")
    for words in (["build", "--build-tests"], ["test", "--skip-build", "--filter", f"^({'|'.join(names)})\\."]):
        status = subprocess.run([SWIFT, *words], cwd=ROOT, env=environment).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
