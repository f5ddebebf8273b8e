"""Findings as a ``sh:ValidationReport``; `test_cli_validation` compares it with that of pyshacl."""

from __future__ import annotations

import pytest
import rdflib
from rdflib.namespace import SH
from support import Put
from support.judged import GOOD, as_run, changed

from primad_ld.core.errors import OutputError
from primad_ld.validation.folders import ValidationOptions
from primad_ld.validation.validation_report import validate


def test_no_password_is_in_it(put: Put) -> None:
    run = put("run.txt", as_run(changed(("team: newts", "team: ghp_" + "a1B2" * 9))))
    text = validate(run, ValidationOptions(with_results=True)).text("ttl")
    report = rdflib.Graph().parse(data=text, format="turtle")
    assert "ghp_" not in text
    assert "…" in {str(value) for value in report.objects(None, SH.value)}


def test_it_has_no_results_where_nothing_is_missing(put: Put) -> None:
    report = validate(put("run.txt", as_run(GOOD)), ValidationOptions(with_results=True))
    assert "sh:conforms true ." in report.text("ttl")


def test_results_that_were_not_kept_are_not_said_to_be_none(put: Put) -> None:
    report = validate(put("run.txt", as_run(GOOD)))
    with pytest.raises(OutputError, match="with_results=True"):
        report.text("ttl")
