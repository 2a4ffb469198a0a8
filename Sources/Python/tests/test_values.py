"""Values of properties: numbers and arrays of other libraries, texts."""

import decimal
import fractions

import numpy as np
import pytest

import particlekit
from particlekit import _nodes

RATE, SIZE = "emitters[0].emission.rate", "preview.size"


class Index:
    def __index__(self):
        return 7


class Float:
    def __float__(self):
        return 2.5


@pytest.mark.parametrize("value, expected", [
    (np.float32(3), 3), (np.float16(0.5), 0.5), (np.float64(1.25), 1.25), (np.int64(4), 4), (np.uint8(255), 255),
    (np.array(6), 6), (np.array([9], np.int32)[0], 9), (Index(), 7), (Float(), 2.5), (decimal.Decimal("1.5"), 1.5),
    (fractions.Fraction(3, 4), 0.75), ({"min": np.float32(1), "max": np.int16(2)}, {"min": 1, "max": 2}),
])
def test_numbers_of_other_libraries(value, expected):
    effect = particlekit.Effect.template("fire")
    effect[RATE] = value
    assert effect[RATE] == expected
    effect.emitters[0].emission.rate = value
    assert effect.emitters[0].emission.rate == expected


def test_arrays_and_truth_values_of_numpy():
    effect = particlekit.Effect.template("fire")
    effect[SIZE] = np.array([320, 200], np.int32)
    assert effect[SIZE] == [320, 200]
    effect["emitters[0].color.base"] = np.array([1, 0.5, 0.25], np.float32)
    assert effect["emitters[0].color.base"] == [1, 0.5, 0.25]
    effect["emitters[0].enabled"] = np.bool_(False)
    assert effect["emitters[0].enabled"] is False
    effect["asset.name"] = np.str_("fire")
    assert effect["asset.name"] == "fire"
    document = effect.document
    document["emitters"][0]["emission"]["rate"] = np.float32(8)
    effect.document = document
    assert effect[RATE] == 8
    for wrong in (np.array([1, 2]), np.complex64(1), np.array(["a"])):
        with pytest.raises(particlekit.Error) as fault:
            effect[RATE] = wrong
        assert isinstance(fault.value, (TypeError, ValueError))
    assert effect[RATE] == 8
    assert "import numpy" not in open(_nodes.__file__).read()


def test_parts_of_effects_are_values():
    effect, other = particlekit.Effect.template("fire"), particlekit.Effect.template("snow")
    effect["emitters"] = [other.emitters[0], *effect.emitters]
    assert effect["emitters"][0] == other["emitters"][0]
    effect["emitters"] = other.emitters
    assert effect["emitters"] == other["emitters"]


@pytest.mark.parametrize("text", [
    '"quoted"', "null", "true", "12", "[1]", "{}", " null ", '"', "", "1..2", "#ff8800", "\\", "a\nb", "été", "🔥", '"a" and "b"',
])
def test_a_text_is_that_text(text):
    effect = particlekit.Effect.template("fire")
    effect.asset.name = text
    assert effect.asset.name == text and effect.document["asset"]["name"] == text
    again = particlekit.Effect.open(effect.package)
    assert again["asset.name"] == text


def test_a_document_takes_texts_like_an_effect(tmp_path):
    path = tmp_path / "fire.particles"
    particlekit.Effect.template("fire").save_as(path)
    with particlekit.Document(path, autosave="off", data_folder="") as document:
        document.asset.name = "null"
        assert document["asset.name"] == "null"
        document["asset.name"] = None
        assert document.get("asset.name") is None


def test_texts_of_other_types():
    effect = particlekit.Effect.template("fire")
    rows = {row["key"]: row for row in particlekit.properties()}
    # Properties that need no list or curve around them.
    names = [
        key for key, row in rows.items()
        if row["type"].startswith('"') and "[]" not in key.removeprefix("emitters[]") and ".trail." not in key and "shape.type" not in key
    ]
    assert len(names) > 20
    for key in names:
        place = key.replace("emitters[]", "emitters[0]")
        for name in rows[key]["type"].split('"')[1::2]:
            try:
                effect[place] = name
            except particlekit.InvalidValue as fault:
                # Another part is missing, such as the orbit of a motion.
                assert "out of range" in str(fault)
                continue
            assert effect[place] == name
        with pytest.raises(particlekit.InvalidValue):
            effect[place] = "no such name"
    for key in ("emitters[0].color", "emitters[0].color.base", "preview.background"):
        effect[key] = "#ff8000"
        assert effect[key.replace("color", "color.base") if key.endswith("color") else key] == pytest.approx([1, 128 / 255, 0], abs=0.001)
    effect.emitters[0].color.base = "orange"
    assert len(effect["emitters[0].color.base"]) == 3
    # Short forms are for ``apply``.
    for key, text in ((RATE, "120"), (RATE, "1..2"), ("emitters[0].enabled", "true"), (SIZE, "[1, 2]"), ("emitters", "[]")):
        before = effect[key]
        with pytest.raises(particlekit.InvalidValue):
            effect[key] = text
        assert effect[key] == before
        if key != "emitters":
            effect.apply(f"{key}={text}")
    assert effect[RATE] == {"min": 1, "max": 2} and effect[SIZE] == [1, 2]
