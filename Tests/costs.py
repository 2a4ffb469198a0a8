#!/usr/bin/env python3
"""The ledger of costs: measures about a hundred runs of the tool, and compares them with Tests/costs.md.

    python3 Tests/costs.py [--only WORDS]... [--jobs N] [--reason TEXT] [--save FILE] UNSTRIPPED STRIPPED OBJECTS
    python3 Tests/costs.py check

`make costs` passes the tool with its symbols, the one without them, and the list of object files from which
it was linked. Exits with 1 if a count is above its limit, or if a row is missing. With PARTICLES_RECORD=1,
new rows, rows that have fallen and rows that are above their limits are written to Tests/costs.md; --reason
is the reason for the latter. `check` tests this script and the form of the file, without a tool.
"""

import argparse, concurrent.futures, os, pathlib, platform, queue, shutil, sys, tempfile

sys.dont_write_bytecode = True
import costs_ledger, costs_measures, costs_rows
from costs_ledger import Entry, Ledger
from costs_measures import Cost, Failed

LEDGER = costs_rows.ROOT / "Tests" / "costs.md"
SWIFT = os.environ.get("SWIFT", "swift")


def scratch():
    """A new folder, whose path always has the same length. In memory, because file systems differ in what
    they support and in the order of their folders."""
    folder = "/dev/shm" if os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 5e8 else "/tmp"
    return tempfile.TemporaryDirectory(prefix="costs-", dir=folder, ignore_cleanup_errors=True)


def measured(rows, tool, jobs, report):
    """The costs of rows, as many at a time as there are jobs, each on a processor of its own."""
    processors = queue.SimpleQueue()
    available = sorted(os.sched_getaffinity(0))
    for job in range(jobs):
        processors.put(available[job % len(available)])

    with scratch() as root, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        root = pathlib.Path(root)
        inputs = root / "inputs"
        inputs.mkdir()
        # Its path has the same length, too; the runtime reads /proc/self/maps. Valgrind 3.19 cannot read the
        # debug information of C sources.
        costs_measures.output(["objcopy", "--strip-debug", tool, root / "particles"])
        tool = root / "particles"

        def prepare(words):
            costs_measures.run([tool, *words.split()], inputs, root / "home", available[0])
        costs_rows.make_inputs(inputs, prepare)

        def cost(index, row):
            place, processor = root / f"{index:03}", processors.get()

            def start():
                shutil.rmtree(place, ignore_errors=True)
                folder, home = place / "work", place / "home"
                folder.mkdir(parents=True)
                home.mkdir()
                costs_rows.copy_inputs(row, inputs, folder)
                for words in row.before:
                    costs_measures.run([tool, *words.split()], folder, home, processor)
                return folder, home, processor
            try:
                result = costs_measures.measure(start, tool, row.words.split(), row.status)
                report(row, result)
                return result
            finally:
                shutil.rmtree(place, ignore_errors=True)
                processors.put(processor)

        # The longest ones first, so that no processor is idle at the end.
        order = sorted(enumerate(rows), key=lambda item: f"{costs_rows.MANY:,}" not in item[1].name)
        futures = {index: pool.submit(cost, index, row) for index, row in order}
        try:
            return [futures[index].result() for index in range(len(rows))]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def named(costs):
    """The same costs with readable names of functions; equal names are one function."""
    names = costs_measures.readable(sorted({symbol for cost in costs for symbol in cost.functions}), SWIFT)
    for cost in costs:
        functions = {}
        for symbol, count in cost.functions.items():
            functions[names[symbol]] = functions.get(names[symbol], 0) + count
        cost.functions = functions


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", help="measure only rows whose name contains this text")
    parser.add_argument("--jobs", type=int, default=min(8, len(os.sched_getaffinity(0))),
                        help="rows at a time (default: the processors, at most 8)")
    parser.add_argument("--reason", default="", help="with PARTICLES_RECORD=1, why counts were raised")
    parser.add_argument("--save", type=pathlib.Path, help="also write all new costs to this file")
    parser.add_argument("unstripped", help="the tool with its symbols")
    parser.add_argument("stripped", type=pathlib.Path)
    parser.add_argument("objects", type=pathlib.Path, help="a file with the paths of the object files")
    options = parser.parse_args()
    if platform.machine() != "x86_64" or " avx2 " not in pathlib.Path("/proc/cpuinfo").read_text():
        sys.exit("Tests/costs.py: the costs of Tests/costs.md are those of x86-64 with AVX2; cannot compare here")

    only = options.only or [""]
    rows = [row for row in costs_rows.OPERATIONS if any(words in row.name for words in only)]
    before = costs_ledger.parse(LEDGER.read_text()) if LEDGER.exists() else Ledger({}, {})

    def report(row, cost):
        old = before.operations.get(row.name)
        change = f"{100 * (cost.instructions / old.cost.instructions - 1):+.2f} %" if old else "new"
        print(f"{costs_ledger.digits(cost.instructions):>12}  {change:>9}  {row.name}", flush=True)
    print("thousands of instructions, change, operation")
    costs = measured(rows, options.unstripped, options.jobs, report)
    named(costs)
    sizes = {}
    if not options.only:
        sizes = {"stripped tool": options.stripped.stat().st_size,
                 **costs_measures.code_sizes(options.objects.read_text().split(), options.unstripped)}
    now = Ledger({row.name: Entry(cost, words=row.words) for row, cost in zip(rows, costs)},
                 {name: Entry(size) for name, size in sizes.items()})
    if options.save:
        options.save.write_text(costs_ledger.text(now))

    faults, hints = costs_ledger.compare(before, now, complete=not options.only)
    for line in faults:
        print(line)
    for line in hints:
        print(f"{line}; PARTICLES_RECORD=1 make costs records it")
    if os.environ.get("PARTICLES_RECORD") == "1":
        after = costs_ledger.recorded(before, now, options.reason, complete=not options.only)
        # Shares are those of the rounded counts.
        LEDGER.write_text(costs_ledger.text(costs_ledger.parse(costs_ledger.text(after))))
        print(f"recorded in {LEDGER.relative_to(costs_rows.ROOT)}")
        if costs_ledger.MISSING in LEDGER.read_text():
            sys.exit(f"write the reasons for the raised counts, in place of {costs_ledger.MISSING}")
    elif faults:
        sys.exit(f"Tests/costs.py: {len(faults)} faults")
    else:
        print(f"{len(rows)} operations within their limits")


if __name__ == "__main__":
    if sys.argv[1:] == ["check"]:
        import costs_check
        sys.exit(costs_check.run(LEDGER))
    try:
        main()
    except Failed as failure:
        sys.exit(f"Tests/costs.py: {failure}")
