"""What the tests of figures share: results to draw, and figures as XML."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from primad_ld.plot.plotted_results import NO_REASON, ComparedRuns, Measured

if TYPE_CHECKING:
    from click.testing import Result

#: A command of ``plot``, by its arguments.
Draw = Callable[..., "Result"]
SVG = "{http://www.w3.org/2000/svg}"


def measured(id: str, value: float | None, on: str | None = "map", **more: Any) -> Measured:
    reason = more.pop("reason", NO_REASON)
    reason = "" if value is not None else reason
    return Measured(id=id, label=id, on=on, value=value, reason=reason, **more)


def swept(
    candidate: str,
    mean: float | None,
    error: float | None,
    reference: str = "ref",
    base: float = 0.25,
) -> ComparedRuns:
    """A pair of a sweep."""
    details = {} if mean is None else {"reference": base, "candidate": mean}
    change = None if mean is None else mean - base
    return ComparedRuns(
        reference=reference,
        candidate=candidate,
        results=(
            measured("delta_arp", change, details=details, reason="no topic in common"),
            measured("rmse", error, reason="other judgements"),
        ),
        place=f"{reference} and {candidate}",
    )


def effect(
    name: str, ratio: float | None, delta: float | None, primad: str = "priMad", **details: Any
) -> ComparedRuns:
    """A reproduced effect."""
    return ComparedRuns(
        reference="base",
        candidate=f"base-{name}",
        reference_advanced="adv",
        candidate_advanced=f"adv-{name}",
        primad=primad,
        results=(
            measured("er", ratio, reason="the original effect is 0", details=details),
            measured("dri", delta, reason="the reproduced baseline has a mean score of 0"),
        ),
        place=name,
    )


def cell(
    reference: str, candidate: str, value: float | None, id: str = "rbo", **more: Any
) -> ComparedRuns:
    """A pair of a matrix."""
    return ComparedRuns(
        reference=reference,
        candidate=candidate,
        results=(measured(id, value, None if id in ("rbo", "ktu_first_seen") else "map", **more),),
        place=f"{reference} and {candidate}",
    )


def as_json(records: Sequence[ComparedRuns]) -> str:
    """Results as ``evaluate --format json`` has them."""
    rows = [_row(record, one) for record in records for one in record.results]
    return json.dumps({"results": rows}, ensure_ascii=False)


def _row(record: ComparedRuns, one: Measured) -> dict[str, Any]:
    return {
        "reference": record.reference,
        "candidate": record.candidate,
        "reference_advanced": record.reference_advanced or None,
        "candidate_advanced": record.candidate_advanced or None,
        "primad": record.primad or None,
        "run": one.run or None,
        "measure": one.id,
        "on": one.on,
        "value": one.value,
        "reason": one.reason or None,
        "details": dict(one.details),
        **({"by_topic": dict(one.by_topic)} if one.by_topic is not None else {}),
    }


def texts(svg: bytes) -> str:
    """All that can be read in a figure."""
    root = ET.fromstring(svg)
    return "\n".join("".join(one.itertext()) for one in root.iter(f"{SVG}text"))


def draw_here() -> Draw:
    """What runs commands of ``plot`` in the folder at hand."""
    from typer.testing import CliRunner

    from primad_ld.cli.plotting import plot

    def invoke(*arguments: object, text: bytes | None = None) -> Result:
        result = CliRunner().invoke(plot, [str(one) for one in arguments], input=text)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code in (0, 2)
        return result

    return invoke
