"""Verdicts of validation as drafts: what one profile says of one run, in the terms of SHACL.

A verdict is what `primad-ld validate` finds, with the same words but without the values of the
header: whoever is to see them finds them in the run's own nanopublication. It conforms where
validation ends with exit code 0, so nothing graver than a warning was found. It lists as many
results as one nanopublication holds, the gravest first, and says how many there are.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.archive.assessment_graphs import assessor
from primad_ld.archive.engine import Engine
from primad_ld.archive.result_terms import ME, graph_of, integer_token, predicate, text_token
from primad_ld.core.errors import HeaderError, SchemaError
from primad_ld.core.iris import BASE, PRIMAD, RDF_TYPE, RDFS, SH, XSD, is_iri
from primad_ld.header.model import MOST_BYTES
from primad_ld.header.redaction import redact_text, redact_triples
from primad_ld.nanopub.drafting.added_facts import ForOthers, fact_lines, facts_about, lines_of
from primad_ld.nanopub.drafting.run_drafts import Drafted, name_of
from primad_ld.nanopub.drafts import Draft, Triple, draft_uri
from primad_ld.rdf.bulk import Progress
from primad_ld.rdf.nanopub_terms import MOST_CHARACTERS, MOST_TRIPLES, PROV
from primad_ld.rdf.subject_index import Object, index_triples
from primad_ld.schema.converters import typed
from primad_ld.shacl.judge import ShapeResult, in_order
from primad_ld.shacl.shapes_graph import read_terms
from primad_ld.validation.archived_runs import judge_archive
from primad_ld.validation.findings_at_lines import Keys, Remark, dotted, rank, severity_of
from primad_ld.validation.folders import Outcome, ValidationOptions, judge_paths
from primad_ld.validation.profiles import (
    DEFAULT,
    Profile,
    describe,
    load_profile,
    profile_names,
)
from primad_ld.validation.validator import JudgedSource

# The rest is for the head, the provenance, the publication info and the signature.
_TRIPLES: Final = MOST_TRIPLES - 100
_CHARACTERS: Final = MOST_CHARACTERS - 50_000
_REPORT: Final = SH + "ValidationReport"
_MAIL: Final = f" <{PRIMAD}mail> "
_PREDICATE: Final = re.compile(r"<([^<>\s]+)>")
_RUN_IN_IRI: Final = "run/"
_LONGEST_MESSAGE: Final = 500
_LONGEST_FIELD: Final = 200
_ME: Final = f"<{ME}>"
#: Where a value stands, and what is to be said of it.
_Words = tuple[Keys, Remark]


def verdict_drafts(
    paths: Sequence[Path | str],
    profile: str = DEFAULT,
    *,
    most_bytes: int = MOST_BYTES,
    jobs: int | None = 1,
    progress: Progress | None = None,
) -> Iterator[Drafted]:
    """The verdicts of a profile on the runs that files and folders hold, each run once."""
    options = _options(profile, most_bytes=most_bytes, jobs=jobs)
    outcome = Outcome()
    yield from _drafted(judge_paths(paths, options, outcome, progress), profile, outcome, {})


def verdicts_of_archive(
    engine: Engine,
    profile: str = DEFAULT,
    *,
    only: Collection[str] | None = None,
    published: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Iterator[Drafted]:
    """The verdicts of a profile on the runs of an archive, or on some of them by their IRIs.

    ``published`` are the nanopublications of runs; verdicts on others rely on drafts.
    """
    outcome = Outcome()
    judged = judge_archive(engine, _options(profile), outcome, progress, only=only)
    yield from _drafted(judged, profile, outcome, published or {})


def _options(
    profile: str, *, most_bytes: int = MOST_BYTES, jobs: int | None = 1
) -> ValidationOptions:
    return ValidationOptions(
        profiles=(profile,),
        most_bytes=most_bytes,
        with_results=True,
        with_values=False,
        jobs=jobs,
    )


def _drafted(
    judged: Iterable[JudgedSource], profile: str, outcome: Outcome, published: Mapping[str, str]
) -> Iterator[Drafted]:
    """Drafts of what was judged, and what could not be judged."""
    shapes = shapes_of(profile)
    seen: set[str] = set()
    for one in judged:
        yield from _problems(outcome)
        if one.iri and one.iri not in seen:
            seen.add(one.iri)
            yield _verdict_of(one, shapes, published.get(one.iri, ""))
    yield from _problems(outcome)


def _problems(outcome: Outcome) -> list[Drafted]:
    """What could not be read; nothing of what was found is kept any longer than needed."""
    found: list[HeaderError] = [*outcome.problems]
    outcome.problems.clear()
    outcome.results.clear()
    return [Drafted(about="", problem=str(error)) for error in found]


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
    profile = load_profile(name)
    digest = _digest_of(profile)
    iri = _iri_of(name)
    return JudgedBy(
        name=_called(name),
        iri=iri if _is_public(iri) else f"{BASE}shapes/{digest[:40]}",
        digest=digest,
    )


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


def _iri_of(name: str) -> str:
    """The name that a profile gives itself."""
    (node,) = read_terms([describe(name).file]).instances(PRIMAD + "Profile")
    return node


def _called(name: str) -> str:
    """What people call a profile: not the path of its file, which is one machine's."""
    if name in profile_names():
        return name
    found = describe(name)
    title = found.title if found.title != name else Path(name).stem
    return _short(redact_text(title)[0], _LONGEST_FIELD)


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
    label = f"Validation of {name_of(index, run)} by {shapes.name}: {_in_words(judged)}"
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
        provenance=tuple(_used(shapes)),
        sources=(published or draft_uri("run", run),),
        introduces=(graph.iri,),
        describes=(run,),
        word=tags[0] if tags else "",
    )
    return Drafted(about=graph.iri, drafts=(draft,))


def _in_words(judged: JudgedSource) -> str:
    return "conforms" if judged.report.conforms else "does not conform"


def _used(shapes: JudgedBy) -> Iterator[Triple]:
    yield "sub:making", PROV + "used", Object(shapes.iri)


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
        if triples > _TRIPLES or characters > _CHARACTERS:
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
    yield f"{node} <{SH}resultSeverity> <{_severity(result)}>"
    links = {
        "resultPath": path[1] if path else "",
        "sourceConstraintComponent": result.component,
        "sourceShape": result.shape,
    }
    for name, iri in links.items():
        # Shapes in a file of one's own may be blank nodes, or named by where the file is.
        if _is_public(iri):
            yield f"{node} <{SH}{name}> <{iri}>"


def _severity(result: ShapeResult) -> str:
    """How grave it is; what has no name that others know counts as a violation."""
    return result.severity if _is_public(result.severity) else SH + "Violation"


def _is_public(iri: str) -> bool:
    return iri.startswith(("http://", "https://")) and is_iri(iri)


def _words_of(node: str, words: Sequence[_Words]) -> Iterator[str]:
    fields = {remark.field: _public_field(keys) for keys, remark in words}
    first = words[0][1]
    message = first.message.replace(first.field, fields[first.field]) if first.field else ""
    message = _short(redact_text(message or first.message)[0], _LONGEST_MESSAGE)
    yield f"{node} <{SH}resultMessage> {text_token(message)}"
    for field in dict.fromkeys(filter(None, fields.values())):
        yield f"{node}{predicate('headerField')}{text_token(field)}"


def _public_field(keys: Keys) -> str:
    """A place as people write it; keys that no schema has may be anything."""
    clean = (redact_text(key)[0] if isinstance(key, str) else key for key in keys)
    return _short(dotted(tuple(clean)), _LONGEST_FIELD)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
