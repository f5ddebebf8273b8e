"""The ontology, its alignments and its concept schemes: complete, consistent, documented."""

from __future__ import annotations

import os
import re
import shutil
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import pytrec_eval
from rdflib import Graph, Literal, Namespace, URIRef
from rdflib.collection import Collection
from rdflib.namespace import (
    DCAT,
    DCTERMS,
    FOAF,
    ORG,
    OWL,
    PROV,
    RDF,
    RDFS,
    SDO,
    SH,
    SKOS,
    SOSA,
    VANN,
    XSD,
)

from primad_ld.schema.canonical import folded
from primad_ld.trec.measure_names import is_of_trec_eval

ROOT = Path(__file__).parents[1]
ONTOLOGY = ROOT / "ontology"
FILES = [*sorted(ONTOLOGY.glob("*.ttl")), *sorted((ROOT / "shapes").rglob("*.ttl"))]

PRIMAD = Namespace("https://w3id.org/primad-ld/ontology#")
FIELD = Namespace("https://w3id.org/primad-ld/field#")
SCHEME = Namespace("https://w3id.org/primad-ld/schemes#")
IRI = URIRef("https://w3id.org/primad-ld/ontology")
#: Schemes whose concepts headers name, and those of what evaluations and measurements say.
FIELD_SCHEMES = ("role", "degree", "measure", "test", "correction", "ties")
SCHEMES = (
    *FIELD_SCHEMES,
    "reproducibility",
    "condition",
    "kind",
    "precision",
    "progress",
    "outcome",
    "verdict",
)

PROPERTIES = (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty)
# HermiT refuses a range of gYear, date or duration, so that the whole file would be lost to it.
DATATYPES = {XSD.string, XSD.integer, XSD.decimal, XSD.boolean, XSD.dateTime, XSD.anyURI}


def _graph(path: Path) -> Any:  # rdflib types every node as a Node, which has no text
    return Graph().parse(path)


TERMS = _graph(ONTOLOGY / "primad.ttl")
ALIGNMENTS = _graph(ONTOLOGY / "alignments.ttl")
CONCEPTS = _graph(ONTOLOGY / "schemes.ttl")
ANNOTATIONS = _graph(ONTOLOGY / "field.ttl")
SHAPES = _graph(ROOT / "shapes" / "header.ttl")

DEFINED = sorted(
    {
        term
        for kind in (OWL.Class, *PROPERTIES)
        for term in TERMS.subjects(RDF.type, kind)
        if term in PRIMAD
    }
)
OF_FIELDS = sorted(term for term in ANNOTATIONS.subjects(RDF.type, None) if term in FIELD)


def _name(iri: Any) -> str:
    return re.split(r"[#/]", str(iri))[-1]


def _require(what: str, there: object) -> None:
    """Skip where a tool is missing, unless the environment promises that all are there."""
    if there:
        return
    if os.environ.get("PRIMAD_LD_REQUIRE_ALL"):
        pytest.fail(f"{what} is missing, and PRIMAD_LD_REQUIRE_ALL is set")
    pytest.skip(f"{what} is missing")


