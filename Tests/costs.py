#!/usr/bin/env python3
"""The ledger of costs: measures about a hundred runs of the tool, and compares them with Tests/costs.md.

    python3 Tests/costs.py [--only WORDS]... [--again] [--jobs N] [--reason TEXT] UNSTRIPPED STRIPPED OBJECTS
    python3 Tests/costs.py check

`make costs` passes the tool with its symbols, the tool without symbols, and the list of object files from which it was
linked. Exits with 1 if a count is above its limit, or if a row is missing. Prints the functions that have grown since
the row was last within its limits here, or its largest functions. With PARTICLES_RECORD=1, new rows, fallen rows and
rows above their limits are written to Tests/costs.md. --reason is the reason for rows above their limits, at most five
rows at once. `check` tests this script and the form of the file, without a tool.
"""

import argparse, concurrent.futures, json, os, pathlib, platform, queue, shutil, sys, tempfile

sys.dont_write_bytecode = True
import costs_ledger, costs_measures, costs_rows, costs_shares
from costs_ledger import Entry, Refused
from costs_measures import Failed

LEDGER = costs_rows.ROOT / "Tests" / "costs.md"
# The last measurement, by row: counts and functions. And the functions of each row when it was within its limits.
LAST = costs_rows.ROOT / ".build" / "costs-last.json"
FUNCTIONS = costs_rows.ROOT / ".build" / "costs-functions.json"
# Of a row.
MOST_FUNCTIONS = 200
SWIFT = os.environ.get("SWIFT", "swift")


def scratch():
    """A new folder, whose path always has the same length. In memory, because file systems differ in what
    they support and in the order of their folders."""
    folder = "/dev/shm" if os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 5e8 else "/tmp"
    return tempfile.TemporaryDirectory(prefix="costs-", dir=folder, ignore_cleanup_errors=True)


def measured(rows, tool, jobs, report):
    """Counts and functions of rows, as many at a time as there are jobs, each on a processor of its own."""
    processors = queue.SimpleQueue()
    available = sorted(os.sched_getaffinity(0))
    for job in range(jobs):
        processors.put(available[job % len(available)])

    with scratch() as root, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        root = pathlib.Path(root)
        inputs = root / "inputs"
        inputs.mkdir()
        # The path of the copy has a fixed length, too, because the runtime reads /proc/self/maps. Valgrind 3.19 cannot
        # read the debug information of C sources.
        for name in {row.program for row in rows} | {"particles"}:
            costs_measures.output(["objcopy", "--strip-debug", pathlib.Path(tool).parent / name, root / name])
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
                kind, options = (costs_shares, {}) if row.goal else (costs_measures, {"locale": row.locale})
                result = kind.measure(start, root / row.program, row.words.split(), row.status, **options)
                if row.goal:
                    result[0]["goal"] = round(100 * row.goal)
                elif row.name != "start":
                    result[0]["instructions"] -= result[1].pop(costs_measures.RELOCATION, 0)
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


def named(measures):
    """The functions with readable names. Equal names are one function."""
    names = costs_measures.readable(sorted({symbol for _, functions in measures for symbol in functions}), SWIFT)
    for counts, functions in measures:
        found = {}
        for symbol, count in functions.items():
            found[names[symbol]] = found.get(names[symbol], 0) + count
        yield counts, dict(sorted(found.items(), key=lambda item: -item[1])[:MOST_FUNCTIONS])


def read(path):
    return json.loads(path.read_text()) if path.exists() else {}


def measure(options, rows, before):
    """Counts and functions by row, which are kept for --again."""
    def report(row, result):
        count, old = result[0]["instructions"], before.get(row.name)
        change = f"{100 * (count / old.counts['instructions'] - 1):+.2f} %" if old else "new"
        print(f"{costs_ledger.digits(count):>12}  {change:>9}  {row.name}", flush=True)
    print("thousands of instructions, change, operation")
    found = dict(zip([row.name for row in rows], named(measured(rows, options.unstripped, options.jobs, report))))
    if not options.only:
        sizes = costs_measures.code_sizes(options.objects.read_text().split(), options.unstripped)
        found |= {name: ({"size": size}, {}) for name, size in
                  {"stripped tool": options.stripped.stat().st_size, **sizes}.items()}
    LAST.write_text(json.dumps(found if not options.only else read(LAST) | found))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", help="only rows whose name contains this text")
    parser.add_argument("--again", action="store_true", help="take the counts of the last run, and measure nothing")
    parser.add_argument("--jobs", type=int, default=min(8, len(os.sched_getaffinity(0))),
                        help="rows at a time (default: the processors, at most 8)")
    parser.add_argument("--reason", default="", help="with PARTICLES_RECORD=1, why counts were raised")
    parser.add_argument("unstripped", help="the tool with its symbols")
    parser.add_argument("stripped", type=pathlib.Path)
    parser.add_argument("objects", type=pathlib.Path, help="a file with the paths of the object files")
    options = parser.parse_args()
    if platform.machine() != "x86_64" or " avx2 " not in pathlib.Path("/proc/cpuinfo").read_text():
        sys.exit("Tests/costs.py: the costs of Tests/costs.md are those of x86-64 with AVX2; cannot compare here")

    def is_wanted(name):
        return not options.only or any(words in name for words in options.only)
    before = costs_ledger.parse(LEDGER.read_text()) if LEDGER.exists() else {}
    if options.again:
        found = {name: each for name, each in read(LAST).items() if is_wanted(name)}
    else:
        found = measure(options, [row for row in costs_rows.OPERATIONS if is_wanted(row.name)], before)
    now = {name: Entry(counts) for name, (counts, _) in found.items()}

    complete, is_recording = not options.only, os.environ.get("PARTICLES_RECORD") == "1"
    faults, hints = costs_ledger.compare(before, now, complete)
    known = read(FUNCTIONS)
    for name, lines in faults.items():
        print("\n".join(f"{name}: {line}" for line in lines))
        if any("instructions" in line for line in lines):
            print("\n".join(["    functions that have grown" if name in known else "    the largest functions",
                             *costs_ledger.grown(known.get(name), found[name][1])]))
    for line in hints:
        print(f"{line}; PARTICLES_RECORD=1 make costs records it")
    if is_recording:
        LEDGER.write_text(costs_ledger.text(costs_ledger.recorded(before, now, options.reason, complete)))
        print(f"recorded in {LEDGER.relative_to(costs_rows.ROOT)}")
    FUNCTIONS.write_text(json.dumps(known | {
        name: functions for name, (_, functions) in found.items() if functions and (is_recording or name not in faults)}))
    if faults and not is_recording:
        sys.exit(f"Tests/costs.py: {len(faults)} rows have faults")
    if not faults:
        print(f"{len(now)} rows within their limits")


if __name__ == "__main__":
    if sys.argv[1:] == ["check"]:
        import costs_check
        sys.exit(costs_check.run(LEDGER))
    try:
        main()
    except (Failed, Refused) as failure:
        sys.exit(f"Tests/costs.py: {failure}")
