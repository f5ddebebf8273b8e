"""Measures that trec_eval lacks, under their names in ir_measures and computed by its providers.

``RR@10``, ``AP(rel=2)``, ``nDCG(judged_only=True)@10``: a measure has one name, with its parameters
in the order of ir_measures and without those that have their defaults. Only a level of relevance
that is stated stays, since another one may be asked for as a whole.

The providers are the same on every machine, whatever else is installed there, so that a name means
the same figures. Each measure has an evaluator of its own: in one that several share, ir_measures
takes measures for one another that trec_eval has under one name.
"""

from __future__ import annotations

import ast
import logging
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from primad_ld.core.errors import MeasureError, UnknownMeasureError
from primad_ld.core.long_texts import closest

#: In the order in which they are asked.
_PROVIDERS: Final = ("pytrec_eval", "cwl_eval", "compat", "judged", "msmarco")
#: Why measures of other providers are refused.
_REFUSED: Final = {
    "pyndeval": "needs judgements of subtopics, which primad-ld does not read",
    "gdeval": "is only computed by a Perl script that pip cannot install",
    "accuracy": (
        "is undefined for topics without a relevant document in the ranking, so means "
        "of two runs would cover different topics"
    ),
}
_FORM: Final = re.compile(r"(?P<name>[^\W\d]\w*)(?:\((?P<given>.*)\))?(?:@(?P<at>[0-9.]+))?")
_LONGEST: Final = 200
_MOST: Final = 1_000_000
#: What parameters are between; trec_eval and the providers do not check it. The ends of those
#: that are no whole numbers do not count.
_BOUNDS: Final[Mapping[str, tuple[float, float]]] = {
    "cutoff": (1, _MOST),
    "rel": (1, _MOST),
    "min_rel": (0, _MOST),
    "max_rel": (1, _MOST),
    "p": (0, 1),
    "T": (0, _MOST),
    "beta": (0, _MOST),
    "recall": (-1e-9, 1 + 1e-9),
}
_LARGEST_GAIN: Final = 1000
#: What cwl-eval computes and nothing else does.
_OF_CWL: Final = frozenset("RBP BPM SDCG INST INSQ NERR8 NERR9 NERR10 NERR11".split())


def provided_name(text: str) -> str:
    """The one name of a measure of ir_measures; `MeasureError` if no provider computes it."""
    measure = _parsed(text)
    name = _name(measure)
    if "rel" not in measure.params and (found := _in_trec_eval(measure)):
        return found
    _provider(measure, name)
    return name


def base_of(name: str) -> tuple[str, str]:
    """The name of a measure without its parameters, and the cutoff that stands after it."""
    match = _FORM.fullmatch(name)
    return (match["name"], match["at"] or "") if match is not None else (name, "")


def level_in(name: str) -> int | None:
    """The level of relevance that a measure states, if it does."""
    found = re.search(r"[(,]rel=(\d+)[,)]", name)
    return int(found[1]) if found is not None else None


def provider_versions(names: Iterable[str]) -> list[str]:
    """The names and versions of what computes some of these measures beside trec_eval."""
    from importlib.metadata import version

    found = ["ir_measures"]
    if any(base_of(name)[0] in _OF_CWL for name in names):
        found.append("cwl-eval")
    return [f"{one} {version(one)}" for one in found]


def _check_grades(name: str, judgements: Mapping[str, Mapping[str, int]]) -> None:
    """`MeasureError` if grades lie outside of what a measure has as the least and the highest.

    ir_measures would take them for these.
    """
    params = _parsed(name).params
    grades = {grade for judged in judgements.values() for grade in judged.values()}
    # It takes negative grades for 0, as trec_eval does.
    highest, lowest = max(grades), max(0, min(grades))
    if highest > params.get("max_rel", highest):
        raise MeasureError(f"{name}: a document has grade {highest}; use max_rel={highest}")
    if lowest < params.get("min_rel", 0):
        raise MeasureError(f"{name}: a document has grade {lowest}; use min_rel={lowest}")


