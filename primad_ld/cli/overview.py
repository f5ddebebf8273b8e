"""What ``info`` and ``query --list`` print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from primad_ld.cli.layout import add_row, as_json, new_table, rendered

if TYPE_CHECKING:
    from primad_ld.archive.maintenance import Info
    from primad_ld.archive.query_catalogue import NamedQuery

_MOST_VALUES: Final = 8


# info -------------------------------------------------------------------------------------


def _info_table(info: Info) -> str:
    table = new_table("what", "how many", "which")
    table.columns[1].justify = "right"
    add_row(table, "runs", f"{info.runs:,}", "")
    add_row(table, "triples", f"{info.triples:,}", "")
    add_row(table, "rankings", f"{info.rankings:,}", "")
    add_row(table, "runs with scores", f"{info.scored:,}", _listed(info.judgements))
    add_row(table, "runs with scores by topic", f"{info.scored_by_topic:,}", "")
    add_row(table, "assessments", f"{info.assessments:,}", "")
    add_row(table, "assessments of precision", f"{info.precisions:,}", "")
    states = ", ".join(f"{state} ({count:,})" for state, count in info.nanopubs.items())
    add_row(table, "nanopublications", f"{info.nanopubs_in_all:,}", states)
    for name, values in (
        ("teams", info.teams),
        ("collections", info.collections),
        ("years", info.years),
        ("measures", info.measures),
    ):
        add_row(table, name, f"{len(values):,}", _listed(values))
    for name, count in info.components.items():
        add_row(table, f"distinct: {name}", f"{count:,}", "")
    return rendered(table)


def _listed(values: Mapping[str, int]) -> str:
    listed = [f"{value} ({count:,})" for value, count in list(values.items())[:_MOST_VALUES]]
    more = len(values) - _MOST_VALUES
    return ", ".join(listed) + (f" … {more:,} more" if more > 0 else "")


def _info_json(info: Info) -> str:
    return as_json(
        {
            "archive": info.archive,
            "runs": info.runs,
            "triples": info.triples,
            "rankings": info.rankings,
            "scored": info.scored,
            "scored_by_topic": info.scored_by_topic,
            "judgements": info.judgements,
            "assessments": info.assessments,
            "precisions": info.precisions,
            "nanopublications": info.nanopubs,
            "components": info.components,
            "teams": info.teams,
            "collections": info.collections,
            "years": info.years,
            "measures": info.measures,
        }
    )


INFO: Final[Mapping[str, Callable[[Info], str]]] = {"table": _info_table, "json": _info_json}


# query --list -------------------------------------------------------------------------------


def query_list(queries: Iterable[NamedQuery]) -> str:
    """The named queries with their parameters."""
    table = new_table("query", "what it answers", "parameters")
    for query in queries:
        names = [
            one.name if one.default is None and not one.optional else f"[{one.name}]"
            for one in query.parameters
        ]
        add_row(table, query.name, query.title, " ".join(names))
    return rendered(table)
