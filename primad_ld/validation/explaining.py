"""From results of SHACL to remarks about fields: which field it is, in words for its author.

A result names a node of the graph and a path. Lifting tells where the header has the node,
the schema which key a predicate stands for, and the header how the value is written. Where a
list as a whole is not a value of its field, the remark is about the items that are wrong; where
the author may have meant something else, it says what.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from primad_ld.core.iris import FIELD, PRIMAD, RDF_JSON, XSD
from primad_ld.core.long_texts import closest
from primad_ld.core.yamltext import Value, without_empty
from primad_ld.rdf.flat_facts import wanted_of_all
from primad_ld.rdf.spellings import Trail
from primad_ld.rdf.subject_index import Object
from primad_ld.schema.converters import (
    CONCEPT_SCHEMES,
    concept_names,
    json_literal,
    json_value,
    quoted,
)
from primad_ld.schema.fields import Field, Node, Schema
from primad_ld.shacl.judge import ShapeResult
from primad_ld.shacl.paths import Choice, Marked, Path, Predicate
from primad_ld.shacl.shapes import Shape
from primad_ld.validation.findings_at_lines import Keys, Remark, dotted, severity_of
from primad_ld.validation.messages import (
    SECRET,
    default_message,
    filled,
    message_text,
    secret_finder,
    shown,
)
from primad_ld.validation.profiles import Profile, code_of

_HINT: Final = FIELD + "hint"
_HEADER: Final = PRIMAD + "header"
_CONTRIBUTION: Final = PRIMAD + "contribution"
_BESIDE_RUN: Final = frozenset({_HEADER, _CONTRIBUTION})


class KnownRun:
    """What is known of one run when its results are explained."""

    def __init__(
        self, run: str, nodes: Sequence[Mapping[str, Trail]], fields: Mapping[str, Value]
    ) -> None:
        self.run = run
        self.nodes = nodes
        self.fields = fields

    def trail(self, node: str) -> Trail | None:
        """Where the header has what a node of the graph says."""
        return next((nodes[node] for nodes in self.nodes if node in nodes), None)

    def resolve(self, trail: Iterable[str | int]) -> Keys:
        """A trail as keys; what is one mapping instead of a list has no position."""
        keys: list[str | int] = []
        value: object = self.fields
        for step in trail:
            if isinstance(step, int):
                if isinstance(value, list):
                    keys.append(step)
                    value = value[step] if step < len(value) else None
                continue
            keys.append(step)
            value = value.get(step) if isinstance(value, dict) else None
        return tuple(keys)

    def value(self, keys: Keys) -> object:
        """What the header says there."""
        value: object = self.fields
        for key in keys:
            if isinstance(value, dict) and isinstance(key, str):
                value = value.get(key)
            elif isinstance(value, list) and isinstance(key, int) and key < len(value):
                value = value[key]
            else:
                return None
        return value


class Explainer:
    """Explains results in the words of a profile."""

    def __init__(self, profile: Profile, language: str = "en", *, with_values: bool = True) -> None:
        """Without ``with_values``, messages tell no value of the header."""
        self.profile, self.language, self.with_values = profile, language, with_values
        self.schema = profile.schema
        self._of_run = {
            (entry.via, entry.predicate): entry for entry in self.schema.walk() if entry.of_run
        }
        self._tells_secret = secret_finder(profile)

    def explain(self, result: ShapeResult, place: KnownRun) -> list[tuple[Keys, Remark]]:
        """The remarks of one result: one for each place where the header says the value."""
        focus = self._focus(result.focus.value, place)
        if focus is None:
            return [((), self._remark(result, (), None, None))]
        spot, keys = focus
        asked = self.profile.place(result.shape)
        if asked is not None:
            found = (*keys, *asked)
            # A node such as a library is one text in the header.
            value = place.value(found)
            said = value if not asked and isinstance(value, str) else None
            return [(found, self._remark(result, found, self._field(found), said, place))]
        shape = self.profile.shapes.by_iri.get(result.shape)
        path = shape.path if shape is not None else None
        if path is None:
            return [(keys, self._remark(result, keys, spot.field, None, place))]
        reached = list(self._reach(spot, path))
        if result.value is None:
            return [self._missing(result, keys, reached, place)]
        places = dict(self._places(result.value, keys, spot, reached, place))
        if not places:
            keys = (*keys, *reached[0].keys) if reached else keys
            return [(keys, self._remark(result, keys, self._field(keys), None, place))]
        return [
            (found, self._remark(result, found, self._field(found), text, place))
            for found, text in places.items()
        ]

    # Which field -------------------------------------------------------------------------

    def _focus(self, node: str, place: KnownRun) -> tuple[_Spot, Keys] | None:
        """What a node of the graph is in the header."""
        root = self.schema.root
        if node == place.run:
            return _Spot(root, ()), ()
        if node == f"{place.run}#header":
            return _Spot(root, (), _HEADER), ()
        trail = place.trail(node)
        if trail is None:
            return None
        keys = place.resolve(trail)
        if node.startswith(f"{place.run}#actor-"):
            return _Spot(root, (), _CONTRIBUTION), keys
        field = self._field(keys)
        return _Spot(field.node if field is not None else None, (), None, field), keys

    def _field(self, keys: Keys) -> Field | None:
        """The field at a place of the header."""
        node: Node | None = self.schema.root
        field: Field | None = None
        for key in keys:
            if isinstance(key, int):
                continue
            field = (node.fields.get(key) or node.wildcard) if node is not None else None
            if field is None:
                return None
            node = field.node
        return field

    def _reach(self, spot: _Spot, path: Path) -> Iterator[_Spot]:
        """The fields that a path leads to; nothing where it goes on any number of times."""
        if isinstance(path, Predicate):
            yield from self._step(spot, path.iri)
        elif isinstance(path, Choice):
            for part in path.parts:
                yield from self._reach(spot, part)
        elif not isinstance(path, Marked):
            reached = [spot]
            for part in path.parts:
                reached = [after for before in reached for after in self._reach(before, part)]
            yield from reached

    def _step(self, spot: _Spot, predicate: str) -> Iterator[_Spot]:
        if spot.node is self.schema.root and spot.via is None and predicate in _BESIDE_RUN:
            above = ("actor",) if predicate == _CONTRIBUTION else ()
            yield _Spot(spot.node, above, predicate)
            return
        if spot.node is self.schema.root:
            field = self._of_run.get((spot.via, predicate))
            if field is not None:
                # Below a contribution, the actor's own keys have led here already.
                keys = field.path[-1:] if spot.via == _CONTRIBUTION else field.path
                yield _Spot(field.node, (*spot.keys, *keys), None, field)
                return
        field = spot.node.by_predicate.get(predicate) if spot.node is not None else None
        if field is not None:
            yield _Spot(field.node, (*spot.keys, field.key), None, field)
        elif predicate == PRIMAD + "extra":
            yield _Spot(spot.node, spot.keys, None, spot.field)

    # Where the value stands --------------------------------------------------------------

    def _places(
        self, value: Object, keys: Keys, spot: _Spot, reached: Sequence[_Spot], place: KnownRun
    ) -> Iterator[tuple[Keys, object]]:
        """The places of a value, with what the header says there."""
        if value.datatype == RDF_JSON:
            start = keys if reached else next(self._kept_below(value.value, keys, place), keys)
            found = self._unknown(value.value, start, place)
            above = place.value(found[:-1])
            if len(found) > len(keys) and (
                found[-1] in above if isinstance(above, dict) else isinstance(above, list)
            ):
                yield found, place.value(found)
                return
        roots = [(*keys, *after.keys) for after in reached] if reached else [keys]
        for root in (full for short in roots for full in _spread(short, place)):
            for found, said in self._search(value, root, self._field(root), place.value(root)):
                yield from self._narrowed(found, said) if reached else [(found, said)]

    def _kept_below(self, text: str, keys: Keys, place: KnownRun) -> Iterator[Keys]:
        """The mappings that hold a key with just this value, which no field has."""
        kept: object = json_value(text)
        if not isinstance(kept, dict) or len(kept) != 1:
            return
        ((key, value),) = kept.items()
        said = place.value(keys)
        if isinstance(said, dict):
            if key in said and said[key] == value:
                yield keys
            for below in said:
                yield from self._kept_below(text, (*keys, below), place)
        elif isinstance(said, list):
            for index in range(len(said)):
                yield from self._kept_below(text, (*keys, index), place)

    def _narrowed(self, keys: Keys, said: object) -> Iterator[tuple[Keys, object]]:
        """The items for which a list is none of its kind; else the list itself."""
        field = self._field(keys)
        wrong: list[tuple[Keys, object]] = []
        if field is not None and keys and not isinstance(keys[-1], int):
            is_libraries = "libraries" in field.structures and isinstance(said, dict)
            lists = said.items() if is_libraries and isinstance(said, dict) else [("", said)]
            kind = str if field.node is None else dict
            wrong = [
                ((*keys, *([key] if key else []), index), item)
                for key, items in lists
                if isinstance(items, list) and (field.many or is_libraries)
                for index, item in enumerate(items)
                if not isinstance(item, kind)
                or (isinstance(item, str) and _is_odd(field, item, items[:index]))
            ]
        yield from wrong or [(keys, said)]

    def _search(
        self, value: Object, keys: Keys, field: Field | None, said: object
    ) -> Iterator[tuple[Keys, object]]:
        if isinstance(said, str):
            if _is_same(value, said, field):
                yield keys, said
            return
        if value.datatype == RDF_JSON and said is not None and _is_json(value, said):
            yield keys, said
            return
        if isinstance(said, list) and field is not None and "command" in field.structures:
            if all(isinstance(item, str) for item in said) and shlex.join(said) == value.value:
                yield keys, said
            return
        if isinstance(said, dict):
            for key, inner in said.items():
                below = self._field((*keys, key))
                yield from self._search(value, (*keys, key), below, inner)
        elif isinstance(said, list):
            for index, inner in enumerate(said):
                yield from self._search(value, (*keys, index), field, inner)

    def _unknown(self, text: str, keys: Keys, place: KnownRun) -> Keys:
        """The place of the key that no field has, from the JSON literal that keeps it."""
        value: object = json_value(text)
        while isinstance(value, dict) and len(value) == 1:
            ((key, value),) = value.items()
            above = place.value(keys)
            if isinstance(above, list) and key.isdecimal():
                keys = (*keys, int(key) - 1)
            elif isinstance(above, dict) and (key in above or key != "1"):
                keys = (*keys, key)
                if self._field(keys) is None and not isinstance(place.value(keys), list):
                    break
        return keys

    # In words ----------------------------------------------------------------------------

    def _missing(
        self, result: ShapeResult, keys: Keys, reached: Sequence[_Spot], place: KnownRun
    ) -> tuple[Keys, Remark]:
        if not reached:
            return keys, self._remark(result, keys, None, None, place)
        found = place.resolve((*keys, *reached[0].keys))
        return found, self._remark(result, found, reached[0].field, None, place)

    def _remark(
        self,
        result: ShapeResult,
        keys: Keys,
        field: Field | None,
        said: object,
        place: KnownRun | None = None,
    ) -> Remark:
        value = said if said is not None else (result.value.value if result.value else None)
        texts = {
            "value": shown(value) if value is not None else "",
            "field": dotted(keys),
            "key": str(next((key for key in reversed(keys) if isinstance(key, str)), "")),
            "this": result.focus.value,
        }
        is_kept = result.value is not None and result.value.datatype == RDF_JSON
        is_again = (
            is_kept
            and isinstance(said, str)
            and place is not None
            and _is_repeated(said, field, keys, place.value(keys[:-1]))
        )
        is_asked = result.value is None or self.profile.place(result.shape) is not None
        is_missing = is_asked and place is not None and not place.value(keys)
        # Other shapes may find fault with a password, too, and must not repeat it.
        is_secret = self.profile.has(result.shape, SECRET) or (
            value is not None and self._tells_secret(value)
        )
        if is_secret or (value is not None and not self.with_values):
            texts["value"] = "…"
        message = message_text(self.profile, result.shape, self.language)
        message = filled(message, texts) or default_message(result, texts)
        if is_again:
            message = f"{texts['value']} stands in this list already"
        elif said is not None and place is not None and not is_secret and self.with_values:
            message += _suggestion(self.schema, field, keys, said, place.value(keys[:1]))
        hint = (
            "" if is_again else filled(self.profile.text(result.shape, _HINT, self.language), texts)
        )
        if is_missing and not hint and field is not None and field.examples:
            hint = f"such as {field.key}: {field.examples[0]}"
        weight = self._weight(field) if is_missing and field is not None else 0
        severity = severity_of(result.severity)
        if severity == "hint" and is_kept and _misspelt(self.schema, field, keys):
            severity = "warning"
        return Remark(
            severity=severity,
            field=dotted(keys),
            code=code_of(result.shape),
            message=message,
            hint=hint,
            missing=weight,
            is_secret=is_secret,
        )

    def _weight(self, field: Field) -> float:
        """What a missing field weighs, with all that it should hold."""
        if len(field.path) == 1:
            return sum(one.importance or 0 for one in wanted_of_all(self.schema)[field.key])
        return field.importance or 0

    def named(self, shape: Shape) -> list[str]:
        """The fields that a shape is about, as people write them."""
        found: list[str] = []
        for entry in self._owners(shape):
            path = entry.path if entry is not None else ()
            asked = self.profile.place(shape.iri)
            if asked is not None:
                found.append(dotted((*path, *asked)))
            elif shape.path is not None:
                node = entry.node if entry is not None else self.schema.root
                spots = self._reach(_Spot(node, ()), shape.path)
                found.extend(dotted((*path, *spot.keys)) for spot in spots)
        return list(dict.fromkeys(found))

    def _owners(self, shape: Shape) -> Iterator[Field | None]:
        """What the shape judges: fields of some class, or the run itself as None."""
        judged = {
            name
            for owner in self.profile.shapes
            if owner is shape or shape.iri in owner.properties
            for name in owner.targets.classes
        }
        if PRIMAD + "Run" in judged or not judged:
            yield None
        yield from (entry for entry in self.schema.walk() if entry.type in judged)


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a path has led: the fields below it, and its keys in the header."""

    node: Node | None
    keys: tuple[str, ...]
    #: The node beside the run on which its values stand.
    via: str | None = None
    field: Field | None = None


