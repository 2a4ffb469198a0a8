"""Plans of pictures and animations."""

from __future__ import annotations

import ctypes
from typing import Optional, Union

from ._arguments import choice
from ._handles import encoded
from ._library import CPlan, lib

_LOOPS = {"automatic": 0, "forever": 1, "once": 2, "seamless": 3}


class Plan:
    """What is drawn. Times that are None are chosen, as those of ``particles render``.

    ``background`` is ``automatic``, ``transparent``, or red, green, blue and alpha from 0 to 255.

    >>> Plan(width=64, height=64).fps
    30.0
    """

    __slots__ = (
        "width", "height", "start", "duration", "fps", "loop", "pause", "background", "seed", "engine", "scale",
        "samples",
    )

    def __init__(
        self, *, width: int = 512, height: int = 512, start: Optional[float] = None,
        duration: Optional[float] = None, fps: float = 30.0, loop: str = "automatic", pause: Optional[float] = None,
        background: Union[str, tuple[int, ...]] = "automatic", seed: Optional[int] = None,
        engine: Optional[str] = None, scale: float = 1.0, samples: int = 1,
    ) -> None:
        self.width, self.height, self.fps, self.scale, self.samples = width, height, fps, scale, samples
        self.start, self.duration, self.pause, self.loop = start, duration, pause, loop
        self.background, self.seed, self.engine = background, seed, engine

    def __repr__(self) -> str:
        return f"Plan({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"

    def _c(self, still: bool = False) -> CPlan:
        plan = CPlan()
        lib.plan_init(ctypes.byref(plan), ctypes.sizeof(CPlan))
        plan.width, plan.height, plan.samples = self.width, self.height, self.samples
        plan.start = -1 if self.start is None else self.start
        plan.duration = -1 if self.duration is None else self.duration
        plan.pause = -1 if self.pause is None else self.pause
        plan.frames_per_second, plan.scale, plan.still = self.fps, self.scale, int(still)
        plan.loop = choice(_LOOPS, self.loop, "loop")
        if isinstance(self.background, str):
            plan.background = choice({"automatic": 0, "transparent": 1}, self.background, "background")
        else:
            plan.background = 2
            plan.color[:] = [*self.background, 255][:4]
        if self.seed is not None:
            plan.has_seed, plan.seed = 1, self.seed
        if self.engine is not None:
            plan.engine = encoded(self.engine, "engine")
        return plan
