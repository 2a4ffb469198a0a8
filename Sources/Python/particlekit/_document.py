"""Documents: effects that are edited over time."""

from __future__ import annotations

import ctypes
import json
import os
import select
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Optional

from . import _library
from ._arguments import LOSSES, OVERWRITE, Limits, PathLike, checked, choice
from ._effect import Effect
from ._calls import Calls
from ._errors import Error, Finding, Misuse, error, misuse
from ._handles import encoded, encoded_path, opened, printable, taken
from ._library import CDocumentOptions, CDocumentState, lib
from ._nodes import JSON, Properties

_AUTOSAVES = {"in place": 0, "off": 1, "recovery": 2}
_SIDES = {"ours": 0, "theirs": 1, "both": 2, "merged": 3}
_STATES = {
    2: "in conflict", 4: "not saved", 8: "editing disabled", 16: "at work", 32: "changed",
    64: "read-only", 128: "deleted", 256: "unreadable",
}

_MOST_EVENTS = 1024
"""Events that the library keeps for those who have not taken them."""


class Event(NamedTuple):
    """A change of a document."""

    kind: str
    """``opened``, ``states``, ``edited``, ``changed``, ``gestureEnded``, ``saved``, ``progress``, ``moved``,
    ``reloaded``, ``merged``, ``conflict``, ``deleted``, ``unreadable``, ``failed``, ``retrying``, or ``missed``
    if more than 1024 were not taken."""
    details: dict[str, Any]
    """Its other members, such as ``name`` of an edit, ``fraction`` of progress, ``clashes`` of a conflict."""

    @property
    def error(self) -> Optional[Error]:
        """The error of an event that reports one."""
        finding = self.details.get("finding")
        return Error(Finding(finding, self.details.get("text", ""))) if finding else None