class Provided:
    """Computes some measures by one set of judgements."""

    def __init__(
        self, names: Iterable[str], judgements: Mapping[str, Mapping[str, int]], level: int
    ) -> None:
        """``level``: from which relevance on, for measures that do not state it."""
        self._evaluators = {}
        # It warns of grades that no document has, which is as it should be.
        logging.getLogger("ir_measures.cwl_eval").setLevel(logging.ERROR)
        for name in names:
            _check_grades(name, judgements)
            measure = _parsed(name)
            rel = measure.SUPPORTED_PARAMS.get("rel")
            if rel is not None and rel.default == 1 and "rel" not in measure.params:
                measure = measure(rel=level)
            self._evaluators[name] = _provider(measure, name).evaluator([measure], judgements)

    def score(self, run: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """By measure the score of each judged topic; 0 for one without documents."""
        return {
            name: {one.query_id: float(one.value) for one in evaluator.iter_calc(run)}
            for name, evaluator in self._evaluators.items()
        }


# Names ------------------------------------------------------------------------------------


def _parsed(text: str) -> Any:
    """A measure of ir_measures.

    Its own parser reads numbers by classes that Python 3.14 does not have, and checks nothing.
    """
    match = _FORM.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    from ir_measures.measures import registry

    known = {name.casefold(): name for name in reversed(registry)}
    name = known.get(match["name"].casefold(), "") if match is not None else ""
    if match is None or not name:
        raise _unknown(text)
    bare = registry[name]
    given = {**bare.params}
    for key, value in _given(text, match["given"] or ""):
        if key in given:
            raise MeasureError(f"{text!r}: {key} is given twice; use it once")
        given[key] = value
    if match["at"]:
        if bare.AT_PARAM in given:
            raise MeasureError(f"{text!r}: {bare.AT_PARAM} is given twice; use it once")
        given[bare.AT_PARAM] = _literal(text, match["at"])
    return type(bare)(**_checked(text, bare, given))


def _unknown(text: str) -> UnknownMeasureError:
    from ir_measures.providers import registry

    from primad_ld.trec.measure_names import FAMILIES

    every = (one for name in _PROVIDERS for one in registry[name].SUPPORTED_MEASURES)
    provided = {str(one.NAME) for one in every}
    names = {one.casefold(): one for one in (*FAMILIES, *sorted(provided))}
    word = re.split(r"[^\w.]", text.strip("'\" "))[0][:_LONGEST].casefold()
    near = [names[one] for one in closest(word, names, 2)]
    hint = f"did you mean {' or '.join(near)}? Write" if near else "write"
    return UnknownMeasureError(
        f"unknown measure {text[:_LONGEST]!r}; {hint} names of trec_eval (map, P_10, "
        "ndcg_cut_10) or ir_measures (AP, P@10, AP(rel=2), P(rel=2)@5). Its measures: "
        f"{', '.join(sorted(provided))}"
    )


def _given(text: str, inner: str) -> Iterable[tuple[str, Any]]:
    try:
        call = ast.parse(f"f({inner})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        call = None
    if (
        not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name))
        or call.args
        or any(one.arg is None for one in call.keywords)
    ):
        raise MeasureError(f"{text!r}: write parameters as name=value, such as AP(rel=2)")
    for one in call.keywords:
        yield str(one.arg), _literal(text, ast.unparse(one.value))


def _literal(text: str, value: str) -> Any:
    try:
        return ast.literal_eval(value)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise MeasureError(f"{text!r}: {value} is not a number, a string, True or False") from None


