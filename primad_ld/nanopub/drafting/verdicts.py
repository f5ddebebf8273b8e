"""Verdicts of validation as drafts: what one profile says of one run, in the terms of SHACL.

A verdict is what `primad-ld validate` finds, with the same words but without the values of the
header: whoever is to see them finds them in the run's own nanopublication. It conforms where
validation ends with exit code 0, so nothing graver than a warning was found. It lists the gravest
results, as many as one nanopublication holds, and says how many there are.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.archive.assessment_graphs import assessor
from primad_ld.archive.engine import Engine
from primad_ld.archive.result_terms import ME, graph_of, integer_token, predicate, text_token
from primad_ld.core.iris import BASE, PRIMAD, RDF_TYPE, RDFS, SH, XSD, is_iri
from primad_ld.core.triples import NamedGraph
from primad_ld.header.redaction import redact_text, redact_triples
from primad_ld.nanopub.drafting.added_facts import ForOthers, fact_lines, facts_about, lines_of
from primad_ld.nanopub.drafting.run_drafts import Drafted, name_of
from primad_ld.nanopub.drafts import CONCERNS, Draft, draft_uri, shortened
from primad_ld.rdf.nanopub_terms import PROV
from primad_ld.rdf.subject_index import Object, index_triples
from primad_ld.schema.converters import typed
from primad_ld.shacl.judge import ShapeResult, in_order
from primad_ld.shacl.shapes_graph import read_terms
from primad_ld.validation.archived_runs import judge_archive
from primad_ld.validation.findings_at_lines import Keys, Remark, dotted, rank, severity_of
from primad_ld.validation.folders import Outcome, ValidationOptions
from primad_ld.validation.profiles import DEFAULT, describe, load_profile, profile_names
from primad_ld.validation.validator import JudgedSource

_REPORT: Final = SH + "ValidationReport"
_MAIL: Final = f" <{PRIMAD}mail> "
_PREDICATE: Final = re.compile(r"<([^<>\s]+)>")
#: A result has seven statements, and one for each field.
_MOST_RESULTS: Final = 90
_MOST_FIELDS: Final = 3
_LONGEST_MESSAGE: Final = 500
_LONGEST_FIELD: Final = 200
_ME: Final = f"<{ME}>"


def verdicts_of_archive(
    engine: Engine,
    profile: str = DEFAULT,
    *,
    only: Collection[str] | None = None,
    published: Mapping[str, str] | None = None,
) -> Iterator[Drafted]:
    """The verdicts of a profile on the runs of an archive, or on some of them by their IRIs.

    ``published`` are the nanopublications of runs; verdicts on others rely on drafts.
    """
    outcome, shapes = Outcome(), shapes_of(profile)
    options = ValidationOptions(profiles=(profile,), with_results=True, with_values=False)
    for judged in judge_archive(engine, options, outcome, only=only):
        outcome.results.clear()  # each is in what was judged, and there may be very many
        source = (published or {}).get(judged.iri) or draft_uri("run", judged.iri)
        draft = _draft_of(judged, shapes, source)
        yield Drafted(about=draft.about, draft=draft)
    yield from (Drafted(about="", problem=str(error)) for error in outcome.problems)


# What a run is judged by ------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedBy:
    """The shapes of a profile: which, and in which version."""

    #: What people call the profile.
    name: str
    #: Its IRI; one of the digest where it has none that others know.
    iri: str
    #: SHA-256 of the shapes of the header and of the profile.
    digest: str


def shapes_of(name: str) -> JudgedBy:
    """The shapes that a profile judges by."""
    shapes, profile = hashlib.sha256(), describe(name)
    for file in load_profile(name).files:
        data = file.read_bytes()
        shapes.update(f"{len(data)}\n".encode() + data)
    digest = shapes.hexdigest()
    (iri,) = read_terms([profile.file]).instances(PRIMAD + "Profile")
    # The path of its file is one machine's.
    title = profile.title if profile.title != name else Path(name).stem
    return JudgedBy(
        name=name if name in profile_names() else shortened(redact_text(title)[0], _LONGEST_FIELD),
        iri=iri if _is_public(iri) else f"{BASE}shapes/{digest[:40]}",
        digest=digest,
    )


# The verdict ------------------------------------------------------------------------------


def _draft_of(judged: JudgedSource, shapes: JudgedBy, source: str) -> Draft:
    """The draft of a verdict on a run, judged with results and without values.

    ``source`` is the nanopublication of the run, or its draft.
    """
    assert judged.lifted is not None  # that is how it was asked for
    run, graphs = judged.iri, judged.lifted.graphs
    whole = "".join(graph.triples for graph in graphs)
    index = ForOthers(index_triples(whole + "".join(one.triple(run) for one in judged.observed)))
    verdict = "conforms" if judged.report.conforms else "does not conform"
    label = f"Validation of {name_of(index, run)} by {shapes.name}: {verdict}"
    facts = facts_about(index, run)
    conforms = typed("true" if judged.report.conforms else "false", XSD + "boolean")
    places: dict[ShapeResult, list[tuple[Keys, Remark]]] = {}
    for result, keys, remark in judged.told:
        places.setdefault(result, []).append((keys, remark))
    lines = [
        f"{_ME} <{RDF_TYPE}> <{_REPORT}>",
        f"{_ME} <{RDFS}label> {text_token(label)}",
        f"{_ME} <{SH}conforms> {conforms}",
        f"{_ME} <{SH}shapesGraph> <{shapes.iri}>",
        f"{_ME}{predicate('failsOnSeverity')}<{SH}Violation>",
        f"{_ME}{predicate('shapesDigest')}{text_token(shapes.digest)}",
        f"{_ME}{predicate('validatedRun')}<{run}>",
        f"{_ME}{predicate('validationResultCount')}{integer_token(len(places))}",
        f"{_ME}{predicate('statedCompleteness')}{integer_token(judged.report.completeness)}",
        f"{_ME}{predicate('assessedWith')}{text_token(assessor())}",
        *(line.removesuffix(" .\n") for line in lines_of(fact_lines(ME, facts))),
    ]
    # The names of other graphs are digests of what is left out, and short things can be guessed.
    public = {graph.iri for graph in graphs if _is_whole(graph)}
    gravest = sorted(in_order(places), key=lambda one: rank(severity_of(one.severity)))
    for number, result in enumerate(gravest[:_MOST_RESULTS], 1):
        focus = result.focus.value if result.focus.value.partition("#")[0] in public else run
        lines += _result_lines(f"<{ME}#result-{number}>", result, focus, places[result])
    graph = graph_of(lines, "validation", run.rpartition("run/")[0])
    return Draft(
        kind="verdict",
        about=graph.iri,
        label=label,
        types=(_REPORT,),
        triples=graph.triples,
        provenance=(("sub:making", PROV + "used", Object(shapes.iri)),),
        sources=(source,),
        introduces=(graph.iri,),
        describes=(run,),
        word=next((value.value for name, value in facts if name == CONCERNS["tag"]), ""),
    )


def _is_whole(graph: NamedGraph) -> bool:
    """Whether others may see all of a graph."""
    return _MAIL not in graph.triples and not redact_triples(graph.triples)[1]


def _result_lines(
    node: str, result: ShapeResult, focus: str, places: Sequence[tuple[Keys, Remark]]
) -> Iterator[str]:
    """A result in the words of validate, with the fields where its value stands."""
    yield f"{_ME} <{SH}result> {node}"
    yield f"{node} <{RDF_TYPE}> <{SH}ValidationResult>"
    yield f"{node} <{SH}focusNode> <{focus}>"
    # What has no name that others know counts as a violation.
    severity = result.severity if _is_public(result.severity) else SH + "Violation"
    yield f"{node} <{SH}resultSeverity> <{severity}>"
    path = _PREDICATE.fullmatch(result.path or "")
    links = {
        "resultPath": path[1] if path else "",
        "sourceConstraintComponent": result.component,
        "sourceShape": result.shape,
    }
    for name, iri in links.items():
        # Shapes in a file of one's own may be blank nodes, or named by where the file is.
        if _is_public(iri):
            yield f"{node} <{SH}{name}> <{iri}>"
    fields = [_public_field(keys) for keys, _ in places]
    message, field = places[0][1].message, places[0][1].field
    message = redact_text(message.replace(field, fields[0]) if field else message)[0]
    yield f"{node} <{SH}resultMessage> {text_token(shortened(message, _LONGEST_MESSAGE))}"
    for name in list(dict.fromkeys(filter(None, fields)))[:_MOST_FIELDS]:
        yield f"{node}{predicate('headerField')}{text_token(name)}"


def _public_field(keys: Keys) -> str:
    """A place as people write it; keys that no schema has may be anything."""
    clean = (redact_text(key)[0] if isinstance(key, str) else key for key in keys)
    return shortened(dotted(tuple(clean)), _LONGEST_FIELD)


def _is_public(iri: str) -> bool:
    return iri.startswith(("http://", "https://")) and is_iri(iri)