class Document(Properties):
    """An effect in a file that is edited over time: saved, undone, merged with the changes of other programs.

    Properties are read and set as in an ``Effect``. Each change is an edit that can be undone. A package is saved in
    place, ``autosave_seconds`` after a change. ``autosave`` is ``in place``, ``off``, or ``recovery``, which saves on
    request and keeps unsaved changes in the recovery journal. Files of other formats are saved on request. Leaving the
    context closes the document: unsaved changes are saved then, or stay in the recovery journal. ``recover`` takes them
    from there when the document is opened again.

    >>> import os, tempfile
    >>> from particlekit import Document, Effect
    >>> folder = tempfile.mkdtemp()
    >>> path = os.path.join(folder, "fire.particles")
    >>> Effect.template("fire").save_as(path)
    >>> with Document(path, autosave="off", data_folder="") as document:
    ...     document.emitters[0].emission.rate = 300
    ...     document.undo_name, sorted(document.states), document.undo(), document.redo()
    ...     document.save()
    ('Change emitters[0].emission.rate', ['changed'], 1, 1)
    >>> Effect.open(path)["emitters[0].emission.rate"]
    300
    """

    _close, _kind = "document_close", "document"

    def __init__(
        self, path: PathLike, *, autosave: str = "in place", autosave_seconds: float = 0, timeout: float = 0,
        viewing: bool = False, keep_edits: bool = False, recover: bool = False, data_folder: Optional[PathLike] = None,
        limits: Optional[Limits] = None,
    ) -> None:
        self._name: Optional[str] = None
        self._gesture = 0
        self._editing = False
        options = CDocumentOptions(size=ctypes.sizeof(CDocumentOptions))
        options.autosave = choice(_AUTOSAVES, autosave, "autosave")
        options.viewing, options.keep_edits, options.recover = int(viewing), int(keep_edits), int(recover)
        options.autosave_seconds, options.timeout = autosave_seconds, timeout
        if data_folder is not None:
            options.data_folder = encoded_path(data_folder, "data_folder")
        if limits is not None:
            options.limits = ctypes.pointer(checked(limits)._values)
        place = encoded_path(path, "path")
        super().__init__(opened("document_open", place, ctypes.byref(options), close=self._close))
        # Kept, so that a thread that waits for events does not use the document.
        self._descriptor = int(self._stat().event_descriptor)

    # Editing

    def _set(self, key: str, value: Optional[str]) -> None:
        name = None if self._name is None else encoded(self._name, "name")
        text = None if value is None else encoded(value, "value")
        self._call("document_set", encoded(key, "key"), text, name, self._gesture)

    def properties(self, prefix: str = "") -> list[dict[str, Any]]:
        return self.effect.properties(prefix)

    @property
    def effect(self) -> Effect:
        """A copy of the contents."""
        out = ctypes.c_void_p()
        self._call("document_effect", ctypes.byref(out))
        return Effect(out.value or 0)

    def edit(self, name: str, change: Callable[[Effect], object]) -> None:
        """Makes one edit of all that ``change`` does with an effect. If it raises, nothing changes."""
        calls = Calls()

        def body(_: object, handle: int) -> int:
            effect = Effect(handle)
            try:
                change(effect)
            finally:
                # The library closes the handle.
                object.__setattr__(effect, "_handle", 0)
            return 0

        before, self._editing = self._editing, True
        try:
            self._call("document_edit", encoded(name, "name"), calls.keep(_library.EDIT, body), None, calls=calls)
        finally:
            self._editing = before

    @contextmanager
    def gesture(self, name: str) -> Iterator[Document]:
        """Makes one edit of all changes of properties in the context, such as a drag of a slider. An exception undoes
        the edit.

        ``with document.gesture("Change Rate"): document.emitters[0].emission.rate = …``
        """
        before, self._name, self._gesture = (self._name, self._gesture), name, _next()
        number, is_kept = self._gesture, False
        try:
            yield self
            is_kept = True
        finally:
            self._name, self._gesture = before
            self._end_gesture(number, not is_kept)

    def _end_gesture(self, number: int, cancels: bool) -> None:
        status = lib.document_end_gesture(self._handle, number, int(cancels))
        # A gesture without changes has not begun. A gesture that another change has made impossible is over.
        if status not in (_library.OK, _library.MISUSE):
            self._call("document_end_gesture", number, int(cancels))

    def undo(self, count: int = 1) -> int:
        """Undoes edits and returns how many there were."""
        done = ctypes.c_int()
        self._call("document_undo", count, ctypes.byref(done))
        return done.value

    def redo(self, count: int = 1) -> int:
        """Redoes edits and returns how many there were."""
        return self.undo(-count)

    # Saving

    def save(self, *, anyway: bool = False, accept_losses: bool = False) -> None:
        """Saves the document and keeps a version.

        ``anyway`` saves also if another program has deleted the file, changed a part that was edited, or stored an
        unreadable file. ``accept_losses`` saves also if the format has no room for an edit.
        """
        self._call("document_save", (OVERWRITE if anyway else 0) | (LOSSES if accept_losses else 0))

    def revert(self) -> None:
        """Drops unsaved changes and takes the stored file, as an edit that can be undone."""
        self._call("document_revert")

    def resolve(self, side: str) -> Optional[str]:
        """Ends a conflict by ``ours``, ``theirs``, ``merged`` or ``both``, which returns the path of the document with
        our side."""
        out = ctypes.c_void_p()
        self._call("document_resolve", choice(_SIDES, side, "side"), ctypes.byref(out))
        return taken(out).decode() if out.value else None

    # Facts

    def _stat(self) -> CDocumentState:
        state = CDocumentState(size=ctypes.sizeof(CDocumentState))
        self._call("document_stat", ctypes.byref(state))
        return state

    @property
    def path(self) -> str:
        """The path, also after another program has moved it."""
        return _text(self._stat().path) or ""

    @property
    def kind(self) -> str:
        """The name of the format, ``particles`` for a package."""
        return _text(self._stat().format) or ""

    @property
    def states(self) -> frozenset[str]:
        """The states of the document, of ``changed``, ``not saved``, ``in conflict``, ``read-only``, ``deleted``,
        ``unreadable``, ``at work`` and ``editing disabled``."""
        bits = self._stat().states
        return frozenset(name for bit, name in _STATES.items() if bits & bit)

    @property
    def revision(self) -> int:
        """The number of the last change, 0 when the document is opened."""
        return int(self._stat().revision)

    @property
    def undo_name(self) -> Optional[str]:
        """The name of the edit that is undone next."""
        return _text(self._stat().undo_name)

    @property
    def redo_name(self) -> Optional[str]:
        """The name of the edit that is redone next."""
        return _text(self._stat().redo_name)

    @property
    def recoverable(self) -> int:
        """How often programs have left unsaved contents in the recovery journal."""
        return int(self._stat().recoverable)

    # Events

    def fileno(self) -> int:
        """A descriptor that is readable while there are events: for ``select``, ``asyncio`` and other loops."""
        return self._descriptor

    def next_event(self) -> Optional[Event]:
        """Returns the next event, or None if there is none. Does not wait. Any thread may call it."""
        out = ctypes.c_void_p()
        status = lib.document_next_event(self._handle, ctypes.byref(out))
        if status == _library.DONE:
            return None
        if status != _library.ROW:
            raise error(status)
        value: dict[str, JSON] = json.loads(taken(out))
        return Event(value.pop("kind"), value)

    def events(self, timeout: Optional[float] = None) -> Iterator[Event]:
        """Waits for events, for ``timeout`` seconds in all, or until the document is closed.

        Events that are there at the end are still given: as many as the library keeps, so that the wait ends also if
        more events come all the time.
        """
        late = 0
        ready = select.poll()
        ready.register(self.fileno(), select.POLLIN)
        end = None if timeout is None else time.monotonic() + timeout
        while not self.closed:
            try:
                event = self.next_event()
            except Misuse:
                if self.closed:
                    return
                raise
            if event is not None:
                late += end is not None and time.monotonic() >= end
                yield event
                if late >= _MOST_EVENTS:
                    return
                continue
            # A look from time to time, because another thread may close the document.
            rest = 0.5 if end is None else min(0.5, end - time.monotonic())
            if rest <= 0:
                return
            ready.poll(1000 * rest)

    # Closing

    def close(self) -> None:
        """Closes it: unsaved changes are saved, or kept in the recovery journal. Save before, to know."""
        if self._editing:
            # The library would not close it, and nothing else could.
            raise misuse("a document cannot be closed by its own edit")
        self._closed()

    def __enter__(self) -> Document:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return "<closed particlekit.Document>"
        return f"<particlekit.Document {printable(self.path)}: {', '.join(sorted(self.states)) or 'open'}>"


_last = 0


def _next() -> int:
    global _last
    _last += 1
    return _last


def _text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else os.fsdecode(value)