def _spread(keys: Keys, place: KnownRun) -> Iterator[Keys]:
    """The places that keys lead to, where some of them hold lists of mappings."""
    for at, key in enumerate(keys):
        said = place.value(keys[:at])
        if isinstance(key, str) and isinstance(said, list):
            for index in range(len(said)):
                yield from _spread((*keys[:at], index, *keys[at:]), place)
            return
    yield keys


# The same value ---------------------------------------------------------------------------


def _is_same(value: Object, text: str, field: Field | None) -> bool:
    """Whether a text of the header is what the graph says."""
    if value.datatype == RDF_JSON:
        return _is_json(value, text)
    if text == value.value:
        return True
    if field is None:
        return False
    found = field.converter.read(text)
    if found is None:
        return field.converter.fold(text) == value.value
    return found.token == _token(value)


def _is_json(value: Object, said: object) -> bool:
    return json_literal(without_empty(said)) == _token(value)


def _token(value: Object) -> str:
    """An object as lift writes it."""
    if value.datatype is None:
        return f"<{value.value}>"
    text = quoted(value.value)
    return text if value.datatype == XSD + "string" else f"{text}^^<{value.datatype}>"


# Items of lists ---------------------------------------------------------------------------


def _is_odd(field: Field, item: str, before: Sequence[object]) -> bool:
    """Whether an item is none of its kind, or means what one before it means."""
    if field.link and field.converter.read(item) is None and not field.structures:
        return True
    return _means_the_same(field, item, before)


