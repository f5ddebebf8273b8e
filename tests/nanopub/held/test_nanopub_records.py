"""Records of nanopublications: who signed them, what is held of them, and what ended them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from support import PRIMAD
from support.claimed import (
    ORCID,
    Shelved,
    claim,
    plain,
    publish,
    put,
    run_draft,
    signer,
)

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.maintenance import info
from primad_ld.archive.runs import all_runs
from primad_ld.core.iris import RDF_TYPE
from primad_ld.nanopub.held.nanopub_records import (
    RECORDS,
    Record,
    counts,
    fetch_nanopubs,
    held_graphs,
    holders,
    record_iri,
    unfinished,
)
from primad_ld.rdf.nanopub_terms import RETRACTS, SUPERSEDES
from primad_ld.rdf.subject_index import Object

# What a record says -----------------------------------------------------------------------


def test_its_record_says_who_signed(archive: Shelved, np: Path) -> None:
    one = publish(claim("one"))
    archive.load(*put(np, one))
    (record,) = fetch_nanopubs(archive.engine, [one.nanopub.uri]).values()
    assert record.iri == f"{RECORDS}{one.nanopub.artifact}"
    assert (record.state, record.holds, record.is_whole) == ("signed", (), True)
    assert record.key == hashlib.sha256(signer().public_key.encode()).hexdigest()


def test_records_say_what_is_held(archive: Shelved, np: Path) -> None:
    one = publish(run_draft())
    archive.load(*put(np, one))
    (run,) = all_runs(archive.engine)
    (record,) = fetch_nanopubs(archive.engine, [one.nanopub.uri]).values()
    # Components go with vacuum, as always.
    assert record.holds == (run,)


def test_nobody_fakes_the_state_of_a_signature(archive: Shelved, np: Path) -> None:
    own = "http://example.org/plain/"
    record = record_iri(own)
    said = (
        f"<{record}> <{RDF_TYPE}> <{PRIMAD}NanopublicationRecord> .\n"
        f"<{record}> <{PRIMAD}recordOf> <{own}> .\n"
        f'<{record}> <{PRIMAD}signatureState> "signed" .\n'
    )
    (np / "plain.trig").write_text(plain(own))
    archive.load(np, *put(np, publish(claim("liar", says=said))))
    states = dict(archive.rows("nanopubs", "nanopub signature"))
    assert states[own] == "plain"
    assert info(archive.engine).nanopubs == {"plain": 1, "signed": 1}


def test_records_come_back_as_they_were_written() -> None:
    whole = Record(
        uri="http://example.org/a",
        state="signed",
        key="k",
        holds=("http://example.org/g", "http://example.org/h"),
    )
    begun = Record(uri="http://example.org/b", state="plain", holds=whole.holds[:1], is_whole=False)
    engine = EmbeddedEngine.memory()
    engine.add([whole.graph(), begun.graph()])
    uris = [whole.uri, begun.uri, "http://example.org/unknown", "not an IRI"]
    assert fetch_nanopubs(engine, uris) == {whole.uri: whole, begun.uri: begun}
    assert unfinished(engine) == {begun.uri}
    assert held_graphs(engine) == set(whole.holds)
    assert holders(engine, [*whole.holds, "http://example.org/other"]) == {
        whole.holds[0]: {whole.uri, begun.uri},
        whole.holds[1]: {whole.uri},
    }
    # What is not whole does not count.
    assert counts(engine) == {"signed": 1}


# What ended -------------------------------------------------------------------------------


def test_what_somebody_says_elsewhere_supersedes_nothing(archive: Shelved, np: Path) -> None:
    """Of another nanopublication, with the victim's own key, within an assertion."""
    victim = publish(run_draft())
    name = "http://example.org/fake/"
    key = signer().public_key
    npx = "http://purl.org/nanopub/x/"
    nanopub = "http://www.nanopub.org/nschema#"
    draft = claim("fake", retracts=victim.nanopub.uri)
    said = (
        f"<{name}> <{SUPERSEDES}> <{victim.nanopub.uri}> .\n"
        f"<{name}> <{nanopub}hasPublicationInfo> <{draft.uri}assertion> .\n"
        f"<{name}> <{nanopub}hasAssertion> <{draft.uri}assertion> .\n"
        f"<{name}sig> <{npx}hasSignatureTarget> <{name}> .\n"
        f'<{name}sig> <{npx}hasPublicKey> "{key}" .\n'
        f"<{ORCID}> <{RETRACTS}> <{victim.nanopub.uri}> .\n"
    )
    fake = publish(replace(draft, triples=draft.triples + said), 2)
    report = archive.load(*put(np, victim, fake))
    assert report.problems == []
    assert set(archive.standing().values()) == {"current"}
    assert len(all_runs(archive.engine)) == 1


def test_who_supersedes_itself_still_holds(archive: Shelved, np: Path) -> None:
    draft = run_draft()
    own = replace(draft, pubinfo=(*draft.pubinfo, ("this:", SUPERSEDES, Object(draft.uri))))
    archive.load(*put(np, publish(own)))
    assert set(archive.standing().values()) == {"current"}
    assert len(all_runs(archive.engine)) == 1
