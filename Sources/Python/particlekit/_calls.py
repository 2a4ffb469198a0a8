"""Calls that Python can interrupt, and the callbacks of a call.

The main thread of Python handles signals, for example of Control-C, between two instructions of Python. While it is in the
library, it handles none. So a call of the main thread that may take long runs on a thread of its own. The main thread waits
in Python, where handlers run, and calls the callbacks.
"""

from __future__ import annotations

import _thread
import ctypes
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, Optional, TypeVar

from . import _library
from ._errors import Error, Finding, called, finding_of

T = TypeVar("T")

# The functions that may take longer than a moment, and all that call back.
LONG = frozenset(
    "package_open package_open_memory package_open_source package_recover package_read package_put_file package_save "
    "package_encode package_extract package_digest package_verify package_warnings effect_open effect_open_memory "
    "effect_from_package effect_findings effect_validate effect_repair effect_apply effect_set_document effect_embed "
    "effect_save effect_export export_losses export_write effect_difference effect_thumbnail effect_draw "
    "effect_animate effect_render effect_statistics_json simulation_new simulation_draw document_open document_edit "
    "document_undo document_save document_revert document_resolve".split()
)
# Seconds that a call may take to end after it was cancelled. Then it goes on alone, and its result is dropped.
_LONGEST_END = 0.08


class _State:
    """What the callbacks of a call share. They hold it, and not the call, which holds them: that would be a cycle."""

    def __init__(self) -> None:
        # The exceptions of callbacks. The first one counts.
        self.raised: list[BaseException] = []
        self.has_ended = False
        # Requests to the thread that made the call, while it waits for another thread.
        self.requests: Optional[queue.SimpleQueue[Optional[Callable[[], None]]]] = None

    def run(self, body: Callable[..., Optional[int]], arguments: Any) -> int:
        try:
            return body(*arguments) or 0
        except BaseException as fault:  # noqa: BLE001 - it must not pass through C
            self.raised = self.raised or [fault]
            return 1


class Calls:
    """Callbacks of one call, and the exception that a callback has raised."""

    def __init__(self) -> None:
        self.state = _State()
        self.kept: list[Any] = []

    def keep(self, kind: Any, body: Callable[..., Optional[int]], *, anywhere: bool = False) -> Any:
        """A callback for the library. ``anywhere`` is for one without code of the caller: it needs no certain thread."""
        state = self.state

        def run(*arguments: Any) -> int:
            if state.has_ended:
                return 1
            requests = state.requests
            if requests is None or anywhere:
                return state.run(body, arguments)
            result = [1]
            done = _thread.allocate_lock()
            done.acquire()

            def answer() -> None:
                try:
                    result[0] = 1 if state.has_ended else state.run(body, arguments)
                finally:
                    done.release()

            requests.put(answer)
            while not done.acquire(timeout=0.05):
                # The thread that made the call waits no more.
                if state.has_ended:
                    return 1
            return result[0]

        function = kind(run)
        self.kept.append(function)
        return function

    @property
    def raised(self) -> list[BaseException]:
        """What a callback has raised: none or one."""
        return self.state.raised

    def findings(self, found: list[Finding]) -> Any:
        return self.keep(
            _library.FINDING, lambda _, value: found.append(finding_of(value.contents)), anywhere=True
        )

    def progress(self, body: Optional[Callable[[int, int], Optional[bool]]]) -> Any:
        if body is None:
            return None
        return self.keep(_library.PROGRESS, lambda _, done, total: 1 if body(done, total) is False else 0)

    def write(self, body: Callable[[bytes], object]) -> Any:
        def write(_: object, start: int, count: int) -> None:
            body(ctypes.string_at(start, count))

        return self.keep(_library.WRITE, write)


def interruptible(
    body: Callable[[], T], cancel: Callable[[], object], drop: Callable[[], object], calls: Optional[Calls] = None
) -> T:
    """Runs a call on a thread of its own, so that the main thread can be interrupted.

    An exception of a handler, such as ``KeyboardInterrupt``, cancels the call and is raised here, at most 0.1 s later.
    ``body`` has to own all memory that the library uses: a call that does not end goes on alone. ``drop`` gives back
    its result then.
    """
    if _thread.get_ident() != threading.main_thread().ident:
        return body()
    state = calls.state if calls else _State()
    requests = state.requests = queue.SimpleQueue()
    outcome: list[Any] = []
    fate = _thread.allocate_lock()
    has_finished = is_dropped = False

    def run() -> None:
        nonlocal has_finished
        try:
            outcome.extend((body(), None))
        except BaseException as fault:  # noqa: BLE001 - it is raised on the calling thread
            outcome.extend((None, fault))
        requests.put(None)
        with fate:
            has_finished = True
            if is_dropped:
                drop()

    try:
        try:
            _thread.start_new_thread(run, ())
        except RuntimeError:
            # No more threads.
            state.requests = None
            return body()
        while (request := requests.get()) is not None:
            request()
    except BaseException:
        try:
            # No callback runs from now on. The next one stops the call.
            state.has_ended = True
            end = time.monotonic() + _LONGEST_END
            while not has_finished and time.monotonic() < end:
                # Again and again: a call that has not begun cannot be cancelled.
                cancel()
                time.sleep(0.001)
        finally:
            with fate:
                is_dropped = True
                if has_finished:
                    drop()
        raise
    finally:
        state.requests = None
    value, fault = outcome
    if fault is not None:
        try:
            if isinstance(fault, Error) and not fault.call:
                fault.call = called()
            raise fault
        finally:
            # An exception and the frame that raised it would keep each other.
            del fault, outcome
    return value  # type: ignore[no-any-return]
