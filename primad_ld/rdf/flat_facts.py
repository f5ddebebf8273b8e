"""Flat facts about a run, computed from its header so that searching need not follow paths (D8).

They stand one step from the run and are marked as derived in the ontology; lowering leaves
them out. What a header says is never only here.

The summary of a run is all that a search shows of it, in one literal. An archive answers each
statement in microseconds, but a list of two thousand comparable runs with a dozen facts each is
made of many. The summary repeats flat facts of the run and nothing else; whoever writes SPARQL
need not know it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from typing import Final

from primad_ld.core.iris import RDF_JSON, SCHEME, XSD
from primad_ld.core.yamltext import Value, mappings_of, texts_of
from primad_ld.rdf.run_graphs import integer
from primad_ld.schema.converters import BY_DATATYPE, BY_NAME, decimal_lexical, quoted
from primad_ld.schema.fields import Field, Node, Schema

_LONGEST_PIPELINE: Final = 300
_NO_NAME: Final = "?"
_WEIGHT: Final = BY_DATATYPE[XSD + "decimal"]

#: A predicate by its local name, and an object as a token of N-Triples.
_Fact = tuple[str, str]


def derived_facts(schema: Schema, entry: Field, value: Value) -> Iterator[_Fact]:
    """What can be computed from one component of a header."""
    if entry.key == "data":
        yield from _collection(schema, value)
    elif entry.key == "actor":
        for actor in mappings_of(value):
            team = actor.get("team")
            if isinstance(team, str) and not schema.is_placeholder(team):
                yield "byTeam", quoted(team)
    elif entry.key == "method" and isinstance(value, Mapping):
        line = pipeline(value)
        if not schema.is_placeholder(line):
            yield "pipeline", quoted(line)
    elif entry.key == "research goal":
        yield from _study(schema, value)


def _collection(schema: Schema, value: Value) -> Iterator[_Fact]:
    collection = _inner(value, "test collection")
    for name in ("ir_datasets", "name"):
        text = _inner(collection, name)
        field = schema.field("data", "test collection", name)
        if isinstance(text, str) and field is not None and not schema.is_placeholder(text):
            yield "onCollection", quoted(field.converter.fold(text))
            return


def _study(schema: Schema, value: Value) -> Iterator[_Fact]:
    year = _inner(value, "venue", "year")
    if isinstance(year, str) and year.isascii() and year.isdecimal() and len(year) == 4:
        yield "inYear", integer(int(year))
    field = schema.field("research goal", "evaluation", "reported measures")
    measures = _inner(value, "evaluation", "reported measures")
    for measure in texts_of(measures) if field is not None else ():
        if schema.is_placeholder(measure):
            continue
        found = field.converter.read(measure) if field is not None else None
        yield "reportsMeasure", found.token if found else quoted(measure)


#: The local name of the predicate that says which rules made the identities of a run.
IDENTITY_VERSION: Final = "identityVersion"


def identity_predicate(entry: Field) -> str:
    """The local name of the predicate from a run to what its component is compared by."""
    return f"{entry.predicate.rpartition('#')[2]}Identity"


# Pipelines --------------------------------------------------------------------------------


def pipeline(method: Mapping[str, object]) -> str:
    """The stages of a method in a line: ``bm25 » prf » 0.5·prf+0.5·bm25``."""
    stages = method.get("retrieval")
    if isinstance(stages, Mapping):
        stages = [stages]
    if not isinstance(stages, Sequence) or isinstance(stages, str):
        stages = []
    names: list[str] = []
    shown: list[str] = []
    for stage in stages:
        if isinstance(stage, Mapping):
            shown.append(_stage(stage, names[-1] if names else ""))
            names.append(_text(stage.get("name")))
    if all(name == _NO_NAME for name in shown):
        shown = [_text(method.get("name"), "")]
    line = " » ".join(shown)
    return line if len(line) <= _LONGEST_PIPELINE else f"{line[: _LONGEST_PIPELINE - 1]}…"


def _stage(stage: Mapping[str, object], before: str) -> str:
    name = _text(stage.get("name"), "") or _text(stage.get("method"))
    for key in ("interpolates", "ensembles"):
        parts = _texts(stage.get(key))
        if parts:
            return _sum(parts, stage.get("weight"))
    targets = _texts(stage.get("reranks"))
    return f"{name}({', '.join(targets)})" if targets and targets != [before] else name


def _sum(parts: list[str], weight: object) -> str:
    """An interpolation. One weight is that of the first of two."""
    found = _WEIGHT.read(weight) if isinstance(weight, str) and len(parts) == 2 else None
    first = Decimal(found.token.split('"')[1]) if found is not None else None
    if first is None or not 0 <= first <= 1:
        return "+".join(parts)
    return f"{decimal_lexical(first)}·{parts[0]}+{decimal_lexical(1 - first)}·{parts[1]}"


def _text(value: object, otherwise: str = _NO_NAME) -> str:
    """A text on one line, without what a terminal would obey."""
    if not isinstance(value, str):
        return otherwise
    if not value.isprintable():
        value = "".join(one if one.isprintable() else " " for one in value)
    return " ".join(value.split()) or otherwise


def _texts(value: object) -> list[str]:
    values = value if isinstance(value, list | tuple) else [value]
    return [text for text in (_text(one, "") for one in values) if text]


# Completeness -----------------------------------------------------------------------------

#: The fields that a mapping fills in, and those that it should fill in.
Fields = frozenset[Field]


def filled_fields(schema: Schema, entry: Field, value: Value) -> tuple[Fields, Fields]:
    """The fields of some importance that a top-level key fills in, and those it should.

    What does not apply is not asked for: nothing of a GPU where none is named.
    """
    said: set[Field] = set()
    wanted: set[Field] = set()
    if entry.node is None:
        _leaf(schema, entry, [value], said, wanted)
    else:
        _gather(schema, entry.node, mappings_of(value), said, wanted)
    return frozenset(said), frozenset(wanted)


def _gather(
    schema: Schema,
    node: Node,
    values: Sequence[Mapping[str, object]],
    said: set[Field],
    wanted: set[Field],
) -> None:
    for entry in _important(node):
        given = [value[entry.key] for value in values if value.get(entry.key)]
        if entry.node is None:
            _leaf(schema, entry, given, said, wanted)
        elif given or not entry.optional:
            inner = [
                item
                for one in given
                for item in (one if entry.many and isinstance(one, list) else [one])
                if isinstance(item, dict)
            ]
            _gather(schema, entry.node, inner, said, wanted)
    other = node.wildcard
    if other is not None and other.importance:
        wanted.add(other)
        if any(key not in node.fields and value[key] for value in values for key in value):
            said.add(other)


def _leaf(
    schema: Schema, entry: Field, given: Iterable[object], said: set[Field], wanted: set[Field]
) -> None:
    if not entry.importance:
        return
    is_said = any(_fills(schema, one) for one in given)
    if is_said:
        said.add(entry)
    if is_said or not entry.optional:
        wanted.add(entry)


def _fills(schema: Schema, value: object) -> bool:
    """Whether a value is more than what a template left behind."""
    if isinstance(value, str):
        return not schema.is_placeholder(value)
    if isinstance(value, list):
        return any(_fills(schema, item) for item in value)
    if isinstance(value, dict):
        return any(_fills(schema, item) for item in value.values())
    return value is not None


@cache
def _important(node: Node) -> list[Field]:
    """The fields of a mapping that have some importance, or hold one that does."""
    return [
        entry
        for entry in node.fields.values()
        if entry.importance or (entry.node and (_important(entry.node) or entry.node.wildcard))
    ]


@cache
def wanted_of_all(schema: Schema) -> dict[str, Fields]:
    """What each top-level key should fill in, where nothing is said below it."""
    return {key: filled_fields(schema, entry, None)[1] for key, entry in schema.root.fields.items()}


def completeness(said: Iterable[Fields], wanted: Iterable[Fields]) -> int:
    """How many percent of what matters for repeating the run its header says."""
    given = {field for fields in said for field in fields}
    asked = {field for fields in wanted for field in fields}
    names = {field.fragment for field in given}
    whole = sum(field.importance or 0 for field in asked)
    found = sum(
        field.importance or 0
        for field in asked
        if field in given or not names.isdisjoint(field.implied_by)
    )
    return round(100 * found / whole) if whole else 0


# Summaries --------------------------------------------------------------------------------

_as_json: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
# Runs share what their components are compared by.
_REMEMBERED: Final = 8192
_REPRODUCER: Final = f"<{SCHEME}role-reproducer>"


@dataclass(frozen=True, slots=True)
class Share:
    """What one top-level key of a header adds to the summary: members of its JSON, escaped.

    Runs repeat components, and putting texts together costs less than writing JSON anew.
    """

    members: tuple[str, ...] = ()
    #: A member of "components".
    components: str = ""


def share_of(
    entry: Field,
    value: Value,
    facts: Iterable[tuple[str, str]],
    components: Sequence[str],
) -> Share:
    """What a summary says of one component."""
    share = _said_of_run(entry, value)
    for name, token in facts:
        if name == "reportsMeasure":
            _append(share, "measures", _measure(token))
        elif name == "byTeam":
            _append(share, "teams", json.loads(token))
        elif name == "onCollection":
            share["collection"] = json.loads(token)
        elif name == "inYear":
            share["year"] = int(token.split('"')[1])
        elif name == "pipeline":
            share["pipeline"] = json.loads(token)
    members = tuple([_member(name, said) for name, said in share.items()])
    if not components:
        return Share(members)
    return Share(members, _member(entry.key, sorted(set(components))))


def _said_of_run(entry: Field, value: Value) -> dict[str, object]:
    """What a search shows besides: of the run itself, or from further inside a component."""
    if entry.key == "actor":
        roles = (actor.get("role") for actor in mappings_of(value))
        if any(isinstance(role, str) and _is_reproducer(role) for role in roles):
            return {"reproduces": True}
    elif entry.key == "research goal":
        said: dict[str, object] = {}
        baselines = texts_of(_inner(value, "evaluation", "baseline"))
        if baselines:
            said["baselines"] = sorted(set(baselines))
        venue = _inner(value, "venue", "name")
        if isinstance(venue, str) and venue:
            said["venue"] = venue
        return said
    elif entry.key == "implementation":
        given = {
            "repository": _inner(value, "source", "repository"),
            "commit": _inner(value, "source", "commit"),
            "command": _inner(value, "executable", "cmd"),
        }
        names = [name for name, text in given.items() if texts_of(text)]
        if names:
            return {"given": names}
    return {}


def summary_token(
    shares: Iterable[Share],
    *,
    tag: str,
    completeness: int,
    ranking: str,
    identities: Iterable[tuple[str, str]],
) -> str:
    """The summary of a run as a token of N-Triples."""
    members = [_member("completeness", completeness)]
    if tag:
        members.append(_member("tag", tag))
    if ranking:
        members.append(_member("ranking", ranking))
    components = []
    for share in shares:
        members.extend(share.members)
        if share.components:
            components.append(share.components)
    if components:
        members.append(f'\\"components\\":{_object(components)}')
    keys = [_of_identity(component, key) for component, key in identities]
    if keys:
        members.append(f'\\"identities\\":{_object(keys)}')
    return f'"{_object(members)}"^^<{RDF_JSON}>'


@lru_cache(maxsize=_REMEMBERED)
def _of_identity(component: str, key: str) -> str:
    return _member(component, key)


def _member(name: str, value: object) -> str:
    """A member of a JSON object, escaped for a text of N-Triples, but not yet quoted."""
    if type(value) is list:
        # Many short lists of texts: an encoder takes longer to begin than to write them.
        said = f"[{','.join(map(quoted, value))}]"
    else:
        said = str(value) if type(value) is int else _as_json(value)
    return quoted(f"{quoted(name)}:{said}")[1:-1]


def _object(members: Iterable[str]) -> str:
    """Members in the order of their names, none of which begins with another."""
    return f"{{{','.join(sorted(members))}}}"


def _measure(token: str) -> str:
    return BY_NAME["measure"].write(token[1:-1]) if token[0] == "<" else json.loads(token)


def _is_reproducer(role: str) -> bool:
    found = BY_NAME["role"].read(role)
    return found is not None and found.token == _REPRODUCER


def _append(share: dict[str, object], name: str, value: object) -> None:
    values = share.setdefault(name, [])
    assert isinstance(values, list)
    if value not in values:
        values.append(value)


def _inner(value: Value, *keys: str) -> Value:
    """The value at a path of keys; None if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
