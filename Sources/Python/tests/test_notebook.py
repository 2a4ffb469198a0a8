"""The notebook of the examples, executed by a kernel."""

import os
import re

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

NOTEBOOK = os.path.join(os.path.dirname(__file__), "../../Examples/Python/effects.ipynb")


def test_the_notebook_runs_and_shows_its_effects(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("EFFECTS", raising=False)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in codes) and os.path.getsize(NOTEBOOK) < 20_000
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output.data for cell in codes for output in cell.outputs if output.output_type == "execute_result"]
    pages = [data["text/html"] for data in shown if "text/html" in data]
    effect = next(data for data in shown if "image/png" in data)
    assert "data:image/webp" in effect["text/html"]
    tables = [page for page in pages if page.startswith("<table")]
    assert len(tables) == 1 and len(re.findall('<img src="data:image/png', tables[0])) == 50
    printed = "".join(output.text for cell in codes for output in cell.outputs if output.output_type == "stream")
    assert "starling" in printed and "Change Rate" in printed
    # For those who look at it.
    page = os.environ.get("PARTICLES_NOTEBOOK_PAGE")
    if page:
        nbconvert = pytest.importorskip("nbconvert")
        body, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
        with open(page, "w", encoding="utf-8") as file:
            file.write(body)
