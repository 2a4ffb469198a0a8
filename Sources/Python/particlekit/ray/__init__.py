"""Many documents on many machines, by Ray Data (the extra ``ray`` of the wheel).

Documents come from addresses, globs, folders or Parquet tables on any file system of fsspec. Results and a report
with one row for each document are Parquet files. A run that was stopped goes on where it was. Each document is
opened in a process of its own kind, which may crash or hang: the report has the reason, and the rest goes on.

>>> import particlekit.ray
>>> settings = particlekit.ray.Settings(stages=("validate", "convert"), format="starling")
>>> summary = particlekit.ray.run("effects/**/*.sks", "out", settings)        # doctest: +SKIP
>>> particlekit.ray.report("out").column("worst").to_pylist()                 # doctest: +SKIP
['low', 'medium']

``python -m particlekit.ray --help`` shows how to run it from a shell.
"""

from __future__ import annotations

from ._engine import Summary, run
from ._report import add_up, extract, report
from ._settings import STAGES, Settings
from ._similar import Group, groups, neighbours, pictures

__all__ = [
    "STAGES", "Group", "Settings", "Summary", "add_up", "extract", "groups", "neighbours", "pictures", "report", "run",
]
