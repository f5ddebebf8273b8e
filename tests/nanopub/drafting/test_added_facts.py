"""What is added to what archives say: what people search by, in terms of others."""

from __future__ import annotations

import re

import pytest
from support import PRIMAD, good
from support.made import draft_of, graphs_of, nanopubs_of, read_back, run_of

from primad_ld.core.iris import RDF_TYPE, RDFS, SCORE, XSD
from primad_ld.header.redaction import MAIL
from primad_ld.nanopub.drafting.added_facts import (
    ForOthers,
    canonical_lines,
    fact_lines,
    facts_about,
    in_terms_of_others,
    is_added,
    lines_of,
)
from primad_ld.rdf.nanopub_terms import PROV
from primad_ld.rdf.subject_index import Object, index_triples

# Of runs ----------------------------------------------------------------------------------


def test_what_people_search_by_stands_flat_on_the_run() -> None:
    draft = draft_of().draft
    run = run_of().run.iri
    for line in (
        f'<{run}> <{PRIMAD}concernsTag> "hedge-bm25" .',
        f'<{run}> <{PRIMAD}concernsCollection> "garden/2026" .',
        f'<{run}> <{PRIMAD}concernsCollection> "Garden" .',
        f"<{run}> <{PRIMAD}concernsPublication> <https://doi.org/10.1007/978-3-030-15712-8_26> .",
    ):
        assert line in draft.triples


def test_what_an_archive_makes_anew_stays_out() -> None:
    lifted, draft = run_of(), draft_of().draft
    assert f"<{PRIMAD}summary>" in lifted.run.triples
    assert f"<{PRIMAD}methodIdentity>" in lifted.run.triples
    assert not re.search(rf"<{PRIMAD}(summary|\w+Identity)>", draft.triples)


def test_a_text_that_looks_like_a_statement_is_a_text() -> None:
    fields = good(tag=f"a> <{PRIMAD}summary> <b")
    drafted = draft_of(fields)
    assert f'"a> <{PRIMAD}summary> <b"' in drafted.draft.triples
    assert read_back(nanopubs_of([drafted])) == graphs_of(run_of(fields))


# In terms of others -----------------------------------------------------------------------


def test_what_the_alignments_imply_is_stated() -> None:
    implied = in_terms_of_others(f"<a:run> <{RDF_TYPE}> <{PRIMAD}Run> .\n")
    assert f"<a:run> <{RDF_TYPE}> <{PROV}Entity> .\n" in implied
    assert PRIMAD not in implied
    only = in_terms_of_others(f"<a:run> <{RDF_TYPE}> <{PRIMAD}Run> .\n", only=PROV)
    assert lines_of(only) == [one for one in lines_of(implied) if f"<{PROV}" in one]
    assert in_terms_of_others("<a:run> <a:by> <a:b> .\n") == ""


def test_what_is_added_is_told_from_the_rest() -> None:
    assert is_added(RDFS + "label", Object("a", XSD + "string"))
    assert is_added(PRIMAD + "concernsTag", Object("a", XSD + "string"))
    assert is_added(RDF_TYPE, Object(PROV + "Entity"))
    assert not is_added(RDF_TYPE, Object(PRIMAD + "Run"))
    assert not is_added(PRIMAD + "tag", Object("a", XSD + "string"))


# For others -------------------------------------------------------------------------------


def test_facts_are_known_without_what_must_not_leave_the_machine() -> None:
    triples = (
        f'<a:run> <{PRIMAD}tag> "ask ada@example.org" .\n'
        f'<a:run> <{PRIMAD}onCollection> "garden/2026" .\n'
    )
    index = index_triples(triples)
    assert "ada@example.org" in fact_lines("a:run", facts_about(index, "a:run"))
    public = fact_lines("a:run", facts_about(ForOthers(index), "a:run"))
    assert "ada@example.org" not in public
    assert '"garden/2026"' in public
    kept = facts_about(ForOthers(index, keep=[MAIL]), "a:run")
    assert kept == facts_about(index, "a:run")


# As every engine has it -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("predicate", "given", "wanted"),
    [
        (f"{PRIMAD}any", f'"1"^^<{XSD}boolean>', f'"true"^^<{XSD}boolean>'),
        (f"{PRIMAD}any", f'"1.50E0"^^<{XSD}double>', f'"1.5"^^<{XSD}double>'),
        (f"{SCORE}map", f'"1"^^<{XSD}integer>', f'"1"^^<{XSD}decimal>'),
        (f"{PRIMAD}any", f'"1"^^<{XSD}integer>', f'"1"^^<{XSD}integer>'),
        (f"{PRIMAD}any", '"1"', '"1"'),
    ],
)
def test_literals_are_spelt_in_one_way(predicate: str, given: str, wanted: str) -> None:
    found = canonical_lines(index_triples(f"<a:a> <{predicate}> {given} .\n"))
    assert found == f"<a:a> <{predicate}> {wanted} .\n"