def _is_repeated(item: str, field: Field | None, keys: Keys, above: object) -> bool:
    """Whether an item at some place of a list means what one before it means."""
    position = keys[-1] if keys else None
    if not isinstance(above, list) or not isinstance(position, int):
        return False
    return _means_the_same(field, item, above[:position])


def _means_the_same(field: Field | None, item: str, others: Sequence[object]) -> bool:
    read = field.converter.key if field is not None else str
    return any(isinstance(other, str) and read(other) == read(item) for other in others)


# Suggestions ------------------------------------------------------------------------------

_CLOSE: Final = 0.6
# An unknown key is more than a hint if it is as close as this to one that there is.
_CLOSE_MISSPELT: Final = 0.75
# A measure of another cutoff is another measure.
_CLOSE_CONCEPT: Final = 0.7
_HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+(/\S*)?", re.IGNORECASE)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):/*+(.+)", re.IGNORECASE)
_TWICE = re.compile(r"[a-z][a-z0-9+.-]*:/*((?:https?|ftps?|ssh|git)://\S+)", re.IGNORECASE)
_SCHEMES: Final = ("https", "http", "ftp", "ssh", "git")
#: Where one name of several ends that were written as one text.
_BETWEEN_NAMES = re.compile(r"[,;](?=\s*[A-Za-z]|\s+[0-9])")
_SSH = re.compile(r"(?:ssh://)?git@([\w.-]+)[:/](\S+)")


