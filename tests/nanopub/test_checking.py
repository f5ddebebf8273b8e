"""Whatever was changed in a nanopublication is found; how it is written does not matter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import pyoxigraph
import pytest
from support.nanopubs import (
    EX,
    as_trix,
    changed,
    check,
    renamed,
    signed_draft,
    spoken,
    text,
    typed,
)

from primad_ld.core.iris import RDF, XSD
from primad_ld.nanopub.checking import Checked, CheckState, check_statements, ill_typed
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.signing import Signed, Signer
from primad_ld.rdf.nanopub_statements import Statement, as_nquads
from primad_ld.rdf.nanopub_terms import (
    NP,
)
from primad_ld.rdf.subject_index import Object


@pytest.fixture(scope="module")
def signed(signer: Signer) -> Signed:
    return signed_draft(signer, text("a\r\nb"), spoken("ja", "de"), typed("0.50", "decimal"))


def rejected(statements: Iterable[Statement]) -> Checked:
    """What is said of statements that are no valid nanopublication: always why."""
    found = check_statements(list(statements))
    assert found.state is CheckState.INVALID, found
    assert found.problems
    assert all(problem and "\n" not in problem for problem in found.problems)
    return found


# Every statement, every part of it -----------------------------------------------------------


def other_values(value: Object) -> Iterator[Object]:
    """Values that are another one, if only by a letter."""
    if value.datatype is None:
        yield Object(value.value + "x")
        yield Object(value.value, XSD + "anyURI")
        return
    yield value._replace(value=value.value + " ")
    yield value._replace(value="x" + value.value)
    yield value._replace(value=value.value.swapcase() + "\u0301")
    if value.language:
        yield value._replace(language="fr")
        yield Object(value.value, XSD + "string")
    else:
        yield value._replace(datatype=EX + "type")
        yield Object(value.value, RDF + "langString", "en")


def dropped(nanopub: Nanopub, one: Statement) -> Iterator[list[Statement]]:
    yield [other for other in nanopub.statements if other != one]


def moved(nanopub: Nanopub, one: Statement) -> Iterator[list[Statement]]:
    for graph in (nanopub.head, nanopub.assertion, nanopub.provenance, nanopub.pubinfo, ""):
        if graph != one.graph:
            yield replaced(nanopub, one, changed(one, graph=graph))


def copied(nanopub: Nanopub, one: Statement) -> Iterator[list[Statement]]:
    for graph in (nanopub.head, nanopub.assertion, nanopub.provenance, nanopub.pubinfo):
        if graph != one.graph:
            yield [*nanopub.statements, changed(one, graph=graph)]


def respelt(nanopub: Nanopub, one: Statement) -> Iterator[list[Statement]]:
    yield replaced(nanopub, one, changed(one, subject=one.subject + "x"))
    yield replaced(nanopub, one, changed(one, subject="_:b"))
    yield replaced(nanopub, one, changed(one, predicate=one.predicate + "x"))
    for value in other_values(one.value):
        yield replaced(nanopub, one, one._replace(value=value))


def added(nanopub: Nanopub, one: Statement) -> Iterator[list[Statement]]:
    for value in other_values(one.value):
        yield [*nanopub.statements, one._replace(value=value)]


def replaced(nanopub: Nanopub, one: Statement, other: Statement) -> list[Statement]:
    return [other if each == one else each for each in nanopub.statements]


CHANGES = [dropped, moved, copied, respelt, added]
Change = Callable[[Nanopub, Statement], Iterator[list[Statement]]]


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_changed_is_found(change: Change, signed: Signed) -> None:
    count = 0
    for one in signed.nanopub.statements:
        for statements in change(signed.nanopub, one):
            rejected(statements)
            count += 1
    assert count >= len(signed.nanopub.statements)


@pytest.mark.parametrize("change", CHANGES)
def test_a_new_name_for_what_was_changed_does_not_help(change: Change, signed: Signed) -> None:
    """The digest in the name fits again; the signature does not."""
    for one in signed.nanopub.statements:
        for statements in change(signed.nanopub, one):
            if any(part.startswith("_:") for said in statements for part in said[:2]):
                continue  # these have no digest
            found = check_statements(renamed(statements, signed.nanopub.artifact))
            # Without a signature it may be trusty: nobody signed it then, and it does not say so.
            assert found.state is not CheckState.SIGNED, (one, found)
            if found.state is not CheckState.INVALID:
                assert found.signature is None


@pytest.mark.parametrize(
    "extra",
    [
        ("assertion", "run", EX + "score", typed("0.99", "decimal")),
        ("assertion", "run", EX + "score", typed("0.5", "decimal")),  # the same number
        ("provenance", "assertion", EX + "p", Object(EX + "o")),
        ("pubinfo", "", EX + "retractedBy", Object(EX + "me")),
        ("pubinfo", "", "http://purl.org/dc/terms/creator", Object(EX + "me")),
        ("Head", "", NP + "hasAssertion", Object(EX + "assertion")),
        ("fifth", "a", EX + "p", Object(EX + "o")),
    ],
)
def test_whatever_is_added_is_found(extra: tuple[str, str, str, Object], signed: Signed) -> None:
    graph, subject, predicate, value = extra
    inside = f"{signed.nanopub.uri}/"
    node = inside + subject if subject else signed.nanopub.uri
    one = Statement(inside + graph, node, predicate, value)
    rejected([*signed.nanopub.statements, one])


# Names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda code: "RA" + code[2:].swapcase(), "it was changed since it got its name"),
        (lambda code: code[:-1] + ("A" if code[-1] != "A" else "E"), "it was changed since"),
        (lambda code: code.lower(), "it is signed, and its name holds no digest"),
        (lambda code: "RB" + code[2:], "it is signed, and its name holds no digest"),
        (lambda code: code[:-1], "it is signed, and its name holds no digest"),
        (lambda code: code + "A", "it is signed, and its name holds no digest"),
    ],
    ids=["case", "last letter", "small letters", "module", "shorter", "longer"],
)
def test_another_code(change: Callable[[str], str], why: str, signed: Signed) -> None:
    code = signed.nanopub.artifact
    assert check(signed.text.replace(code, change(code))).problems[0].startswith(why)


def test_the_same_code_elsewhere(signed: Signed) -> None:
    """The digest covers where a name stands, too."""
    text = signed.text.replace("https://w3id.org/np/", "https://example.org/np/")
    assert check(text).problems[0].startswith("it was changed since it got its name")


@pytest.mark.parametrize("graph", ["Head", "assertion", "provenance", "pubinfo"])
def test_graphs_of_somebody_else(graph: str, signed: Signed) -> None:
    name = f"{signed.nanopub.uri}/{graph}"
    other = f"{EX}{signed.nanopub.artifact}/{graph}"
    statements = [
        Statement(*(other if part == name else part for part in one[:3]), one.value)
        if one.value.value != name
        else Statement(*one[:3], Object(other))
        for one in signed.nanopub.statements
    ]
    found = rejected(statements)
    assert f"the graph {other} is named as if it were part of something else" in found.problems[0]


def test_a_graph_that_is_named_by_a_text(signed: Signed) -> None:
    for name in ("Assertion", "Provenance", "PublicationInfo"):
        (one,) = [one for one in signed.nanopub.statements if one.predicate == f"{NP}has{name}"]
        found = rejected(replaced(signed.nanopub, one, one._replace(value=text(one.value.value))))
        assert "by a text, and not by an IRI" in found.problems[0]


def test_it_is_called_a_nanopublication_by_a_text(signed: Signed) -> None:
    (one,) = [
        one for one in signed.nanopub.statements if one.value == Object(NP + "Nanopublication")
    ]
    found = rejected(replaced(signed.nanopub, one, one._replace(value=text(one.value.value))))
    assert found.problems == ("nothing here is called a nanopublication",)


@pytest.mark.parametrize("value", [typed("two", "integer"), typed("2026-02-30", "date")])
def test_ill_typed_values_under_a_fitting_name(value: Object, signed: Signed) -> None:
    """Their digest and their signature may be right; stores leave them out all the same."""
    one = Statement(signed.nanopub.assertion, EX + "s", EX + "p", value)
    found = rejected(renamed([*signed.nanopub.statements, one], signed.nanopub.artifact))
    assert found.problems[0].endswith("is no value of its datatype")


# What may change ------------------------------------------------------------------------------


def without_prefixes(written: str) -> str:
    quads = pyoxigraph.parse(written.encode(), format=pyoxigraph.RdfFormat.TRIG)
    return pyoxigraph.serialize(quads, format=pyoxigraph.RdfFormat.TRIG).decode()


@pytest.mark.parametrize(
    "respell",
    [
        lambda written: written.replace("\n", "\r\n"),
        lambda written: written.replace("\n", "\r"),
        lambda written: re.sub(r" ;\n +", " ;", written),
        lambda written: written.replace(" .\n", "\n\n\t.\n\n"),
        lambda written: "\ufeff" + written,
        lambda written: f"# a remark\n{written}# another one",
        lambda written: written.replace("sub:", "mine:"),
        lambda written: written.replace('"', "'"),
        lambda written: written.replace('"', '"""'),
        lambda written: written.replace("bm25", "\\u0062m25"),
        lambda written: written + written,  # everything twice
        without_prefixes,
    ],
    ids=[
        "CRLF",
        "CR",
        "lines",
        "spaces",
        "BOM",
        "remarks",
        "prefix",
        "quotes",
        "long quotes",
        "escape",
        "twice",
        "no prefixes",
    ],
)
def test_how_it_is_written_does_not_matter(respell: Callable[[str], str], signed: Signed) -> None:
    found = check(respell(signed.text))
    assert (found.problems, found.state) == ((), CheckState.SIGNED)
    assert found.uri == signed.nanopub.uri


