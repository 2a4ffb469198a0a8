"""Adds up the report of a generated corpus with pyarrow alone: account.py CORPUS OUT.

Nothing of `particles` is imported: the files are read as anybody would read them. Ends with 1 if a document of the corpus
is not in the report exactly once, a damaged one did not fail, or a digest has no or more than one result.
"""

import json
import sys

import pyarrow as arrow
import pyarrow.compute as compute
import pyarrow.dataset as dataset


def table(folder: str, columns: list[str]) -> arrow.Table:
    return dataset.dataset(folder, format="parquet", exclude_invalid_files=True).to_table(columns=columns)


def ordered(column: arrow.ChunkedArray) -> arrow.Array:
    return column.take(compute.sort_indices(column)).combine_chunks()


def main(corpus: str, output: str) -> int:
    with open(f"{corpus}/expected.json", encoding="utf-8") as file:
        expected = json.load(file)
    given = table(corpus, ["address"])["address"]
    report = table(f"{output}/report", ["address", "key", "digest", "duplicate", "error_code", "errors"])
    results = table(f"{output}/results", ["digest", "kind"])
    failed = compute.or_(compute.is_valid(report["error_code"]), compute.greater(compute.fill_null(report["errors"], 0), 0))
    whole = report.filter(compute.is_valid(report["digest"]))
    first = whole.filter(compute.invert(compute.fill_null(whole["duplicate"], False)))["digest"]
    of_kind = {kind: results.filter(compute.equal(results["kind"], kind))["digest"]
               for kind in compute.unique(results["kind"]).to_pylist()}
    questions = [
        ("documents of the corpus", len(given), expected["documents"]),
        ("distinct addresses of the corpus", compute.count_distinct(given).as_py(), expected["documents"]),
        ("distinct keys of the report", compute.count_distinct(report["key"]).as_py(), expected["documents"]),
        ("addresses of the report are those of the corpus", ordered(given).equals(ordered(report["address"])), True),
        ("failed documents", compute.sum(failed).as_py(), expected["damaged"]),
        ("distinct digests", compute.count_distinct(whole["digest"]).as_py(), expected["distinct"]),
        ("first documents of a digest", len(first), expected["distinct"]),
        ("kinds of results", len(of_kind) > 0, True),
    ]
    questions += [(f"results of the kind {kind} are one for each digest", ordered(digests).equals(ordered(first)), True)
                  for kind, digests in sorted(of_kind.items())]
    for name, found, wanted in questions:
        print(f"{'  ' if found == wanted else '! '}{name}: {found}" + ("" if found == wanted else f", expected {wanted}"))
    return 0 if all(found == wanted for _, found, wanted in questions) else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit((__doc__ or "").splitlines()[0])
    sys.exit(main(sys.argv[1], sys.argv[2]))
