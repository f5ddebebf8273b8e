"""Conditions of measurement from the header of a run and from how its scores were made (D11).

A condition is known or it is not: what only a part of is said is unknown, for two partial
accounts that read alike may be of different things. Known ones are compared as the archive
compares components, by what they mean and not by how they are spelt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from primad_ld.derived import pipeline
from primad_ld.header import Header
from primad_ld.keys import comparable, component_key, identifying_values
from primad_ld.qra.measurements import CONDITIONS
from primad_ld.qra.reading.yamlfile import UNKNOWN
from primad_ld.requirements import read_requirement
from primad_ld.schema import Field, default_schema

#: Parameters of scores, under the names that scoring keeps them.
LEVEL: Final = "relevance level"
COMPLETE: Final = "complete"
_TRUE: Final = ("true", "1")
_DIGITS: Final = 7
_LONGEST: Final = 100
# A token in an address opens the repository, and names no other one.
_CREDENTIALS: Final = re.compile(r"(?<=:)//[^/@\s]*@")
_NO_CHANGES: Final = ("", "0")
_SOURCE: Final = ("implementation", "source")
# What the pipeline in a line says, or the code.
_NO_PARAMETERS: Final = ("name", "method", "reranks", "interpolates", "ensembles", "weight")


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """How the kept scores of a run were made; what nobody says is empty."""

    judgements: str = ""
    evaluator: str = ""
    topics: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)

    @property
    def comparable(self) -> tuple[object, ...]:
        """What has to be the same for scores to be measured alike."""
        return self.judgements, tuple(sorted(self.parameters.items()))


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """What conditions are read from."""

    header: Header
    #: What components are recognised by, by their key in the header.
    keys: Mapping[str, str]
    scored: Scored


@dataclass(frozen=True, slots=True)
class Known:
    """A condition of which all is said: what it is compared by, and its words."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A condition of which something is not said, and what that is."""

    lacks: str


Condition = Known | Unknown


def conditions_of(run: Run) -> dict[str, Condition]:
    """What is known of the conditions that do not depend on the measure: all but one."""
    return {key: read(run) for key, read in _READERS.items()}


def method_specification(measure: str, scored: Scored) -> Condition:
    """The measure, and from which judgement on it takes a document for relevant."""
    level = scored.parameters.get(LEVEL, "")
    if not level:
        return Unknown("the relevance level of its scores")
    text = f"{measure} of trec_eval, relevant from level {level}"
    return _condition({"measure": measure, LEVEL: level}, text)


def worded(found: Sequence[Mapping[str, Condition]]) -> list[dict[str, str]]:
    """Conditions as texts that are equal exactly where the conditions are.

    Those of one meaning get the words of the first of them, and where different ones read
    alike, some digits tell them apart. What is unknown is left out.
    """
    words: dict[tuple[str, str], str] = {}
    owners: dict[tuple[str, str], str] = {}
    for name, one in _known(found):
        if (name, one.key) in words:
            continue
        text = one.text
        if owners.setdefault((name, text), one.key) != one.key:
            text = f"{text} #{one.key}"
        words[name, one.key] = text
    return [
        {
            name: words[name, condition.key]
            for name in CONDITIONS
            if isinstance(condition := said.get(name), Known)
        }
        for said in found
    ]


def _known(found: Iterable[Mapping[str, Condition]]) -> Iterable[tuple[str, Known]]:
    return ((name, one) for said in found for name, one in said.items() if isinstance(one, Known))


def _condition(values: Mapping[str, object], text: str) -> Known:
    """A condition that is all said; a long text loses its end and gets digits of its key."""
    key = component_key(values)
    text = " ".join(text.split())
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}… #{key[:_DIGITS]}"
    return Known(key, text)


# One by one ------------------------------------------------------------------------------


def _system_code(run: Run) -> Condition:
    """Repository and commit, the pipeline with its parameters; changes by their hash."""
    repository = _CREDENTIALS.sub("//", _text(run.header, *_SOURCE, "repository"))
    commit = _text(run.header, *_SOURCE, "commit")
    if not repository or not commit:
        return Unknown(".".join([*_SOURCE, "commit" if repository else "repository"]))
    changes = _text(run.header, *_SOURCE, "uncommitted changes") not in _NO_CHANGES
    tree = _text(run.header, *_SOURCE, "hash") if changes else ""
    if changes and not tree:
        return Unknown(f"{'.'.join(_SOURCE)}.hash, as there are uncommitted changes")
    method = run.header.get("method")
    parameters = _identifying("method", method)
    if not parameters:
        return Unknown("method.retrieval")
    values = {
        "repository": _compared(*_SOURCE, "repository", text=repository),
        "commit": _compared(*_SOURCE, "commit", text=commit),
        "tree": tree,
        "method": parameters,
    }
    changed = f" with changes {tree[:_DIGITS]}" if tree else ""
    at = f"{_address(repository)} @ {_abbreviated(commit)}{changed}"
    return _condition(values, f"{at}: {_method(method)}")


