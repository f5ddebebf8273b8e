"""Conditions of measurement of runs, from headers and kept scores, as PRIMAD decides them (D11).

Each pair of runs is decided, as sameness is not transitive: ``qra`` and ``compare`` never
contradict each other. What is unknown against the reference has no value.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final, NamedTuple

from primad_ld.archive.identities import TRAINING
from primad_ld.compare.decisions import NAMING, NEEDED, decide
from primad_ld.compare.folding import FieldOutcome, FieldVerdict
from primad_ld.compare.identity import Identity, fields_of, identity_of
from primad_ld.compare.primad_types import ComponentState
from primad_ld.header.model import Header
from primad_ld.qra.measurements import UNKNOWN
from primad_ld.rdf.flat_facts import pipeline
from primad_ld.schema.fields import default_schema
from primad_ld.trec.measure_names import is_of_trec_eval
from primad_ld.trec.measure_providers import level_in

#: Parameters of scores, under the names that scoring keeps them.
_LEVEL: Final = "relevance level"
_COMPLETE: Final = "complete"
#: Where a header says how ties are broken.
_TIES: Final = ("method", "score ties")
#: What stands where a header has no words for a condition.
_UNNAMED: Final = "unnamed"
_TRUE: Final = ("true", "1")
_DIGITS: Final = 7
_LONGEST_PART: Final = 100
_LONGEST_TEXT: Final = 500
# A token in an address opens the repository, and names no other one.
_CREDENTIALS: Final = re.compile(r"(?<=:)//[^/@\s]*@")
_NO_CHANGES: Final = ("", "0")
_SOURCE: Final = ("implementation", "source")
_CODE: Final = ("repository", "commit", "uncommitted changes", "hash")
_PLATFORM: Final = (
    ("platform", "hardware", "cpu", "model"),
    ("platform", "operating system", "distribution"),
    ("platform", "software", "retrieval toolkit"),
    ("platform", "software", "libraries"),
    ("implementation", "python", "packages"),
)
# What the pipeline in a line says, or the code.
_NO_PARAMETERS: Final = ("name", "method", "reranks", "interpolates", "ensembles", "weight")


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """What conditions are read from: a header, and how kept scores were made."""

    #: What messages call it.
    name: str
    header: Header
    #: What its components are compared by, by their key in the header.
    identities: Mapping[str, Identity]
    #: Of its scores; what nobody says is empty.
    judgements: str = ""
    evaluator: str = ""
    topics: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A condition of which something is not said, and what that is."""

    lacks: str


#: A condition of a run: its text, equal to that of another run exactly where the condition is.
RunCondition = str | Unknown


def conditions_of(runs: Sequence[Run]) -> list[dict[str, RunCondition]]:
    """The conditions of some runs that do not depend on the measure, the reference first.

    Runs that are the same have the text of the first of them. Runs that differ are named by the
    fields that make them so.
    """
    found: list[dict[str, RunCondition]] = [{} for _ in runs]
    for read in _READERS:
        for one, condition in zip(found, _conditions(read, runs), strict=True):
            one[read.key] = condition
    return found


def method_specification(measure: str, run: Run) -> RunCondition:
    """The measure, and from which judgement on it takes a document for relevant."""
    level = run.parameters.get(_LEVEL, "")
    if not level:
        return Unknown("the relevance level of its scores")
    whose = "trec_eval" if is_of_trec_eval(measure) else "ir_measures"
    # It may state its own.
    level = str(level_in(measure) or level)
    return f"{measure} of {whose}, relevant from level {level}"


# Kinds of runs ----------------------------------------------------------------------------


#: Of several parts of a condition, the first of these decides.
_GRAVEST: Final = (ComponentState.different, ComponentState.unknown, ComponentState.same)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Reader:
    """How a condition is read: from components, and from what is known of the scores."""

    key: str
    #: What a run says of it, in a line.
    text: Callable[[Run], str]
    parts: tuple[_Part, ...] = ()
    #: What is compared besides components.
    said: Callable[[Run], Hashable] = lambda run: ""
    #: Whether runs that differ are named by the fields that differ, or by their texts.
    is_by_fields: bool = False

    def compare(self, one: Run, other: Run) -> _Pair:
        """How the condition of two runs compares: different beats unknown beats same."""
        pairs = [*(part.compare(one, other) for part in self.parts), self._compare(one, other)]
        worst = min(pairs, key=lambda pair: _GRAVEST.index(pair.state))
        return replace(
            worst, fields=tuple(itertools.chain.from_iterable(pair.fields for pair in pairs))
        )

    def _compare(self, one: Run, other: Run) -> _Pair:
        ours, theirs = self.said(one), self.said(other)
        if isinstance(theirs, Unknown):
            return _Pair(ComponentState.unknown, lacks=theirs.lacks)
        if isinstance(ours, Unknown):
            return _Pair(ComponentState.unknown, lacks=f"{ours.lacks} of {one.name}")
        return _Pair(ComponentState.same if ours == theirs else ComponentState.different)

    def depends_on(self, run: Run) -> Hashable:
        """Equal for runs that compare alike with all others."""
        return self.said(run), *(run.identities.get(part.component) for part in self.parts)


