"""The file with the recorded costs, Tests/costs.md: writing, reading, and comparing with new counts."""

import dataclasses, math, re

from costs_measures import Cost
from costs_rows import EXPORTED, FEW, MANY, export_name

# How much a count may be above the recorded one: a part of it, and a number beside.
LIMITS = {
    "instructions": (0.03, 0),
    "memory": (0.10, 256),
    "calls": (0.05, 3),
    "written": (0.02, 64),
    "size": (0.02, 10_000),
}
UNITS = {"instructions": "instructions", "memory": "kB of memory", "calls": "system calls",
         "written": "bytes written", "size": "bytes"}
# Instructions of equal runs differ by less than this part.
EQUAL = 0.003
LARGEST = 20
# The cost of an emitter among many, compared with that among few.
GROWTH = 1.2
# Is written where a reason has to be.
MISSING = "**reason?**"

HEAD = f"""# Costs

The costs of operations of the release tool. `make costs` measures them again and fails where one is above its limit; `PARTICLES_RECORD=1 make costs`
writes this file. How to record, and how to give a reason for a count that was raised: [CONTRIBUTING.md](../CONTRIBUTING.md).

- **Instructions** are counted by cachegrind (valgrind), which has no AVX-512. Hence the AVX2 kernels of `CParticlesKernels` are counted, and those of
  glibc and libdeflate for AVX2. Limit: 3 % above the recorded count.
- **Memory** is the peak of resident memory, the median of three runs. Limit: 10 % and 256 kB above.
- **System calls** do not include those with which threads wait for each other. Limit: 5 % and 3 above.
- **Written** are the bytes of all write calls. Limit: 2 % and 64 above.
- **Sizes** are those of the stripped tool, and of the functions of each module in it. Limit: 2 % and 10,000 bytes above.

Each operation runs on one processor, which means with one thread, with an empty data folder and hash tables without random seeds. Its input comes
from `Fixtures`, from templates or from a generator with a fixed seed: `Tests/costs_rows.py`. Time is not measured.
"""

OPERATIONS_HEAD = """
## Operations

| operation | instructions (thousands) | memory (kB) | system calls | written (bytes) | reason for the last rise |
|---|--:|--:|--:|--:|---|
"""

GROWTH_HEAD = f"""
## Cost of an emitter

Instructions of a conversion from a package, divided by the number of emitters, in thousands. Above {GROWTH} ×, `make costs` fails.

| format | {FEW:,} emitters | {MANY:,} emitters | ratio |
|---|--:|--:|--:|
"""

SIZES_HEAD = """
## Sizes

| what | size (bytes) | reason for the last rise |
|---|--:|---|
"""

FUNCTIONS_HEAD = f"""
## The {LARGEST} largest functions

Share of the instructions, thousands of instructions without those of called functions, name.
"""


@dataclasses.dataclass
class Entry:
    """A row of the file: the command of an operation and its costs, or a size."""
    cost: object
    reason: str = ""
    words: str = ""


@dataclasses.dataclass
class Ledger:
    operations: dict
    sizes: dict


# MARK: Text


def digits(count):
    """Thousands, with at least three digits."""
    return f"{count / 1000:,.{max(0, min(3, 6 - len(str(int(count)))))}f}"


def number(text):
    return float(text.replace(",", ""))


def largest(functions):
    return dict(sorted(functions.items(), key=lambda item: (-item[1], item[0]))[:LARGEST])


def growth(operations, format):
    """Instructions for an emitter among few and among many; None if one is not measured."""
    rows = [operations.get(export_name(format, count)) for count in (FEW, MANY)]
    return None if None in rows else [row.cost.instructions / count for row, count in zip(rows, (FEW, MANY))]


def text(ledger):
    lines = [HEAD, OPERATIONS_HEAD]
    for name, row in ledger.operations.items():
        cost = row.cost
        lines.append(f"| {name} | {digits(cost.instructions)} | {cost.memory:,} | {cost.calls:,} | {cost.written:,} |"
                     f" {row.reason} |\n")
    lines.append(GROWTH_HEAD)
    for format in EXPORTED:
        if found := growth(ledger.operations, format):
            lines.append(f"| {format} | {digits(found[0])} | {digits(found[1])} | {found[1] / found[0]:.2f} |\n")
    lines.append(SIZES_HEAD)
    lines += [f"| {name} | {row.cost:,} | {row.reason} |\n" for name, row in ledger.sizes.items()]
    lines.append(FUNCTIONS_HEAD)
    for name, row in ledger.operations.items():
        lines.append(f"\n### {name}\n\n    particles {row.words}\n\n")
        for function, count in largest(row.cost.functions).items():
            share = 100 * count / row.cost.instructions
            lines.append(f"    {share:5.1f} % {digits(count):>11}  {function}\n")
    return "".join(lines)


