"""What the header of a run and its kept scores say of conditions of measurement, in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from primad_ld.compare.identity import Identity
from primad_ld.header.model import Header
from primad_ld.qra.reading.yamlfile import UNKNOWN
from primad_ld.rdf.facts import pipeline
from primad_ld.schema.fields import default_schema

#: Parameters of scores, under the names that scoring keeps them.
LEVEL: Final = "relevance level"
COMPLETE: Final = "complete"
#: Where a header says how ties are broken.
TIES: Final = ("method", "score ties")
#: What stands where a header has no words for a condition.
UNNAMED: Final = "unnamed"
_TRUE: Final = ("true", "1")
_DIGITS: Final = 7
_LONGEST: Final = 100
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
class Scored:
    """How the kept scores of a run were made; what nobody says is empty."""

    judgements: str = ""
    evaluator: str = ""
    topics: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """What conditions are read from."""

    #: What messages call it.
    name: str
    header: Header
    #: What its components are compared by, by their key in the header.
    identities: Mapping[str, Identity]
    scored: Scored


# Conditions in a line --------------------------------------------------------------------


def system_code(run: Run) -> str:
    """Repository and commit, the pipeline with its parameters; changes by their hash."""
    repository, commit, changes, tree = (text_at(run.header, *_SOURCE, key) for key in _CODE)
    at = f" @ {_abbreviated(commit)}" if commit else ""
    if changes not in _NO_CHANGES and tree:
        at += f" with changes {tree[:_DIGITS]}"
    return f"{_address(repository)}{at}: {_method(run.header.get('method'))}"


def compile_training(run: Run) -> str:
    """Hardware, operating system, toolkit and libraries; training data, where there are any."""
    words = []
    for path in _PLATFORM:
        words += sorted(_listed(run.header.get(*path)), key=str.casefold)
    training = run.header.get("data", "training data")
    for one in training if isinstance(training, list) else []:
        words.append(f"trained on {_text_of(one, 'ir_datasets') or _text_of(one, 'name')}")
    return ", ".join(dict.fromkeys(words))


def procedure(run: Run) -> str:
    """How ties are broken, and which topics the outputs are judged on."""
    ties = text_at(run.header, *TIES)
    return f"outputs against judgements; ties: {ties}; topics without documents {topics(run)}"


def topics(run: Run) -> str:
    """What becomes of topics without documents."""
    if run.scored.parameters.get(COMPLETE, "").lower() in _TRUE:
        return "count as 0"
    return f"are left out ({run.scored.topics} topics)"


def test_set(run: Run) -> str:
    """The test collection, and the judgements that the run was scored by."""
    collection = run.header.get("data", "test collection")
    name = _text_of(collection, "ir_datasets") or _text_of(collection, "name")
    return f"{name or UNNAMED}; judgements {run.scored.judgements[:_DIGITS]}"


def performers(header: Header) -> str:
    """The teams of a run's actors; where one has none, the ORCID or the name."""
    actors = header.get("actor")
    named = {}
    for one in actors if isinstance(actors, list) else [actors]:
        text = next(filter(None, (_text_of(one, key) for key in ("team", "orcid", "name"))), "")
        named[text.casefold()] = text
    return " and ".join(text for _, text in sorted(named.items()) if text)


# Values of headers ------------------------------------------------------------------------


def text_at(header: Header, *path: str) -> str:
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


def shortened(text: str, most: int = _LONGEST) -> str:
    """A text on one line without credentials; a long one loses its end."""
    text = _CREDENTIALS.sub("//", " ".join(text.split()))
    return text if len(text) <= most else f"{text[:most]}…"


def _address(repository: str) -> str:
    """A repository without what people leave out when they name it."""
    address = _CREDENTIALS.sub("//", repository)
    bare = address.partition("://")[2] or address
    return bare.rstrip("/").removesuffix(".git")


def _abbreviated(commit: str) -> str:
    is_digest = len(commit) > _DIGITS and all(char in "0123456789abcdefABCDEF" for char in commit)
    return commit[:_DIGITS].lower() if is_digest else commit


def _method(method: object) -> str:
    """A pipeline in a line, with the parameters of its stages."""
    method = method if isinstance(method, Mapping) else {}
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
