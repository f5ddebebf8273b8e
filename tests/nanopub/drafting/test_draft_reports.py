"""One draft as commands print it: its statements, or a row about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.things import a_thing

from primad_ld.core.errors import OutputError
from primad_ld.header.redaction import LeftOut
from primad_ld.nanopub.drafting.draft_reports import DraftReport, form_of_draft
from primad_ld.nanopub.nanopubs import nanopub_of
from primad_ld.rdf.nanopub_statements import parse_statements


@pytest.mark.parametrize("form", ["trig", "nq"])
def test_its_own_forms_are_the_draft(form: str) -> None:
    text = DraftReport(nanopub=a_thing()).text(form)
    found = nanopub_of(parse_statements(text.encode(), f".{form}", "test"))
    assert set(found.statements) == set(a_thing().statements)


def test_a_row_says_what_it_is() -> None:
    left_out = (LeftOut(field="reason", what="an email address"),)
    report = DraftReport(nanopub=a_thing(), path=Path("a.trig"), left_out=left_out)
    (row,) = report.to_dicts()
    assert (row["file"], row["uri"]) == ("a.trig", a_thing().uri)
    assert row["label"] == "Thing 1"
    assert row["left_out"] == ["reason: an email address"]


@pytest.mark.parametrize(
    ("name", "form"),
    [("a.trig", "trig"), ("a.trig.gz", "trig"), ("a.nq", "nq"), ("a.nquads", "nq")],
)
def test_files_are_told_by_their_names(name: str, form: str) -> None:
    assert form_of_draft(Path(name)) == form


@pytest.mark.parametrize("name", ["a", "a.txt", "a.jsonld"])
def test_other_files_hold_no_drafts(name: str) -> None:
    with pytest.raises(OutputError, match=r"files that end with \.trig or \.nq"):
        form_of_draft(Path(name))
