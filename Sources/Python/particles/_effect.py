"""Effects."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Optional, Union

from . import _library
from ._errors import Finding, NotFound
from ._handles import Calls, Handle, encoded, memory, misuse, opened, plain_json, taken
from ._library import CExportOptions, COpenOptions, CPlan, lib
from ._package import (
    _FORMS, _LEVELS, _MODES, _NOSYNC, _OVERWRITE, Bytes, Limits, Package, PathLike, Progress, address, choice,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._simulation import Simulation

    Image = npt.NDArray[np.uint8]

JSON = Any
_LOOPS = {"automatic": 0, "forever": 1, "once": 2, "seamless": 3}
_IMAGES = {"usual": 0, "embedded": 1, "beside": 2}


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


class Exported:
    """The files of a conversion: ``files`` by name, the effect first, and the ``losses``."""

    def __init__(self, files: dict[str, bytes], losses: list[Finding], difference: Optional[float],
                 aspects: dict[str, Any]) -> None:
        self.files, self.losses = files, losses
        self.difference = difference
        """The measured difference, 0 to 1; None if it was not measured."""
        self.aspects = aspects
        """The difference of each aspect."""

    @property
    def worst(self) -> Optional[str]:
        """The level of the greatest loss: ``info``, ``low``, ``medium`` or ``high``."""
        order = ("info", "low", "medium", "high")
        levels = [loss.level for loss in self.losses if loss.level]
        return max(levels, key=order.index) if levels else None

    def write(self, folder: PathLike, *, replace: bool = False) -> list[str]:
        """Writes the files into a folder and returns their paths."""
        paths = []
        for name, data in self.files.items():
            path = os.path.join(os.fspath(folder), name)
            with open(path, "wb" if replace else "xb") as file:
                file.write(data)
            paths.append(path)
        return paths

    def __repr__(self) -> str:
        measured = "" if self.difference is None else f", difference {self.difference:.3f}"
        return f"<particles.Exported {', '.join(self.files)}: {len(self.losses)} losses{measured}>"


class Node(Mapping[str, Any]):
    """A part of a document with properties: members are attributes and keys."""

    __slots__ = ("_effect", "_path")

    def __init__(self, effect: Effect, path: str) -> None:
        object.__setattr__(self, "_effect", effect)
        object.__setattr__(self, "_path", path)

    @property
    def value(self) -> JSON:
        """The part as JSON; only what is set."""
        return self._effect._value(self._path)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._effect._node(f"{self._path}.{name}")
        except NotFound as fault:
            if fault.code == "interface/not-set":
                return None
            raise AttributeError(str(fault)) from fault

    def __setattr__(self, name: str, value: JSON) -> None:
        self._effect[f"{self._path}.{name}"] = value

    def __delattr__(self, name: str) -> None:
        del self._effect[f"{self._path}.{name}"]

    def __getitem__(self, key: str) -> Any:
        return self._effect[f"{self._path}.{key}"]

    def __iter__(self) -> Iterator[str]:
        value = self.value
        return iter(value if isinstance(value, dict) else {})

    def __len__(self) -> int:
        value = self.value
        return len(value) if isinstance(value, dict) else 0

    def __eq__(self, other: object) -> bool:
        return bool(self.value == (other.value if isinstance(other, Node) else other))

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> list[str]:
        start = f"{self._path}."
        keys = (row["key"] for row in self._effect.properties(start))
        return sorted({key[len(start):].split(".")[0].split("[")[0] for key in keys if key.startswith(start)})

    def __repr__(self) -> str:
        return f"<{self._path}: {json.dumps(self.value)}>"


class NodeList(Sequence[Any]):
    """A list of a document, such as its emitters."""

    __slots__ = ("_effect", "_path")

    def __init__(self, effect: Effect, path: str) -> None:
        self._effect, self._path = effect, path

    def __len__(self) -> int:
        return len(self._effect._value(self._path) or [])

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if isinstance(index, str):
            return self._effect._node(f'{self._path}["{index}"]')
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"{self._path} has {count} elements")
        return self._effect._node(f"{self._path}[{index % count}]")

    def __setitem__(self, index: int, value: JSON) -> None:
        self._effect[f"{self._path}[{index % len(self)}]"] = value

    def __delitem__(self, index: int) -> None:
        del self._effect[f"{self._path}[{index % len(self)}]"]

    def append(self, value: JSON) -> None:
        self._effect[f"{self._path}[+]"] = value

    def __eq__(self, other: object) -> bool:
        return bool(self._effect._value(self._path) == (list(other) if isinstance(other, Sequence) else other))

    def __repr__(self) -> str:
        return f"<{self._path}: {json.dumps(self._effect._value(self._path))}>"


class Effect(Handle):
    """An effect with its images, opened from any format.

    >>> effect = Effect.template("fire")
    >>> effect.emitters[0].emission.rate = 120
    >>> effect["emitters[0].emission.rate"]
    120
    >>> effect["emitters[0].emission.rate"] = -5
    Traceback (most recent call last):
    ...
    particles.InvalidValue: ...
    >>> exported = effect.convert("starling")
    >>> exported.worst
    'high'
    >>> effect.thumbnail(64).shape
    (64, 64, 4)
    """

    _close = "effect_close"

    def __init__(self, handle: int) -> None:
        super().__init__(handle)

    @classmethod
    def open(
        cls, source: Union[PathLike, Bytes, BinaryIO, Package], *, name: Optional[str] = None,
        format: Optional[str] = None, engine: Optional[str] = None, image_folders: Sequence[PathLike] = (),
        find: Optional[Callable[[str], Optional[bytes]]] = None, limits: Optional[Limits] = None,
    ) -> Effect:
        """Opens a file or folder, bytes, a binary file, or a package.

        Of bytes and binary files, nothing is read from the disk: images come from ``find``, which returns the
        bytes of a name, or None.
        """
        if isinstance(source, Package):
            return cls(opened("effect_from_package", source._handle, address(limits), close=cls._close))
        calls = Calls()
        options = COpenOptions(size=ctypes.sizeof(COpenOptions))
        options.format = encoded(format, "format") if format is not None else None
        options.engine = encoded(engine, "engine") if engine is not None else None
        folders = (ctypes.c_char_p * (len(image_folders) + 1))(
            *[encoded(os.fspath(folder), "image_folders") for folder in image_folders], None
        )
        options.image_folders = ctypes.cast(folders, ctypes.POINTER(ctypes.c_char_p))
        if limits:
            options.limits = ctypes.pointer(limits._values)
        if find is not None:
            options.find = _finder(find, calls)
        if hasattr(source, "read"):
            name = name or os.path.basename(str(getattr(source, "name", "effect")))
            source = source.read()
        if isinstance(source, (bytes, bytearray, memoryview)):
            data, count = memory(source)
            return cls(
                opened(
                    "effect_open_memory", data, count, encoded(name or "effect", "name"), ctypes.byref(options),
                    calls=calls, close=cls._close,
                )
            )
        path = encoded(os.fspath(source), "source")
        return cls(opened("effect_open", path, ctypes.byref(options), calls=calls, close=cls._close))

    @classmethod
    def template(cls, name: str) -> Effect:
        """Returns a new effect; ``templates()`` lists the names."""
        return cls(opened("effect_template", encoded(name, "name"), close=cls._close))

    # Properties

    def _value(self, key: str) -> JSON:
        return self._json("effect_get", encoded(key, "key"))

    def _node(self, key: str) -> Any:
        value = self._value(key)
        if isinstance(value, dict):
            return Node(self, key)
        return NodeList(self, key) if isinstance(value, list) and any(isinstance(v, dict) for v in value) else value

    def __getitem__(self, key: str) -> JSON:
        return self._value(key)

    def __setitem__(self, key: str, value: JSON) -> None:
        if isinstance(value, Node):
            value = value.value
        text = value if isinstance(value, str) else json.dumps(value, allow_nan=True)
        self._call("effect_set", encoded(key, "key"), encoded(text, "value"))

    def __delitem__(self, key: str) -> None:
        self._call("effect_unset", encoded(key, "key"))

    def get(self, key: str, default: JSON = None) -> JSON:
        """Returns a property, or ``default`` if it is neither set nor has a default."""
        try:
            return self._value(key)
        except NotFound as fault:
            if fault.code != "interface/not-set":
                raise
            return default

    def apply(self, change: str) -> None:
        """Makes a change as ``particles edit`` writes it: ``emitters[*].size.width*=1.2``."""
        self._call("effect_apply", encoded(change, "change"))

    def properties(self, prefix: str = "") -> list[dict[str, Any]]:
        """Lists all properties with key, value, type, unit, range, default, summary and whether they are set."""
        return list(self._json("effect_properties_json", encoded(prefix, "prefix")))

    def items(self, prefix: str = "") -> Iterator[tuple[str, JSON]]:
        """Keys and values of the properties that are set."""
        return ((row["key"], row["value"]) for row in self.properties(prefix) if row["isSet"])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not self.__dict__.get("_handle"):
            raise AttributeError(name)
        try:
            value = self._value(name)
        except NotFound as fault:
            if fault.code == "interface/not-set":
                return None
            raise AttributeError(f"an effect has no '{name}': {fault}") from fault
        if isinstance(value, list):
            return NodeList(self, name)
        return Node(self, name) if isinstance(value, dict) else value

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_") or hasattr(type(self), name):
            return object.__setattr__(self, name, value)
        self[name] = value

    @property
    def document(self) -> dict[str, JSON]:
        """The document; set it to replace all of it."""
        out = ctypes.c_void_p()
        self._call("effect_document", ctypes.byref(out), None)
        return dict(json.loads(taken(out)))

    @document.setter
    def document(self, value: Mapping[str, JSON]) -> None:
        data = json.dumps(value).encode()
        self._call("effect_set_document", data, len(data))

    def embed(self, image: Bytes, name: str, emitter: Optional[Union[str, int]] = None) -> str:
        """Embeds an image and returns its path in the package."""
        start, count = memory(image)
        out = ctypes.c_void_p()
        shown = None if emitter is None else encoded(str(emitter), "emitter")
        self._call("effect_embed", start, count, encoded(name, "name"), shown, ctypes.byref(out))
        return taken(out).decode()

    # Checking and converting

    @property
    def kind(self) -> str:
        """The name of the format that it was opened from; ``particles`` for a package."""
        kind: bytes = lib.effect_kind(self._handle) or b""
        return kind.decode()

    @property
    def findings(self) -> list[Finding]:
        """What opening has found."""
        return self._findings("effect_findings")

    def validate(self) -> list[Finding]:
        """Checks document, images and files."""
        return self._findings("effect_validate")

    def repair(self) -> list[dict[str, Any]]:
        """Makes the repairs that need no guess, in memory, and lists them."""
        return list(self._json("effect_repair"))

    def convert(self, format: str, name: Optional[str] = None, *, measure: Union[bool, str] = False,
                images: str = "usual") -> Exported:
        """Converts to a format, in memory. ``measure`` is True, or ``lines`` to measure each loss, too."""
        if name is None:
            name = "effect" + "".join(f".{f.extensions[0]}" for f in formats() if f.name == format)
        options = CExportOptions(ctypes.sizeof(CExportOptions), choice(_IMAGES, images, "images"),
                                 2 if measure == "lines" else int(bool(measure)))
        out = ctypes.c_void_p()
        self_handle = self._handle
        handle = opened(
            "effect_export", self_handle, encoded(format, "format"), encoded(name, "name"), ctypes.byref(options),
            close="export_close",
        )
        result = _ExportHandle(handle)
        losses = result._findings("export_losses")
        files: dict[str, bytes] = {}
        for index in range(lib.export_count(handle)):
            file, data, count = ctypes.c_char_p(), ctypes.c_void_p(), ctypes.c_size_t()
            result._call("export_file", index, ctypes.byref(file), ctypes.byref(data), ctypes.byref(count))
            files[(file.value or b"").decode()] = ctypes.string_at(data.value or 0, count.value)
        difference = ctypes.c_double()
        try:
            result._call("export_difference", ctypes.byref(difference), ctypes.byref(out))
            return Exported(files, losses, difference.value, json.loads(taken(out)).get("aspects", {}))
        except NotFound:
            return Exported(files, losses, None, {})

    def difference(self, other: Effect) -> float:
        """Measures how different two effects are when they run: 0 is the same, 1 has nothing in common."""
        value = ctypes.c_double()
        self._call("effect_difference", other._handle, ctypes.byref(value), None)
        return value.value

    # Pictures and motion

    def thumbnail(self, size: int = 256) -> Image:
        """Draws a picture of ``size`` × ``size`` pixels: height × width × 4 bytes, straight alpha."""
        import numpy as np

        if not 1 <= size <= 1024:
            raise misuse(f"a thumbnail of {size} pixels; expected 1 to 1024")
        pixels = np.empty((size, size, 4), np.uint8)
        self._call("effect_thumbnail", size, pixels.ctypes.data, size * 4)
        return pixels

    def draw(self, plan: Optional[Plan] = None, **settings: Any) -> Image:
        """Draws one picture, when most is visible unless the plan states a start."""
        import numpy as np

        plan = plan or Plan(**settings)
        value = plan._c()
        pixels = np.empty((max(1, plan.height), max(1, plan.width), 4), np.uint8)
        self._call("effect_draw", ctypes.byref(value), pixels.ctypes.data, pixels.shape[1] * 4)
        return pixels

    def frames(self, plan: Optional[Plan] = None, **settings: Any) -> list[Image]:
        """Draws the frames of an animation."""
        images: list[Image] = []
        self.animate(lambda image, _: images.append(image), plan, **settings)
        return images

    def animate(self, frame: Callable[[Image, float], object], plan: Optional[Plan] = None, **settings: Any) -> None:
        """Calls ``frame`` with each frame of an animation and for how many seconds it is shown."""
        import numpy as np

        plan = plan or Plan(**settings)
        value, calls = plan._c(), Calls()
        shape = (plan.height, plan.width, 4)

        def show(_: object, index: int, count: int, start: int, seconds: float) -> None:
            data = ctypes.string_at(start, shape[0] * shape[1] * 4)
            frame(np.frombuffer(bytearray(data), np.uint8).reshape(shape), seconds)

        function = calls.keep(_library.FRAME, show)
        self._call("effect_animate", ctypes.byref(value), function, None, calls=calls)

    def render(self, plan: Optional[Plan] = None, *, format: str = "gif", still: bool = False,
               progress: Optional[Progress] = None, **settings: Any) -> bytes:
        """Returns a picture or animation as a file: png, apng, gif, webp or html."""
        value, calls = (plan or Plan(**settings))._c(still), Calls()
        pieces: list[bytes] = []
        self._call(
            "effect_render", ctypes.byref(value), encoded(format, "format"), calls.write(pieces.append),
            calls.progress(progress), None, None, calls=calls,
        )
        return b"".join(pieces)

    def png(self, size: int = 256) -> bytes:
        """Returns a picture as a PNG file."""
        return self.render(format="png", width=size, height=size)

    def simulate(self, *, seed: Optional[int] = None, engine: Optional[str] = None) -> Simulation:
        """Returns the running effect."""
        from ._simulation import Simulation

        return Simulation(self, seed=seed, engine=engine)

    def statistics(self, *, frames: int = 0, seeds: int = 0, first_seed: int = 1,
                   engine: Optional[str] = None) -> dict[str, Any]:
        """Runs the effect as ``particles simulate`` does; 0 is the default."""
        name = None if engine is None else encoded(engine, "engine")
        return dict(self._json("effect_statistics_json", frames, seeds, first_seed, name))

    # Files

    @property
    def package(self) -> Package:
        """A copy as a package."""
        out = ctypes.c_void_p()
        self._call("effect_package", ctypes.byref(out))
        return Package._of(out.value or 0)

    def save(self, *, mode: str = "auto", level: str = "standard", durable: bool = True,
             progress: Optional[Progress] = None) -> None:
        """Saves an effect that was opened from a package, or saved as one."""
        calls = Calls()
        self._call(
            "effect_save", choice(_MODES, mode, "mode"), choice(_LEVELS, level, "level"),
            0 if durable else _NOSYNC, calls.progress(progress), None, calls=calls,
        )

    def save_as(self, path: PathLike, *, form: str = "flat", level: str = "standard", replace: bool = False,
                progress: Optional[Progress] = None) -> None:
        """Saves it as a package and goes on there."""
        calls = Calls()
        self._call(
            "effect_save_as", encoded(os.fspath(path), "path"), choice(_FORMS, form, "form"),
            choice(_LEVELS, level, "level"), _OVERWRITE if replace else 0, calls.progress(progress), None,
            calls=calls,
        )

    def copy(self) -> Effect:
        """Returns a copy."""
        out = ctypes.c_void_p()
        self._call("effect_copy", ctypes.byref(out))
        return Effect(out.value or 0)

    __copy__ = copy

    def close(self) -> None:
        """Closes it without saving."""
        self._closed()

    def __enter__(self) -> Effect:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return "<closed particles.Effect>"
        name = self.get("asset.name") or "unnamed"
        return f"<particles.Effect {name!r}, {len(self.get('emitters') or [])} emitters, {self.kind}>"

    def _repr_png_(self) -> bytes:
        return self.png()

    def _repr_html_(self) -> str:
        from ._display import player

        return player(self)


def _finder(find: Callable[[str], Optional[bytes]], calls: Calls) -> Any:
    def body(_: object, name: bytes, out: Any) -> int:
        data = find(name.decode("utf-8", "replace"))
        if data:
            # Kept until the call ends; the library copies it before that.
            kept = ctypes.create_string_buffer(data, len(data))
            calls.kept.append(kept)
            out.contents.bytes, out.contents.count = ctypes.addressof(kept), len(data)
        return 0

    return calls.keep(_library.FIND, body)


class _ExportHandle(Handle):
    _close = "export_close"


class Format(NamedTuple):
    """A format."""

    name: str
    title: str
    extensions: tuple[str, ...]
    can_read: bool
    can_write: bool
    capabilities: dict[str, str]
    """``exact`` or ``approximated`` for each feature of effects that it holds."""


_formats: list[Format] = []


def formats() -> list[Format]:
    """Lists the formats.

    >>> [f.extensions for f in formats() if f.name == "starling"]
    [('pex', 'lap')]
    """
    if not _formats:
        for row in plain_json("formats_json"):
            held = {name: "exact" for name in row.get("exact", [])}
            held.update({name: "approximated" for name in row.get("approximated", [])})
            _formats.append(
                Format(row["name"], row["title"], tuple(row["extensions"]), row["canRead"], row["canWrite"], held)
            )
    return list(_formats)


def templates() -> dict[str, str]:
    """Returns the templates: names and summaries.

    >>> "fire" in templates()
    True
    """
    return {row["name"]: row["summary"] for row in plain_json("templates_json")}


def properties(prefix: str = "") -> list[dict[str, Any]]:
    """Describes the properties of effects: key, type, unit, range, default, summary.

    >>> properties("emitters[].emission.rate")[0]["unit"]
    '1/s'
    """
    return list(plain_json("properties_json", encoded(prefix, "prefix")))


def type_of(source: Union[PathLike, Bytes], name: str = "") -> dict[str, Any]:
    """Returns the type of a file, folder or bytes: identifier, description, extensions, mimeTypes, format.

    >>> type_of(b"", "fire.png")["identifier"]
    'public.png'
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        data, count = memory(source)
        return dict(plain_json("type_of_bytes", data, count, encoded(name, "name")))
    return dict(plain_json("type_of_file", encoded(os.fspath(source), "source")))
