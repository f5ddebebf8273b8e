"""Signatures: whose they are, what they sign, and what is none."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable

import pytest
from support.nanopubs import (
    EX,
    check,
    draft_text,
    read,
    renamed,
    signed_draft,
    spoken,
    text,
    typed,
)

from primad_ld.nanopub.checking import Checked, CheckState, check_statements
from primad_ld.nanopub.keys import generate_key, public_text
from primad_ld.nanopub.signatures import sign_text
from primad_ld.nanopub.signing import Signed, Signer, sign
from primad_ld.nanopub.trusty import rows_of, text_of
from primad_ld.rdf.nanopub_statements import Statement
from primad_ld.rdf.nanopub_terms import (
    HAS_ALGORITHM,
    HAS_PUBLIC_KEY,
    HAS_SIGNATURE,
    HAS_TARGET,
    SIGNED_BY,
)
from primad_ld.rdf.subject_index import Object


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
    found = check_statements(list(statements))
    assert found.state is CheckState.INVALID, found
    assert found.problems
    assert all(problem and "\n" not in problem for problem in found.problems)
    return found


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


def test_the_signature_of_a_stranger_over_the_whole_text(signed: Signed, stranger: Signer) -> None:
    """He signs all of it with his key and leaves hers in it."""
    covered = [one for one in signed.nanopub.statements if one.predicate != HAS_SIGNATURE]
    value = sign_text(text_of(rows_of(covered, signed.nanopub.artifact)), stranger.key)
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
        (HAS_SIGNATURE, lambda value: f"_{value[1:]}", "not written in Base64|unusual"),
        # The same bytes in other letters would be a second name for what was signed once.
        (HAS_SIGNATURE, lambda value: value[:-3] + chr(ord(value[-3]) + 1) + "==", "unusual way"),
        (HAS_SIGNATURE, lambda value: value + "\n", "not written in Base64"),
        (HAS_SIGNATURE, lambda value: value[:76] + "\n" + value[76:], "not written in Base64"),
        (HAS_PUBLIC_KEY, lambda value: "", "the public key cannot be read"),
        (HAS_PUBLIC_KEY, lambda value: "A" * 1_000_000, "the public key is longer than keys are"),
        (HAS_PUBLIC_KEY, lambda value: f"-----BEGIN PUBLIC KEY-----\n{value}", "in Base64"),
        (HAS_ALGORITHM, lambda value: "DSA", "the public key is none of DSA"),
        (HAS_ALGORITHM, lambda value: "rsa", "the algorithm is 'rsa'; it may be RSA or DSA"),
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
