"""Measures one run of a command: instructions of each function with cachegrind, peak memory, system calls and bytes
written. Also measures the machine code of each module of the tool."""

import collections, ctypes, os, pathlib, re, subprocess

# Calls that depend on how threads meet, not on the work.
UNCOUNTED = {"futex", "sched_yield"}
# The function with which a static PIE relocates itself: its work does not differ between runs.
RELOCATION = "_dl_relocate_static_pie"
WRITING = {"write", "writev", "pwrite64", "pwritev", "pwritev2", "sendfile", "copy_file_range"}


class Failed(Exception):
    pass


def environment(home, locale):
    """Nothing of the user's environment: an empty data folder, one time zone, one language, hash tables
    without random seeds."""
    folders = {f"XDG_{kind}_HOME": f"{home}/{kind.lower()}" for kind in ["DATA", "CONFIG", "CACHE", "STATE"]}
    return {"PATH": "/usr/bin:/bin", "HOME": str(home), "XDG_DATA_DIRS": f"{home}/none", **folders,
            "TMPDIR": str(home), "TZ": "UTC", "LANG": locale, "LC_ALL": locale, "TERM": "dumb",
            "SWIFT_DETERMINISTIC_HASHING": "1"}


def prepare(processor):
    """Before a program begins: one processor, hence one thread, and addresses that are not random."""
    def apply():
        os.sched_setaffinity(0, {processor})
        # Without effect where a sandbox forbids it. The counts hardly change then.
        ctypes.CDLL(None).personality(0x0040000)
    return apply


def run(command, folder, home, processor, status=0, locale="C"):
    result = subprocess.run([str(word) for word in command], cwd=folder, env=environment(home, locale), text=True,
                            errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, preexec_fn=prepare(processor))
    if result.returncode != status:
        raise Failed(f"{' '.join(map(str, command))}: status {result.returncode}\n{result.stderr[-2000:]}")


def measure(start, tool, words, status, locale="C"):
    """The counts of a command, which runs several times, and the instructions of each function without called functions.
    `start` makes a new folder for each run. It returns the folder, the home folder and the processor."""
    def once(prefix):
        folder, home, processor = start()
        # A path of the output beside the folder, which the command may read.
        output = pathlib.Path(f"{folder}.output")
        run([word.replace("OUTPUT", str(output)) for word in prefix] + [tool, *words], folder, home, processor,
            status, locale)
        return output.read_text(errors="replace")

    functions = parse_cachegrind(once([
        "valgrind", "--quiet", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=OUTPUT"]))
    # GNU time is small: a program that it starts does not inherit a larger peak.
    memory = sorted(int(once(["/usr/bin/time", "--quiet", "--format=%M", "--output=OUTPUT"]).split()[-1])
                    for _ in range(3))[1]
    calls, written = parse_strace(once(
        ["strace", "-f", "-qq", "-s", "0", "-e", "signal=none", "-o", "OUTPUT"]))
    return {"instructions": sum(functions.values()), "memory": memory, "calls": calls, "bytes": written}, functions


def parse_cachegrind(text):
    """The instructions of each function, by its symbol."""
    functions, name = collections.Counter(), ""
    for line in text.splitlines():
        if line.startswith("fn="):
            name = line[3:]
        elif line[:1].isdigit():
            functions[name] += int(line.split()[1])
    summary = re.search(r"^summary: (\d+)", text, re.MULTILINE)
    if summary is None or int(summary[1]) != sum(functions.values()):
        raise Failed("the output of cachegrind is incomplete")
    return functions


def parse_strace(text):
    """The number of system calls, and of the bytes that they wrote."""
    calls = written = 0
    for line in text.splitlines():
        found = re.match(r"(?:\d+ +)?(<\.\.\. )?(\w+)(?:\(| resumed>)", line)
        if not found or found[2] in UNCOUNTED:
            continue
        # A call that another thread interrupts has two lines, and the second line has the result.
        calls += not found[1]
        result = re.search(r"= (\d+)$", line)
        if found[2] in WRITING and result:
            written += int(result[1])
    return calls, written


def output(command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, errors="replace", **options).stdout


def readable(symbols, swift):
    """Names of functions for people, by symbol. Valgrind has translated names of C++."""
    symbols = list(symbols)
    lines = output([swift, "demangle", "--compact", "--simplified"], input="\n".join(symbols)).splitlines()
    return {symbol: shortened(line) for symbol, line in zip(symbols, lines, strict=True)}


def shortened(name, limit=110):
    """Without the arguments of C++ templates, and not longer than a line."""
    if "::" in name and "<" in name:
        depth, kept = 0, ""
        for character in name:
            depth += character == "<"
            kept += character if depth == 0 else ""
            depth -= character == ">"
        name = kept
    name = {"???": "(without a symbol)"}.get(name, name)
    return name if len(name) <= limit else name[:limit - 1] + "…"


def code_sizes(objects, tool):
    """The bytes of machine code of each module in the linked tool, with all modules of C together: the sizes of the
    functions that its object files define. A function that several modules define belongs to the first module."""
    owner = {}
    for line in output(["nm", "-A", "--defined-only", *objects]).splitlines():
        found = re.match(r".*/(\w+)\.build/[^:]*:\w* [tTwW] (.*)", line)
        if found:
            owner.setdefault(found[2], "C modules" if found[1].startswith("CParticles") else found[1])
    sizes, counted = collections.Counter(), set()
    for line in output(["nm", "-S", "--defined-only", str(tool)]).splitlines():
        found = re.fullmatch(r"(\w+) (\w+) [tTwWi] (.*)", line)
        # Equal functions may have one address.
        if found and found[1] not in counted:
            counted.add(found[1])
            sizes[owner.get(found[3], "runtime and C libraries")] += int(found[2], 16)
    return dict(sizes)