def _import(module: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a third party warns of is not ours to fix
            return __import__(module)
    except ImportError:
        return None


# Terms ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_term_in_use_is_defined(path: Path) -> None:
    graph = _graph(path)
    used = {
        node
        for triple in graph
        for node in triple
        if isinstance(node, URIRef) and (node in PRIMAD or node in FIELD)
    }
    assert sorted(used - {*DEFINED, *OF_FIELDS}) == []


@pytest.mark.parametrize("term", [*DEFINED, *OF_FIELDS], ids=_name)
def test_term_is_documented(term: URIRef) -> None:
    terms = TERMS + ANNOTATIONS
    for annotation in (RDFS.label, SKOS.definition):
        texts = list(terms.objects(term, annotation))
        assert [text.language for text in texts] == ["en"], annotation
        assert re.fullmatch(r"\S(?:.*\S)?", str(texts[0])), annotation
    assert terms.value(term, SKOS.definition).endswith(".")
    assert any(terms.objects(term, SKOS.example))
    assert list(terms.objects(term, RDFS.isDefinedBy)) == [URIRef(term.partition("#")[0])]


def test_annotations_of_shapes_are_no_terms_of_runs() -> None:
    on_shapes = {
        predicate
        for path in FILES
        if "shapes" in path.parts
        for predicate in _graph(path).predicates()
    }
    assert {one for one in on_shapes if one in PRIMAD} == set()
    assert {one for one in on_shapes if one in FIELD} == set(OF_FIELDS)
    assert {ANNOTATIONS.value(one, RDF.type) for one in OF_FIELDS} == {OWL.AnnotationProperty}


@pytest.mark.parametrize("term", DEFINED, ids=_name)
def test_term_is_of_one_kind(term: URIRef) -> None:
    kinds = set(TERMS.objects(term, RDF.type)) - {
        PRIMAD.DerivedProperty,
        PRIMAD.ObservedProperty,
    }
    assert len(kinds) == 1
    assert kinds <= {OWL.Class, *PROPERTIES}
    assert (OWL.Class in kinds) == _name(term)[0].isupper()


@pytest.mark.parametrize("kinds", [(OWL.Class,), PROPERTIES], ids=["classes", "properties"])
def test_labels_are_unique(kinds: tuple[URIRef, ...]) -> None:
    labels = Counter(
        str(TERMS.value(term, RDFS.label)).casefold()
        for term in DEFINED
        if set(kinds) & set(TERMS.objects(term, RDF.type))
    )
    assert [label for label, count in labels.items() if count > 1] == []


@pytest.mark.parametrize("term", DEFINED, ids=_name)
def test_domain_and_range(term: URIRef) -> None:
    for domain in TERMS.objects(term, RDFS.domain):
        assert (domain, RDF.type, OWL.Class) in TERMS
    for reach in TERMS.objects(term, RDFS.range):
        if (term, RDF.type, OWL.DatatypeProperty) in TERMS:
            assert reach in DATATYPES
        else:
            assert (reach, RDF.type, OWL.Class) in TERMS


COMPONENTS = "platform researchGoal implementation method actor data".split()


def test_derived_properties_belong_to_the_run() -> None:
    derived = set(TERMS.subjects(RDF.type, PRIMAD.DerivedProperty))
    identities = {PRIMAD[f"{name}Identity"] for name in COMPONENTS}
    facts = "onCollection byTeam reportsMeasure tagInFile inYear pipeline completeness lacksComponent summary identityVersion"
    assert derived == identities | {PRIMAD[name] for name in facts.split()}
    assert {TERMS.value(term, RDFS.domain) for term in derived} == {PRIMAD.Run}


FIELDS = sorted(SHAPES.subjects(RDF.type, SH.PropertyShape))


@pytest.mark.parametrize("field", FIELDS, ids=_name)
def test_field_and_property_agree(field: URIRef) -> None:
    path = SHAPES.value(field, SH.path)
    term = path if isinstance(path, URIRef) else list(Collection(SHAPES, path))[-1]
    kinds, reach = set(TERMS.objects(term, RDF.type)), set(TERMS.objects(term, RDFS.range))
    datatype, cls = SHAPES.value(field, SH.datatype), SHAPES.value(field, SH["class"])
    if cls is not None:
        assert OWL.ObjectProperty in kinds
        assert reach <= set(TERMS.transitive_objects(cls, RDFS.subClassOf))
    elif datatype in DATATYPES:
        assert OWL.DatatypeProperty in kinds
        assert reach == {datatype}
    elif datatype is None:
        assert OWL.ObjectProperty in kinds
    else:
        assert OWL.ObjectProperty not in kinds
        assert not reach


#: Properties of what a header holds beside its fields.
AS_WRITTEN = {"text", "writtenAs", "extra", "unread"}


def _domain(term: URIRef) -> set[Any]:
    """The classes that have a property; none where it is open to all."""
    found = TERMS.value(term, RDFS.domain)
    union = TERMS.value(found, OWL.unionOf)
    return set(Collection(TERMS, union)) if union else {found} - {None}


@pytest.mark.parametrize("term", [term for term in DEFINED if _name(term)[0].islower()], ids=_name)
def test_a_property_has_a_domain_or_says_that_it_has_none(term: URIRef) -> None:
    note = str(TERMS.value(term, SKOS.scopeNote, default=""))
    is_open = "It has no domain on purpose." in note or _name(term) in AS_WRITTEN
    assert bool(_domain(term)) != is_open


OWNERS = sorted(
    (term, owners)
    for term in {path for path in SHAPES.objects(None, SH.path) if isinstance(path, URIRef)}
    for owners in [
        {
            SHAPES.value(parent, SH["class"]) or SHAPES.value(parent, SH.targetClass)
            for field in SHAPES.subjects(SH.path, term)
            for parent in SHAPES.subjects(SH.property, field)
        }
    ]
)


@pytest.mark.parametrize(("term", "owners"), OWNERS, ids=[_name(term) for term, _ in OWNERS])
def test_whoever_has_a_field_is_in_the_domain_of_its_property(
    term: URIRef, owners: set[URIRef]
) -> None:
    if domain := _domain(term):
        above = {one: set(TERMS.transitive_objects(one, RDFS.subClassOf)) for one in owners}
        assert all(domain & classes for classes in above.values())
        # Requirements have no shape of their own: a converter makes them.
        assert domain - {PRIMAD.SoftwareRequirement} <= set().union(*above.values())


QUANTITIES = sorted(
    {
        path if isinstance(path, URIRef) else list(Collection(SHAPES, path))[-1]
        for field in FIELDS
        for path in SHAPES.objects(field, SH.path)
        if SHAPES.value(field, SH["class"]) == PRIMAD.MeasuredSeries
        or str(SHAPES.value(field, FIELD.converter)) in ("size", "duration", "frequency", "energy")
    }
)
_UNITS = re.compile(r"\b(bytes|kB|MB|seconds|minutes|megahertz|joules|degrees Celsius|percent)\b")
_WORDS = {
    "BYTE": "bytes",
    "KiloBYTE": "kB",
    "MegaBYTE": "MB",
    "SEC": "seconds",
    "MIN": "minutes",
    "MegaHZ": "megahertz",
    "J": "joules",
    "DEG_C": "degrees Celsius",
    "PERCENT": "percent",
}


@pytest.mark.parametrize("term", QUANTITIES, ids=_name)
def test_a_quantity_has_a_unit(term: URIRef) -> None:
    assert TERMS.value(term, PRIMAD.inUnit) is not None


@pytest.mark.parametrize(
    "term", [term for term in DEFINED if (term, RDF.type, OWL.Class) not in TERMS], ids=_name
)
def test_a_property_has_one_unit_which_its_definition_names(term: URIRef) -> None:
    units = {_WORDS[_name(unit)] for unit in TERMS.objects(term, PRIMAD.inUnit)}
    # Its shapes name no other one, wherever the header writes it.
    shapes = SHAPES.subjects(SH.path, term)
    texts = [TERMS.value(term, SKOS.definition)]
    texts += [text for field in shapes for text in SHAPES.objects(field, SH.description)]
    if TERMS.value(term, RDFS.range) in (XSD.decimal, XSD.integer, PRIMAD.MeasuredSeries):
        assert {unit for text in texts for unit in _UNITS.findall(str(text))} == units
    else:
        assert not units
    assert len(units) <= 1


# Headers of the files -------------------------------------------------------------------


def test_ontology_header_is_complete() -> None:
    header = {
        RDF.type: OWL.Ontology,
        OWL.versionIRI: URIRef(f"{IRI}/0.1.0"),
        OWL.versionInfo: Literal("0.1.0"),
        DCTERMS.license: URIRef("https://spdx.org/licenses/MIT"),
        VANN.preferredNamespacePrefix: Literal("primad"),
        VANN.preferredNamespaceUri: Literal(str(PRIMAD)),
    }
    for predicate, value in header.items():
        assert list(TERMS.objects(IRI, predicate)) == [value]
    for predicate in (DCTERMS.title, DCTERMS.description, DCTERMS.creator, DCTERMS.created):
        assert len(list(TERMS.objects(IRI, predicate))) == 1, predicate
    assert "0.1.0" in str(TERMS.value(IRI, DCTERMS.bibliographicCitation))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_prefix_is_used(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    prefixes = re.findall(r"^@prefix ([\w-]*):", text, re.MULTILINE)
    body = re.sub(
        r'"(?:\\.|[^"\\])*"|^@prefix .*$|(?<!\S)#.*$|<[^>]*>', "", text, flags=re.MULTILINE
    )
    used = set(re.findall(r"(?<![\w-])([A-Za-z][\w-]*):", body))
    assert sorted(set(prefixes) - used) == []
    assert len(prefixes) == len(set(prefixes))


@pytest.mark.parametrize("path", sorted(ONTOLOGY.glob("*.ttl")), ids=lambda path: path.name)
def test_nothing_is_imported(path: Path) -> None:
    graph = _graph(path)
    assert not list(graph.triples((None, OWL.imports, None)))
    (header,) = graph.subjects(RDF.type, OWL.Ontology)
    for predicate in (DCTERMS.title, DCTERMS.description, DCTERMS.license, OWL.versionInfo):
        assert graph.value(header, predicate) is not None, predicate


# Alignments -----------------------------------------------------------------------------


def test_run_is_no_process() -> None:
    everything = TERMS + ALIGNMENTS
    ancestors = set(everything.transitive_objects(PRIMAD.Run, RDFS.subClassOf))
    # mls:Run fits a model and prov:Activity is disjoint from prov:Entity; a run is a file.
    assert not {_name(cls) for cls in ancestors - {PRIMAD.Run}} & {"Run", "Activity"}
    assert PROV.Entity in ancestors


def test_nothing_but_a_concept_is_matched_as_one() -> None:
    """The properties of SKOS have skos:Concept as domain and range."""
    matches = (
        SKOS.closeMatch,
        SKOS.exactMatch,
        SKOS.relatedMatch,
        SKOS.broadMatch,
        SKOS.narrowMatch,
    )
    everything = TERMS + ALIGNMENTS + CONCEPTS + ANNOTATIONS
    assert [one for one in matches if any(everything.triples((None, one, None)))] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_schema_org_is_https(path: Path) -> None:
    found = path.read_text(encoding="utf-8").count("http://schema.org")
    assert found == (path.name == "alignments.ttl")  # a prefix for what nanopublications write


def test_what_nanopublications_write_of_schema_org_is_equivalent_to_its_canonical_form() -> None:
    """Each term that follows from one of ours, which drafts state with http."""
    used = {
        node
        for predicate in (RDFS.subClassOf, RDFS.subPropertyOf)
        for node in ALIGNMENTS.objects(None, predicate)
        if node.startswith(str(SDO))
    }
    pairs = {
        (one, other)
        for predicate in (OWL.equivalentClass, OWL.equivalentProperty)
        for one, other in ALIGNMENTS.subject_objects(predicate)
    }
    assert pairs == {(URIRef(one.replace("https://", "http://")), one) for one in used}


@pytest.mark.parametrize("vocabulary", [DCAT, DCTERMS, FOAF, ORG, PROV, SDO, SKOS, SOSA], ids=str)
def test_aligned_terms_exist(vocabulary: Any) -> None:
    used = {
        node
        for triple in ALIGNMENTS + TERMS + CONCEPTS
        for node in triple
        if isinstance(node, URIRef) and str(node).startswith(str(vocabulary))
    }
    assert used
    assert [node for node in sorted(used) if node not in vocabulary] == []


def test_every_aligned_vocabulary_is_named() -> None:
    namespaces = {
        prefix: str(namespace)
        for prefix, namespace in ALIGNMENTS.namespaces()
        if prefix in ("cito", "dqv", "fabio", "mls", "obo", "p-plan", "prof", "qudt", "spdx")
    }
    nodes = {str(node) for triple in ALIGNMENTS for node in triple}
    assert len(namespaces) == 9
    for namespace in namespaces.values():
        assert any(node.startswith(namespace) and node != namespace for node in nodes)


# Concept schemes ------------------------------------------------------------------------


def _concepts(scheme: str) -> list[Any]:
    return sorted(CONCEPTS.subjects(SKOS.inScheme, SCHEME[scheme]))


def test_schemes_are_these() -> None:
    assert set(CONCEPTS.subjects(RDF.type, SKOS.ConceptScheme)) == {
        SCHEME[name] for name in SCHEMES
    }
    assert set(CONCEPTS.subjects(RDF.type, SKOS.Concept)) == {
        concept for name in SCHEMES for concept in _concepts(name)
    }


def _notations(concept: URIRef) -> list[Literal]:
    """The notations of a concept; of a measure the one of trec_eval first."""
    found = CONCEPTS.objects(concept, SKOS.notation)
    return sorted(found, key=lambda one: (not is_of_trec_eval(str(one)), str(one)))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_concepts_are_documented(scheme: str) -> None:
    labels = [
        str(CONCEPTS.value(concept, SKOS.prefLabel)).casefold() for concept in _concepts(scheme)
    ]
    assert len(labels) == len(set(labels)) > 1
    for concept in _concepts(scheme):
        for annotation in (SKOS.prefLabel, SKOS.definition):
            assert [text.language for text in CONCEPTS.objects(concept, annotation)] == ["en"], (
                concept
            )
        assert CONCEPTS.value(concept, SKOS.definition).endswith("."), concept
        broader = list(CONCEPTS.objects(concept, SKOS.broader))
        top = list(CONCEPTS.objects(concept, SKOS.topConceptOf))
        assert len(broader) + len(top) == 1, concept
        assert set(top) <= {SCHEME[scheme]}, concept
        assert set(broader) <= set(_concepts(scheme)), concept


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_text_names_one_concept(scheme: str) -> None:
    texts: Counter[str] = Counter()
    for concept in _concepts(scheme):
        notation, *others = _notations(concept)
        slug = re.sub(r"[^A-Za-z0-9_.-]+", "-", str(notation)).strip("-.")
        # RR@10 is recip_rank_10 for those who read what headers say off the IRIs.
        form = folded("measure", str(notation))
        assert concept in (SCHEME[f"{scheme}-{slug}"], SCHEME[f"{scheme}-{form}"])
        every = (notation, *others, *CONCEPTS.objects(concept, SKOS.altLabel))
        for text in every:
            assert text.language is None
            assert text.datatype in (None, XSD.string)
        # ndcg and nDCG are one.
        texts.update({str(text).casefold() for text in every})
    assert [text for text, count in texts.items() if count > 1] == []


def test_measures_of_trec_eval_are_covered() -> None:
    evaluator = pytrec_eval.RelevanceEvaluator({"1": {"a": 1}}, pytrec_eval.supported_measures)
    printed = evaluator.evaluate({"1": {"a": 1.0}})["1"]
    notations = {str(one) for concept in _concepts("measure") for one in _notations(concept)}
    assert sorted({*printed, *pytrec_eval.supported_measures} - notations) == []


@pytest.mark.parametrize("concept", _concepts("measure"), ids=_name)
def test_measures_are_those_of_trec_eval(concept: URIRef) -> None:
    """Others are those of ir_measures: tests/trec/test_measure_providers.py."""
    notation = str(_notations(concept)[0])
    if is_of_trec_eval(notation) and notation not in pytrec_eval.supported_measures:
        evaluator = pytrec_eval.RelevanceEvaluator({"1": {"a": 1}}, {notation})
        assert list(evaluator.evaluate({"1": {"a": 1.0}})["1"]) == [notation]


@pytest.mark.parametrize(
    ("scheme", "text", "notation"),
    [
        ("measure", "AP", "map"),
        ("measure", "nDCG@10", "ndcg_cut_10"),
        ("measure", "RR", "recip_rank"),
        ("measure", "R@100", "recall_100"),
        ("measure", "IPrec@0.1", "iprec_at_recall_0.10"),
        ("measure", "SetP", "set_P"),
        ("measure", "p@10", "P_10"),
        ("test", "randomisation test", "permutation"),
        ("correction", "Holm", "holm-bonferroni"),
        ("degree", "PhD", "Ph.D."),
        ("ties", "lexicographic order", "alphabetical order"),
    ],
)
def test_other_spellings(scheme: str, text: str, notation: str) -> None:
    found = [
        str(first)
        for concept in _concepts(scheme)
        for first, *others in [_notations(concept)]
        if text.casefold()
        in {str(one).casefold() for one in [*others, *CONCEPTS.objects(concept, SKOS.altLabel)]}
    ]
    assert found == [notation]


@pytest.mark.parametrize("scheme", FIELD_SCHEMES)
def test_examples_of_the_fields_are_notations(scheme: str) -> None:
    notations = {str(one) for concept in _concepts(scheme) for one in _notations(concept)}
    fields = list(SHAPES.subjects(FIELD.converter, Literal(scheme)))
    assert fields
    for field in fields:
        assert {str(example) for example in SHAPES.objects(field, SKOS.example)} <= notations


# Reasoning ------------------------------------------------------------------------------

EXAMPLE = """
@prefix primad: <https://w3id.org/primad-ld/ontology#> .
@prefix scheme: <https://w3id.org/primad-ld/schemes#> .
@prefix dqv: <http://www.w3.org/ns/dqv#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix schema: <https://schema.org/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix sosa: <http://www.w3.org/ns/sosa/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix : <https://example.org/> .

:run a primad:Run ; primad:tag "bm25+lr" ; primad:baseline "WCrobust04" ; primad:ranking :ranking ;
    primad:header :header ; primad:platform :platform ; primad:researchGoal :goal ;
    primad:implementation :implementation ; primad:method :method ; primad:actor :actor ; primad:data :data ;
    primad:contribution :contribution ; primad:resourceUse :resources ; primad:command "./search -hits 1000" ;
    primad:arguments '["./search","-hits","1000"]'^^rdf:JSON ;
    primad:onCollection "nyt/trec-core-2017" ; primad:byTeam "h2oloo" ; primad:reportsMeasure scheme:measure-map .
:run primad:dataIdentity :identity .
:identity a primad:Identity ; primad:identityOf primad:data ;
    primad:identity '{"collection":{"name":"nyt"},"of":"data","version":"1782dec0"}'^^rdf:JSON .
:ranking a primad:Ranking ; primad:rankingDigest "85f0e80218fce30bf3cb14d04a504a5d73d4393ae93e24076c5d8995ba48bc99" .
:header a primad:HeaderRecord ; foaf:primaryTopic :run ; primad:schemaVersion "0.1" ; primad:runFileName "run.gz" ;
    primad:extra '{"note":"a field of our own"}'^^rdf:JSON .
:contribution a primad:Contribution ; primad:contributor :actor ; primad:position 1 ;
    primad:actorRole scheme:role-experimenter .
:platform a primad:Platform ; primad:hardware :hardware ; primad:software :software .
:hardware a primad:Hardware ; primad:cpu :cpu ; primad:ram 32000000000 ; primad:writtenAs "ram: 32 GB" .
:cpu a primad:CPU ; primad:processorModel "Xeon Gold 6144" ; primad:numberOfCores 16 .
:software a primad:Software ; primad:softwareLibrary :numpy .
:numpy a primad:SoftwareRequirement ; primad:name "numpy" ; primad:version "1.15.4" ; primad:text "numpy 1.15.4" .
:goal a primad:ResearchGoal ; primad:publication :paper ; primad:evaluation :evaluation .
:paper a primad:Publication ; primad:doi <https://doi.org/10.1007/978-3-030-15712-8_26> .
:evaluation a primad:Evaluation ; primad:reportedMeasure scheme:measure-map , scheme:measure-P_10 ;
    primad:significanceTest :test .
:test a primad:SignificanceTest ; primad:testMethod scheme:test-t-test ;
    primad:correctionMethod scheme:correction-bonferroni .
:implementation a primad:Implementation ; primad:sourceCode :source .
:source a primad:SourceCode ; primad:repository <https://github.com/castorini/anserini> ; primad:commit "9548cd6" .
:method a primad:Method ; primad:automatic true ; primad:scoreTies scheme:ties-alphabetical-order ;
    primad:stage :bm25 , :lr , :mix .
:bm25 a primad:Stage ; primad:name "bm25" ; primad:position 1 ; primad:parameter :k1 .
:k1 a primad:Parameter ; primad:name "k1" ; primad:value 0.9 .
:lr a primad:Stage ; primad:name "lr" ; primad:position 2 ; primad:reranks :bm25 .
:mix a primad:Stage ; primad:name "mix" ; primad:position 3 ; primad:interpolates :lr , :bm25 ; primad:interpolationWeight 0.6 ;
    primad:listItem :first .
:first a primad:ListItem ; primad:ofProperty primad:interpolates ; primad:position 1 ; primad:value :lr .
:actor a primad:Actor ; primad:name "A. Author" ; primad:orcid <https://orcid.org/0000-0002-1825-0097> ;
    primad:team "h2oloo" ; primad:academicDegree scheme:degree-Ph.D .
:data a primad:Data ; primad:testCollection :nyt .
:nyt a primad:TestCollection ; primad:irDatasets "nyt/trec-core-2017" ; primad:qrels <https://example.org/qrels.txt> .
:resources a primad:ResourceUse ; primad:runtime :runtime ; primad:cpuUse :use .
:runtime a primad:Runtime ; primad:startTime "2026-11-18T07:08:24Z"^^xsd:dateTime ; primad:wallclock 0.08 .
:use a primad:DeviceUse ; primad:energyUsed 12.5 ; primad:shareUsedByProcess :series .
:series a primad:MeasuredSeries ; primad:average 52.5 ; primad:timeSeries '{"values":[0]}'^^rdf:JSON .
:scores a primad:ScoreSet ; primad:ofRanking :ranking ; primad:evaluator "pytrec_eval-terrier 0.5.11" ;
    primad:scoredMeasures '["map"]' ; primad:topicCount 93 ; primad:withParameter :complete .
:topic-scores a primad:TopicScores ; primad:ofScores :scores ; primad:scoresByTopic "1 0.25\\n2 0.5" ;
    primad:omittedMeasures '["P_10"]' ; primad:unansweredTopics '["4"]' ; primad:unjudgedTopics '["94"]' .
:complete a primad:Parameter ; primad:name "complete" ; primad:value true .
:assessment a primad:ReproducibilityAssessment ; primad:reference :run ; primad:candidate :again ; primad:sameTopics true ; primad:sameDocuments false ; primad:sameJudgements true ; primad:pairedScores true ; primad:documentsOfBoth 30 ; primad:topicsBecause "both headers name the collection garden" ;
    primad:primadType "priMad" ; primad:evaluator "pytrec_eval-terrier 0.5.11" ; primad:measurement :er .
:again a primad:Run ; primad:name "run.txt" .
:er a dqv:QualityMeasurement ; dqv:isMeasurementOf scheme:reproducibility-er ; dqv:computedOn :again ;
    dqv:value 0.9 ; primad:ofMeasure scheme:measure-map ; primad:intervalLow 0.7 ; primad:measurementDetail :samples .
:samples a primad:MeasurementDetail ; primad:name "samples" ; primad:value 1000 .
:table a primad:MeasurementTable ; primad:measurementCount 2 ; primad:measuredValue :first-value , :second-value ;
    primad:definesCondition :by ; primad:definesScale :points .
:by a primad:NamedCondition ; primad:position 1 ; primad:name "Implem. by" ; primad:ofCondition scheme:condition-implementation .
:points a primad:MeasurementScale ; primad:name "points" ; primad:scaleMinimum 1 ; primad:isStated true .
:first-value a primad:MeasuredValue , sosa:Observation ; primad:position 1 ; primad:measuredObjectName "NTS" ; primad:measurand "BLEU" ;
    sosa:hasFeatureOfInterest :nts ; sosa:observedProperty :bleu ; sosa:hasSimpleResult 84.51 ; primad:isOriginal true ;
    primad:measuredInStudy "Nisioi et al." ; primad:onScale :points ; primad:underCondition :theirs .
:second-value a primad:MeasuredValue , sosa:Observation ; sosa:hasFeatureOfInterest :again ;
    sosa:observedProperty scheme:measure-map ; sosa:hasSimpleResult 0.3 ; primad:text "0.30" .
:nts a primad:MeasuredObject ; primad:name "NTS" .
:bleu a primad:Measurand ; primad:name "BLEU" .
:theirs a primad:ConditionOfMeasurement ; primad:ofCondition scheme:condition-implementation ; primad:value "theirs" .
:precision a primad:PrecisionAssessment , dqv:QualityMeasurement ; primad:fromTable :table ; primad:assessedValue :first-value ;
    dqv:isMeasurementOf scheme:precision-cv_star_2022 ; dqv:value 1.562 ; dqv:computedOn :again ; primad:precisionVariant "2022" ;
    primad:ofMeasure scheme:measure-map ; primad:measuredObjectName "NTS" ; primad:measurand "map" ; primad:shiftedMean 84.9 ; primad:deviationLow -0.1 ;
    primad:precisionKind scheme:kind-reproducibility ; primad:differsIn scheme:condition-implementation , "random seed" ;
    primad:conditionState :state ; primad:assessedWith "primad-ld 0.1.0" ; primad:originalRun :run .
:track a primad:ReplicationTrack ; primad:submittedSystem :their-system ; primad:analyst :reader ; primad:attempt :try ;
    primad:sheetQuestion :q1 ; primad:answerScale :levels ; primad:comparesBy :f1 ; primad:budgetMinutes 480 .
:their-system a primad:SubmittedSystem ; primad:localIdentifier "System 1" ; primad:submittedConfiguration :submitted .
:submitted a primad:SubmittedConfiguration ; primad:submittedScore :score-of-theirs .
:score-of-theirs a primad:TrackScore , dqv:QualityMeasurement ; primad:byMeasure :f1 ; dqv:value 0.6 ; primad:text "0.60" .
:f1 a primad:TrackMeasure ; primad:name "F1" ; primad:tolerance 0.01 .
:actor a primad:Analyst .
:reader a primad:Analyst ; primad:inAnalystRole :developer ; primad:machine '{"os":"Debian"}'^^rdf:JSON .
:developer a primad:AnalystRole ; primad:localIdentifier "developer" .
:levels a primad:AnswerScale ; primad:offersLevel :yes ; primad:lowerIsBetter true .
:yes a primad:AnswerLevel ; primad:answerNumber 1 ; primad:statesOutcome scheme:outcome-exact .
:q1 a primad:SheetQuestion ; primad:answeredOn :levels ; primad:questionText "Does it run?" .
:try a primad:Attempt ; primad:byAnalyst :reader ; primad:ofSystem :their-system ; primad:humanMinutes 47.5 ;
    primad:attemptOutcome scheme:outcome-exact ; primad:progressReached scheme:progress-results ; primad:repeatabilityLevel 4 ;
    primad:obtainedScore :score-of-theirs ; primad:scoreSheet :sheet .
:sheet a primad:ScoreSheet , schema:Review ; schema:itemReviewed :their-system ; primad:sheetAnswer :yes-it-does .
:yes-it-does a primad:SheetAnswer , schema:Rating ; primad:toQuestion :q1 ; primad:answerNumber 1 ; primad:analystComments "at once" .
:state a primad:ConditionState ; primad:unknownCount 1 ; primad:ofCondition "random seed" ; primad:value "1" , "2" .
:report a sh:ValidationReport ; sh:conforms false ; primad:validatedRun :run ; primad:concernsTag "bm25+lr" ;
    primad:validationResultCount 1 ; primad:statedCompleteness 64 ; primad:failsOnSeverity sh:Violation ; sh:result :finding .
:finding a sh:ValidationResult ; sh:focusNode :run ; sh:resultPath primad:baseline ; primad:headerField "tag" .
:claim a primad:ReproducibilityClaim ; primad:concernsPublication <https://doi.org/10.1007/978-3-030-15712-8_26> ;
    primad:claimText "reranking helps" ; primad:verdict scheme:verdict-not_reproduced ; primad:reproductionCriterion "AP within 0.01" ;
    primad:attemptMade "the code of the authors" ; primad:stopReason "out of memory" ; primad:attemptOutcome scheme:outcome-different ;
    primad:progressReached scheme:progress-results ; primad:ofSystem :their-system ; primad:humanMinutes 47.5 ;
    primad:differsIn primad:Platform ; primad:differingCondition :memory ; primad:inTrack "Garden" .
:memory a primad:DifferingCondition ; primad:ofCondition primad:Platform ; primad:conditionInAttempt "16 GB" ; primad:conditionInOriginal "256 GB" .
:read a primad:NanopublicationRecord ; primad:recordOf <https://w3id.org/np/RAgRRFA75QCJlfEGhWCKoGTNgrQBFAtJIWfp05JVpm3aw> ;
    primad:signatureState "signed" ; primad:holdsGraph :claim .
"""

CONTRADICTIONS = {
    "one node is two components": ":platform a primad:Data .",
    "an actor with hardware is a platform": ":actor primad:hardware :hardware .",
    "a run is not its ranking": ":run a primad:Ranking .",
    "a run has a platform, not an actor there": ":run primad:platform :actor .",
    "an assessment is about a run, not about a ranking": ":assessment primad:candidate :ranking .",
    "what has the scores of a ranking is not a ranking": ":ranking primad:ofRanking :ranking .",
    "scores by topic are not their means": ":topic-scores primad:ofScores :topic-scores .",
    "a run is no measured value": ":run primad:onScale :points .",
    "precision is of measured values, not of runs": ":precision primad:assessedValue :run .",
    "precision is no assessment of a pair": ":precision primad:candidate :again .",
    "a number of measurements is a number": ':table primad:measurementCount "two" .',
    "an analyst is no system": ":try primad:byAnalyst :their-system .",
    "a number of minutes is a number": ':try primad:runMinutes "many" .',
    "a claim is no run": ':claim primad:onCollection "nyt" .',
    "a claim is no attempt, which is a process": ":claim primad:byAnalyst :reader .",
    "a verdict is on a run, not on a ranking": ":report primad:validatedRun :ranking .",
    "what components are compared by is no component": ":platform a primad:Identity .",
    "a number of cores is a number": ':cpu primad:numberOfCores "many" .',
}


def _reason(turtle: str, folder: Path) -> list[str] | None:
    """Unsatisfiable classes by HermiT, or None when the whole is inconsistent."""
    _require("java", shutil.which("java"))
    owlready2 = _import("owlready2")
    _require("owlready2", owlready2)
    graph = TERMS + ALIGNMENTS + CONCEPTS
    graph.parse(data=turtle, format="turtle")
    path = folder / "all.nt"  # owlready2 reads N-Triples but no Turtle
    graph.serialize(path, format="nt", encoding="utf-8")
    world = owlready2.World()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            world.get_ontology(path.as_uri()).load()
            owlready2.sync_reasoner_hermit(world, debug=0)
        return sorted(str(cls) for cls in world.inconsistent_classes())
    except owlready2.OwlReadyInconsistentOntologyError:
        return None
    finally:
        world.close()


def test_example_uses_defined_terms() -> None:
    example = Graph().parse(data=EXAMPLE, format="turtle")
    used = {node for triple in example for node in triple if isinstance(node, URIRef)}
    assert sorted(node for node in used if node in PRIMAD and node not in DEFINED) == []
    concepts = set(CONCEPTS.subjects(RDF.type, SKOS.Concept))
    assert sorted(node for node in used if node in SCHEME and node not in concepts) == []


def test_consistent(tmp_path: Path) -> None:
    assert _reason(EXAMPLE, tmp_path) == []


@pytest.mark.parametrize("added", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_contradiction_is_found(added: str, tmp_path: Path) -> None:
    assert _reason(EXAMPLE + added, tmp_path) is None


# Documentation --------------------------------------------------------------------------


def test_documentation_shows_every_term(tmp_path: Path) -> None:
    pylode = _import("pylode")
    _require("pylode", pylode)
    page = tmp_path / "primad.html"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pylode.OntPub(str(ONTOLOGY / "primad.ttl")).make_html(destination=page)
    html = page.read_text(encoding="utf-8")
    for term in DEFINED:
        assert str(term) in html
        assert str(TERMS.value(term, RDFS.label)) in html, term
    assert "The primad-ld developers" in html
