"""What the tests of figures share: rows of results to draw, and figures as XML."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

from primad_ld.qra.precision import precision_of
from primad_ld.tables.answers import Answer, Table

Row = dict[str, Any]
SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True, slots=True, repr=False)
class FoundRows(Answer):
    """An answer with some rows, as an evaluation is."""

    rows: list[Row]

    def table(self) -> Table:
        return Table(name="results", columns=[], rows=self.rows)

    def record(self) -> dict[str, object]:
        return {"assessments" if "object" in self.rows[0] else "results": self.rows}


def results_of(*rows: Row | Iterable[Row]) -> FoundRows:
    """An answer with some rows, which may stand together."""
    return FoundRows([one for some in rows for one in ([some] if isinstance(some, dict) else some)])


def as_json(*rows: Row | Iterable[Row]) -> str:
    """Results as ``evaluate --format json`` has them."""
    return json.dumps(results_of(*rows).record(), ensure_ascii=False)


def row(measure: str, value: float | None, on: str | None = "map", **more: Any) -> Row:
    """What a measure says of a and b, unless they are called otherwise."""
    reason = "a reason" if value is None else None
    pair = {"reference": "a", "candidate": "b", "measure": measure, "on": on}
    return pair | {"value": value, "reason": reason} | more


def swept(candidate: str, mean: float | None, error: float | None, **more: Any) -> Row:
    """A candidate of a sweep."""
    means = {"reference_mean": 0.25, "candidate_mean": mean}
    pair = {"reference": "ref", "candidate": candidate, "reason": "no topic in common"}
    return row("rmse", error, **pair | means | more)


def effect(
    name: str, ratio: float | None, delta: float | None, primad: str = "priMad", **more: Any
) -> list[Row]:
    """A reproduced effect."""
    names: Row = {
        "reference": "base",
        "candidate": f"base-{name}",
        "reference_advanced": "adv",
        "candidate_advanced": f"adv-{name}",
        "primad": primad or None,
    }
    return [
        row("er", ratio, **names | {"reason": "the original effect is 0"} | more),
        row("dri", delta, **names | {"reason": "the reproduced baseline has a score of 0"} | more),
    ]


def cell(
    reference: str, candidate: str, value: float | None, measure: str = "rbo", **more: Any
) -> Row:
    """A pair of a matrix."""
    on = None if measure in ("rbo", "ktu") else "map"
    return row(measure, value, on, **{"reference": reference, "candidate": candidate} | more)


def assessment(
    name: str = "system",
    values: Sequence[float] = (1.0, 3.0),
    measurand: str = "map",
    *,
    original: int | None = 0,
    scale: Row | None = None,
    **more: Any,
) -> Row:
    """An assessment as ``qra`` writes it, with its precision where there is one."""
    figures: Row = {"reason": "1 measurement"}
    minimum = (scale or {}).get("min") or 0.0
    if len(values) > 1:
        precision = precision_of(values, minimum=minimum)
        figures = {
            "mean": precision.mean + minimum,
            "stdev": precision.stdev,
            "cv_star": precision.cv_star,
        }
    measurements = [
        {"value": value} | ({"is_original": True} if place == original else {})
        for place, value in enumerate(values)
    ]
    about = {"object": name, "measurand": measurand, "measurements": measurements}
    return about | {"scale": (scale or {}) | {"stated": scale is not None}} | figures | more


def texts(svg: bytes) -> str:
    """All that can be read in a figure."""
    root = ET.fromstring(svg)
    return "\n".join("".join(one.itertext()) for one in root.iter(f"{SVG}text"))
