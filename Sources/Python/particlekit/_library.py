"""libparticles, loaded with ctypes. Every call releases the interpreter lock."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

c_int, c_int64, c_size_t, c_double = ctypes.c_int, ctypes.c_int64, ctypes.c_size_t, ctypes.c_double
c_void_p, c_char_p = ctypes.c_void_p, ctypes.c_char_p

OK, CANCELLED, MISUSE, CALLBACK, ROW, DONE = 0, 8, 9, 15, 100, 101
API_VERSION = 1

LIMITS = (
    "entries depth entry_bytes total_bytes amplification index_bytes file_bytes text_bytes scalar_bytes objects "
    "work memory types nesting archives emitters particles image_pixels pixels frames paint animation_paint "
    "frame_paint particle_steps frame_steps frame_work preview_seconds warmup_seconds"
).split()


class CLimits(ctypes.Structure):
    _fields_ = [("size", c_size_t)] + [(name, c_int64) for name in LIMITS]


class CFinding(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("status", c_int), ("severity", c_int),
        *((name, c_char_p) for name in
          ("code", "message", "file", "entry", "key", "expected", "found", "hint", "text", "json")),
        ("offset", c_int64), ("line", c_int), ("column", c_int),
    ]


class CEntry(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("path", c_char_p), ("target", c_char_p), ("bytes", c_int64), ("kind", c_int),
        ("executable", c_int),
    ]


class CPackageState(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("path", c_char_p), ("entries", c_int64), ("form", c_int)]


class CSimulationState(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("time", c_double), ("emitters", c_int64), ("alive", c_int64), ("emitted", c_int64),
    ]


class CBytes(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("bytes", c_void_p), ("count", c_size_t)]


READ = ctypes.CFUNCTYPE(c_int, c_void_p, c_int64, c_void_p, c_size_t)
WRITE = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t)
PROGRESS = ctypes.CFUNCTYPE(c_int, c_void_p, c_int64, c_int64)
FINDING = ctypes.CFUNCTYPE(c_int, c_void_p, ctypes.POINTER(CFinding))
FIND = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, ctypes.POINTER(CBytes))
FRAME = ctypes.CFUNCTYPE(c_int, c_void_p, c_int64, c_int64, c_void_p, c_double)
DROP = ctypes.CFUNCTYPE(None, c_void_p)
EDIT = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)


class CSaveOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("form", c_int), ("mode", c_int), ("level", c_int), ("flags", c_int),
        ("progress", PROGRESS), ("context", c_void_p),
    ]


class COpenOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("format", c_char_p), ("engine", c_char_p),
        ("image_folders", ctypes.POINTER(c_char_p)), ("find", FIND), ("context", c_void_p),
        ("limits", ctypes.POINTER(CLimits)),
    ]


class CExportOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("images", c_int), ("measure", c_int)]


class CPlan(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("width", c_int), ("height", c_int), ("samples", c_int), ("loop", c_int),
        ("background", c_int), ("has_seed", c_int), ("start", c_double), ("duration", c_double),
        ("frames_per_second", c_double), ("pause", c_double), ("scale", c_double), ("seed", ctypes.c_uint64),
        ("engine", c_char_p), ("color", ctypes.c_uint8 * 4), ("still", c_int),
        ("camera", c_char_p), ("move", c_char_p),
    ]


class CDocumentOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("autosave", c_int), ("viewing", c_int), ("keep_edits", c_int), ("recover", c_int),
        ("autosave_seconds", c_double), ("timeout", c_double), ("data_folder", c_char_p),
        ("limits", ctypes.POINTER(CLimits)),
    ]


class CDocumentState(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("path", c_char_p), ("format", c_char_p), ("undo_name", c_char_p),
        ("redo_name", c_char_p), ("revision", c_int64), ("states", c_int), ("event_descriptor", c_int),
        ("recoverable", c_int),
    ]


_CODES: dict[str, Any] = {
    "i": c_int, "q": c_int64, "n": c_size_t, "d": c_double, "z": c_char_p, "p": c_void_p, "u": ctypes.c_uint64,
    "v": None,
}

# The result and the arguments of each function. A test compares them with particles.h.
FUNCTIONS = {
    "version": "z", "api_version": "i", "status_text": "zi", "free": "vp", "open_handles": "q",
    "error_text": "zp", "error": "ipp", "cancel": "ip", "limits_init": "ipni",
    "package_new": "ip", "package_open": "izpp", "package_open_memory": "ipnpp",
    "package_open_source": "iqppppp", "package_recover": "izpppp", "package_copy": "ipp", "package_close": "vp",
    "package_describe": "ipp", "package_stat": "ipzp",
    "package_list": "ipzip", "iterator_next": "ipp", "iterator_close": "vp",
    "package_read": "ipzpp", "blob_open": "ipzpp", "blob_read": "ipqpn", "blob_close": "vp",
    "package_put": "ipzpni", "package_add": "ipzzpnp", "package_put_source": "ipzqpppi",
    "package_put_file": "ipzz", "package_make_directory": "ipz", "package_link": "ipzz",
    "package_rename": "ipzz", "package_remove": "ipz", "package_set_executable": "ipzi",
    "package_save": "ipzp",
    "package_encode": "ipipp", "package_extract": "ipzipp", "package_digest": "ipp", "package_verify": "ipipp",
    "package_warnings": "ippp",
    "effect_open": "izpp", "effect_open_memory": "ipnzpp", "effect_template": "izp",
    "effect_from_package": "ippp", "effect_package": "ipp", "effect_copy": "ipp", "effect_close": "vp",
    "effect_kind": "zp", "effect_findings": "ippp", "effect_validate": "ippp", "effect_repair": "ipp",
    "effect_get": "ipzp", "effect_set": "ipzz", "effect_apply": "ipz", "effect_allow_out_of_range": "ipi",
    "effect_properties_json": "ipzp", "effect_document": "ippp", "effect_set_document": "ipzn",
    "effect_embed": "ippnzzp", "effect_save": "ipzp",
    "effect_export": "ipzzpp", "export_file": "ipqppp", "export_losses": "ippp",
    "export_difference": "ippp", "export_write": "ipzi", "export_close": "vp", "effect_difference": "ipppp",
    "properties_json": "izp", "formats_json": "ip", "templates_json": "ip",
    "plan_init": "ipn", "effect_thumbnail": "ipipn", "effect_draw": "ipppn", "effect_animate": "ipppp",
    "effect_render": "ippzpppp", "effect_statistics_json": "ipiiuzp",
    "simulation_new": "ippzp", "simulation_close": "vp", "simulation_advance": "ipd", "simulation_stop": "ip",
    "simulation_describe": "ipqp",
    "simulation_columns": "ipqp", "columns_get": "ipzpp", "columns_ordinals": "ipp",
    "columns_close": "vp", "simulation_draw": "ipppn",
    "session_new": "ipp", "session_close": "vp", "session_stat": "ipp", "session_effect": "ipp", "session_get": "ipzp",
    "session_set": "ipzzzq", "session_end_gesture": "ipqi", "session_edit": "ipzpp", "session_undo": "ipip",
    "session_saved": "ip", "session_merge": "ippp", "session_resolve": "ipi",
    "document_open": "izpp", "document_close": "vp", "document_stat": "ipp", "document_effect": "ipp",
    "document_get": "ipzp", "document_set": "ipzzzq", "document_end_gesture": "ipqi", "document_edit": "ipzpp",
    "document_undo": "ipip", "document_save": "ipi", "document_revert": "ip", "document_resolve": "ipip",
    "document_next_event": "ipp",
    "type_of_file": "izp", "type_of_bytes": "ipnzp",
}


def _load() -> ctypes.CDLL:
    # PARTICLES_LIBRARY, the library of the wheel, or the installed library.
    given = os.environ.get("PARTICLES_LIBRARY")
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libparticles.so.1")
    if given:
        return ctypes.CDLL(given)
    if os.path.exists(beside):
        return ctypes.CDLL(beside)
    for name in ("libparticles.so.1", "libparticles.1.dylib"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise ImportError(
        "libparticles is not installed: install the wheel, run 'make install-lib', or set PARTICLES_LIBRARY"
    )


class Library:
    """The functions of particles.h without their prefix, prepared when they are used first."""

    def __init__(self) -> None:
        self._dll = _load()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        codes = FUNCTIONS.get(name)
        if codes is None:
            raise AttributeError(name)
        function = getattr(self._dll, "particles_" + name)
        function.restype = _CODES[codes[0]]
        function.argtypes = [_CODES[code] for code in codes[1:]]
        setattr(self, name, function)
        return function  # type: ignore[no-any-return]


lib = Library()
if lib.api_version() != API_VERSION:
    raise ImportError(f"libparticles has interface {lib.api_version()}; this package needs {API_VERSION}")
