"""Plans of pictures and animations."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Literal, Optional, TypedDict, Union

from ._arguments import choice
from ._errors import WrongType, misuse, suggestion, wrong_type
from ._handles import encoded, integer
from ._library import CPlan, lib

_LOOPS = {"automatic": 0, "forever": 1, "once": 2, "seamless": 3}


def _number(value: float, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise wrong_type(name, value, "a number") from None


def _seconds(value: Optional[float], name: str) -> float:
    return -1 if value is None else _number(value, name)


Loop = Literal["automatic", "forever", "once", "seamless"]
Background = Union[Literal["automatic", "transparent"], tuple[int, ...]]


class PlanSettings(TypedDict, total=False):
    """The settings of a plan, as arguments of methods that draw."""

    width: int
    height: int
    start: Optional[float]
    duration: Optional[float]
    fps: float
    loop: Loop
    pause: Optional[float]
    background: Background
    seed: Optional[int]
    engine: Optional[str]
    scale: float
    samples: int
    camera: Optional[str]
    move: Optional[str]


class Plan:
    """Settings of drawing. Times that are None are chosen as in ``particles render``.

    ``background`` is ``automatic``, ``transparent``, or red, green, blue and alpha from 0 to 255. ``camera`` and ``move`` are
    texts of the options ``--camera`` and ``--move`` of the tool, such as ``space`` and ``circle``. In the place of the name of
    a file, ``move`` has its lines.

    >>> Plan(width=64, height=64).fps
    30.0
    """

    __slots__ = (
        "width", "height", "start", "duration", "fps", "loop", "pause", "background", "seed", "engine", "scale",
        "samples", "camera", "move",
    )

    def __init__(
        self, *, width: int = 512, height: int = 512, start: Optional[float] = None,
        duration: Optional[float] = None, fps: float = 30.0, loop: Loop = "automatic", pause: Optional[float] = None,
        background: Background = "automatic", seed: Optional[int] = None,
        engine: Optional[str] = None, scale: float = 1.0, samples: int = 1,
        camera: Optional[str] = None, move: Optional[str] = None,
    ) -> None:
        self.width, self.height, self.fps, self.scale, self.samples = width, height, fps, scale, samples
        self.start, self.duration, self.pause, self.loop = start, duration, pause, loop
        self.background, self.seed, self.engine = background, seed, engine
        self.camera, self.move = camera, move

    def __repr__(self) -> str:
        return f"Plan({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"

    def _c(self, still: bool = False) -> CPlan:
        plan = CPlan()
        lib.plan_init(ctypes.byref(plan), ctypes.sizeof(CPlan))
        plan.width, plan.height = integer(self.width, "i", "width"), integer(self.height, "i", "height")
        plan.samples, plan.still = integer(self.samples, "i", "samples"), int(still)
        plan.start, plan.duration = _seconds(self.start, "start"), _seconds(self.duration, "duration")
        plan.pause, plan.scale = _seconds(self.pause, "pause"), _number(self.scale, "scale")
        plan.frames_per_second = _number(self.fps, "fps")
        plan.loop = choice(_LOOPS, self.loop, "loop")
        if isinstance(self.background, str):
            plan.background = choice({"automatic": 0, "transparent": 1}, self.background, "background")
        else:
            plan.background = 2
            try:
                plan.color[:] = [*self.background, 255][:4]
            except (TypeError, ValueError):
                raise wrong_type("background", self.background, "red, green and blue from 0 to 255") from None
        if self.seed is not None:
            plan.has_seed, plan.seed = 1, integer(self.seed, "u", "seed")
        if self.engine is not None:
            plan.engine = encoded(self.engine, "engine")
        if self.camera is not None:
            plan.camera = encoded(self.camera, "camera")
        if self.move is not None:
            plan.move = encoded(self.move, "move")
        return plan


def planned(plan: Optional[Plan], settings: PlanSettings, *others: str) -> Plan:
    """A plan that is given, or one of settings. ``others`` are further arguments of the method, which may have been meant."""
    for name in settings:
        if name not in Plan.__slots__:
            raise misuse(f"no setting is called '{name}'", WrongType, suggestion(name, (*Plan.__slots__, *others)))
    return plan or Plan(**settings)
