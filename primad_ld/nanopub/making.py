"""Drafts of what an archive holds: runs, their scores, assessments, measurements and precision.

An assertion is the archive's own RDF, without what must not leave the machine; what is said is
said of the run, so two labs with one ranking introduce two runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from primad_ld.graphs import LiftedRun, NamedGraph
from primad_ld.header import Header, dump_header
from primad_ld.index import Index, MemoryIndex, Object, Statements, index_triples
from primad_ld.lifting import Lifter
from primad_ld.namespaces import BASE, FOAF, PRIMAD, RDF_TYPE
from primad_ld.nanopub.drafts import CONCERNS, Draft, Triple, draft_uri, text
from primad_ld.nanopub.facts import (
    fact_lines,
    facts_about,
    in_terms_of_others,
    label_line,
    published_lines,
)
from primad_ld.nanopub.packing import packed
from primad_ld.nanopub.terms import DERIVED_FROM, PROV
from primad_ld.ranking import Ranking
from primad_ld.redaction import LeftOut, redact_header, redact_text, redact_triples

_RUN_IN_IRI: Final = "run/"
_DQV_VALUE: Final = "http://www.w3.org/ns/dqv#value"
_LEFT_OUT: Final = PRIMAD + "leftOut"


@dataclass(frozen=True, kw_only=True, slots=True)
class RunSource:
    """A run as it was read, from a file or an archive."""

    header: Header
    ranking: Ranking | None = None
    file_name: str | None = None
    tag_in_file: str | None = None
    #: Its IRI where it has one already.
    iri: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drafted:
    """What one thing became: a draft, or several if it is too long for one."""

    about: str
    drafts: tuple[Draft, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    #: Why it cannot be published, in words.
    problem: str = ""


# Runs ---------------------------------------------------------------------------------------------


class RunDrafter:
    """Makes drafts of runs; make one and keep it."""

    def __init__(self, base: str = BASE, *, keep: Collection[str] = ()) -> None:
        self._base, self._keep = base, keep
        self._lifters: dict[str, Lifter] = {}

    def draft(self, source: RunSource) -> Drafted:
        """The draft of a run."""
        lifted, left_out = self._for_others(source)
        run = lifted.run.iri
        index = index_triples("".join(graph.triples for graph in lifted.graphs))
        facts = facts_about(index, run)
        label = f"Run {name_of(index, run)}"
        draft = Draft(
            kind="run",
            about=run,
            label=label,
            types=(PRIMAD + "Run",),
            triples="",
            provenance=tuple(_header_said(source.header, run, left_out)),
            introduces=(run,),
            describes=tuple(graph.iri for graph in lifted.components),
            word=_tag(index, run),
        )
        graphs = [published_lines(lifted.run.triples), *(one.triples for one in lifted.components)]
        graphs = [lines + in_terms_of_others(lines) for lines in graphs]
        graphs[0] += fact_lines(run, facts) + label_line(run, label)
        return Drafted(about=run, drafts=tuple(packed(draft, graphs)), left_out=left_out)

    def _for_others(self, source: RunSource) -> tuple[LiftedRun, tuple[LeftOut, ...]]:
        """A run lifted without what must not leave the machine, under the name that it has."""
        base = source.iri.rpartition(_RUN_IN_IRI)[0] if source.iri else self._base
        lifter = self._lifters.setdefault(base, Lifter(base=base))
        header, left_out = redact_header(source.header, keep=self._keep)
        names = {"file name": source.file_name, "tag": source.tag_in_file}
        clean = {
            key: redact_text(name, keep=self._keep) if name else (name, ())
            for key, name in names.items()
        }
        left_out += tuple(
            LeftOut(field=key, what=what) for key, (_, found) in clean.items() for what in found
        )
        lifted = lifter.lift(
            header,
            ranking=source.ranking,
            file_name=clean["file name"][0],
            tag_in_file=clean["tag"][0],
        )
        if not left_out and not source.iri:
            return lifted, left_out
        return _renamed(lifted, source.iri or self._name_of(source, lifter)), left_out

    def _name_of(self, source: RunSource, lifter: Lifter) -> str:
        lifted = lifter.lift(
            source.header,
            ranking=source.ranking,
            file_name=source.file_name,
            tag_in_file=source.tag_in_file,
        )
        return lifted.run.iri


def _renamed(lifted: LiftedRun, iri: str) -> LiftedRun:
    """A run under the name that it has in the world, whatever was left out of its header."""
    run = lifted.run
    if run.iri == iri:
        return lifted
    named = NamedGraph(iri=iri, triples=run.triples.replace(run.iri, iri))
    return LiftedRun(run=named, components=lifted.components)


def _header_said(header: Header, run: str, left_out: Iterable[LeftOut]) -> Iterator[Triple]:
    """Which header an assertion comes from, and what of it is not published."""
    record = f"{run}#header"
    digest = hashlib.sha256(dump_header(header).encode()).hexdigest()
    yield "sub:assertion", DERIVED_FROM, Object(record)
    yield record, RDF_TYPE, Object(PRIMAD + "HeaderRecord")
    yield record, FOAF + "primaryTopic", Object(run)
    yield record, PRIMAD + "headerDigest", text(digest)
    yield from _left_out(left_out)


def _left_out(left_out: Iterable[LeftOut]) -> Iterator[Triple]:
    for one in dict.fromkeys(map(str, left_out)):
        yield "sub:assertion", _LEFT_OUT, text(one)


def _tag(index: Index, run: str) -> str:
    said = index.about(run)
    found = said.get(PRIMAD + "tag") or said.get(PRIMAD + "tagInFile") or []
    return found[0].value if found else ""


def name_of(index: Index, run: str) -> str:
    """What people call a run: its tag, whose it is, and on what; its IRI without a tag."""
    said = index.about(run)
    teams = " and ".join(sorted(one.value for one in said.get(PRIMAD + "byTeam", ())))
    collection = next((one.value for one in said.get(PRIMAD + "onCollection", ())), "")
    name = _tag(index, run) or run
    return name + (f" of {teams}" if teams else "") + (f" on {collection}" if collection else "")


# What is said of runs --------------------------------------------------------------------------


def result_draft(
    graph: NamedGraph, index: Index, runs: Sequence[str], *, keep: Collection[str] = ()
) -> Drafted:
    """The draft of scores, an assessment, measurements or a precision.

    ``runs`` are what it is about, and ``index`` knows them.
    """
    said = index_triples(graph.triples)
    kind, label, word = _described(said, graph.iri, index)
    lines, left_out = redact_triples(graph.triples, keep=keep)
    facts = [fact for run in runs for fact in facts_about(index, run)]
    if not runs:
        objects = said.about(graph.iri).get(PRIMAD + "object", ())
        facts = [(CONCERNS["tag"], one) for one in objects]
    table = _only(said.about(graph.iri), "fromTable")
    draft = Draft(
        kind=kind,
        about=graph.iri,
        label=label,
        types=tuple(one.value for one in said.about(graph.iri).get(RDF_TYPE, ())),
        triples="",
        provenance=tuple(_left_out(left_out)),
        sources=(
            *(draft_uri("run", run) for run in runs),
            *([draft_uri("measurements", table)] if table else []),
        ),
        introduces=(graph.iri,),
        describes=tuple(runs),
        word=word,
    )
    beside = in_terms_of_others(lines, only=PROV)
    beside += fact_lines(graph.iri, facts) + label_line(graph.iri, label)
    first, rest = _main_first(lines, graph.iri)
    return Drafted(
        about=graph.iri, drafts=tuple(packed(draft, [first + beside, *rest])), left_out=left_out
    )


def _main_first(lines: str, iri: str) -> tuple[str, list[str]]:
    """What is said of the main node, and the rest."""
    every = lines.splitlines(keepends=True)
    main = [line for line in every if line.startswith(f"<{iri}> ")]
    rest = "".join(line for line in every if not line.startswith(f"<{iri}> "))
    return "".join(main), [rest] if rest else []


def _described(said: MemoryIndex, iri: str, index: Index) -> tuple[str, str, str]:
    """The kind of a result, a label for it, and a word for its file."""
    about = said.about(iri)
    types = {one.value.removeprefix(PRIMAD) for one in about.get(RDF_TYPE, ())}
    kind = next(name for name in _LABELS if name in types)
    name, make = _LABELS[kind]
    label, word = make(about, index)
    return name, label, word


def _only(about: Statements, name: str) -> str:
    found = about.get(name if "://" in name else PRIMAD + name, ())
    return found[0].value if found else ""


def _scores_label(about: Statements, index: Index) -> tuple[str, str]:
    run = _only(about, "scoredRun")
    return f"Scores of {name_of(index, run)}", _tag(index, run)


def _assessment_label(about: Statements, index: Index) -> tuple[str, str]:
    reference, candidate = _only(about, "reference"), _only(about, "candidate")
    primad = _only(about, "primadType")
    label = f"{name_of(index, candidate)} as a reproduction of {name_of(index, reference)}"
    return label + (f" ({primad})" if primad else ""), _tag(index, candidate)


def _precision_label(about: Statements, index: Index) -> tuple[str, str]:
    name = f"{_only(about, 'object')}, {_only(about, 'measurand')}"
    value, count = _only(about, _DQV_VALUE), _only(about, "measurementCount")
    figure = f"CV* {float(value):.4g}" if value else "no precision"
    return f"Precision of {name}: {figure} (n = {count})", name


def _measurements_label(about: Statements, index: Index) -> tuple[str, str]:
    count = int(_only(about, "measurementCount") or 0)
    return f"{count:,} measurement{'s' * (count != 1)} under their conditions", ""


#: By the class of ours: the kind of the draft, and what makes a label and a word of its node.
_LABELS: Final = {
    "ScoreSet": ("scores", _scores_label),
    "Assessment": ("assessment", _assessment_label),
    "PrecisionAssessment": ("precision", _precision_label),
    "MeasurementTable": ("measurements", _measurements_label),
}
