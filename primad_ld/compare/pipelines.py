"""How the pipelines of two methods are folded and compared (D9, section 3.4 of the paper)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from primad_ld.compare import folding
from primad_ld.compare.folding import (
    FieldOutcome,
    Fields,
    FieldVerdict,
    FoldingRule,
    Json,
    Values,
    judged,
    one_sided,
)
from primad_ld.core.iris import XSD
from primad_ld.schema.converters import BY_DATATYPE, read_parameter

_DECIMAL: Final = BY_DATATYPE[XSD + "decimal"].cached()
_REFERENCES: Final = ("reranks", "interpolates", "ensembles")
_FLAGS: Final = "flags"
# The value that a parameter has where nobody sets it, which may be another in another release.
_DEFAULT: Final = "default"


def _fold_pipeline(values: Values, fields: Fields) -> Json:
    """The stages in their order, or the method's name where there are none."""
    stages = values.get("retrieval")
    if stages:
        listed = stages if isinstance(stages, list) else [stages]
        # A stage that a template left open may be any.
        if all(isinstance(one, dict) and one for one in listed):
            node = fields["retrieval"].node
            known = node.fields.values() if node is not None else ()
            # Yes/no questions; anything else in a stage is a parameter.
            flags = {one.key for one in known if one.role == "distinguishing"}
            return {"stages": _fold_stages(listed, flags)}
    called = values.get("name")
    return {"name": [*folding.named("models", called)]} if isinstance(called, str) else None


def _fold_stages(stages: Sequence[Mapping[str, Any]], yes_or_no: Container[str]) -> list[Json]:
    # What ran tells more than what it is called.
    names = [
        [stage[key] for key in ("method", "name") if isinstance(stage.get(key), str)]
        for stage in stages
    ]
    numbers: dict[str, int] = {}
    for number, called in enumerate(names, 1):
        if called:
            numbers.setdefault(folding.name(called[-1]), number)
    found = []
    for called, stage in zip(names, stages, strict=True):
        one: dict[str, Json] = {"model": [*folding.named("models", *called)] if called else None}
        for key in _REFERENCES:
            if key in stage:
                one[key] = [
                    numbers.get(called, called)
                    for called in map(folding.name, folding.texts(stage[key]))
                ]
        rest: dict[str, Json] = {}
        flags: dict[str, Json] = {}
        for key, value in stage.items():
            if key in ("name", "method", *_REFERENCES) or value == _DEFAULT:
                continue
            is_flag = key in yes_or_no
            folded = folding.flag(value) if is_flag and isinstance(value, str) else parameter(value)
            if folded is not None:
                (flags if is_flag else rest)[key] = folded
        _settle_mixture(one, rest)
        if rest:
            one["parameters"] = dict(sorted(rest.items()))
        if flags:
            one[_FLAGS] = dict(sorted(flags.items()))
        found.append(one)
    return found


def _settle_mixture(stage: dict[str, Json], parameters: dict[str, Json]) -> None:
    """Mixtures from one end: .6 of one and .4 of the other are the same the other way round."""
    for key in ("reranks", "ensembles"):
        if key in stage:
            stage[key] = sorted(stage[key], key=str)
    parts = stage.get("interpolates")
    if parts is None:
        return
    weight = parameters.get("weight")
    if weight is None:
        stage["interpolates"] = sorted(parts, key=str)
    elif len(parts) == 2 and str(parts[0]) > str(parts[1]) and isinstance(weight, str):
        number = _number(weight)
        if number is not None:
            stage["interpolates"] = parts[::-1]
            parameters["weight"] = parameter(str(1 - number))


def _number(folded: str) -> Decimal | None:
    match = folded.split('"')
    return Decimal(match[1]) if len(match) == 3 and folded.endswith("#decimal>") else None


def parameter(value: Json) -> Json:
    """A parameter by its value: 1 is 1.0, and a list has an order."""
    if isinstance(value, str):
        return (_DECIMAL.read(value) or read_parameter(value)).token
    if isinstance(value, dict):
        return {key: parameter(inner) for key, inner in value.items()}
    return [parameter(item) for item in value] if isinstance(value, list) else value


def _shown_parameter(folded: Json) -> str:
    if isinstance(folded, dict):
        return ", ".join(f"{key}: {_shown_parameter(one)}" for key, one in folded.items())
    if isinstance(folded, list):
        return f"[{', '.join(map(_shown_parameter, folded))}]"
    return (
        folded.split('"')[1] if isinstance(folded, str) and folded.count('"') >= 2 else str(folded)
    )


def _compare_pipelines(one: Json, other: Json, paths: Sequence[str]) -> Iterator[FieldVerdict]:
    path = next(path for path in paths if path.startswith("retrieval"))
    ours, theirs = (_pipeline(side) for side in (one, other))
    if one is None or other is None:
        yield one_sided(path, ours, theirs)
        return
    if "name" in one and "name" in other:
        yield judged("name", bool(one["name"][0] == other["name"][0]), ours, theirs)
        return
    stages = [side.get("stages") or [{"model": side["name"]}] for side in (one, other)]
    if "name" in one or "name" in other:
        models = [side[0]["model"] for side in stages]
        is_one = all(len(side) == 1 and side[0]["model"] for side in stages)
        if not is_one or not all(known for _, known in models):
            # A system by its name alone may be any pipeline.
            yield FieldVerdict(path, FieldOutcome.open, ours, theirs)
            return
    if len(stages[0]) != len(stages[1]):
        yield FieldVerdict(path, FieldOutcome.different, ours, theirs)
        return
    models = [_compare_models(a["model"], b["model"]) for a, b in zip(*stages, strict=True)]
    is_same = False if False in models else None if None in models else True
    yield judged(path, is_same, ours, theirs)
    for number, (a, b) in enumerate(zip(*stages, strict=True), 1):
        yield from _compare_stages(f"{path}[{number}]", a, b)


def _compare_models(one: Json, other: Json) -> bool | None:
    return None if one is None or other is None else bool(one[0] == other[0])


def _compare_stages(place: str, one: Json, other: Json) -> Iterator[FieldVerdict]:
    for key in _REFERENCES:
        if key not in one and key not in other:
            continue
        ours, theirs = (", ".join(map(str, side.get(key, []))) for side in (one, other))
        if ours and theirs:
            if ours != theirs:
                yield FieldVerdict(f"{place}.{key}", FieldOutcome.different, ours, theirs)
        elif ours or theirs:
            yield one_sided(f"{place}.{key}", ours, theirs)
    for kind in ("parameters", _FLAGS):
        ours, theirs = one.get(kind, {}), other.get(kind, {})
        for key in sorted({*ours, *theirs}):
            first = _shown_parameter(ours[key]) if key in ours else ""
            if key not in ours or key not in theirs:
                yield one_sided(f"{place}.{key}", first, _shown_parameter(theirs.get(key, "")))
            elif ours[key] == theirs[key]:
                yield FieldVerdict(f"{place}.{key}", FieldOutcome.same, first, first)
            else:
                yield FieldVerdict(
                    f"{place}.{key}", FieldOutcome.different, first, _shown_parameter(theirs[key])
                )


def _pipeline(folded: Json) -> str:
    if folded is None:
        return ""
    if "name" in folded:
        return str(folded["name"][0])
    return " » ".join(str((one["model"] or ["?"])[0]) for one in folded["stages"])


PIPELINES: Final = FoldingRule(_fold_pipeline, _compare_pipelines, is_joint=True)
