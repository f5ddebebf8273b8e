"""The test suite of the nanopublication community (MIT), as far as it is beside the checkout.

https://github.com/Nanopublication/nanopub-testsuite: what is valid, what is not, and what
becomes of a nanopublication that is signed.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from support import reference_data

from primad_ld.nanopub.checking import CheckState, check_nanopub
from primad_ld.nanopub.keys import public_text, read_key
from primad_ld.nanopub.nanopubs import Nanopub, nanopub_of
from primad_ld.nanopub.signing import Signer, seal
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.nanopub_statements import Statement, parse_statements, read_statements
from primad_ld.rdf.nanopub_terms import SIGNED_BY
from primad_ld.rdf.subject_index import Object

SUITE = reference_data() / "nanopub-testsuite"
if not SUITE.is_dir():
    pytest.skip(f"the test suite is absent: {SUITE}", allow_module_level=True)
TRANSFORM = SUITE / "transform"
KEYS = ("rsa-key1", "rsa-key2")
#: The suite's readme names it as the one who signs.
ORCID = "https://orcid.org/0000-0000-0000-0000"


def files(kind: str) -> list[Path]:
    return sorted(path for path in (SUITE / kind).rglob("*") if path.is_file())


def name_of(path: Path) -> str:
    return path.relative_to(SUITE).as_posix()


# Checking ---------------------------------------------------------------------------------

VALID = files("valid")
#: The state that each folder of the suite promises.
STATES = {"plain": CheckState.PLAIN, "trusty": CheckState.TRUSTY, "signed": CheckState.SIGNED}
#: What is wrong with each invalid case, as the check has to say it.
REASONS = {
    "plain/assertion_graph_uri_not_matching.trig": "the graph .*/assertion is named as if it were part of something else",
    "plain/emptya.trig": "the graph .*/assertion is empty",
    "plain/emptyinfo.trig": "the graph .*/pubinfo is empty",
    "plain/emptyprov.trig": "the graph .*/provenance is empty",
    "plain/extragraph.trig": "there is a fifth graph: .*/foobar",
    "plain/graphs_uris_equal.trig": "two of the four graphs have one name",
    "plain/illtyped_datatypes_in_assertion.trig": '"two".*integer> is no value of its datatype',
    "plain/noinfolink.trig": "the publication info does not speak of the nanopublication",
    "plain/noprovlink.trig": "the provenance does not speak of the assertion",
    "plain/provenance_graph_uri_not_matching.trig": "the graph .*/provenance is named as if",
    "plain/pubinfo_graph_uri_not_matching.trig": "the graph .*/pubinfo is named as if",
    "plain/valid_invalid1.trig": "3 nanopublications; write each of them into a file of its own",
    # A CR in a literal that somebody's editor made an LF.
    "signed/RA6T-YLqLnYd5XfnqR9PaGUjCzudvHdYjcG4GvOc7fdpA-all-LF.trig": "it was changed since",
    "signed/simple1-invalid-dsa.trig": "the signature is not that of this text by this key",
    "signed/simple1-invalid-rsa.trig": "the signature is not that of this text by this key",
    "trusty/trusty1.trig": "it was changed since it got its name",
    # The code in the names of its graphs is another one, and shorter.
    "trusty/trusty2.trig": "the graph .*/Head lies below the name of another nanopublication",
}


def test_the_suite_is_the_one_we_know() -> None:
    assert len(VALID) == 91
    assert {name_of(path).removeprefix("invalid/") for path in files("invalid")} == set(REASONS)
    assert len(REASONS) == 17


@pytest.mark.parametrize("path", VALID, ids=name_of)
def test_valid_cases_are_accepted(path: Path) -> None:
    found = check_nanopub(path)
    assert found.problems == ()
    assert found.state is STATES[path.parent.name]


@pytest.mark.parametrize("name", REASONS)
def test_invalid_cases_are_rejected_for_the_right_reason(name: str) -> None:
    found = check_nanopub(SUITE / "invalid" / name)
    assert found.state is CheckState.INVALID
    assert re.match(REASONS[name], found.problems[0]), found.problems


# Signing ----------------------------------------------------------------------------------

INPUTS = sorted((TRANSFORM / "plain").iterdir())
CASES = [(key, path.name.removesuffix(".in.trig")) for key in KEYS for path in INPUTS]


def code_of_case(key: str, name: str) -> str:
    return (TRANSFORM / "signed" / key / f"{name}.out.code").read_text().strip()


def input_of(name: str) -> Nanopub:
    return nanopub_of(read_statements(TRANSFORM / "plain" / f"{name}.in.trig"))


def test_there_are_46_transformations() -> None:
    assert len(CASES) == 46


@pytest.mark.parametrize(("key", "name"), CASES)
def test_what_the_reference_signed_is_accepted(key: str, name: str) -> None:
    found = check_nanopub(TRANSFORM / "signed" / key / f"{name}.out.trig")
    assert (found.state, found.problems) == (CheckState.SIGNED, ())
    assert found.uri.endswith(code_of_case(key, name))
    assert found.signature is not None
    assert found.signature.signers == (ORCID,)


@pytest.mark.parametrize(("key", "name"), CASES)
def test_our_signer_gives_the_name_that_the_reference_gives(key: str, name: str) -> None:
    private = read_key(TRANSFORM / "signed" / key / "key" / "id_rsa")
    # What the cases say of creators, times and licences stays as it is.
    signer = Signer(
        orcid=ORCID, license="", created="", public_key=public_text(private), key=private
    )
    signed = seal(input_of(name), signer)
    assert signed.artifact == code_of_case(key, name)
    theirs = parse_statements(
        (TRANSFORM / "signed" / key / f"{name}.out.trig").read_bytes(), ".trig", name
    )
    assert set(signed.statements) == set(theirs)


#: Where nanopub-sign 0.2.0 gives another name than the reference, and why.
ELSEWHERE = {
    "artifactcode-1": "~~~ARTIFACTCODE~~~ in a name stays what it is",
    "example5": "names of others that begin as its own are taken for its own",
    "python-step-1": "a time of creation is added to what states none",
    "workflow-1": "a time of creation and a creator are added to what states none",
}


@pytest.mark.parametrize(("key", "name"), CASES)
def test_nanopub_sign_gives_the_same_name_but_for_known_cases(key: str, name: str) -> None:
    nanopub_sign = pytest.importorskip("nanopub_sign")
    profile = nanopub_sign.NpProfile(
        private_key=(TRANSFORM / "signed" / key / "key" / "id_rsa").read_text(),
        orcid_id=ORCID,
        name="",
        introduction_nanopub_uri="",
    )
    given = input_of(name)
    # It leaves out who signs unless the input says so.
    signed_by = Statement(given.pubinfo, f"{given.uri}sig", SIGNED_BY, Object(ORCID))
    declared = dataclasses.replace(given, statements=(*given.statements, signed_by))
    signed = nanopub_sign.Nanopub(as_trig(declared)).sign(profile)
    found = nanopub_of(parse_statements(signed.rdf().encode(), ".trig", name))
    assert (found.artifact == code_of_case(key, name)) is (name not in ELSEWHERE)
