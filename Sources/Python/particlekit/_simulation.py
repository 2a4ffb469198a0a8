"""Running effects."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Optional

from ._arguments import numpy
from ._errors import misuse
from ._handles import Handle, encoded, integer, memory, opened
from ._library import CSimulationState

if TYPE_CHECKING:
    from typing import Unpack

    import numpy as np
    import numpy.typing as npt

    from ._effect import Effect
    from ._plan import Plan, PlanSettings

COLUMNS = (
    "x y z velocity_x velocity_y velocity_z width height angle red green blue alpha intensity mix age life".split()
)
"""The columns of particles, in units, seconds, degrees and 0 to 1."""


class Simulation(Handle):
    """A running effect. An effect, an engine and a seed give equal particles on every machine.

    >>> from particlekit import Effect
    >>> simulation = Effect.template("fire").simulate(seed=1)
    >>> simulation.advance(1.0)
    >>> columns = simulation.columns(0)
    >>> len(columns["x"]) == simulation.count(0)[0]
    True
    """

    _close = "simulation_close"

    def __init__(self, effect: Effect, *, seed: Optional[int] = None, engine: Optional[str] = None) -> None:
        number = None if seed is None else ctypes.byref(ctypes.c_uint64(integer(seed, "u", "seed")))
        name = None if engine is None else encoded(engine, "engine")
        super().__init__(opened("simulation_new", effect._opened, number, name, close=self._close))

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return float(self._state().time)

    def __len__(self) -> int:
        """The number of emitters."""
        return int(self._state().emitters)

    def advance(self, seconds: float) -> None:
        """Advances it by a time, in steps of at most 1/60 s."""
        # A frame of a game is a moment.
        is_moment = isinstance(seconds, (int, float)) and seconds <= 0.1
        self._call("simulation_advance", seconds, is_long=not is_moment)

    def stop_emitting(self) -> None:
        """Ends the emission. Living particles go on."""
        self._call("simulation_stop")

    def count(self, emitter: int) -> tuple[int, int]:
        """The particles of an emitter that live, and all that were emitted."""
        if emitter < 0:
            raise misuse(f"the emitter {emitter}; expected 0 or more")
        state = self._state(emitter)
        return state.alive, state.emitted

    def _state(self, emitter: int = -1) -> CSimulationState:
        value = CSimulationState(size=ctypes.sizeof(CSimulationState))
        self._call("simulation_describe", emitter, ctypes.byref(value))
        return value

    def columns(self, emitter: int = 0) -> dict[str, npt.NDArray[Any]]:
        """The particles of an emitter as NumPy arrays, by the names in ``COLUMNS``, and ``ordinal``.

        Nothing is copied: the arrays are read-only views of the memory of the simulation, whose numbers change
        when it advances. Copy arrays to keep them longer.
        """
        np = numpy()
        out = ctypes.c_void_p()
        self._call("simulation_columns", emitter, ctypes.byref(out))
        columns = _Columns(out.value or 0)
        arrays: dict[str, npt.NDArray[Any]] = {}
        start, count = ctypes.c_void_p(), ctypes.c_int64()
        for name in COLUMNS:
            columns._call("columns_get", name.encode(), ctypes.byref(start), ctypes.byref(count))
            arrays[name] = _view(columns, start.value, count.value, np.float32)
        columns._call("columns_ordinals", ctypes.byref(start))
        arrays["ordinal"] = _view(columns, start.value, count.value, np.uint64)
        return arrays

    def draw(self, plan: Optional[Plan] = None, **settings: Unpack[PlanSettings]) -> npt.NDArray[np.uint8]:
        """Draws the particles as they are now. Size and background stay as in the first call."""
        from ._plan import planned

        np = numpy()
        plan = planned(plan, settings)
        value = plan._c()
        pixels: npt.NDArray[Any] = np.empty((max(1, plan.height), max(1, plan.width), 4), np.uint8)
        self._call("simulation_draw", ctypes.byref(value), memory(pixels)[0], pixels.shape[1] * 4)
        return pixels

    def close(self) -> None:
        """Closes it. Arrays of columns stay readable."""
        self._closed()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return "<closed particlekit.Simulation>"
        alive = sum(self.count(emitter)[0] for emitter in range(len(self)))
        return f"<particlekit.Simulation at {self.time:.2f} s, {alive} particles>"


class _Columns(Handle):
    _close = "columns_close"


class _Memory:
    """Memory of columns, as NumPy asks for it. An array keeps this object, and it keeps the columns."""

    __slots__ = ("_owner", "__array_interface__")

    def __init__(self, owner: _Columns, start: int, count: int, kind: str) -> None:
        self._owner = owner
        self.__array_interface__ = {"shape": (count,), "typestr": kind, "data": (start, True), "version": 3}


def _view(owner: _Columns, start: Optional[int], count: int, kind: Any) -> npt.NDArray[Any]:
    np = numpy()
    array: npt.NDArray[Any] = np.empty(0, kind)
    if start and count:
        array = np.asarray(_Memory(owner, start, count, np.dtype(kind).str))
    return array
