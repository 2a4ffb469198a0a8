"""Measures `particles find` in an index of many made-up documents, which this script writes by Spec/finding.md.

    python3 Tests/Scale/find.py TOOL DATABASE [COUNT [RUNS]]    makes DATABASE with COUNT documents (100,000) unless it is there

Prints for each query the number of documents, and the median and the greatest time of 21 runs of the process, and the
median of its processor time, in milliseconds.
"""

import os
import random
import resource
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import time

QUERIES = [
    "text:smoke", "smoke", "format:spritekit", "alive>500", "alive>500 or blend:add", "not blend:add",
    "format:spritekit alive>500 blend:add text:smoke", "problem:image/missing", "emission.rate:10..20",
    "similar:@", "format:spritekit alive>500 blend:add text:smoke similar:@", "path:level1/*.sks", "digest:abc",
]
WORDS = ["smoke", "fire", "spark", "snow", "rain", "boss", "magic", "dust", "leaf", "bubble", "torch", "water"]
FORMATS = ["spritekit", "cocos2d", "starling", "libgdx", "particles", "pixi", "godot", "love"]


def make(tool, database, count):
    """Lets the tool make an index of one document, and adds the rest as an update does."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([tool, "new", "-q", f"{folder}/fire.particles", "--template", "fire"], check=True)
        subprocess.run([tool, "index", "-q", "--database", database, folder], check=True)
    index = sqlite3.connect(database)
    index.execute("PRAGMA cache_size = -262144")
    chance = random.Random(1)
    keys = {name: number for number, name in index.execute("SELECT id, name FROM keys")}

    def key(name):
        if name not in keys:
            keys[name] = index.execute("INSERT INTO keys(name) VALUES(?)", [name]).lastrowid
        return keys[name]

    properties = [key(f"property.{number}") for number in range(30)]
    for number in range(2, count + 1):
        name = f"{chance.choice(WORDS)} {chance.choice(WORDS)} {number}"
        kind, file = chance.choice(FORMATS), name.replace(" ", "_")
        path = f"/studio/game{number % 9}/level{number % 83}/{file}.sks"
        alive, rate = float(int(chance.expovariate(1 / 300))), chance.uniform(1, 500)
        digest = f"{chance.getrandbits(256):064x}"
        index.execute("INSERT INTO documents VALUES(?,?,?,?,1,?,0,?,?,?,0)",
                      [number, path, 4000, 10**18, number, kind, name, digest])
        numbers = [(key("alive"), alive), (key("emission.rate"), rate), (key("size"), 4000.0), (key("errors"), 0.0)]
        numbers += [(property, chance.uniform(0, 9)) for property in properties]
        words = [(key("format"), kind), (key("blend"), chance.choice(["add", "alpha", "screen"]))]
        words += [(key("problem"), "image/missing")] if number % 11 == 0 else []
        index.executemany("INSERT INTO numbers VALUES(?,?,?)", [(*row, number) for row in numbers])
        index.executemany("INSERT INTO words VALUES(?,?,?)", [(*row, number) for row in words])
        index.execute("INSERT INTO texts(rowid, file, name, emitters, textures) VALUES(?,?,?,?,?)",
                      [number, f"{file}.sks", name, name, f"images/{chance.choice(WORDS)}.png"])
        vector = struct.pack("<38f", *(chance.gauss(0, 0.3) for _ in range(38)))
        index.execute("INSERT INTO vectors VALUES(?,1,?)", [number, vector])
        index.execute("INSERT INTO details VALUES(?,'{}','[]')", [number])
    index.commit()


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(tool, database, count=100_000, runs=21):
    if not os.path.exists(database):
        make(tool, database, int(count))
    print(f"{os.path.getsize(database) / 1e6:.0f} MB")
    with tempfile.TemporaryDirectory() as folder:
        effect = f"{folder}/fire.particles"
        subprocess.run([tool, "new", "-q", effect, "--template", "fire"], check=True)
        for query in QUERIES:
            times, work, found = [], [], 0
            for _ in range(int(runs)):
                start, before = time.perf_counter(), processor()
                run = subprocess.run([tool, "find", "--database", database, query.replace("@", effect)],
                                     capture_output=True)
                times.append((time.perf_counter() - start) * 1000)
                work.append((processor() - before) * 1000)
                assert run.returncode in (0, 1), run.stderr.decode()
                found = run.stdout.count(b"\n")
            print(f"{found:7} {statistics.median(times):7.1f} {max(times):7.1f} {statistics.median(work):7.1f}  {query}")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 2 else print(__doc__) or 64)
