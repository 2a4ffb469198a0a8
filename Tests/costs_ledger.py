"""The recorded costs, Tests/costs.md: writing, reading, and comparing with new counts.

A ledger has an entry for each row. The counts of an operation are instructions, memory, calls and bytes. A program or a
module has bytes alone.
"""

import dataclasses, math

from costs_rows import EXPORTED, FEW, MANY, export_name

# How much a count may be above the recorded count: a share, and a number beside.
LIMITS = {"instructions": (0.03, 0), "memory": (0.10, 256), "calls": (0.05, 3), "bytes": (0.02, 64), "size": (0.02, 10_000),
          "share": (0.03, 5)}
UNITS = {"instructions": "thousand instructions", "memory": "kB of memory", "calls": "system calls",
         "bytes": "bytes written", "size": "bytes", "share": "% of serial instructions"}
COLUMNS = ["instructions", "memory", "calls", "bytes"]
# Instructions of equal runs differ by less than this part.
EQUAL = 0.003
# The cost of an emitter among many, compared with an emitter among few.
GROWTH = 1.2
# So many rows may get a reason at once.
HANDFUL = 5
# Of a file that is read.
MOST_LINES = 175

HEAD = """# Costs

The costs of operations of the release tool, and sizes of its modules. `make costs` measures them again and fails where one is above its limit. How to
record, and how to give a reason for a count that was raised: [CONTRIBUTING.md](../CONTRIBUTING.md). Operations and inputs: `Tests/costs_rows.py`.
Each runs on one processor and hence with one thread, with an empty data folder and hash tables without random seeds. Time is not measured.

- **Instructions** are those that cachegrind counts, which has no AVX-512. Only `start` includes those with which the program relocates itself before `main`. Limit: 3 % above the recorded count.
- **Memory** is the peak of resident memory, the median of three runs. Limit: 10 % and 256 kB above.
- **System calls** do not include those with which threads wait for each other. Limit: 5 % and 3 above.
- **Bytes** are those of all write calls. Limit: 2 % and 64 above. For a program or the code of a module: its size. Limit: 2 % and 10,000 above.

| row | instructions (thousands) | memory (kB) | system calls | bytes | reason for the last rise |
|---|--:|--:|--:|--:|---|
"""

SHARES = """
## Serial shares

The part of the instructions of an operation that one thread has to do, while others have nothing to do; what it means and what it does not have in it:
`Tests/costs_shares.py`. Limit: the goal, where it is reached; otherwise 3 % and 0.05 above the recorded share, and 3 % for the instructions.

| row | instructions (thousands) | serial (%) | goal (%) | reason for the last rise |
|---|--:|--:|--:|---|
"""


@dataclasses.dataclass
class Entry:
    counts: dict
    reason: str = ""


class Refused(Exception):
    pass


# MARK: Text


def digits(count):
    """Thousands, with at least three digits."""
    return f"{count / 1000:,.{max(0, min(3, 6 - len(str(int(count)))))}f}"


def shown(kind, count):
    return digits(count) if kind == "instructions" else f"{count / 100:.2f}" if kind in ("share", "goal") else f"{count:,}"


def text(ledger):
    lines = [HEAD]
    for name, entry in ledger.items():
        if "share" in entry.counts:
            continue
        cells = [shown(kind, entry.counts[kind]) if kind in entry.counts else "" for kind in COLUMNS]
        cells[3] = cells[3] or shown("size", entry.counts["size"])
        lines.append(f"| {' | '.join([name, *cells, entry.reason])} |\n")
    shares = {name: entry for name, entry in ledger.items() if "share" in entry.counts}
    for name, entry in shares.items():
        cells = [shown(kind, entry.counts[kind]) for kind in ("instructions", "share", "goal")]
        lines.append(f"{SHARES if name == next(iter(shares)) else ''}| {' | '.join([name, *cells, entry.reason])} |\n")
    return "".join(lines)


def parse(text):
    ledger = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 5 and cells[1][:1].isdigit():
            numbers = [float(cell.replace(",", "")) for cell in cells[1:4]]
            counts = {"instructions": round(1000 * numbers[0]), "share": round(100 * numbers[1]), "goal": round(100 * numbers[2])}
            ledger[cells[0]] = Entry(counts, cells[4])
        if len(cells) != 6 or not cells[4][:1].isdigit():
            continue
        numbers = {kind: float(cell.replace(",", "")) for kind, cell in zip(COLUMNS, cells[1:5]) if cell}
        counts = {kind: round(1000 * number if kind == "instructions" else number) for kind, number in numbers.items()}
        ledger[cells[0]] = Entry(counts if cells[1] else {"size": counts["bytes"]}, cells[5])
    return ledger