#: Runs that are the same, one for each way to say it; the first of them names them.
_Kind = dict[Hashable, Run]


def _conditions(read: _Reader, runs: Sequence[Run]) -> list[RunCondition]:
    """A condition of each run, the reference first."""
    first = runs[0]
    kinds: list[_Kind] = [{read.depends_on(first): first}]
    found: list[int | Unknown] = [0]
    for run in runs[1:]:
        place = _place(read, run, kinds)
        if place == len(kinds):
            kinds.append({})
        if isinstance(place, int):
            kinds[place].setdefault(read.depends_on(run), run)
        found.append(place)
    itself = read.compare(first, first)
    if itself.state is ComponentState.unknown and len(kinds) == 1:
        found[0] = Unknown(itself.lacks)
    texts = _texts(read, kinds)
    return [texts[place] if isinstance(place, int) else place for place in found]


def _place(read: _Reader, run: Run, kinds: Sequence[_Kind]) -> int | Unknown:
    """The number of the kind that is the same as a run, or of a new one if it differs from each."""
    unclear = []
    for number, kind in enumerate(kinds):
        pairs = [read.compare(one, run) for one in kind.values()]
        states = {pair.state for pair in pairs}
        if number == 0 and pairs[0].state is ComponentState.unknown:
            return Unknown(pairs[0].lacks)
        if states == {ComponentState.same}:
            return number
        if ComponentState.different not in states:
            unclear += [pair.lacks for pair in pairs if pair.state is ComponentState.unknown]
    return Unknown(unclear[0]) if unclear else len(kinds)


def _texts(read: _Reader, kinds: Sequence[_Kind]) -> list[str]:
    """Texts of kinds of runs, all of them different."""
    named: list[dict[str, dict[str, None]]] = [{} for _ in kinds]
    for i, j in itertools.combinations(range(len(kinds)), 2) if read.is_by_fields else ():
        pairs = itertools.product(kinds[i].values(), kinds[j].values())
        compared = itertools.starmap(read.compare, pairs)
        differ = next(pair for pair in compared if pair.state is ComponentState.different)
        # The first of a kind stands for it, with what it says itself.
        first = read.compare(next(iter(kinds[i].values())), next(iter(kinds[j].values()))).given()
        for label, *words, is_different in differ.fields:
            if is_different:
                ours, theirs = first.get(label, words)
                named[i].setdefault(label, {})[ours] = None
                named[j].setdefault(label, {})[theirs] = None
    order = [label for part in read.parts for label in _labels(part.component).values()]
    # Parameters come after the fields that the shapes know.
    places = {label: place for place, label in reversed(list(enumerate(order)))}
    found: dict[str, None] = {}
    for kind, fields in zip(kinds, named, strict=True):
        labels = sorted(fields, key=lambda label: (places.get(label, len(order)), label))
        told = [f"{label}: {_shortened(', '.join(fields[label]))}" for label in labels]
        text = _shortened("; ".join(told), _LONGEST_TEXT)
        text = text or _shortened(read.text(next(iter(kind.values())))) or _UNNAMED
        numbered = (f"{text} ({number})" for number in itertools.count(2))
        found[next(one for one in itertools.chain([text], numbered) if one not in found)] = None
    return list(found)


# Pairs of runs ----------------------------------------------------------------------------


class _Field(NamedTuple):
    """A field of two runs: its name, and what each of them says."""

    label: str
    ours: str
    theirs: str
    is_different: bool


@dataclass(frozen=True, slots=True)
class _Pair:
    """How a condition of two runs compares."""

    state: ComponentState
    fields: tuple[_Field, ...] = ()
    #: What is not said, where that makes it unknown.
    lacks: str = ""

    def given(self) -> dict[str, tuple[str, str]]:
        """What both runs say of fields that both give, by their names."""
        # Libraries are one field with a verdict for each that differs.
        counts = Counter(field.label for field in self.fields)
        return {
            field.label: (field.ours, field.theirs)
            for field in self.fields
            if field.ours and field.theirs and counts[field.label] == 1
        }