def _checked(text: str, bare: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters in the order of ir_measures, without those that have their defaults."""
    known = bare.SUPPORTED_PARAMS
    if unknown := [name for name in given if name not in known]:
        has = f"has the parameters {', '.join(known)}" if known else "has no parameters"
        raise MeasureError(f"{text!r}: unknown parameter {unknown[0]}; {bare.NAME} {has}")
    if lacking := [name for name, one in known.items() if one.required and name not in given]:
        usual = {"cutoff": 10, "recall": 0.1}
        example = _name(type(bare)(**{name: usual.get(name, 2) for name in lacking} | dict(given)))
        raise MeasureError(f"{text!r}: add {' and '.join(lacking)}, such as {example}")
    checked = {
        name: _value(text, name, given[name], one.dtype, one)
        for name, one in known.items()
        if name in given
    }
    return {
        name: value
        for name, value in checked.items()
        if name == "rel" or value != known[name].default
    }


def _value(text: str, name: str, value: Any, kind: type, spec: Any) -> Any:
    if kind is float and type(value) is int and abs(value) <= _MOST:
        value = float(value)
    fits = type(value) is kind and spec.validate(value)
    if fits and kind in (int, float) and name in _BOUNDS:
        low, high = _BOUNDS[name]
        fits = low <= value <= high if kind is int else low < value < high
    if fits and kind is dict:
        pairs = [*value, *value.values()]
        fits = all(type(one) is int and 0 <= one <= _LARGEST_GAIN for one in pairs)
    if not fits:
        raise MeasureError(f"{text!r}: {name} must be {_wanted(name, kind, spec)} (got {value!r})")
    return value


def _wanted(name: str, kind: type, spec: Any) -> str:
    if isinstance(spec.choices, list):
        return " or ".join(map(str, spec.choices))
    if kind is bool:
        return "True or False"
    if kind is dict:
        return f"grades and their gains, whole numbers up to {_LARGEST_GAIN}, such as {{1:1,2:3}}"
    if name == "recall":
        return "a number from 0 to 1"
    low, high = _BOUNDS.get(name, (0, _MOST))
    if kind is int:
        return f"a whole number from {low:,} to {high:,}"
    return f"strictly between {low:g} and {high:,g}"


def _name(measure: Any) -> str:
    """``P(rel=2)@5``: as ir_measures writes it, but for the level of relevance, which stays."""
    inner = ",".join(
        f"{name}={_written(value)}"
        for name, value in measure.params.items()
        if name != measure.AT_PARAM
    )
    at = measure.params.get(measure.AT_PARAM)
    return f"{measure.NAME}{f'({inner})' if inner else ''}{f'@{at}' if at is not None else ''}"


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{','.join(f'{grade}:{gain}' for grade, gain in sorted(value.items()))}}}"
    return repr(value)


def _in_trec_eval(measure: Any) -> str:
    """The name of a measure in trec_eval, as ir_measures knows it; "" if it has none."""
    from ir_measures import parse_trec_measure

    from primad_ld.trec.measure_names import FAMILIES

    at = measure.params.get(measure.AT_PARAM)
    for family in FAMILIES:
        for name in (family, f"{family}_{at}") if at is not None else (family,):
            try:
                if parse_trec_measure(name) == [measure]:
                    return name
            except ValueError:
                continue
    return ""


# Providers --------------------------------------------------------------------------------


def _provider(measure: Any, name: str) -> Any:
    """What computes a measure; `MeasureError` with the reason if nothing does."""
    from ir_measures.providers import registry

    for one in _PROVIDERS:
        if registry[one].supports(measure):
            if registry[one].is_available():
                return registry[one]
            raise MeasureError(
                f"{name} needs cwl-eval, which is not installed; "
                'run: pip install "primad-ld[measures]"'
            )
    for one, why in _REFUSED.items():
        if registry[one].supports(measure) or (
            _has(registry[one], measure)
            and not any(_has(registry[it], measure) for it in _PROVIDERS)
        ):
            raise MeasureError(f"{name} {why}")
    for key in measure.params:
        fewer = type(measure)(**{one: said for one, said in measure.params.items() if one != key})
        if any(registry[it].supports(fewer) for it in _PROVIDERS):
            raise MeasureError(f"{name} is not supported; remove {key}: {_name(fewer)}")
    hint = "; add a relevance level, such as RBP(rel=1)" if measure.NAME == "RBP" else ""
    raise MeasureError(f"{name} is not supported with these parameters{hint}")


def _has(provider: Any, measure: Any) -> bool:
    """Whether a provider computes a measure with some parameters."""
    return any(one.NAME == measure.NAME for one in provider.SUPPORTED_MEASURES)