def test_neither_does_the_format(signed: Signed) -> None:
    statements = signed.nanopub.statements
    quads = as_nquads(statements)
    parsed = pyoxigraph.parse(quads.encode(), format=pyoxigraph.RdfFormat.N_QUADS)
    json = pyoxigraph.serialize(parsed, format=pyoxigraph.RdfFormat.JSON_LD)
    for written, suffix in (
        (quads, ".nq"),
        (quads.replace("\n", "\r\n"), ".nquads"),
        (json, ".jsonld"),
        (as_trix(statements), ".xml"),
        (as_trix(reversed(statements)), ".trix"),
    ):
        found = check(written, suffix)
        assert (found.problems, found.state) == ((), CheckState.SIGNED), suffix
        assert set(found.nanopub.statements if found.nanopub else ()) == set(statements)


# Values of datatypes ----------------------------------------------------------------------


#: Values, and what is none although it looks like one.
CASES = {
    "boolean": ("true false 1 0", "True TRUE yes 2 tru"),
    "decimal": ("1 -1 +1 01 1. .5 -0.50", "1,5 1e5 . + NaN ١"),
    "integer": ("0 -0 +1 007 123456789012345678901234567890", "1.0 1e3 0x1 - 1_000 ١"),
    "long": ("9223372036854775807 -9223372036854775808", "9223372036854775808 1.0"),
    "int": ("2147483647 -2147483648", "2147483648 -2147483649"),
    "short": ("32767 -32768", "32768"),
    "byte": ("127 -128", "128 -129"),
    "nonNegativeInteger": ("0 -0 1", "-1"),
    "positiveInteger": ("1 +1", "0 -1"),
    "nonPositiveInteger": ("0 -1", "1"),
    "negativeInteger": ("-1", "0 -0 1"),
    "unsignedLong": ("18446744073709551615", "18446744073709551616 -1"),
    "unsignedInt": ("4294967295", "4294967296"),
    "unsignedShort": ("65535", "65536"),
    "unsignedByte": ("255 +0", "256 -1"),
    "double": ("1 1.5 -1.5E-10 1e5 INF -INF +INF NaN .5", "inf nan 1e 1e1.5 Infinity -NaN 3,5"),
    "float": ("1.5 INF", "1.5f"),
    "dateTime": (
        "2026-03-01T10:00:00 2026-03-01T10:00:00Z 2026-03-01T10:00:00.123456789+14:00 "
        "-0044-03-15T00:00:00 12026-03-01T00:00:00Z 2024-02-29T24:00:00 0000-01-01T00:00:00 "
        # A date alone: registries take it, and the remarks of --strict name it.
        "2026-03-01 2026-03-01Z",
        "2026-3-1T10:00:00 2026-03-01T25:00:00 2026-03-01T10:00 2026-02-29T00:00:00 "
        "2026-13-01T00:00:00 2026-03-01T24:00:01 2026-03-01T10:00:60 02026-03-01T00:00:00 "
        "2026-03-01T10:00:00+15:00 2026-03-01T10:00:00+0100 26-03-01T10:00:00 1900-02-29",
    ),
    "dateTimeStamp": (
        "2026-03-01T10:00:00Z 2026-03-01T10:00:00-05:00",
        "2026-03-01T10:00:00 2026-03-01Z 2026-03-01T10:00:00+99:99",
    ),
    "date": ("2026-03-01 2000-02-29Z -0400-02-29", "2026-02-30 2026-04-31 20260301 2100-02-29"),
    "time": ("10:00:00 24:00:00 23:59:59.9Z", "10:00 24:00:01 25:00:00"),
    "gYear": ("2026 -0044 12026Z", "26 02026 2026-"),
    "gYearMonth": ("2026-03", "2026-13 2026-3"),
    "gMonth": ("--03", "03 --13"),
    "gDay": ("---31", "---32 31"),
    "gMonthDay": ("--02-29", "02-29 --13-01"),
    "duration": ("P1D PT1H P1Y2M3DT4H5M6.7S -P1D", "P PT 1D P1H PT1D P1DT P-1D PT1.5H"),
    "dayTimeDuration": ("P1DT2H PT0S", "P1Y P1M P"),
    "yearMonthDuration": ("P1Y2M -P1M", "P1D PT1M P"),
    "hexBinary": ("00fF", "0 0g"),
    "base64Binary": ("AQ== AAAA AAE=", "AQ= A=== AR== é"),
    "language": ("en en-GB x-klingon", "en_GB -en abcdefghi"),
    # Of these, every text is a value.
    "string": ("a", ""),
    "anyURI": ("a http://[", ""),
    "unknownType": ("a", ""),
}


@pytest.mark.parametrize(
    ("name", "value", "is_value"),
    [
        (name, value, is_value)
        for name, values in CASES.items()
        for is_value, words in zip((True, False), values, strict=True)
        for value in words.split()
    ],
)
def test_values(name: str, value: str, is_value: bool) -> None:
    assert ill_typed(typed(value, name)) is not is_value
    # XML Schema takes white space around them away; a space inside is another matter.
    assert ill_typed(typed(f" \t\n{value}\r", name)) is not is_value
    assert not ill_typed(typed(f"{value[:1]} {value[1:]}", "string"))


@pytest.mark.parametrize("name", sorted(set(CASES) - {"string", "anyURI", "unknownType"}))
def test_nothing_is_no_value(name: str) -> None:
    is_empty_a_value = name in ("hexBinary", "base64Binary")
    assert ill_typed(typed("", name)) is not is_empty_a_value
    assert ill_typed(typed("\N{NO-BREAK SPACE}", name))


@pytest.mark.parametrize(
    "value",
    [text(""), text("\x00"), spoken("a", "en"), Object("http://example.org/"), Object("1", "x:y")],
)
def test_of_other_values_nothing_is_known(value: Object) -> None:
    assert not ill_typed(value)
