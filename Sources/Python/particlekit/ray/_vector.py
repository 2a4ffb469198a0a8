"""One vector for each effect, from the statistics of its simulation. Effects that look alike have near vectors."""

from __future__ import annotations

import math
from typing import Any

import particlekit

_TIMES = (0.1, 0.35, 0.65, 1.0)
"""Where the run is sampled, as parts of it."""
FRAMES = 120
"""Frames of a run, 2 s."""


def vector(effect: particlekit.Effect) -> list[float]:
    """Returns 38 numbers that do not depend on units: shape in time, spread, motion, size, colour.

    >>> fire, snow = (vector(particlekit.Effect.template(name)) for name in ("fire", "snow"))
    >>> len(fire), fire == vector(particlekit.Effect.template("fire")), fire == snow
    (38, True, False)
    """
    statistics = effect.statistics(frames=FRAMES, seeds=1)
    up = -1.0 if "y down" in statistics["axis"] else 1.0
    whole = statistics["emitters"]
    samples = len(statistics["sampledFrames"])
    peak = max([_at(e, "count", i, samples) for e in whole for i in range(samples)], default=0.0)
    numbers = [math.log10(1 + sum(_mean(e, "count", samples) for e in whole))]
    scale = _extent(whole, samples)
    numbers.append(math.log10(_weighed(whole, "size", None, samples) / scale + 1e-3))
    for part in _TIMES:
        index = min(samples - 1, int(part * (samples - 1) + 0.5))
        count = sum(_at(e, "count", index, samples) for e in whole)
        numbers.append(count / max(1.0, peak * max(1, len(whole))))
        for name, sign in (("x", 1.0), ("y", up)):
            numbers.append(sign * _weighed(whole, name, index, samples) / scale)
            numbers.append(_weighed(whole, name + "Sd", index, samples) / scale)
        numbers += [_weighed(whole, name, index, samples) for name in "rgba"]
    # The last alpha gives way to the speed. Nothing of an effect is a reason to have no vector.
    numbers[-1] = min(1.0, _weighed(whole, "speed", None, samples) / scale / 4)
    return [_rounded(max(-4.0, min(4.0, n))) if math.isfinite(n) else 0.0 for n in numbers]


def _rounded(number: float) -> float:
    # Halves away from 0, as the index does: Python's own rounding gives other numbers.
    return math.copysign(math.floor(abs(number) * 1e5 + 0.5) / 1e5, number)


def _at(emitter: dict[str, Any], name: str, index: int, samples: int) -> float:
    # A column that never changes is one number. An empty column has no number.
    value = emitter.get(name)
    if isinstance(value, list):
        value = value[index] if index < len(value) else None
    return float(value) if isinstance(value, (int, float)) else 0.0


def _mean(emitter: dict[str, Any], name: str, samples: int) -> float:
    return sum(_at(emitter, name, i, samples) for i in range(samples)) / max(1, samples)


def _weighed(emitters: list[dict[str, Any]], name: str, index: Any, samples: int) -> float:
    # The mean over all particles, at one time or, without an index, at all times.
    times = range(samples) if index is None else (index,)
    weights = total = 0.0
    for emitter in emitters:
        for i in times:
            count = _at(emitter, "count", i, samples)
            weights += count
            total += count * _at(emitter, name, i, samples)
    return total / weights if weights else 0.0


def _extent(emitters: list[dict[str, Any]], samples: int) -> float:
    # The distance from the origin and the size of particles, as one number that is never 0.
    spread = max((_weighed(emitters, name, None, samples) for name in ("xSd", "ySd", "zSd")), default=0.0)
    means = [abs(_weighed(emitters, name, i, samples)) for name in "xy" for i in range(samples)]
    return max(spread, max(means, default=0.0) / 2, _weighed(emitters, "size", None, samples) / 2, 1e-6)