# MARK: Comparing


def highest(kind, before):
    recorded = before.get(kind, 0)
    if kind == "share" and recorded <= before.get("goal", 0):
        return before["goal"]
    part, beside = LIMITS[kind]
    return recorded * (1 + part) + beside


def change(kind, before, now):
    percent = f"{100 * (now / before - 1):+.1f} %" if before else "new"
    return f"{shown(kind, before)} → {shown(kind, now)} {UNITS[kind]} ({percent})"


def risen(before, now):
    """The kinds of counts that are above their limits."""
    return [kind for kind, count in now.counts.items() if kind != "goal" and count > highest(kind, before.counts)]


def compare(before, now, complete=True):
    """Faults by row, and hints about counts that are far below the recorded ones. If the new ledger is not complete, rows
    that it does not have are no faults."""
    faults = {name: ["is not recorded"] for name in now if name not in before}
    if complete:
        faults |= {name: ["is recorded, but no longer measured"] for name in before if name not in now}
    hints = []
    for name in [name for name in now if name in before]:
        was, is_ = before[name].counts, now[name].counts
        if kinds := risen(before[name], now[name]):
            faults[name] = [f"{change(kind, was[kind], is_[kind])}, limit {shown(kind, math.floor(highest(kind, was)))}" for kind in kinds]
        hints += [f"{name}: {change(kind, was[kind], is_[kind])}" for kind in risen(now[name], before[name])]
    for format in EXPORTED:
        few, many = (now.get(export_name(format, count)) for count in (FEW, MANY))
        ratio = many.counts["instructions"] * FEW / (few.counts["instructions"] * MANY) if few and many else 0
        if ratio > GROWTH:
            faults.setdefault(export_name(format, MANY), []).append(
                f"an emitter costs {ratio:.2f} × as much as among {FEW}, limit {GROWTH} ×")
    return faults, hints


def recorded(before, now, reason, complete=True):
    """The ledger to write. A row that has risen within its limits stays as it is, so that many small rises cannot add up.
    Rows that have risen above their limits get the reason. No further row may have that reason."""
    raised = [name for name in now if name in before and risen(before[name], now[name])]
    others = [name for name, entry in before.items() if reason and entry.reason == reason and name not in raised]
    names = "".join(f"\n    {name}" for name in raised)
    if raised and not reason:
        raise Refused(f"give a --reason for each of these rows, which are above their limits:{names}")
    if len(raised) > HANDFUL:
        raise Refused(f"a reason is that of at most {HANDFUL} rows; record these in parts, by --only, each with its own:{names}")
    if raised and others:
        raise Refused(f"'{others[0]}' has this reason already; give one that is that of these rows alone:{names}")
    rows = {}
    for name in now if complete else {**before, **now}:
        was, is_ = before.get(name), now.get(name)
        if was is None or is_ is None:
            rows[name] = is_ or was
        elif name in raised:
            rows[name] = Entry(is_.counts, reason)
        elif risen(is_, was) or is_less(was, is_):
            rows[name] = Entry(is_.counts, was.reason)
        else:
            rows[name] = was
    return rows


def is_less(before, now):
    """Whether clearly fewer instructions are needed."""
    return now.counts.get("instructions", 0) < (1 - EQUAL) * before.counts.get("instructions", 0)


# MARK: Functions


def grown(before, now, most=8):
    """Lines about the functions with most of the growth since an earlier run, or about the largest functions if there was none."""
    if not before:
        largest = sorted(now.items(), key=lambda item: (-item[1], item[0]))[:most]
        return [f"    {digits(count):>11}  {name}" for name, count in largest]
    growths = sorted(((count - before.get(name, 0), name) for name, count in now.items()), reverse=True)
    total = sum(max(0, size) for size, _ in growths)
    return [f"    {'+' + digits(size):>11}  {name} ({digits(before.get(name, 0))} → {digits(now[name])})"
            for size, name in growths[:most] if size > 0.02 * total]
