"""Measures the goals of libparticles and its Python package, beside zipfile: goals.py LIBRARY FOLDER-OF-WHEEL

Prints a row for each goal: the measured value, the goal, kept or missed. Ends with 1 if one is missed. Times count only on
an idle machine. Compared runs alternate. `--megabytes` is the size of the unpacked contents.
"""

import argparse
import compileall
import glob
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEADERS = os.path.join(HERE, "../../Sources/CParticlesInterface/include")
MIB = 1 << 20
IMPORT = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"


class Report:
    """The rows, and whether a goal was missed."""

    missed = False

    def row(self, name, value, goal, unit, at_least=False):
        kept = value >= goal if at_least else value <= goal
        self.missed |= not kept
        sign = "≥" if at_least else "≤"
        print(f"{name:48}{value:10.2f} {unit:4} {sign} {goal:<5g} {'kept' if kept else 'missed'}", flush=True)


def output(*command, **environment):
    return subprocess.run(command, env=dict(os.environ, **environment), check=True, capture_output=True, text=True).stdout


def alternately(rounds, *actions):
    """The medians of the times of actions, which take turns. Each gets the number of the round."""
    times = [[] for _ in actions]
    for number in range(rounds):
        for action, taken in zip(actions, times):
            start = time.perf_counter()
            action(number)
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def calls(report, library, folder, bench):
    program = os.path.join(folder, "goals")
    compiler = shutil.which("cc") or shutil.which("gcc") or "clang"
    subprocess.run([compiler, "-O2", "-I", HEADERS, "-o", program, os.path.join(HERE, "goals.c"), "-ldl"], check=True)
    times = dict(line.split() for line in output(program, library, "calls").splitlines())
    # The work as a program in Swift does it. Without that program, the whole time of a call counts.
    peers = dict(line.split() for line in output(bench, "--calls").splitlines()) if bench else {}
    for name, nanoseconds in times.items():
        print(f"  {name}: {nanoseconds} ns" + (f", {peers[name]} ns in Swift" if name in peers else ""))
    for name in ("particles_simulation_advance", "particles_simulation_describe"):
        above = float(times[name]) - float(peers.get(name, 0))
        report.row(f"{name[10:]}, {'above Swift' if peers else 'all of it'}", above, 30, "ns")
    loads = [float(output(program, library, "load")) / 1e6 for _ in range(21)]
    report.row("the library loads, median of 21 processes", statistics.median(loads), 10, "ms")


def imports(report, site):
    times = {"particlekit": [], "zipfile": []}
    processes = {"import particlekit": [], "pass": []}
    for _ in range(11):
        for name, taken in times.items():
            seconds = float(output(sys.executable, "-S", "-c", IMPORT.format(name), PYTHONPATH=site))
            taken.append(1000 * seconds)
        for code, taken in processes.items():
            start = time.perf_counter()
            output(sys.executable, "-S", "-c", code, PYTHONPATH=site)
            taken.append(1000 * (time.perf_counter() - start))
    print(f"  import zipfile: {statistics.median(times['zipfile']):.1f} ms; whole processes: "
          + ", ".join(f"{code} {statistics.median(taken):.1f} ms" for code, taken in processes.items()))
    report.row("import, median of 11 processes", statistics.median(times["particlekit"]), 60, "ms")


