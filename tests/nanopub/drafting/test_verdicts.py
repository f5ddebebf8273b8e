"""Verdicts of validation: what validate finds, without the values of the header."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import rdflib
from rdflib.namespace import RDF
from rdflib.namespace import SH as SHACL
from support import GOOD as RICH
from support import ROOT, Cli, Put
from support.drafted import accepted, judged, said, shapes_of

from primad_ld.archive.loading import load_loose
from primad_ld.nanopub.drafting.run_drafts import Drafted
from primad_ld.nanopub.drafting.verdicts import shapes_of as shapes_named
from primad_ld.nanopub.drafting.verdicts import verdicts_of_archive
from primad_ld.nanopub.drafts import Draft, draft_uri, nanopub_of_draft
from primad_ld.nanopub.signing import Signer
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.nanopub_terms import MOST_TRIPLES, PUBLISHED

P = "https://w3id.org/primad-ld/ontology#"
SH = "http://www.w3.org/ns/shacl#"
EXAMPLES = ROOT / "examples" / "garden" / "runs"
RANKING = "1 Q0 d1 1 2.0 hedge-bm25\n1 Q0 d2 2 1.0 hedge-bm25\n"
#: What RICH lacks for a header of which there is nothing to be said.
FILLED = {
    "{name: bm25, ": "{name: bm25, method: a.B, ",
    "{name: prf, ": "{name: prf, method: a.P, ",
    "{name: mix, ": "{name: mix, method: a.M, ",
    "  generation: {llm: example-8b, agents: true}\n": "",
    "{name: Meadow, ": "{name: Meadow, qrels: https://example.org/m, ",
    "{name: Heath}": "{name: Heath, qrels: https://example.org/h}",
}
GOOD = RICH
for old, new in FILLED.items():
    assert GOOD.count(old) == 1
    GOOD = GOOD.replace(old, new)


def as_run(header: str, ranking: str = RANKING) -> str:
    lines = "".join(f"# {line}\n" for line in header.splitlines())
    return f"# ir_metadata.start\n{lines}# ir_metadata.end\n{ranking}"


def changed(old: str, new: str) -> str:
    assert GOOD.count(old) == 1, old
    return GOOD.replace(old, new)


def only_draft(found: Iterator[Drafted]) -> Draft:
    (one,) = found
    assert one.problem == ""
    return one.draft


def verdicts_of(*paths: Path, profile: str = "core") -> Iterator[Drafted]:
    return verdicts_of_archive(load_loose(paths).engine, profile)


def draft_of(put: Put, header: str, profile: str = "core") -> Draft:
    return only_draft(verdicts_of(put("run.txt", as_run(header)), profile=profile))


def results_of(draft: Draft) -> list[str]:
    """The nodes of the results, in the order of their numbers."""
    nodes = said(draft, "sh:result")
    return sorted(
        (node.removeprefix(draft.about) for node in nodes),
        key=lambda node: int(node.removeprefix("#result-")),
    )


BAD = changed("number of cores: 16", "number of cores: many")
DOUBTFUL = changed("commit: '0123456'", "commit: develop")
LACKING = changed("  score ties: reverse alphabetical order\n", "")


# What it says ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "profile", "severities"),
    [
        (GOOD, "core", []),
        (BAD, "core", ["Violation"]),
        (DOUBTFUL, "core", ["Warning"]),  # it is listed, and does not make validation fail
        (LACKING, "core", ["Info"]),
        (DOUBTFUL, "strict", ["Violation", "Warning"]),  # another profile, another verdict
    ],
)
def test_it_conforms_where_validate_ends_with_zero(
    put: Put, cli: Cli, signer: Signer, header: str, profile: str, severities: list[str]
) -> None:
    draft = draft_of(put, header, profile)
    found = {
        value for node in results_of(draft) for value in said(draft, "sh:resultSeverity", node)
    }
    assert {one.removeprefix(SH) for one in found} == set(severities)
    is_zero = cli("validate", "run.txt", "--profile", profile).exit_code == 0
    assert said(draft, "sh:conforms") == ["true" if is_zero else "false"]
    assert is_zero == ("Violation" not in severities)
    accepted(draft, signer)
    assert judged(draft.triples) == []
    assert draft.label.endswith(": conforms" if is_zero else ": does not conform")


def test_its_results_are_those_of_validate(put: Put, cli: Cli) -> None:
    header = BAD.replace("commit: '0123456'", "commit: develop").replace(
        "  score ties: reverse alphabetical order\n", "  colour: green\n"
    )
    draft = draft_of(put, header, "strict")
    turtle = cli("validate", "run.txt", "--profile", "strict", "--format", "turtle").stdout
    theirs = rdflib.Graph().parse(data=turtle, format="turtle")
    ours = rdflib.Graph().parse(data=draft.triples, format="nt")
    names = (SHACL.focusNode, SHACL.resultSeverity, SHACL.sourceConstraintComponent)

    def told(graph: rdflib.Graph) -> list[tuple[str, ...]]:
        return sorted(
            tuple(str(graph.value(node, name)) for name in names)
            for node in graph.subjects(RDF.type, SHACL.ValidationResult)
        )

    assert told(ours) == told(theirs)
    assert len(told(ours)) > 3
    assert said(draft, "validationResultCount") == [str(len(told(ours)))]


def test_each_result_is_told_in_words(put: Put) -> None:
    """SHACL has two results where validate says one thing: no number, and so not more than 0."""
    draft = draft_of(put, BAD)
    assert results_of(draft) == ["#result-1", "#result-2"]
    components = []
    for node in results_of(draft):
        assert said(draft, "sh:resultMessage", node) == [
            "… is not a whole number from 1 on; write one such as 16"
        ]
        assert said(draft, "headerField", node) == ["platform.hardware.cpu.number of cores"]
        assert said(draft, "sh:resultPath", node) == [P + "numberOfCores"]
        assert said(draft, "sh:sourceShape", node) == [
            "https://w3id.org/primad-ld/shapes#cpu-cores"
        ]
        components += said(draft, "sh:sourceConstraintComponent", node)
    assert sorted(components) == [
        f"{SH}DatatypeConstraintComponent",
        f"{SH}MinInclusiveConstraintComponent",
    ]


def test_what_it_is_about_stands_flat_on_it(put: Put) -> None:
    draft = draft_of(put, GOOD)
    assert said(draft, "concernsTag") == ["hedge-bm25"]
    assert said(draft, "concernsCollection") == ["Garden", "garden/2026"]
    assert said(draft, "concernsPublication") == ["https://doi.org/10.1007/978-3-030-15712-8_26"]
    assert said(draft, "statedCompleteness") == ["97"]
    assert said(draft, "sh:shapesGraph") == ["https://w3id.org/primad-ld/profiles/core"]
    assert said(draft, "failsOnSeverity") == [SH + "Violation"]
    (run,) = said(draft, "validatedRun")
    assert draft.sources == (draft_uri("run", run),)
    assert (draft.introduces, draft.describes) == ((draft.about,), (run,))
    assert draft.kind == "verdict"
    assert "/id/validation/" in draft.about


def test_a_value_at_two_places_is_one_result(put: Put) -> None:
    """The same text where the graph has one node for both: SHACL cannot tell them apart."""
    header = changed("reported measures: [map, P@10, ndcg]", "reported measures: [mapp, mapp]")
    draft = draft_of(put, header)
    first = results_of(draft)[0]
    assert said(draft, "headerField", first) == [
        "research goal.evaluation.reported measures[1]",
        "research goal.evaluation.reported measures[2]",
    ]


# Privacy --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "secret"),
    [
        ("qrels: https://example.org/qrels.txt", "qrels: /home/ada/qrels.txt", "/ada"),
        ("role: experimenter", "role: experimenter, mail: ada at example", "ada at example"),
        ("role: experimenter", "role: ada@example.org", "ada@example"),
        ("number of cores: 16", "number of cores: ghp_0123456789abcdefghijABCDEFGHIJ", "ghp_"),
        (
            "repository: https://example.org/hedge",
            "repository: 'https://ada:hush@example.org/[x'",
            "hush",
        ),
        ("  automatic: true", "  /home/ada/runs: 1", "/ada"),
        ("name: hedge\n", "name: [/home/ada/x, y]\n", "/ada"),
        ("name: Ada", "name: Ada, twitter: {x: '@countess'}", "countess"),
    ],
)
def test_nothing_private_is_repeated(put: Put, old: str, new: str, secret: str) -> None:
    header = changed(old, new)
    draft = draft_of(put, header, "strict")
    trig = as_trig(nanopub_of_draft(draft))
    assert secret not in trig
    assert secret in put("run.txt", as_run(header)).read_text()


def test_a_node_whose_content_is_private_is_not_named(put: Put) -> None:
    """Its name is a digest of it, and short things can be guessed."""
    mail = changed("role: experimenter", "role: experimenter, mail: ada at example")
    draft = draft_of(put, mail, "strict")
    (run,) = said(draft, "validatedRun")
    focus = {value for node in results_of(draft) for value in said(draft, "sh:focusNode", node)}
    assert not any("/actor/" in one for one in focus)
    assert run in focus or not focus


def test_the_name_of_another_file_stays_at_home(put: Put) -> None:
    """Two runs of one tag: validate names the other file."""
    one = put("ada/first.txt", as_run(GOOD))
    other = put("ada/second.txt", as_run(GOOD, RANKING.replace("2.0", "3.0")))
    drafts = [each.draft for each in verdicts_of(one, other)]
    assert [said(draft, "validationResultCount") for draft in drafts] == [["0"], ["1"]]
    (node,) = results_of(drafts[1])
    assert said(drafts[1], "headerField", node) == ["tag"]
    assert said(drafts[1], "sh:focusNode", node) == said(drafts[1], "validatedRun")
    assert "first.txt" not in drafts[1].triples
    assert str(one.parent) not in drafts[1].triples


# Too many results -----------------------------------------------------------------------------


@pytest.fixture
def long(put: Put) -> Draft:
    keys = "".join(f"  unknown {number}: x\n" for number in range(900))
    header = BAD.replace("  automatic: true\n", f"  automatic: true\n{keys}")
    return draft_of(put, header)


def test_a_verdict_lists_as_much_as_a_registry_takes(long: Draft, signer: Signer) -> None:
    signed = accepted(long, signer)
    assert len(signed.nanopub.statements) <= MOST_TRIPLES
    assert judged(long.triples) == []
    assert said(long, "validationResultCount") == ["902"]
    assert len(results_of(long)) == 90


def test_the_gravest_results_come_first(long: Draft) -> None:
    severities = [said(long, "sh:resultSeverity", node)[0] for node in results_of(long)]
    assert severities[0] == SH + "Violation"
    order = [SH + "Violation", SH + "Warning", SH + "Info"]
    assert severities == sorted(severities, key=order.index)
    assert len(set(severities)) > 1


def test_long_words_are_cut(put: Put, signer: Signer) -> None:
    header = changed("  automatic: true", f"  automatic: true\n  {'x' * 900}: 1")
    draft = draft_of(put, header)
    accepted(draft, signer)
    (node,) = results_of(draft)
    (field,) = said(draft, "headerField", node)
    assert len(field) == 200
    assert field.endswith("…")


# Which shapes ---------------------------------------------------------------------------------

MINE = """\
@prefix primad: <https://w3id.org/primad-ld/ontology#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
<{name}> a primad:Profile ; dct:title "{title}" ;
    owl:imports <https://w3id.org/primad-ld/profiles/core> .