@dataclass(frozen=True, slots=True)
class _Part:
    """The fields of a component that belong to a condition."""

    component: str
    without: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None

    def compare(self, one: Run, other: Run) -> _Pair:
        """The two runs by these fields; a component that is missing is unknown."""
        ours, theirs = (run.identities.get(self.component) for run in (one, other))
        nothing = _nothing(self.component)
        decision = decide(ours or nothing, theirs or nothing)
        judged = [
            verdict
            for verdict in decision.verdicts
            if verdict.path not in self.without and (self.only is None or verdict.path in self.only)
        ]
        fields = tuple(
            _Field(
                _label(self.component, verdict.path),
                self._words(verdict.path, verdict.reference, one),
                self._words(verdict.path, verdict.candidate, other),
                verdict.outcome is FieldOutcome.different,
            )
            for verdict in judged
        )
        state = decision.state_of(self.without, self.only)
        if ours is None or theirs is None or state is ComponentState.unknown:
            return _Pair(ComponentState.unknown, fields, self._lacks(judged, one))
        return _Pair(state, fields)

    def _words(self, path: str, compared: str, run: Run) -> str:
        # Processors and operating systems are hard to read as they are compared.
        is_hard = self.component == "platform"
        written = _text_at(run.header, self.component, *path.split(".")) if is_hard else ""
        return _shortened(written or compared)

    def _lacks(self, judged: Sequence[FieldVerdict], one: Run) -> str:
        """The fields without which nothing can be decided, and of whom; or what says too little."""
        for verdict in judged:
            if verdict.outcome is FieldOutcome.open:
                return self._open(verdict)
        naming = [each for each in judged if each.role == NAMING]
        is_named = any(each.outcome is FieldOutcome.same for each in naming)
        asked = naming if not is_named else [each for each in judged if each.role == NEEDED]
        lacking = {
            FieldOutcome.only_reference: "",
            FieldOutcome.only_candidate: f" of {one.name}",
            FieldOutcome.neither: "",
        }
        for outcome, of in lacking.items():
            same = [each for each in asked or judged if each.outcome is outcome]
            if same:
                paths = [f"{self.component}.{each.path}" for each in same]
                return f"{(', ' if is_named else ' or ').join(paths)}{of}"
        return self.component

    def _open(self, verdict: FieldVerdict) -> str:
        path = f"{self.component}.{verdict.path}"
        if path.endswith(".commit") and "with changes" in (verdict.reference + verdict.candidate):
            return f"{path.removesuffix('commit')}hash, as there are uncommitted changes"
        texts = dict.fromkeys(map(_shortened, (verdict.reference, verdict.candidate)))
        return f"whether {path} is the same ({', '.join(texts)})"


@cache
def _nothing(component: str) -> Identity:
    """The identity of a component of which nothing is said."""
    return identity_of(default_schema(), component, {})


@cache
def _labels(component: str) -> Mapping[str, str]:
    """What people call the fields of a component, by their path and in the order of the shapes."""
    return {path: entry.name.lower() for path, entry in fields_of(default_schema(), component)}


def _label(component: str, path: str) -> str:
    """The name of a field; of a parameter its key, with its stage if that is a later one."""
    stage = re.match(r"retrieval\[(\d+)\]\.", path)
    if stage is None:
        return _labels(component).get(path, path)
    key = path[stage.end() :]
    return key if stage[1] == "1" else f"{key} of stage {stage[1]}"


# Each condition ---------------------------------------------------------------------------


def _system_code(run: Run) -> str:
    """Repository and commit, the pipeline with its parameters; changes by their hash."""
    repository, commit, changes, tree = (_text_at(run.header, *_SOURCE, key) for key in _CODE)
    if len(commit) > _DIGITS and not commit.strip("0123456789abcdefABCDEF"):
        commit = commit[:_DIGITS].lower()
    at = f" @ {commit}" if commit else ""
    if changes not in _NO_CHANGES and tree:
        at += f" with changes {tree[:_DIGITS]}"
    return f"{_address(repository)}{at}: {_method(run.header.get('method'))}"


def _compile_training(run: Run) -> str:
    """Hardware, operating system, toolkit and libraries; training data, where there are any."""
    words = []
    for path in _PLATFORM:
        words += sorted(_listed(run.header.get(*path)), key=str.casefold)
    training = run.header.get("data", "training data")
    for one in training if isinstance(training, list) else []:
        words.append(f"trained on {_text_of(one, 'ir_datasets') or _text_of(one, 'name')}")
    return ", ".join(dict.fromkeys(words))


