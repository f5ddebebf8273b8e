"""RDF files as plain dictionaries of texts, for what we read at start: shapes and schemes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from primad_ld.errors import SchemaError

#: By subject and predicate, the objects as texts, in the order of the file.
Subjects = dict[str, dict[str, list[str]]]


def read_subjects(*files: Path) -> Subjects:
    """The triples of some Turtle files by subject; blank nodes begin with ``_:``.

    pyoxigraph reads the shapes in a few milliseconds; rdflib alone takes longer to import.
    """
    import pyoxigraph

    subjects: Subjects = {}
    for number, file in enumerate(files):
        try:
            triples: Iterable[pyoxigraph.Quad] = pyoxigraph.parse(path=str(file))
            for triple in triples:
                values = subjects.setdefault(_text(triple.subject, number), {})
                values.setdefault(triple.predicate.value, []).append(_text(triple.object, number))
        except (SyntaxError, ValueError, OSError) as error:
            raise SchemaError(f"{file}: cannot be read as Turtle: {error}") from error
    return subjects


def _text(term: object, number: int) -> str:
    import pyoxigraph

    if isinstance(term, pyoxigraph.BlankNode):
        return f"_:{number}-{term.value}"  # the same label in two files is not the same node
    return str(term.value)  # type: ignore[attr-defined]
