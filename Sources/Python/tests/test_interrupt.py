"""Control-C, handles that two threads use, and forked processes."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time
from typing import Any

import pytest

import particlekit
from particlekit import Document, Effect, Package

# Each begins something that takes seconds, and is interrupted.
LONG = {
    "render": "effect.render(format='gif', width=2048, height=2048, duration=60)",
    "statistics": "effect.statistics(seeds=2000, frames=6000)",
    "frames": "effect.animate(lambda image, seconds: time.sleep(0.001), width=256, height=256, duration=60)",
    "draw": "effect.draw(width=4096, height=4096, start=60)",
    "measure": "[effect.convert('pixi', measure='lines') for _ in range(1000)]",
    "advance": "effect.simulate().advance(3600)",
    "save": "package.save_as('large.particles', level='best')",
    "encode": "package.encode('best')",
    "edit": "document.edit('wait', lambda effect: [time.sleep(0.01) for _ in range(1000)])",
    "progress": "effect.render(format='webp', width=1024, height=1024, duration=60, progress=lambda *_: True)",
    "find": "Effect.open(pathlib.Path('ring.pex').read_bytes(), name='ring.pex', find=lambda name: time.sleep(10))",
}
PROGRAM = """
import os, pathlib, signal, sys, threading, time
import particlekit
from particlekit import Document, Effect, Package
effect = Effect.template("fire")
effect["emitters[*].emission.rate"] = 3000
package = Package()
# Bytes of four values compress slowly, on fast machines too.
package["noise"] = os.urandom(48 << 20).translate(bytes(byte & 3 for byte in range(256)))
effect.save_as("document.particles")
pathlib.Path("ring.pex").write_bytes(next(iter(effect.convert("starling").files.values())))
document = Document("document.particles", autosave="off", data_folder="")
handler = signal.getsignal(signal.SIGINT)
began = []
def interrupt():
    time.sleep(0.2)
    began.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    CALL
except KeyboardInterrupt:
    late = time.monotonic() - began[0]
    assert signal.getsignal(signal.SIGINT) is handler
    print(late, flush=True)
else:
    sys.exit("it was not interrupted")
# Everything can be used afterwards, or says that the call has not ended yet.
for _ in range(200):
    try:
        assert effect["emitters[0].emission.rate"] == 3000 and len(package)
        break
    except particlekit.Misuse as fault:
        assert fault.code == "interface/busy", fault
        time.sleep(0.05)
else:
    sys.exit("the handle stays in use")
os._exit(0)
"""


@pytest.mark.parametrize("name", LONG)
def test_interrupt(name: str, tmp_path: pathlib.Path) -> None:
    program = PROGRAM.replace("CALL", LONG[name])
    times = []
    # Once more, because other programs may take the processor for a moment.
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-B", "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert done.returncode == 0, (name, done.stdout, done.stderr)
        assert "Exception ignored" not in done.stderr
        times.append(float(done.stdout))
        if times[-1] < 0.1:
            return
        for file in tmp_path.glob("*.particles"):
            file.unlink()
    pytest.fail(f"{name}: {times} seconds after the signal")


def test_callbacks_stay_on_the_thread() -> None:
    threads: set[int] = set()
    effect = Effect.template("fire")
    effect.animate(lambda *_: threads.add(threading.get_ident()), width=8, height=8, duration=0.2)
    assert threads == {threading.get_ident()}


def in_threads(count: int, body: Any) -> None:
    threads = [threading.Thread(target=body, args=(number,)) for number in range(count)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()


def test_two_threads_with_one_package() -> None:
    package = Package()
    kept: list[str] = []

    def put(number: int) -> None:
        for index in range(400):
            name = f"{number}/{index}"
            try: package[name] = b"x" * 100
            except particlekit.Misuse as fault: assert fault.code == "interface/busy"
            else: kept.append(name)

    in_threads(2, put)
    assert kept and sorted(kept) == sorted(name for name in package if "/" in name)


def test_two_threads_with_one_effect() -> None:
    effect = Effect.template("fire")
    faults: list[str] = []

    def change(number: int) -> None:
        for index in range(1, 200):
            try: effect["emitters[0].emission.rate"] = index
            except particlekit.Misuse as fault: faults.append(fault.code)

    in_threads(3, change)
    assert set(faults) <= {"interface/busy"}
    assert effect["emitters[0].emission.rate"] > 0
    simulation = effect.simulate()
    in_threads(3, lambda _: [attempt(lambda: simulation.advance(0.05)) for _ in range(50)])
    assert simulation.time > 0


def attempt(body: Any) -> None:
    try: body()
    except particlekit.Misuse as fault: assert fault.code == "interface/busy", fault


def test_a_handle_in_its_own_callback() -> None:
    effect = Effect.template("fire")
    codes = []

    def frame(*_: object) -> None:
        with pytest.raises(particlekit.Misuse) as fault: effect.get("asset.name")
        codes.append(fault.value.code)

    effect.animate(frame, width=8, height=8, duration=0.1)
    assert set(codes) == {"interface/busy"}


FORKED = """
import os, sys, time, signal
import particlekit
from particlekit import Document, Effect, Package
effect = Effect.template("fire")
effect.save_as("document.particles")
BEFORE
child = os.fork()
if child == 0:
    signal.alarm(30)
    assert effect.png(32)[:4] == b"\\x89PNG"
    assert effect.convert("starling").files and effect.statistics()["frames"] > 0
    simulation = effect.simulate()
    simulation.advance(1)
    AFTER
    os._exit(0)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
USED = """
for call in (lambda: Document("document.particles", autosave="off", data_folder=""), lambda: document.undo(), lambda: document.save()):
        try: call()
        except particlekit.Misuse as fault: assert fault.code == "interface/forked", fault
        else: os._exit(3)
    document.close()
"""


@pytest.mark.parametrize("before, after", [
    ("", "Document('document.particles', autosave='off', data_folder='').close()"),
    ("document = Document('document.particles', autosave='off', data_folder=''); effect.statistics()", USED.strip()),
    ("import threading; effect.render(format='gif', width=64, height=64, duration=1)", "pass"),
])
def test_fork(before: str, after: str, tmp_path: pathlib.Path) -> None:
    program = FORKED.replace("BEFORE", before).replace("AFTER", after)
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-B", "-W", "ignore", "-c", program], cwd=tmp_path, capture_output=True, text=True,
            timeout=120, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert done.returncode == 0, (before, done.returncode, done.stderr)
        (tmp_path / "document.particles").unlink()
