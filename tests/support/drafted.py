"""Drafts of verdicts and claims: what they say, and whether they are accepted once signed."""

from __future__ import annotations

from primad_ld.core.files import resource
from primad_ld.core.iris import PRIMAD, SH
from primad_ld.nanopub.checking import CheckState, check_bytes
from primad_ld.nanopub.drafts import Draft, nanopub_of_draft
from primad_ld.nanopub.folder_checks import remarks_on
from primad_ld.nanopub.signing import Signed, Signer, sign
from primad_ld.rdf.nanopub_terms import PUBLISHED
from primad_ld.rdf.subject_index import MemoryIndex, index_triples
from primad_ld.shacl.judge import Judge, ShapeResult
from primad_ld.shacl.layered_data import LayeredData
from primad_ld.shacl.pyshacl_reference import pyshacl_results
from support.shaping import read_shapes

SHAPES = read_shapes(resource("shapes/nanopub.ttl"))
JUDGE = Judge(SHAPES)
#: The name that the nanopublication of a run got.
SIGNED_RUN = f"{PUBLISHED}RA{1:043}"


def accepted(draft: Draft, signer: Signer) -> Signed:
    """A draft, signed: our strict check finds nothing to remark on, and another tool takes it."""
    import nanopub_sign

    signed = sign(nanopub_of_draft(draft), signer, dict.fromkeys(draft.sources, SIGNED_RUN))
    found = check_bytes(signed.text.encode(), ".trig", "test")
    assert (found.state, found.problems, remarks_on(found)) == (CheckState.SIGNED, (), ())
    nanopub_sign.Nanopub(signed.text).check()  # it raises an error where something is wrong
    return signed


def judged(triples: str) -> list[ShapeResult]:
    """What our engine finds, which is what pyshacl finds."""
    own = JUDGE.judge(LayeredData.of_triples(triples))
    assert own == pyshacl_results(SHAPES.terms, triples)
    return own


def shapes_of(results: list[ShapeResult]) -> set[str]:
    return {result.shape.rpartition("#")[2] for result in results}


def index_of(draft: Draft) -> MemoryIndex:
    return index_triples(draft.triples)


def said(draft: Draft, name: str, node: str = "") -> list[str]:
    """What a node of a draft says by a predicate of ours or of SHACL, sorted."""
    iri = name if "://" in name else (SH + name[3:] if name.startswith("sh:") else PRIMAD + name)
    about = index_of(draft).about(draft.about + node)
    return sorted(one.value for one in about.get(iri, ()))
