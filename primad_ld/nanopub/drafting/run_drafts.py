"""Drafts of runs, and of what is said of them: scores, assessments, measurements, precision.

An assertion is the archive's own RDF, without what must not leave the machine; what is said is
said of the run, so two labs with one ranking introduce two runs.

Registries take 1,200 triples in one nanopublication: a run that has more is published without the
longest lists of its header, and the report says so.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, Final

from primad_ld.archive.result_terms import DQV
from primad_ld.core.errors import PrimadError
from primad_ld.core.iris import FOAF, NAME, PRIMAD, RDF_TYPE, SCHEME, VERSION
from primad_ld.core.triples import NamedGraph
from primad_ld.core.yamltext import Mapping as YamlMapping
from primad_ld.core.yamltext import Value
from primad_ld.header.model import Header, dump_header
from primad_ld.header.ranking_digest import Ranking
from primad_ld.header.redaction import LeftOut, redact_header, redact_text, redact_triples
from primad_ld.nanopub.drafting.added_facts import (
    ForOthers,
    by_chains,
    fact_lines,
    facts_about,
    in_terms_of_others,
    label_line,
    published_lines,
)
from primad_ld.nanopub.drafts import CONCERNS, Draft, Triple, draft_uri, shortened, text
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.lowering import LoweredRun, lower_runs
from primad_ld.rdf.nanopub_terms import DERIVED_FROM, MOST_CHARACTERS, MOST_TRIPLES, PROV
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.rdf.subject_index import Index, Object, Statements, index_triples
from primad_ld.schema.fields import default_schema

LEFT_OUT: Final = PRIMAD + "leftOut"
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
#: The kinds of results by their classes, as archives name them.
RESULT_KINDS: Final = {
    "ScoreSet": "scores",
    "ReproducibilityAssessment": "assessment",
    "PrecisionAssessment": "precision",
    "MeasurementTable": "measurements",
}
#: How archives name what drafts are made of: a base, a kind, and a digest.
_NAME: Final = re.compile(rf"(\S+/)([a-z]+)/{NAME}")
_DQV_VALUE: Final = DQV + "value"
_LONGEST_LABEL: Final = 300
_LONGEST_FIELD: Final = 200
# Components and runs that others may look for; the assertion names all of them.
_MOST_DESCRIBED: Final = 50
_SHOWN: Final = 12
_MOST_LEFT_OUT: Final = 50
# The rest is for the head, the publication info and the signature.
ASSERTED_TRIPLES: Final = MOST_TRIPLES - 100
ASSERTED_CHARACTERS: Final = MOST_CHARACTERS - 50_000


@dataclass(frozen=True, kw_only=True, slots=True)
class RunSource:
    """A run as an archive has it."""

    #: The name that it has in the world.
    iri: str
    header: Header
    ranking: Ranking | None = None
    file_name: str | None = None
    tag_in_file: str | None = None

    def lift(self, lifter: Lifter) -> LiftedRun:
        """The graphs of it, under the name that follows from what it says."""
        return lifter.lift(
            self.header,
            ranking=self.ranking,
            file_name=self.file_name,
            tag_in_file=self.tag_in_file,
        )


def source_of(run: LoweredRun, index: Index) -> RunSource:
    """A run that was read back; ``index`` has its graph."""
    said = index.about(run.iri)
    digests = [
        digest.value
        for node in said.get(PRIMAD + "ranking", ())
        for digest in index.about(node.value).get(PRIMAD + "rankingDigest", ())
    ]
    if digests and _SHA256.fullmatch(digests[0]) is None:
        raise PrimadError("the digest of its ranking is none")
    return RunSource(
        iri=run.iri,
        header=run.header,
        ranking=Ranking(digest=digests[0], rows=0) if digests else None,
        file_name=run.file_name,
        tag_in_file=next((one.value for one in said.get(PRIMAD + "tagInFile", ())), None),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Drafted:
    """What one thing became: a draft, or a problem."""

    about: str
    draft: Draft | None = None
    left_out: tuple[LeftOut, ...] = ()
    #: Why it cannot be published, in words.
    problem: str = ""
    #: What is worth knowing and no problem.
    note: str = ""


def made(about: str, make: Callable[[], Drafted], *, name: str = "") -> Drafted:
    """What was made of something, or why it cannot be published; ``name`` is what people call it."""
    called = f"{name}: " if name else ""
    try:
        return make()
    except PrimadError as error:
        return Drafted(about=about, problem=f"{called}{error}")
    except (LookupError, ValueError, RecursionError) as error:
        # Others may have written into the archive; the rest of it is as good as before.
        return Drafted(
            about=about,
            problem=f"{called}its statements are not those that primad-ld writes ({error!r:.100})",
        )


def base_of(iri: str, kind: str) -> str:
    """Where the names of an archive begin, by one of them.

    Raises:
        PrimadError: No archive would call something of this kind so.
    """
    match = _NAME.fullmatch(iri)
    if match is None or match[2] != kind:
        raise PrimadError(
            f"{iri[:100]} is not a name of our archives; {kind}/{VERSION}- and 40 digits are expected"
        )
    return match[1]


def check_base(base: str, keep: Collection[str]) -> None:
    """Each name would repeat it, so it cannot be left out.

    Raises:
        PrimadError: The base of the names holds something that must not leave the machine.
    """
    if kinds := redact_text(base, keep=keep)[1]:
        raise PrimadError(
            f"the base IRI holds {kinds[0]}, which others should not see; use another --base"
        )


# Runs -------------------------------------------------------------------------------------


class RunDrafter:
    """Makes drafts of runs; make one and keep it."""

    def __init__(self, *, keep: Collection[str] = ()) -> None:
        self._keep = keep
        self._lifters: dict[str, Lifter] = {}

    def draft(self, source: RunSource) -> Drafted:
        """The draft of a run, without what must not leave the machine and what is too long.

        Raises:
            PrimadError: No registry would take it, or its name is none of an archive.
        """
        clean, left_out = self._for_others(source)
        draft = self._draft(clean, left_out)
        while (excess := _excess(draft)) > 1 and clean.header.fields:
            header, cut = _without_longest(clean.header, excess)
            clean, left_out = replace(clean, header=header), (*left_out, *cut)
            draft = self._draft(clean, left_out)
        _refuse_long(draft)
        note = _unfilled(source, draft.word)
        return Drafted(about=source.iri, draft=draft, left_out=left_out, note=note)

    def _draft(self, source: RunSource, left_out: tuple[LeftOut, ...]) -> Draft:
        run = source.iri
        base = base_of(run, "run")
        lifter = self._lifters.setdefault(base, Lifter(base=base))
        lifted = renamed(source.lift(lifter), run)
        index = index_triples("".join(graph.triples for graph in lifted.graphs))
        header = next(lower_runs(index)).header if left_out else source.header
        label = short_label(f"Run {name_of(index, run)}")
        graphs = [published_lines(lifted.run.triples), *(one.triples for one in lifted.components)]
        chained = by_chains("".join(graphs))
        facts = fact_lines(run, facts_about(index, run)) + label_line(run, label)
        return Draft(
            kind="run",
            about=run,
            label=label,
            types=(PRIMAD + "Run",),
            triples="".join(lines + in_terms_of_others(lines) for lines in graphs)
            + chained
            + facts,
            provenance=tuple(_header_said(header, run, left_out)),
            introduces=(run,),
            describes=tuple(graph.iri for graph in lifted.components[:_MOST_DESCRIBED]),
            word=_tag(index, run),
        )

    def _for_others(self, source: RunSource) -> tuple[RunSource, tuple[LeftOut, ...]]:
        """A run without what must not leave the machine, under the name that it has."""
        check_base(base_of(source.iri, "run"), self._keep)
        header, left_out = redact_header(source.header, keep=self._keep)
        names: dict[str, Any] = {}
        for key, what in {"file_name": "file name", "tag_in_file": "tag in the file"}.items():
            if (name := getattr(source, key)) is not None:
                names[key], kinds = redact_text(name, keep=self._keep)
                left_out += tuple(LeftOut(field=what, what=kind) for kind in kinds)
        return replace(source, header=header, **names), left_out


def renamed(lifted: LiftedRun, iri: str) -> LiftedRun:
    """A run under the name that it has in the world, whatever was left out of its header."""
    run = lifted.run
    if run.iri == iri:
        return lifted
    named = NamedGraph(iri=iri, triples=run.triples.replace(run.iri, iri))
    return replace(lifted, run=named)


def _unfilled(source: RunSource, tag: str) -> str:
    """What is to be done where a header is as its template was."""
    count = sum(map(default_schema().is_placeholder, _texts(source.header.fields)))
    if not count:
        return ""
    many = "placeholders" if count > 1 else "a placeholder"
    called = f" (tag {shortened(tag, _LONGEST_FIELD)})" if tag else ""
    where = source.file_name or source.iri
    return f"{where}: its header still has {many}{called}; fill it in before you sign"


def _texts(value: Value) -> Iterator[str]:
    """All texts of a header that are not empty."""
    if isinstance(value, str):
        if value.strip():
            yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, Sequence):
        for one in value:
            yield from _texts(one)


def _header_said(header: Header, run: str, left_out: Iterable[LeftOut]) -> Iterator[Triple]:
    """Which header an assertion comes from, and what of it is not published.

    The digest is that of the header as the assertion has it: who has the nanopublication in
    ``np.trig`` gets it by ``primad-ld convert np.trig --to yaml | sha256sum``. A digest of what
    is left out would let others try what they guess.
    """
    record = f"{run}#header"
    digest = hashlib.sha256(dump_header(header).encode()).hexdigest()
    yield "sub:assertion", DERIVED_FROM, Object(record)
    yield record, RDF_TYPE, Object(PRIMAD + "HeaderRecord")
    yield record, FOAF + "primaryTopic", Object(run)
    yield record, PRIMAD + "headerDigest", text(digest)
    yield from _left_out_said(left_out)


def _left_out_said(left_out: Iterable[LeftOut]) -> Iterator[Triple]:
    """What the provenance says of what was left out; of very many things, of the first ones."""
    fields = (replace(one, field=shortened(one.field, _LONGEST_FIELD)) for one in left_out)
    said = list(dict.fromkeys(map(str, fields)))
    if len(said) > _MOST_LEFT_OUT:
        said[_MOST_LEFT_OUT:] = [f"{len(said) - _MOST_LEFT_OUT:,} more"]
    for one in said:
        yield "sub:assertion", LEFT_OUT, text(one)


# Labels -----------------------------------------------------------------------------------


def name_of(index: Index, run: str) -> str:
    """What people call a run: its tag, whose it is, and on what; its IRI without a tag."""
    said = index.about(run)
    teams = " and ".join(sorted(one.value for one in said.get(PRIMAD + "byTeam", ())))
    collection = next((one.value for one in said.get(PRIMAD + "onCollection", ())), "")
    name = _tag(index, run) or run
    return name + (f" of {teams}" if teams else "") + (f" on {collection}" if collection else "")


def short_label(given: str) -> str:
    """A label on one line, not too long for lists."""
    return shortened(" ".join(given.split()), _LONGEST_LABEL)


def _tag(index: Index, run: str) -> str:
    said = index.about(run)
    found = said.get(PRIMAD + "tag") or said.get(PRIMAD + "tagInFile") or []
    return found[0].value if found else ""


# Results ----------------------------------------------------------------------------------


def result_draft(
    graph: NamedGraph,
    index: Index,
    runs: Sequence[str],
    *,
    keep: Collection[str] = (),
    published: Mapping[str, str] | None = None,
) -> Drafted:
    """The draft of scores, an assessment, measurements or a precision.

    ``runs`` are what it is about, and ``index`` knows them. ``published`` are the nanopublications
    of what it relies on, where that was published already; else it relies on drafts.

    Raises:
        PrimadError: No registry would take it, or it is none of these.
    """
    check_base(graph.iri, keep)
    lines, left_out = redact_triples(graph.triples, keep=keep)
    said, known = index_triples(lines), ForOthers(index, keep)
    about = said.about(graph.iri)
    kind, label, word = _described(about, known, runs)
    base_of(graph.iri, kind)
    facts = [fact for run in runs for fact in facts_about(known, run)]
    if not runs:
        facts = [(CONCERNS["tag"], one) for one in about.get(PRIMAD + "measuredObjectName", ())]
    table, known_as = _only(about, "fromTable"), published or {}
    beside = in_terms_of_others(lines, only=PROV)
    beside += fact_lines(graph.iri, facts) + label_line(graph.iri, label)
    draft = Draft(
        kind=kind,
        about=graph.iri,
        label=label,
        # Those of DQV say in general what our own say better.
        types=tuple(one.value for one in about.get(RDF_TYPE, ()) if not one.value.startswith(DQV)),
        triples=lines + beside,
        provenance=tuple(_left_out_said(left_out)),
        sources=(
            *(known_as.get(run) or draft_uri("run", run) for run in runs),
            *([known_as.get(table) or draft_uri("measurements", table)] if table else []),
        ),
        introduces=(graph.iri,),
        describes=tuple(runs[:_MOST_DESCRIBED]),
        word=word,
    )
    _refuse_long(draft)
    return Drafted(about=graph.iri, draft=draft, left_out=left_out)


def _described(about: Statements, index: Index, runs: Sequence[str]) -> tuple[str, str, str]:
    """The kind of a result, a label for it, and a word for its file."""
    types = {one.value.removeprefix(PRIMAD) for one in about.get(RDF_TYPE, ())}
    for name, kind in RESULT_KINDS.items():
        if name in types:
            label, word = _LABELS[kind](about, index, runs)
            return kind, short_label(label), word
    raise PrimadError("these are neither scores nor an assessment, measurements or a precision")


def _only(about: Statements, name: str) -> str:
    found = about.get(name if "://" in name else PRIMAD + name, ())
    return found[0].value if found else ""


def _scores_label(about: Statements, index: Index, runs: Sequence[str]) -> tuple[str, str]:
    names = [name_of(index, run) for run in runs] or [_only(about, "ofRanking")]
    judgements = _only(about, "judgementsFile") or _only(about, "judgementsDigest")[:_SHOWN]
    by = f" by {judgements}" if judgements else ""
    return f"Scores of {' and '.join(names)}{by}", _tag(index, runs[0]) if runs else ""


def _assessment_label(about: Statements, index: Index, runs: Sequence[str]) -> tuple[str, str]:
    reference, candidate = _only(about, "reference"), _only(about, "candidate")
    primad = _only(about, "primadType")
    how = "as a reproduction of" if _reproduces(index, candidate, reference) else "compared with"
    label = f"{name_of(index, candidate)} {how} {name_of(index, reference)}"
    return label + (f" ({primad})" if primad else ""), _tag(index, candidate)


def _reproduces(index: Index, candidate: str, reference: str) -> bool:
    """Whether the header of a run says so: its role is reproducer, and it names the tag."""
    said = index.about(candidate)
    parts = (index.about(one.value) for one in said.get(PRIMAD + "contribution", ()))
    roles = {role.value for part in parts for role in part.get(PRIMAD + "actorRole", ())}
    baselines = {one.value for one in said.get(PRIMAD + "baseline", ())}
    return f"{SCHEME}role-reproducer" in roles and _tag(index, reference) in baselines


def _precision_label(about: Statements, index: Index, runs: Sequence[str]) -> tuple[str, str]:
    name = f"{_only(about, 'measuredObjectName')}, {_only(about, 'measurand')}"
    value, count = _only(about, _DQV_VALUE), _only(about, "measurementCount")
    try:
        figure = f"CV* {float(value):.4g}" if value else "no precision"
    except ValueError:
        raise PrimadError(f"{value[:40]!r} is not a number, as its value must be") from None
    return f"Precision of {name}: {figure} (n = {count})", name


def _measurements_label(about: Statements, index: Index, runs: Sequence[str]) -> tuple[str, str]:
    count = _only(about, "measurementCount") or "0"
    return f"{count} measurement{'s' * (count != '1')} under their conditions", ""


#: What makes a label and a word of a node, by its kind.
_LABELS: Final = {
    "scores": _scores_label,
    "assessment": _assessment_label,
    "precision": _precision_label,
    "measurements": _measurements_label,
}


# What is too long ---------------------------------------------------------------------------


def _statements_of(draft: Draft) -> int:
    beside = (draft.provenance, draft.pubinfo, draft.sources, draft.introduces, draft.describes)
    return draft.triples.count("\n") + sum(map(len, beside))


def _excess(draft: Draft) -> float:
    """How many times as long a draft is as registries take."""
    return max(_statements_of(draft) / ASSERTED_TRIPLES, len(draft.triples) / ASSERTED_CHARACTERS)


def _refuse_long(draft: Draft) -> None:
    if _excess(draft) > 1:
        raise PrimadError(
            f"it would have {_statements_of(draft):,} statements and {len(draft.triples):,} "
            f"characters; registries take {MOST_TRIPLES:,} and {MOST_CHARACTERS:,}"
        )


def _without_longest(header: Header, excess: float) -> tuple[Header, list[LeftOut]]:
    """A header without the fields that make it so many times too long, the longest first."""
    fields, left_out = deepcopy(header.fields), []
    most = _length(fields) / excess
    while fields and _length(fields) > most:
        path = _remove_longest(fields)
        left_out.append(LeftOut(field=".".join(path), what="too long to be published"))
    return Header(fields=fields, file=header.file), left_out


def _remove_longest(fields: YamlMapping) -> list[str]:
    """Take out the innermost field that is more than half of all, else the longest; where it was."""
    path: list[str] = []
    owner: dict[str, Value] = fields
    inner: Value = fields
    while isinstance(inner, dict | list) and inner:
        items = inner.items() if isinstance(inner, dict) else enumerate(inner)
        key, value = max(items, key=lambda item: _length(item[1]))
        if path and 2 * _length(value) <= _length(inner):
            break
        if isinstance(inner, dict):
            owner = inner
            path.append(str(key))
        inner = value
    del owner[path[-1]]
    return path


def _length(value: Value) -> int:
    """How much of a nanopublication a value takes, in characters."""
    if isinstance(value, dict):
        return sum(len(key) + _length(inner) for key, inner in value.items())
    if isinstance(value, list):
        return sum(map(_length, value))
    return MOST_CHARACTERS // MOST_TRIPLES + len(value or "")
