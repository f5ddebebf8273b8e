"""What all reports have in common, and the findings that the tests of each are made with."""

from __future__ import annotations

import gc
import io
import tracemalloc

import pytest
from support.reports import finding, hostile_problems, hostile_reports, report, written

from primad_ld.core.errors import OutputError
from primad_ld.validation.formats import FORMATS, Totals, writer


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_that_steers_a_terminal_comes_through(format: str) -> None:
    text = written(format, *hostile_reports(), *hostile_problems(), show_hints=True)
    assert {char for char in text if not char.isprintable()} == {"\n"}
    assert text.encode()  # no half characters either


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_findings_give_the_same_report(format: str) -> None:
    reports = [*hostile_reports(), *hostile_problems()]
    assert written(format, *reports) == written(format, *reports)


@pytest.mark.parametrize("format", FORMATS)
def test_a_report_without_files(format: str) -> None:
    assert written(format).isprintable() is (format == "text")


@pytest.mark.parametrize("format", FORMATS)
def test_memory_does_not_grow_with_the_findings(format: str) -> None:
    severities = ["violation", "warning", *["info"] * 8]
    findings = [
        finding(f"runs/{number}.txt", number + 1, field=f"method.retrieval[{number}].k1")
        for number in range(10)
    ]
    many = tuple(
        one._replace(remark=one.remark._replace(severity=severity))
        for one, severity in zip(findings, severities, strict=True)
    )
    totals, stream = Totals(), _Nowhere()
    out = writer(format, stream, show_hints=True)
    try:
        for number in range(8_000):
            if number == 6_000:  # from here on, 20,000 findings leave no trace
                tracemalloc.start()
            one = report(*many, file=f"runs/{number}.txt")
            out.add(one)
            totals.add(one)
        left, peak = tracemalloc.get_traced_memory()
        out.close(totals)
    finally:
        tracemalloc.stop()
    assert stream.size > 4 * 10**6
    assert left < 10**5
    assert peak < 10**6


class _Nowhere(io.StringIO):
    """Takes any amount of text and keeps none."""

    size = 0

    def write(self, text: str, /) -> int:
        self.size += len(text)
        return len(text)


def test_a_format_that_there_is_not() -> None:
    with pytest.raises(OutputError, match=r"'xml'; there are text, json, sarif, github"):
        writer("xml", io.StringIO())


def test_totals() -> None:
    totals = Totals()
    totals.add(report(finding(), finding(severity="info"), completeness=50))
    totals.add(report(finding(severity="warning"), completeness=81))
    totals.add_problem()
    assert (totals.files, totals.conforming, totals.problems) == (2, 1, 1)
    assert (totals.violations, totals.warnings, totals.infos) == (1, 1, 1)
    assert totals.completeness == 66
    assert Totals().completeness == 0


@pytest.mark.parametrize("format", FORMATS)
def test_who_stops_half_way_leaves_nothing_open(format: str) -> None:
    out = writer(format, io.StringIO())
    out.add(report(*[finding()] * 10_000))
    del out
    gc.collect()  # an open file would be a warning here, and warnings are errors