def one_of_many(report, particlekit, folder):
    """Opens and reads one of 10,000 entries."""
    ours, theirs = os.path.join(folder, "many.particles"), os.path.join(folder, "many.zip")
    package = particlekit.Package()
    with zipfile.ZipFile(theirs, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(10_000):
            name, text = f"frames/{number % 100:02}/{number:05}.json", f'{{"frame": {number}, "time": {number / 60}}}'.encode() * 8
            package[name] = text
            archive.writestr(name, text)
    package.save_as(ours)
    package.close()
    names = [f"frames/{number % 100:02}/{number:05}.json" for number in random.Random(1).sample(range(10_000), 31)]

    def read_ours(number):
        with particlekit.Package.open(ours) as package:
            return package[names[number]]

    def read_theirs(number):
        with zipfile.ZipFile(theirs) as archive:
            return archive.read(names[number])

    assert read_ours(0) == read_theirs(0)
    mine, other = alternately(len(names), read_ours, read_theirs)
    print(f"  particles {1000 * mine:.2f} ms, zipfile {1000 * other:.2f} ms")
    report.row("opens and reads one of 10,000, beside zipfile", other / mine, 20, "×", at_least=True)


def contents(count):
    """So many files of 1 MiB: a half are key frames as text, a quarter records of numbers, a quarter noise as in PNG."""
    source = random.Random(7)
    line = '    {{ "time" : {:.4f}, "position" : [ {:.3f}, {:.3f}, {:.3f} ], "birthRate" : {:.2f}, "ease" : "{}" }},\n'
    bases = []
    for number in range(16):
        if number % 4 == 3:
            data = source.randbytes(MIB)
        elif number % 4 == 2:
            palette = [source.randbytes(24) for _ in range(64)]
            data = b"".join(source.randbytes(12) + source.choice(palette) for _ in range(MIB // 36))
        else:
            lines = [line.format(i / 240, *(source.uniform(-10, 10) for _ in range(3)), source.uniform(0, 500),
                                 source.choice(("linear", "easeIn", "hold"))) for i in range(MIB // 90)]
            data = "".join(lines).encode()
        bases.append((data + bytes(MIB))[:MIB])
    for number in range(count):
        # No two files are equal.
        yield f"parts/{number:04}.bin", number.to_bytes(8, "little") + bases[number % 16][8:]


def unpacking(report, particlekit, folder, megabytes):
    ours, theirs = os.path.join(folder, "large.particles"), os.path.join(folder, "large.zip")
    package = particlekit.Package()
    with zipfile.ZipFile(theirs, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents(megabytes):
            package[name] = data
            archive.writestr(name, data)
    package.save_as(ours)
    package.close()
    targets = [os.path.join(folder, f"out-{kind}") for kind in "pz"]

    def unpack_ours(_):
        with particlekit.Package.open(ours) as package:
            package.extract(targets[0], durable=False)

    def unpack_theirs(_):
        with zipfile.ZipFile(theirs) as archive:
            archive.extractall(targets[1])

    def processor(action):
        """The time by the clock and the processor time. Existing output is deleted before."""
        for target in targets:
            shutil.rmtree(target, ignore_errors=True)
        before, start = os.times(), time.perf_counter()
        action(0)
        taken, after = time.perf_counter() - start, os.times()
        return taken, after.user + after.system - before.user - before.system

    taken = [[processor(action) for action in (unpack_ours, unpack_theirs)] for _ in range(5)]
    (mine, my_work), (other, other_work) = (
        [statistics.median(turn[side][part] for turn in taken) for part in (0, 1)] for side in (0, 1))
    print(f"  particles {mine:.2f} s, {my_work:.2f} s of processors; zipfile {other:.2f} s, {other_work:.2f} s; "
          f"files of {os.path.getsize(ours) / MIB:.0f} and {os.path.getsize(theirs) / MIB:.0f} MiB")
    report.row(f"unpacks {megabytes} MB, beside zipfile", other / mine, 3.5, "×", at_least=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("wheels")
    parser.add_argument("--bench", help="the program ParticlesBench, for the costs of calls in Swift")
    parser.add_argument("--megabytes", type=int, default=512)
    options = parser.parse_args()
    wheel = glob.glob(os.path.join(options.wheels, "particlekit-*.whl"))[0]
    report = Report()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory() as folder:
        site = os.path.join(folder, "site")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(site)
        # As pip does.
        compileall.compile_dir(site, quiet=1)
        sys.path.insert(0, site)
        import particlekit

        report.row("the wheel", os.path.getsize(wheel) / 1e6, 9, "MB")
        calls(report, os.path.abspath(options.library), folder, options.bench)
        imports(report, site)
        one_of_many(report, particlekit, folder)
        unpacking(report, particlekit, folder, options.megabytes)
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
