"""How notebooks show packages and effects."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from ._arguments import PathLike
    from ._effect import Effect
    from ._package import Package


def _image(data: bytes, kind: str, size: int, title: str) -> str:
    text = base64.b64encode(data).decode()
    return (
        f'<img src="data:image/{kind};base64,{text}" width="{size}" height="{size}" '
        f'alt="{html.escape(title, quote=True)}">'
    )


def player(effect: Effect, size: int = 256) -> str:
    """A picture that moves."""
    data = effect.render(format="webp", width=size, height=size, fps=20)
    return _image(data, "webp", size, repr(effect))


def package_table(package: Package) -> str:
    rows = "".join(
        f"<tr><td>{html.escape(entry.path)}</td><td>{entry.kind}</td><td style='text-align:right'>{entry.size}</td></tr>"
        for entry in package.entries()[:200]
    )
    return f"<table><tr><th>path</th><th>kind</th><th>bytes</th></tr>{rows}</table>"


class Table:
    """Effects with their pictures, for notebooks.

    >>> from particles import Effect
    >>> table = Table([Effect.template("fire"), Effect.template("snow")], size=32)
    >>> table._repr_html_().count("<img")
    2
    """

    def __init__(self, effects: Iterable[Union[Effect, PathLike]], size: int = 96) -> None:
        self.effects, self.size = list(effects), size

    def _row(self, given: Union[Effect, PathLike]) -> str:
        from ._effect import Effect
        from ._errors import Error

        try:
            effect = given if isinstance(given, Effect) else Effect.open(given)
            title = str(effect.get("asset.name") or (given if not isinstance(given, Effect) else "unnamed"))
            picture = _image(effect.png(self.size), "png", self.size, title)
            count = len(effect.get("emitters") or [])
            cells = [picture, html.escape(title), html.escape(effect.kind), str(count)]
        except Error as fault:
            cells = ["", html.escape(str(given)), html.escape(str(fault)), ""]
        return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"

    def _repr_html_(self) -> str:
        head = "<tr><th></th><th>name</th><th>format</th><th>emitters</th></tr>"
        return f"<table>{head}{''.join(self._row(effect) for effect in self.effects)}</table>"

    def __repr__(self) -> str:
        return f"<particles.Table of {len(self.effects)} effects>"