def _suggestion(
    schema: Schema, field: Field | None, keys: tuple[str | int, ...], said: object, top: object
) -> str:
    """The end of a message: what may have been meant, or nothing."""
    if field is not None and field.many and isinstance(said, str) and _BETWEEN_NAMES.search(said):
        names = [name.strip() for name in _BETWEEN_NAMES.split(said)]
        return f"; write a list: [{', '.join(names)}]"
    found = _meant(schema, field, keys, said, top)
    return f'; did you mean "{found}"?' if found else ""


def _meant(
    schema: Schema, field: Field | None, keys: tuple[str | int, ...], said: object, top: object
) -> str:
    if field is None or field.key not in keys:
        return _closest(str(keys[-1]), _known_keys(schema, keys[:-1])) if keys else ""
    if not isinstance(said, str):
        return ""
    scheme = next((name for name in field.converter_name.split() if name in CONCEPT_SCHEMES), "")
    if scheme:
        return _closest(said, concept_names(scheme), _CLOSE_CONCEPT)
    if "stage" in field.structures:
        return _closest(said, [name for name in _stage_names(top) if name != said])
    if field.converter_name in ("iri", "repository"):
        return _address(said)
    if field.converter_name == "orcid":
        return _orcid(said, field)
    return ""


def _misspelt(schema: Schema, field: Field | None, keys: Keys) -> bool:
    """Whether a key that no field has is likely one that was written wrongly."""
    is_unknown = bool(keys) and (field is None or field.key not in keys)
    return is_unknown and bool(
        _closest(str(keys[-1]), _known_keys(schema, keys[:-1]), _CLOSE_MISSPELT)
    )


