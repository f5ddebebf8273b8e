"""The draft of one nanopublication, as commands print it: its statements, or what it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from primad_ld.core.errors import OutputError
from primad_ld.core.files import plain_suffix
from primad_ld.core.iris import RDFS
from primad_ld.header.redaction import LeftOut
from primad_ld.nanopub.nanopub_folder import glance
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.nanopub_statements import as_nquads
from primad_ld.rdf.nanopub_terms import DESCRIBES, INTRODUCES, SUPERSEDES
from primad_ld.tables.answers import Answer, Table, columns

#: The forms of a draft, by the suffixes of their files.
_FORMS: Final[Mapping[str, Callable[[Nanopub], str]]] = {
    "trig": as_trig,
    "nq": lambda nanopub: as_nquads(nanopub.statements),
}
_SUFFIXES: Final = (".trig", ".nq", ".nquads")
_COLUMNS: Final = columns(
    file="file",
    uri="draft",
    label="label",
    about="about",
    supersedes="supersedes",
    left_out="left out",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class DraftReport(Answer):
    """A draft that was made, and what its author should know before it is signed."""

    own_forms: ClassVar[Mapping[str, Callable[[Any], Iterable[str]]]] = {
        "trig": lambda report: [draft_text(report.nanopub, "trig")],
        "nq": lambda report: [draft_text(report.nanopub, "nq")],
    }

    nanopub: Nanopub
    #: The file that it was written into, if it was.
    path: Path | None = None
    #: What was left out of it, since it must not leave the machine.
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        """One row: what the draft is called, and what it is about."""
        nanopub, uri = self.nanopub, self.nanopub.uri
        row = {
            "file": self.path,
            "uri": uri,
            "label": next(iter(nanopub.values(uri, RDFS + "label")), None),
            "about": [*nanopub.values(uri, INTRODUCES), *nanopub.values(uri, DESCRIBES)],
            "supersedes": nanopub.values(uri, SUPERSEDES),
            "left_out": [str(part) for part in self.left_out],
        }
        return Table(name="drafts", columns=_COLUMNS, rows=[row])


def draft_text(nanopub: Nanopub, form: str) -> str:
    """A draft as TriG or N-Quads: ``trig`` or ``nq``."""
    return _FORMS[form](nanopub)


def form_of_draft(path: Path) -> str:
    """The form that the name of a file asks for.

    Raises:
        OutputError: Drafts are written in no such form.
    """
    suffix = Path(plain_suffix(path)[0]).suffix.lower()
    if suffix not in _SUFFIXES:
        raise OutputError(f"{path}: drafts are written to files that end with .trig or .nq")
    return "trig" if suffix == ".trig" else "nq"


def check_draft_file(path: Path | None, form: str) -> None:
    """Refuse a file that no draft can be written into; other forms than those of drafts have any.

    Raises:
        OutputError: It does not end as a draft does, or what is in it is signed.
    """
    if path is None or str(path) == "-" or form not in _FORMS:
        return
    form_of_draft(path)
    if path.is_file():
        entry = glance(path)
        if entry.uri and not entry.is_draft:
            raise OutputError(f"{path} is signed already; name another file")
