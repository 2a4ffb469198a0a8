"""What a run does with each document, and the columns of its report."""

# mypy: disable-error-code="import-not-found, import-untyped, unused-ignore, no-untyped-call"
from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

STAGES = ("inventory", "validate", "convert", "thumbnail", "measure", "similar")
"""All stages, in the order in which they run. ``inventory`` always runs."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """What a run does with each document.

    >>> Settings(stages=("validate", "convert"), format="starling").stages
    ('inventory', 'validate', 'convert')
    >>> Settings(stages=("draw",))
    Traceback (most recent call last):
    ...
    ValueError: no stage is called 'draw'; expected inventory, validate, convert, thumbnail, measure, similar
    """

    stages: tuple[str, ...] = ("inventory", "validate")
    format: str = "particles"
    """The format that ``convert`` writes and ``measure`` compares."""
    size: int = 256
    """Edge of thumbnails, 1 to 1024 pixels."""
    seconds: float = 30.0
    """Time that one stage of a document may take. Its process is ended then, and the document reported."""
    megabytes: int = 1024
    """Resident memory that the process of a document may take, without the imported modules."""
    documents: int = 1000
    """Documents of a block, the unit that is written as a whole."""

    def __post_init__(self) -> None:
        for stage in self.stages:
            if stage not in STAGES:
                raise ValueError(f"no stage is called {stage!r}; expected {', '.join(STAGES)}")
        if not 1 <= self.size <= 1024:
            raise ValueError(f"thumbnails of {self.size} pixels; expected 1 to 1024")
        if self.seconds <= 0 or self.megabytes <= 0 or self.documents <= 0:
            raise ValueError("seconds, megabytes and documents have to be above 0")
        object.__setattr__(self, "stages", tuple(s for s in STAGES if s in self.stages or s == "inventory"))

    @property
    def results(self) -> dict[str, Any]:
        """The settings that results depend on. A run goes on only with equal ones."""
        values = dataclasses.asdict(self)
        values["stages"] = list(self.stages)
        return {name: values[name] for name in ("stages", "format", "size", "documents")}


def key_of(*parts: object) -> str:
    """Returns a name of 32 digits for values of JSON."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def report_schema() -> pa.Schema:
    """Returns the columns of the report: one row for each document."""
    import pyarrow as pa

    problem = pa.struct([(name, pa.string()) for name in ("code", "severity", "message", "place")])
    loss = pa.struct([(name, pa.string()) for name in ("code", "level", "feature", "message", "place")])
    return pa.schema([
        ("address", pa.string()), ("key", pa.string()), ("format", pa.string()), ("name", pa.string()),
        ("bytes", pa.int64()), ("emitters", pa.int32()), ("images", pa.int32()), ("digest", pa.string()),
        ("duplicate", pa.bool_()), ("errors", pa.int32()), ("warnings", pa.int32()),
        ("problems", pa.list_(problem)), ("losses", pa.list_(loss)), ("worst", pa.string()),
        ("difference", pa.float64()), ("vector", pa.list_(pa.float32())),
        ("seconds", pa.struct([(stage, pa.float32()) for stage in STAGES])), ("error_code", pa.string()),
        ("error", pa.string()), ("worker", pa.string()),
    ])


def result_schema() -> pa.Schema:
    """Returns the columns of the results: one row for each file of each effect that is no duplicate."""
    import pyarrow as pa

    return pa.schema([
        ("digest", pa.string()), ("address", pa.string()), ("kind", pa.string()), ("name", pa.string()),
        ("data", pa.large_binary()),
    ])


def document_schema() -> pa.Schema:
    """Returns the columns of documents on their way to a worker."""
    import pyarrow as pa

    return pa.schema([
        ("address", pa.string()), ("key", pa.string()), ("local", pa.string()), ("data", pa.large_binary()),
        ("fault", pa.string()),
    ])
