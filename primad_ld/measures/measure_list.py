"""All measures of reproducibility as rows: what they need, where they are valid, what they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from primad_ld.measures.registry import Measure, all_measures, choose, measures_page
from primad_ld.tables.answers import Answer, Cell, Column, Row, Table


def _page(_: MeasureList) -> Iterator[str]:
    yield measures_page()


@dataclass(frozen=True, slots=True, repr=False)
class MeasureList(Answer):
    """The measures that are registered; in Markdown a page with examples."""

    own_forms: ClassVar[dict[str, Callable[[Any], Iterable[str]]]] = {"markdown": _page}

    def table(self) -> Table:
        """A row for each measure."""
        columns = [
            Column(key="id", title="measure"),
            Column(key="name", title="name"),
            Column(key="needs", title="needs"),
            Column(key="data", title="data"),
            Column(key="range", title="range"),
            Column(key="direction"),
            Column(key="identity", title="itself"),
            Column(key="parameters", title="parameters"),
            Column(key="definition"),
            Column(key="caveats"),
            Column(key="assumes"),
            Column(key="asked"),
            Column(key="sentence"),
            Column(key="repro_eval"),
            Column(key="cites"),
        ]
        return Table(name="measures", columns=columns, rows=[*map(_row, all_measures().values())])


def _row(measure: Measure) -> Row:
    written = [
        f"{name}={'…' if parameter.default is None else parameter.default}"
        for name, parameter in measure.written.items()
    ]
    defaults = {name: parameter.default for name, parameter in measure.parameters.items()}
    return {
        "id": Cell(measure.id, str(choose(measure, {}))),
        "name": measure.name,
        "needs": measure.needs,
        "data": measure.data,
        "range": measure.range,
        "direction": measure.direction,
        "identity": measure.identity,
        "parameters": Cell(defaults, ", ".join(written)),
        "definition": measure.definition,
        "caveats": measure.caveats,
        "assumes": measure.assumes,
        "asked": measure.asked,
        "sentence": measure.sentence,
        "repro_eval": measure.repro_eval,
        "cites": measure.cites,
    }
