"""The summary of a run: all that a search shows of it, in one literal.

An archive answers each statement in microseconds, but a list of two thousand comparable runs
with a dozen facts each is made of many. The summary repeats flat facts of the run and nothing
else; whoever writes SPARQL need not know it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from primad_ld.core.iris import RDF_JSON, SCHEME
from primad_ld.core.yamltext import Mapping as HeaderMapping
from primad_ld.core.yamltext import Value, mappings_of, texts_of
from primad_ld.schema.converters import BY_NAME, quoted
from primad_ld.schema.fields import Field

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
    for key in keys:
        value = value.get(key) if isinstance(value, HeaderMapping) else None
    return value
