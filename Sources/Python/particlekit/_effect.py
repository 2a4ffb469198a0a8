"""Effects."""

from __future__ import annotations

import ctypes
import functools
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, Optional, Union

from . import _library
from ._arguments import (
    FORMS, LEVELS, MODES, Bytes, Form, Level, Limits, Mode, PathLike, Progress, address, checked, choice, numpy, save_flags,
)
from ._calls import Calls
from ._errors import Finding, NotFound, error, misuse
from ._exported import Exported, ExportHandle
from ._handles import encoded, encoded_path, memory, opened, taken
from ._library import CExportOptions, COpenOptions, lib
from ._nodes import JSON, Properties, json_text
from ._package import Package
from ._plan import Plan, PlanSettings, planned
from ._tables import format_name, formats

if TYPE_CHECKING:
    from typing import Unpack

    import numpy as np
    import numpy.typing as npt

    from ._typed import FormatName, TemplateName
    from ._simulation import Simulation

    Image = npt.NDArray[np.uint8]

_FILES = {name: 0 for name in ("png", "apng", "gif", "webp", "html")}
_IMAGES = {"usual": 0, "embedded": 1, "beside": 2}


class Effect(Properties):
    """An effect with its images, opened from any format.

    It is pickled as the bytes of its package: a copy has the kind ``particles`` and no path.

    >>> effect = Effect.template("fire")
    >>> effect.emitters[0].emission.rate = 120
    >>> effect["emitters[0].emission.rate"]
    120
    >>> effect["emitters[0].emission.rate"] = -5
    Traceback (most recent call last):
    ...
    particlekit.InvalidValue: ...
    >>> exported = effect.convert("starling")
    >>> exported.worst
    'high'
    >>> effect.thumbnail(64).shape
    (64, 64, 4)
    """

    _close, _kind = "effect_close", "effect"

    @classmethod
    def open(
        cls, source: Union[PathLike, Bytes, BinaryIO, Package], *, name: Optional[str] = None,
        format: Optional[FormatName] = None, engine: Optional[str] = None, image_folders: Sequence[PathLike] = (),
        find: Optional[Callable[[str], Optional[bytes]]] = None, limits: Optional[Limits] = None,
    ) -> Effect:
        """Opens a file or folder, bytes, a binary file, or a package.

        Of bytes and binary files, nothing is read from the disk: images come from ``find``, which returns the
        bytes of a name, or None.
        """
        if isinstance(source, Package):
            return cls(opened("effect_from_package", source._opened, address(limits), close=cls._close))
        calls = Calls()
        options = COpenOptions(size=ctypes.sizeof(COpenOptions))
        options.format = format_name(format) if format is not None else None
        options.engine = encoded(engine, "engine") if engine is not None else None
        if image_folders:
            folders = [encoded_path(folder, "image_folders") for folder in image_folders]
            options.image_folders = _strings(len(folders) + 1)(*folders, None)
        if limits is not None:
            options.limits = ctypes.pointer(checked(limits)._values)
        if find is not None:
            options.find = _finder(find, calls)
        if hasattr(source, "read"):
            # The name is text, as in messages.
            name = name or os.path.basename(os.fsencode(str(getattr(source, "name", "effect")))).decode("utf-8", "replace")
            source = source.read()
        if isinstance(source, (bytes, bytearray, memoryview)):
            data, count = memory(source)
            return cls(
                opened(
                    "effect_open_memory", data, count, encoded(name or "effect", "name"), ctypes.byref(options),
                    calls=calls, close=cls._close,
                )
            )
        path = encoded_path(source, "source")
        return cls(opened("effect_open", path, ctypes.byref(options), calls=calls, close=cls._close))

    @classmethod
    def template(cls, name: TemplateName) -> Effect:
        """Returns a new effect from a template, by its name in ``templates()``."""
        return cls(opened("effect_template", encoded(name, "name"), close=cls._close))

    # Properties

    def set(self, key: str, value: JSON, *, beyond: bool = False) -> None:
        """Sets a property, as ``effect[key] = value`` does.

        With ``beyond``, a number may be out of the range of its property, and ``validate()`` warns.
        """
        self._call("effect_allow_out_of_range", int(beyond))
        try:
            self[key] = value
        finally:
            self._call("effect_allow_out_of_range", 0)

    def apply(self, change: str, *, beyond: bool = False) -> None:
        """Makes a change as ``particles edit`` writes it: ``emitters[*].size.width*=1.2``. ``beyond``: see ``set``."""
        self._call("effect_allow_out_of_range", int(beyond))
        try:
            self._call("effect_apply", encoded(change, "change"))
        finally:
            self._call("effect_allow_out_of_range", 0)

    def properties(self, prefix: str = "") -> list[dict[str, Any]]:
        return list(self._json("effect_properties_json", encoded(prefix, "prefix")))

    @property
    def document(self) -> dict[str, JSON]:
        """The document as JSON. Setting it replaces all properties."""
        out = ctypes.c_void_p()
        self._call("effect_document", ctypes.byref(out), None)
        return dict(json.loads(taken(out)))

    @document.setter
    def document(self, value: Mapping[str, JSON]) -> None:
        data = json_text(value, "document").encode()
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
        """The name of the format that it was opened from, ``particles`` for a package."""
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

    def convert(self, format: FormatName, name: Optional[str] = None, *, measure: Union[bool, Literal["lines"]] = False,
                images: Literal["usual", "embedded", "beside"] = "usual") -> Exported:
        """Converts to a format, in memory. ``measure`` is True, or ``lines`` to measure each loss, too."""
        if name is None:
            name = "effect" + "".join(f".{f.extensions[0]}" for f in formats() if f.name == format)
        return self._export(format_name(format), encoded(name, "name"), 2 if measure == "lines" else int(bool(measure)), images)

    def write(self, name: Optional[str] = None, *, measure: bool = False) -> Exported:
        """The file that it was opened from, with the edits in place, in memory: one line for each value in a text file.
        Its losses are those of the edits. Images that the edits have added or replaced come after it."""
        return self._export(None, None if name is None else encoded(name, "name"), int(bool(measure)), "usual")

    def _export(self, format: Optional[bytes], name: Optional[bytes], measure: int, images: str) -> Exported:
        options = CExportOptions(ctypes.sizeof(CExportOptions), choice(_IMAGES, images, "images"), measure)
        out = ctypes.c_void_p()
        handle = opened("effect_export", self._opened, format, name, ctypes.byref(options), close="export_close")
        result = ExportHandle(handle)
        losses = result._findings("export_losses")
        files: dict[str, bytes] = {}
        file, data, count = ctypes.c_char_p(), ctypes.c_void_p(), ctypes.c_size_t()
        places = ctypes.byref(file), ctypes.byref(data), ctypes.byref(count)
        index = 0
        while (status := lib.export_file(handle, index, *places)) == _library.OK:
            files[(file.value or b"").decode()] = ctypes.string_at(data.value or 0, count.value)
            index += 1
        if status != _library.DONE:
            raise error(status, handle)
        difference = ctypes.c_double()
        try:
            result._call("export_difference", ctypes.byref(difference), ctypes.byref(out))
            return Exported(files, losses, difference.value, json.loads(taken(out)).get("aspects", {}))
        except NotFound:
            return Exported(files, losses, None, {})

    def difference(self, other: Effect) -> float:
        """Measures how different two effects are when they run: 0 is no difference, 1 has nothing in common."""
        value = ctypes.c_double()
        self._call("effect_difference", other._opened, ctypes.byref(value), None)
        return value.value

    # Pictures and motion

    def thumbnail(self, size: int = 256) -> Image:
        """Draws a picture of ``size`` × ``size`` pixels: height × width × 4 bytes, straight alpha."""
        np = numpy()
        if not 1 <= size <= 1024:
            raise misuse(f"a thumbnail of {size} pixels; expected 1 to 1024")
        pixels: Image = np.empty((size, size, 4), np.uint8)
        self._call("effect_thumbnail", size, memory(pixels)[0], size * 4)
        return pixels

    def draw(self, plan: Optional[Plan] = None, **settings: Unpack[PlanSettings]) -> Image:
        """Draws one picture, when most is visible unless the plan states a start."""
        np = numpy()
        plan = planned(plan, settings)
        value = plan._c()
        pixels: Image = np.empty((max(1, plan.height), max(1, plan.width), 4), np.uint8)
        self._call("effect_draw", ctypes.byref(value), memory(pixels)[0], pixels.shape[1] * 4)
        return pixels

    def frames(self, plan: Optional[Plan] = None, **settings: Unpack[PlanSettings]) -> list[Image]:
        """Draws the frames of an animation."""
        images: list[Image] = []
        self.animate(lambda image, _: images.append(image), plan, **settings)
        return images

    def animate(self, frame: Callable[[Image, float], object], plan: Optional[Plan] = None, **settings: Unpack[PlanSettings]) -> None:
        """Calls ``frame`` with each frame of an animation and for how many seconds it is shown."""
        np = numpy()
        plan = planned(plan, settings)
        value, calls = plan._c(), Calls()
        shape = (plan.height, plan.width, 4)

        def show(_: object, index: int, count: int, start: int, seconds: float) -> None:
            data = ctypes.string_at(start, shape[0] * shape[1] * 4)
            frame(np.frombuffer(bytearray(data), np.uint8).reshape(shape), seconds)

        function = calls.keep(_library.FRAME, show)
        self._call("effect_animate", ctypes.byref(value), function, None, calls=calls)

    def render(self, plan: Optional[Plan] = None, *, format: Literal["png", "apng", "gif", "webp", "html"] = "gif", still: bool = False,
               progress: Optional[Progress] = None, **settings: Unpack[PlanSettings]) -> bytes:
        """Returns a picture or animation as a file: png, apng, gif, webp or html."""
        choice(_FILES, format, "format")
        value, calls = planned(plan, settings, "format", "still", "progress")._c(still), Calls()
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
        """Runs the effect as ``particles simulate`` does. 0 is the default."""
        name = None if engine is None else encoded(engine, "engine")
        return dict(self._json("effect_statistics_json", frames, seeds, first_seed, name))

    # Files

    @property
    def package(self) -> Package:
        """A copy as a package."""
        out = ctypes.c_void_p()
        self._call("effect_package", ctypes.byref(out))
        return Package._of(out.value or 0)

    def save(self, *, mode: Mode = "auto", level: Level = "standard", durable: bool = True,
             progress: Optional[Progress] = None) -> None:
        """Saves an effect that was opened from a package, or saved as one."""
        self._saved("effect_save", None, progress, mode=choice(MODES, mode, "mode"),
                    level=choice(LEVELS, level, "level"), flags=save_flags(False, durable))

    def save_as(self, path: PathLike, *, form: Form = "flat", level: Level = "standard", replace: bool = False,
                durable: bool = True, progress: Optional[Progress] = None) -> None:
        """Saves it as a package and goes on there. Without ``durable``, it does not wait for the disk."""
        self._saved("effect_save", encoded_path(path, "path"), progress, form=choice(FORMS, form, "form"),
                    level=choice(LEVELS, level, "level"), flags=save_flags(replace, durable))

    def copy(self) -> Effect:
        """Returns a copy."""
        out = ctypes.c_void_p()
        self._call("effect_copy", ctypes.byref(out))
        return Effect(out.value or 0)

    __copy__ = copy

    def __deepcopy__(self, _: object) -> Effect:
        return self.copy()

    def __reduce_ex__(self, _: Any) -> Any:
        return _unpickled, (self.package.encode("fast"),)

    def close(self) -> None:
        """Closes it without saving."""
        self._closed()

    def __enter__(self) -> Effect:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return "<closed particlekit.Effect>"
        name = self.get("asset.name") or "unnamed"
        return f"<particlekit.Effect {name!r}, {len(self.get('emitters') or [])} emitters, {self.kind}>"

    def _repr_png_(self) -> bytes:
        return self.png()

    def _repr_html_(self) -> str:
        from ._display import player

        return player(self)


def _unpickled(data: bytes) -> Effect:
    with Package.open(data) as package:
        return Effect.open(package)


@functools.cache
def _strings(count: int) -> Any:
    """The type of an array. Each new one is a cycle."""
    return ctypes.c_char_p * count


def _finder(find: Callable[[str], Optional[bytes]], calls: Calls) -> Any:
    images: list[Any] = []

    def body(_: object, name: bytes, out: Any) -> int:
        data = find(name.decode("utf-8", "replace"))
        if data:
            # Kept until the call ends: the library copies it before then.
            image = ctypes.c_char_p(data)
            images.append(image)
            out.contents.bytes, out.contents.count = ctypes.c_void_p.from_buffer(image).value, len(data)
        return 0

    return calls.keep(_library.FIND, body)
