"""Tests of objects in other processes: pickles and copies."""

import copy
import multiprocessing
import os
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest

import particlekit

FIRE = particlekit.Effect.template("fire")
RATE = "emitters[0].emission.rate"


def converted(effect):
    return effect.convert("starling", "fire.pex", measure=True)


def faulty(rate):
    effect = particlekit.Effect.template("fire")
    document = effect.document
    document["emitters"][0]["emission"]["rate"] = rate
    effect.document = document
    return effect.validate()


def rate_of(effect):
    return effect[RATE]


def packed(package):
    package["seen"] = str(os.getpid()).encode()
    return package


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_results_come_back_from_processes(method):
    context = multiprocessing.get_context(method)
    try:
        context.Lock()
    except OSError as fault:
        pytest.skip(f"no semaphores of processes here: {fault}")
    effect = FIRE.copy()
    effect[RATE] = 77
    package = effect.package
    expected = converted(effect)
    with context.Pool(1) as pool, ProcessPoolExecutor(1, mp_context=context) as executor:
        for call in (lambda *given: pool.apply_async(*given).get(60), lambda f, a: executor.submit(f, *a).result(60)):
            assert call(rate_of, (effect,)) == 77
            result = call(converted, (effect,))
            assert result.files == expected.files and result.losses == expected.losses and result.losses
            assert (result.difference, result.aspects) == (expected.difference, expected.aspects)
            assert call(faulty, (50,)) == faulty(50)
            back = call(packed, (package,))
            assert back["seen"] != str(os.getpid()).encode() and "seen" not in package
            del back["seen"]
            assert back == package


def test_pickles_have_the_contents():
    snow = particlekit.Effect.template("snow")
    data = pickle.dumps(FIRE)
    for other in (pickle.loads(data), copy.deepcopy(FIRE), copy.copy(FIRE)):
        assert other.document == FIRE.document and other._handle != FIRE._handle
        other[RATE] = 3
        assert FIRE[RATE] != 3
        other.close()
        assert FIRE.emitters
    assert snow.document != FIRE.document
    losses = FIRE.convert("starling").losses
    for loss in losses:
        again = pickle.loads(pickle.dumps(loss))
        assert again == loss and again.loss == loss.loss and again.place == loss.place
    for value in (particlekit.Limits(entries=5), particlekit.Plan(width=9), particlekit.Entry("a", "file")):
        assert repr(pickle.loads(pickle.dumps(value))) == repr(value)


def test_what_is_open_in_one_process_is_not_pickled(tmp_path):
    path = tmp_path / "fire.particles"
    FIRE.save_as(path, replace=True)
    package = particlekit.Package.open(path)
    blob = package.open_entry("document.json").raw
    with particlekit.Document(path, data_folder="") as document:
        for value in (FIRE.simulate(), document, blob):
            for use in (pickle.dumps, copy.copy, copy.deepcopy):
                with pytest.raises(TypeError, match=f"cannot pickle '{type(value).__name__}' object"):
                    use(value)
    package.close()
    with pytest.raises(particlekit.Misuse):
        pickle.dumps(package)
