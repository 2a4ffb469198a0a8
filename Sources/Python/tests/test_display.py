"""What notebooks show, with the page of the player, which a wheel has, and without."""

import base64
import json

import pytest

import particlekit
from particlekit import _display


@pytest.fixture
def page(monkeypatch):
    monkeypatch.setattr(_display, "_page", lambda: "<b>{{title}}</b>|{{effect-data}}|{{settings}}")


def test_the_page_has_document_and_images_of_the_effect(page, tmp_path):
    exported = particlekit.Effect.template("fire").convert("starling", "fire.pex").write(tmp_path)
    effect = particlekit.Effect.open(exported[0])
    effect.asset.name = "</b>{{settings}}"
    title, data, settings = _display.player_page(effect).split("|")
    assert title == "<b>&lt;/b&gt;{{settings}}</b>" and json.loads(settings)["loop"] is True
    shown = particlekit.Package.open(base64.b64decode(data))
    images = {image["uri"] for image in effect.document["images"]}
    assert set(shown) == {"document.json"} | images and images and len(effect.package) > len(shown)


def test_below_the_player_the_picture_has_half_the_pixels(page, monkeypatch):
    drawn = []
    render = particlekit.Effect.render
    monkeypatch.setattr(particlekit.Effect, "render", lambda self, **values: drawn.append(values) or render(self, **values))
    effect = particlekit.Effect.template("fire")
    for size in (1, 2, 3, 8):
        text = _display.player(effect, size)
        assert "<iframe" in text and f"width:{size}px" in text
    assert [values["width"] for values in drawn] == [1, 1, 1, 4] == [values["height"] for values in drawn]
    monkeypatch.setattr(_display, "_page", lambda: None)
    assert "<iframe" not in _display.player(effect, 8) and drawn[-1]["width"] == 8
