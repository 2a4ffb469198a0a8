"""The command line: ``python -m particlekit.ray``."""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore, no-untyped-call"
from __future__ import annotations

import argparse
import json
import sys
from typing import Optional

from . import STAGES, Settings, Summary, add_up, extract, groups, neighbours, pictures, run


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m particlekit.ray", description="Many documents on many machines, by Ray Data."
    )
    parser.add_argument("--options", type=json.loads, metavar="JSON", help="options of fsspec for object stores")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("run", help="run stages over documents; goes on where it was stopped")
    command.add_argument(
        "source", nargs="*", help="an address, a glob, a folder (all files below it), or a .parquet with the columns "
        "address and data",
    )
    command.add_argument(
        "--list", action="append", default=[], metavar="FILE", help="a text with an address on each line, or a "
        ".parquet with the column address",
    )
    command.add_argument(
        "--allow-hosts", default="", metavar="HOSTS", help="hosts and buckets that a list may name, separated by commas"
    )
    command.add_argument("--retry-failed", action="store_true", help="do finished blocks with failures again")
    command.add_argument("-o", "--output", required=True, help="the folder for results and report")
    command.add_argument(
        "--stages", default="inventory,validate", help=f"separated by commas: {', '.join(STAGES)}"
    )
    command.add_argument("--to", default="particles", help="the format of convert and measure (default: particles)")
    command.add_argument("--size", type=int, default=256, help="the edge of thumbnails in pixels (default: 256)")
    command.add_argument("--seconds", type=float, default=30, help="time for a stage of a document (default: 30)")
    command.add_argument("--megabytes", type=int, default=1024, help="memory for a document (default: 1024)")
    command.add_argument("--block", type=int, default=1000, help="documents that are written together (default: 1000)")
    command.add_argument("--workers", type=int, help="default: one for each processor of the cluster")
    command.add_argument("--cluster", metavar="ADDRESS", help="the address of a Ray cluster (default: this machine)")
    command = commands.add_parser("report", help="add up the report as JSON")
    command.add_argument("folder")
    command = commands.add_parser("extract", help="write results as files")
    command.add_argument("folder")
    command.add_argument("target")
    command.add_argument("--kind", choices=("converted", "thumbnail"))
    command = commands.add_parser("similar", help="list effects that look alike; the run needs the stage similar")
    command.add_argument("folder")
    command.add_argument("-n", "--count", type=int, default=5, help="neighbours of each effect (default: 5)")
    command.add_argument("--groups", type=int, help="list this number of groups instead")
    command.add_argument("--pictures", metavar="PNG", help="draw the groups; the run needs the stage thumbnail")
    return parser


def main(arguments: Optional[list[str]] = None) -> int:
    """Runs a command. The status is 1 if the report has failed documents, 2 for wrong arguments."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        if given.command == "run":
            return _run(given)
        if given.command == "report":
            print(json.dumps(add_up(given.folder, given.options), indent=2))
        elif given.command == "extract":
            print(f"{extract(given.folder, given.target, given.kind, given.options)} files")
        else:
            _similar(given)
    except (ImportError, OSError, ValueError) as fault:
        print(f"{parser.prog}: {fault}", file=sys.stderr)
        if isinstance(fault, ImportError):
            print("  help: pip install 'ray[data]' pyarrow numpy pandas fsspec scikit-learn", file=sys.stderr)
        return 2
    return 0


def _run(given: argparse.Namespace) -> int:
    if not given.source and not given.list:
        raise ValueError("no documents: name an address, a glob, a folder, or a list by --list")
    settings = Settings(
        tuple(given.stages.split(",")), given.to, given.size, given.seconds, given.megabytes, given.block
    )
    if given.cluster:
        import ray

        ray.init(address=given.cluster, log_to_driver=False)

    def progress(summary: Summary) -> None:
        print(f"\r{summary.before + summary.documents:,} documents, {summary.rate:.0f}/s, {summary.failed:,} failed",
              end="", file=sys.stderr)

    summary = run(
        given.source, given.output, settings, workers=given.workers, options=given.options, lists=given.list,
        hosts=given.allow_hosts.split(","), retry_failed=given.retry_failed,
        progress=progress if sys.stderr.isatty() else None,
    )
    print(
        f"{summary.documents:,} documents in {summary.seconds:.1f} s ({summary.rate:.0f}/s), {summary.before:,} were "
        f"finished before; of all, {summary.duplicates:,} are duplicates and {summary.failed:,} failed"
    )
    return 1 if summary.failed else 0


def _similar(given: argparse.Namespace) -> None:
    if not given.groups:
        for row in neighbours(given.folder, given.count, given.options).to_pylist():
            print(f"{row['distance']:.3f}\t{row['address']}\t{row['other']}")
        return
    found = groups(given.folder, given.groups, options=given.options)
    for number, group in enumerate(found, 1):
        print(f"{number}\t{group.distance:.3f}\t" + "\t".join(group.addresses))
    if given.pictures:
        pictures(given.folder, found, given.pictures, given.options)


if __name__ == "__main__":
    sys.exit(main())
