"""Tests of the ledger of costs, for `make lint`: its parsers, its comparison, and the form of Tests/costs.md."""

import copy

import costs_ledger, costs_measures, costs_rows
from costs_ledger import Entry, Ledger
from costs_measures import Cost

CACHEGRIND = """desc: I1 cache: 32768 B
cmd: particles
events: Ir
fl=???
fn=encode
0 700
12 300
fn=copy
0 500
fn=encode
0 1
summary: 1501
"""

STRACE = """7 execve("particles", 0x7ffe, 0x7ffe) = 0
7 openat(AT_FDCWD, ""..., O_RDONLY) = 3
7 write(4, ""...,  <unfinished ...>
8 futex(0x7ffe, FUTEX_WAIT_PRIVATE, 0, NULL <unfinished ...>
7 <... write resumed>20) = 20
8 pwrite64(4, ""..., 300, 20) = 300
8 write(4, ""..., 9) = -1 ENOSPC (No space left on device)
7 +++ exited with 0 +++
"""


def check(condition, fault):
    if not condition:
        raise AssertionError(fault)


def check_parsers():
    functions = costs_measures.parse_cachegrind(CACHEGRIND)
    check(functions == {"encode": 1001, "copy": 500}, "functions of cachegrind")
    try:
        costs_measures.parse_cachegrind(CACHEGRIND.replace("summary: 1501", ""))
        check(False, "an output of cachegrind without its end")
    except costs_measures.Failed:
        pass
    check(costs_measures.parse_strace(STRACE) == (5, 320), "calls of strace")
    name = costs_measures.shortened("void swift::Map<Key<int>, Value>::insert(Key<int>)")
    check(name == "void swift::Map::insert(Key)", "a name of C++")


def example():
    functions = {f"function {number:02}": 1_000_000 - 10_000 * number for number in range(60)}
    row = costs_rows.OPERATIONS[0]
    operations = {row.name: Entry(Cost(sum(functions.values()), 5000, 60, 700, functions), words=row.words)}
    for count in (costs_rows.FEW, costs_rows.MANY):
        name = costs_rows.export_name("pixi", count)
        operations[name] = Entry(Cost(count * 1_000_000, 9000, 100, 70, {"encode": count * 1_000_000}), words=name)
    return row.name, Ledger(operations, {"stripped tool": Entry(27_000_000)})


def check_comparison():
    name, now = example()
    before = costs_ledger.parse(costs_ledger.text(now))
    check(costs_ledger.text(before) == costs_ledger.text(now), "a ledger that is read and written")
    check(costs_ledger.compare(before, now) == ([], []), "equal ledgers")

    def faults(change, complete=True):
        changed = copy.deepcopy(now)
        change(changed)
        return costs_ledger.compare(before, changed, complete), changed

    def slower(ledger, count, function):
        ledger.operations[name].cost.instructions += count
        functions = ledger.operations[name].cost.functions
        functions[function] = functions.get(function, 0) + count

    total = now.operations[name].cost.instructions
    (found, hints), _ = faults(lambda ledger: slower(ledger, int(0.028 * total), "function 03"))
    check((found, hints) == ([], []), "a rise within the limit")
    (found, _), raised = faults(lambda ledger: slower(ledger, int(0.04 * total), "function 03"))
    check(len(found) == 1 and found[0].startswith(f"{name}: ") and "+4.0 %" in found[0], "a rise above the limit")
    check("+1,692  function 03 (970 → 2,662)" in found[0], "the function that grew")
    check("function 04" not in found[0], "a function that did not grow")
    (found, _), _ = faults(lambda ledger: slower(ledger, 2_000_000, "a new loop"))
    check("a new loop (at most 810 → 2,000)" in found[0], "a new function")
    (found, hints), lower = faults(lambda ledger: slower(ledger, -2_000_000, "function 00"))
    check(found == [] and len(hints) == 1, "a fall")

    (found, _), _ = faults(lambda ledger: ledger.operations.pop(name))
    check(found == [f"{name}: is recorded, but no longer measured"], "a missing row")
    (found, _), _ = faults(lambda ledger: ledger.operations.pop(name), complete=False)
    check(found == [], "a row that was not selected")
    (found, _), _ = faults(lambda ledger: ledger.sizes.update({"code of New": Entry(5)}))
    check(found == ["code of New: is not recorded"], "a new row")
    for field, above in [("memory", 5757), ("calls", 67), ("written", 779)]:
        (found, _), _ = faults(lambda ledger: setattr(ledger.operations[name].cost, field, above))
        check(len(found) == 1, f"{field} above the limit")
        (found, _), _ = faults(lambda ledger: setattr(ledger.operations[name].cost, field, above - 1))
        check(found == [], f"{field} at the limit")
    (found, _), _ = faults(lambda ledger: setattr(ledger.sizes["stripped tool"], "cost", 27_550_001))
    check(len(found) == 1 and "limit 27,550,000" in found[0], "a larger tool")
    many = costs_rows.export_name("pixi", costs_rows.MANY)
    check(any("among 500 costs 1.51 ×" in line for line in faults(
        lambda ledger: setattr(ledger.operations[many].cost, "instructions", 755_000_000))[0][0]), "quadratic growth")

    after = costs_ledger.recorded(before, raised, "")
    check(after.operations[name].reason == costs_ledger.MISSING, "a rise without a reason")
    after = costs_ledger.recorded(before, raised, "checks more")
    check("| checks more |" in costs_ledger.text(after), "a rise with a reason")
    check(costs_ledger.recorded(after, raised, "").operations[name].reason == "checks more", "a reason that is kept")
    _, little = faults(lambda ledger: slower(ledger, int(0.02 * total), "function 03"))
    check(costs_ledger.recorded(before, little, "").operations[name] == before.operations[name], "a small rise")
    check(costs_ledger.recorded(before, lower, "").operations[name].cost.instructions == total - 2_000_000, "a fall is recorded")


def check_file(path):
    text = path.read_text()
    ledger = costs_ledger.parse(text)
    check(costs_ledger.text(ledger) == text, f"{path.name} has another form: PARTICLES_RECORD=1 make costs")
    check(costs_ledger.MISSING not in text, f"{path.name} lacks the reason for a raised count")
    measured = {row.name: row.words for row in costs_rows.OPERATIONS}
    recorded = {name: row.words for name, row in ledger.operations.items()}
    check(measured == recorded, f"{path.name} has other operations than costs_rows.py: PARTICLES_RECORD=1 make costs")


def run(path):
    try:
        check_parsers()
        check_comparison()
        check_file(path)
    except AssertionError as fault:
        return f"Tests/costs.py: {fault}"
