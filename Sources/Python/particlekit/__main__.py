"""``python -m particlekit``: the tool if it is installed, or else its most used commands."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator
from typing import Optional

import particlekit

from ._handles import printable

COMMANDS = ("info", "validate", "convert", "render", "list", "formats")


def main(arguments: Optional[list[str]] = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    tool = os.environ.get("PARTICLES_TOOL") or shutil.which("particles")
    # A script of this name could lead back to here.
    if tool and not tool.endswith((".py", ".exe")) and _is_program(tool):
        sys.stdout.flush()
        os.execv(tool, [tool, *arguments])
    return _run(arguments)


def _is_program(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False


def _run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m particlekit",
        description="The most used commands; with the tool 'particles' in PATH, all of them are run by it.",
    )
    parser.add_argument("--version", action="version", version=f"particles {particlekit.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("info", "validate", "list"):
        commands.add_parser(name).add_argument("file", nargs="+")
    convert = commands.add_parser("convert")
    convert.add_argument("file")
    convert.add_argument("--to", required=True)
    convert.add_argument("-o", "--output", required=True)
    convert.add_argument("--force", action="store_true")
    convert.add_argument("--measure", action="store_true")
    render = commands.add_parser("render")
    render.add_argument("file")
    render.add_argument("-o", "--output", required=True)
    render.add_argument("--size", type=int, default=512)
    render.add_argument("--force", action="store_true")
    commands.add_parser("formats")
    options = parser.parse_args(arguments)
    try:
        return _command(options)
    except particlekit.Error as fault:
        print(f"particles: {fault}", file=sys.stderr)
        return 2
    except OSError as fault:
        print(f"particles: {fault}", file=sys.stderr)
        return 2


def _description(path: str, effect: particlekit.Effect) -> Iterator[str]:
    """The lines of ``info``."""
    title = next((row.title for row in particlekit.formats() if row.name == effect.kind), "")
    yield f"{printable(path)}: {effect.kind}" + (f" ({title})" if title and effect.kind != "particles" else "")
    asset = effect.get("asset") or {}
    for name in ("name", "author", "copyright", "comment", "generator", "dimension", "unit"):
        if asset.get(name):
            yield f"  {name}: {printable(str(asset[name]))}"
    names = [printable(emitter.get("name") or "unnamed") for emitter in effect.get("emitters") or []]
    yield f"  emitters: {len(names)}" + (f" ({', '.join(names)})" if names else "")
    with effect.package as package:
        yield f"  files: {', '.join(printable(name) for name in package)}"
    for finding in effect.findings:
        yield f"  {finding}"


def _command(options: argparse.Namespace) -> int:
    if options.command == "formats":
        for row in particlekit.formats():
            use = ", ".join(word for word, can in (("read", row.can_read), ("write", row.can_write)) if can)
            print(f"{row.name:18} {use:12} {row.title}")
    elif options.command == "list":
        for path in options.file:
            for entry in particlekit.Package.open(path).entries():
                print(f"{entry.size:10} {entry.path}")
    elif options.command == "info":
        for index, path in enumerate(options.file):
            print("" if not index else "\n", end="")
            with particlekit.Effect.open(path) as effect:
                print("\n".join(_description(path, effect)))
    elif options.command == "validate":
        found = [
            finding for path in options.file for effect in [particlekit.Effect.open(path)]
            for finding in effect.findings + effect.validate()
        ]
        for finding in found:
            print(finding)
        return 1 if any(finding.severity == "error" for finding in found) else 0
    elif options.command == "convert":
        folder, name = os.path.split(options.output)
        result = particlekit.Effect.open(options.file).convert(options.to, name, measure=options.measure)
        for loss in result.losses:
            print(loss, file=sys.stderr)
        result.write(folder or ".", replace=options.force)
    else:
        kind = options.output.rpartition(".")[2].lower()
        data = particlekit.Effect.open(options.file).render(format=kind, width=options.size, height=options.size)
        with open(options.output, "wb" if options.force else "xb") as file:
            file.write(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