def _compile_training(run: Run) -> Condition:
    """Retrieval toolkit and libraries in exact versions; training data, where there are any."""
    parts: dict[str, object] = {}
    words = []
    for name in ("retrieval toolkit", "libraries"):
        listed = _listed(run.header.get("platform", "software", name))
        if not listed:
            return Unknown(f"platform.software.{name}")
        read = [read_requirement(text) for text in listed]
        vague = [text for text, one in zip(listed, read, strict=True) if not one.version]
        if vague:
            return Unknown(f"platform.software.{name}: an exact version of {vague[0]}")
        parts[name] = sorted({(one.name.casefold(), one.version) for one in read})
        words += [text for text in sorted(listed, key=str.casefold) if text not in words]
    training = run.header.get("data", "training data")
    for one in training if isinstance(training, list) else []:
        if not (_text_of(one, "ir_datasets") or _text_of(one, "name")):
            return Unknown("data.training data.name")
        words.append(f"trained on {_text_of(one, 'ir_datasets') or _text_of(one, 'name')}")
    if training:
        parts["training"] = comparable(training, _field("data", "training data"))
    return _condition(parts, ", ".join(words))


def _implementation(run: Run) -> Condition:
    evaluator = run.scored.evaluator
    return _condition({"by": evaluator}, evaluator) if evaluator else Unknown("its evaluator")


def _procedure(run: Run) -> Condition:
    """How ties are broken, and which topics the outputs are judged on."""
    ties = _text(run.header, "method", "score ties")
    complete = run.scored.parameters.get(COMPLETE, "")
    if not ties:
        return Unknown("method.score ties")
    if not complete:
        return Unknown("whether its scores count topics without documents")
    counted = complete.lower() in _TRUE
    over = "" if counted else run.scored.topics
    topics = "count as 0" if counted else f"are left out ({over} topics)"
    return _condition(
        {"ties": _compared("method", "score ties", text=ties), COMPLETE: counted, "over": over},
        f"outputs against judgements; ties: {ties}; topics without documents {topics}",
    )


def _test_set(run: Run) -> Condition:
    key = run.keys.get("data", "")
    collection = run.header.get("data", "test collection")
    if not key or not _identifying("data", run.header.get("data")):
        return Unknown("data.test collection")
    if not run.scored.judgements:
        return Unknown("the judgements of its scores")
    name = _text_of(collection, "ir_datasets") or _text_of(collection, "name")
    digest = run.scored.judgements
    return _condition(
        {"data": key, "judgements": digest}, f"{name or 'unnamed'}; judgements {digest[:_DIGITS]}"
    )


def _performed_by(run: Run) -> Condition:
    actors = run.header.get("actor")
    named: dict[str, str] = {}
    for one in actors if isinstance(actors, list) else [actors]:
        name = next((name for name in ("team", "orcid", "name") if _text_of(one, name)), "")
        if not name:
            return Unknown("actor.team")
        text = _text_of(one, name)
        named.setdefault(_compared("actor", name, text=text), text)
    return _condition({"by": sorted(named)}, " and ".join(named[key] for key in sorted(named)))


_READERS: Final[Mapping[str, Callable[[Run], Condition]]] = {
    "system_code": _system_code,
    "compile_training_information": _compile_training,
    "implementation": _implementation,
    "procedure": _procedure,
    "test_set": _test_set,
    "performed_by": _performed_by,
}


# Values of headers ------------------------------------------------------------------------


def _text(header: Header, *path: str) -> str:
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
    """Requirements of a list, or of lists by language."""
    if isinstance(value, Mapping):
        return [text for inner in value.values() for text in _listed(inner)]
    every = value if isinstance(value, list) else [value]
    return [text for text in map(_said, every) if text]


def _field(*path: str) -> Field:
    found = default_schema().field(*path)
    assert found is not None, path
    return found


def _compared(*path: str, text: str) -> str:
    """A text as it is compared by key: one form of a commit, of a repository."""
    return str(_field(*path).converter.key(text))


def _identifying(component: str, value: object) -> dict[str, object]:
    node = _field(component).node
    if node is None or not isinstance(value, dict):
        return {}
    return identifying_values(node, value)


# Words ------------------------------------------------------------------------------------


def _address(repository: str) -> str:
    """A repository without what people leave out when they name it."""
    bare = repository.partition("://")[2] or repository
    return bare.rstrip("/").removesuffix(".git")


def _abbreviated(commit: str) -> str:
    is_digest = len(commit) > _DIGITS and all(char in "0123456789abcdefABCDEF" for char in commit)
    return commit[:_DIGITS].lower() if is_digest else commit


def _method(method: Any) -> str:
    """A pipeline in a line, with the parameters of its stages."""
    stages = method.get("retrieval")
    every = stages if isinstance(stages, list) else [stages]
    told = [(_text_of(stage, "name"), _parameters(stage)) for stage in every]
    given = [(name, text) for name, text in told if text]
    shown = given[0][1] if len(told) == 1 and given else "; ".join(map(": ".join, given))
    return f"{pipeline(method)} ({shown})" if shown else pipeline(method)


def _parameters(stage: object) -> str:
    if not isinstance(stage, Mapping):
        return ""
    return ", ".join(
        f"{key}={_said(value)}"
        for key, value in stage.items()
        if key not in _NO_PARAMETERS and _said(value)
    )
