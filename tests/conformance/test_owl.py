"""What OWL RL concludes from the ontology, its alignments and real headers."""

from __future__ import annotations

import warnings
from typing import Any

import owlrl
import pytest
import rdflib
import rdflib.term
from rdflib.namespace import PROV, RDF
from support import BASE, PRIMAD, ROOT, of_other_kind, reference_data

from primad_ld import HeaderError, parse_header, read_header
from primad_ld.nanopub.drafting.run_drafts import RunDrafter, RunSource
from primad_ld.rdf.lifting import Lifter

SHARED = reference_data()
ERROR = rdflib.Namespace("http://www.daml.org/2002/03/agents/agent-ont#")
P = rdflib.Namespace(PRIMAD)

#: What the owners of terms that the alignments name say of them. Nothing is imported, so that
#: only together with this the alignments can be found to say what does not hold.
OWNERS = """
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dqv: <http://www.w3.org/ns/dqv#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix p-plan: <http://purl.org/net/p-plan#> .
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

prov:Entity owl:disjointWith prov:Activity .
prov:Attribution rdfs:subClassOf prov:AgentInfluence .
prov:AgentInfluence owl:disjointWith prov:Activity , prov:Agent , prov:Entity .
prov:wasGeneratedBy rdfs:domain prov:Entity ; rdfs:range prov:Activity .
prov:used rdfs:domain prov:Activity ; rdfs:range prov:Entity .
prov:wasAssociatedWith rdfs:domain prov:Activity ; rdfs:range prov:Agent .
prov:wasAttributedTo rdfs:domain prov:Entity ; rdfs:range prov:Agent .
prov:specializationOf rdfs:domain prov:Entity ; rdfs:range prov:Entity .
prov:wasDerivedFrom rdfs:domain prov:Entity ; rdfs:range prov:Entity .
prov:qualifiedAttribution rdfs:domain prov:Entity ; rdfs:range prov:Attribution .
prov:agent rdfs:domain prov:AgentInfluence ; rdfs:range prov:Agent .
prov:startedAtTime rdfs:domain prov:Activity ; rdfs:range xsd:dateTime .
prov:endedAtTime rdfs:domain prov:Activity ; rdfs:range xsd:dateTime .
p-plan:Plan rdfs:subClassOf prov:Plan . prov:Plan rdfs:subClassOf prov:Entity .
p-plan:isPrecededBy rdfs:domain p-plan:Step ; rdfs:range p-plan:Step .
dcat:hadRole rdfs:range dcat:Role . dcat:Role rdfs:subClassOf skos:Concept .
skos:Concept owl:disjointWith skos:ConceptScheme , skos:Collection .
foaf:primaryTopic a owl:FunctionalProperty ; rdfs:domain foaf:Document .
foaf:Person rdfs:subClassOf foaf:Agent ; owl:disjointWith foaf:Document , foaf:Organization .
foaf:Organization rdfs:subClassOf foaf:Agent ; owl:disjointWith foaf:Document .
dqv:isMeasurementOf rdfs:domain dqv:QualityMeasurement ; rdfs:range dqv:Metric .
"""


def closed(*triples: str, pattern: str = "[ap]*.ttl") -> Any:
    """The terms and alignments with some statements, and all that follows by OWL RL."""
    graph = rdflib.Graph()
    for file in sorted((ROOT / "ontology").glob(pattern)):
        graph.parse(file)
    graph.parse(data=OWNERS, format="turtle")
    for text in triples:
        graph.parse(data=text, format="turtle")
    # owlrl puts conversions of its own among rdflib's, and other tests want those of rdflib.
    conversions = rdflib.term._toPythonMapping
    before = dict(conversions)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a third party warns of is not ours to fix
            owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    finally:
        conversions.clear()
        conversions.update(before)
    return graph


def errors(graph: Any) -> list[str]:
    """The inconsistencies that it found."""
    found = graph.subjects(RDF.type, ERROR.ErrorMessage)
    return sorted(str(graph.value(one, ERROR.error)) for one in found)


def lifted_headers() -> list[str]:
    """The graphs of every real header that can be read, however dirty."""
    lifter, found = Lifter(), []
    for folder in ("headers", "real"):
        for file in sorted((SHARED / folder).rglob("*.yml")):
            try:
                run = lifter.lift(read_header(file, sidecars=False), file_name=file.name)
            except HeaderError:
                continue  # one of them is there to be refused
            found.append("".join(graph.triples for graph in run.graphs))
    return found


