"""The named queries of docs/queries.md, compiled from their files.

``python tests/support/catalogue_page.py`` writes them into the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from primad_ld.archive.query_catalogue import NamedQuery, named_queries

PAGE = Path(__file__).parents[2] / "docs" / "queries.md"
BEGIN = "<!-- Compiled from primad_ld/archive/queries by tests/support/catalogue_page.py. -->\n"


def catalogue() -> str:
    """Every named query with its parameters and an example, below a list of all."""
    queries = named_queries().values()
    contents = "\n".join(f"| [{one.name}](#{one.name}) | {one.title} |" for one in queries)
    sections = "\n".join(_section(one) for one in queries)
    return f"| query | |\n|---|---|\n{contents}\n\n{sections}"


def with_catalogue(page: str) -> str:
    """The page with its named queries as they are now."""
    before, _, _ = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{catalogue()}"


def _section(query: NamedQuery) -> str:
    parts = [f"### {query.name}", f"**{query.title}**", query.answer]
    if query.parameters:
        parts.append("\n".join(["| parameter | type | |", "|---|---|---|", *_rows(query)]))
    if query.columns:
        names = (f"(`{name}`)" if name in query.wide else f"`{name}`" for name in query.columns)
        parts.append(f"Columns: {', '.join(names)}.")
    arguments = f" {query.example}" if query.example else ""
    parts.append(f"```sh\nprimad-ld query {query.name}{arguments} --archive my-archive\n```")
    return "\n\n".join(parts) + "\n"


def _rows(query: NamedQuery) -> Iterator[str]:
    for one in query.parameters:
        default = f", `{one.default}` if left out" if one.default is not None else ""
        optional = ", optional" if one.optional else ""
        yield f"| `{one.name}` | {one.type_name}{optional}{default} | {one.description} |"


if __name__ == "__main__":
    PAGE.write_text(with_catalogue(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
