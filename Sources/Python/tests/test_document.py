"""Documents. What several threads, hostile bytes and a full disk do is in Tests/Library/documents.h, too."""

import gc
import os
import resource
import select
import signal
import threading

import pytest

import particlekit

RATE = "emitters[0].emission.rate"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "fire.particles"
    particlekit.Effect.template("fire").save_as(path)
    return path


def opened(path, **options):
    options.setdefault("autosave", "off")
    return particlekit.Document(path, data_folder=path.parent / "data", **options)


def test_properties_are_edits(path):
    with opened(path) as document:
        assert document.kind == "particles" and document.path == str(path) and not document.states
        document.emitters[0].emission.rate = 10
        document["asset.name"] = "Changed"
        assert document.get(RATE) == 10 and document.asset.name == "Changed" and document.states == {"changed"}
        assert document.undo_name == "Change asset.name" and document.redo_name is None and document.revision == 2
        assert any(row["key"] == RATE and row["value"] == 10 for row in document.properties("emitters[0].emission"))
        with pytest.raises(particlekit.InvalidValue) as fault:
            document[RATE] = -5
        assert fault.value.key == RATE and fault.value.code == "interface/refused"
        with pytest.raises(particlekit.NotFound):
            document["emitters[0].emission.speed"] = 1
        assert document.undo(5) == 2 and document.redo() == 1 and document[RATE] == 10
        del document[RATE]
        assert document.get(RATE) == 0 and document.undo() == 1
        copy = document.effect
        copy[RATE] = 99
        assert document[RATE] == 10
        assert particlekit.Effect.open(path)[RATE] != 10
        document.save()
        assert not document.states and particlekit.Effect.open(path)[RATE] == 10
        document[RATE] = 11
        document.revert()
        assert document[RATE] == 10 and "changed" in repr(document) or not document.states
    assert document.closed and repr(document)
    with pytest.raises(particlekit.Misuse):
        document[RATE] = 1


def test_gestures_and_edits_are_one_edit(path):
    with opened(path) as document:
        with document.gesture("Drag"):
            for rate in range(1, 40):
                document[RATE] = rate
                document["asset.name"] = f"{rate}"
        assert document.undo_name == "Drag" and document[RATE] == 39
        with pytest.raises(ZeroDivisionError):
            with document.gesture("Failing"):
                document[RATE] = 70
                1 / 0
        assert document[RATE] == 39 and document.undo_name == "Drag"
        with document.gesture("Nothing"):
            pass
        document.edit("Double", lambda effect: [effect.apply(f"{RATE}*=2"), effect.embed(effect.png(16), "a.png")])
        assert document.undo_name == "Double" and document[RATE] == 78
        kept = []

        def change(effect):
            effect[RATE] = 5
            kept.append(effect)
            with pytest.raises(particlekit.Misuse):
                document.save()
            with pytest.raises(particlekit.Misuse):
                document.close()
            raise KeyError("stop")

        with pytest.raises(KeyError):
            document.edit("Failing", change)
        assert kept[0].closed and document[RATE] == 78
        assert document.undo(2) == 2 and not document.states


def test_events_come_through_a_descriptor(path):
    with opened(path) as document:
        ready = select.poll()
        ready.register(document, select.POLLIN)
        assert [event.kind for event in document.events(timeout=0.2)][:2] == ["opened", "states"]
        assert document.next_event() is None and not ready.poll(0)
        document[RATE] = 3
        assert ready.poll(5000)
        kinds = {}
        for event in document.events(timeout=10):
            kinds[event.kind] = event
            if "changed" in kinds and "edited" in kinds:
                break
        assert kinds["edited"].details["name"] == f"Change {RATE}" and kinds["changed"].details["origin"] == "edit"
        heard = []
        thread = threading.Thread(target=lambda: heard.extend(event.kind for event in document.events()))
        thread.start()
        document.save()
        document.close()
        thread.join(10)
        assert not thread.is_alive() and document.closed