def test_no_real_header_contradicts_the_ontology() -> None:
    headers = lifted_headers()
    assert len(headers) >= 19
    assert [one for header in headers for one in of_other_kind(header)] == []
    graph = closed(*headers, pattern="*.ttl")
    assert errors(graph) == []
    # Where a tracker watched how a run was made, PROV alone tells of it.
    tracked = {str(run) for run in graph.subjects(PROV.wasGeneratedBy)}
    assert tracked == {str(run) for run in graph.subjects(P.resourceUse / P.runtime)}
    assert len(tracked) >= 3
    for run in map(rdflib.URIRef, tracked):
        making = graph.value(run, PROV.wasGeneratedBy)
        assert (making, RDF.type, PROV.Activity) in graph
        assert set(graph.objects(making, PROV.startedAtTime)) == set(
            graph.objects(making, P.startTime)
        )
        assert set(graph.objects(making, PROV.used)) == {
            *graph.objects(run, P.data),
            *graph.objects(run, P.implementation),
        }
        assert set(graph.objects(making, PROV.wasAssociatedWith)) == set(
            graph.objects(run, P.actor)
        )


#: What the alignments conclude in terms of PROV, by subproperties and by chains of properties.
IN_PROV = (
    PROV.wasAttributedTo,
    PROV.specializationOf,
    PROV.wasGeneratedBy,
    PROV.used,
    PROV.wasAssociatedWith,
    PROV.qualifiedAttribution,
)


def test_what_follows_in_prov_stands_in_drafts() -> None:
    """Endpoints that hold nanopublications conclude nothing."""
    drafter, drafts = RunDrafter(), rdflib.Graph()
    files = sorted((SHARED / "headers").glob("*.yml"))
    # The last one has an actor, and a tracker watched.
    own_header = parse_header(HEADER.format(mail="ada"))
    for parsed in [*(read_header(file, sidecars=False) for file in files), own_header]:
        run = Lifter().lift(parsed).run.iri
        drafted = drafter.draft(RunSource(iri=run, header=parsed))
        drafts.parse(data=drafted.draft.triples, format="turtle")
    own = rdflib.Graph()
    for one in drafts:
        if one[1].startswith(PRIMAD):
            own.add(one)
    follows = closed(own.serialize(format="nt"), pattern="alignments.ttl")
    for predicate in IN_PROV:
        found = set(drafts.subject_objects(predicate))
        assert found == set(follows.subject_objects(predicate)), predicate
        assert found, predicate


HEADER = """\
tag: x
actor: {{name: Ada, orcid: 0000-0002-1825-0097, mail: {mail}@example.org}}
research goal: {{evaluation: {{reported measures: [map]}}}}
resources: {{runtime: {{start time: "2026-11-18T07:08:24Z"}}}}
"""


def header(mail: str = "ada") -> tuple[str, str]:
    """A run and its statements."""
    run = Lifter().lift(parse_header(HEADER.format(mail=mail)))
    return run.run.iri, "".join(graph.triples for graph in run.graphs)


@pytest.mark.parametrize(
    "kind",
    [
        P.Ranking,  # by our own axioms
        PROV.Activity,  # by those of PROV, since a run is an entity
    ],
)
def test_a_contradiction_is_found(kind: str) -> None:
    run, triples = header()
    assert errors(closed(triples, f"<{run}> a <{kind}> .")) != []


def test_a_person_is_one_agent_whatever_their_address_of_mail_is() -> None:
    (one, first), (other, second) = header(), header("lovelace")
    # Who made a run may try the systems of a track, too.
    graph = closed(first, second, f"<{BASE}actor/1> a <{PRIMAD}Actor>, <{PRIMAD}Analyst> .")
    assert errors(graph) == []
    person = rdflib.URIRef("https://orcid.org/0000-0002-1825-0097")
    made = {str(run) for run in graph.subjects(PROV.wasAttributedTo, person)}
    assert made == {one, other}
    assert len(set(graph.objects(rdflib.URIRef(one), P.actor))) == 1
    assert (rdflib.URIRef(one), P.actor, graph.value(rdflib.URIRef(other), P.actor)) not in graph