<{name}#tag> a sh:NodeShape ; sh:targetClass primad:Run ;
    sh:property [ sh:path primad:tag ; sh:pattern "^{start}" ; sh:message "{message}"@en ] .
"""


def mine(put: Put, file: str = "mine.ttl", **words: str) -> str:
    told = {"name": "https://example.org/mine", "title": "Mine", "start": "x", "message": "no x"}
    return str(put(file, MINE.format(**told | words)))


def test_a_profile_of_ones_own_is_called_as_it_calls_itself(put: Put, signer: Signer) -> None:
    draft = draft_of(put, GOOD, mine(put))
    assert said(draft, "sh:shapesGraph") == ["https://example.org/mine"]
    assert draft.label == (
        "Validation of hedge-bm25 of hedgehogs and moles on garden/2026 by Mine: does not conform"
    )
    (node,) = results_of(draft)
    assert said(draft, "sh:resultMessage", node) == ["no x"]
    assert said(draft, "sh:sourceShape", node) == []  # a blank node has no name
    accepted(draft, signer)
    assert judged(draft.triples) == []


def test_a_profile_that_is_named_by_its_place_is_named_by_its_digest(put: Put) -> None:
    """Others could not look it up, and it tells a path of one machine."""
    name = "file:///home/ada/private-place.ttl"
    draft = draft_of(put, GOOD, mine(put, "private-place.ttl", name=name))
    (digest,) = said(draft, "shapesDigest")
    assert said(draft, "sh:shapesGraph") == [f"https://w3id.org/primad-ld/id/shapes/{digest[:40]}"]
    assert "private-place" not in as_trig(nanopub_of_draft(draft))
    assert judged(draft.triples) == []


def test_the_digest_is_that_of_what_is_asked(put: Put) -> None:
    first = shapes_named(mine(put)).digest
    assert shapes_named(mine(put, "again.ttl")).digest == first  # wherever the file is
    assert shapes_named(mine(put, "other.ttl", start="y")).digest != first
    assert len({shapes_named(name).digest for name in ("core", "strict", "trec")}) == 3


# Files and archives ---------------------------------------------------------------------------


def test_some_runs_of_an_archive(signer: Signer) -> None:
    engine = load_loose([EXAMPLES]).engine
    every = [one.draft for one in verdicts_of_archive(engine)]
    assert len({draft.name for draft in every}) == 9
    (run,) = said(every[3], "validatedRun")
    assert only_draft(verdicts_of_archive(engine, only=[run])) == every[3]
    published = f"{PUBLISHED}RA{1:043}"
    other = only_draft(verdicts_of_archive(engine, only=[run], published={run: published}))
    assert other.sources == (published,)


def test_a_run_without_a_tag_is_known_by_that_of_its_file(put: Put) -> None:
    header = changed("tag: hedge-bm25\n", "")
    path = put("run.txt", as_run(header, RANKING.replace("hedge-bm25", "of-the-file")))
    draft = only_draft(verdicts_of(path))
    assert said(draft, "concernsTag") == ["of-the-file"]


# The shapes -----------------------------------------------------------------------------------

#: What stands once in a verdict is taken out or written otherwise: what was, what is, which shape.
FAULTS = {
    "without a verdict": (f"<{SH}conforms>", f"<{P}name>", "verdict-conforms"),
    "must be true or false": (
        '"false"^^<http://www.w3.org/2001/XMLSchema#boolean>',
        '"no"',
        "verdict-conforms",
    ),
    "on nothing": (f"<{P}validatedRun>", f"<{P}name>", "verdict-run"),
    "by nothing": (f"<{SH}shapesGraph>", f"<{P}name>", "verdict-shapes"),
    "by no version": (f"<{P}shapesDigest>", f"<{P}name>", "verdict-digest"),
    "without a number of results": (f"<{P}validationResultCount>", f"<{P}name>", "verdict-count"),
    "failing on nothing": (f"<{P}failsOnSeverity>", f"<{P}name>", "verdict-fails-on"),
    "more than complete": ('"97"^^', '"101"^^', "verdict-completeness"),
    "a result that is none": (f"<{SH}ValidationResult>", f"<{P}Run>", "verdict-results"),
    "a result about nothing": (f"<{SH}focusNode>", f"<{P}name>", "result-focus"),
    "a result without words": (f"<{SH}resultMessage>", f"<{P}name>", "result-message"),
    "a result of no gravity": (f"<{SH}resultSeverity>", f"<{P}name>", "result-severity"),
    "a result by nothing": (f"<{SH}sourceConstraintComponent>", f"<{P}name>", "result-component"),
    "a path that is a text": (f"<{P}numberOfCores>", '"cores"', "result-path"),
    "an empty field": ('"platform.hardware.cpu.number of cores"', '""', "result-field"),
    "an empty tag": ('"hedge-bm25" .\n', '"" .\n', "concerns-tag"),
    "a publication that is no DOI": (
        "https://doi.org/10.",
        "https://example.org/10.",
        "concerns-publication",
    ),
}


@pytest.mark.parametrize(("old", "new", "shape"), FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_is_found(put: Put, old: str, new: str, shape: str) -> None:
    triples = draft_of(put, BAD).triples
    assert old in triples
    assert shape in shapes_of(judged(triples.replace(old, new)))
