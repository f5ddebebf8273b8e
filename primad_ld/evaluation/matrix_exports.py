"""Matrices for machines: CSV and JSON, piece by piece, for there may be millions of pairs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Final

from primad_ld.evaluation.matrix import Matrix

_COLUMNS: Final = ("reference", "candidate", "measure", "on", "value", "reason")


def csv_lines(matrix: Matrix) -> Iterator[str]:
    """A line for each pair and measure, in the order of the runs; values to the last digit."""
    yield _line(_COLUMNS)
    for one, reference in enumerate(matrix.names):
        rows = [layer.row(one) for layer in matrix.layers]
        for other, candidate in enumerate(matrix.names):
            if not matrix.has(one, other):
                continue
            for layer, row in zip(matrix.layers, rows, strict=True):
                value = row[other]
                yield _line(
                    (
                        reference,
                        candidate,
                        str(layer.measure),
                        layer.on or "",
                        "" if value is None else repr(value),
                        layer.reasons.get((one, other), ""),
                    )
                )


def _line(cells: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def matrix_csv(matrix: Matrix) -> str:
    """A matrix as CSV, as `csv_lines` has it."""
    return "".join(csv_lines(matrix))


def json_lines(matrix: Matrix) -> Iterator[str]:
    """A list of pairs in JSON, as evaluations have it, a line for each pair."""
    separator = "["
    for one, reference in enumerate(matrix.names):
        rows = [layer.row(one) for layer in matrix.layers]
        for other, candidate in enumerate(matrix.names):
            if not matrix.has(one, other):
                continue
            record = {
                "reference": reference,
                "candidate": candidate,
                "results": [
                    {
                        "measure": layer.measure.id,
                        "on": layer.on,
                        "value": row[other],
                        "reason": layer.reasons.get((one, other)),
                        "parameters": dict(layer.measure.parameters),
                        "topics": layer.topics(one, other),
                    }
                    for layer, row in zip(matrix.layers, rows, strict=True)
                ],
            }
            yield f"{separator}\n{json.dumps(record, ensure_ascii=False, allow_nan=False)}"
            separator = ","
    yield "\n]\n"


def matrix_json(matrix: Matrix) -> str:
    """A matrix as JSON, as `json_lines` has it."""
    return "".join(json_lines(matrix))
