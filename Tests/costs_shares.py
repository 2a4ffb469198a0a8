"""Measures the serial share of an operation: which part of its instructions one thread has to do while others have nothing to do.

The tool runs with one thread under callgrind. Work that it would share out to threads is called through one function, `Workers.alone`:
its instructions are the parallel part, all further instructions are the serial part. By Amdahl's law, a share s makes a run with n
threads at most 1 / (s + (1 - s) / n) times as fast.

The figure leaves out: the time in which threads wait for the longest piece, for each other, for memory or for the disk, the costs of
starting threads and of handing out work, and pieces that are too few or too different to share. Results that are written in order while
other threads go on count as serial, though they overlap with the pieces. Where pieces share out work again, the outer ones count.
"""

import re

import costs_measures
from costs_measures import Failed

# Its mangled name. Callgrind gives the inner one of nested calls a suffix, such as '2.
PIECES = re.compile(r"^\$s13ParticlesCore7WorkersC5alone[^']*$")


def measure(start, tool, words, status):
    """The instructions of a command, and their serial share, in hundredths of a percent."""
    folder, home, processor = start()
    output = f"{folder}.output"
    costs_measures.run(["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={output}", tool, *words], folder, home,
                       processor, status)
    with open(output, errors="replace") as lines:
        total, relocation, parallel = parse(lines)
    total -= relocation
    return {"instructions": total, "share": round(10_000 * (total - parallel) / total)}, {}


def parse(lines):
    """The instructions of all functions, of the relocation before `main`, and of pieces with all called functions."""
    names, function, called = {}, "", None
    total = relocation = parallel = 0
    is_whole = False
    for line in lines:
        if line.startswith(("fn=", "cfn=")):
            number, _, name = line.split("=", 1)[1].strip().partition(" ")
            name = names.setdefault(number, name)
            if line[0] == "f":
                function = name
            else:
                called = name
        elif line[:1] in "0123456789+-*" and line.strip():
            count = int(line.split()[1])
            if called is None:
                total += count
                relocation += count if function == costs_measures.RELOCATION else 0
            elif PIECES.search(called) and not PIECES.search(function):
                parallel += count
            called = None
        elif line.startswith("totals:"):
            is_whole = int(line.split()[1]) == total
    if not is_whole:
        raise Failed("the output of callgrind is incomplete")
    return total, relocation, parallel