def _known_keys(schema: Schema, keys: tuple[str | int, ...]) -> list[str]:
    node: Node | None = schema.root
    for key in keys:
        if isinstance(key, str):
            field = node.fields.get(key) if node is not None else None
            node = field.node if field is not None else None
    return list(node.fields) if node is not None else []


def _stage_names(method: object) -> list[str]:
    stages = method.get("retrieval") if isinstance(method, dict) else None
    items = stages if isinstance(stages, list) else [stages]
    names = (item.get("name") for item in items if isinstance(item, dict))
    return [name for name in names if isinstance(name, str)]


def _orcid(text: str, field: Field) -> str:
    """The same digits in the form of an ORCID, if they are one."""
    digits = re.sub(r"[^0-9X]", "", text.upper())
    found = "-".join(digits[start : start + 4] for start in range(0, 16, 4))
    return found if len(digits) == 16 and field.converter.read(found) is not None else ""


def _address(text: str) -> str:
    ssh = _SSH.fullmatch(text)
    if ssh:
        return f"https://{ssh[1]}/{ssh[2].removesuffix('.git')}"
    if _HOST.fullmatch(text) and "/" in text:
        return f"https://{text}"
    twice = _TWICE.fullmatch(text)
    if twice:
        return twice[1]
    scheme = _SCHEME.fullmatch(text)
    if scheme is None or not _HOST.fullmatch(scheme[2]):
        return ""
    close = closest(scheme[1].lower(), _SCHEMES, 1, _CLOSE)
    found = f"{close[0]}://{scheme[2]}" if close else ""
    return found if found != text else ""


def _closest(text: str, known: Iterable[str], close: float = _CLOSE) -> str:
    folded: dict[str, str] = {}
    for name in known:
        folded.setdefault(name.casefold(), name)
    found = closest(text.casefold(), folded, 1, close)
    return folded[found[0]] if found and folded[found[0]] != text else ""
