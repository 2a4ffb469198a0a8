"""How notebooks show packages and effects."""

from __future__ import annotations

import base64
import functools
import html
import json
import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Optional, Union

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


@functools.lru_cache(maxsize=1)
def _page() -> Optional[str]:
    # The page of the player with places for title, settings and effect, which the wheel has.
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "player.html")
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def player_page(effect: Effect) -> Optional[str]:
    """A page that plays the effect and loads nothing else, or None if this build has no player.

    >>> from particlekit import Effect
    >>> page = player_page(Effect.template("fire"))
    >>> page is None or "{{" not in page[-2000:]
    True
    """
    page = _page()
    if page is None:
        return None
    package = effect.package
    images = {image.get("uri") for image in effect.document.get("images", [])}
    for path in list(package):
        # The imported source is of no use in a page.
        if path != "document.json" and path not in images:
            del package[path]
    own = effect.get("preview.background")
    settings = {"attributes": {"background": own if isinstance(own, str) else "auto"}, "loop": True, "profiles": []}
    values = {
        "title": html.escape(str(effect.get("asset.name") or "effect")),
        "effect-data": base64.b64encode(package.encode()).decode(),
        "settings": json.dumps(settings).replace("<", "\\u003c"),
    }
    # At once: a value may look like a place.
    return re.sub("{{(" + "|".join(values) + ")}}", lambda found: values[found[1]], page)


def player(effect: Effect, size: int = 256) -> str:
    """The player above a moving picture. The picture shows where frames or scripts are blocked."""
    page = player_page(effect)
    # Below the player, half of the pixels in half of the frames are enough.
    drawn, fps = (size, 20) if page is None else (max(1, size // 2), 10)
    data = effect.render(format="webp", width=drawn, height=drawn, fps=fps)
    picture = _image(data, "webp", size, repr(effect))
    if page is None:
        return picture
    frame = (
        f'<iframe sandbox="allow-scripts" loading="lazy" title="{html.escape(repr(effect), quote=True)}" '
        f'srcdoc="{html.escape(page, quote=True)}" '
        'style="position:absolute;left:0;top:0;width:100%;height:100%;border:0"></iframe>'
    )
    return f'<div style="position:relative;width:{size}px;height:{size}px">{picture}{frame}</div>'


def package_table(package: Package) -> str:
    rows = "".join(
        f"<tr><td>{html.escape(entry.path)}</td><td>{entry.kind}</td><td style='text-align:right'>{entry.size}</td></tr>"
        for entry in package.entries()[:200]
    )
    return f"<table><tr><th>path</th><th>kind</th><th>bytes</th></tr>{rows}</table>"


class Table:
    """Effects with their pictures, for notebooks.

    >>> from particlekit import Effect
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
        return f"<particlekit.Table of {len(self.effects)} effects>"