def parse(text):
    operations, sizes = {}, {}
    section = name = ""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]] if line.startswith("| ") else []
        if line.startswith("## "):
            section = line[3:]
        elif line.startswith("### "):
            name = line[4:]
        elif cells and re.fullmatch(r"[\d,.]+", cells[1]):
            if section == "Operations":
                counts = [number(cell) for cell in cells[1:5]]
                cost = Cost(round(1000 * counts[0]), *map(int, counts[1:]), {})
                operations[cells[0]] = Entry(cost, cells[5])
            elif section == "Sizes":
                sizes[cells[0]] = Entry(int(number(cells[1])), cells[2])
        elif name and line.startswith("    particles "):
            operations[name].words = line.strip().removeprefix("particles ")
        elif name and (found := re.fullmatch(r" +[\d.]+ % +([\d,.]+)  (.*)", line)):
            operations[name].cost.functions[found[2]] = round(1000 * number(found[1]))
    return Ledger(operations, sizes)


# MARK: Comparing


def highest(kind, recorded):
    part, beside = LIMITS[kind]
    return recorded * (1 + part) + beside


def change(kind, before, now):
    percent = f"{100 * (now / before - 1):+.1f} %" if before else "new"
    shown = digits if kind == "instructions" else "{:,}".format
    unit = ("thousand " if kind == "instructions" else "") + UNITS[kind]
    return f"{shown(before)} → {shown(now)} {unit} ({percent})"


def grown(before, now, most=8):
    """Lines about the functions with most of the growth. Of a function that is not recorded, it is known that
    it was not larger than the smallest recorded one."""
    floor = min(before.values(), default=0) if len(before) >= LARGEST else 0
    growths = sorted(((count - before.get(name, floor), name) for name, count in now.items()), reverse=True)
    total = sum(max(0, size) for size, _ in growths)
    lines = []
    for size, name in growths[:most]:
        if size > 0.02 * total:
            was = digits(before[name]) if name in before else f"at most {digits(floor)}"
            lines.append(f"    {'+' + digits(size):>11}  {name} ({was} → {digits(now[name])})")
    return lines


def counts(entry):
    if isinstance(entry.cost, Cost):
        return {kind: getattr(entry.cost, kind) for kind in ["instructions", "memory", "calls", "written"]}
    return {"size": entry.cost}


def risen(before, now):
    """The kinds of counts that are above their limits."""
    old = counts(before)
    return [kind for kind, count in counts(now).items() if count > highest(kind, old[kind])]


def fallen(before, now):
    """The kinds of counts that are as far below the recorded ones."""
    return risen(now, before)


def compare(before, now, complete=True):
    """Faults, and hints about counts that are far below the recorded ones. If the new ledger is not complete,
    rows that it does not have are no faults."""
    faults, hints = [], []
    for old, new in [(before.operations, now.operations), (before.sizes, now.sizes)]:
        faults += [f"{name}: is not recorded" for name in new if name not in old]
        if complete:
            faults += [f"{name}: is recorded, but no longer measured" for name in old if name not in new]
        for name in old.keys() & new.keys():
            was, is_ = counts(old[name]), counts(new[name])
            for kind in risen(old[name], new[name]):
                fault = f"{name}: {change(kind, was[kind], is_[kind])}, limit {math.floor(highest(kind, was[kind])):,}"
                functions = grown(old[name].cost.functions, new[name].cost.functions) if kind == "instructions" else []
                faults.append("\n".join([fault, *functions]))
            hints += [f"{name}: {change(kind, was[kind], is_[kind])}" for kind in fallen(old[name], new[name])]
    for format in EXPORTED:
        found = growth(now.operations, format)
        if found and found[1] > GROWTH * found[0]:
            faults.append(f"to {format}: an emitter among {MANY:,} costs {found[1] / found[0]:.2f} × as much as one "
                          f"among {FEW}, limit {GROWTH} ×")
    return faults, hints


def recorded(before, now, reason, complete=True):
    """The ledger to write. A row that has risen within its limits stays as it is, so that many small rises
    cannot add up; one that has risen above them gets the reason."""
    def merged(old, new):
        rows = {}
        for name in new if complete else {**old, **new}:
            was, is_ = old.get(name), new.get(name)
            if was is None or is_ is None:
                rows[name] = is_ or was
            elif risen(was, is_):
                rows[name] = dataclasses.replace(is_, reason=reason or MISSING)
            elif was.words != is_.words or fallen(was, is_) or is_less(was, is_):
                rows[name] = dataclasses.replace(is_, reason=was.reason)
            else:
                rows[name] = was
        return rows
    return Ledger(merged(before.operations, now.operations), merged(before.sizes, now.sizes))


def is_less(before, now):
    """Whether clearly fewer instructions are needed."""
    return isinstance(now.cost, Cost) and now.cost.instructions < (1 - EQUAL) * before.cost.instructions
