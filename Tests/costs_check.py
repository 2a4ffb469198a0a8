"""Tests of the ledger of costs, for `make lint`: its parsers, its comparison, and the form of Tests/costs.md."""

import collections, copy

import costs_ledger, costs_measures, costs_rows, costs_shares
from costs_ledger import Entry, Refused

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

# Two pieces, and the second piece shares out work again. Work beside the pieces, and the relocation.
CALLGRIND = """events: Ir
fn=(1) main
0 100
cfn=(2) $s13ParticlesCore7WorkersC5aloneyyyyXEFZ
calls=2 0
0 900
fn=(2)
+3 500
cfn=(3) convert
calls=2 0
0 400
fn=(3)
-1 50
cfn=(4) $s13ParticlesCore7WorkersC5aloneyyyyXEFZ'2
calls=1 0
* 350
fn=(4)
0 350
fn=(5) _dl_relocate_static_pie
0 30
totals: 1030
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
    check(costs_shares.parse(CALLGRIND.splitlines()) == (1030, 30, 900), "serial and shared instructions")
    for damaged in (CALLGRIND.replace("totals: 1030", "totals: 1031"), ""):
        try:
            costs_shares.parse(damaged.splitlines())
            check(False, "an output of callgrind that is not whole")
        except costs_measures.Failed:
            pass
    check(costs_measures.parse_strace(STRACE) == (5, 320), "calls of strace")
    name = costs_measures.shortened("void swift::Map<Key<int>, Value>::insert(Key<int>)")
    check(name == "void swift::Map::insert(Key)", "a name of C++")


FEW, MANY = (costs_rows.export_name("pixi", count) for count in (costs_rows.FEW, costs_rows.MANY))


def example():
    """A row for each operation, and the tool."""
    ledger = {row.name: Entry({"instructions": 40_000_000, "memory": 5000, "calls": 60, "bytes": 700})
              for row in costs_rows.OPERATIONS if not row.goal}
    for name, count in ((FEW, costs_rows.FEW), (MANY, costs_rows.MANY)):
        ledger[name].counts["instructions"] = count * 1_000_000
    shares = {row.name: Entry({"instructions": 40_000_000, "share": 150, "goal": round(100 * row.goal)})
              for row in costs_rows.OPERATIONS if row.goal}
    return ledger | {"stripped tool": Entry({"size": 27_000_000})} | shares


def changed(ledger, rows, **counts):
    """A ledger with other counts in some rows."""
    ledger = copy.deepcopy(ledger)
    for name in rows:
        ledger[name].counts |= counts
    return ledger


def check_comparison():
    now = example()
    name = costs_rows.OPERATIONS[0].name
    before = costs_ledger.parse(costs_ledger.text(now))
    check(before == now, "a ledger that is written and read")
    check(costs_ledger.compare(before, now) == ({}, []), "equal ledgers")
    for kind, above in [("instructions", 41_200_001), ("memory", 5757), ("calls", 67), ("bytes", 779)]:
        found, _ = costs_ledger.compare(before, changed(now, [name], **{kind: above}))
        check(list(found) == [name] and len(found[name]) == 1 and "limit" in found[name][0], f"{kind} above the limit")
        found, _ = costs_ledger.compare(before, changed(now, [name], **{kind: above - 1}))
        check(found == {}, f"{kind} at the limit")
    shared = next(row.name for row in costs_rows.OPERATIONS if row.goal)
    goal = now[shared].counts["goal"]
    for recorded, limit in [(goal, goal), (150, goal), (1000, 1035)]:
        was = changed(now, [shared], share=recorded)
        check(costs_ledger.compare(was, changed(now, [shared], share=limit))[0] == {}, "a share at its limit")
        found, _ = costs_ledger.compare(was, changed(now, [shared], share=limit + 1))
        check(list(found) == [shared] and "% of serial" in found[shared][0], "a share above its limit")
    found, _ = costs_ledger.compare(before, changed(now, ["stripped tool"], size=27_550_001))
    check("limit 27,550,000" in found["stripped tool"][0], "a larger tool")
    found, hints = costs_ledger.compare(before, changed(now, [name], instructions=38_000_000))
    check(found == {} and len(hints) == 1 and "-5.0 %" in hints[0], "a fall")
    fewer = {key: entry for key, entry in now.items() if key != name}
    check(costs_ledger.compare(before, fewer) == ({name: ["is recorded, but no longer measured"]}, []), "a missing row")
    check(costs_ledger.compare(before, fewer, complete=False) == ({}, []), "a row that was not selected")
    check(costs_ledger.compare(fewer, now) == ({name: ["is not recorded"]}, []), "a new row")
    found, _ = costs_ledger.compare(before, changed(now, [MANY], instructions=755_000_000))
    check(any("1.51 ×" in line for line in found[MANY]), "quadratic growth")


def check_recording():
    before = example()
    names = [row.name for row in costs_rows.OPERATIONS[:costs_ledger.HANDFUL + 1]]

    def refused(ledger, raised, reason):
        try:
            costs_ledger.recorded(ledger, raised, reason)
        except Refused as refusal:
            return str(refusal)

    one = changed(before, names[:1], instructions=50_000_000)
    check(names[0] in refused(before, one, ""), "a rise without a reason")
    after = costs_ledger.recorded(before, one, "checks more")
    check("| checks more |" in costs_ledger.text(after), "a rise with a reason")
    check(costs_ledger.recorded(after, one, "")[names[0]].reason == "checks more", "a reason that is kept")
    check(costs_ledger.recorded(after, one, "") == after, "a reason without a rise")
    check(costs_ledger.recorded(after, changed(one, names[:1], calls=90), "checks more")[names[0]].counts["calls"] == 90,
          "a second rise for one reason")
    # A reason covers few rows, recorded together.
    all_risen = changed(before, names, instructions=50_000_000)
    check(all(name in refused(before, all_risen, "a bulk reason") for name in names), "a reason for more than a handful")
    handful = changed(before, names[:-1], instructions=50_000_000)
    after = costs_ledger.recorded(before, handful, "a loop of all readers")
    check([entry.reason for entry in after.values()].count("a loop of all readers") == costs_ledger.HANDFUL, "a handful")
    check(names[-1] in refused(after, all_risen, "a loop of all readers"), "the reason of other rows")
    check(costs_ledger.recorded(after, all_risen, "another loop")[names[-1]].reason == "another loop", "a reason of its own")
    little = changed(before, names[:1], instructions=40_800_000)
    check(costs_ledger.recorded(before, little, "") == before, "a small rise")
    less = changed(before, names[:1], instructions=38_000_000)
    check(costs_ledger.recorded(before, less, "")[names[0]].counts["instructions"] == 38_000_000, "a fall is recorded")


def check_functions():
    functions = {f"function {number:02}": 1_000_000 - 10_000 * number for number in range(20)}
    now = functions | {"function 03": 2_662_000, "a new loop": 2_000_000}
    lines = costs_ledger.grown(functions, now)
    check([line.split("  ")[-1] for line in lines] == ["a new loop (0.000 → 2,000)", "function 03 (970 → 2,662)"],
          "the functions that grew")
    check(costs_ledger.grown({}, functions)[0].endswith("1,000  function 00"), "the largest functions where none are known")


def check_file(path):
    text = path.read_text()
    ledger = costs_ledger.parse(text)
    check(costs_ledger.text(ledger) == text, f"{path.name} has another form: PARTICLES_RECORD=1 make costs")
    check(text.count("\n") <= costs_ledger.MOST_LINES, f"{path.name} has more than {costs_ledger.MOST_LINES} lines")
    reasons = collections.Counter(entry.reason for entry in ledger.values() if entry.reason)
    for reason, count in reasons.items():
        check(count <= costs_ledger.HANDFUL, f"{count} rows of {path.name} have one reason: {reason}")
    measured = {row.name for row in costs_rows.OPERATIONS}
    recorded = {name for name, entry in ledger.items() if "instructions" in entry.counts}
    check(measured == recorded, f"{path.name} has other operations than costs_rows.py ({', '.join(measured ^ recorded)}): PARTICLES_RECORD=1 make costs")


def run(path):
    try:
        check_parsers()
        check_comparison()
        check_recording()
        check_functions()
        check_file(path)
    except AssertionError as fault:
        return f"Tests/costs.py: {fault}"
