"""Whatever a header says: it is judged, and neither order nor memory change what is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import Put, good, headers, loaded, shuffled
from support.judged import GOOD, as_run, found_in, report, validator
from support.mutation_cases import CASES

from primad_ld import header_of, parse_header
from primad_ld.core.errors import HeaderError
from primad_ld.header.sources import find_sources
from primad_ld.validation.findings_at_lines import SEVERITIES, FileReport
from primad_ld.validation.profiles import load_profile, profile_names
from primad_ld.validation.validator import Validator

_FEW = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def judged(fields: dict[str, Any], *profiles: str) -> FileReport:
    return validator(*(profiles or ("core",))).judge_lowered(header_of(fields), name="a").report


@_FEW
@given(headers)
def test_any_header_is_judged(fields: dict[str, Any]) -> None:
    found = judged(fields)
    assert 0 <= found.completeness <= 100
    for one in found.findings:
        assert one.remark.severity in SEVERITIES
        assert one.remark.message
        assert "{?" not in one.remark.message.replace(json.dumps(fields), "") or "{?" in str(fields)
        assert one.remark.code
    # And as what somebody filled in a good header with.
    judged(good() | fields)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(headers, st.sampled_from([name for name in profile_names() if name != "core"]))
def test_by_any_profile(fields: dict[str, Any], profile: str) -> None:
    judged(fields, profile)


@_FEW
@given(headers, st.integers(0, 99))
def test_the_order_of_keys_does_not_count(fields: dict[str, Any], seed: int) -> None:
    one, other = judged(fields), judged(shuffled(fields, seed))
    assert sorted(found_in(one), key=str) == sorted(found_in(other), key=str)
    assert one.completeness == other.completeness


def test_the_order_of_keys_of_broken_headers_does_not_count() -> None:
    for seed, case in enumerate(CASES.values()):
        fields = loaded(case.text())
        one, other = judged(fields), judged(shuffled(fields, seed))
        assert {(a.remark, a.file) for a in one.findings} == {
            (b.remark, b.file) for b in other.findings
        }


def test_what_is_remembered_changes_nothing(put: Put) -> None:
    """A judge that has seen all of them, and then again, against one that has seen none."""
    texts = [case.text() for case in list(CASES.values())[::4]]
    paths = [put(f"{number}.txt", as_run(text)) for number, text in enumerate(texts)]
    sources = find_sources(paths)
    seasoned = Validator(load_profile("core"))
    first = [seasoned.judge_source(source).report for source in sources]
    again = [seasoned.judge_source(source).report for source in reversed(sources)][::-1]
    assert first == again
    for source, known in list(zip(sources, first, strict=True))[::3]:
        assert Validator(load_profile("core")).judge_source(source).report == known


def test_the_same_component_at_another_line(put: Put) -> None:
    """What is remembered of a component are its remarks, and not where it stands."""
    bad = GOOD.replace("number of cores: 32", "number of cores: many")
    first = report(put("a.txt", as_run(bad)))
    second = report(put("b.txt", "# A remark.\n" + as_run("# another\n\n" + bad)))
    assert [one.line for one in first.findings] == [11]
    assert [one.line for one in second.findings] == [14]


def test_headers_that_cannot_be_read_raise_what_they_should(tmp_path: Path) -> None:
    for number, text in enumerate(["tag: [", "- a\n- b\n", "a: 1\n", "\0", "tag: a\ntag: b\n"]):
        path = tmp_path / f"{number}.yml"
        path.write_text(text)
        (source,) = find_sources([path])
        with pytest.raises(HeaderError) as caught:
            validator("core").judge_source(source)
        assert caught.value.why


@pytest.mark.parametrize("old", ["team: newts", "number of cores: 32", "- name: all"])
def test_the_same_value_at_another_line_of_another_header(old: str) -> None:
    """Lists stand somewhere as mappings do, so they are not the same for saying the same."""
    bad = GOOD.replace(old, old.partition(":")[0] + ": TODO")
    judge = Validator(load_profile("core"))
    (first,) = judge.judge_lowered(parse_header(bad), name="a").report.findings
    (second,) = judge.judge_lowered(parse_header("\n\n\n" + bad), name="a").report.findings
    assert (second.line, second.remark) == ((first.line or 0) + 3, first.remark)
