"""Drafts: their names, their files, and the nanopublications that they become."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from support import Cli, Put, good
from support.made import draft_of
from support.nanopubs import draft_text
from support.things import put_signed

from primad_ld.core.errors import PrimadError
from primad_ld.core.iris import PRIMAD, RDFS, name_of
from primad_ld.nanopub.drafts import Draft, draft_uri, nanopub_of_draft, one_line
from primad_ld.nanopub.signing import Signer
from primad_ld.rdf.nanopub_terms import (
    DERIVED_FROM,
    DESCRIBES,
    DRAFTS,
    HAS_TYPE,
    INTRODUCES,
)
from primad_ld.rdf.subject_index import Object

DRAFT = Draft(
    kind="thing",
    about="http://example.org/it",
    label="A thing",
    types=("http://example.org/Thing",),
    triples="<http://example.org/it> <http://example.org/is> <http://example.org/x> .\n",
)

# Names ------------------------------------------------------------------------------------


def test_a_tag_of_any_letters_makes_a_file_name() -> None:
    for tag in ("über/../böse", "a b\nc", "..", "CON", "x" * 300, "🌱", 'a"b\\c*?'):
        name = draft_of(good(tag=tag)).draft.file_name
        assert re.fullmatch(r"run-(?:[A-Za-z0-9.\-]{1,60}-)?[0-9a-f]{16}\.trig", name), name
        assert not name.startswith(".")


def test_runs_whose_tags_differ_in_case_have_files_of_their_own() -> None:
    """Some file systems know no difference between a and A."""
    names = [draft_of(good(tag=tag)).draft.file_name.lower() for tag in ("bm25", "BM25")]
    assert len(set(names)) == 2


def test_a_name_follows_from_what_it_is_about() -> None:
    run = f"https://w3id.org/primad-ld/id/run/{name_of('a' * 40)}"
    assert draft_uri("run", run) == f"{DRAFTS}run-{'a' * 16}/"
    assert draft_uri("thing", "http://example.org/it#part") == f"{DRAFTS}thing-it/"
    assert (DRAFT.uri, DRAFT.file_name) == (f"{DRAFTS}thing-it/", "thing-it.trig")
    assert replace(DRAFT, word="bm 25").file_name == "thing-bm-25-it.trig"


# As a nanopublication ---------------------------------------------------------------------


def test_everything_stands_in_its_graph() -> None:
    draft = replace(
        DRAFT,
        sources=("http://example.org/source",),
        introduces=("http://example.org/it",),
        describes=("http://example.org/other",),
        provenance=(("sub:assertion", PRIMAD + "leftOut", Object("sub:node")),),
        pubinfo=(("this:", "http://example.org/says", Object("this:")),),
    )
    found = nanopub_of_draft(draft)
    assert [tuple(one[1:]) for one in found.graph(found.assertion)] == [
        ("http://example.org/it", "http://example.org/is", Object("http://example.org/x"))
    ]
    for predicate, values in {
        RDFS + "label": ["A thing"],
        HAS_TYPE: ["http://example.org/Thing"],
        INTRODUCES: ["http://example.org/it"],
        DESCRIBES: ["http://example.org/other"],
        "http://example.org/says": [found.uri],
    }.items():
        assert found.values(found.uri, predicate) == values
    where = found.provenance
    assert found.values(found.assertion, DERIVED_FROM, graph=where) == ["http://example.org/source"]
    assert found.values(found.assertion, PRIMAD + "leftOut", graph=where) == [f"{found.uri}node"]


# Texts ------------------------------------------------------------------------------------


def test_a_text_is_one_line() -> None:
    assert one_line("  a\n b\tc ", "title") == "a b c"
    assert one_line("x" * 10_000, "title") == "x" * 10_000


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("a\x1bb", "the title holds control characters"),
        ("\udcff", "the title holds control characters"),
        ("x" * 10_001, "the title has 10,001 characters, and 10,000 is the most here"),
    ],
)
def test_texts_that_cannot_be_used(given: str, why: str) -> None:
    with pytest.raises(PrimadError, match=why):
        one_line(given, "title")


# Texts of people --------------------------------------------------------------------------

OLD = f"https://w3id.org/np/RA{'A' * 43}"
WHO = ("--orcid", "0000-0002-1825-0097")


@pytest.mark.parametrize(
    ("command", "what"),
    [
        (("index", "np", "-o", "new.trig", "--title", "{}"), "title"),
        (("index", "np", "-o", "new.trig", "--description", "{}"), "description"),
        (("retract", OLD, *WHO, "-o", "new.trig", "--reason", "{}"), "reason"),
        (("retract", f"https://{{}}/{OLD[-45:]}", *WHO, "-o", "new.trig"), "name of the nano"),
        (("supersede", f"https://{{}}/{OLD[-45:]}", "draft.trig"), "name of the nano"),
        (("keys", "introduce", *WHO, "-o", "new.trig", "--name", "{}"), "name"),
        (
            ("keys", "introduce", *WHO, "-o", "new.trig", "--location", "https://{}"),
            "location",
        ),
        (("sign", "draft.trig", *WHO, "--license", "cc0", "--name", "{}"), "name"),
        (("sign", "draft.trig", *WHO, "--license", "https://{}"), "licence"),
    ],
)
@pytest.mark.parametrize(
    ("secret", "kind"),
    [
        ("ada:hunter2@example.org/x", "password|login|mail"),
        ("gpu01.internal", "a private address or host"),
    ],
)
def test_texts_of_people_are_checked_as_headers_are(
    cli: Cli,
    put: Put,
    signer: Signer,
    key_file: Path,
    command: tuple[str, ...],
    what: str,
    secret: str,
    kind: str,
) -> None:
    put_signed(put("np/x", "").parent / "a.trig", signer, 1)
    before = put("draft.trig", draft_text()).read_bytes()
    needs_key = command[0] in ("keys", "sign")
    done = cli(
        "nanopub",
        *(word.format(secret) for word in command),
        *(("--key", key_file) if needs_key else ()),
    )
    assert (done.exit_code, done.stdout) == (2, "")
    assert re.match(rf"error: the {what}.* holds .*(?:{kind}).*; remove it\n$", done.stderr)
    assert not Path("new.trig").exists()
    assert Path("draft.trig").read_bytes() == before
