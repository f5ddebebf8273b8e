"""A good header is left in peace, and each way to break it is found where it is."""

from __future__ import annotations

import pytest
from support import Put, header_with
from support.judged import GOOD, as_run, found_in, line_of, report, validator
from support.mutation_cases import CASES

from primad_ld.schema.fields import Field, default_schema


@pytest.mark.parametrize("name", ["header.yml", "run.txt", "run.txt.gz"])
def test_nothing_is_said_of_a_good_header(put: Put, name: str) -> None:
    found = report(put(name, GOOD if name.endswith(".yml") else as_run(GOOD)))
    assert found.findings == ()
    assert (found.completeness, found.conforms) == (100, True)


@pytest.mark.parametrize("name", CASES)
def test_it_is_found_and_nothing_else(put: Put, name: str) -> None:
    case = CASES[name]
    text = case.text()
    wanted = sorted((line_of(text, marks), *rest) for marks, *rest in case.found)
    found = report(put("header.yml", text))
    assert sorted(found_in(found)) == wanted
    for part in case.says:
        assert part in found.findings[0].remark.message


@pytest.mark.parametrize("name", [*list(CASES)[::9], "across:tag"])
def test_it_is_found_in_the_comments_of_a_run_as_well(put: Put, name: str) -> None:
    """One line further down, and with a tag in the file that may be another."""
    case = CASES[name]
    wanted = {(line_of(case.text(), marks) + 1, *rest) for marks, *rest in case.found}
    found = set(found_in(report(put("run.txt", as_run(case.text())))))
    differs = {one for one in found if one[3] == "tag-differs"}
    assert found - differs == wanted
    assert bool(differs) == (name == "across:tag")


def _fields(*wanted: str) -> list[Field]:
    return [
        field
        for field in default_schema().walk()
        if field.converter_name in wanted and field.path[-1] != "*"
    ]


#: Fields whose addresses have one form each, which says more.
OF_ONE_FORM = {"dblp": "dblp-is-one", "doi": "doi-is-one", "arxiv": "arxiv-is-one"}


@pytest.mark.parametrize(
    "field", _fields("iri", "doi", "arxiv"), ids=lambda one: ".".join(one.path)
)
@pytest.mark.parametrize("scheme", ["htp:/", "https:/", "httpss://"])
def test_every_address_begins_as_one(field: Field, scheme: str) -> None:
    code = OF_ONE_FORM.get(field.key, "unknown-scheme")
    header = header_with(field.path, f"{scheme}example.org/x")
    assert code in {
        one[3] for one in found_in(validator("core").judge_lowered(header, name="header").report)
    }


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/x", "HTTP://example.org", "ftp://example.org/x", "git+ssh://git@h/x",
        "s3://bucket/x", "doi:10.1000/1", "urn:nbn:de:x", "swh:1:rev:0", "file:///data/x",
        "https://web.archive.org/web/2020/https://x.org/a", "https://example.org/?next=https://x",
        "http://localhost.org", "https://a@example.org:8080/x", "http://193.99.144.80/x",
        "https://internal.example.org", "https://172.32.0.1", "file:///https/x", "docker://image",
    ],
)  # fmt: skip
def test_addresses_that_are_served(address: str) -> None:
    header = header_with(("data", "test collection", "source"), address)
    found = {
        one[3] for one in found_in(validator("core").judge_lowered(header, name="header").report)
    }
    assert not found & {"unknown-scheme", "two-schemes", "local-host"}


@pytest.mark.parametrize(
    ("code", "address"),
    [
        ("two-schemes", "https://https://github.com/a/b"),
        ("two-schemes", "https://http//github.com/a/b"),
        ("two-schemes", "https://https:/github.com/a/b"),
        ("two-schemes", "git+https://HTTPS://github.com/a/b"),
        ("two-schemes", "doi:https://doi.org/10.1000/1"),
        ("local-host", "https://localhost/x"),
        ("local-host", "http://LOCALHOST:8080"),
        ("local-host", "https://x"),
        ("local-host", "https://x/?a"),
        ("local-host", "https://ada@gpu01:80/x"),
        ("local-host", "ftp://gpu01.local/x"),
        ("local-host", "http://127.0.0.1:80/"),
        ("local-host", "http://10.0.0.5#a"),
        ("local-host", "http://192.168.1.20/x"),
        ("local-host", "http://172.16.0.1/x"),
    ],
)
def test_addresses_that_nobody_else_reaches(code: str, address: str) -> None:
    """Each of them, and of two faults the one that says more."""
    header = header_with(("data", "test collection", "source"), address)
    found = {
        one[3] for one in found_in(validator("core").judge_lowered(header, name="header").report)
    }
    assert found & {"unknown-scheme", "two-schemes", "local-host"} == {code}


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 180
    # Several things are wrong only where one cannot be without the other.
    assert sum(len(case.found) > 1 for case in CASES.values()) <= 12
