"""A nanopublication that somebody changed is invalid, whatever was changed; how it is written is not."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator

import pyoxigraph
import pytest
from support.nanopubs import (
    EX,
    a_draft,
    as_trix,
    changed,
    check,
    draft_text,
    read,
    renamed,
    signed_draft,
    spoken,
    text,
    typed,
)

from primad_ld.core.iris import RDF, XSD
from primad_ld.nanopub.checking import Checked, CheckState, check_statements
from primad_ld.nanopub.keys import generate_key, public_text
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.signatures import sign_text
from primad_ld.nanopub.signing import Signed, Signer, sign
from primad_ld.nanopub.trusty import hashed_text
from primad_ld.rdf.index import Object
from primad_ld.rdf.nanopub_terms import (
    HAS_ALGORITHM,
    HAS_PUBLIC_KEY,
    HAS_SIGNATURE,
    HAS_TARGET,
    NP,
    SIGNED_BY,
)
from primad_ld.rdf.statements import Statement, as_nquads


@pytest.fixture(scope="module")
def signed(signer: Signer) -> Signed:
    return signed_draft(signer, text("a\r\nb"), spoken("ja", "de"), typed("0.50", "decimal"))


@pytest.fixture(scope="module")
def stranger(signer: Signer) -> Signer:
    """Somebody else, who says to be the same person."""
    key = generate_key()
    return Signer(
        orcid=signer.orcid,
        license=signer.license,
        created=signer.created,
        public_key=public_text(key),
        key=key,
    )


def rejected(statements: Iterable[Statement]) -> Checked:
    """What is said of statements that are no valid nanopublication: always why."""
    found = check_statements(list(statements), "test")
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
            found = check_statements(renamed(statements, signed.nanopub.artifact), "test")
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


# Signatures and keys -----------------------------------------------------------------------


def swapped(signed: Signed, predicate: str, *values: Object) -> list[Statement]:
    """The statements with other values of one predicate of the signature, under a fitting name."""
    node = f"{signed.nanopub.uri}/sig"
    kept = [
        one
        for one in signed.nanopub.statements
        if (one.subject, one.predicate) != (node, predicate)
    ]
    new = [Statement(signed.nanopub.pubinfo, node, predicate, value) for value in values]
    return renamed([*kept, *new], signed.nanopub.artifact)


def value_of(signed: Signed, predicate: str) -> str:
    (found,) = [one.value.value for one in signed.nanopub.statements if one.predicate == predicate]
    return found


NOT_HERS = "the signature is not that of this text by this key"


def test_a_key_of_somebody_else(signed: Signed, stranger: Signer) -> None:
    found = rejected(swapped(signed, HAS_PUBLIC_KEY, text(stranger.public_key)))
    assert found.problems == (NOT_HERS,)


def test_a_signature_of_another_nanopublication(signed: Signed, signer: Signer) -> None:
    other = signed_draft(signer, text("another"))
    found = rejected(swapped(signed, HAS_SIGNATURE, text(value_of(other, HAS_SIGNATURE))))
    assert found.problems == (NOT_HERS,)


def test_a_signature_by_another_key_under_the_old_name(signed: Signed, stranger: Signer) -> None:
    again = sign(a_draft(text("a\r\nb"), spoken("ja", "de"), typed("0.50", "decimal")), stranger)
    assert check(again.text).state is CheckState.SIGNED
    forged = again.text.replace(again.nanopub.artifact, signed.nanopub.artifact)
    (why,) = check(forged).problems
    assert why.startswith("it was changed since it got its name")


def test_the_signature_of_a_stranger_over_the_whole_text(signed: Signed, stranger: Signer) -> None:
    """He signs all of it with his key and leaves hers in it."""
    covered = [one for one in signed.nanopub.statements if one.predicate != HAS_SIGNATURE]
    value = sign_text(hashed_text(covered, signed.nanopub.artifact), stranger.key)
    found = rejected(swapped(signed, HAS_SIGNATURE, text(b64encode(value).decode())))
    assert found.problems == (NOT_HERS,)


def flipped(value: str) -> str:
    data = bytearray(b64decode(value))
    data[7] ^= 1
    return b64encode(bytes(data)).decode()


@pytest.mark.parametrize(
    ("predicate", "change", "why"),
    [
        (HAS_SIGNATURE, flipped, NOT_HERS),
        (HAS_SIGNATURE, lambda value: value[:-8], "is not written in Base64|unusual|is not that"),
        (HAS_SIGNATURE, lambda value: "", NOT_HERS),
        (HAS_SIGNATURE, lambda value: "no base64!", "value of the signature is not written in Bas"),
        (HAS_SIGNATURE, lambda value: "é", "value of the signature is not written in Base64"),
        (HAS_SIGNATURE, lambda value: f"_{value[1:]}", "not written in Base64|unusual"),
        # The same bytes in other letters would be a second name for what was signed once.
        (HAS_SIGNATURE, lambda value: value[:-3] + chr(ord(value[-3]) + 1) + "==", "unusual way"),
        (HAS_SIGNATURE, lambda value: value + "\n", "not written in Base64"),
        (HAS_SIGNATURE, lambda value: value[:76] + "\n" + value[76:], "not written in Base64"),
        (HAS_PUBLIC_KEY, lambda value: "", "the public key cannot be read"),
        (HAS_PUBLIC_KEY, lambda value: "AAAA", "the public key cannot be read"),
        (HAS_PUBLIC_KEY, lambda value: value + "====", "not written in Base64|unusual"),
        (HAS_PUBLIC_KEY, lambda value: "A" * 1_000_000, "the public key is longer than keys are"),
        (HAS_PUBLIC_KEY, lambda value: f"-----BEGIN PUBLIC KEY-----\n{value}", "in Base64"),
        (HAS_ALGORITHM, lambda value: "DSA", "the public key is none of DSA"),
        (HAS_ALGORITHM, lambda value: "rsa", "the algorithm is 'rsa'; it may be RSA or DSA"),
        (HAS_ALGORITHM, lambda value: "none", "the algorithm is 'none'"),
        (HAS_ALGORITHM, lambda value: "", "the algorithm is ''"),
    ],
)
def test_damaged_signatures(
    predicate: str, change: Callable[[str], str], why: str, signed: Signed
) -> None:
    found = rejected(swapped(signed, predicate, text(change(value_of(signed, predicate)))))
    assert re.search(why, found.problems[0]), found.problems


@pytest.mark.parametrize(
    ("predicate", "name"),
    [
        (HAS_SIGNATURE, "value"),
        (HAS_PUBLIC_KEY, "public key"),
        (HAS_ALGORITHM, "algorithm"),
        (HAS_TARGET, "target"),
    ],
)
def test_half_a_signature(predicate: str, name: str, signed: Signed) -> None:
    found = rejected(swapped(signed, predicate))
    assert found.problems == (f"the signature states no {name}, where one belongs",)
    found = rejected(swapped(signed, predicate, text("a"), Object(EX + "b")))
    assert found.problems == (f"the signature states 2 {name}, where one belongs",)


@pytest.mark.parametrize(
    ("predicate", "value", "why"),
    [
        (HAS_TARGET, Object(EX + "other"), "the signature is that of something else"),
        (HAS_SIGNATURE, Object(EX + "a"), "the signature states its value otherwise than"),
        (HAS_PUBLIC_KEY, Object(EX + "a"), "the signature states its public key otherwise"),
        (HAS_ALGORITHM, spoken("RSA", "en"), "the signature states its algorithm otherwise"),
        (HAS_ALGORITHM, Object(EX + "RSA"), "the signature states its algorithm otherwise"),
    ],
)
def test_a_signature_of_the_wrong_kind(
    predicate: str, value: Object, why: str, signed: Signed
) -> None:
    assert rejected(swapped(signed, predicate, value)).problems[0].startswith(why)


def test_a_target_that_is_a_text(signed: Signed) -> None:
    found = rejected(swapped(signed, HAS_TARGET, text(signed.nanopub.uri)))
    assert found.problems == ("the signature is that of something else",)


def test_two_signatures(signed: Signed, stranger: Signer) -> None:
    node = f"{signed.nanopub.uri}/sig2"
    more = [
        Statement(signed.nanopub.pubinfo, node, HAS_TARGET, Object(signed.nanopub.uri)),
        Statement(signed.nanopub.pubinfo, node, HAS_PUBLIC_KEY, text(stranger.public_key)),
    ]
    statements = renamed([*signed.nanopub.statements, *more], signed.nanopub.artifact)
    assert rejected(statements).problems == ("2 signatures, where there may be one",)


def test_signatures_elsewhere_are_what_it_is_about(signer: Signer, stranger: Signer) -> None:
    """As in an introduction, which declares keys in its assertion."""
    draft = read(draft_text(more=f'npx:hasPublicKey "{stranger.public_key}"'))
    found = check(sign(draft, signer).text)
    assert found.state is CheckState.SIGNED
    assert found.signature is not None
    assert found.signature.public_key == signer.public_key


def test_a_signer_who_is_a_text_is_none(signed: Signed, signer: Signer) -> None:
    found = rejected(swapped(signed, SIGNED_BY, text(signer.orcid)))
    assert found.signature is not None
    assert found.signature.signers == ()


def test_a_signature_under_a_name_without_a_digest(signed: Signed) -> None:
    plain = signed.text.replace(signed.nanopub.artifact, "my-nanopub")
    assert check(plain).problems == ("it is signed, and its name holds no digest",)


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
