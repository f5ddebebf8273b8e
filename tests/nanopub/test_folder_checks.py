"""What is missed in valid nanopublications: every remark, and what causes none."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support import Cli, Put
from support.claimed import foreign
from support.nanopubs import EX, ORCID, a_draft, check, draft_text, signed_draft, text, typed

from primad_ld.nanopub import nanopub_folder
from primad_ld.nanopub.checking import Checked, CheckState, check_statements
from primad_ld.nanopub.folder_checks import refusals_of, remarks_on
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.signing import Signed, Signer, seal
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.nanopub_statements import Statement, as_nquads
from primad_ld.rdf.nanopub_terms import (
    APPENDS_INDEX,
    CREATED,
    CREATOR,
    HAS_TYPE,
    INCLUDES_ELEMENT,
    INDEX,
    LICENSE,
    PAV,
    SIGNED_BY,
)
from primad_ld.rdf.subject_index import Object

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

Change = Callable[[list[Statement], str], Iterable[Statement]]


def whole(draft: Nanopub, signer: Signer) -> list[Statement]:
    """The statements of a draft of which nothing is missed once it is sealed."""
    info, uri = draft.pubinfo, draft.uri
    return [
        *draft.statements,
        Statement(info, uri, CREATED, typed("2026-03-01T12:00:00Z", "dateTime")),
        Statement(info, uri, CREATOR, Object(signer.orcid)),
        Statement(info, uri, LICENSE, Object(signer.license)),
    ]


def sealed(change: Change, signer: Signer) -> Checked:
    """A draft that was changed before it was signed, as a check finds it."""
    draft = a_draft()
    statements = tuple(change(whole(draft, signer), draft.uri))
    sealed_draft = seal(replace(draft, statements=statements), signer)
    found = check_statements(list(sealed_draft.statements))
    assert (found.state, found.problems) == (CheckState.SIGNED, ())
    return found


def without(predicate: str) -> Change:
    return lambda said, uri: [one for one in said if one.predicate != predicate]


def saying(predicate: str, *values: Object) -> Change:
    """Other values of what is said of the nanopublication itself."""
    return lambda said, uri: [
        *without(predicate)(said, uri),
        *(Statement(f"{uri}pubinfo", uri, predicate, value) for value in values),
    ]


def asserting(*values: Object, predicate: str = f"{EX}p") -> Change:
    return lambda said, uri: [
        *said,
        *(Statement(f"{uri}assertion", f"{uri}run", predicate, value) for value in values),
    ]


def indexing(*, elements: int = 0, appended: int = 0) -> Change:
    """As an index that lists so many elements, and comes behind so many others."""

    def change(said: list[Statement], uri: str) -> list[Statement]:
        lists = {INCLUDES_ELEMENT: elements, APPENDS_INDEX: appended}
        listed = [
            Statement(f"{uri}assertion", uri, predicate, Object(f"{EX}{number}"))
            for predicate, count in lists.items()
            for number in range(count)
        ]
        return [*said, Statement(f"{uri}pubinfo", uri, TYPE, Object(INDEX)), *listed]

    return change


def in_time(**distance: float) -> Object:
    moment = datetime.now(UTC) + timedelta(**distance)
    return typed(moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"), "dateTime")


NO_TIME = "which is no xsd:dateTime"

CASES: dict[str, tuple[Change, tuple[str, ...]]] = {
    "nothing": (lambda said, uri: said, ()),
    "no label": (without(LABEL), ("it has no label (rdfs:label)",)),
    "no licence": (without(LICENSE), ("it has no licence (dct:license)",)),
    "no type": (
        without(HAS_TYPE),
        ("it has no type that people look for it by (npx:hasNanopubType)",),
    ),
    "its type by rdf:type": (
        lambda said, uri: [
            *without(HAS_TYPE)(said, uri),
            Statement(f"{uri}pubinfo", uri, TYPE, Object(f"{EX}Example")),
        ],
        (),
    ),
    "no creator": (
        without(CREATOR),
        (f"its signer {ORCID} is none of its creators", "it has no creator (dct:creator)"),
    ),
    "a creator by pav": (
        lambda said, uri: [
            *without(CREATOR)(said, uri),
            Statement(f"{uri}pubinfo", uri, f"{PAV}createdBy", Object(ORCID)),
        ],
        (),
    ),
    "another creator": (
        saying(CREATOR, Object("https://orcid.org/0000-0001-5109-3700")),
        (f"its signer {ORCID} is none of its creators",),
    ),
    "a mistyped ORCID": (
        saying(CREATOR, Object(ORCID), Object("https://orcid.org/0000-0002-1825")),
        (
            "https://orcid.org/0000-0002-1825 is no ORCID; it has the form "
            "https://orcid.org/0000-0000-0000-000X",
        ),
    ),
    "an old ORCID": (
        saying(CREATOR, Object(ORCID), Object("http://orcid.org/0000-0002-1825-0097")),
        (
            "http://orcid.org/0000-0002-1825-0097 is no ORCID; it has the form "
            "https://orcid.org/0000-0000-0000-000X",
            "ORCIDs begin with https://orcid.org/",
        ),
    ),
    "no time": (
        without(CREATED),
        ("it has no time of creation (dct:created), where one belongs",),
    ),
    "two times": (
        saying(CREATED, in_time(days=-1), in_time(days=-2)),
        ("it has 2 times of creation (dct:created), where one belongs",),
    ),
    "a date": (
        saying(CREATED, typed("2026-03-01", "date")),
        (f"its time of creation is '2026-03-01', {NO_TIME}",),
    ),
    "a date that is called a time": (
        saying(CREATED, typed("2026-03-01", "dateTime")),
        (f"its time of creation is '2026-03-01', {NO_TIME}",),
    ),
    "a time as a text": (
        saying(CREATED, text("2026-03-01T12:00:00Z")),
        (f"its time of creation is '2026-03-01T12:00:00Z', {NO_TIME}",),
    ),
    "a time without a zone": (saying(CREATED, typed("2026-03-01T12:00:00", "dateTime")), ()),
    "a time at the beginning of the calendar": (
        saying(CREATED, typed("0001-01-01T00:00:00+14:00", "dateTime")),
        (),
    ),
    "a time long ago": (saying(CREATED, typed("-0044-03-15T12:00:00Z", "dateTime")), ()),
    "a moment ahead": (saying(CREATED, in_time(seconds=30)), ()),  # clocks differ
    "blank nodes are none here": (asserting(Object(f"{EX}o")), ()),
    "an IRI that is no address": (
        asserting(Object("urn:x:y"), Object("mailto:a@example.org")),
        ("urn:x:y does not begin with http, so registries' clients cannot follow it",),
    ),
    "an old DOI": (
        asserting(Object("http://dx.doi.org/10.1145/1")),
        ("DOIs begin with https://doi.org/",),
    ),
    "a date among the times": (
        asserting(typed("2026-03-01", "dateTime"), typed("2026-03-02", "dateTime")),
        ("'2026-03-01' is a date and no xsd:dateTime, which stores leave out",),
    ),
    "a thousand elements": (indexing(elements=1000), ()),
    "one more": (
        indexing(elements=1001),
        ("an index of 1,001 elements and sub-indexes, and it may have 1,000",),
    ),
    "two indexes before it": (
        indexing(appended=2),
        ("an index that appends 2 others, and may append one",),
    ),
    "a list that is no index": (  # then its length is nobody's concern
        asserting(*(Object(f"{EX}{number}") for number in range(1001)), predicate=INCLUDES_ELEMENT),
        (),
    ),
    "schema.org with https": (
        asserting(Object("https://schema.org/Dataset")),
        ("terms of schema.org begin with http://schema.org/",),
    ),
    "too many triples": (
        asserting(*(text(str(number)) for number in range(1200))),
        ("it has 1,224 triples, and registries take 1,200 at most",),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_remarks(case: str, signer: Signer) -> None:
    change, wanted = CASES[case]
    assert remarks_on(sealed(change, signer)) == wanted


@pytest.mark.parametrize(
    "moment",
    [
        lambda: in_time(minutes=5),  # asked when the test runs, which may be minutes from now
        lambda: in_time(days=400),
        lambda: typed("12026-01-01T00:00:00Z", "dateTime"),
    ],
)
def test_times_that_are_yet_to_come(moment: Callable[[], Object], signer: Signer) -> None:
    """Registries refuse these, and so they are a reason not to send it."""
    time = moment()
    found = sealed(saying(CREATED, time), signer)
    wanted = (f"its time of creation, {time.value}, is yet to come",)
    assert remarks_on(found) == wanted
    assert refusals_of(found) == wanted


def test_registries_refuse_what_is_too_large(signer: Signer) -> None:
    found = sealed(CASES["too many triples"][0], signer)
    assert refusals_of(found) == ("it has 1,224 triples, and registries take 1,200 at most",)
    long = sealed(asserting(text("x" * 1_000_000)), signer)
    assert refusals_of(replace(long, characters=1_003_000)) == (
        "it has 1,003,000 characters, and registries take 1,000,000 at most",
    )
    assert refusals_of(sealed(without(LABEL), signer)) == ()


def test_characters_are_counted_and_not_bytes(signer: Signer) -> None:
    written = signed_draft(signer, text("é" * 600_000)).text
    found = check(written)
    assert found.characters == len(written)
    assert len(written.encode()) > 1_000_000
    assert remarks_on(found) == ()


def test_what_is_signed_by_us_is_without_remarks(signer: Signer) -> None:
    assert remarks_on(check(signed_draft(signer).text)) == ()


def test_signers(signer: Signer) -> None:
    found = check(signed_draft(signer).text)
    assert found.signature is not None

    def with_signers(*signers: str) -> Checked:
        assert found.signature is not None
        return replace(found, signature=replace(found.signature, signers=signers))

    assert remarks_on(with_signers()) == ("it does not say whose key signed it (npx:signedBy)",)
    assert remarks_on(with_signers(ORCID, f"{EX}me")) == (
        "it says that 2 people signed it, by one key",
    )


def test_blank_nodes(signer: Signer) -> None:
    """Those of a draft have no names yet."""
    draft = a_draft()
    statements = [*draft.statements, Statement(draft.assertion, "_:b", f"{EX}p", Object("_:c"))]
    found = check_statements(statements)
    assert found.state is CheckState.PLAIN
    assert "it has blank nodes, which nobody can refer to" in remarks_on(found)


def test_of_invalid_ones_nothing_more_is_said(signer: Signer) -> None:
    signed = signed_draft(signer).nanopub
    (one,) = [one for one in signed.statements if one.predicate == SIGNED_BY]
    statements = list(signed.statements)
    statements.remove(one)
    found = check_statements(statements)
    assert found.state is CheckState.INVALID
    assert remarks_on(found) == ()
    assert refusals_of(found) == ()
    assert remarks_on(check("oops")) == ()


# On the command line ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def signed(signer: Signer) -> Signed:
    return signed_draft(signer, text("a"))


@pytest.fixture
def np(put: Put, signed: Signed) -> Path:
    """A folder with one of each state."""
    put("np/draft.trig", draft_text())
    put("np/more/changed.trig", signed.text.replace("bm25", "bm26"))
    put("np/readme.txt", "no nanopublication")
    put("np/.hidden.trig", "nor this")
    put("np/signed.nq.gz", as_nquads(signed.nanopub.statements))
    return put("np/signed.trig", signed.text).parent


def test_a_table_says_of_each_file_what_it_is(cli: Cli, np: Path, signed: Signed) -> None:
    done = cli("nanopub", "check", "np")
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [
        "note: not read (hidden): .hidden.trig",
        "note: not read (suffix of another kind of file): readme.txt",
    ]
    counts, _, *rows = done.stdout.splitlines()
    assert [row.split()[:2] for row in rows] == [
        ["file", "state"],
        ["np/draft.trig", "plain"],
        ["np/more/changed.trig", "invalid"],
        ["np/signed.nq.gz", "signed"],
        ["np/signed.trig", "signed"],
    ]
    assert "it was changed since it got its name: its digest is RA" in rows[2]
    assert rows[4].endswith(signed.nanopub.uri)
    assert counts == "2 signed, 1 plain, 1 invalid"


def test_formats_say_the_same(cli: Cli, np: Path, signed: Signed) -> None:
    found = json.loads(cli("nanopub", "check", "np", "--format", "json").stdout)
    found = found["nanopublications"]
    assert [one["state"] for one in found] == ["plain", "invalid", "signed", "signed"]
    assert found[2] == {
        "file": "np/signed.nq.gz",
        "state": "signed",
        "uri": signed.nanopub.uri,
        "problems": [],
        "remarks": [],
        "notes": [],
    }
    rows = list(csv.DictReader(io.StringIO(cli("nanopub", "check", "np", "-f", "csv").stdout)))
    assert [(row["file"], row["state"], row["uri"]) for row in rows] == [
        (one["file"], one["state"], one["uri"]) for one in found
    ]
    assert rows[0]["notes"] == ", ".join(found[0]["notes"])
    assert rows[1]["problems"] == ", ".join(found[1]["problems"])


@pytest.mark.parametrize(
    ("name", "note"),
    [
        # the same graphs under another name, as anybody can write it
        ("forged.trig", "its name holds no digest, so no name proves what it says"),
        ("draft.trig", "it is a draft, so no name proves what it says"),
        ("signed.trig", ""),
        ("changed.trig", ""),  # that it was changed is what its name proves
    ],
)
def test_what_no_name_proves_is_told(
    cli: Cli, np: Path, signed: Signed, name: str, note: str
) -> None:
    """Nothing is wrong with it, but anybody may have changed it."""
    text = {
        "forged.trig": as_trig(foreign("https://example.org/np/forged/")),
        "draft.trig": draft_text(),
        "signed.trig": signed.text,
        "changed.trig": signed.text.replace("bm25", "bm26"),
    }[name]
    (np / name).write_text(text)
    table = cli("nanopub", "check", np / name).stdout
    record = json.loads(cli("nanopub", "check", np / name, "-f", "json").stdout)
    (found,) = record["nanopublications"]
    assert found["notes"] == ([note] if note else [])
    assert ("no name proves" in table) is bool(note)
    assert note in table


@pytest.mark.parametrize(
    ("paths", "options", "code"),
    [
        (["np/signed.trig"], [], 0),
        (["np/signed.trig"], ["--strict"], 0),
        (["np/draft.trig"], [], 0),  # nothing is wrong with a draft
        (["np/draft.trig"], ["--strict"], 1),  # but it is nothing to publish
        (["np/more"], [], 1),
        (["np/signed.trig", "np/more/changed.trig"], [], 1),
        (["np/readme.txt"], [], 1),  # it was named, so it should be one
        (["nowhere"], [], 2),
    ],
)
def test_exit_codes(paths: list[str], options: list[str], code: int, cli: Cli, np: Path) -> None:
    done = cli("nanopub", "check", *paths, *options)
    assert done.exit_code == code
    assert (done.stdout == "") is (code == 2)
    assert done.stderr.count("\n") == (1 if code == 2 else 0)


@pytest.mark.parametrize(
    ("missing", "why"),
    [
        ("nowhere.trig", "there is no such file or folder"),
        ("nowhere", "there is no such file or folder"),  # without a suffix of one
        ("empty", "there are no nanopublications here (.trig, "),
    ],
)
def test_what_is_missing_stops_no_other(cli: Cli, np: Path, missing: str, why: str) -> None:
    (np.parent / "empty").mkdir()
    paths = ("np/signed.trig", missing, "np/more/changed.trig")
    done = cli("nanopub", "check", *paths, "-f", "json")
    assert done.exit_code == 2
    assert done.stderr.startswith(f"error: {missing}: {why}")
    assert done.stderr.count("\n") == 1
    found = json.loads(done.stdout)["nanopublications"]
    assert [(one["file"], one["state"]) for one in found] == [
        ("np/signed.trig", "signed"),
        ("np/more/changed.trig", "invalid"),
        (missing, "unreadable"),
    ]
    assert found[2]["problems"][0].startswith(why)
    assert f"{missing} " in cli("nanopub", "check", *paths).stdout


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (os.mkfifo, "a named pipe"),
        (lambda path: path.write_bytes(gzip.compress(b"x" * 9000)[:-9]), "file is damaged"),
        (lambda path: path.symlink_to(path.name), "symbolic links"),
    ],
    ids=["pipe", "truncated", "loop"],
)
def test_what_cannot_be_read_is_not_called_invalid(
    harm: Callable[[Path], object], why: str, cli: Cli, np: Path
) -> None:
    harm(np / "odd.trig")
    done = cli("nanopub", "check", "np", "-f", "json")
    assert done.exit_code == 2  # though np/more has invalid ones
    states = {one["file"]: one["state"] for one in json.loads(done.stdout)["nanopublications"]}
    assert states.pop("np/odd.trig") == "unreadable"
    assert "unreadable" not in states.values()
    (error,) = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert error.startswith("error: np/odd.trig: ")
    assert why in error


def test_strict_says_what_is_missed(cli: Cli, np: Path) -> None:
    done = cli("nanopub", "check", "np/draft.trig", "--strict", "--format", "json")
    (found,) = json.loads(done.stdout)["nanopublications"]
    assert found["state"] == "plain"
    assert found["problems"] == []
    assert found["remarks"] == [
        "it is not signed, and registries take signed ones only",
        "it has no creator (dct:creator)",
        "it has no time of creation (dct:created), where one belongs",
        "it has no licence (dct:license)",
    ]
    table = cli("nanopub", "check", "np/draft.trig", "--strict").stdout
    assert "; ".join(found["remarks"]) in table


def test_several_processes_say_the_same(
    cli: Cli, put: Put, np: Path, signed: Signed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nanopub_folder, "_WORTH_PROCESSES", 1)
    for number in range(12):
        put(f"np/n{number}.trig", signed.text if number % 3 else f"{number}")
    one, two = (
        cli("nanopub", "check", "np", "--strict", "-f", "csv", "--jobs", jobs) for jobs in (1, 2)
    )
    assert one.stdout == two.stdout
    assert one.exit_code == two.exit_code == 1