def _procedure_text(run: Run) -> str:
    """How ties are broken, and which topics the outputs are judged on."""
    ties = _text_at(run.header, *_TIES)
    return f"outputs against judgements; ties: {ties}; topics without documents {_topics(run)}"


def _procedure_key(run: Run) -> Hashable:
    ties = _text_at(run.header, *_TIES)
    complete = run.parameters.get(_COMPLETE, "")
    if not ties:
        return Unknown(".".join(_TIES))
    if not complete:
        return Unknown("whether its scores count topics without documents")
    entry = default_schema().field(*_TIES)
    assert entry is not None
    return entry.converter.key(ties), _topics(run)


def _topics(run: Run) -> str:
    """What becomes of topics without documents."""
    if run.parameters.get(_COMPLETE, "").lower() in _TRUE:
        return "count as 0"
    return f"are left out ({run.topics} topics)"


def _test_set(run: Run) -> str:
    """The test collection, and the judgements that the run was scored by."""
    collection = run.header.get("data", "test collection")
    name = _text_of(collection, "ir_datasets") or _text_of(collection, "name")
    return f"{name or _UNNAMED}; judgements {run.judgements[:_DIGITS]}"


def performers(header: Header) -> str:
    """The teams of a run's actors; where one has none, the ORCID or the name."""
    actors = header.get("actor")
    named = {}
    for one in actors if isinstance(actors, list) else [actors]:
        text = next(filter(None, (_text_of(one, key) for key in ("team", "orcid", "name"))), "")
        named[text.casefold()] = text
    return " and ".join(text for _, text in sorted(named.items()) if text)


_READERS: Final = (
    _Reader(
        key="system_code",
        text=_system_code,
        parts=(_Part("implementation"), _Part("method")),
        is_by_fields=True,
    ),
    _Reader(
        key="compile_training_information",
        text=_compile_training,
        parts=(_Part("platform"), _Part("data", only=(TRAINING,))),
        is_by_fields=True,
    ),
    _Reader(
        key="implementation",
        text=lambda run: run.evaluator,
        said=lambda run: run.evaluator or Unknown("its evaluator"),
    ),
    _Reader(key="procedure", text=_procedure_text, said=_procedure_key),
    _Reader(
        key="test_set",
        text=_test_set,
        parts=(_Part("data", without=(TRAINING,)),),
        said=lambda run: run.judgements or Unknown("the judgements of its scores"),
        is_by_fields=True,
    ),
    _Reader(
        key="performed_by",
        text=lambda run: performers(run.header),
        parts=(_Part("actor"),),
    ),
)


# Values of headers ------------------------------------------------------------------------


def _text_at(header: Header, *path: str) -> str:
    """What a header says at a place; empty where it says nothing."""
    return _said(header.get(*path))


def _text_of(value: object, key: str) -> str:
    return _said(value.get(key)) if isinstance(value, Mapping) else ""


def _said(value: object) -> str:
    """A text; empty for what a template left behind, and for one that says that nobody knows."""
    if not isinstance(value, str) or default_schema().is_placeholder(value):
        return ""
    text = " ".join(value.split())
    return "" if text.casefold() in UNKNOWN else text


def _listed(value: object) -> list[str]:
    """Texts of a list, or of lists by language."""
    if isinstance(value, Mapping):
        return [text for inner in value.values() for text in _listed(inner)]
    every = value if isinstance(value, list) else [value]
    return [text for text in map(_said, every) if text]


# Words ------------------------------------------------------------------------------------


def _shortened(text: str, most: int = _LONGEST_PART) -> str:
    """A text on one line without credentials; a long one loses its end."""
    text = _CREDENTIALS.sub("//", " ".join(text.split()))
    return text if len(text) <= most else f"{text[:most]}…"


def _address(repository: str) -> str:
    """A repository without what people leave out when they name it."""
    address = _CREDENTIALS.sub("//", repository)
    bare = address.partition("://")[2] or address
    return bare.rstrip("/").removesuffix(".git")


def _method(method: object) -> str:
    """A pipeline in a line, with the parameters of its stages."""
    method = method if isinstance(method, Mapping) else {}
    stages = method.get("retrieval")
    stages = stages if isinstance(stages, list) else [stages]
    given = []
    for stage in stages:
        known = stage if isinstance(stage, Mapping) else {}
        texts = {key: _said(value) for key, value in known.items() if key not in _NO_PARAMETERS}
        if shown := ", ".join(f"{key}={text}" for key, text in texts.items() if text):
            given.append(shown if len(stages) == 1 else f"{_text_of(stage, 'name')}: {shown}")
    return pipeline(method) + (f" ({'; '.join(given)})" if given else "")
