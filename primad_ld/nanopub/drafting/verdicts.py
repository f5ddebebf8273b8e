"""Verdicts of validation as drafts: what one profile says of one run, in the terms of SHACL.

A verdict is what `primad-ld validate` finds, with the same words but without the values of the
header: whoever is to see them finds them in the run's own nanopublication. It conforms where
validation ends with exit code 0, so nothing graver than a warning was found. It lists as many
results as one nanopublication holds, the gravest first, and says how many there are.
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
from primad_ld.core.errors import SchemaError
from primad_ld.core.iris import BASE, PRIMAD, RDF_TYPE, RDFS, SH, XSD, is_iri
from primad_ld.header.redaction import redact_text, redact_triples
from primad_ld.nanopub.drafting.added_facts import ForOthers, fact_lines, facts_about, lines_of
from primad_ld.nanopub.drafting.run_drafts import (
    ASSERTED_CHARACTERS,
    ASSERTED_TRIPLES,
    Drafted,
    name_of,
)
from primad_ld.nanopub.drafts import Draft, draft_uri, shortened
from primad_ld.rdf.nanopub_terms import PROV
from primad_ld.rdf.subject_index import Object, index_triples
from primad_ld.schema.converters import typed
from primad_ld.shacl.judge import ShapeResult, in_order
from primad_ld.shacl.shapes_graph import read_terms
from primad_ld.validation.archived_runs import judge_archive
from primad_ld.validation.findings_at_lines import Keys, Remark, dotted, rank, severity_of
from primad_ld.validation.folders import Outcome, ValidationOptions
from primad_ld.validation.profiles import (
    DEFAULT,
    Profile,
    describe,
    load_profile,
    profile_names,
)
from primad_ld.validation.validator import JudgedSource

_REPORT: Final = SH + "ValidationReport"
_MAIL: Final = f" <{PRIMAD}mail> "
_PREDICATE: Final = re.compile(r"<([^<>\s]+)>")
_RUN_IN_IRI: Final = "run/"
_LONGEST_MESSAGE: Final = 500
_LONGEST_FIELD: Final = 200
_ME: Final = f"<{ME}>"
#: Where a value stands, and what is to be said of it.
_Words = tuple[Keys, Remark]


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
        yield _verdict_of(judged, shapes, (published or {}).get(judged.iri, ""))
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
    digest, profile = _digest_of(load_profile(name)), describe(name)
    (iri,) = read_terms([profile.file]).instances(PRIMAD + "Profile")
    called = name
    if name not in profile_names():
        # Not the path of its file, which is one machine's.
        title = profile.title if profile.title != name else Path(name).stem
        called = shortened(redact_text(title)[0], _LONGEST_FIELD)
    iri = iri if _is_public(iri) else f"{BASE}shapes/{digest[:40]}"
    return JudgedBy(name=called, iri=iri, digest=digest)


def _digest_of(profile: Profile) -> str:
    """What changes with any letter of the shapes, and with nothing else."""
    whole = hashlib.sha256()
    for file in profile.files:
        try:
            data = file.read_bytes()
        except OSError as error:
            raise SchemaError(f"{file}: cannot be read: {error.strerror}") from error
        whole.update(f"{len(data)}\n".encode() + data)
    return whole.hexdigest()


# The verdict ------------------------------------------------------------------------------


def _verdict_of(judged: JudgedSource, shapes: JudgedBy, published: str = "") -> Drafted:
    """The draft of a verdict on a run, judged with results and without values.

    ``published`` is the nanopublication of the run, if there is one.
    """
    assert judged.lifted is not None  # that is how it was asked for
    run = judged.iri
    whole = "".join(graph.triples for graph in judged.lifted.graphs)
    whole += "".join(one.triple(run) for one in judged.observed)
    index = ForOthers(index_triples(whole))
    verdict = "conforms" if judged.report.conforms else "does not conform"
    label = f"Validation of {name_of(index, run)} by {shapes.name}: {verdict}"
    facts = facts_about(index, run)
    main = [
        *_main_lines(judged, shapes, label),
        *(line.removesuffix(" .\n") for line in lines_of(fact_lines(ME, facts))),
    ]
    lines = [*main, *_result_lines(judged, sum(map(len, main)), len(main))]
    graph = graph_of(lines, "validation", run.rpartition(_RUN_IN_IRI)[0])
    tags = [value.value for name, value in facts if name.endswith("Tag")]
    draft = Draft(
        kind="verdict",
        about=graph.iri,
        label=label,
        types=(_REPORT,),
        triples=graph.triples,
        provenance=(("sub:making", PROV + "used", Object(shapes.iri)),),
        sources=(published or draft_uri("run", run),),
        introduces=(graph.iri,),
        describes=(run,),
        word=tags[0] if tags else "",
    )
    return Drafted(about=graph.iri, draft=draft)


def _main_lines(judged: JudgedSource, shapes: JudgedBy, label: str) -> Iterator[str]:
    """What a verdict says by itself."""
    conforms = typed("true" if judged.report.conforms else "false", XSD + "boolean")
    yield f"{_ME} <{RDF_TYPE}> <{_REPORT}>"
    yield f"{_ME} <{RDFS}label> {text_token(label)}"
    yield f"{_ME} <{SH}conforms> {conforms}"
    yield f"{_ME} <{SH}shapesGraph> <{shapes.iri}>"
    yield f"{_ME}{predicate('failsOnSeverity')}<{SH}Violation>"
    yield f"{_ME}{predicate('shapesDigest')}{text_token(shapes.digest)}"
    yield f"{_ME}{predicate('validatedRun')}<{judged.iri}>"
    yield f"{_ME}{predicate('validationResultCount')}{integer_token(len(_told(judged)))}"
    yield f"{_ME}{predicate('statedCompleteness')}{integer_token(judged.report.completeness)}"
    yield f"{_ME}{predicate('assessedWith')}{text_token(assessor())}"


# Its results ------------------------------------------------------------------------------


def _told(judged: JudgedSource) -> dict[ShapeResult, list[_Words]]:
    """Each result in words, as often as its value stands in the header."""
    found: dict[ShapeResult, list[_Words]] = {}
    for result, keys, remark in judged.told:
        found.setdefault(result, []).append((keys, remark))
    return found


def _result_lines(judged: JudgedSource, characters: int, triples: int) -> Iterator[str]:
    """As many results as there is room for beside what is said already, the gravest first."""
    told = _told(judged)
    nodes = _public_graphs(judged)
    ordered = sorted(in_order(told), key=lambda one: rank(severity_of(one.severity)))
    for number, result in enumerate(ordered, 1):
        node = f"<{ME}#result-{number}>"
        lines = [f"{_ME} <{SH}result> {node}"]
        focus = result.focus.value
        if focus.partition("#")[0] not in nodes:
            focus = judged.iri
        lines += _about_result(node, result, focus)
        lines += _words_of(node, told[result])
        triples += len(lines)
        characters += sum(map(len, lines)) + len(lines) * len(judged.iri)
        if triples > ASSERTED_TRIPLES or characters > ASSERTED_CHARACTERS:
            return
        yield from lines


def _public_graphs(judged: JudgedSource) -> set[str]:
    """The graphs of a run whose names may be told: others are digests of what is left out."""
    assert judged.lifted is not None
    return {
        graph.iri
        for graph in judged.lifted.graphs
        if _MAIL not in graph.triples and not redact_triples(graph.triples)[1]
    }


def _about_result(node: str, result: ShapeResult, focus: str) -> Iterator[str]:
    yield f"{node} <{RDF_TYPE}> <{SH}ValidationResult>"
    yield f"{node} <{SH}focusNode> <{focus}>"
    path = _PREDICATE.fullmatch(result.path or "")
    # What has no name that others know counts as a violation.
    severity = result.severity if _is_public(result.severity) else SH + "Violation"
    yield f"{node} <{SH}resultSeverity> <{severity}>"
    links = {
        "resultPath": path[1] if path else "",
        "sourceConstraintComponent": result.component,
        "sourceShape": result.shape,
    }
    for name, iri in links.items():
        # Shapes in a file of one's own may be blank nodes, or named by where the file is.
        if _is_public(iri):
            yield f"{node} <{SH}{name}> <{iri}>"


def _is_public(iri: str) -> bool:
    return iri.startswith(("http://", "https://")) and is_iri(iri)


def _words_of(node: str, words: Sequence[_Words]) -> Iterator[str]:
    fields = {remark.field: _public_field(keys) for keys, remark in words}
    first = words[0][1]
    message = first.message.replace(first.field, fields[first.field]) if first.field else ""
    message = shortened(redact_text(message or first.message)[0], _LONGEST_MESSAGE)
    yield f"{node} <{SH}resultMessage> {text_token(message)}"
    for field in dict.fromkeys(filter(None, fields.values())):
        yield f"{node}{predicate('headerField')}{text_token(field)}"


def _public_field(keys: Keys) -> str:
    """A place as people write it; keys that no schema has may be anything."""
    clean = (redact_text(key)[0] if isinstance(key, str) else key for key in keys)
    return shortened(dotted(tuple(clean)), _LONGEST_FIELD)