def test_waiting_ends_also_if_events_come_all_the_time(path, monkeypatch):
    with opened(path) as document:
        monkeypatch.setattr(document, "next_event", lambda: particlekit.Event("progress", {}))
        given = 0
        for _ in document.events(timeout=0):
            given += 1
            assert given <= 1024
        assert given == 1024


def store(path, key, value):
    with particlekit.Effect.open(path) as other:
        other[key] = value
        other.save(mode="replace")


def test_other_programs(path):
    with opened(path) as document:
        store(path, "asset.name", "Theirs")
        document[RATE] = 3
        document.save()
        assert document.asset.name == "Theirs" and particlekit.Effect.open(path)[RATE] == 3
        document[RATE] = 4
        store(path, RATE, 5)
        with pytest.raises(particlekit.Changed) as fault:
            document.save()
        assert fault.value.code == "file/conflict" and fault.value.file == str(path)
        assert "in conflict" in document.states
        beside = document.resolve("both")
        assert document[RATE] == 5 and particlekit.Effect.open(beside)[RATE] == 4
        assert "in conflict" not in document.states
        document[RATE] = 6
        os.remove(path)
        with pytest.raises(particlekit.NotFound):
            document.save()
        assert "deleted" in document.states
        document.save(anyway=True)
        assert particlekit.Effect.open(path)[RATE] == 6


def test_unsaved_changes_are_recovered(path):
    document = opened(path)
    document[RATE] = 77
    del document
    gc.collect()
    with opened(path) as document:
        assert document.recoverable == 1 and document[RATE] != 77
    with opened(path, recover=True) as document:
        assert document[RATE] == 77 and document.states == {"changed"}
        document.save()
    with opened(path, viewing=True) as document:
        assert document.states == {"read-only"} and document[RATE] == 77
        with pytest.raises(PermissionError):
            document[RATE] = 1
    # In place, closing saves.
    with opened(path, autosave="in place", autosave_seconds=3600) as document:
        document[RATE] = 78
    assert particlekit.Effect.open(path)[RATE] == 78
    with pytest.raises(FileNotFoundError):
        opened(path.parent / "none")
    with pytest.raises(particlekit.Misuse):
        opened(path, timeout=-1)
    with pytest.raises(particlekit.Misuse):
        opened(path, autosave="always")


def test_a_file_of_another_format_stays_one(path):
    foreign = path.parent / "fire.pex"
    particlekit.Effect.open(path).convert("starling", "fire.pex").write(path.parent)
    with opened(foreign) as document:
        assert document.kind == "starling"
        document["emitters[0].lifetime"] = 2
        document.save()
        assert foreign.read_bytes().lstrip()[:1] == b"<"
        document["emitters[0].timing.delay"] = 2
        with pytest.raises(particlekit.InvalidValue) as fault:
            document.save()
        assert fault.value.code == "interface/losses" and fault.value.file == str(foreign)
        document.save(accept_losses=True)
        assert not document.states & {"changed", "not saved"}
    assert particlekit.Effect.open(foreign).kind == "starling"


def test_a_failing_disk_keeps_the_old_file(path):
    with opened(path) as document:
        before = path.read_bytes()
        document[RATE] = 40
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (512, limits[1]))
            with pytest.raises(OSError) as fault:
                document.save()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, handler)
        assert isinstance(fault.value, particlekit.Error) and fault.value.code and fault.value.place
        assert path.read_bytes() == before and "not saved" in document.states
        document.save()
        assert not document.states and particlekit.Effect.open(path)[RATE] == 40


def test_documents_are_closed(path):
    gc.collect()
    before, files = particlekit._lib.open_handles(), len(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else 0
    for _ in range(50):
        opened(path)
    (path.parent / "nothing").write_bytes(b"nothing")
    with pytest.raises(particlekit.UnknownFormat) as fault:
        opened(path.parent / "nothing")
    assert fault.value.code and fault.value.place
    del fault
    gc.collect()
    assert particlekit._lib.open_handles() == before
    if files:
        assert len(os.listdir("/proc/self/fd")) <= files + 4
