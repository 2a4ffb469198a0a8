"""Particle effects of many engines: packages, conversions, pictures and simulations, by libparticles.

>>> import particlekit
>>> effect = particlekit.Effect.template("snow")
>>> effect.kind, len(effect.emitters)
('particles', 2)
"""

from ._display import Table
from ._arguments import Limits
from ._document import Document, Event
from ._effect import Effect
from ._errors import (
    Busy, Cancelled, Changed, Damaged, Error, Exists, Finding, InvalidName, InvalidValue, IsADirectory, LimitExceeded, Misuse,
    NoSuchAttribute, NoSuchElement, NotADirectory, NotFound, PermissionDenied, ReadOnly, SystemFault, UnknownFormat, WrongType,
)
from ._exported import Exported
from ._handles import open_handles
from ._library import lib as _lib
from ._nodes import Node, NodeList
from ._package import Entry, Package
from ._plan import Plan
from ._simulation import COLUMNS, Simulation
from ._tables import Format, formats, properties, templates, type_of

__version__: str = _lib.version().decode()

__all__ = [
    "COLUMNS", "Busy", "Cancelled", "Changed", "Damaged", "Document", "Effect", "Entry", "Error", "Event", "Exists",
    "Exported", "Finding", "Format", "InvalidName", "InvalidValue", "IsADirectory", "LimitExceeded", "Limits", "Misuse", "NoSuchAttribute",
    "NoSuchElement", "Node", "NodeList", "NotADirectory", "NotFound", "Package", "PermissionDenied", "Plan", "ReadOnly", "Simulation", "SystemFault", "Table", "UnknownFormat", "WrongType", "formats",
    "open_handles", "properties", "templates", "type_of",
]

for _kind in (
    Busy, Cancelled, Changed, Damaged, Error, Exists, InvalidName, InvalidValue, LimitExceeded, Misuse, NoSuchAttribute,
    IsADirectory, NoSuchElement, NotADirectory, NotFound, PermissionDenied, WrongType, ReadOnly, SystemFault, UnknownFormat, Document, Effect, Event, Package, Simulation, Finding,
):
    _kind.__module__ = "particlekit"
